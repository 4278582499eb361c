#!/usr/bin/env bash
# dyverse beside Rapier and MuJoCo: builds, runs everything, prints Markdown tables and writes results.json. About twenty minutes on a quiet machine.
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
cargo run --release --locked --quiet -- target/prepared.json target/rust.json target/rust_heaps.json
"$venv/bin/python" with_mujoco.py target/prepared.json target/mujoco.json target/mujoco_heaps.json
"$venv/bin/python" report.py Cargo.lock target/prepared.json results.json target/rust.json target/mujoco.json target/rust_heaps.json target/mujoco_heaps.json | tee target/tables.md
