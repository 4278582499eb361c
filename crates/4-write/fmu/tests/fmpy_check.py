"""Exports shipped examples as FMUs, and lets FMPy validate and run them beside `dyverse simulate`.

usage: fmpy_check.py DYVERSE EXAMPLES WORK

For every example and both versions of FMI: no problem in the model description; co-simulation and model exchange reach the states of
`dyverse simulate`; events are at the same times. Exit code 1 if anything differs.
"""

import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.validation import validate_fmu

DYVERSE, EXAMPLES, WORK = sys.argv[1:4]
FAILURES = []

# Relative tolerance of FMPy's solver (CVODE) in model exchange, and what its results may then differ by.
SOLVER = 1e-13
EVENT_EXCHANGE, STATE_EXCHANGE = 1e-6, 1e-5
# Co-simulation with event mode and early return runs on our own solver.
EVENT_STEPPED, STATE_STEPPED = 1e-9, 1e-8

# Left out: models without a horizon; `counting_for_ever`, which has no end; `bouncing_ball_tunnels`, whose run is decided by the steps of the tool.
BODIES = [
    "bouncing_ball", "interception", "three_balls_001", "three_balls_002", "sliding_ball", "between_walls", "newtons_cradle", "billiard_break",
    "checks/cradle_sequential", "checks/cradle_simultaneous", "checks/grazing", "checks/slide_to_roll", "checks/bounce_heights", "checks/oblique_collision", "checks/incline", "checks/double_bank", "checks/ten_impacts", "checks/thin_strip",
]
ACTORS = [
    "actors/diode_oscillator", "actors/flyback_diode", "actors/thermostat", "actors/two_tanks", "actors/ball_on_sine", "actors/friction", "actors/friction_reaction",
    "actors/bouncing_ball_by_transition", "actors/bouncing_ball_rests", "actors/pushing_by_collisions", "actors/pushing_by_modes",
    "actors/simultaneous_collisions_added", "actors/simultaneous_collisions_one_by_one", "actors/stacked_masses_chatter",
    "actors/three_balls_missed", "actors/unequal_balls_left_first", "actors/unequal_balls_right_first",
    "actors/growth", "actors/interception", "actors/capacitors", "actors/two_balls", "actors/newtons_cradle", "actors/oblique_fall",
]


def check(holds, what):
    if not holds:
        FAILURES.append(what)
        print("FAILED", what, flush=True)


