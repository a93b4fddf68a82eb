"""One GRPO update natively and by TRL on the same work, interleaved in one process.

Both play the same prompts of the one-turn ``find`` prompt (the same questions, G samples each, the same number of new
tokens: the end token ends nothing, so that no side gets shorter work), with the same LoRA adapters, and take one
optimiser step. The reward is the share of letters in what was written, computed in no time. Only the ratio means
anything: machines are shared and noisy.

    python benchmarks/update.py [--updates 2] [--groups 4] [--group-size 8] [--new-tokens 40] [--micro-batch 8]
"""

import argparse
import importlib
import resource
import statistics
import tempfile
import time
import warnings
from dataclasses import dataclass, field
from typing import Any

from mailgym.core.episode import ChatMessage, Generation
from mailgym.core.seeds import derive_seed
from mailgym.corpora.sources import simulated_store
from mailgym.envs.registry import get_spec
from mailgym.llm.base import Sampling
from mailgym.llm.local import LocalModel, import_torch
from mailgym.llm.names import find_weights

LEARNING_RATE, RANK, ALPHA = 1e-4, 16, 32


@dataclass
class Seconds:
    """Seconds of each update, by side and phase."""

    trl: list[float] = field(default_factory=list)
    native: list[float] = field(default_factory=list)
    generate: list[float] = field(default_factory=list)
    train: list[float] = field(default_factory=list)


def letters(text: str) -> float:
    """Return the share of ASCII letters."""
    return sum(letter.isascii() and letter.isalpha() for letter in text) / max(1, len(text))


def conversations(count: int) -> list[list[ChatMessage]]:
    """Return the opening chat messages of ``count`` training questions."""
    spec = get_spec("find")
    tasks = spec.load_tasks(simulated_store(7), "train", count)
    environment = spec.make(tasks, turns=1)
    return [spec.prompt(1).opening(environment.reset(task_id)) for task_id in tasks.task_ids]


class Native:
    """The native side: one update at a time."""

    def __init__(self, arguments: argparse.Namespace, chats: list[list[ChatMessage]]) -> None:
        """Load the model and add adapters."""
        import torch

        from mailgym.train.config import TrainConfig
        from mailgym.train.policy import Policy

        self.local = LocalModel.load(find_weights("local")[0], threads=arguments.threads)
        self.local.end_ids = frozenset()
        self.policy = Policy(self.local, RANK, ALPHA, seed=0)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), lr=LEARNING_RATE)
        self.config = TrainConfig(max_tokens=arguments.new_tokens, loss="dapo")
        self.prompts = [self.local.opening_ids(chat) for chat in chats for _ in range(arguments.group_size)]
        self.group_size = arguments.group_size
        self.sampling = Sampling(1.0, arguments.new_tokens)

    def update(self, number: int, seconds: Seconds) -> None:
        """Generate, reward, take one step."""
        from mailgym.llm.generate import generate
        from mailgym.train.batch import Sample
        from mailgym.train.grpo import group_advantages, improve

        started = time.perf_counter()
        seeds = [derive_seed(0, number, row) for row in range(len(self.prompts))]
        with self.policy.merged():
            made = generate(self.local.model, self.prompts, seeds, self.sampling, self.local.end_ids)
        generated = time.perf_counter()
        rewards = [letters(self.local.tokenizer.decode(list(sample.completion_ids))) for sample in made]
        advantages: list[float] = []
        for start in range(0, len(rewards), self.group_size):
            advantages += group_advantages(rewards[start : start + self.group_size], scale=True)

        def sample(generation: Generation, advantage: float) -> Sample:
            ids = generation.completion_ids
            return Sample(generation.prompt_ids, ids, (True,) * len(ids), generation.logprobs, advantage)

        batch = [sample(generation, advantage) for generation, advantage in zip(made, advantages, strict=True)]
        improve(self.policy, self.optimizer, batch, self.config)
        ended = time.perf_counter()
        seconds.generate.append(generated - started)
        seconds.train.append(ended - generated)
        seconds.native.append(ended - started)


