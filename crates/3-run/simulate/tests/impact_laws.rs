//! Laws of impact by model and by pair: what they add or take, where they agree, and that the judge of traces knows one from the other.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_replay::{ReplayOptions, replay};
use dyverse_trace::{Trace, TransitionKind};
use support::scene::Random;
use support::thrown::{impacts, rod, scene, without_gain};
use support::{close, last, model, options, simulate};

const LAWS: [&str; 3] = ["newton", "poisson", "energetic"];

/// A scene without tangential restitution, which the energetic law does not have.
fn untwisted(random: &mut Random, policy: &str) -> String {
    let text = scene(random, policy);
    let (before, rest) = text.split_once("tangential_restitution = ").unwrap();
    let (_, after) = rest.split_once(' ').unwrap();
    format!("{before}tangential_restitution = 0 {after}")
}

/// The same with a law for each pair, drawn.
fn mixed(random: &mut Random) -> String {
    let policy = ["simultaneous", "poisson", "energetic", "sequential any"][random.below(4)];
    let mut text = untwisted(random, policy);
    let count = (0..3).filter(|n| text.contains(&format!("entity b{n} "))).count();
    for first in 0..count {
        for second in (first + 1..count)
            .map(|n| format!("b{n}"))
            .chain(["floor".into()])
        {
            if random.below(3) > 0 {
                text += &format!(
                    "contact b{first}, {second} {{ law = {} }}\n",
                    LAWS[random.below(3)]
                );
            }
        }
    }
    text
}

/// `support::simulate` has each trace judged by code of its own.
fn check_scenes(make: impl Fn(&mut Random) -> String, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut seen, mut steps, mut stopped) = (0, 0, 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let (trace, impacts) = without_gain(&make(&mut Random(88_000 + seed)));
        seen += impacts;
        stopped += u64::from(!trace.stop.reason.is_complete());
        steps += trace.transitions.iter().filter(|t| is_step(t)).count();
    }
    assert!(stopped * 8 < count, "{stopped} of {count} stopped");
    (seen, steps)
}

fn is_step(taken: &dyverse_trace::Transition) -> bool {
    taken.kind == TransitionKind::Impact && taken.guard == "ġ_N < 0"
}

#[test]
fn the_energetic_law_adds_no_energy() {
    let (seen, _) = check_scenes(|random| untwisted(random, "energetic"), 0..80);
    assert!(seen > 80, "{seen}");
}

#[test]
fn pairs_with_laws_of_their_own_add_no_energy() {
    let (seen, steps) = check_scenes(mixed, 1000..1080);
    assert!(seen > 80 && steps > 5, "{seen} {steps}");
}

/// By how much each law changes the energy of the thrown rod; the numbers are those of CONTACT_METHODS, measured by other code to their digits.
#[test]
fn the_thrown_rod() {
    let text = rod().replace("tangential_restitution=-1", "tangential_restitution=0");
    for (law, change) in [("poisson", -2.699), ("energetic", -2.663)] {
        let model = model(&format!("{text}\nimpacts {law}"));
        let trace = simulate(&model, &options(0.6)).unwrap();
        let (before, after) = impacts(&model, &trace)[0];
        close(after - before, change, 5e-4);
        assert!(trace.impact_gains.is_empty());
    }
}

/// The shipped rod: slip stops in compression, and goes on the other way. By the closed form of its piecewise linear course.
#[test]
fn the_shipped_rod() {
    let trace = simulate(&support::example("thrown_rod"), &options(0.3)).unwrap();
    let (e, mu, v, u, inertia) = (0.8, 0.3, 0.5, 1.0, 1.0 / 12.0);
    let (x, z) = (-(0.125_f64).sqrt(), -(0.125_f64).sqrt() - 0.01);
    let (a, b, c) = (1.0 + x * x / inertia, -x * z / inertia, 1.0 + z * z / inertia);
    let stop = v / (mu * c - b);
    let closing = u - (a - mu * b) * stop;
    let turn = stop + closing / (a + mu * b);
    let work = 0.5 * (u + closing) * stop + 0.5 * closing * (turn - stop);
    let leaves = (2.0 * (a + mu * b) * e * e * work).sqrt();
    let normal = turn + leaves / (a + mu * b);
    let along = mu * (normal - 2.0 * stop);
    assert!(closing > 0.0 && b.abs() > mu * c && leaves > 0.6);
    close(last(&trace, "rod.vz"), normal - u, 1e-11);
    close(last(&trace, "rod.vx"), v + along, 1e-11);
    close(last(&trace, "rod.wy"), (z * along - x * normal) / inertia, 1e-11);
    assert_eq!(trace.statistics.impacts, 1);
}

