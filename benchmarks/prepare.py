"""Reference solutions and initial states of all scenes, from scenes.json: one file that every engine reads.

The references know nothing of dyverse. Bouncing ball and slide to roll are closed forms; the break is elastic and frictionless, so that
spheres fly straight and collide in pairs: each collision time is the root of a quadratic, taken with 50 digits.
"""

import json
import random
import sys

import heaps
from mpmath import mp, mpf, sqrt

mp.dps = 50


def bounce(scene):
    g, h, e, until = (mpf(scene[k]) for k in ("gravity", "height", "restitution", "until"))
    at, speed = sqrt(2 * h / g), e * sqrt(2 * g * h)
    times = [at]
    while at + 2 * speed / g <= until:
        at += 2 * speed / g
        speed *= e
        times.append(at)
    flown = until - at
    return {
        "bounce_times": [float(t) for t in times],
        "height": float(scene["radius"] + speed * flown - g * flown**2 / 2),
        "velocity": float(speed - g * flown),
        "rests_from": float(sqrt(2 * h / g) * (1 + e) / (1 - e)),
    }


def slide(scene):
    g, v, mu, until = (mpf(scene[k]) for k in ("gravity", "speed", "friction", "until"))
    rolls_from = 2 * v / (7 * mu * g)
    slid = v * rolls_from - mu * g * rolls_from**2 / 2
    return {
        "rolls_from": float(rolls_from),
        "position": float(slid + 5 * v / 7 * (until - rolls_from)),
        "velocity": float(5 * v / 7),
    }


def rack(scene):
    """The cue ball and fifteen balls in a triangle, each a little off its place so that no two collisions coincide."""
    chance = random.Random(scene["seed"])
    pitch = 2 * scene["radius"] + scene["gap"]
    # Off by at most jitter / 2 a component: no gap shrinks by more than sqrt(2) jitter.
    off = lambda: round(scene["jitter"] * (chance.random() - 0.5), 9)
    balls = [[-scene["cue_distance"], 0.0, 0.0]]
    for row in range(5):
        for place in range(row + 1):
            x, y = row * pitch * 3**0.5 / 2, (place - row / 2) * pitch
            balls.append([round(x + off(), 9), round(y + off(), 9), 0.0])
    return balls


def collide(scene, positions):
    """Hard spheres of equal mass, event by event. Returns the state at the end and what happened."""
    reach, until = 2 * mpf(scene["radius"]), mpf(scene["until"])
    x = [[mpf(c) for c in p] for p in positions]
    v = [[mpf(0)] * 3 for _ in positions]
    v[0][0] = mpf(scene["speed"])
    dot = lambda a, b: sum(p * q for p, q in zip(a, b))
    minus = lambda a, b: [p - q for p, q in zip(a, b)]
    now, events, closest = mpf(0), [], until

    def meeting(i, j):
        d, w = minus(x[j], x[i]), minus(v[j], v[i])
        b, speed = dot(d, w), dot(w, w)
        if b >= 0:
            return None
        under = b * b - speed * (dot(d, d) - reach * reach)
        return None if under <= 0 else now + (-b - sqrt(under)) / speed

    while True:
        meetings = [(t, i, j) for i in range(len(x)) for j in range(i) if (t := meeting(i, j)) is not None]
        meetings = sorted(m for m in meetings if m[0] <= until)
        t = meetings[0][0] if meetings else until
        x = [[p + q * (t - now) for p, q in zip(a, b)] for a, b in zip(x, v)]
        now = t
        if not meetings:
            break
        if events:
            closest = min(closest, t - events[-1])
        events.append(t)
        i, j = meetings[0][1:]
        d = minus(x[j], x[i])
        along = dot(minus(v[j], v[i]), d) / dot(d, d)
        v[i] = [p + along * q for p, q in zip(v[i], d)]
        v[j] = [p - along * q for p, q in zip(v[j], d)]
    floats = lambda rows: [[float(c) for c in row] for row in rows]
    return {
        "positions": floats(x),
        "velocities": floats(v),
        "collisions": len(events),
        "last_collision": float(events[-1]),
        "closest_collisions": float(closest),
    }


def box(scene, balls):
    """Balls on a cubic lattice in a cube of the same room a ball, with random velocities."""
    chance = random.Random(scene["seed"] + balls)
    side = 1
    while side**3 < balls:
        side += 1
    edge = scene["cell"] * balls ** (1 / 3)
    places = [(i, j, k) for i in range(side) for j in range(side) for k in range(side)][:balls]
    pitch = edge / side
    return {
        "edge": edge,
        "positions": [[(c + 0.5) * pitch for c in place] for place in places],
        "velocities": [[round(chance.gauss(0, scene["speed"]), 6) for _ in range(3)] for _ in places],
    }


def main(scenes_path, out_path):
    with open(scenes_path, encoding="utf-8") as file:
        scenes = json.load(file)
    positions = rack(scenes["break"])
    prepared = {
        "scenes": scenes,
        "bounce": bounce(scenes["bounce"]),
        "slide": slide(scenes["slide"]),
        "break": {"start": positions, **collide(scenes["break"], positions)},
        "boxes": [box(scenes["box"], balls) for balls in scenes["box"]["balls"]],
        "heaps": heaps.prepare(scenes["heaps"]),
    }
    with open(out_path, "w", encoding="utf-8") as file:
        json.dump(prepared, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
