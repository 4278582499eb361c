//! The energetic law, against integrations of its own definition that share nothing with it, closed forms, and the other laws where all agree.

use super::*;

const LAWS: [ImpactLaw; 3] = [ImpactLaw::Newton, ImpactLaw::Poisson, ImpactLaw::Energetic];

fn by(law: ImpactLaw, contact: &ImpactContact) -> [ImpactContact; 1] {
    [ImpactContact { law, ..*contact }]
}

fn collided(delassus: &Delassus, contact: &ImpactContact, law: ImpactLaw) -> ImpactOutcome {
    let options = ImpactOptions {
        energy: EnergyRule::Uncapped,
        opening_speed: 0.0,
        solver: SolverOptions::default(),
    };
    solve_impact_by(delassus, &by(law, contact), &options).expect("impulses")
}

/// One body with random inertia that strikes a fixed one at a random place of it: any positive definite G may come of it.
fn struck(dice: &mut Dice) -> (Scene, ImpactContact) {
    loop {
        let mut scene = random_scene(dice, 1, 1);
        let mut contact = scene.impact_contacts(dice.unit(), 0.0, dice.range(0.0, 2.0))[0];
        if dice.below(4) == 0 {
            contact.restitution_normal = [0.0, 1.0][dice.below(2)];
        }
        if contact.velocity[0] > 0.0 {
            for twist in &mut scene.twists {
                twist.iter_mut().for_each(|part| *part = -*part);
            }
            contact.velocity = scene.gap_rates()[0];
        }
        if contact.velocity[0] < -1e-3 {
            return (scene, contact);
        }
    }
}

/// The definition of the law by small steps in Λ_N: friction against the slip at the end of each step (a projection), the works as sums. First order.
fn by_small_steps(block: &[Triple; 3], contact: &ImpactContact, steps: f64) -> (Triple, Triple) {
    let (e, mu) = (contact.restitution_normal, contact.friction);
    let [xx, xy, yy] = [block[1][1], block[1][2], block[2][2]];
    let mut rate = contact.velocity;
    let mut impulse = [0.0; 3];
    let (mut compressed, mut restored) = (0.0, 0.0);
    let step = -contact.velocity[0] / block[0][0] / steps;
    let stiff = xx + yy;
    loop {
        // Free of friction, then the friction of the step: a fixed point of its projection.
        let free = [rate[1] + block[1][0] * step, rate[2] + block[2][0] * step];
        let mut t = [0.0; 2];
        for _ in 0..400 {
            let slip = [free[0] + xx * t[0] + xy * t[1], free[1] + xy * t[0] + yy * t[1]];
            let wanted = [t[0] - slip[0] / stiff, t[1] - slip[1] / stiff];
            let size = wanted[0].hypot(wanted[1]);
            let fit = if size > mu * step { mu * step / size } else { 1.0 };
            let next = [wanted[0] * fit, wanted[1] * fit];
            let moved = (next[0] - t[0]).hypot(next[1] - t[1]);
            t = next;
            if moved <= 1e-13 * step {
                break;
            }
        }
        let after = [
            rate[0] + block[0][0] * step + block[0][1] * t[0] + block[0][2] * t[1],
            free[0] + xx * t[0] + xy * t[1],
            free[1] + xy * t[0] + yy * t[1],
        ];
        let work = 0.5 * (rate[0] + after[0]) * step;
        if work < 0.0 {
            compressed -= work;
        } else {
            if restored + work >= e * e * compressed {
                return (impulse, rate);
            }
            restored += work;
        }
        rate = after;
        impulse = [impulse[0] + step, impulse[1] + t[0], impulse[2] + t[1]];
        assert!(impulse[0] < 1e4 * step * steps, "no end");
    }
}

