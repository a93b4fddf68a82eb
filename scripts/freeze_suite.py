"""Freezes a suite: the tasks of all environments as they are now, for ``mailgym scorecard --suite NAME``.

    python scripts/freeze_suite.py v2

It takes 200 tasks of each environment's test split (all where there are fewer), writes their ids and digests to
src/mailgym/evaluate/suites/NAME.json, and refuses a name that is taken: a suite that figures were published with stays
as it is. ``--again`` is for one that was not published yet.
"""

import argparse
import json
import sys
from pathlib import Path

from mailgym.cli.choose import find_store
from mailgym.core.errors import MailgymError
from mailgym.envs.registry import all_specs
from mailgym.evaluate.suite import SPLIT, SUITES, TASKS, freeze
from mailgym.train.config import DataConfig


def main(arguments: list[str] | None = None, folder: Path = SUITES) -> int:
    """Freeze a suite and say what is in it; 2 when it was not done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="the suite's name, such as v2")
    parser.add_argument("--again", action="store_true", help="write over a suite of this name")
    asked = parser.parse_args(arguments)
    path = folder / f"{asked.name}.json"
    if path.exists() and not asked.again:
        sys.stderr.write(f"{path} is there: figures may stand on it. Choose another name, or give --again\n")
        return 2
    try:
        specs = {spec.id: spec for spec in all_specs()}
        suite = freeze(
            asked.name,
            specs,
            lambda spec: spec.load_tasks(find_store(spec, None, None), SPLIT, TASKS, 0),
            DataConfig().seed,
        )
    except MailgymError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    folder.mkdir(exist_ok=True)
    path.write_text(json.dumps(suite.to_json(), indent=1) + "\n", encoding="utf-8")
    counts = ", ".join(f"{entry.env} {len(entry.tasks)}" for entry in suite.entries)
    sys.stdout.write(f"{path}: {counts}; digest {suite.digest}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
