"""Scenes of many lasting contacts: bodies, planes and times for all engines, from scenes.json; and what frames of a run tell, judged by one code for all of them.

A scene is {"name", "gravity", "friction", "restitution", "planes", "bodies", "until", "rest", "frame"}: planes as [normal, offset] with all of n·x ≤ offset solid, heights along z. A body
is a ball {"radius"} or a box {"half", "rounding"} with "mass", "position", "orientation" (w, x, y, z), "velocity" and "angular_velocity". A run goes to `until` with a frame every `frame`, and has
one more frame `rest` later, if that is not zero. A frame is [t, rows], a row position, orientation, velocity and angular velocity of a body.
"""

import math
import random

import numpy

UP = [0.0, 0.0, 1.0]


def about(axis, angle):
    size = math.sqrt(sum(a * a for a in axis))
    return [math.cos(angle / 2)] + [math.sin(angle / 2) * a / size for a in axis]


def moments(shape, mass):
    """Of a ball, or a sharp box: all engines are given them."""
    if "radius" in shape:
        return [0.4 * mass * shape["radius"] ** 2] * 3
    a, b, c = (2 * h for h in shape["half"])
    return [mass * (p * p + q * q) / 12 for p, q in ((b, c), (a, c), (a, b))]


def body(shape, mass, position, orientation=(1.0, 0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), angular=(0.0, 0.0, 0.0)):
    return {
        **shape,
        "mass": mass,
        "inertia": moments(shape, mass),
        "position": list(position),
        "orientation": list(orientation),
        "velocity": list(velocity),
        "angular_velocity": list(angular),
    }


def block(scene):
    return {"half": scene["half"], "rounding": scene["rounding"]}


def pile(scene):
    """Balls on a lattice, each a little off its place, fall into an open box."""
    chance = random.Random(scene["seed"])
    side, radius, pitch = scene["side"], scene["radius"], scene["pitch"]
    edge = side * pitch
    off = lambda: scene["jitter"] * (chance.random() - 0.5)
    bodies = []
    for n in range(scene["bodies"]):
        layer, place = divmod(n, side * side)
        i, j = divmod(place, side)
        at = [(i + 0.5) * pitch + off(), (j + 0.5) * pitch + off(), (layer + 0.5) * pitch + off()]
        bodies.append(body({"radius": radius}, scene["mass"], at))
    walls = [[[1.0, 0.0, 0.0], 0.0], [[-1.0, 0.0, 0.0], -edge], [[0.0, 1.0, 0.0], 0.0], [[0.0, -1.0, 0.0], -edge]]
    return bodies, walls


def boxes(scene):
    """Boxes, turned at random, fall on each other in four columns."""
    chance = random.Random(scene["seed"])
    pitch = scene["pitch"]
    bodies = []
    for n in range(scene["bodies"]):
        layer, place = divmod(n, 4)
        off = lambda: 0.1 * pitch * (chance.random() - 0.5)
        at = [(place % 2) * pitch + off(), (place // 2) * pitch + off(), (layer + 1) * pitch]
        axis = [chance.gauss(0, 1) for _ in range(3)]
        bodies.append(body(block(scene), scene["mass"], at, about(axis, chance.uniform(0, math.pi))))
    return bodies, []


def stack(scene):
    height = 2 * scene["half"][2]
    return [body(block(scene), scene["mass"], [0.0, 0.0, (n + 0.5) * height]) for n in range(scene["bodies"])], []


def dominoes(scene):
    """A row along x; the first turns about its lower edge towards the others."""
    x, _, z = scene["half"]
    speed = scene["turn"]
    bodies = [body(block(scene), scene["mass"], [n * scene["pitch"], 0.0, z]) for n in range(scene["bodies"])]
    bodies[0]["angular_velocity"] = [0.0, speed, 0.0]
    bodies[0]["velocity"] = [speed * z, 0.0, speed * x]
    return bodies, []


def wall(scene):
    """Courses of bricks, every other one half a brick further."""
    x, _, z = scene["half"]
    bodies = []
    for n in range(scene["bodies"]):
        course, place = divmod(n, scene["courses_of"])
        at = (2 * x + scene["gap"]) * (place + 0.5 * (course % 2))
        bodies.append(body(block(scene), scene["mass"], [at, 0.0, (2 * course + 1) * z]))
    return bodies, []


def rack(scene):
    """The cue ball rolls into fifteen balls on a table, with friction everywhere."""
    chance = random.Random(scene["seed"])
    radius = scene["radius"]
    pitch = 2 * radius + scene["gap"]
    ball = {"radius": radius}
    speed = scene["speed"]
    bodies = [
        body(ball, scene["mass"], [-scene["cue_distance"], 0.0, radius], velocity=[speed, 0.0, 0.0], angular=[0.0, speed / radius, 0.0])
    ]
    off = lambda: scene["jitter"] * (chance.random() - 0.5)
    for row in range(5):
        for place in range(row + 1):
            at = [row * pitch * 3**0.5 / 2 + off(), (place - row / 2) * pitch + off(), radius]
            bodies.append(body(ball, scene["mass"], at))
    return bodies, []


MAKERS = {"pile": pile, "boxes": boxes, "stack": stack, "dominoes": dominoes, "wall": wall, "break with friction": rack}


def prepare(scenes):
    made = []
    for name, scene in scenes.items():
        bodies, walls = MAKERS[name](scene)
        kept = {key: scene[key] for key in ("gravity", "friction", "restitution", "until", "rest", "frame", "step")}
        made.append({"name": name, **kept, "planes": [[UP, 0.0], *walls], "bodies": bodies})
    return made


def turned(orientations):
    """Rotation matrices."""
    q = orientations / numpy.linalg.norm(orientations, axis=1)[:, None]
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return numpy.moveaxis(numpy.array(rows), 2, 0)


CORNERS = numpy.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], float)


