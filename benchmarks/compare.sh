#!/usr/bin/env bash
# dyverse beside Rapier and MuJoCo: builds, runs everything, prints Markdown tables and writes results.json and results_heaps.json. About half an hour on a quiet machine.
# `compare.sh heaps` runs the scenes of many lasting contacts only.
# Needs Rust, Python 3.11 or newer, and their package registries. PYTHON=… chooses the interpreter.
set -euo pipefail
cd "$(dirname "$0")"

mkdir -p target
venv=target/venv
if [ ! -x "$venv/bin/python" ]; then
    "${PYTHON:-python3}" -m venv "$venv"
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
cargo build --release --locked

"$venv/bin/python" prepare.py scenes.json target/prepared.json
: >target/tables.md
compare() {
    cargo run --release --locked --quiet -- "$1" target/prepared.json "target/rust_$1.json"
    "$venv/bin/python" with_mujoco.py "$1" target/prepared.json "target/mujoco_$1.json"
    "$venv/bin/python" report.py Cargo.lock target/prepared.json "$2" "target/rust_$1.json" "target/mujoco_$1.json" | tee -a target/tables.md
}
if [ "${1:-}" != heaps ]; then
    compare scenes results.json
fi
compare heaps results_heaps.json
