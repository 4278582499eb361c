//! Damage to a proof: something that it claims is made false, or something that it needs is taken away.
//!
//! Claims of bounds are moved by far more than the room that claims have. Whether anything behind a *way* is followed depends on whether the checker finds the way
//! possible; damage there may be no damage at all ([`Damage::may_hold`]).

use dyverse::proof::{Branch, Proof, Stay, StayEnd};

use super::random::Random;

/// Kinds of damage.
pub(crate) const KINDS: usize = 14;

/// A damaged proof.
pub(crate) struct Damage {
    pub(crate) kind: &'static str,
    pub(crate) proof: Proof,
    /// Whether it may still be a proof, if the checker finds fewer ways possible than the prover.
    pub(crate) may_hold: bool,
}

/// One kind of damage after the other; `None` where the proof has nothing of the kind.
pub(crate) fn damaged(good: &Proof, number: usize, random: &mut Random) -> Option<Damage> {
    let mut proof = good.clone();
    let (kind, done, may_hold): (&'static str, Option<()>, bool) = match number % KINDS {
        0 => ("a box", drop_box(&mut proof, random), false),
        1 => (
            "an inner bound of a box",
            move_side(&mut proof, random, -1.0),
            false,
        ),
        2 => (
            "an outer bound of a box",
            move_side(&mut proof, random, 1.0),
            false,
        ),
        3 => ("a hull", move_hull(&mut proof, random), true),
        4 => ("the time of an event", move_time(&mut proof, random), true),
        5 => ("a branch", drop_branch(&mut proof, random), true),
        6 => ("a way", drop_way(&mut proof, random), true),
        7 => ("the horizon", change_horizon(&mut proof, random), false),
        8 => ("the name of the property", rename_property(&mut proof), false),
        9 => ("a choice", change_choice(&mut proof, random), false),
        10 => ("an unknown", change_unknown(&mut proof, random), false),
        11 => ("all that follows", cut_off(&mut proof, random), true),
        12 => ("a place", rename_place(&mut proof, random), true),
        _ => ("a box twice", double_box(&mut proof, random), false),
    };
    done.map(|()| Damage {
        kind,
        proof,
        may_hold,
    })
}

fn drop_box(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let place = random.below(proof.boxes.len());
    proof.boxes.remove(place);
    Some(())
}

fn double_box(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let place = random.below(proof.boxes.len());
    let twin = proof.boxes[place].clone();
    proof.boxes.push(twin);
    Some(())
}

/// A side of a box, made shorter or longer by a part of it.
fn move_side(proof: &mut Proof, random: &mut Random, outward: f64) -> Option<()> {
    let place = random.below(proof.boxes.len());
    let sides = &mut proof.boxes[place].sides;
    let wide: Vec<usize> = (0..sides.len()).filter(|s| sides[*s].0 < sides[*s].1).collect();
    if wide.is_empty() {
        return None;
    }
    let side = &mut sides[*random.pick(&wide)];
    let by = outward * (side.1 - side.0) * 10_f64.powf(-random.between(0.5, 6.0));
    let before = *side;
    if random.often(0.5) {
        side.0 -= by;
    } else {
        side.1 += by;
    }
    (*side != before).then_some(())
}

/// A random stay of a random box.
fn some_stay<'p>(
    proof: &'p mut Proof,
    random: &mut Random,
    is_wanted: &dyn Fn(&Stay) -> bool,
) -> Option<&'p mut Stay> {
    let place = random.below(proof.boxes.len());
    let stays = proof.boxes[place].stays.iter_mut();
    let mut all: Vec<&mut Stay> = stays.filter(|stay| is_wanted(stay)).collect();
    if all.is_empty() {
        return None;
    }
    Some(all.swap_remove(random.below(all.len())))
}

fn branches(stay: &mut Stay) -> Option<&mut Vec<Branch>> {
    match &mut stay.end {
        StayEnd::Branches(all) => Some(all),
        StayEnd::Horizon => None,
    }
}

fn has_branches(stay: &Stay) -> bool {
    matches!(stay.end, StayEnd::Branches(_))
}

/// One end of a bound, in or out, by more than the room of claims.
fn move_bound(bound: &mut (f64, f64), random: &mut Random) {
    let size = 1.0 + bound.0.abs().max(bound.1.abs());
    let by = (size + 3.0 * (bound.1 - bound.0)) * if random.often(0.5) { 1.0 } else { -1.0 };
    if random.often(0.5) {
        bound.0 += by;
    } else {
        bound.1 += by;
    }
}

fn move_hull(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let stay = some_stay(proof, random, &|stay| !stay.hull.is_empty())?;
    let place = random.below(stay.hull.len());
    move_bound(&mut stay.hull[place], random);
    Some(())
}

fn move_time(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let stay = some_stay(proof, random, &has_branches)?;
    let all = branches(stay)?;
    let place = random.below(all.len());
    move_bound(&mut all[place].time, random);
    Some(())
}

fn drop_branch(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let stay = some_stay(proof, random, &has_branches)?;
    let all = branches(stay)?;
    let place = random.below(all.len());
    all.remove(place);
    Some(())
}

fn drop_way(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let stay = some_stay(proof, random, &has_branches)?;
    let all = branches(stay)?;
    let branch = random.below(all.len());
    let ways = &mut all[branch].ways;
    if ways.is_empty() {
        return None;
    }
    let place = random.below(ways.len());
    ways.remove(place);
    Some(())
}

/// The horizon is said to come before the event.
fn cut_off(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let stay = some_stay(proof, random, &has_branches)?;
    stay.end = StayEnd::Horizon;
    Some(())
}

fn rename_place(proof: &mut Proof, random: &mut Random) -> Option<()> {
    let stay = some_stay(proof, random, &|_| true)?;
    stay.place.push('!');
    Some(())
}

fn change_horizon(proof: &mut Proof, random: &mut Random) -> Option<()> {
    // Only the start is asked about: a part of nothing is nothing.
    if proof.horizon == 0.0 {
        return None;
    }
    proof.horizon *= if random.often(0.5) { 1.01 } else { 0.5 };
    Some(())
}

fn rename_property(proof: &mut Proof) -> Option<()> {
    proof.property.push('q');
    Some(())
}

/// A wider range is claimed to be covered.
fn change_choice(proof: &mut Proof, random: &mut Random) -> Option<()> {
    if proof.choices.is_empty() {
        let (name, low, high) = proof.unknowns.first()?.clone();
        proof.choices.push((name, low, high + 0.01 * (high - low) + 1e-6));
    } else {
        let place = random.below(proof.choices.len());
        let (_, low, high) = &mut proof.choices[place];
        *high += 0.01 * (*high - *low) + 1e-6;
    }
    Some(())
}

/// Another range is claimed to be asked about, and the boxes are another tiling.
fn change_unknown(proof: &mut Proof, random: &mut Random) -> Option<()> {
    if proof.unknowns.is_empty() {
        return None;
    }
    let place = random.below(proof.unknowns.len());
    let (_, low, high) = &mut proof.unknowns[place];
    let by = 0.01 * (*high - *low) + 1e-6;
    let old = *high;
    *high += by;
    for own in &mut proof.boxes {
        let side = &mut own.sides[place];
        if side.1 == old {
            side.1 += by;
        }
    }
    Some(())
}
