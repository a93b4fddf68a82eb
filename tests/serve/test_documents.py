"""What each document types against its server is answered as there, and shows no label.

The lines are those of documents 001 to 004: same routes, same bodies. What is answered is held against figures worked
out by hand from their reward tables.
"""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import get_spec
from mailgym.serve.plain import make_app
from mailgym.serve.services import Served

DOCUMENTS = ("reply", "inbox", "triage", "routing")
Open = Callable[[str], TestClient]


@pytest.fixture(scope="module")
def opened() -> Open:
    clients: dict[str, TestClient] = {}

    def of(env: str) -> TestClient:
        if env not in clients:
            spec = get_spec(env)
            dialect = spec.dialect()
            tasks = spec.load_tasks(OWN_TASKS, dialect.split)
            clients[env] = TestClient(make_app([Served(spec, tasks, dialect.profile, dialect)]))
        return clients[env]

    return of


@pytest.mark.parametrize("env", DOCUMENTS)
def test_health_and_description(opened: Open, env: str) -> None:
    client = opened(env)
    assert client.get("/health").json()["status"] == "healthy"
    assert "/reset" in client.get("/openapi.json").json()["paths"]
    assert client.get("/docs").status_code == 200


# document 004


def test_004_quick_start(opened: Open) -> None:
    client = opened("routing")
    obs = client.post("/reset", json={"task_id": "urgency-detection"}).json()
    assert obs["observation"]["email"]
    assert obs["observation"]["metadata"]["task_id"] == "urgency-detection"
    assert obs["observation"]["metadata"]["steps_taken"] == 0
    result = client.post(
        "/step",
        json={
            "label": "urgent",
            "summary": "Production server is down.",
            "reply": "We have escalated this to engineering immediately. We sincerely apologise.",
            "department": "engineering",
        },
    ).json()
    assert 0.01 <= result["reward"] <= 0.99
    assert result.keys() == {"observation", "reward", "done"}
    assert result["observation"].keys() == {"email", "done", "reward", "metadata"}
    assert result["observation"]["metadata"].keys() == {"task_id", "instruction", "steps_taken"}
    assert result["observation"]["metadata"]["steps_taken"] == 1
    assert (result["observation"]["reward"], result["observation"]["done"]) == (result["reward"], result["done"])


def test_004_tasks_and_rotation(opened: Open) -> None:
    client = opened("routing")
    assert [task["task_id"] for task in client.get("/tasks").json()["tasks"]] == [
        "email-classification",
        "urgency-detection",
        "spam-filtering",
    ]
    mails = {
        client.post("/reset", json={"task_id": "urgency-detection"}).json()["observation"]["email"] for _ in range(6)
    }
    assert len(mails) == 6, "each reset takes the next mail of the pool"
    state = client.get("/state").json()
    assert state["step_count"] == 0
    assert state["episode_id"]


@pytest.mark.parametrize(
    ("task_id", "steps"), [("email-classification", 3), ("urgency-detection", 2), ("spam-filtering", 1)]
)
def test_004_a_reset_leaves_the_steps_from_its_task_on(opened: Open, task_id: str, steps: int) -> None:
    client = opened("routing")
    client.post("/reset", json={"task_id": task_id})
    done = [client.post("/step", json={"label": "work"}).json()["done"] for _ in range(steps)]
    assert done == [False] * (steps - 1) + [True]
    assert client.post("/step", json={"label": "work"}).status_code == 409


# document 003


def test_003_curl_lines(opened: Open) -> None:
    client = opened("triage")
    start = client.post("/reset", json={"task_id": "email-classify"}).json()
    assert not start["done"]
    step = client.post(
        "/step",
        json={"email_actions": [{"email_id": "e1", "category": "spam", "priority": 5, "action": "delete"}]},
    )
    assert step.status_code == 200
    assert -1.0 <= step.json()["reward"] <= 1.0
    assert client.get("/state").json()["steps"] == 1


def test_003_a_wrong_list_is_answered_and_a_missing_one_is_422(opened: Open) -> None:
    client = opened("triage")
    client.post("/reset", json={"task_id": "email-classify"})
    wrong = client.post("/step", json={"email_actions": "all spam"})
    assert wrong.status_code == 200
    assert wrong.json()["info"]["error"]
    assert client.post("/step", json={"emails": []}).status_code == 422
    assert client.post("/reset", json={"task_id": "email-everything"}).status_code == 404


# document 002

BILLING = {
    "category": "billing",
    "priority": "high",
    "department": "finance",
    "action": "reply",
    "use_tool": "check_payment",
    "tool_input": {"account_id": "acct_123"},
}


