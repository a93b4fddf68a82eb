"""Whatever JSON is sent, by whoever: an answer that can be read, no fault of the server, and no secret of a key."""

import json
import math
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from mailgym.core.protocols import Environment
from mailgym.envs.drawn import OWN_TASKS
from mailgym.envs.registry import EnvSpec, get_spec
from mailgym.serve.plain import MAX_JSON_DEPTH, make_app
from mailgym.serve.services import Served

DOCUMENTS = ("reply", "inbox", "triage", "routing")
FEW = settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
ODD_TEXTS = ("", "\x00", "\ud800", "e1", "work", "ｗork", "URGENT", "x" * 3_000, '{"label": "work"}')
NAMES = (
    *("name", "arguments", "action", "label", "summary", "reply", "department", "email_actions", "email_id", "done"),
    *("category", "priority", "response", "urgency", "requires_reply", "reason", "tone", "reply_text", "use_tool"),
    *("tool_input", "task_id", "scenario_id", "seed", "session_id"),
)
TOOLS = ("triage", "submit", "decide", "look_up", "classify", "draft", "skip")
texts = st.sampled_from([*ODD_TEXTS, *TOOLS]) | st.text(max_size=8)
leaves = st.none() | st.booleans() | st.integers(-3, 10**30) | st.floats() | texts
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | texts, inner, max_size=4),
    max_leaves=12,
)
calls = st.fixed_dictionaries(
    {"name": st.sampled_from(TOOLS), "arguments": st.dictionaries(st.sampled_from(NAMES) | texts, values, max_size=5)}
)
bodies = st.dictionaries(st.sampled_from(NAMES), values, max_size=5) | st.fixed_dictionaries({"action": calls})


@lru_cache(maxsize=len(DOCUMENTS))
def served(env: str) -> tuple[EnvSpec, TestClient, tuple[str, ...]]:
    """Return an environment, a client of it in its document's form, and the secrets of the bank's keys."""
    spec = get_spec(env)
    dialect = spec.dialect()
    tasks = spec.load_tasks(OWN_TASKS, dialect.split)
    secrets = {secret for key in tasks.keys.values() for secret in spec.secrets(key) if len(secret) > 8}
    return spec, TestClient(make_app([Served(spec, tasks, dialect.profile, dialect)])), tuple(secrets)


def sent(client: TestClient, path: str, body: Any) -> Any:
    """Send a body as the JSON that Python writes of it, ``NaN`` and half surrogate pairs included."""
    answer = client.post(path, content=json.dumps(body).encode())
    assert answer.status_code in (200, 404, 409, 422), answer.text
    return answer


@pytest.mark.parametrize("env", DOCUMENTS)
@FEW
@given(body=bodies)
def test_any_body_is_answered_and_tells_no_secret(env: str, body: dict[str, Any]) -> None:
    _, client, secrets = served(env)
    client.post("/reset", json={})
    answers = [sent(client, "/step", body)]
    if answers[0].status_code == 200:
        reward = answers[0].json()["reward"]
        assert reward == round(reward, 12)
        assert (0.01 if env == "routing" else -1.0 if env in ("triage", "reply") else 0.0) <= reward <= 1.0
    answers += [client.get(path) for path in ("/state", "/episode_log")]
    answers.append(sent(client, "/reset", body))
    for answer in answers:
        assert answer.status_code < 500
        answer.json()
        assert not [secret for secret in secrets if secret in answer.text]


@lru_cache(maxsize=2 * len(DOCUMENTS))
def environment(env: str, profile: str) -> Environment:
    """Return an environment over the first tasks of its bank."""
    spec = get_spec(env)
    return spec.make(spec.load_tasks(OWN_TASKS, "bank", 2), profile=profile)


@pytest.mark.parametrize("profile", ["classic", "hardened"])
@pytest.mark.parametrize("env", DOCUMENTS)
@FEW
@given(action=calls | values)
def test_any_action_is_answered_by_plain_data_and_a_finite_reward(env: str, profile: str, action: Any) -> None:
    played = environment(env, profile)
    played.reset()
    result = played.step(action)
    assert math.isfinite(result.reward)
    assert -2.0 <= result.reward <= 1.0
    json.dumps([result.observation, played.state], ensure_ascii=False, allow_nan=False).encode()


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("env", DOCUMENTS)
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('{"action": {"label": 1e999}}', "too large"),
        ('{"action": {"summary": "\\ud800"}}', "half a surrogate pair"),
        ('{"action": {"\\udc00": 1}}', "half a surrogate pair"),
        (f'{{"action": {{"tool_input": {nested(MAX_JSON_DEPTH)}}}}}', f"more than {MAX_JSON_DEPTH} deep"),
        (f'{{"action": {nested(900)}}}', f"more than {MAX_JSON_DEPTH} deep"),
        (f'{{"action": {nested(20_000)}}}', "not valid JSON"),
        ('{"session_id": 0}', "a session's name"),
        ('{"session_id": ""}', "a session's name"),
        ('{"session_id": []}', "a session's name"),
    ],
)
def test_what_cannot_be_written_again_is_refused_and_the_episode_stays(env: str, body: str, says: str) -> None:
    _, client, _ = served(env)
    client.post("/reset", json={})
    refused = client.post("/step", content=body)
    assert refused.status_code == 422
    assert says in refused.json()["error"]
    state = client.get("/state").json()
    assert state.get("steps", state.get("step_count", 0)) == 0


def test_other_letters_and_pairs_are_let_through() -> None:
    _, client, _ = served("routing")
    client.post("/reset", json={})
    played = client.post("/step", content='{"label": "work", "summary": "\\ud83d\\ude00 größer als 10 Zeichen"}')
    assert played.status_code == 200
    assert "error" not in played.json()["observation"]