/// A trace by one law is none of a model with another.
#[test]
fn the_judge_knows_the_law() {
    let rod = |law: &str| {
        format!(
            "entity rod {{ capsule(radius = 0.02, length = 1) mass = 1 position = (0, 0, 0.6) velocity = (1.5, 0.4, -2)
               orientation = rotation(axis = (0.2, 1, 0), angle = 0.7) angular_velocity = (0, 1, 0.5) }}
             fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
             contact default {{ restitution = 0.6 friction = 0.3 law = {law} }}
             gravity (0, 0, -9.81)"
        )
    };
    let first = |trace: &Trace| {
        let hit = trace.transitions.iter().find(|t| !t.forces.is_empty()).unwrap();
        hit.forces[0].normal
    };
    let mut seen = Vec::new();
    for law in LAWS {
        let own = model(&rod(law));
        let trace = simulate(&own, &options(0.4)).unwrap();
        seen.push(first(&trace));
        for other in LAWS.iter().filter(|other| **other != law && **other != "poisson") {
            let judged = replay(&model(&rod(other)), &trace, &ReplayOptions::default()).unwrap();
            assert!(!judged.is_accepted(), "made by {law}, judged by {other}");
        }
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!((seen[a] - seen[b]).abs() > 1e-3, "{seen:?}");
    }
}

/// Balls with friction and spin, and bodies of any shape without friction: one contact at a time, the three laws are one.
#[test]
fn laws_agree_where_they_must() {
    for (shape, friction) in [
        ("sphere(radius = 0.2)", 0.4),
        ("ellipsoid(semi_axes = (0.2, 0.3, 0.15))", 0.0),
    ] {
        let end = |law: &str| {
            let trace = support::run(
                &format!(
                    "entity a {{ {shape} mass = 1 position = (0, 0, 0.6) velocity = (0.3, 0, -1) angular_velocity = (3, -2, 4) }}
                     entity b {{ {shape} mass = 2 position = (0.05, 0.1, 1.6) velocity = (0, 0, -4) angular_velocity = (1, 5, 0) }}
                     fixed entity floor {{ half_space(normal = (0, 0, 1), offset = 0) }}
                     contact default {{ restitution = 0.7 friction = {friction} }}
                     contact a, b {{ law = {law} }}
                     impacts {}
                     gravity (0, 0, -9.81)",
                    if law == "newton" { "simultaneous" } else { law }
                ),
                0.6,
            );
            assert!(trace.statistics.impacts > 1);
            ["a.x", "a.vz", "a.wy", "b.x", "b.vz", "b.wx"].map(|signal| last(&trace, signal))
        };
        let newton = end("newton");
        for law in ["poisson", "energetic"] {
            for (found, expected) in end(law).into_iter().zip(newton) {
                close(found, expected, 1e-8);
            }
        }
    }
}

/// Three equal balls in a row, the middle and the last touching. Newton's law at both contacts: all at once (−v/3, 2v/3, 2v/3). With the energetic law at one of them they collide one
/// after another, and the velocity is passed on; another such row beside it, by Newton's law, strikes at the same instant and stays as it was.
#[test]
fn contacts_that_act_on_each_other_collide_one_after_another() {
    let row = |y: f64, names: [&str; 3]| {
        let ball = |n: usize, x: f64, v: f64| {
            format!(
                "entity {} {{ sphere(radius = 0.5) mass = 1 position = ({x}, {y}, 0) velocity = ({v}, 0, 0) }}\n",
                names[n]
            )
        };
        ball(0, -2.0, 1.0) + &ball(1, 0.0, 0.0) + &ball(2, 1.0, 0.0)
    };
    let text = row(0.0, ["a", "b", "c"])
        + &row(5.0, ["d", "e", "f"])
        + "contact default { restitution = 1 }\ncontact b, c { law = energetic }\n";
    let model = model(&text);
    let trace = simulate(&model, &options(2.0)).unwrap();
    for (signal, expected) in [
        ("a.vx", 0.0),
        ("b.vx", 0.0),
        ("c.vx", 1.0),
        ("d.vx", -1.0 / 3.0),
        ("e.vx", 2.0 / 3.0),
        ("f.vx", 2.0 / 3.0),
    ] {
        close(last(&trace, signal), expected, 1e-9);
    }
    let hits = trace
        .transitions
        .iter()
        .filter(|t| t.kind == TransitionKind::Impact);
    let told: Vec<Vec<&str>> = hits
        .map(|t| t.forces.iter().map(|f| f.contact.as_str()).collect())
        .collect();
    let all: usize = told.iter().map(Vec::len).sum();
    assert_eq!(all, 4, "{told:?}");
}
