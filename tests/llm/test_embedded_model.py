"""The embedded model itself, once: `make test` fetches it; without it this fails and says so."""

import json

import pytest

from mailgym.envs.registry import get_spec
from mailgym.llm.base import ChatRequest, Sampling
from mailgym.llm.local import LocalModel, import_torch
from mailgym.llm.names import find_weights

torch = import_torch()
OBSERVATION = {
    "today": "2025-05-20",
    "question": "What did Dana Whitfield write about the leaking window in early May?",
}


def test_the_embedded_model_writes_a_search_and_its_tree_scores_are_those_of_plain_transformers():
    weights, adapter = find_weights("local")
    assert adapter is None
    model = LocalModel.load(weights, threads=1)
    prompt = get_spec("find").prompt(1)
    reply = model.chat([ChatRequest(tuple(prompt.opening(OBSERVATION)))], Sampling(0.0, 48))[0]
    action = prompt.parse(reply.text)
    assert action["name"] == "search_emails"
    assert action["arguments"]["from_addr"] == "Dana Whitfield"
    assert json.loads(reply.text) == action["arguments"]

    from transformers import AutoModelForCausalLM

    plain = AutoModelForCausalLM.from_pretrained(weights, dtype=torch.float32, attn_implementation="sdpa")
    generation = reply.generation
    ids = torch.tensor([[*generation.prompt_ids, *generation.completion_ids]])
    with torch.no_grad():
        logprobs = torch.log_softmax(plain(ids).logits[0, len(generation.prompt_ids) - 1 : -1], -1)
    expected = logprobs.gather(1, torch.tensor(generation.completion_ids)[:, None])[:, 0]
    assert list(generation.logprobs) == pytest.approx(expected.tolist(), abs=1e-3)
