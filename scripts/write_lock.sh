#!/usr/bin/env bash
# Writes requirements.lock, and requirements-openenv.lock for what cannot be installed beside it: the exact versions of
# everything that mailgym and its development need, resolved in clean environments. No hashes, and no local suffix on
# torch's version, because its build differs between machines.
# torch is held at the version that the figures in the documents were measured with: TORCH=2.14.0 make lock moves it.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

write() { # FILE REQUIREMENT...: resolve the requirements in a clean environment, and write what they came to
    local file=$1 venv="$scratch/$1"
    shift
    "${PYTHON:-python3}" -m venv "$venv"
    "$venv/bin/pip" install -q "$@"
    {
        echo "# Written by scripts/write_lock.sh (make lock): exact versions for Python 3.11 and later; do not edit by hand."
        "$venv/bin/pip" freeze --exclude mailgym | sed -E 's/^(torch==[0-9.]+)\+.*/\1/' |
            grep -viE '^(nvidia|triton|cuda)' | LC_ALL=C sort -f
    } >"$file"
}

write requirements.lock ".[parquet,serve,train,trl,dev]" editables "torch==${TORCH:-2.13.0}"
write requirements-openenv.lock ".[openenv]" editables hatchling pytest
