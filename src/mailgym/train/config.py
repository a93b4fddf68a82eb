"""What a training run is told: frozen, plain values, one dataclass a section of the preset."""

from dataclasses import dataclass, field
from typing import Literal

LossName = Literal["dapo", "grpo", "dr_grpo"]


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """How a policy is improved (``[train]``).

    Attributes:
        updates: Optimiser steps in all.
        groups: Tasks of one update.
        group_size: Trajectories of one task, G.
        learning_rate: AdamW's, after the warm-up.
        warmup_updates: Updates over which the learning rate rises linearly.
        adam_beta1: AdamW's first decay.
        adam_beta2: AdamW's second decay.
        weight_decay: AdamW's weight decay.
        max_grad_norm: The gradient is scaled down to this norm.
        loss: ``dapo`` (mean over all tokens of the update), ``grpo`` (mean over each trajectory's tokens, then over
            trajectories), ``dr_grpo`` (sum over tokens divided by trajectories times the token limit).
        scale_advantage: Divide by the group's standard deviation (Dr. GRPO does not).
        clip_low: The probability ratio is clipped below at 1 - clip_low.
        clip_high: and above at 1 + clip_high.
        kl_beta: Weight of the KL divergence from the start; 0 computes none.
        entropy_bonus: Weight of the mean token entropy, added to what is maximised; 0 computes none.
        inner_steps: Optimiser steps on the same trajectories.
        temperature: Of the rollouts.
        max_tokens: Token limit of one model turn.
        max_episode_tokens: Token limit of a whole episode, what is read counted; it ends where there is no room for
            another turn. 0 for as many as the model can read.
        lora_rank: Rank of the adapters on every linear layer.
        lora_alpha: Scale of the adapters, alpha / rank.
        micro_batch_groups: Groups run forward and backward at once; 0 is all of them. What they share is run once
            whatever this is, so a small number saves memory and costs no work.
        validate_every: Updates between two validations.
        checkpoint_every: Updates between two checkpoints.
    """

    updates: int = 20
    groups: int = 4
    group_size: int = 8
    learning_rate: float = 3e-4
    warmup_updates: int = 2
    adam_beta1: float = 0.9
    adam_beta2: float = 0.95
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    loss: LossName = "dapo"
    scale_advantage: bool = True
    clip_low: float = 0.2
    clip_high: float = 0.28
    kl_beta: float = 0.0
    entropy_bonus: float = 0.0
    inner_steps: int = 1
    temperature: float = 1.0
    max_tokens: int = 72
    max_episode_tokens: int = 0
    lora_rank: int = 16
    lora_alpha: int = 32
    micro_batch_groups: int = 1
    validate_every: int = 5
    checkpoint_every: int = 1

    def __post_init__(self) -> None:
        """Refuse values that no training can use."""
        _need(self, 0, "updates", "warmup_updates", "micro_batch_groups", "max_episode_tokens")
        _need(self, 1, "groups", "inner_steps", "max_tokens", "lora_rank", "lora_alpha")
        _need(self, 1, "validate_every", "checkpoint_every")
        _need(self, 0.0, "weight_decay", "clip_low", "clip_high", "kl_beta", "entropy_bonus")
        if self.group_size < 2:
            raise ValueError(
                "group_size must be at least 2: an advantage is relative to the group's other trajectories"
            )
        for name in ("adam_beta1", "adam_beta2"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 0 and below 1")
        if self.clip_low > 1:
            raise ValueError("clip_low must be at most 1: a probability ratio is never below 0")
        for name in ("learning_rate", "max_grad_norm", "temperature"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} must be above 0")


def _need(config: object, least: float, *names: str) -> None:
    for name in names:
        if getattr(config, name) < least:
            raise ValueError(f"{name} must be at least {least:g}")


@dataclass(frozen=True, slots=True)
class WarmStartConfig:
    """What is imitated before the first update (``[warm_start]``).

    Attributes:
        player: Whose trajectories: the environment's ``oracle``, or another of its players.
        trajectories: How many, each of another training task; 0 for no warm start.
        epochs: How often each is imitated.
        batch: Trajectories of one update of the warm start.
        learning_rate: AdamW's while imitating.
        leave_out: Arguments that the player's calls are played, and imitated, without: what a small model would write
            wrongly, such as dates, hides what else it has learned.
    """

    player: str = "oracle"
    trajectories: int = 0
    epochs: int = 3
    batch: int = 8
    learning_rate: float = 5e-4
    leave_out: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse values that no warm start can use."""
        _need(self, 0, "trajectories")
        _need(self, 1, "epochs", "batch")
        if not self.player:
            raise ValueError("player must be a name, such as oracle")
        if self.learning_rate <= 0:
            raise ValueError("learning_rate must be above 0")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What is trained and from which seed (``[run]``).

    Attributes:
        env: The environment's id.
        turns: Turns of an episode.
        profile: ``classic`` or ``hardened``.
        model: Name of the model to start from, as ``--model`` takes it.
        seed: Decides every random draw of the run.
        threads: Threads for torch; 0 leaves torch's own choice, one a core.
        matmul: ``float32``, or ``bf16``: weights and sums stay float32, and processors with bfloat16 instructions
            multiply in them, which is two to three times as fast; others ignore it.
    """

    env: str = "find"
    turns: int = 1
    profile: Literal["classic", "hardened"] = "hardened"
    model: str = "local"
    seed: int = 0
    threads: int = 0
    matmul: Literal["float32", "bf16"] = "float32"

    def __post_init__(self) -> None:
        """Refuse values that no run can use."""
        _need(self, 1, "turns")
        _need(self, 0, "seed", "threads")


@dataclass(frozen=True, slots=True)
class DataConfig:
    """Which tasks are played (``[data]``).

    Attributes:
        source: ``simulated``, ``mailbox``, or ``store`` for a folder that is there already.
        mailbox: The mailbox's path, for ``mailbox``.
        store: The folder of mailboxes with questions, for ``store``.
        size: Size of the simulated companies, for ``simulated``.
        seed: Seed of the simulated companies or of the questions; not the run's, so that seeds of training can be
            compared on the same tasks. Of a store it chooses which questions are taken where fewer are asked for.
        train: Most training tasks; 0 is all there are.
        validation: Most validation tasks; 0 is all there are.
        test: Most held-out tasks; 0 is all there are.
    """

    source: Literal["simulated", "mailbox", "store"] = "simulated"
    mailbox: str = ""
    store: str = ""
    size: str = "demo"
    seed: int = 7
    train: int = 0
    validation: int = 0
    test: int = 0

    def __post_init__(self) -> None:
        """Refuse values that no store can be made from."""
        _need(self, 0, "seed", "train", "validation", "test")
        if self.source == "mailbox" and not self.mailbox:
            raise ValueError("source is mailbox: name the mailbox with --mailbox FILE")
        if self.source == "store" and not self.store:
            raise ValueError("source is store: name the folder with --store FOLDER")


@dataclass(frozen=True, slots=True)
class StageConfig:
    """One stage of a curriculum; what it does not name is the run's.

    Attributes:
        env: The environment's id.
        turns: Turns of an episode.
        size: Size of the simulated companies; empty for the run's ``data.size``.
        level: The part of the tasks that is played, where the environment has levels: ``easy`` for its splits
            ``train-easy`` and ``validation-easy``. Empty for all of them.
        updates: Most updates of the stage.
        until_reward: The validation reward that ends it before; None for all its updates.
    """

    env: str
    turns: int = 1
    size: str = ""
    level: str = ""
    updates: int = 20
    until_reward: float | None = None

    def __post_init__(self) -> None:
        """Refuse values that no stage can use."""
        _need(self, 1, "turns", "updates")


@dataclass(frozen=True, slots=True)
class CurriculumConfig:
    """What is trained in before the environment of the run (``[curriculum]``).

    Attributes:
        stages: In their order; none for no curriculum.
    """

    stages: list[StageConfig] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ExperimentConfig:
    """The whole of a run's ``config.toml``."""

    run: RunConfig = field(default_factory=RunConfig)
    data: DataConfig = field(default_factory=DataConfig)
    warm_start: WarmStartConfig = field(default_factory=WarmStartConfig)
    curriculum: CurriculumConfig = field(default_factory=CurriculumConfig)
    train: TrainConfig = field(default_factory=TrainConfig)
