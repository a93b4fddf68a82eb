"""Episodes of several turns: exact tokens from turn to turn, masks on what was read, and a budget of tokens."""

from dataclasses import replace

import pytest
from tests.tiny_model import tiny_model, tiny_tokenizer, tiny_weights
from tests.train.toy import Log, ToyEnvironment, ToyPrompt

from mailgym.agents.chat import ChatAgent
from mailgym.core.episode import ChatMessage, Generation, Trajectory
from mailgym.envs.registry import get_spec
from mailgym.llm.base import OUT_OF_TOKENS, Sampling
from mailgym.llm.local import LocalModel, import_torch
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.train.batch import to_sample
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import TrainConfig
from mailgym.train.grpo import Playground, improve, live_samples, play_groups, train
from mailgym.train.policy import Policy

torch = import_torch()
CONFIG = TrainConfig(
    updates=2, groups=2, group_size=4, max_tokens=6, lora_rank=4, lora_alpha=8, validate_every=2, learning_rate=1e-2
)
TURNS = 3


def find_playground(policy, tasks, env="find", turns=TURNS):
    policy.local.model.config.max_position_embeddings = 16_000
    spec = get_spec(env)
    sampling = Sampling(CONFIG.temperature, CONFIG.max_tokens)
    return Playground(
        env_id=env,
        environments=lambda: spec.make(tasks, turns=turns),
        task_ids=tasks.task_ids,
        agent=ChatAgent(policy.local, spec.prompt(turns), sampling),
        validate=lambda update: {"phase": "validation", "update": update, "reward_mean": 0.0},
        seed=2,
    )


@pytest.fixture(params=["find", "search"], scope="module")
def played(request, small_tasks, search_tasks):
    policy = Policy(tiny_model(), 4, 8, 0)
    env = request.param
    playground = find_playground(policy, small_tasks if env == "find" else search_tasks, env)
    return policy, env, play_groups(policy, playground, CONFIG, 1)


def test_every_token_is_marked_as_written_or_read(played):
    policy, env, groups = played
    prompt = get_spec(env).prompt(TURNS)
    tokenizer = policy.local.tokenizer
    trajectories = [trajectory for group in groups for trajectory in group]
    assert {len(trajectory.steps) for trajectory in trajectories} == {TURNS}
    for trajectory in trajectories:
        expected: list[tuple[int, bool, float]] = []
        for number, step in enumerate(trajectory.steps):
            made = step.decision.generation
            if number:
                (reply,) = prompt.reply(step.observation)
                before = trajectory.steps[number - 1].decision.generation
                text = f"\n<|start|>user\n{reply.content}<|end|>\n<|start|>assistant\n"
                text = text if before.finished else f"<|end|>{text}"
                expected += [(token, False, 0.0) for token in tokenizer(text, add_special_tokens=False)["input_ids"]]
            expected += [(token, True, drawn) for token, drawn in zip(made.completion_ids, made.logprobs, strict=True)]
        sample = to_sample(trajectory, 1.0)
        assert list(zip(sample.tail_ids, sample.written, sample.old_logprobs, strict=True)) == expected
        assert sample.prompt_ids == trajectory.steps[0].decision.generation.prompt_ids
        last = trajectory.steps[-1].decision.generation
        assert (*sample.prompt_ids, *sample.tail_ids) == (*last.prompt_ids, *last.completion_ids)


def test_what_is_scored_again_is_what_was_drawn_over_several_turns(played):
    policy, _, groups = played
    samples = [to_sample(trajectory, 1.0) for group in groups for trajectory in group]
    with torch.no_grad():
        scores = policy.token_logprobs(samples, CONFIG.temperature)
    drawn = [value for s in samples for value, own in zip(s.old_logprobs, s.written, strict=True) if own]
    torch.testing.assert_close(scores.logprobs, torch.tensor(drawn), atol=1e-3, rtol=1e-3)


def test_the_old_logprobs_of_read_tokens_are_nothing_to_the_gradient(played):
    policy, _, groups = played
    samples = [to_sample(trajectory, float(number - 1.5)) for number, trajectory in enumerate(groups[0])]
    spoilt = [
        replace(s, old_logprobs=tuple(v if own else -7.0 for v, own in zip(s.old_logprobs, s.written, strict=True)))
        for s in samples
    ]
    records, grads = [], []
    for batch in (samples, spoilt):
        records.append(improve(policy, torch.optim.SGD(policy.parameters(), lr=0.0), batch, CONFIG))
        grads.append(torch.cat([p.grad.flatten() for p in policy.parameters()]))
    assert records[0] == records[1]
    assert torch.equal(grads[0], grads[1])
    assert records[0]["trained_tokens"] == sum(sum(s.written) for s in samples) < sum(len(s.tail_ids) for s in samples)
    assert float(grads[0].abs().max()) > 0


