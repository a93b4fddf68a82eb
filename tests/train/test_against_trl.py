"""The native loss and gradient against TRL's GRPOTrainer, on one batch."""

import warnings

import pytest
from tests.tiny_model import tiny_model, tiny_tokenizer, tiny_weights

from mailgym.llm.local import import_torch, quiet_peft
from mailgym.train.batch import Sample
from mailgym.train.config import TrainConfig
from mailgym.train.grpo import group_advantages, improve
from mailgym.train.policy import Policy

torch = import_torch()
MAX_TOKENS = 4
REWARDS = [[1.0, 0.0, 0.25], [0.5, 0.5, 1.0]]
PROMPTS = [(5, 6, 7), (5, 6, 8, 9)]
TAILS = [[(10, 11), (12,), (13, 14, 15)], [(16, 17, 18), (19,), (20, 21)]]
OLD = [[(-5.0, -5.6), (-5.5,), (-5.7, -5.4, -5.2)], [(-5.6, -5.5, -5.4), (-5.3,), (-5.9, -5.1)]]


def samples():
    made = []
    for prompt, tails, olds, rewards in zip(PROMPTS, TAILS, OLD, REWARDS, strict=True):
        advantages = group_advantages(rewards, scale=True)
        for tail, old, advantage in zip(tails, olds, advantages, strict=True):
            made.append(Sample(prompt, tail, (True,) * len(tail), old, advantage))
    return made


def padded(rows, left, fill=0):
    width = max(len(row) for row in rows)
    pads = [[fill] * (width - len(row)) for row in rows]
    return torch.tensor([pad + list(row) if left else list(row) + pad for row, pad in zip(rows, pads, strict=True)])


def trl_inputs(batch):
    prompts, tails = [sample.prompt_ids for sample in batch], [sample.tail_ids for sample in batch]
    return {
        "prompt_ids": padded(prompts, left=True),
        "prompt_mask": padded([(1,) * len(prompt) for prompt in prompts], left=True),
        "completion_ids": padded(tails, left=False),
        "completion_mask": padded([(1,) * len(tail) for tail in tails], left=False),
        "advantages": torch.tensor([sample.advantage for sample in batch]),
        "old_per_token_logps": padded([sample.old_logprobs for sample in batch], left=False, fill=0.0),
        "num_items_in_batch": torch.tensor(sum(len(tail) for tail in tails)),
    }


def trl_loss(loss, batch, state, folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # another project's warnings are not ours to mend
        from datasets import Dataset
        from peft import LoraConfig, set_peft_model_state_dict
        from trl import GRPOConfig, GRPOTrainer

        weights = tiny_weights(attention="sdpa")
        args = GRPOConfig(
            output_dir=str(folder),
            loss_type=loss,
            epsilon=0.2,
            epsilon_high=0.28,
            beta=0.0,
            temperature=1.0,
            max_completion_length=MAX_TOKENS,
            num_generations=3,
            per_device_train_batch_size=6,
            gradient_accumulation_steps=1,
            bf16=False,
            use_cpu=True,
            report_to=[],
            disable_dropout=True,
            gradient_checkpointing=False,
        )
        trainer = GRPOTrainer(
            model=weights,
            reward_funcs=lambda completions, **_: [0.0] * len(completions),
            args=args,
            train_dataset=Dataset.from_dict({"prompt": ["a", "b"]}),
            processing_class=tiny_tokenizer(),
            peft_config=LoraConfig(r=4, lora_alpha=8, target_modules="all-linear", task_type="CAUSAL_LM"),
        )
        model = trainer.model
        set_peft_model_state_dict(model, state)
        model.train()
        trainer.current_gradient_accumulation_steps = 1
        value = trainer._compute_loss(model, trl_inputs(batch))
        value.backward()
        grads = [parameter.grad for parameter in model.parameters() if parameter.requires_grad]
        return float(value), torch.cat([grad.flatten() for grad in grads])


@pytest.mark.parametrize("loss", ["grpo", "dapo", "dr_grpo"])
def test_loss_and_gradient_equal_those_of_trl(loss, tmp_path):
    from peft import get_peft_model_state_dict

    policy = Policy(tiny_model(), 4, 8, 0)
    torch.manual_seed(1)
    for parameter in policy.parameters():
        parameter.data.normal_(std=0.05)
    batch = samples()
    config = TrainConfig(loss=loss, max_tokens=MAX_TOKENS, max_grad_norm=1e9)
    record = improve(policy, torch.optim.SGD(policy.parameters(), lr=0.0), batch, config)
    own = torch.cat([parameter.grad.flatten() for parameter in policy.parameters()])
    with quiet_peft():
        value, theirs = trl_loss(loss, batch, get_peft_model_state_dict(policy.adapted), tmp_path)
    assert record["loss"] == pytest.approx(value, abs=1e-5)
    torch.testing.assert_close(own, theirs, atol=1e-5, rtol=1e-4)
