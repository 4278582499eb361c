//! Damaged proofs are not accepted, and the reason says where.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::common;

use common::{BALL, Case};
use dyverse_proof::{Branch, Proof, ProvedBox, Stay, StayEnd, StayId, Way};

/// A ball between a floor and a wall: which is first depends on the unknown, so that there are branches.
const CORNER: &str = "
system corner
param h in [1.0, 1.05]
entity ball { sphere(radius = 0.1)  mass = 1  position = (0, 0.1 + h, 0)  velocity = (1, 0, 0) }
fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
fixed entity wall { plane(normal = (-1, 0, 0), offset = -0.56) }
contact ball, floor { restitution = 0.8  friction = 0 }
contact ball, wall { restitution = 0.5  friction = 0 }
gravity (0, -9.81, 0)
horizon 0.8
property slow: always [0, 0.8] ball.vx <= 1.01
";

fn rejected(case: &Case, proof: &Proof, words: &[&str]) {
    match case.check(proof) {
        Ok(_) => panic!("accepted; wanted: {words:?}"),
        Err(rejected) => {
            let text = rejected.to_string();
            for word in words {
                assert!(text.contains(word), "{text}\nwanted: {word}");
            }
        }
    }
}

/// The first stay with a hull.
fn location(own: &mut ProvedBox) -> &mut Stay {
    own.stays.iter_mut().find(|stay| !stay.hull.is_empty()).unwrap()
}

fn branches(stay: &mut Stay) -> &mut Vec<Branch> {
    match &mut stay.end {
        StayEnd::Branches(all) => all,
        StayEnd::Horizon => panic!("no branches"),
    }
}

#[test]
fn boxes_that_do_not_tile() {
    // Wide ranges, so that several boxes are needed.
    let wide = BALL
        .replace("[0.99, 1.01]", "[0.9, 1.1]")
        .replace("[0.79, 0.8]", "[0.7, 0.9]")
        .replace("<= 1.2", "<= 1.3")
        .replace("1.5", "2");
    let case = Case::bodies(&wide, "low");
    let good = case.prove();
    assert!(good.boxes.len() > 2, "{} boxes", good.boxes.len());
    case.check(&good).unwrap();
    for number in 0..good.boxes.len() {
        let mut proof = good.clone();
        proof.boxes.remove(number);
        rejected(&case, &proof, &["the cover"]);
    }
    for (side, change) in [(0, 1e-3), (1, -1e-3), (0, -1e-3), (1, 1e-12)] {
        let mut proof = good.clone();
        proof.boxes[1].sides[side].0 += change;
        rejected(&case, &proof, &["the cover"]);
        let mut proof = good.clone();
        proof.boxes[0].sides[side].1 += change;
        rejected(&case, &proof, &["the cover"]);
    }
    let mut proof = good.clone();
    proof.unknowns[0].2 += 0.1;
    rejected(&case, &proof, &["the question", "list of unknowns"]);
    let mut proof = good;
    proof.boxes.clear();
    rejected(&case, &proof, &["the cover", "no box"]);
}

#[test]
fn bounds_that_are_changed() {
    let case = Case::bodies(BALL, "low");
    let mut good = case.prove();
    for change in [0.2, -0.2] {
        for end in [0, 1] {
            let mut proof = good.clone();
            // ball.y
            let bound = &mut location(&mut proof.boxes[0]).hull[1];
            if end == 0 {
                bound.0 += change;
            } else {
                bound.1 += change;
            }
            let is_narrow = (end == 0) == (change > 0.0);
            let how = if is_narrow {
                "too narrow"
            } else {
                "wider than it need be"
            };
            rejected(&case, &proof, &["box 0", "S_0", "ball.y", how]);
        }
    }
    let event = location(&mut good.boxes[0]);
    let time = branches(event)[0].time;
    for claimed in [
        (time.0 + 0.01, time.1),
        (time.0, time.1 - 0.01),
        (time.0 - 0.01, time.1),
        (time.0, time.1 + 0.01),
        (time.0 + 0.1, time.1 + 0.1),
        (time.1, time.0),
        (0.0, 1e300),
        (-1e300, 0.0),
    ] {
        let mut proof = good.clone();
        branches(location(&mut proof.boxes[0]))[0].time = claimed;
        rejected(&case, &proof, &["box 0", "S_0"]);
    }
}