#[test]
fn random_collisions_are_those_of_small_steps() {
    let mut dice = Dice(0x57_0e01);
    let mut turned = 0;
    for round in 0..150 {
        let (scene, contact) = struck(&mut dice);
        let delassus = scene.delassus();
        let found = collided(&delassus, &contact, ImpactLaw::Energetic);
        let block = delassus.block(0, 0).expect("a block");
        let (coarse, _) = by_small_steps(&block, &contact, 2000.0);
        let (fine, _) = by_small_steps(&block, &contact, 4000.0);
        let size: f64 = fine.iter().map(|part| part.abs()).sum();
        let [_, x, y] = contact.velocity;
        let [_, u, v] = found.velocities_after[0];
        turned += usize::from((x * v - y * u).abs() > 0.1 * x.hypot(y) * u.hypot(v));
        for k in 0..3 {
            let off = (found.impulses[0][k] - fine[k]).abs();
            // First order: what two step sizes differ by is about what the finer one is off.
            let allowed = 4.0 * (coarse[k] - fine[k]).abs() + 2e-3 * size;
            assert!(off <= allowed, "round {round}, {k}: {off} {allowed} {contact:?}");
        }
        assert!(found.reports[0].residual <= 1e-12, "{:?}", found.reports[0]);
    }
    assert!(turned > 30, "{turned}");
}

/// Judged by masses and twists, whatever e and μ are; and the impulse is in its cone, the contact does not close any more.
#[test]
fn no_collision_adds_energy() {
    let mut dice = Dice(0x57_0e02);
    for round in 0..20_000 {
        let (scene, contact) = struck(&mut dice);
        let delassus = scene.delassus();
        let found = collided(&delassus, &contact, ImpactLaw::Energetic);
        let before = scene.energy(&scene.twists);
        let after = scene.energy(&scene.after(&delassus, &found));
        assert!(after <= before * (1.0 + 1e-12), "round {round}: {before} {after}");
        let ([n, x, y], rate) = (found.impulses[0], found.velocities_after[0]);
        assert!(
            n > 0.0 && x.hypot(y) <= contact.friction * n * (1.0 + 1e-12),
            "round {round}"
        );
        assert!(
            rate[0] >= -1e-12 * contact.velocity[0].abs().max(1.0),
            "round {round}: {rate:?}"
        );
        let sum =
            |p: &Triple, a: &Triple, b: &Triple| (0..3).map(|k| 0.5 * p[k] * (a[k] + b[k])).sum::<f64>();
        let change = sum(&found.impulses[0], &contact.velocity, &rate);
        assert_close(after - before, change, 1e-10 * (1.0 + before));
    }
}

/// Without friction; balls, with friction of any size; and bodies that slip in one direction all the time.
#[test]
fn all_laws_agree_where_they_must() {
    let mut dice = Dice(0x57_0e03);
    let mut slipped = 0;
    let agree = |scene: &Scene, contact: &ImpactContact, what: &str| {
        let delassus = scene.delassus();
        let all = LAWS.map(|law| collided(&delassus, contact, law).impulses[0]);
        let size: f64 = all[0].iter().map(|part| part.abs()).sum();
        for impulse in &all[1..] {
            for k in 0..3 {
                assert_close(impulse[k], all[0][k], 1e-11 * size.max(f64::MIN_POSITIVE));
            }
        }
        assert!(size > 0.0, "{what}");
    };
    for _ in 0..2000 {
        let (scene, contact) = struck(&mut dice);
        agree(
            &scene,
            &ImpactContact {
                friction: 0.0,
                ..contact
            },
            "smooth",
        );
        let mut balls = Scene::default();
        let velocity = vector(
            dice.range(-3.0, 3.0),
            dice.range(-3.0, 3.0),
            dice.range(-2.0, -0.1),
        );
        let ball = balls.add_ball(dice.range(0.1, 5.0), 0.5, velocity);
        balls.twists[0][3..].copy_from_slice(&[0; 3].map(|_| dice.range(-4.0, 4.0)));
        balls.touch(&Vec3::unit_z(), None, Some((ball, vector(0.0, 0.0, -0.5))));
        let own = balls.impact_contacts(dice.unit(), 0.0, dice.range(0.0, 2.0))[0];
        agree(&balls, &own, "ball");
        // A plane rod that slips to the right at least as fast as it can be slowed.
        let (rod, contact) = plane_rod(&mut dice, [1.0, 50.0]);
        let after = collided(&rod.delassus(), &contact, ImpactLaw::Energetic).velocities_after[0];
        if after[1] > 1e-6 {
            slipped += 1;
            agree(&rod, &contact, "slip in one direction");
        }
    }
    assert!(slipped > 500, "{slipped}");
}

