from dataclasses import replace

import pytest
from tests.tiny_model import tiny_model

from mailgym.agents.finder import find_agent
from mailgym.core.episode import Decision, Failure, Generation, MalformedAction
from mailgym.core.errors import ConfigError
from mailgym.core.protocols import WritingPrompt
from mailgym.envs.registry import get_spec
from mailgym.llm.base import Sampling
from mailgym.llm.local import import_torch
from mailgym.rollout.engine import EpisodeRequest, play_episodes
from mailgym.train.batch import Sample, to_sample
from mailgym.train.checkpoint import Checkpoints
from mailgym.train.config import TrainConfig, WarmStartConfig
from mailgym.train.imitate import as_written, imitate, imitate_once, longest_turn, make_lessons, plan
from mailgym.train.policy import Policy

torch = import_torch()
FAST = TrainConfig(max_tokens=4, lora_rank=4, lora_alpha=8)
SAMPLES = (
    Sample((5, 6, 7), (10, 11), (True, True), (0.0, 0.0), 1.0),
    Sample((5, 6, 7), (12,), (True,), (0.0,), 1.0),
    Sample((5, 6, 8, 9), (13, 14, 15), (True, False, True), (0.0,) * 3, 1.0),
)


def oracle_plays(env, tasks, turns):
    spec = get_spec(env)
    agent = find_agent("oracle", spec, tasks, turns=turns)
    requests = [EpisodeRequest(task_id) for task_id in tasks.task_ids]
    played = play_episodes(lambda: spec.make(tasks, turns=turns), agent, requests, 1, env)
    return played, spec.prompt(turns)


def roomy():
    local = tiny_model()
    local.model.config.max_position_embeddings = 16_000
    return local


@pytest.fixture(params=[("find", 1), ("find", 3), ("search", 4)], ids=lambda form: f"{form[0]}-{form[1]}")
def played(request, small_tasks, search_tasks):
    env, turns = request.param
    return oracle_plays(env, small_tasks if env == "find" else search_tasks, turns)


def test_the_models_tokens_are_the_oracles_calls_and_the_rest_is_what_it_would_have_read(played):
    trajectories, prompt = played
    local = roomy()
    for trajectory in trajectories:
        written = as_written(trajectory, prompt, local)
        sample = to_sample(written, 1.0)
        own, runs, read = [], [], []
        for token, mine in zip(sample.tail_ids, sample.written, strict=True):
            if mine and (not own or not own[-1]):
                runs.append([])
            if not mine and own[-1]:
                read.append([])
            (runs if mine else read)[-1].append(token)
            own.append(mine)
        end = local.tokenizer.eos_token_id
        assert [run[-1] for run in runs] == [end] * len(trajectory.steps)
        said = [local.tokenizer.decode(run[:-1]) for run in runs]
        assert [prompt.parse(text) for text in said] == [step.decision.action for step in trajectory.steps]
        shown = [local.tokenizer.decode(tokens) for tokens in read]
        assert len(shown) == len(trajectory.steps) - 1
        for text, step in zip(shown, trajectory.steps[1:], strict=True):
            (reply,) = prompt.reply(step.observation)
            assert text == f"\n<|start|>user\n{reply.content}<|end|>\n<|start|>assistant\n"
        assert sample.prompt_ids == local.opening_ids(prompt.opening(trajectory.steps[0].observation))
        assert longest_turn(sample) == max(len(run) for run in runs)


def test_a_model_that_writes_the_same_gets_the_same_tokens_turn_by_turn(small_tasks):
    trajectories, prompt = oracle_plays("find", small_tasks, 3)
    local = roomy()
    written = as_written(trajectories[0], prompt, local)
    first, second = (step.decision.generation for step in written.steps)
    assert second.prompt_ids == local.continued_ids(first, prompt.reply(written.steps[1].observation))
    assert second.prompt_ids[: len(first.prompt_ids) + len(first.completion_ids)] == (
        *first.prompt_ids,
        *first.completion_ids,
    )
    assert written.steps[0].decision.text == prompt.write(trajectories[0].steps[0].decision.action)