def penetration(scene, rows):
    """The deepest of balls, or of corners of boxes, in another body or a plane (edges across edges are not looked at)."""
    at, turn = rows[:, :3], turned(rows[:, 3:7])
    bodies = scene["bodies"]
    if "radius" in bodies[0]:
        radius = bodies[0]["radius"]
        points, rounding = at[:, None, :], radius
        gap = numpy.linalg.norm(at[:, None] - at[None], axis=2) - 2 * radius
        between = float(numpy.min(gap + numpy.where(numpy.eye(len(at)) > 0, numpy.inf, 0)))
    else:
        rounding = bodies[0]["rounding"]
        core = numpy.array(bodies[0]["half"]) - rounding
        points = at[:, None, :] + numpy.einsum("nij,cj->nci", turn, CORNERS * core)
        between = math.inf
        for n in range(len(at)):
            near = numpy.linalg.norm(at - at[n], axis=1) < 2 * numpy.linalg.norm(core) + 4 * rounding
            near[n] = False
            if near.any():
                local = numpy.abs((points[near].reshape(-1, 3) - at[n]) @ turn[n]) - core
                outside = numpy.linalg.norm(numpy.maximum(local, 0), axis=1)
                inside = numpy.minimum(local.max(axis=1), 0)
                between = min(between, float((outside + inside).min()) - 2 * rounding)
    planes = [float((points @ numpy.array(normal)).min()) - rounding - offset for normal, offset in scene["planes"]]
    return max(0.0, -min([between, *planes]))


def energy(scene, rows):
    """Kinetic and potential, J."""
    turn = turned(rows[:, 3:7])
    spin = numpy.einsum("nji,nj->ni", turn, rows[:, 10:13])
    total = 0.0
    for n, own in enumerate(scene["bodies"]):
        total += 0.5 * own["mass"] * float(rows[n, 7:10] @ rows[n, 7:10]) + 0.5 * float(spin[n] ** 2 @ numpy.array(own["inertia"]))
        total += own["mass"] * scene["gravity"] * float(rows[n, 2])
    return total


def judge(scene, frames):
    """What the frames of a run tell."""
    tables = [(t, numpy.array(rows, float)) for t, rows in frames]
    until = scene["until"]
    course = [(t, rows) for t, rows in tables if t <= until * (1 + 1e-9)]
    energies = [energy(scene, rows) for _, rows in course]
    size = max(energies) - min(energies)
    scale = sum(own["mass"] for own in scene["bodies"]) * scene["gravity"] * max(scene["bodies"][0].get("half", [0, 0, scene["bodies"][0].get("radius", 0)]))
    rises = sum(max(0.0, b - a) for a, b in zip(energies, energies[1:]))
    found = {
        "energy_rises": rises / max(size, scale),
        "penetration": max(penetration(scene, rows) for _, rows in tables),
        "speed_at_end": float(numpy.abs(course[-1][1][:, 7:10]).max()),
    }
    if scene["rest"] and tables[-1][0] > (until + scene["rest"]) * (1 - 1e-9):
        found["drift"] = float(numpy.linalg.norm(tables[-1][1][:, :3] - course[-1][1][:, :3], axis=1).max())
    return found