def test_grpo_goes_through_on_find_with_several_turns(small_tasks, tmp_path):
    policy, log = Policy(tiny_model(), 4, 8, 0), Log()
    train(policy, find_playground(policy, small_tasks), CONFIG, Checkpoints(tmp_path), log)
    updates = [record for record in log.records if record["phase"] == "train"]
    assert len(updates) == CONFIG.updates
    assert all(record.get("logprob_gap", 0.0) < 1e-3 for record in updates)
    assert {len(t.steps) for t in log.played} == {TURNS}


RE_RENDERING = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n"
    "{% if message['role'] == 'assistant' and not loop.last %}[{{ message['content'][-11:] }}"
    "{% elif message['role'] == 'assistant' %}<think></think>{{ message['content'] }}"
    "{% else %}{{ message['content'] }}{% endif %}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def test_a_template_that_writes_earlier_turns_otherwise_changes_no_token_that_was_written():
    local = LocalModel(tiny_weights(), tiny_tokenizer(RE_RENDERING), "tiny")
    first = local.opening_ids([ChatMessage("user", "question")])
    said = local.written_ids("a long thought, then a call")
    previous = Generation(first, said, (0.0,) * len(said))
    ids = local.continued_ids(previous, [ChatMessage("user", "result")])
    assert ids[: len(first) + len(said)] == (*first, *said)
    text = local.tokenizer.decode(ids)
    assert text == (
        "<|start|>user\nquestion<|end|>\n<|start|>assistant\na long thought, then a call<|end|>\n"
        "<|start|>user\nresult<|end|>\n<|start|>assistant\n"
    )


def test_a_turn_without_an_end_token_in_the_template_is_ended_by_the_models_own():
    local = LocalModel(tiny_weights(), tiny_tokenizer("{% for m in messages %}{{ m['content'] }}{% endfor %}"), "tiny")
    assert local.written_ids("ab")[-1] == local.tokenizer.eos_token_id
    assert local.tokenizer.decode(local.written_ids("ab")[:-1]) == "ab"


def toy_episodes(max_episode_tokens, turns=4, max_tokens=3):
    agent = ChatAgent(tiny_model(), ToyPrompt(), Sampling(1.0, max_tokens, max_episode_tokens))
    requests = [EpisodeRequest("a", sample) for sample in range(4)]
    return play_episodes(lambda: ToyEnvironment(turns), agent, requests, 5, "toy")


def test_an_episode_ends_where_no_turn_fits_any_more_and_keeps_what_it_earned():
    whole = toy_episodes(None)
    assert {t.stop_reason for t in whole} == {"said"}
    limit = max(len(t.steps[1].decision.generation.prompt_ids) for t in whole) + 3
    cut = toy_episodes(limit)
    assert {t.stop_reason for t in cut} == {OUT_OF_TOKENS}
    for short, long in zip(cut, whole, strict=True):
        assert short.failure is None
        kept = len(short.steps)
        assert 2 <= kept < 4
        assert [s.decision.generation for s in short.steps] == [s.decision.generation for s in long.steps[:kept]]
        last = short.steps[-1].result
        assert (last.truncated, last.terminated, last.stop_reason) == (True, False, OUT_OF_TOKENS)
        assert short.reward == pytest.approx(sum(s.result.reward for s in long.steps[:kept]))
        made = short.steps[-1].decision.generation
        assert len(made.prompt_ids) + len(made.completion_ids) <= limit
        assert Trajectory.from_json(short.to_json()) == short


def test_an_episode_that_is_out_of_the_models_own_tokens_ends_alike():
    local = tiny_model()
    local.model.config.max_position_embeddings = 60
    agent = ChatAgent(local, ToyPrompt(), Sampling(1.0, 3))
    (episode,) = play_episodes(lambda: ToyEnvironment(9), agent, [EpisodeRequest("a")], 5, "toy")
    assert episode.stop_reason == OUT_OF_TOKENS
    assert episode.reward is not None


def test_an_opening_that_leaves_no_room_is_a_failure_that_says_so():
    (episode, *_) = toy_episodes(10)
    assert episode.stop_reason == "failed"
    assert "exceed the limit of 10" in episode.failure.message


def test_episodes_that_were_cut_are_trained_on():
    cut = toy_episodes(60)
    assert {t.stop_reason for t in cut} == {OUT_OF_TOKENS}
    assert len(live_samples([cut], CONFIG)) == 4
