//! Published results of Siconos' examples (siconos/siconos-tutorials, `examples/mechanics`, files `.ref`; Apache License 2.0), computed there with Moreau and Jean's time stepping: met within the error of
//! their steps. Values are taken from those files, parameters from the examples beside them.
//!
//! A step of length h sees an impact up to h late, with a normal velocity that is off by up to g h, and a place that is off by up to h times the speed.
//!
//! `Woodpecker.ref` is not here: a hinge joins bird and sleeve, which models do not have, and no single body moves as both. Its mass matrix M makes of the rates of a contact two vectors M^(−1/2) N, M^(−1/2) T;
//! for a planar body they must be orthogonal across one direction, the turning, common to all contacts. Those directions are a cone for each contact, and the cones of bird and sleeve meet nowhere but in 0.
//! Two bodies without a joint have rates of rank four at two contacts, the toy has three.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use support::{close, last, model, options, simulate};

/// `ImpactingStick.ref`, its last row: a stick with e = 1 and μ = 0.01 hits the floor twice, slipping. h = 1e-4 s. Its law is Newton's as it stands, which adds energy at the first impact: dyverse says
/// so, and by default does not add it.
#[test]
fn impacting_stick() {
    let stick = |policy: &str| {
        model(&format!(
            "let r = 1e-6
             let a = pi / 4
             entity stick {{ sphere(radius = r, at = (0, -1/2, 0))  mass = 1  inertia = (1/12, 1e-3, 1/12)
               position = (sin(a) / 2, cos(a) / 2 + 0.01, 0)  orientation = rotation(axis = (0, 0, 1), angle = a)
               velocity = (-0.5, 0.1, 0)  angular_velocity = (0, 0, 0.1) }}
             fixed entity floor {{ half_space(normal = (0, 1, 0), offset = -r) }}
             contact stick, floor {{ restitution = 1  friction = 0.01 }}
             gravity (0, -10, 0)
             impacts {policy}"
        ))
    };
    let trace = simulate(&stick("simultaneous uncapped"), &options(0.2)).unwrap();
    assert_eq!(trace.statistics.impacts, 2);
    let h = 1e-4;
    let angle = 2.0 * f64::atan2(last(&trace, "stick.qz"), last(&trace, "stick.qw"));
    for (found, reference, error) in [
        (last(&trace, "stick.x"), 0.252_917_231_198_366_7, h),
        (last(&trace, "stick.y"), 0.247_169_330_082_609_9, h),
        (angle, 1.081_891_493_988_364, 10.0 * h),
        (last(&trace, "stick.vx"), -0.506_867_260_670_93, 10.0 * h),
        (last(&trace, "stick.vy"), -1.213_273_932_906_967, 2.0 * 10.0 * h),
        // Turning: 12 times the arm.
        (
            last(&trace, "stick.wz"),
            3.212_070_578_753_687,
            2.0 * 12.0 * 0.36 * 10.0 * h,
        ),
    ] {
        close(found, reference, error);
    }
    let added = &trace.impact_gains[..];
    assert!(added.len() == 1 && !added[0].is_capped(), "{added:?}");
    let capped = simulate(&stick("simultaneous"), &options(0.2)).unwrap();
    assert!(capped.impact_gains[0].is_capped() && last(&capped, "stick.vy") < -1.2170);
}

