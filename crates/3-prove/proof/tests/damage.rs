//! Random damage to documents: no panic, and nothing false is accepted.
//!
//! One number is multiplied by 0.01 … 100 or moved, or one element of a list dropped. What may still be accepted is a proof that is still true: a claim (of a hull or a
//! time) that was moved within the room that claims have. All other fields count: sides, unknowns, choices, horizon, names, ways, branches.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use crate::common;

use common::{BALL, Case, on_a_small_stack};
use dyverse_proof::{Proof, Stay, StayEnd, StayId, read_proof, write_proof};
use serde_json::Value;

/// A generator of numbers [Vigna, splitmix64].
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        dyverse_num::split_mix(&mut self.0)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Paths of all values.
fn paths(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Array(all) => all
            .iter()
            .enumerate()
            .for_each(|(i, v)| paths(v, &format!("{here}/{i}"), found)),
        Value::Object(all) => all
            .iter()
            .for_each(|(name, v)| paths(v, &format!("{here}/{name}"), found)),
        _ => {}
    }
}

fn document(case: &Case) -> Value {
    let mut bytes = Vec::new();
    write_proof(&case.prove(), &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn is_claim(path: &str) -> bool {
    path.contains("/hull/") || path.contains("/time/")
}

/// Bounds of one box, moved by a hundredth or more of their size: at most this share is within the room.
#[test]
fn random_damage_is_not_accepted() {
    let case = Case::bodies(BALL, "low")
        .with("h", 1.0, 1.002)
        .with("e", 0.8, 0.8005);
    let good = document(&case);
    let mut all = Vec::new();
    paths(&good, "", &mut all);
    let mut dice = Dice(7);
    let (mut tried, mut refused, mut within) = (0, 0, 0);
    while tried < 400 {
        let path = &all[dice.below(all.len())];
        let mut damaged = good.clone();
        let value = damaged.pointer_mut(path).unwrap();
        match value {
            Value::Number(number) => {
                let factor = 10f64.powf(4.0 * dice.unit() - 2.0);
                let old = number.as_f64().unwrap();
                // Bounds about zero are moved instead.
                let new = if old.abs() < 1e-3 && is_claim(path) {
                    old + 0.1 * (factor - 1.0)
                } else {
                    old * factor
                };
                if new == old {
                    continue;
                }
                *value = Value::from(new);
            }
            Value::Array(list) if !list.is_empty() => {
                let place = dice.below(list.len());
                list.remove(place);
            }
            Value::String(text) => text.push('!'),
            _ => continue,
        }
        tried += 1;
        let bytes = serde_json::to_vec(&damaged).unwrap();
        match read_proof(&bytes) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Ok(proof) => match case.check(&proof) {
                Err(rejected) => {
                    assert!(!rejected.at.is_empty());
                    refused += 1;
                }
                Ok(_) => {
                    assert!(is_claim(path), "accepted although {path} was changed");
                    within += 1;
                }
            },
        }
    }
    assert_eq!(refused + within, tried);
    assert!(within < tried / 10, "{within} of {tried} are within the room");
}

/// Bytes changed at random: read or refused, never a panic.
#[test]
fn damaged_bytes_are_read_or_refused() {
    let case = Case::bodies(BALL, "low")
        .with("h", 1.0, 1.002)
        .with("e", 0.8, 0.8005);
    let mut good = Vec::new();
    write_proof(&case.prove(), &mut good).unwrap();
    let mut dice = Dice(11);
    let mut refused = 0;
    for _ in 0..3000 {
        let mut bytes = good.clone();
        for _ in 0..1 + dice.below(3) {
            let place = dice.below(bytes.len());
            match dice.below(3) {
                0 => bytes[place] = dice.next() as u8,
                1 => {
                    bytes.remove(place);
                }
                _ => bytes.truncate(place.max(1)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        refused += usize::from(read_proof(&bytes).is_err());
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn documents_that_are_none() {
    let case = Case::bodies(BALL, "low")
        .with("h", 1.0, 1.002)
        .with("e", 0.8, 0.8005);
    let good = document(&case);
    let refuse = |change: &dyn Fn(&mut Value), words: &str| {
        let mut damaged = good.clone();
        change(&mut damaged);
        let error = read_proof(&serde_json::to_vec(&damaged).unwrap()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    };
    refuse(&|v| v["format"] = "dyverse-proof/1".into(), "not dyverse-proof/2");
    refuse(&|v| v["horizon"] = Value::Null, "horizon: a finite number");
    refuse(&|v| v["horizon"] = "1".into(), "horizon: a finite number");
    refuse(
        &|v| v["boxes"][0]["sides"][0] = 3.into(),
        "boxes[0].sides: a list",
    );
    refuse(&|v| v["boxes"][0]["stays"] = Value::Array(vec![]), "a stay");
    refuse(&|v| v["more"] = 1.into(), "without other fields");
    // A stay that leads to itself, or that two lead to.
    refuse(
        &|v| v["boxes"][0]["stays"][0]["branches"][0]["ways"][0]["stay"] = 0.into(),
        "one way, of a stay before it",
    );
    refuse(
        &|v| v["boxes"][0]["stays"][0]["branches"][0]["ways"][0]["stay"] = 99_999.into(),
        "one way, of a stay before it",
    );
    for text in ["", "{", "[]", "{\"format\": 1}", "{\"horizon\": 1e999}"] {
        assert!(read_proof(text.as_bytes()).is_err());
    }
    let deep = "[".repeat(100_000);
    assert!(
        read_proof(deep.as_bytes())
            .unwrap_err()
            .to_string()
            .contains("no JSON")
    );
    let mut proof = case.prove();
    proof.horizon = f64::INFINITY;
    assert!(write_proof(&proof, &mut Vec::new()).is_err());
}

/// An evolution of a hundred thousand stays is read, judged and forgotten on a small stack; so are stays that are no tree.
#[test]
fn evolutions_that_never_end() {
    let stay = |to: usize| {
        format!(
            "{{\"place\":\"p\",\"hull\":[],\"branches\":[{{\"event\":\"\",\"time\":[0,0],\"ways\":[{{\"label\":\"l\",\"stay\":{to}}}]}}]}}"
        )
    };
    let mut stays: Vec<String> = (1..100_000).map(stay).collect();
    stays.push("{\"place\":\"p\",\"hull\":[],\"end\":\"horizon\"}".into());
    let text = format!(
        "{{\"format\":\"dyverse-proof/2\",\"system\":\"s\",\"property\":\"low\",\"horizon\":1.5,\"choices\":[],\"unknowns\":[],\"boxes\":[{{\"sides\":[],\"stays\":[{}]}}]}}",
        stays.join(",")
    );
    let work = move || {
        let case = Case::bodies(BALL, "low");
        let deep = read_proof(text.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        write_proof(&deep.clone(), &mut bytes).unwrap();
        assert_eq!(read_proof(&bytes).unwrap(), deep);
        let mut proof = case.prove();
        let refused = |proof: &Proof, words: &str| {
            let why = case.check(proof).unwrap_err().to_string();
            assert!(why.contains(words), "{why}");
        };
        proof.boxes[0].stays = deep.boxes[0].stays.clone();
        refused(&proof, "box 0");
        let ways = |stay: &mut Stay, to: usize| match &mut stay.end {
            StayEnd::Branches(all) => all[0].ways[0].stay = StayId(to),
            StayEnd::Horizon => panic!("no way"),
        };
        for (from, to) in [(50_000, 0), (50_000, 50_000), (50_000, 100_000)] {
            let mut looped = proof.clone();
            ways(&mut looped.boxes[0].stays[from], to);
            refused(&looped, "the stays of a box are no tree");
            assert!(write_proof(&looped, &mut Vec::new()).is_err());
        }
    };
    on_a_small_stack(work);
}
