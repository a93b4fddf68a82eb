"""A training run that is killed outright, with no chance to tidy up, goes on as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.tiny_model import save_tiny_model

ARGUMENTS = (
    "train",
    "find",
    "--name",
    "mine",
    "data.size=10x90",
    "data.train=8",
    "data.validation=2",
    "data.test=2",
    "train.groups=2",
    "train.group_size=2",
    "train.max_tokens=4",
    "train.lora_rank=2",
    "train.validate_every=2",
    "run.threads=1",
)
UPDATES = "train.updates=12"
PATIENCE_S = 120


@pytest.fixture(scope="module")
def tiny_folder(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


def killed_in_training(arguments, after_update):
    """Start the command line on its own, and kill it when this update's record is on disk."""
    metrics = Path("runs/mine/metrics.jsonl")
    with subprocess.Popen(
        [sys.executable, "-m", "mailgym.cli.main", *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        end = time.monotonic() + PATIENCE_S
        while not (metrics.exists() and f'"update": {after_update},' in metrics.read_text()):
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < end, "it never came to that update"
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    return process.returncode


def last_records(phase):
    """Return the last record of each update, without the seconds, which no two runs share."""
    found = {}
    for line in Path("runs/mine/metrics.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["phase"] == phase:
            found[record["update"]] = {name: value for name, value in record.items() if name != "seconds"}
    return found


def test_a_run_that_was_killed_in_the_middle_ends_as_one_that_was_not(mailgym, tiny_folder):
    arguments = (*ARGUMENTS, UPDATES, f"run.model={tiny_folder}")
    assert killed_in_training(arguments, 4) == -signal.SIGKILL
    done = mailgym(*arguments, "--resume", "--json")
    assert done.code == 0, done.err
    cut = {phase: last_records(phase) for phase in ("train", "validation")}
    assert list(cut["train"]) == list(range(1, 13))

    Path("runs/mine").rename("runs/killed")
    whole = mailgym(*arguments, "--json")
    assert whole.code == 0, whole.err
    assert {phase: last_records(phase) for phase in ("train", "validation")} == cut
    assert whole.data["gain"] == done.data["gain"]
