"""Checks that the documents are in step with the code; ``--write`` writes docs/cli.md from the command line itself.

- Every relative link in README.md and docs/ leads to a file, and every ``#part`` of it to a heading there.
- Every ``mailgym ...`` command in them is one: its verbs exist, its options exist there, its arguments are enough.
- Every ``make ...`` target named in them exists.
- docs/cli.md is what the command line says of itself.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command

from mailgym.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
CLI_PAGE = Path("docs/cli.md")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)


def documents(root: Path) -> list[Path]:
    """Return the pages that are checked."""
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def dead_links(page: Path, root: Path) -> Iterator[str]:
    """Yield what is wrong with a page's links into the project."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, part = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or not target.is_relative_to(root):
            yield f"{page.relative_to(root)}: {link} leads nowhere"
        elif part and part not in anchors(target):
            yield f"{page.relative_to(root)}: {link} leads to no heading of {name or page.name}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts make them."""
    headings = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower().replace("`", "")).strip().replace(" ", "-") for heading in headings}


def commands(text: str, program: str) -> Iterator[str]:
    """Yield the commands of a program that a page shows, in code blocks (at a line's start) and in inline code."""
    for block in FENCE.findall(text):
        joined = block.replace("\\\n", " ")
        for line in joined.splitlines():
            bare = line.strip().removeprefix("$ ")
            if bare.startswith(f"{program} "):
                yield bare.split("  #")[0].split(" #")[0].strip()
    for code in INLINE.findall(FENCE.sub("", text)):
        if code.startswith(f"{program} "):
            yield code.strip()


def wrong_command(line: str, program: Any) -> str | None:
    """Return what is wrong with one ``mailgym ...`` command, None when nothing is.

    Placeholders in capitals and ``...`` stand for anything; ``a|b`` stands for each.
    """
    words = shlex.split(re.split(r"\s(?:[|>&]|&&)\s", line)[0])[1:]
    command, path = program, ["mailgym"]
    while words and hasattr(command, "commands"):
        word = words.pop(0)
        if word.startswith("-"):
            return _wrong_words([word], command, path, needs_arguments=False)
        found = [name for name in word.split("|") if name not in command.commands]
        if found:
            return f"{' '.join(path)} has no command {', '.join(found)}"
        path.append(word)
        command = command.commands[word.split("|")[0]]
    return _wrong_words(words, command, path, needs_arguments=bool(words))


def _wrong_words(words: list[str], command: Any, path: list[str], needs_arguments: bool) -> str | None:
    options = {name: param for param in command.params for name in (*param.opts, *param.secondary_opts)}
    options |= dict.fromkeys(("--help", "-h"))
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    given = 0
    while words:
        word = words.pop(0)
        if word in ("...", "…") or (word.startswith("[") and word.endswith("]")):
            return None
        if word.startswith("-"):
            name = word.split("=")[0]
            if name not in options:
                return f"{' '.join(path)} has no option {name}"
            param = options[name]
            takes_value = param is not None and not getattr(param, "is_flag", False)
            if takes_value and "=" not in word:
                if not words:
                    return f"{' '.join(path)} {name} needs a value"
                words.pop(0)
        else:
            given += 1
    most = sum(param.nargs if param.nargs > 0 else 1000 for param in arguments)
    least = sum(param.required for param in arguments) if needs_arguments else 0
    if not least <= given <= most:
        return f"{' '.join(path)} takes {least} to {most} arguments, not {given}"
    return None


def cli_page(program: Any) -> str:
    """Return docs/cli.md: every command with its arguments and options, as the command line tells them."""
    lines = [
        "# The command line",
        "",
        "Written by `make docs` from the command line itself; do not edit by hand.",
        "",
        "Exit codes: 0 done, 1 done with a verdict against it (a cheat that wins, a machine that is too small, an",
        "episode that failed), 2 not done, with one line on standard error that says what to do next.",
        "",
    ]
    for path, command in _leaves(program, ["mailgym"]):
        summary, *rest = (command.help or "").strip().split("\n\n")
        usage = [*path, *(param.metavar or param.name.upper() for param in command.params if _is_argument(param))]
        lines += [f"## {' '.join(path)}", "", " ".join(summary.split()), ""]
        lines += [" ".join(paragraph.split()) + "\n" for paragraph in rest]
        lines += ["```", " ".join([*usage, "[OPTIONS]"]), "```", ""]
        rows = [_row(param) for param in command.params]
        lines += ["| | | |", "|---|---|---|", *rows, ""] if rows else []
    return "\n".join(lines).rstrip() + "\n"


def _is_argument(param: Any) -> bool:
    return str(param.param_type_name) == "argument"


def _leaves(command: Any, path: list[str]) -> Iterator[tuple[list[str], Any]]:
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name in command.commands:
        yield from _leaves(command.commands[name], [*path, name])


def _row(param: Any) -> str:
    if _is_argument(param):
        name = param.metavar or param.name.upper()
    else:
        name = ", ".join((*param.opts, *param.secondary_opts)) + (f" {param.metavar}" if param.metavar else "")
    default = param.default
    shown = "" if default is None or default is False or callable(default) or param.required else f"`{default}`"
    return f"| `{name}` | {(getattr(param, 'help', None) or '').replace('|', chr(92) + '|')} | {shown} |"


def problems(root: Path, program: Any) -> list[str]:
    """Return everything that is out of step."""
    targets = set(TARGET.findall((root / "Makefile").read_text(encoding="utf-8")))
    found = []
    for page in documents(root):
        where = page.relative_to(root)
        text = page.read_text(encoding="utf-8")
        found += list(dead_links(page, root))
        wrong = ((line, wrong_command(line, program)) for line in commands(text, "mailgym"))
        found += [f"{where}: `{line}`: {problem}" for line, problem in wrong if problem]
        named = (word for line in commands(text, "make") for word in line.split()[1:] if re.fullmatch(r"[a-z-]+", word))
        found += [f"{where}: there is no make {word}" for word in named if word not in targets]
    page = root / CLI_PAGE
    if not page.exists() or page.read_text(encoding="utf-8") != cli_page(program):
        found.append(f"{CLI_PAGE} is not what the command line says of itself: run  make docs")
    return found


def main(arguments: list[str]) -> int:
    """Check, or write with ``--write``; returns the exit code."""
    command = get_command(app)
    if arguments == ["--write"]:
        (ROOT / CLI_PAGE).write_text(cli_page(command), encoding="utf-8")
        return 0
    found = problems(ROOT, command)
    print("\n".join(found) if found else f"{len(documents(ROOT))} documents are in step with the code")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