#[test]
fn trees_that_lack_something() {
    let case = Case::bodies(CORNER, "slow");
    let good = case.prove();
    case.check(&good).unwrap_or_else(|r| panic!("{r}"));
    let with_two = good
        .boxes
        .iter()
        .position(|b| branches(location(&mut b.clone())).len() == 2);
    let number = with_two.expect("a box with two branches");
    for dropped in 0..2 {
        let mut proof = good.clone();
        branches(location(&mut proof.boxes[number])).remove(dropped);
        rejected(&case, &proof, &[&format!("box {number}"), "S_0", "not claimed"]);
    }
    let mut proof = good.clone();
    branches(location(&mut proof.boxes[number])).clear();
    rejected(&case, &proof, &["a stay ends by no event"]);
    let mut proof = good.clone();
    branches(location(&mut proof.boxes[0]))[0].ways.clear();
    rejected(&case, &proof, &["box 0", "the way", "not claimed"]);
    let mut proof = good.clone();
    branches(location(&mut proof.boxes[0]))[0].event = "something else".into();
    rejected(&case, &proof, &["there is no event `something else`"]);
    let mut proof = good.clone();
    location(&mut proof.boxes[0]).place = "s_1,3".into();
    rejected(&case, &proof, &["box 0"]);
    // A stay ended early.
    let mut proof = good.clone();
    location(&mut proof.boxes[0]).end = StayEnd::Horizon;
    rejected(&case, &proof, &["box 0", "may happen", "not claimed"]);
    // A node that is made the last.
    let mut proof = good.clone();
    proof.boxes[0].stays[0].end = StayEnd::Horizon;
    rejected(&case, &proof, &["a node lasts no time"]);
    // The last stay is claimed to go on.
    let mut proof = good.clone();
    let stays = &mut proof.boxes[0].stays;
    for number in 0..stays.len() {
        if stays[number].end == StayEnd::Horizon {
            let last = Stay {
                place: "S_0".into(),
                hull: vec![],
                end: StayEnd::Horizon,
            };
            stays.push(last);
            let way = Way {
                label: "impact".into(),
                impulses: Vec::new(),
                stay: StayId(stays.len() - 1),
            };
            stays[number].end = StayEnd::Branches(vec![Branch {
                event: "ball-floor closes".into(),
                time: (0.75, 0.76),
                ways: vec![way],
            }]);
        }
    }
    rejected(&case, &proof, &["box 0"]);
}

#[test]
fn other_questions() {
    let case = Case::bodies(BALL, "low");
    let good = case.prove();
    for horizon in [1.0, 1.6, f64::NAN] {
        let mut proof = good.clone();
        proof.horizon = horizon;
        rejected(&case, &proof, &["the question", "horizon"]);
    }
    let mut proof = good.clone();
    proof.choices.push(("e".into(), 0.5, 0.6));
    rejected(&case, &proof, &["the question", "choice"]);
    // The question of the changed proof: the claims are of another system.
    let other = Case::bodies(&BALL.replace("-9.81", "-9.7"), "low");
    rejected(&other, &good, &["box 0"]);
    let longer = Case::bodies(&BALL.replace("1.5", "1.6"), "low");
    let mut proof = good.clone();
    proof.horizon = 1.6;
    rejected(&longer, &proof, &["box 0"]);
    // A false property with the tree of a true one.
    let mut proof = good;
    proof.property = "lower".into();
    rejected(
        &Case::bodies(BALL, "lower"),
        &proof,
        &["box 0", "the property is not shown"],
    );
}

/// Whatever box is damaged, and however many threads there are, that box is found.
#[test]
fn every_box_counts_on_every_number_of_threads() {
    let wide = BALL
        .replace("[0.99, 1.01]", "[0.9, 1.1]")
        .replace("[0.79, 0.8]", "[0.7, 0.9]")
        .replace("<= 1.2", "<= 1.3");
    let case = Case::bodies(&wide, "low");
    let good = case.prove();
    assert!(good.boxes.len() > 2, "{} boxes", good.boxes.len());
    for threads in [1, 2, 3] {
        assert_eq!(
            case.check_with(&good, threads).map(|found| found.boxes),
            Ok(good.boxes.len())
        );
        for number in 0..good.boxes.len() {
            let mut proof = good.clone();
            location(&mut proof.boxes[number]).hull[1].1 += 0.3;
            let found = case.check_with(&proof, threads).unwrap_err();
            assert!(found.at.starts_with(&format!("box {number},")), "{found}");
        }
    }
}

/// What is 0 all along is not below 0 and not above it: a tree that is right for one comparison is none for its strict twin.
#[test]
fn strict_and_not_strict_are_two_properties() {
    let text = "
model still
param k in [1, 2]
x' = 0 init 0
y' = k init 0
horizon = 1
property not_below: always x >= 0
property above: always x > 0
property not_above: always x <= 0
property below: always x < 0
property never_below: never x < 0
property never_not_above: never x <= 0
property rises: always y >= 0 * k
";
    for (holds, strict) in [
        ("not_below", "above"),
        ("not_above", "below"),
        ("never_below", "never_not_above"),
    ] {
        let mut proof = Case::actors(text, holds).prove();
        Case::actors(text, holds).check(&proof).unwrap();
        proof.property = strict.into();
        rejected(
            &Case::actors(text, strict),
            &proof,
            &["the property is not shown"],
        );
    }
}

