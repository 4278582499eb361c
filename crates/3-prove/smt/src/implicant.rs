//! The part of an assignment that the clauses need: ν with what is indeterminate left out [002 §6].
//!
//! # Method
//! For each clause the true literals are counted. A literal whose clauses all have another true literal is let
//! go, one after the other: first names of parts of formulas (which frees the clauses of the part),
//! then constraints, newest first. Linear in the size of the clauses.
//!
//! # Guarantee
//! What is left makes every clause true; no further single constraint can be let go.

use std::collections::BTreeMap;

use batsat::{Lit, Var};

/// Of `constraints`, all true in the assignment, those that are needed, in the order given.
///
/// `names` are the true names, those of outer parts first.
pub(crate) fn needed_constraints(
    clauses: &[&[Lit]],
    is_true: impl Fn(Lit) -> bool,
    names: &[Var],
    constraints: &[Var],
) -> Vec<Var> {
    let mut counts: Vec<u32> = Vec::with_capacity(clauses.len());
    let mut places: BTreeMap<Lit, Vec<usize>> = BTreeMap::new();
    for var in names.iter().chain(constraints) {
        places.insert(Lit::new(*var, true), Vec::new());
    }
    for var in names {
        places.insert(Lit::new(*var, false), Vec::new());
    }
    for (place, clause) in clauses.iter().enumerate() {
        counts.push(clause.iter().filter(|literal| is_true(**literal)).count() as u32);
        for literal in *clause {
            if let Some(list) = places.get_mut(literal) {
                list.push(place);
            }
        }
    }
    let mut let_go = |var: Var| -> bool {
        let of = |sign| places.get(&Lit::new(var, sign)).map_or(&[][..], Vec::as_slice);
        if of(true).iter().any(|place| counts[*place] < 2) {
            return false;
        }
        of(true).iter().for_each(|place| counts[*place] -= 1);
        of(false).iter().for_each(|place| counts[*place] += 1);
        true
    };
    for var in names {
        let_go(*var);
    }
    let mut kept: Vec<Var> = constraints
        .iter()
        .rev()
        .copied()
        .filter(|var| !let_go(*var))
        .collect();
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::{Sat, SatAnswer};

    /// The example of [002 §6]: a ∧ (b ∨ c) ∧ (a ∨ c); one of b and c is indeterminate.
    #[test]
    fn indeterminate_constraints_are_left_out() {
        let mut sat = Sat::default();
        let [a, b, c] = [(); 3].map(|()| sat.new_variable());
        let lit = |var| Lit::new(var, true);
        let clauses = [vec![lit(a)], vec![lit(b), lit(c)], vec![lit(a), lit(c)]];
        for clause in &clauses {
            sat.add(clause.clone());
        }
        assert_eq!(sat.solve(&[]), SatAnswer::Satisfiable);
        let clauses: Vec<&[Lit]> = clauses.iter().map(Vec::as_slice).collect();
        let all_true = |_| true;
        assert_eq!(needed_constraints(&clauses, all_true, &[], &[a, b, c]), [a, b]);
    }

    /// d ∨ a, ¬d ∨ b with a, b, d true: d goes, and b with it.
    #[test]
    fn a_name_that_goes_frees_its_part() {
        let mut sat = Sat::default();
        let [a, b, d] = [(); 3].map(|()| sat.new_variable());
        let clauses = [
            vec![Lit::new(d, true), Lit::new(a, true)],
            vec![Lit::new(d, false), Lit::new(b, true)],
        ];
        let clauses: Vec<&[Lit]> = clauses.iter().map(Vec::as_slice).collect();
        assert_eq!(needed_constraints(&clauses, |lit| lit.sign(), &[d], &[a, b]), [a]);
    }
}
