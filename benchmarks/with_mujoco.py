"""Runs the prepared scenes on MuJoCo: errors against the references, and processor time. `compare.sh` calls it.

Contacts of MuJoCo are soft, and it has no coefficient of restitution. As its manual says (Modeling, "Restitution"), `solref` gets a stiffness
and a damping (negative numbers), so that a contact is a damped spring. With the impedance constant and as near 1 as is allowed (0.9999) a
single impact is that of a linear spring and damper which cannot pull, so the damping for a given restitution is known. The stiffness is
free: it is given as the length of a contact in steps. Long contacts last too long, short ones are resolved badly. That length is varied, and
the integrator (Euler, the default, and RK4). A lasting contact is critically damped; its time constant is varied. Friction cones are elliptic, the solver is Newton's to 1e-15.
"""

import json
import math
import sys
import time

import heaps
import mujoco
import numpy

STEPS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]
# Processor time that one run may take, s, judged by the step before it.
AFFORDABLE = 20.0
INTEGRATORS = ["Euler", "RK4"]
# Length of an impact in steps: among the balls of the rack impacts have to be short.
LENGTHS_ON_FLOOR = [30, 100, 300, 1000]
LENGTHS_IN_RACK = [5, 10, 30, 100]
# Time constant of a lasting contact in steps; 2 is the least that is allowed.
TIME_CONSTANTS = [2, 5, 20]
LONGEST_IMPACT = 0.05
# Processor time that a run of `heaps.py` may take, s.
MOST_SECONDS = 120.0
IMPEDANCE = 0.9999


def timed(compute):
    """The result and its least processor time, repeated as in src/run.rs."""
    least, total, repetition = math.inf, 0.0, 0
    while True:
        repetition += 1
        start = time.process_time()
        result = compute()
        seconds = time.process_time() - start
        least, total = min(least, seconds), total + seconds
        if total > 2 or (repetition >= 3 and total > 1) or repetition >= 200:
            return result, least


def damping_ratio(restitution):
    """Of a linear spring and damper that lets go when its force is zero."""

    def returned(z):
        s = math.sqrt(1 - z * z)
        phase = math.pi - math.atan2(2 * z * s, 1 - 2 * z * z)
        return -math.exp(-z * phase / s) * (math.cos(phase) - z / s * math.sin(phase))

    low, high = 0.0, 0.9
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if returned(middle) > restitution else (low, middle)
    return low


def impact(step, length, restitution):
    """A contact whose impacts last about `length` steps; without friction."""
    frequency = math.pi / (length * step)
    stiffness, damping = frequency**2, 2 * damping_ratio(restitution) * frequency
    return f'condim="1" solref="{-stiffness} {-damping}" solimp="{IMPEDANCE} {IMPEDANCE} 1"'


def model(step, integrator, gravity, items):
    option = (
        f'timestep="{step}" gravity="0 0 {-gravity}" integrator="{integrator}" '
        'cone="elliptic" solver="Newton" tolerance="1e-15" iterations="100"'
    )
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option {option}/><size memory="256M"/><worldbody>{"".join(items)}</worldbody></mujoco>'
    )


def floor(contact):
    return f'<geom type="plane" size="0 0 1" {contact}/>'


def ball(at, radius, mass, contact):
    place = " ".join(repr(c) for c in at)
    return f'<body pos="{place}"><freejoint/><geom type="sphere" size="{radius}" mass="{mass}" {contact}/></body>'


def advance(mj_model, velocities, step, until):
    """Runs from the model's initial places and the given velocities. Making the data is timed, compiling the model is not."""

    def compute():
        data = mujoco.MjData(mj_model)
        data.qvel.reshape(-1, 6)[:, :3] = velocities
        mujoco.mj_step(mj_model, data, nstep=round(until / step))
        return data

    data, seconds = timed(compute)
    return data.qpos.reshape(-1, 7)[:, :3], data.qvel.reshape(-1, 6)[:, :3], seconds