/// Every conjunct of a property, and its window to the end, is looked at: y rises to k, and passes 1.9 at the very end for k = 2.
#[test]
fn each_part_of_a_property_to_the_end_of_its_window() {
    let text = "
model rising
param k in [1, 2]
x' = 0 init 0.5
y' = k init 0
horizon = 1
property both: always [0, 0.9] (x < 1 and y < 1.9)
property longer: always [0, 1] (x < 1 and y < 1.9)
property at_the_end: always [0.96, 0.96] y < 1.9
property turned: always [0, 0.9] (y < 1.9 and x < 0.4)
property either: always [0, 0.9] (x > 1 or y < 1.9)
property neither: always [0, 0.9] (x > 1 or y > 1.9)
";
    let good = Case::actors(text, "both").prove();
    Case::actors(text, "both").check(&good).unwrap();
    let mut proof = good.clone();
    proof.property = "either".into();
    Case::actors(text, "either").check(&proof).unwrap();
    for other in ["turned", "neither"] {
        proof.property = other.into();
        rejected(&Case::actors(text, other), &proof, &["the property is not shown"]);
    }
    proof.property = "longer".into();
    rejected(
        &Case::actors(text, "longer"),
        &proof,
        &["the horizon is 0.9 in the proof, and 1.0"],
    );
    // A longer tree of the same motion, claimed to be enough.
    for (window, property) in [
        ("[0, 1] (x < 1 and y < 2.1)", "longer"),
        ("[0.96, 0.96] y < 2.1", "at_the_end"),
    ] {
        let name = format!("property {property}: always ");
        let (head, tail) = text.split_once(&name).unwrap();
        let easier = format!("{head}{name}{window}\n{}", tail.split_once('\n').unwrap().1);
        let proof = Case::actors(&easier, property).prove();
        Case::actors(&easier, property).check(&proof).unwrap();
        rejected(
            &Case::actors(text, property),
            &proof,
            &["the property is not shown"],
        );
    }
}

/// The question is not the proof's to choose: inputs with their default values only, choices, ranges.
#[test]
fn a_narrower_question_is_another_one() {
    let case = Case::bodies(BALL, "low")
        .with("h", 1.0, 1.002)
        .with("e", 0.8, 0.8005);
    let good = case.prove();
    let mut proof = good.clone();
    proof.inputs = vec!["u".into()];
    rejected(
        &case,
        &proof,
        &["the question", "default values only is u in the proof, and none"],
    );
    let whole = Case::bodies(BALL, "low");
    rejected(&whole, &good, &["the question", "choice of parameters"]);
    let mut proof = good.clone();
    proof.choices.clear();
    rejected(&whole, &proof, &["the question", "list of unknowns"]);
    let all = whole.prove();
    rejected(&case, &all, &["the question"]);
}

/// Just before and just after an impact, with the gap closed: a tree that is right, of a property that is broken there only.
#[test]
fn moments_of_impacts_count() {
    let text = "
system meeting
param v in [1, 1.01]
entity a { sphere(radius = 0.1)  mass = 1  position = (-1, 0, 0)  velocity = (v, 0, 0) }
entity b { sphere(radius = 0.1)  mass = 1  position = (0, 0, 0) }
contact default { restitution = 0.5  friction = 0 }
horizon 1
property slow: never [0, 1] (touching(a, b) and b.vx > 0.76)
property before: never [0, 1] (touching(a, b) and a.vx > 0.999)
property after: never [0, 1] (touching(a, b) and b.vx > 0.749)
";
    let good = Case::bodies(text, "slow").prove();
    Case::bodies(text, "slow").check(&good).unwrap();
    for broken in ["before", "after"] {
        let mut proof = good.clone();
        proof.property = broken.into();
        rejected(
            &Case::bodies(text, broken),
            &proof,
            &["the property is not shown"],
        );
    }
    // Between two collisions of one instant, and nowhere else, b is fast.
    let row = text
        .replace("contact default", "entity c { sphere(radius = 0.1)  mass = 1  position = (0.2, 0, 0) }\nimpacts sequential first\ncontact default")
        .replace("never [0, 1] (touching(a, b) and b.vx > 0.749)", "never [0, 1] b.vx > 0.74");
    let row = row.replace(
        "never [0, 1] (touching(a, b) and b.vx > 0.76)",
        "never [0, 1] b.vx > 0.76",
    );
    let good = Case::bodies(&row, "slow").prove();
    Case::bodies(&row, "slow").check(&good).unwrap();
    let mut proof = good.clone();
    proof.property = "after".into();
    rejected(
        &Case::bodies(&row, "after"),
        &proof,
        &["the property is not shown"],
    );
}