/// `ColumnOfBeadsTS.ref`: ten beads, 0.05 m apart, fall on each other and the floor with e = 0.9, h = 5e-4 s. The row at t = 0.6 s comes 0.17 s and some two hundred impacts after the first, with 4.2 m/s: places
/// are met within five steps of that speed. At t = 2 s all rest on each other; the time stepping leaves them up to 1e-4 m in each other.
#[test]
fn column_of_beads() {
    let mut text = String::from(
        "fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }\ncontact default { restitution = 0.9 }\ngravity (0, -9.81, 0)\n",
    );
    for bead in 0..10 {
        let height = 1.0 + 0.25 * f64::from(bead);
        text +=
            &format!("entity b{bead} {{ sphere(radius = 0.1)  mass = 1  position = (0, {height}, 0) }}\n");
    }
    let model = model(&text);
    let falls = [
        0.221_245_992_383_700_4,
        0.427_356_551_101_988_5,
        0.634_744_934_129_866_5,
        0.840_770_304_987_803_8,
        1.041_743_212_391_267,
        1.245_466_028_470_043,
        1.451_129_010_724_258,
        1.652_108_282_702_097,
        1.852_905_408_952_829,
        2.053_009_348_189_953,
    ];
    let rests = [
        0.099_993_402_075_129_93,
        0.299_972_897_426_895_5,
        0.499_968_031_476_305_4,
        0.699_956_745_324_882_5,
        0.899_926_600_640_830_2,
        1.099_911_421_758_749,
        1.299_908_037_073_229,
        1.499_904_350_658_795,
        1.699_902_940_073_938,
        1.899_901_157_993_494,
    ];
    for (until, heights, error) in [(0.6, falls, 5.0 * 5e-4 * 4.2), (2.0, rests, 1e-4)] {
        // The number of transitions is beyond what tests judge.
        let trace = dyverse_simulate::simulate(&model, &options(until)).unwrap();
        assert!(trace.stop.reason.is_complete());
        for (bead, height) in heights.into_iter().enumerate() {
            close(last(&trace, &format!("b{bead}.y")), height, error);
            if until > 1.0 {
                close(last(&trace, &format!("b{bead}.vy")), 0.0, 1e-12);
            }
        }
    }
}

/// `CamFollower-Rheonomous.ref`, its last row, t = 1 s: a follower on a spring that strikes its cam's base (e = 0.8, h = 1e-4 s; the example's cam does not act). Eleven impacts, each seen up to h late, put the
/// phase off by up to 11 h. Between impacts the motion is a half oscillation, so the truth is a closed form as well.
#[test]
fn cam_follower() {
    let trace = simulate(
        &model(
            "entity follower { sphere(radius = 0.1)  mass = 1.221  position = (0, 0.5, 0)  velocity = (0, 0.4, 0) }
             fixed entity base { half_space(normal = (0, 1, 0), offset = 0) }
             contact follower, base { restitution = 0.8 }
             force on follower = (0, -1430.8 * (follower.y - 0.1), 0)",
        ),
        &options(1.0),
    )
    .unwrap();
    let (place, speed) = (last(&trace, "follower.y") - 0.1, last(&trace, "follower.vy"));

    let frequency = f64::sqrt(1430.8 / 1.221);
    let quarter = std::f64::consts::FRAC_PI_2;
    let (amplitude, phase) = (
        f64::hypot(0.4, 0.4 / frequency),
        f64::atan2(-0.4 / frequency, 0.4),
    );
    let first = (quarter - phase) / frequency;
    let impacts = 1.0 + ((1.0 - first) * frequency / (2.0 * quarter)).floor();
    let rest = (1.0 - first) * frequency - (impacts - 1.0) * 2.0 * quarter;
    let amplitude = amplitude * 0.8f64.powf(impacts);
    close(trace.statistics.impacts as f64, impacts, 0.0);
    close(place, amplitude * rest.sin(), 1e-12);
    close(speed, amplitude * frequency * rest.cos(), 1e-10);

    let late = impacts * 1e-4;
    close(place, 3.202_757_478_100_06e-2, late * frequency * amplitude);
    close(
        speed,
        4.273_302_939_225_898e-1,
        late * frequency * frequency * amplitude,
    );
}

/// `RockingBlockED_Lsodar_LZBimpact.ref`, its last rows: a block that falls on one of its two feet, seven impacts with e = 0.8, none of both feet, event-driven. Each of its impacts is integrated by steps of 5e-5 N s,
/// and ends up to one too late; what earlier impacts leave is amplified by later ones, to less than thirty such steps. (`RockingBlockED_NewMarkAlpha.ref` has no motion to compare with: what falls with 3 m/s rises with 4,024.)
#[test]
fn rocking_block() {
    let trace = simulate(
        &model(
            "let r = 1e-9
             entity block { sphere(radius = r, at = (-0.1, -0.05, 0))  sphere(radius = r, at = (0.1, -0.05, 0))
               mass = 1  inertia = (1.25/12, 1.25/12, 1.25/12)
               position = (0.03349364905389041, 0.5580127018922193, 0)  orientation = rotation(axis = (0, 0, 1), angle = pi / 3) }
             fixed entity floor { half_space(normal = (0, 1, 0), offset = -r) }
             contact block, floor { restitution = 0.8 }
             gravity (0, -9.81, 0)",
        ),
        &options(2.0),
    )
    .unwrap();
    let strikes: Vec<f64> = trace
        .transitions
        .iter()
        .filter(|t| !t.forces.is_empty())
        .map(|t| t.time.t())
        .collect();
    assert_eq!(strikes.len(), 7);
    let (step, energy) = (30.0 * 5e-5, trace.balance.error());
    // Until the first strike nothing is integrated but a fall.
    close(strikes[0], 3.016_807_020_287_96e-1, 1e-12);
    close(strikes[6], 1.989_038_206_431_418, step);
    close(last(&trace, "block.y"), 6.718_552_403_460_872e-2, step);
    close(last(&trace, "block.vy"), 7.069_999_999_445_728e-2, step);
    close(last(&trace, "block.wz"), -4.152_292_733_753_275, step);
    close(energy, 0.0, 1e-13);
}