def run_trl(arguments: argparse.Namespace, chats: list[list[ChatMessage]], native: Native, seconds: Seconds) -> None:
    """Let TRL take its updates, and the native side one after each of them."""
    warnings.simplefilter("ignore")  # another project's warnings
    from datasets import Dataset
    from peft import LoraConfig
    from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback

    trl: Any = importlib.import_module("trl")  # its names are not exported as type checkers want them

    class Interleave(TrainerCallback):
        """Times TRL's step and then takes a native one."""

        def __init__(self) -> None:
            self.started = 0.0

        def on_step_begin(self, *_: Any, **__: Any) -> None:
            self.started = time.perf_counter()

        def on_step_end(self, *_: Any, **__: Any) -> None:
            seconds.trl.append(time.perf_counter() - self.started)
            native.update(len(seconds.native), seconds)
            print(
                f"update {len(seconds.trl)}: TRL {seconds.trl[-1]:.1f} s, native {seconds.native[-1]:.1f} s", flush=True
            )

    rows = [[{"role": message.role, "content": message.content} for message in chat] for chat in chats]
    samples = arguments.groups * arguments.group_size
    weights = find_weights("local")[0]
    with tempfile.TemporaryDirectory() as folder:
        config = trl.GRPOConfig(
            output_dir=folder,
            per_device_train_batch_size=arguments.micro_batch,
            gradient_accumulation_steps=samples // arguments.micro_batch,
            num_generations=arguments.group_size,
            max_completion_length=arguments.new_tokens,
            generation_kwargs={"min_new_tokens": arguments.new_tokens},
            max_steps=arguments.updates,
            learning_rate=LEARNING_RATE,
            loss_type="dapo",
            beta=0.0,
            temperature=1.0,
            bf16=False,
            use_cpu=True,
            gradient_checkpointing=False,
            report_to=[],
            save_strategy="no",
            disable_tqdm=True,
        )
        trainer = trl.GRPOTrainer(
            model=AutoModelForCausalLM.from_pretrained(weights, dtype="float32"),
            reward_funcs=lambda completions, **_: [letters(completion[0]["content"]) for completion in completions],
            args=config,
            train_dataset=Dataset.from_dict({"prompt": rows}),
            processing_class=AutoTokenizer.from_pretrained(weights),
            peft_config=LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules="all-linear", task_type="CAUSAL_LM"),
            callbacks=[Interleave()],
        )
        trainer.train()


def peak_gb() -> float:
    """Return this process's peak resident memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def main() -> None:
    """Measure and print; the ratio stands in the last line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--updates", type=int, default=2)
    parser.add_argument("--groups", type=int, default=4)
    parser.add_argument("--group-size", type=int, default=8)
    parser.add_argument("--new-tokens", type=int, default=40)
    parser.add_argument("--micro-batch", type=int, default=8, help="TRL's; 32 needs about 20 GB")
    parser.add_argument("--threads", type=int, default=None)
    arguments = parser.parse_args()
    torch = import_torch()
    chats = conversations(arguments.groups)
    native, seconds = Native(arguments, chats), Seconds()
    native.update(0, Seconds())  # the first allocates
    before_trl = peak_gb()
    run_trl(arguments, chats, native, seconds)
    tokens = [len(prompt) for prompt in native.prompts]
    print(
        f"{arguments.groups} groups x {arguments.group_size}, prompts of {statistics.mean(tokens):.0f} tokens, "
        f"{arguments.new_tokens} new ones, LoRA r {RANK}, float32, {torch.get_num_threads()} threads; "
        f"median of {len(seconds.trl)} updates each, interleaved"
    )
    generating, training = statistics.median(seconds.generate), statistics.median(seconds.train)
    print(f"native: {generating:.1f} s generating, {training:.1f} s training")
    print(f"peak memory: native alone {before_trl:.1f} GB; both in one process {peak_gb():.1f} GB")
    trl, own = statistics.median(seconds.trl), statistics.median(seconds.native)
    print(f"TRL (micro-batch {arguments.micro_batch}) / native: {trl:.1f} s / {own:.1f} s = {trl / own:.2f}")


if __name__ == "__main__":
    main()
