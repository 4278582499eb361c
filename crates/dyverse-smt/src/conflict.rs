//! *Conflicts*(ν): which constraints of an infeasible assignment are to blame [002 §6.3].
//!
//! # Method
//! The theory's own cores, and the paper's: for every i outside the maximal feasible set, i with those
//! feasible literals that share a real variable with it. The paper takes that for a conflict as it is; but the
//! variables of one constraint may be bound by others that do not share any with i, and the set
//! found may not be maximal. So each such set is asked about, and counts only if the theory refutes it. Without
//! any, all of ν is the conflict. Then literals are left out one by one as long as the theory
//! refutes the rest [deletion; Chinneck, Dravnieks 1991], up to a number of questions.
//!
//! # Guarantee
//! Each set returned was refuted by the theory. At least one is returned, and all are parts of ν, so the
//! assignment does not come again.

use std::collections::BTreeSet;
use std::sync::Arc;

use dyverse_expr::SymbolId;

use crate::{Theory, TheoryLiteral};

/// What the theory said to the whole set.
pub(crate) struct Refuted {
    pub(crate) cores: Vec<Vec<usize>>,
    pub(crate) cores_are_proved: bool,
    pub(crate) feasible: BTreeSet<usize>,
}

/// A bounded number of questions about parts of one set.
pub(crate) struct Questions<'a, T> {
    pub(crate) theory: &'a mut T,
    pub(crate) literals: &'a [TheoryLiteral],
    pub(crate) left: u64,
    pub(crate) asked: u64,
}

impl<T: Theory> Questions<'_, T> {
    fn refutes(&mut self, part: &[usize]) -> bool {
        if self.left == 0 || part.is_empty() {
            return false;
        }
        self.left -= 1;
        self.asked += 1;
        let literals: Vec<TheoryLiteral> = part.iter().map(|place| self.literals[*place]).collect();
        self.theory.refutes(&literals)
    }

    /// Leaves out what is not needed for the refutation.
    fn shorten(&mut self, mut core: Vec<usize>) -> Vec<usize> {
        for place in (0..core.len()).rev() {
            let mut part = core.clone();
            part.remove(place);
            if self.refutes(&part) {
                core = part;
            }
        }
        core
    }
}

/// The conflicts of a refuted set, as places in it; `variables` are those that each literal reads.
pub(crate) fn conflicts<T: Theory>(
    refuted: Refuted,
    variables: &[Arc<[SymbolId]>],
    questions: &mut Questions<'_, T>,
) -> Vec<Vec<usize>> {
    let count = questions.literals.len();
    let mut cores: Vec<Vec<usize>> = Vec::new();
    for core in refuted.cores {
        let core: BTreeSet<usize> = core.into_iter().collect();
        let is_part = core.iter().all(|place| *place < count);
        let core: Vec<usize> = core.into_iter().collect();
        if is_part && (refuted.cores_are_proved || questions.refutes(&core)) {
            cores.push(core);
        }
    }
    for candidate in candidates(&refuted.feasible, variables) {
        let is_known = cores.iter().any(|core| is_part_of(core, &candidate));
        if !is_known && questions.refutes(&candidate) {
            cores.push(candidate);
        }
    }
    if cores.is_empty() {
        cores.push((0..count).collect());
    }
    let cores = without_supersets(cores);
    let shortened = cores.into_iter().map(|core| questions.shorten(core)).collect();
    without_supersets(shortened)
}

/// For every i ∉ I_feas: i and the j ∈ I_feas that share a variable with it.
fn candidates(feasible: &BTreeSet<usize>, variables: &[Arc<[SymbolId]>]) -> Vec<Vec<usize>> {
    let shares = |i: usize, j: usize| variables[i].iter().any(|v| variables[j].contains(v));
    let all = 0..variables.len();
    all.clone()
        .filter(|i| !feasible.is_empty() && !feasible.contains(i))
        .map(|i| {
            all.clone()
                .filter(|j| *j == i || (feasible.contains(j) && shares(i, *j)))
                .collect()
        })
        .collect()
}

fn is_part_of(small: &[usize], large: &[usize]) -> bool {
    small.iter().all(|place| large.contains(place))
}

/// Small ones first; a set says nothing if a part of it is a conflict already.
fn without_supersets(mut cores: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    cores.sort_by_key(|core| (core.len(), core.clone()));
    let mut kept: Vec<Vec<usize>> = Vec::new();
    for core in cores {
        if !kept.iter().any(|small| is_part_of(small, &core)) {
            kept.push(core);
        }
    }
    kept
}