/// A rod in a plane, at a random angle, whose end strikes the ground while it slips along x with a speed in a range.
fn plane_rod(dice: &mut Dice, speeds: [f64; 2]) -> (Scene, ImpactContact) {
    let (mass, half, angle) = (dice.range(0.5, 3.0), dice.range(0.3, 2.0), dice.range(0.1, 3.0));
    let inverse = 3.0 / (mass * half * half);
    let mut scene = Scene::default();
    let inertia = dyverse_num::Mat3::diagonal(vector(inverse, inverse, inverse));
    let rod = scene.add(
        InverseMass {
            inverse_mass: 1.0 / mass,
            inverse_inertia: inertia,
        },
        [0.0; 6],
    );
    // Its plane is that of the normal and the first tangent.
    let [_, tx, _] = frame(&Vec3::unit_z());
    let arm = tx.scale(&(half * angle.cos())) - Vec3::unit_z().scale(&(half * angle.sin()));
    scene.touch(&Vec3::unit_z(), None, Some((rod, arm)));
    let speed = dice.range(speeds[0], speeds[1]);
    let velocity = tx.scale(&speed) + Vec3::unit_z().scale(&-dice.range(0.1, 2.0));
    scene.twists[0][..3].copy_from_slice(&[velocity.x, velocity.y, velocity.z]);
    let contact = scene.impact_contacts(dice.unit(), 0.0, dice.range(0.0, 2.0))[0];
    (scene, contact)
}

