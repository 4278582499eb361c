//! Impacts add no energy, by whatever law; judged by masses and twists, not by what the solver says.

use super::*;

const LAWS: [ImpactLaw; 2] = [ImpactLaw::Newton, ImpactLaw::Poisson];

/// The same contacts by a law.
fn by(law: ImpactLaw, contacts: &[ImpactContact]) -> Vec<ImpactContact> {
    contacts
        .iter()
        .map(|contact| ImpactContact { law, ..*contact })
        .collect()
}

fn options(energy: EnergyRule) -> ImpactOptions {
    ImpactOptions {
        energy,
        opening_speed: 0.0,
        solver: SolverOptions::default(),
    }
}

/// Contacts that close, each with coefficients of its own.
fn closing(dice: &mut Dice, scene: &mut Scene) -> Vec<ImpactContact> {
    for (contact, rate) in scene.gap_rates().iter().enumerate() {
        if rate[0] > 0.0 {
            let sides = &mut scene.contacts[contact];
            for side in [&mut sides.first, &mut sides.second].into_iter().flatten() {
                side.columns
                    .as_flattened_mut()
                    .iter_mut()
                    .for_each(|entry| *entry = -*entry);
            }
        }
    }
    let mut contacts = scene.impact_contacts(0.0, 0.0, 0.0);
    for contact in &mut contacts {
        contact.restitution_normal = [0.0, 1.0, dice.unit()][dice.below(3)];
        contact.restitution_tangential = [-1.0, 0.0, 1.0, dice.range(-1.0, 1.0)][dice.below(4)];
        contact.friction = [0.0, dice.range(0.0, 2.0), dice.range(0.0, 2.0)][dice.below(3)];
    }
    contacts
}

/// The law with the shares that acted, written out apart from the solver.
fn check_newton(contacts: &[ImpactContact], outcome: &ImpactOutcome, tolerance: f64) {
    for (j, contact) in contacts.iter().enumerate() {
        let share = outcome
            .gains
            .iter()
            .find(|g| g.contacts.contains(&j))
            .map_or(1.0, |g| g.share);
        let scaled = contact.with_share(share);
        let ([n, x, y], after) = (outcome.impulses[j], outcome.velocities_after[j]);
        let (e, et) = (scaled.restitution_normal, scaled.restitution_tangential);
        let factor = [e, et, et];
        let [gn, gx, gy] = [0, 1, 2].map(|k| after[k] + factor[k] * contact.velocity[k]);
        assert!(n >= 0.0 && gn >= -tolerance, "contact {j}: {n} {gn}");
        assert!(n * gn <= tolerance * (1.0 + n), "contact {j}: {n} {gn}");
        let (force, radius) = (x.hypot(y), contact.friction * n);
        assert!(force <= radius * (1.0 + 1e-12), "contact {j}: {force} {radius}");
        let loss = x * gx + y * gy + radius * gx.hypot(gy);
        assert!(loss.abs() <= tolerance * (1.0 + radius), "contact {j}: {loss}");
    }
}

#[test]
fn no_impact_of_all_contacts_together_adds_energy() {
    let mut dice = Dice(0x5eed_0e01);
    let (mut capped, mut lost) = ([0; 2], 0);
    for round in 0..1000 {
        let (entities, contacts) = (1 + dice.below(4), 1 + dice.below(6));
        let mut scene = random_scene(&mut dice, entities, contacts);
        let contacts = closing(&mut dice, &mut scene);
        let delassus = scene.delassus();
        let before = scene.energy(&scene.twists);
        for (count, law) in capped.iter_mut().zip(LAWS) {
            // Contacts jammed against each other may have no impulses where e_T is another than e_N, by either law.
            let contacts = by(law, &contacts);
            let Ok(outcome) = solve_impact_by(&delassus, &contacts, &options(EnergyRule::Capped)) else {
                lost += 1;
                continue;
            };
            let after = scene.energy(&scene.after(&delassus, &outcome));
            assert!(
                after <= before * (1.0 + 1e-8),
                "round {round} {law:?}: {before} {after}"
            );
            assert_close(after - before, outcome.energy_change, 1e-9 * (1.0 + before));
            if law == ImpactLaw::Newton {
                check_newton(&contacts, &outcome, 1e-8);
            }
            for gain in &outcome.gains {
                *count += 1;
                assert!((0.0..1.0).contains(&gain.share) && gain.added > 0.0, "{gain:?}");
                assert!(gain.contacts.contains(&gain.most_at));
            }
            let plain =
                solve_impact_by(&delassus, &contacts, &options(EnergyRule::Uncapped)).expect("impulses");
            let alone = match law {
                ImpactLaw::Newton | ImpactLaw::Energetic => {
                    solve_impact(&delassus, &contacts, &SolverOptions::default())
                }
                ImpactLaw::Poisson => solve_impact_poisson(&delassus, &contacts, &SolverOptions::default()),
            };
            assert_eq!(
                plain.impulses,
                alone.expect("impulses").impulses,
                "the law as it stands"
            );
            if outcome.gains.is_empty() {
                assert_eq!(plain.impulses, outcome.impulses, "nothing to cap");
                assert!(plain.gains.is_empty());
            }
        }
    }
    assert!(
        capped.iter().all(|count| *count > 50) && lost < 20,
        "{capped:?} {lost}"
    );
}