def test_what_cannot_be_imitated_is_left_out_and_counted(small_tasks):
    trajectories, prompt = oracle_plays("find", small_tasks, 1)
    local = roomy()
    failed = replace(trajectories[0], failure=Failure("environment", "gone"), reward=None)
    odd_step = replace(trajectories[1].steps[0], decision=Decision(MalformedAction("?", "no JSON")))
    odd = replace(trajectories[1], steps=(odd_step,))
    broken = {"name": "search_emails", "arguments": {"keywords": ["<|end|>"]}}
    useless = replace(trajectories[2], reward=0.0)
    special = replace(trajectories[2], steps=(replace(odd_step, decision=Decision(broken)),))
    lessons = make_lessons([failed, odd, useless, special, trajectories[3]], prompt, local, Sampling(max_tokens=500))
    assert len(lessons.samples) == 1
    assert lessons.left_out == {"failed": 1, "not writable": 2, "worth nothing": 1}
    limits = Sampling(max_tokens=500, max_episode_tokens=100)
    with pytest.raises(ConfigError, match="none of the 1 trajectories can be imitated \\(1 too long\\)"):
        make_lessons(trajectories[3:], prompt, local, limits)


def test_a_turn_that_the_policy_could_never_write_is_an_error_that_says_what_to_set(small_tasks):
    trajectories, prompt = oracle_plays("find", small_tasks, 1)
    longest = max(len(roomy().written_ids(prompt.write(t.steps[0].decision.action))) for t in trajectories)
    with pytest.raises(ConfigError, match=f"train.max_tokens={longest} or more"):
        make_lessons(trajectories, prompt, roomy(), Sampling(max_tokens=longest - 1))
    assert len(make_lessons(trajectories, prompt, roomy(), Sampling(max_tokens=longest)).samples) == len(trajectories)


def test_every_lesson_comes_once_an_epoch_in_an_order_of_its_own():
    updates = plan(10, WarmStartConfig(epochs=2, batch=4), 3)
    assert [len(update) for update in updates] == [4, 4, 2, 4, 4, 2]
    first, second = ([lesson for update in half for lesson in update] for half in (updates[:3], updates[3:]))
    assert sorted(first) == sorted(second) == list(range(10))
    assert first != second
    assert plan(10, WarmStartConfig(epochs=2, batch=4), 3) == updates
    assert plan(10, WarmStartConfig(epochs=2, batch=4), 4) != updates


def plain_loss(policy):
    """The mean cross-entropy of the five written tokens, by whole sequences through the model's own head."""
    total = 0.0
    for sample in SAMPLES:
        ids = (*sample.prompt_ids, *sample.tail_ids)
        for place, own in enumerate(sample.written, len(sample.prompt_ids)):
            if own:
                one = Sample(ids[:place], ids[place : place + 1], (True,), (0.0,), 1.0)
                total -= float(policy.token_logprobs([one], 1.0).logprobs[0].detach())
    return total / 5


@pytest.mark.parametrize("groups_at_once", [0, 1])
def test_the_loss_is_the_mean_over_written_tokens_and_only_adapters_move(groups_at_once):
    policy = Policy(tiny_model(), 4, 8, 0)
    frozen = {name: p.clone() for name, p in policy.adapted.named_parameters() if not p.requires_grad}
    before = [p.clone() for p in policy.parameters()]
    expected = plain_loss(policy)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-2)
    record = imitate_once(policy, optimizer, SAMPLES, replace(FAST, micro_batch_groups=groups_at_once))
    assert record["loss"] == pytest.approx(expected, abs=1e-5)
    assert record["trained_tokens"] == 5
    assert record["grad_norm"] > 0
    assert any(not torch.equal(a, b) for a, b in zip(before, policy.parameters(), strict=True))
    named = dict(policy.adapted.named_parameters())
    assert all(torch.equal(named[name], value) for name, value in frozen.items())
    assert plain_loss(policy) < expected


