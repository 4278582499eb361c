"""Joins the runs of all engines into one file and prints them as Markdown tables. `compare.sh` calls it."""

import json
import math
import platform
import subprocess
import sys
import tomllib

import heaps
import mujoco

WANTED = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7]
ENGINES = ["dyverse", "Rapier", "MuJoCo"]
SCENES = {
    "bounce": "Bouncing ball: larger of the errors of height (m) and velocity (m/s) at t = {until} s, after {n} bounces",
    "slide": "Slide to roll: larger of the errors of position (m) and velocity (m/s) at t = {until} s",
    "break": "Break of 16 balls: largest error of a position (m) at t = {until} s, after {n} collisions",
}


def amount(x, digits=0):
    return "0" if x == 0 else f"{x:.{digits}e}".replace("e-0", "e-")


def seconds(x):
    return f"{x * 1e3:.2g} ms" if x < 0.0995 else f"{x:.2g} s" if x < 9.95 else f"{x:.0f} s"


def reaching(runs, error):
    """The cheapest run with this error, of those that keep it at all finer steps of the same settings: luck does not count."""
    kept = []
    for run in runs:
        finer = [r for r in runs if r["settings"] == run["settings"] and (r["step"] or 0) <= (run["step"] or 0)]
        if all(r["error"] <= error for r in finer):
            kept.append(run)
    return min(kept, key=lambda r: r["seconds"], default=None)


def cell(run):
    if run is None:
        return "–"
    return seconds(run["seconds"]) if run["step"] is None else f'{seconds(run["seconds"])} (step {amount(run["step"])})'


def scene_table(name, runs, prepared):
    n = {"bounce": len(prepared["bounce"]["bounce_times"]), "break": prepared["break"]["collisions"]}.get(name)
    print("\n" + SCENES[name].format(until=prepared["scenes"][name]["until"], n=n) + ".\n")
    print("| engine | " + " | ".join(f"≤ {amount(w)}" for w in WANTED) + " | least error, and with what |")
    print("|---" * (len(WANTED) + 2) + "|")
    for engine in ENGINES:
        own = [r for r in runs if r["engine"] == engine and r["scene"] == name]
        own = [r for r in own if r["error"] is not None and math.isfinite(r["error"])]
        best = min(own, key=lambda r: r["error"])
        settings = f'; {best["settings"]}' if best["settings"] else ""
        last = f'{amount(best["error"], 1)}: {cell(best)}{settings}'
        print(f"| {engine} | " + " | ".join(cell(reaching(own, w)) for w in WANTED) + f" | {last} |")


def box_tables(runs, prepared):
    counts = prepared["scenes"]["box"]["balls"]
    until = prepared["scenes"]["box"]["until"]
    find = lambda engine, scene: [r for r in runs if r["engine"] == engine and r["scene"] == scene]
    print(f"\ndyverse, elastic balls in a box, {until:g} s:\n")
    print("| balls | gravity | impacts | steps | processor time | impacts a second | time an impact | time a step | relative error of energy |")
    print("|---" * 9 + "|")
    for what, gravity in [("box", "no"), ("box with gravity", "yes")]:
        for count in counts:
            for run in find("dyverse", f"{what} {count}"):
                more, s = run["more"], run["seconds"]
                print(
                    f'| {count:,} | {gravity} | {more["impacts"]:,.0f} | {more["steps"]:,.0f} | {seconds(s)} | {more["impacts"] / s:,.0f} | '
                    f'{s / more["impacts"] * 1e3:.2f} ms | {s / more["steps"] * 1e3:.2f} ms | {amount(more["energy_error"])} |'
                )
    print(f"\nThe same boxes without gravity, {until:g} s: processor time, and relative error of energy.\n")
    print("| engine | step | " + " | ".join(f"{count:,} balls" for count in counts) + " |")
    print("|---" * (len(counts) + 2) + "|")
    for engine in ENGINES:
        for step in sorted({r["step"] or 0 for c in counts for r in find(engine, f"box {c}")}):
            row = [r for c in counts for r in find(engine, f"box {c}") if (r["step"] or 0) == step]
            name = f"{step:.3g} s" if step else "none"
            print(f"| {engine} | {name} | " + " | ".join(f'{seconds(r["seconds"])}, {amount(r["more"]["energy_error"])}' for r in row) + " |")


HEAPS = {
    "pile": "pile of 200 balls",
    "boxes": "20 boxes thrown in a heap",
    "stack": "stack of 10 boxes",
    "dominoes": "row of 50 dominoes",
    "wall": "wall of 100 bricks",
    "break with friction": "break of 16 balls with friction",
}


def heap_table(films, prepared):
    print("\n| scene | engine | processor time | energy that came in | deepest penetration | fastest at the end | drift afterwards |")
    print("|---" * 7 + "|")
    for scene in prepared["heaps"]:
        for engine in ENGINES:
            for film in (f for f in films if f["engine"] == engine and f["scene"] == scene["name"]):
                found = film["more"]
                drift = f'{amount(found["drift"])} m in {scene["rest"]:g} s' if "drift" in found else "–"
                took = seconds(film["seconds"]) + (f'; **stopped** {film["stopped"]}' if film["stopped"] else "")
                print(
                    f'| {HEAPS[scene["name"]]}, {scene["until"]:g} s | {engine} | {took} | {amount(found["energy_rises"])} | '
                    f'{amount(found["penetration"])} m | {amount(found["speed_at_end"])} m/s | {drift} |'
                )


def versions(lock_path):
    with open(lock_path, "rb") as file:
        packages = {p["name"]: p["version"] for p in tomllib.load(file)["package"]}
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    return {
        "dyverse": packages["dyverse"],
        "rapier3d-f64": packages["rapier3d-f64"],
        "mujoco": mujoco.__version__,
        "rustc": rustc,
        "python": platform.python_version(),
        "processor": platform.machine(),
    }


def main(lock_path, prepared_path, out_path, *run_paths):
    with open(prepared_path, encoding="utf-8") as file:
        prepared = json.load(file)
    runs = []
    for path in run_paths:
        with open(path, encoding="utf-8") as file:
            runs += json.load(file)
    films = [run for run in runs if "frames" in run]
    by_name = {scene["name"]: scene for scene in prepared["heaps"]}
    for film in films:
        film["more"].update(heaps.judge(by_name[film["scene"]], film.pop("frames")))
    runs_of_scenes = [run for run in runs if run not in films]
    known = versions(lock_path)
    with open(out_path, "w", encoding="utf-8") as file:
        lines = ",\n".join(json.dumps(run) for run in runs)
        file.write(f'{{"versions": {json.dumps(known)},\n"runs": [\n{lines}\n]}}\n')
    print(", ".join(f"{name} {version}" for name, version in known.items()) + ".")
    if runs_of_scenes:
        for scene in SCENES:
            scene_table(scene, runs_of_scenes, prepared)
        box_tables(runs_of_scenes, prepared)
    if films:
        heap_table(films, prepared)


if __name__ == "__main__":
    main(*sys.argv[1:])
