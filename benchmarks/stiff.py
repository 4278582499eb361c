"""Stiff systems: the command beside scipy's LSODA. Prints a Markdown table.

    python stiff.py COMMAND

References are published or closed forms, or Radau IIA at its finest. LSODA runs at tolerances from 1e-4 to 1e-12, and the table has the
cheapest of these runs that is no less exact than dyverse, or else the most exact one. Processor times: of the solver alone for LSODA (its
right-hand side is Python), of the whole command for dyverse, with that of a model with nothing in it taken off; the least of some runs.
"""

import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scipy.integrate import solve_ivp

RUNS = 20
SLOW = -400 / (5e5 + math.sqrt(5e5**2 - 400))


def van_der_pol(_, y):
    return [y[1], 1000 * (1 - y[0] ** 2) * y[1] - y[0]]


def robertson(_, y):
    a, b, c = 0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] ** 2
    return [b - a, a - b - c, c]


def damper(_, y):
    return [y[1], -1e6 * y[1] - 400 * y[0]]


def radau(f, until, start):
    return solve_ivp(f, (0, until), start, method="Radau", rtol=3e-14, atol=1e-18).y[:, -1]


SYSTEMS = [
    (
        "van der Pol, μ = 1000, to t = 2000",
        van_der_pol,
        2000,
        [2, 0],
        [1.706167732170483, -0.8928097010247975e-3],
        "x' = y init 2\ny' = 1000*(1 - x*x)*y - x init 0\n",
        "xy",
    ),
    (
        "Robertson, to t = 10⁴",
        robertson,
        1e4,
        [1, 0, 0],
        radau(robertson, 1e4, [1, 0, 0]),
        "a' = -0.04*a + 1e4*b*c init 1\nb' = 0.04*a - 1e4*b*c - 3e7*b*b init 0\nc' = 3e7*b*b init 0\n",
        "abc",
    ),
    (
        "a spring of 400 N/m with a damper of 10⁶ N s/m, to t = 10",
        damper,
        10,
        [1, SLOW],
        [math.exp(10 * SLOW), SLOW * math.exp(10 * SLOW)],
        f"x' = v init 1\nv' = -1e6*v - 400*x init {SLOW!r}\n",
        "xv",
    ),
]


def by_command(command, text, until):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "stiff.dam"
        file.write_text(f"model stiff\n{text}horizon = {until}\n", encoding="utf-8")
        least = math.inf
        for _ in range(RUNS):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                [command, "simulate", file, "--format", "json"], capture_output=True, text=True, check=True
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return least, json.loads(done.stdout)["final"]


def by_lsoda(f, until, start, relative):
    least = math.inf
    for _ in range(RUNS):
        begun = time.process_time()
        solved = solve_ivp(f, (0, until), start, method="LSODA", rtol=relative, atol=1e-4 * relative)
        least = min(least, time.process_time() - begun)
    return least, solved.y[:, -1]


def error(found, expected):
    return max(abs(a - b) for a, b in zip(found, expected))


def main():
    nothing, _ = by_command(sys.argv[1], "x' = 1 init 0\n", 1)
    print("| system | dyverse | its error | LSODA | its error | ratio |\n|---|---|---|---|---|---|")
    for name, f, until, start, expected, text, states in SYSTEMS:
        own, final = by_command(sys.argv[1], text, until)
        own, off = own - nothing, error([final[s] for s in states], expected)
        runs = []
        for power in range(4, 13):
            took, end = by_lsoda(f, until, start, 10.0**-power)
            runs.append((took, error(end, expected)))
        exact = [run for run in runs if run[1] <= off]
        took, other = min(exact) if exact else min(runs, key=lambda run: run[1])
        print(f"| {name} | {1e3 * own:.1f} ms | {off:.0e} | {1e3 * took:.1f} ms | {other:.0e} | {own / took:.2f} |")


main()