/// Stronge's rod: a plane rod, whose slip stops, then sticks or turns round, in compression or in restitution. The course is piecewise linear, and its pieces are found here by their cases
/// \[Stronge 2000, ch. 3 and 5\], in other words than the solver's.
#[test]
fn plane_rods_are_those_of_the_closed_form() {
    let mut dice = Dice(0x57_0e04);
    let mut cases = [0; 6];
    for round in 0..5000 {
        let (rod, contact) = plane_rod(&mut dice, [-3.0, 3.0]);
        let delassus = rod.delassus();
        let block = delassus.block(0, 0).expect("a block");
        let (a, b, c) = (block[0][0], block[1][0], block[1][1]);
        assert!(block[0][2].abs() < 1e-12 && block[1][2].abs() < 1e-12);
        let (e, mu) = (contact.restitution_normal, contact.friction);
        let [normal, slip, _] = contact.velocity;
        let s = slip.signum();
        // While it slips.
        let (rise, pull) = (a - mu * s * b, b - mu * s * c);
        let p_stop = if s * pull < 0.0 {
            -slip / pull
        } else {
            f64::INFINITY
        };
        // Once it has stopped.
        let sticks = b.abs() <= mu * c;
        let later = if sticks { -b / c } else { -mu * b.signum() };
        let rise_later = a + b * later;
        // γ_N and the work as functions of p.
        let rate = |p: f64| normal + rise * p.min(p_stop) + rise_later * (p - p_stop).max(0.0);
        let p_turn = if rise > 0.0 && -normal / rise <= p_stop {
            -normal / rise
        } else {
            p_stop - rate(p_stop) / rise_later
        };
        let work = |from: f64, to: f64| {
            // Of a piecewise linear function, by trapezoids.
            let middle = p_stop.clamp(from, to);
            0.5 * (rate(from) + rate(middle)) * (middle - from)
                + 0.5 * (rate(middle) + rate(to)) * (to - middle)
        };
        let wanted = -e * e * work(0.0, p_turn);
        let (mut low, mut high) = (p_turn, 2.0 * p_turn);
        while work(p_turn, high) < wanted {
            high *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if work(p_turn, middle) < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        let p = high;
        let along = -mu * s * p.min(p_stop) + later * (p - p_stop).max(0.0);
        let case = match (p_stop < p_turn, p_stop < p, sticks) {
            (_, false, _) => usize::from(rise < 0.0),
            (true, _, true) => 2,
            (true, _, false) => 3,
            (false, _, true) => 4,
            (false, _, false) => 5,
        };
        cases[case] += 1;
        let found = collided(&delassus, &contact, ImpactLaw::Energetic).impulses[0];
        for (k, wanted) in [p, along, 0.0].into_iter().enumerate() {
            assert!(
                (found[k] - wanted).abs() <= 1e-11 * p * (1.0 + mu),
                "round {round}, case {case}, {k}: {found:?} {wanted} {contact:?}"
            );
        }
    }
    assert!(
        cases[1] == 0 && [0, 2, 3, 4, 5].iter().all(|case| cases[*case] > 50),
        "{cases:?}"
    );
}

/// Contacts that act on each other do not collide at once by this law, nor by different ones; contacts that do not act on each other do, each by its own.
#[test]
fn groups_have_laws_of_their_own() {
    let mut dice = Dice(0x57_0e05);
    let settings = SequentialOptions::default();
    let options = ImpactOptions {
        energy: EnergyRule::Capped,
        opening_speed: settings.closing_speed,
        solver: SolverOptions::default(),
    };
    let mut scene = Scene::default();
    let mut balls = Vec::new();
    for _ in 0..6 {
        balls.push(scene.add_ball(dice.range(0.5, 2.0), 0.5, vector(0.0, 0.0, 0.0)));
    }
    for (n, speed) in [1.0, 0.3, -0.4, 1.0, 0.2, -0.5].into_iter().enumerate() {
        scene.twists[n][0] = speed;
    }
    let along = Vec3::unit_x();
    for (first, second) in [(0, 1), (1, 2), (3, 4), (4, 5)] {
        scene.touch(
            &along,
            Some((balls[first], along.scale(&0.5))),
            Some((balls[second], along.scale(&-0.5))),
        );
    }
    let mut contacts = scene.impact_contacts(0.7, 0.0, 0.4);
    contacts[1].law = ImpactLaw::Energetic;
    let delassus = scene.delassus();
    let refused = solve_impact_by(&delassus, &contacts, &options);
    assert!(
        matches!(&refused, Err(ImpactError::NotTogether { contacts }) if *contacts == [0, 1]),
        "{refused:?}"
    );
    let friction = |j: usize, _: &Triple| contacts[j].friction;
    let (sum, joint, collisions) =
        solve_impact_apart(&delassus, &contacts, &friction, &settings).expect("impulses");
    assert_eq!(joint.iter().map(|(j, _)| *j).collect::<Vec<_>>(), [2, 3]);
    assert!(collisions.iter().all(|c| c.contact < 2) && !collisions.is_empty());
    let newton: Vec<_> = by_all(ImpactLaw::Newton, &contacts);
    let together = solve_impact_by(&delassus, &newton, &options).expect("impulses");
    for j in [2, 3] {
        for k in 0..3 {
            assert_close(sum.impulses[j][k], together.impulses[j][k], 1e-12);
        }
    }
    let before = scene.energy(&scene.twists);
    assert!(scene.energy(&scene.after(&delassus, &sum)) <= before * (1.0 + 1e-9));
    assert!(
        sum.velocities_after
            .iter()
            .all(|rate| rate[0] >= -settings.closing_speed)
    );
}

fn by_all(law: ImpactLaw, contacts: &[ImpactContact]) -> Vec<ImpactContact> {
    contacts
        .iter()
        .map(|contact| ImpactContact { law, ..*contact })
        .collect()
}