def test_002_curl_lines(opened: Open) -> None:
    client = opened("inbox")
    start = client.post("/reset", json={"task_id": 3, "seed": 42}).json()
    assert start["observation"]["remaining_emails"] == 5
    assert start["observation"]["current_email"].keys() == {"email_id", "subject", "sender", "email_text", "difficulty"}
    nested = client.post("/step", json={"action": BILLING}).json()
    assert 0.0 <= nested["reward"] <= 1.0
    assert nested["observation"]["tool_result"] is not None
    assert nested["observation"]["remaining_emails"] == 4
    again = client.post("/reset", json={"task_id": 3, "seed": 42}).json()
    assert again["observation"] == start["observation"], "seeded"
    flat = client.post("/step", json=BILLING).json()
    assert flat["reward"] == nested["reward"]
    assert flat["observation"] == nested["observation"]


def test_002_further_routes(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    client = opened("inbox")
    assert [task["task_id"] for task in client.get("/tasks").json()["tasks"]] == [1, 2, 3]
    sample = client.get("/sample_action").json()
    client.post("/reset", json={"task_id": 1, "seed": 42})
    reward = client.post("/step", json={"action": sample}).json()["reward"]
    grade = client.post("/grader").json()
    assert grade.keys() == {"score", "steps", "done"}, "a score alone"
    assert grade["score"] == pytest.approx(reward / 3)
    monkeypatch.setenv("EMAIL_TRIAGE_DEBUG_GRADER", "1")
    assert client.post("/grader").json()["parts"]
    log = client.get("/episode_log").json()
    assert log["steps"][0]["action"]["arguments"] == sample
    assert client.get("/manifest").json()["name"] == "inbox"
    found = client.get("/baseline").json()
    assert found["scores"].keys() == {"task_1", "task_2", "task_3"}
    assert found["average"] >= 0.90


# document 001

WORK = {
    "urgency": "high",
    "category": "work",
    "requires_reply": True,
    "reason": "A deadline is named and an answer asked.",
}
LETTER = {
    "tone": "professional",
    "reply_text": "Dear Megha,\n\nThank you for telling me about the overlap. I will move the design sync to Thursday "
    "at three, and I will confirm the new time with everyone by noon today.\n\nBest regards,\nAlex",
}


def test_001_two_steps_with_a_named_session(opened: Open) -> None:
    client = opened("reply")
    ids = client.get("/scenarios").json()["scenarios"]
    assert len(ids) == 25
    start = client.post("/reset", json={"scenario_id": ids[0], "session_id": "mine"}).json()
    assert start["observation"]["step"] == 1
    first = client.post("/step", json={**WORK, "session_id": "mine"}).json()
    assert 0.0 <= first["reward"] <= 1.0
    assert first["observation"]["classification"]["category"] == "work", "its own classification is in view"
    assert client.get("/state", params={"session_id": "mine"}).json()["step"] == 2
    second = client.post("/step", json={"action": LETTER, "session_id": "mine"}).json()
    assert second["done"]
    total = 0.30 * first["reward"] + 0.70 * second["reward"]
    assert second["episode_reward"] == pytest.approx(total)


def test_001_rollout_compare_and_info(opened: Open) -> None:
    client = opened("reply")
    scenario = client.get("/scenarios").json()["scenarios"][0]
    both = {"classification": WORK, "reply": LETTER}
    played = client.post("/rollout", json={"scenario_id": scenario, **both}).json()
    assert played["done"]
    assert len(played["steps"]) == 3
    silent = {"classification": WORK, "reply": {"tone": "none", "reply_text": ""}}
    shown = client.post("/demo/compare", json={"scenario_id": scenario, "baseline": silent, "trained": both}).json()
    assert shown["trained"]["total_reward"] == played["total_reward"]
    gain = shown["trained"]["total_reward"] - shown["baseline"]["total_reward"]
    assert shown["improvement"] == pytest.approx(gain)
    assert client.get("/info").json()["actions"].keys() == {"step_1", "step_2"}
    assert client.post("/rollout", json={"scenario_id": scenario}).status_code == 422


def test_001_a_list_for_a_string_is_answered(opened: Open) -> None:
    client = opened("reply")
    client.post("/reset", json={})
    listed = client.post("/step", json={**WORK, "reason": ["some text"]})
    assert listed.status_code == 200
    assert listed.json()["observation"]["error"]


@pytest.mark.parametrize("env", DOCUMENTS)
def test_no_answer_holds_a_secret_of_the_key(opened: Open, env: str) -> None:
    client, spec = opened(env), get_spec(env)
    tasks = spec.load_tasks(OWN_TASKS, spec.dialect().split)
    field = "scenario_id" if env == "reply" else "task_id"
    for task_id in tasks.task_ids[:12]:
        texts = [client.post("/reset", json={field: task_id}).text]
        texts += [client.post("/step", json=body).text for body in ({"action": {}}, {"email_actions": []}, {})]
        texts += [client.get(path).text for path in ("/state", "/info", "/tasks", "/grader", "/episode_log")]
        secrets = [secret for secret in spec.secrets(tasks.keys[task_id]) if len(secret) > 8]
        assert not [secret for secret in secrets for text in texts if secret in text]
