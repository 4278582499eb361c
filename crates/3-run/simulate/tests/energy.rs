//! No impact adds kinetic energy, whatever the shapes, the coefficients and the policy; judged by masses, inertias and the velocities of the trace.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use support::scene::Random;
use support::thrown::{few, impacts, rod, scene, without_gain};
use support::{close, model, options, simulate};

const POLICIES: [&str; 5] = [
    "simultaneous",
    "poisson",
    "sequential first",
    "sequential random(5)",
    "sequential any",
];

#[test]
fn no_impact_adds_energy() {
    let (mut seen, mut capped, mut stopped) = (0, 0, 0);
    for seed in 0..130 {
        let mut random = Random(77_000 + seed);
        let policy = POLICIES[seed as usize % POLICIES.len()];
        let text = scene(&mut random, policy);
        let (trace, count) = without_gain(&text);
        seen += count;
        stopped += usize::from(!trace.stop.reason.is_complete());
        assert!(trace.impact_gains.iter().all(|gain| gain.is_capped()), "{text}");
        capped += trace.impact_gains.len();

        // The law as it stands: it says what it added, and where it adds nothing both runs are the same.
        let plain = text.replace(policy, &format!("{policy} uncapped"));
        let plain = model(&plain);
        let told = simulate(&plain, &few()).unwrap();
        assert!(told.impact_gains.iter().all(|gain| !gain.is_capped()), "{text}");
        if trace.impact_gains.is_empty() {
            assert_eq!(trace.transitions, told.transitions, "{text}");
            assert!(told.impact_gains.is_empty());
        } else {
            assert!(!told.impact_gains.is_empty(), "{text}");
            let gained = impacts(&plain, &told)
                .iter()
                .any(|(before, after)| after > before);
            assert!(
                gained || !told.stop.reason.is_complete() || told.statistics.impacts > 1,
                "{text}"
            );
        }
    }
    println!("{seen} impacts, {capped} pairs capped, {stopped} stopped");
    assert!(
        seen > 150 && capped > 10 && stopped < 13,
        "{seen} {capped} {stopped}"
    );
}

/// +44 % by Newton's law as it stands; the numbers are those of CONTACT_METHODS, measured by other code.
#[test]
fn a_rod_keeps_its_energy() {
    let text = rod();
    let capped = model(&text);
    let trace = simulate(&capped, &options(0.6)).unwrap();
    let all = impacts(&capped, &trace);
    assert_eq!(all.len(), 1);
    let (before, after) = all[0];
    close(after, before, 1e-9);
    let [gain] = &trace.impact_gains[..] else {
        panic!("{:?}", trace.impact_gains)
    };
    close(gain.least_share, 0.599, 5e-4);
    close(gain.added, 4.447, 5e-4);
    assert_eq!(gain.pair, ["a", "floor"]);

    let plain = model(&format!("{text}\nimpacts simultaneous uncapped"));
    let trace = simulate(&plain, &options(0.6)).unwrap();
    let (before, after) = impacts(&plain, &trace)[0];
    close(after - before, 4.447, 5e-4);
    close(trace.impact_gains[0].added, after - before, 1e-9);
    assert!(!trace.impact_gains[0].is_capped());
}
