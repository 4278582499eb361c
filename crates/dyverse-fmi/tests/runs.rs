//! Saved states and directional derivatives of what runs inside an FMU. (That FMUs do what a run does: `conformance` of the crate `dyverse-block`.)
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::undocumented_unsafe_blocks,
    missing_docs
)]

use crate::support;

use dyverse_block::{Instance, Value};
use support::{BALL, TANK, resources};

/// A state that is saved, as bytes too, and given to another instance, goes on with the same bits.
#[test]
fn saved_states_go_on_with_the_same_bits() {
    for (name, text) in [("ball.drbt", BALL), ("tank.dam", TANK)] {
        let of = resources(name, text);
        let mut first = Instance::new(&of.source);
        first.begin().unwrap();
        first.finish_instant().unwrap();
        for until in [0.31, 0.777, 1.5] {
            first.step(until, false).unwrap();
            let words = first.save().unwrap();
            let mut second = Instance::new(&of.source);
            second.load(&words).unwrap();
            let mut third = Instance::new(&of.source);
            third.load(&words).unwrap();
            second.step(2.0, false).unwrap();
            third.step(2.0, false).unwrap();
            let bits = |instance: &mut Instance<'_>| -> Vec<u64> {
                instance.states().unwrap().iter().map(|x| x.to_bits()).collect()
            };
            assert_eq!(bits(&mut second), bits(&mut third), "{name} from {until}");
            assert_eq!(second.save().unwrap(), third.save().unwrap());
        }
    }
}

/// Directional derivatives against formulas known by heart: free flight, and a tank that is filled.
#[test]
fn directional_derivatives_are_right() {
    let of = resources("ball.drbt", BALL);
    let mut instance = Instance::new(&of.source);
    instance.begin().unwrap();
    instance.finish_instant().unwrap();
    let find = |name: &str| of.source.description.find(name).unwrap();
    // d(ball.x)'/d(ball.vx) = 1; d(ball.vx)'/d(push) = 1/m; d(gap)/d(ball.y) = 1.
    for (of, by, expected) in [
        ("der(ball.x)", "ball.vx", 1.0),
        ("der(ball.vx)", "push", 1.0),
        ("der(ball.vy)", "push", 0.0),
        ("gap(ball-floor)", "ball.y", 1.0),
    ] {
        let found = instance
            .directional_derivative(&[find(of)], &[find(by)], &[2.0])
            .unwrap();
        assert!(
            (found[0] - 2.0 * expected).abs() < 1e-9,
            "{of} by {by}: {found:?}"
        );
    }
    let of = resources("tank.dam", TANK);
    let mut instance = Instance::new(&of.source);
    instance.begin().unwrap();
    instance.finish_instant().unwrap();
    let find = |name: &str| of.source.description.find(name).unwrap();
    let derivative = of.source.description.derivatives[0];
    let found = instance.directional_derivative(&[derivative], &[find("inflow")], &[1.0]);
    assert!((found.unwrap()[0] - 1.0).abs() < 1e-9);
    assert_eq!(instance.get(find("mode(level)")), Ok(Value::Integer(1)));
}