/// `FrictionOscillator.ref`, its last row: a mass on a spring with dry friction of 1 N, from (12 m, 6 m/s) to where it sticks. h = 0.01 s. A step in which it turns has friction of the wrong sense for a part of h, which puts the turn off by up
/// to 2 N h²/2, and by the speed 2 h that it may leave, (2h)²/2 over the radius: from 12 m down to 0.3 m. Where it turns is a closed form as well: half circles around ∓1, each 2 m less wide.
#[test]
fn friction_oscillator() {
    let trace = simulate(
        &model(
            "entity box { rounded_box(size = (1, 1, 0.1), radius = 0.01)  mass = 1  position = (12, 0, 0.05)  velocity = (6, 0, 0) }
             fixed entity floor { half_space(normal = (0, 0, 1), offset = 0) }
             contact box, floor { restitution = 0  friction = 1 }
             gravity (0, 0, -1)
             force on box = (-box.x, 0, 0)",
        ),
        &options(99.99),
    )
    .unwrap();
    let (mut turn, mut turns, mut error, h) = (f64::hypot(13.0, 6.0) - 1.0, 0, 0.0, 0.01);
    while turn.abs() > 1.0 {
        let radius = turn.abs() - 1.0;
        error += h * h + 2.0 * h * h / radius;
        turn = -turn.signum() * (turn.abs() - 2.0);
        turns += 1;
    }
    assert_eq!(turns, 7);
    let found = last(&trace, "box.x");
    close(found, turn, 1e-9);
    close(last(&trace, "box.vx"), 0.0, 1e-12);
    close(found, 6.820_441_351_954_105e-1, error);
}

/// `BallOnMovingPlane.ref`, its row at t = 3.2 s: a ball (e = 0.9) on a plane that moves with 2 + cos(πt/2) m/s. h = 0.005 s. Seen from the plane it is a ball on a fixed one, with the load −m c″ of the plane's motion besides: the plane does not turn,
/// and impacts know relative velocities only. Their plane starts from rest, and is half a step of 3 m/s behind. Four impacts, each seen up to h late.
#[test]
fn ball_on_a_moving_plane() {
    let (h, until) = (0.005, 3.2);
    let trace = simulate(
        &model(&format!(
            "entity ball {{ sphere(radius = 0.1)  mass = 1  position = (0, 0, {})  velocity = (0, 0, -3) }}
             fixed entity moving {{ half_space(normal = (0, 0, 1), offset = -0.1) }}
             contact ball, moving {{ restitution = 0.9 }}
             gravity (0, 0, -9.81)
             force on ball = (0, 0, pi / 2 * sin(pi / 2 * time))",
            1.0 + 0.5 * h * 3.0
        )),
        &options(until),
    )
    .unwrap();
    assert_eq!(trace.statistics.impacts, 4);
    let (ball, plane) = (
        (6.277_922_576_581_541, 3.965_891_220_366_166),
        (5.787_041_729_415_849, 2.309_016_994_374_947),
    );
    let fastest = trace
        .samples
        .iter()
        .map(|s| s.values[trace.signal("ball.vz").unwrap().0 as usize].abs());
    let (late, fastest) = (4.0 * h, fastest.fold(0.0, f64::max));
    close(last(&trace, "ball.z"), ball.0 - plane.0, late * fastest);
    close(
        last(&trace, "ball.vz"),
        ball.1 - plane.1,
        late * (9.81 + std::f64::consts::FRAC_PI_2),
    );
}