def run(*arguments):
    done = subprocess.run([DYVERSE, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        raise RuntimeError(f"{arguments}: {done.stderr}")
    return done


def reference(path, name, *more):
    """The run of `dyverse simulate`: times of its events, last values by name."""
    out = os.path.join(WORK, name.replace("/", "_") + ".json")
    run("simulate", path, "--output", out, *more)
    with open(out) as file:
        trace = json.load(file)
    times = sorted({t["time"][0] for t in trace["transitions"]})
    last = dict(zip([s["name"] for s in trace["signals"]], trace["samples"][-1]["values"]))
    return trace, times, last


def event_times(result):
    """Times at which FMPy recorded more than one row: it does so around events."""
    t = result["time"]
    return sorted(set(t[1:][np.diff(t) == 0.0]))


def missing(events, seen, tolerance):
    """The largest distance of an event from the nearest one seen."""
    seen = np.array(seen if len(seen) else [np.inf])
    return max((np.min(np.abs(seen - t)) for t in events), default=0.0)


def difference(last, result):
    names = [n for n in last if n in result.dtype.names]
    worst = max(((abs(result[n][-1] - last[n]), n) for n in names if last[n] is not None), default=(0.0, ""))
    return worst, len(names)


def export(path, name, fmi):
    out = os.path.join(WORK, f"{name.replace('/', '_')}_{fmi}.fmu")
    run("export", path, "--to", "fmu", "--fmi", fmi, "-o", out)
    return out


def one(name, ending):
    path = os.path.join(EXAMPLES, name + ending)
    trace, events, last = reference(path, name)
    stop = trace["stop"]["time"]
    # Events at the start and at the very end are at the edge of what an importer sees.
    events = [t for t in events if 0.0 < t < stop * (1 - 1e-9)]
    for fmi in "23":
        fmu = export(path, name, fmi)
        problems = validate_fmu(fmu)
        check(not problems, f"{name} FMI {fmi}: {problems[:3]}")
        unzipped = extract(fmu)
        description = read_model_description(unzipped)
        outputs = [v.name for v in description.modelVariables if v.name in last]
        common = dict(stop_time=stop, output=outputs, record_events=True, output_interval=stop / 500)
        for interface in ("CoSimulation", "ModelExchange"):
            options = dict(common)
            is_stepped = interface == "CoSimulation"
            if is_stepped and fmi == "3":
                options.update(early_return_allowed=True, use_event_mode=True)
            if not is_stepped:
                options.update(relative_tolerance=SOLVER)
            label = f"{name} FMI {fmi} {interface}"
            begin = time.time()
            try:
                result = simulate_fmu(unzipped, fmi_type=interface, **options)
            except Exception as error:  # noqa: BLE001
                check(False, f"{label}: {error}")
                continue
            (worst, which), count = difference(last, result)
            late = 0.0
            if not is_stepped or fmi == "3":
                late = missing(events, event_times(result), 0.0)
            check(count > 0, f"{label}: no common output")
            check(worst < (STATE_STEPPED if is_stepped else STATE_EXCHANGE), f"{label}: {which} differs by {worst:.3g}")
            check(late < (EVENT_STEPPED if is_stepped else EVENT_EXCHANGE), f"{label}: an event differs by {late:.3g} s")
            print(f"{label}: {len(events)} events within {late:.2g} s, {count} outputs within {worst:.2g} ({time.time() - begin:.1f} s)", flush=True)
        shutil.rmtree(unzipped)


def every():
    """Every shipped example: its descriptions have no problem. What is no model of its own is refused by the simulator as well."""
    for folder, _, files in sorted(os.walk(EXAMPLES)):
        for file in sorted(files):
            name, ending = os.path.splitext(file)
            if ending not in (".drbt", ".dam") or name.startswith("refused_"):
                continue
            path = os.path.join(folder, file)
            for fmi in "23":
                try:
                    fmu = export(path, name, fmi)
                except RuntimeError as error:
                    done = subprocess.run([DYVERSE, "simulate", path, "--until", "0.001"], capture_output=True, text=True)
                    check(done.returncode == 2, f"{file} is simulated, but not exported: {error}")
                    continue
                problems = validate_fmu(fmu)
                check(not problems, f"{file} FMI {fmi}: {problems[:3]}")
                os.remove(fmu)
    print("every description is valid", flush=True)


def driven():
    """The interception game with its inputs driven from outside: constant, and a ramp."""
    # With inputs FMPy's solver begins anew at every output: at the last digits it then takes too many steps.
    solver = 1e-11
    path = os.path.join(EXAMPLES, "interception.drbt")
    for fmi in "23":
        fmu = export(path, "interception", fmi)
        names = ["u1", "u2", "u3"]
        start = {"u1": 0.25, "u2": -0.125, "u3": 0.5}
        constant = [f"--input={n}={start[n]}" for n in names]
        _, _, last = reference(path, "driven", *constant)
        (_, _, undriven) = reference(path, "undriven")
        check(max(abs(last[n] - undriven[n]) for n in last) > 1e-3, "the inputs do nothing")
        signals = np.array([(0.0, *start.values()), (2.0, *start.values())], dtype=[("time", float)] + [(n, float) for n in names])
        for interface, limit in (("CoSimulation", STATE_STEPPED), ("ModelExchange", STATE_EXCHANGE)):
            result = simulate_fmu(fmu, fmi_type=interface, input=signals, output=list(last), relative_tolerance=solver, output_interval=0.004)
            worst, _ = difference(last, result)
            check(worst[0] < limit, f"driven FMI {fmi} {interface}: {worst}")
        table = os.path.join(WORK, "ramp.csv")
        with open(table, "w") as file:
            file.write("time,u1\n0,0\n2,0.5\n")
        _, _, last = reference(path, "ramp", f"--input=u1={table}")
        ramp = np.array([(0.0, 0.0), (2.0, 0.5)], dtype=[("time", float), ("u1", float)])
        # In co-simulation an input is held over a step, so the error is a part of the step: at half the step, twice, it is none.
        coarse, fine = (
            simulate_fmu(fmu, fmi_type="CoSimulation", input=ramp, output=list(last), output_interval=h)[-1] for h in (0.004, 0.002)
        )
        worst = max(abs(2 * fine[n] - coarse[n] - last[n]) for n in last)
        check(worst < 1e-5, f"ramp FMI {fmi}: {worst}")
        result = simulate_fmu(fmu, fmi_type="CoSimulation", start_values={"K": 2.5}, output=list(last), output_interval=0.004)
        _, _, last = reference(path, "gain", "--set", "K=2.5")
        worst, _ = difference(last, result)
        check(worst[0] < STATE_STEPPED, f"K = 2.5 FMI {fmi}: {worst}")


def main():
    os.makedirs(WORK, exist_ok=True)
    every()
    for names, ending in ((BODIES, ".drbt"), (ACTORS, ".dam")):
        for name in names:
            one(name, ending)
    driven()
    if FAILURES:
        print(f"{len(FAILURES)} failures")
        sys.exit(1)
    print("FMPy agrees")


main()
