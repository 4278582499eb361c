//! Boxes of unknowns: how they are cut, and how they become Taylor models.

use std::sync::Arc;

use dyverse_enclose::{Basis, TaylorModel, VariableId};
use dyverse_formulas::{Obstacle, Unknown};
use dyverse_num::Interval;

use crate::interrupt::Interrupt;

/// A box of unknowns, one interval for each.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownBox {
    /// One interval for each unknown.
    pub sides: Vec<Interval>,
}

impl UnknownBox {
    /// The whole range of every unknown.
    ///
    /// # Errors
    /// If one has no range.
    pub fn whole(unknowns: &[Unknown]) -> Result<Self, Obstacle> {
        let side = |u: &Unknown| {
            Interval::new(u.lower, u.upper).map_err(|_| Obstacle {
                what: format!("`{}` has no range: [{}, {}]", u.name, u.lower, u.upper),
            })
        };
        let sides = unknowns.iter().map(side).collect::<Result<_, _>>()?;
        Ok(UnknownBox { sides })
    }

    /// The two halves along a side.
    pub fn halves(&self, side: usize) -> [Self; 2] {
        let (left, right) = self.sides[side].bisect();
        [left, right].map(|half| {
            let mut sides = self.sides.clone();
            sides[side] = half;
            UnknownBox { sides }
        })
    }

    /// The longest side, relative to the whole box; `None` if all are points.
    pub fn longest(&self, whole: &Self) -> Option<usize> {
        let length = |i: usize| {
            let all = whole.sides[i].width();
            if all > 0.0 {
                self.sides[i].width() / all
            } else {
                0.0
            }
        };
        let longest =
            (0..self.sides.len()).max_by(|a, b| length(*a).total_cmp(&length(*b)).then(b.cmp(a)))?;
        (length(longest) > 0.0).then_some(longest)
    }

    /// The share of the whole box that it is.
    pub fn share(&self, whole: &Self) -> f64 {
        let ratio = |(own, all): (&Interval, &Interval)| {
            if all.width() > 0.0 {
                own.width() / all.width()
            } else {
                1.0
            }
        };
        self.sides.iter().zip(&whole.sides).map(ratio).product()
    }

    /// The point in the middle.
    pub fn middle(&self) -> Vec<f64> {
        let middle = |side: &Interval| match side.mid() {
            Some(middle) => middle,
            None => unreachable!("bug: a box with an empty side"),
        };
        self.sides.iter().map(middle).collect()
    }

    /// A box of one point.
    pub fn point(values: &[f64]) -> Self {
        UnknownBox {
            sides: values.iter().map(|v| Interval::point(*v)).collect(),
        }
    }

    /// Its unknowns as Taylor models: those that vary are the variables of the cube. There is always one, so that there is a basis. What is computed with them ends
    /// with the interrupt.
    pub fn models(&self, degree: usize, interrupt: Option<&Interrupt>) -> (Arc<Basis>, Vec<TaylorModel>) {
        let varying = self.sides.iter().filter(|s| !s.is_point()).count();
        let basis = Basis::ending(varying, degree, interrupt.map(Interrupt::asked));
        let mut variable = 0;
        let models = self
            .sides
            .iter()
            .map(|side| {
                if side.is_point() {
                    TaylorModel::constant(&basis, *side)
                } else {
                    variable += 1;
                    TaylorModel::variable(&basis, VariableId(variable - 1), *side)
                }
            })
            .collect();
        (basis, models)
    }
}

/// A degree that suits a number of variables.
pub(crate) fn degree_for(variables: usize) -> usize {
    match variables {
        0 | 1 => 6,
        2 => 4,
        3 => 3,
        _ => 2,
    }
}