/// A group that gains nothing keeps its impulses to the last bit, whatever happens in others at the same instant.
#[test]
fn groups_are_capped_apart() {
    let mut dice = Dice(0x5eed_0e02);
    let mut mixed = 0;
    for _ in 0..400 {
        let mut scene = random_scene(&mut dice, 2, 3);
        let other = random_scene(&mut dice, 2, 3);
        let shift = |side: Option<EntityColumns<f64>>| {
            side.map(|side| EntityColumns {
                entity: MassId(side.entity.0 + 2),
                ..side
            })
        };
        scene.masses.extend(other.masses);
        scene.twists.extend(other.twists);
        scene
            .contacts
            .extend(other.contacts.into_iter().map(|c| ContactDirections {
                first: shift(c.first),
                second: shift(c.second),
            }));
        let contacts = closing(&mut dice, &mut scene);
        let delassus = scene.delassus();
        for group in delassus.groups() {
            assert!(
                group.iter().all(|j| *j < 3) || group.iter().all(|j| *j >= 3),
                "{group:?}"
            );
        }
        let law = options(EnergyRule::Capped);
        let Ok(outcome) = solve_impact_by(&delassus, &contacts, &law) else {
            continue;
        };
        let plain = solve_impact(&delassus, &contacts, &SolverOptions::default()).expect("impulses");
        for j in 0..contacts.len() {
            if !outcome.gains.iter().any(|gain| gain.contacts.contains(&j)) {
                assert_eq!(outcome.impulses[j], plain.impulses[j]);
                mixed += usize::from(!outcome.gains.is_empty());
            }
        }
    }
    assert!(mixed > 20, "{mixed}");
}

#[test]
fn no_single_collision_adds_energy() {
    let mut dice = Dice(0x5eed_0e03);
    let mut capped = 0;
    for round in 0..3000 {
        let (entities, contacts) = (1 + dice.below(3), 1 + dice.below(3));
        let mut scene = random_scene(&mut dice, entities, contacts);
        let contacts = closing(&mut dice, &mut scene);
        let delassus = scene.delassus();
        let settings = SequentialOptions {
            collision_limit: 200,
            ..SequentialOptions::default()
        };
        let mut impact = SequentialImpact::new(&delassus, &contacts, settings).expect("contacts");
        let mut energy = 0.0;
        for _ in 0..20 {
            let Some(first) = impact.closing().first().copied() else {
                break;
            };
            let before = impact.velocities().to_vec();
            let collision = impact.collide(first).expect("a collision");
            capped += usize::from(collision.gain.is_some());
            let rates = before[first]
                .iter()
                .zip(impact.velocities()[first])
                .zip(collision.impulse);
            let change: f64 = rates.map(|((a, b), p)| 0.5 * p * (a + b)).sum();
            energy += change;
            assert!(change <= 1e-9 * (1.0 + energy.abs()), "round {round}: {change}");
        }
    }
    assert!(capped > 100, "{capped}");
}

/// The share is as large as it can be: a little more of it adds energy.
#[test]
fn the_share_is_the_largest() {
    let mut dice = Dice(0x5eed_0e04);
    let mut seen = 0;
    for _ in 0..600 {
        let mut scene = random_scene(&mut dice, 1, 1);
        let contacts = closing(&mut dice, &mut scene);
        let delassus = scene.delassus();
        let law = options(EnergyRule::Capped);
        let outcome = solve_impact_by(&delassus, &contacts, &law).expect("impulses");
        let Some(gain) = outcome.gains.first() else {
            continue;
        };
        seen += 1;
        let more = [contacts[0].with_share((gain.share + 1e-6).min(1.0))];
        let above = solve_impact(&delassus, &more, &SolverOptions::default()).expect("impulses");
        assert!(above.energy_change > 0.0, "{gain:?} {}", above.energy_change);
        assert!(
            outcome.energy_change.abs() <= 1e-9 * (1.0 + gain.added),
            "{}",
            outcome.energy_change
        );
    }
    assert!(seen > 30, "{seen}");
}

/// What the header claims: coefficients that are the same at all contacts and in all directions add no energy, and neither does one contact of spheres.
#[test]
fn the_cap_never_acts_where_it_need_not() {
    let mut dice = Dice(0x5eed_0e05);
    for round in 0..2000 {
        let (entities, contacts) = (1 + dice.below(4), 1 + dice.below(6));
        let mut scene = random_scene(&mut dice, entities, contacts);
        let mut contacts = closing(&mut dice, &mut scene);
        let e = [0.0, 1.0, dice.unit()][round % 3];
        let is_smooth = round % 2 == 0;
        for contact in &mut contacts {
            if is_smooth {
                contact.friction = 0.0;
            } else {
                (contact.restitution_normal, contact.restitution_tangential) = (e, e);
            }
        }
        let law = options(EnergyRule::Capped);
        let outcome = solve_impact_by(&scene.delassus(), &contacts, &law).expect("impulses");
        assert!(outcome.gains.is_empty(), "round {round}: {:?}", outcome.gains);

        let mut balls = Scene::default();
        let first = balls.add_ball(dice.range(0.1, 5.0), 0.7, dice.direction());
        let second = balls.add_ball(dice.range(0.1, 5.0), 0.3, dice.direction());
        for twist in &mut balls.twists {
            twist[3..].copy_from_slice(&[0; 3].map(|_| dice.range(-4.0, 4.0)));
        }
        let n = dice.direction();
        balls.touch(&n, Some((first, n.scale(&0.7))), Some((second, n.scale(&-0.3))));
        let contacts = closing(&mut dice, &mut balls);
        for law in LAWS {
            let outcome = solve_impact_by(
                &balls.delassus(),
                &by(law, &contacts),
                &options(EnergyRule::Capped),
            );
            assert!(outcome.expect("impulses").gains.is_empty());
        }
    }
}