def bounce(prepared, step, integrator, length):
    scene, reference = prepared["scenes"]["bounce"], prepared["bounce"]
    contact = impact(step, length, scene["restitution"])
    at = [0.0, 0.0, scene["radius"] + scene["height"]]
    made = model(step, integrator, scene["gravity"], [floor(contact), ball(at, scene["radius"], scene["mass"], contact)])
    positions, velocities, seconds = advance(made, [[0, 0, 0]], step, scene["until"])
    height = abs(positions[0, 2] - reference["height"])
    velocity = abs(velocities[0, 2] - reference["velocity"])
    return seconds, max(height, velocity), {"height_error": height, "velocity_error": velocity}


def slide(prepared, step, integrator, length):
    scene, reference = prepared["scenes"]["slide"], prepared["slide"]
    contact = (
        f'condim="3" friction="{scene["friction"]} 0 0" solref="{length * step} 1" solimp="{IMPEDANCE} {IMPEDANCE} 1"'
    )
    at = [0.0, 0.0, scene["radius"]]
    made = model(step, integrator, scene["gravity"], [floor(contact), ball(at, scene["radius"], scene["mass"], contact)])
    positions, velocities, seconds = advance(made, [[scene["speed"], 0, 0]], step, scene["until"])
    position = abs(positions[0, 0] - reference["position"])
    velocity = abs(velocities[0, 0] - reference["velocity"])
    return seconds, max(position, velocity), {"position_error": position, "velocity_error": velocity}


def rack(prepared, step, integrator, length):
    scene, reference = prepared["scenes"]["break"], prepared["break"]
    contact = impact(step, length, 1.0)
    made = model(step, integrator, 0, [ball(at, scene["radius"], scene["mass"], contact) for at in reference["start"]])
    start = numpy.zeros((len(reference["start"]), 3))
    start[0, 0] = scene["speed"]
    positions, velocities, seconds = advance(made, start, step, scene["until"])
    largest = lambda a, b: float(numpy.linalg.norm(a - numpy.array(b), axis=1).max())
    more = {
        "velocity_error": largest(velocities, reference["velocities"]),
        "energy_error": abs(float((velocities**2).sum() / (start**2).sum()) - 1),
        "momentum_error": abs(float(velocities[:, 0].sum()) / scene["speed"] - 1),
    }
    return seconds, largest(positions, reference["positions"]), more


def box(prepared, start, step):
    """Balls in a box with the default integrator; impacts last ten steps."""
    scene = prepared["scenes"]["box"]
    contact = impact(step, 10, 1.0)
    edge = start["edge"]
    walls = [
        f'<geom type="plane" size="0 0 1" pos="{low}" zaxis="{axis}" {contact}/>'
        f'<geom type="plane" size="0 0 1" pos="{high}" zaxis="{back}" {contact}/>'
        for low, axis, high, back in [
            ("0 0 0", "1 0 0", f"{edge} 0 0", "-1 0 0"),
            ("0 0 0", "0 1 0", f"0 {edge} 0", "0 -1 0"),
            ("0 0 0", "0 0 1", f"0 0 {edge}", "0 0 -1"),
        ]
    ]
    balls = [ball(at, scene["radius"], scene["mass"], contact) for at in start["positions"]]
    made = model(step, "Euler", 0, walls + balls)
    _, velocities, seconds = advance(made, start["velocities"], step, scene["until"])
    at_start = numpy.array(start["velocities"])
    return seconds, {"energy_error": abs(float((velocities**2).sum() / (at_start**2).sum()) - 1)}