def test_a_token_that_was_only_read_gives_no_gradient_of_its_own():
    """A read token may change what follows it, but nothing is learned of writing it: at the end it changes nothing."""
    grads = []
    for tail, written in (((13, 14), (True, True)), ((13, 14), (True, False)), ((13,), (True,))):
        policy = Policy(tiny_model(), 4, 8, 0)
        sample = Sample((5, 6), tail, written, (0.0,) * len(tail), 1.0)
        imitate_once(policy, torch.optim.SGD(policy.parameters(), lr=0.0), [sample], replace(FAST, max_grad_norm=1e9))
        grads.append(torch.cat([p.grad.flatten() for p in policy.parameters()]))
    torch.testing.assert_close(grads[1], grads[2], atol=1e-7, rtol=1e-5)
    assert not torch.allclose(grads[0], grads[2], atol=1e-4)


def test_a_gradient_that_is_not_finite_is_skipped_and_said():
    policy = Policy(tiny_model(), 4, 8, 0)
    for parameter in policy.parameters():
        parameter.data.fill_(float("inf"))
    record = imitate_once(policy, torch.optim.AdamW(policy.parameters()), SAMPLES, FAST)
    assert "not finite" in record["skipped"]


def run_imitation(policy, folder, stop_after=None):
    records = []

    def observe(record):
        records.append(record)
        if record["update"] == stop_after:
            raise KeyboardInterrupt

    config = WarmStartConfig(trajectories=3, epochs=6, batch=2, learning_rate=1e-2)
    imitate(policy, SAMPLES, config, FAST, 4, Checkpoints(folder, "warm-start"), observe)
    return records


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    policy, folder = Policy(tiny_model(), 4, 8, 0), tmp_path_factory.mktemp("whole")
    return policy, run_imitation(policy, folder), folder


def test_the_loss_falls_and_every_update_is_recorded(whole):
    _, records, folder = whole
    assert [record["update"] for record in records] == list(range(1, 13))
    assert sum(record["trained_tokens"] for record in records) == 6 * 5
    assert records[-1]["loss"] < records[0]["loss"] / 2
    assert all(record["phase"] == "warm_start" and record["seconds"]["imitate"] > 0 for record in records)
    assert [path.name for path in sorted(folder.iterdir())] == ["warm-start-00011", "warm-start-00012"]


@pytest.mark.parametrize("stop_after", [1, 10, 12])
def test_a_warm_start_that_was_stopped_ends_with_the_same_weights_bit_for_bit(tmp_path, whole, stop_after):
    ended, records, _ = whole
    with pytest.raises(KeyboardInterrupt):
        run_imitation(Policy(tiny_model(), 4, 8, 0), tmp_path / "cut", stop_after)
    resumed = Policy(tiny_model(), 4, 8, 0)
    rest = run_imitation(resumed, tmp_path / "cut")
    for expected, found in zip(ended.parameters(), resumed.parameters(), strict=True):
        assert torch.equal(expected, found)
    losses = [record["loss"] for record in records]
    assert [record["loss"] for record in rest] == losses[len(losses) - len(rest) :]


def test_prompts_of_search_can_write_and_a_plain_one_cannot():
    from tests.train.toy import ToyPrompt

    assert isinstance(get_spec("find").prompt(1), WritingPrompt)
    assert isinstance(get_spec("search").prompt(3), WritingPrompt)
    assert not isinstance(ToyPrompt(), WritingPrompt)


def test_a_turn_that_was_not_drawn_has_no_logprobs(small_tasks):
    trajectories, prompt = oracle_plays("find", small_tasks, 1)
    generation = as_written(trajectories[0], prompt, roomy()).steps[0].decision.generation
    assert isinstance(generation, Generation)
    assert set(generation.logprobs) == {0.0}
