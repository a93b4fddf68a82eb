import pytest
from tests.tiny_model import save_tiny_model, tiny_model, tiny_weights

from mailgym.core.episode import ChatMessage
from mailgym.core.errors import ModelError
from mailgym.llm.base import ChatRequest, Sampling
from mailgym.llm.local import LocalModel, import_torch, quiet_peft
from mailgym.train.batch import Sample
from mailgym.train.policy import Policy
from mailgym.train.scoring import pack

torch = import_torch()
SAMPLES = [
    Sample((5, 6, 7), (10, 11), (True, True), (0.0, 0.0), 1.0),
    Sample((5, 6, 7), (12,), (True,), (0.0,), 1.0),
    Sample((5, 6, 8, 9), (13, 14, 15), (True, False, True), (0.0,) * 3, 1.0),
    Sample((5, 6, 8, 9), (16,), (True,), (0.0,), 1.0),
]


def adapted(seed=0, std=0.05):
    policy = Policy(tiny_model(), 4, 8, seed)
    torch.manual_seed(1)
    for parameter in policy.parameters():
        parameter.data.normal_(std=std)
    return policy


def plain_scores(policy, temperature):
    """The same by whole sequences, a plain head and autograd."""
    from peft import get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict

    with quiet_peft():
        twin = get_peft_model(tiny_weights(attention="sdpa"), policy.adapted.peft_config["default"])
    set_peft_model_state_dict(twin, get_peft_model_state_dict(policy.adapted))
    logprobs, entropies = [], []
    for sample in SAMPLES:
        ids = (*sample.prompt_ids, *sample.tail_ids)
        log_p = torch.log_softmax(twin(torch.tensor([ids])).logits[0] / temperature, -1)
        for place, written in enumerate(sample.written, len(sample.prompt_ids)):
            if written:
                row = log_p[place - 1]
                logprobs.append(row[ids[place]])
                entropies.append(-(row.exp() * row).sum())
    loss = torch.stack(logprobs).square().sum() + torch.stack(entropies).square().sum()
    loss.backward()
    trainable = [parameter for parameter in twin.parameters() if parameter.requires_grad]
    return torch.stack(logprobs), torch.stack(entropies), [parameter.grad for parameter in trainable]


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_tree_scores_and_their_gradients_equal_the_plain_model(temperature):
    policy = adapted()
    scores = policy.token_logprobs(SAMPLES, temperature, entropy=True)
    (scores.logprobs.square().sum() + scores.entropies.square().sum()).backward()
    logprobs, entropies, grads = plain_scores(policy, temperature)
    torch.testing.assert_close(scores.logprobs, logprobs, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(scores.entropies, entropies, atol=1e-5, rtol=1e-5)
    for parameter, grad in zip(policy.parameters(), grads, strict=True):
        torch.testing.assert_close(parameter.grad, grad, atol=1e-4, rtol=1e-3)
    placed = scores.placed(scores.logprobs)
    assert placed.shape == (4, 3)
    assert placed[2, 1] == 0
    assert placed[1, 0] == scores.logprobs[2]


def test_merging_and_unmerging_leaves_the_weights_as_they_were():
    policy = adapted(std=0.5)
    weights = {name: p.clone() for name, p in policy.adapted.named_parameters()}
    before = policy.token_logprobs(SAMPLES, 1.0).logprobs.detach()
    request = ChatRequest((ChatMessage("user", "x"),))
    unmerged = policy.local.chat([request], Sampling(0.0, 4))[0].generation
    with policy.merged():
        merged = policy.local.chat([request], Sampling(0.0, 4))[0].generation
    assert merged.logprobs == pytest.approx(unmerged.logprobs, abs=1e-3)
    assert all(torch.equal(p, weights[name]) for name, p in policy.adapted.named_parameters())
    assert torch.equal(policy.token_logprobs(SAMPLES, 1.0).logprobs.detach(), before)


def test_without_adapters_it_is_the_model_it_started_from():
    fresh = Policy(tiny_model(), 4, 8, 0)
    changed = adapted()
    with changed.without_adapters():
        reference = changed.token_logprobs(SAMPLES, 1.0).logprobs
    torch.testing.assert_close(reference, fresh.token_logprobs(SAMPLES, 1.0).logprobs)
    assert not torch.allclose(changed.token_logprobs(SAMPLES, 1.0).logprobs, reference)


def test_a_saved_adapter_is_a_plain_peft_folder_and_loads_again(tmp_path):
    policy = adapted()
    policy.save(tmp_path / "adapter")
    other = Policy(tiny_model(), 4, 8, 3)
    other.load(tmp_path / "adapter")
    assert torch.equal(other.token_logprobs(SAMPLES, 1.0).logprobs, policy.token_logprobs(SAMPLES, 1.0).logprobs)
    save_tiny_model(tmp_path / "base")
    merged = LocalModel.load(tmp_path / "base", adapter=tmp_path / "adapter")
    request = ChatRequest((ChatMessage("user", "x"),))
    with policy.merged():
        expected = policy.local.chat([request], Sampling(0.0, 4))[0].generation
    assert merged.chat([request], Sampling(0.0, 4))[0].generation.logprobs == pytest.approx(expected.logprobs, abs=1e-4)


def test_an_adapter_of_another_shape_is_refused(tmp_path):
    Policy(tiny_model(), 8, 8, 0).save(tmp_path)
    with pytest.raises(ModelError, match="another shape"):
        Policy(tiny_model(), 4, 8, 0).load(tmp_path)


def test_an_output_layer_with_a_bias_is_refused():
    policy = Policy(tiny_model(), 4, 8, 0)
    head = torch.nn.Linear(48, 258, bias=True)
    policy.local.model.set_output_embeddings(head)
    with pytest.raises(ModelError, match="bias"):
        policy.token_logprobs(SAMPLES, 1.0)


def test_short_tails_share_rows_and_every_sample_has_its_place():
    samples = [Sample((1,), (0,) * n, (True,) * n, (0.0,) * n, 1.0) for n in (3, 5, 2, 4)]
    samples.append(Sample((2,), (0,) * 3, (True,) * 3, (0.0,) * 3, 1.0))
    rows = pack(samples, [(1,), (2,)], capacity=7)
    assert [(row.prompt, row.samples) for row in rows] == [(0, (1, 2)), (0, (3, 0)), (1, (4,))]
    assert len(pack(samples, [(1,), (2,)], capacity=1)) == 4  # room for the longest tail, 5: only 3 + 2 fit together