def heap(scene):
    """A scene of `heaps.py`: contacts as stiff as is allowed (a time constant of two steps), no restitution (there is none to give to contacts that also last), sharp boxes of the same size."""
    contact = f'condim="3" friction="{scene["friction"]} 0 0" solref="{2 * scene["step"]} 1" solimp="0.99 0.99 0.001"'
    text = lambda numbers: " ".join(repr(float(c)) for c in numbers)
    items = []
    for normal, offset in scene["planes"]:
        at = text(c * offset for c in normal)
        items.append(f'<geom type="plane" size="0 0 1" pos="{at}" zaxis="{text(normal)}" {contact}/>')
    for own in scene["bodies"]:
        shape = f'type="sphere" size="{own["radius"]}"' if "radius" in own else f'type="box" size="{text(own["half"])}"'
        inertial = f'<inertial pos="0 0 0" mass="{own["mass"]}" diaginertia="{text(own["inertia"])}"/>'
        place = f'pos="{text(own["position"])}" quat="{text(own["orientation"])}"'
        items.append(f'<body {place}><freejoint/>{inertial}<geom {shape} {contact}/></body>')
    option = f'timestep="{scene["step"]}" gravity="0 0 {-scene["gravity"]}" cone="elliptic" solver="Newton" integrator="Euler"'
    made = mujoco.MjModel.from_xml_string(
        f'<mujoco><option {option}/><size memory="512M"/><worldbody>{"".join(items)}</worldbody></mujoco>'
    )
    start = time.process_time()
    data = mujoco.MjData(made)
    turn = heaps.turned(numpy.array([own["orientation"] for own in scene["bodies"]]))
    for n, own in enumerate(scene["bodies"]):
        # Angular velocities are in the frame of the body.
        data.qvel[6 * n : 6 * n + 3] = own["velocity"]
        data.qvel[6 * n + 3 : 6 * n + 6] = turn[n].T @ numpy.array(own["angular_velocity"])

    def frame():
        places, velocities = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6).copy()
        turn = heaps.turned(places[:, 3:7])
        velocities[:, 3:] = numpy.einsum("nij,nj->ni", turn, velocities[:, 3:])
        return [float(data.time), numpy.hstack([places, velocities]).tolist()]

    frames, stopped = [frame()], None
    every, course = round(scene["frame"] / scene["step"]), round(scene["until"] / scene["step"])
    whole = course + round(scene["rest"] / scene["step"])
    done = 0
    while done < whole and stopped is None:
        steps = min(every, whole - done)
        mujoco.mj_step(made, data, nstep=steps)
        done += steps
        if done <= course or done == whole:
            frames.append(frame())
        if time.process_time() - start > MOST_SECONDS:
            stopped = f"at {data.time:.4f} s: {MOST_SECONDS} s of processor time"
            frames.append(frame())
    seconds = time.process_time() - start
    print(f"mujoco   {scene['name']:20} {seconds:10.3f} s  {stopped}", file=sys.stderr)
    return {
        "engine": "MuJoCo",
        "scene": scene["name"],
        "step": scene["step"],
        "settings": "Euler, time constant of 2 steps",
        "seconds": seconds,
        "error": None,
        "more": {},
        "stopped": stopped,
        "frames": frames,
    }


def record(runs, scene, step, settings, seconds, error, more):
    more = {key: float(value) for key, value in more.items()}
    print(f"mujoco   {scene:8}  step {step:.0e}  {settings:32}  {seconds:10.6f} s  error {error}  {more}", file=sys.stderr)
    runs.append(
        {
            "engine": "MuJoCo",
            "scene": scene,
            "step": step,
            "settings": settings,
            "seconds": seconds,
            "error": None if error is None else float(error),
            "more": more,
        }
    )


def main(part, prepared_path, out_path):
    with open(prepared_path, encoding="utf-8") as file:
        prepared = json.load(file)
    if part == "heaps":
        films = [heap(scene) for scene in prepared["heaps"]]
        with open(out_path, "w", encoding="utf-8") as file:
            json.dump(films, file)
        return
    runs = []
    for name, scene, lengths, word in [
        ("bounce", bounce, LENGTHS_ON_FLOOR, "impact of {} steps"),
        ("slide", slide, TIME_CONSTANTS, "time constant of {} steps"),
        ("break", rack, LENGTHS_IN_RACK, "impact of {} steps"),
    ]:
        for integrator in INTEGRATORS:
            for length in lengths:
                before = 0.0
                for step in STEPS:
                    if length * step > LONGEST_IMPACT and name != "slide":
                        continue
                    if 10 * before > AFFORDABLE:
                        break
                    before, error, more = scene(prepared, step, integrator, length)
                    record(runs, name, step, f"{integrator}, {word.format(length)}", before, error, more)
    for step in prepared["scenes"]["box"]["mujoco_steps"]:
        for start in prepared["boxes"]:
            seconds, more = box(prepared, start, step)
            record(runs, f"box {len(start['positions'])}", step, "Euler, impact of 10 steps", seconds, None, more)
    with open(out_path, "w", encoding="utf-8") as file:
        json.dump(runs, file, indent=2)


if __name__ == "__main__":
    main(*sys.argv[1:])
