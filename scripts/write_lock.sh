#!/usr/bin/env bash
# Writes requirements.lock: the exact versions of everything mailgym and its development need, resolved in a clean
# environment. No hashes, and no local suffix on torch's version, because torch's build differs between machines.
# torch is held at the version that the figures in the documents were measured with: TORCH=2.14.0 make lock moves it.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install -q ".[parquet,serve,train,trl,dev]" editables "torch==${TORCH:-2.13.0}"
{
    echo "# Written by scripts/write_lock.sh (make lock): exact versions for Python 3.11 and later; do not edit by hand."
    "$scratch/venv/bin/pip" freeze --exclude mailgym | sed -E 's/^(torch==[0-9.]+)\+.*/\1/' |
        grep -viE '^(nvidia|triton|cuda)' | LC_ALL=C sort -f
} >requirements.lock
