import pytest
from tests.tiny_model import tiny_model, tiny_weights

from mailgym.core.episode import ChatMessage
from mailgym.core.errors import ModelError
from mailgym.llm import tree as tree_module
from mailgym.llm.base import ChatRequest, Sampling
from mailgym.llm.generate import common_prefix, generate
from mailgym.llm.local import import_torch
from mailgym.llm.tree import run_segment, tree_attention

torch = import_torch()
PROMPTS = [(5, 6, 7, 8, 9), (5, 6, 7, 1), (5, 6, 7, 2, 3, 4, 4)]


def plain_logprobs(ids, start):
    model = tiny_weights(attention="sdpa")
    with torch.no_grad():
        logprobs = torch.log_softmax(model(torch.tensor([ids])).logits[0], -1)
    return [float(logprobs[place - 1, ids[place]]) for place in range(start, len(ids))]


def test_common_prefix_leaves_every_prompt_a_token_of_its_own():
    assert common_prefix([(1, 2, 3), (1, 2, 4)]) == 2
    assert common_prefix([(1, 2, 3), (1, 2, 3)]) == 2
    assert common_prefix([(1,), (1, 2)]) == 0


@pytest.mark.parametrize("fused_tokens", [1, 999], ids=["fused", "not fused"])
def test_states_of_a_ragged_tree_equal_those_of_the_whole_sequences(fused_tokens, monkeypatch):
    monkeypatch.setattr(tree_module, "FUSED_TOKENS", fused_tokens)
    tree, plain = tiny_weights(), tiny_weights(attention="sdpa")
    with torch.no_grad():
        root, _ = run_segment(tree.base_model, [[(5, 6, 7)]])
        prompts, _ = run_segment(tree.base_model, [[(8, 9)], [(1,)]], root)
        rows = [[(10, 11), (12,)], [(13, 14, 15)]]
        _, tails = run_segment(tree.base_model, rows, root, prompts, [0, 1])
        whole = [(5, 6, 7, 8, 9, 10, 11), (5, 6, 7, 8, 9, 12), (5, 6, 7, 1, 13, 14, 15)]
        places = [(0, slice(0, 2)), (0, slice(2, 3)), (1, slice(0, 3))]
        for ids, (row, place) in zip(whole, places, strict=True):
            expected = plain.base_model(torch.tensor([ids])).last_hidden_state[0]
            n_tail = place.stop - place.start
            torch.testing.assert_close(tails[row, place], expected[-n_tail:], atol=1e-5, rtol=1e-4)


def test_gradients_through_all_levels_are_those_of_the_fused_attention_too(monkeypatch):
    found = []
    for fused_tokens in (1, 999):
        monkeypatch.setattr(tree_module, "FUSED_TOKENS", fused_tokens)
        model = tiny_weights()
        model.requires_grad_(True)
        root, _ = run_segment(model.base_model, [[(5, 6, 7)]])
        prompts, _ = run_segment(model.base_model, [[(8, 9)], [(1,)]], root)
        _, tails = run_segment(model.base_model, [[(10, 11), (12,)], [(13, 14, 15)]], root, prompts, [0, 1])
        (tails * torch.linspace(-1, 1, tails.numel()).sin().view_as(tails)).sum().backward()
        found.append([p.grad for p in model.base_model.parameters() if p.grad is not None])
    assert len(found[0]) == len(found[1]) > 0
    for fused, plain in zip(*found, strict=True):
        assert float((fused - plain).abs().max()) <= 1e-4 * float(plain.abs().max())


def test_generated_logprobs_are_those_of_the_plain_model_on_the_same_tokens():
    prompts = [prompt for prompt in PROMPTS for _ in range(3)]
    made = generate(tiny_weights(), prompts, range(9), Sampling(1.0, 6), frozenset({257}))
    for generation in made:
        ids = (*generation.prompt_ids, *generation.completion_ids)
        assert list(generation.logprobs) == pytest.approx(plain_logprobs(ids, len(generation.prompt_ids)), abs=1e-4)
        assert len(generation.entropies) == len(generation.completion_ids)
        assert all(0 < entropy <= 5.56 for entropy in generation.entropies)  # log(258) = 5.55


def test_a_sample_is_the_same_whatever_else_is_generated():
    alone = generate(tiny_weights(), PROMPTS[1:2], [7], Sampling(1.0, 8), frozenset({257}))
    together = generate(tiny_weights(), PROMPTS, [3, 7, 9], Sampling(1.0, 8), frozenset({257}), max_rows=2)
    assert together[1].completion_ids == alone[0].completion_ids


def test_generation_stops_at_the_end_token_and_at_the_limit():
    first = generate(tiny_weights(), PROMPTS[:1], [0], Sampling(0.0, 1), frozenset())[0]
    assert not first.finished
    assert len(first.completion_ids) == 1
    ended = generate(tiny_weights(), PROMPTS, [0, 1, 2], Sampling(0.0, 5), frozenset(first.completion_ids))[0]
    assert ended.finished
    assert ended.completion_ids == first.completion_ids


def test_greedy_takes_the_most_probable_token():
    made = generate(tiny_weights(), PROMPTS[:1], [0], Sampling(0.0, 4), frozenset())[0]
    model = tiny_weights(attention="sdpa")
    ids = list(made.prompt_ids)
    for token in made.completion_ids:
        with torch.no_grad():
            assert token == int(model(torch.tensor([ids])).logits[0, -1].argmax())
        ids.append(token)


def test_a_model_that_hands_no_tree_down_is_refused():
    with pytest.raises(ModelError, match="hand keyword arguments"):
        tiny_weights()(torch.tensor([[1, 2]]))


def test_sliding_windows_are_refused():
    zeros = torch.zeros((1, 4, 1, 8))
    with pytest.raises(ModelError, match="sliding-window"):
        tree_attention(torch.nn.Module(), zeros, zeros, zeros, None, 1.0, tree=object(), sliding_window=16)


def test_chat_decodes_counts_and_keeps_exact_tokens():
    model = tiny_model()
    request = ChatRequest((ChatMessage("user", "hi"),), seed=1)
    reply = model.chat([request], Sampling(1.0, 5))[0]
    assert reply.generation is not None
    assert reply.generation.prompt_ids == model.opening_ids([ChatMessage("user", "hi")])
    assert reply.usage == {
        "prompt_tokens": float(len(reply.generation.prompt_ids)),
        "completion_tokens": float(len(reply.generation.completion_ids)),
    }
    assert model.chat([], Sampling()) == []
