import subprocess
import sys

import pytest

from mailgym.core.errors import UnknownEnvironment, UserError
from mailgym.envs import registry
from mailgym.envs.registry import all_specs, env_ids, get_spec


def test_every_line_is_a_spec_of_its_id() -> None:
    assert [spec.id for spec in all_specs()] == list(env_ids())
    assert "find" in env_ids()


def test_unknown_ids_list_what_there_is() -> None:
    with pytest.raises(UnknownEnvironment, match="find"):
        get_spec("fnid")


def test_a_line_that_names_something_else_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._WHERE, "broken", "mailgym.envs.search:FIND")
    with pytest.raises(UnknownEnvironment, match="mend its line"):
        get_spec("broken")


def test_turns() -> None:
    spec = get_spec("find")
    assert (spec.turns(None), spec.turns(1), spec.turns(4)) == (1, 1, 4)
    with pytest.raises(UserError, match="at least one"):
        spec.turns(0)


def test_importing_the_registry_imports_no_environment() -> None:
    program = (
        "import sys, mailgym.envs.registry; sys.exit(any(m.startswith('mailgym.envs.search') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
