//! Temporal formulas: always, eventually, until and their windows.

use super::context::Dependence;
use super::expression::{Lowered, Lowering};
use super::fields::is_one;
use super::typed::Typed;
use crate::syntax::ast::{NodeIndex, TemporalOp};
use dyverse_diag::{Origin, number, report};
use dyverse_model::{Formula, FormulaId, Window};

impl Lowering<'_, '_> {
    pub(crate) fn part(&mut self, formula: Formula) -> Typed {
        self.formula.push(formula);
        Typed::Temporal(FormulaId(self.formula.len() as u32 - 1))
    }

    /// A truth value as part of a temporal formula.
    pub(crate) fn as_formula(&mut self, typed: &Typed) -> Option<FormulaId> {
        match typed {
            Typed::Temporal(id) => Some(*id),
            other => {
                let truth = self.as_truth(other)?;
                match self.part(Formula::Now(truth)) {
                    Typed::Temporal(id) => Some(id),
                    _ => None,
                }
            }
        }
    }

    pub(crate) fn temporal(
        &mut self,
        op: TemporalOp,
        window: Option<Window>,
        body: &Typed,
        origin: Origin,
    ) -> Typed {
        if body.is_broken() {
            return Typed::Broken;
        }
        let Some(body_id) = self.as_formula(body) else {
            return self.mismatch(
                format!(
                    "a temporal operator speaks of truth values, not of {}",
                    body.describe()
                ),
                origin,
                "compare it, as in `always [0, 2] ball.y > 0`",
            );
        };
        match op {
            TemporalOp::Always => self.part(Formula::Always(window, body_id)),
            TemporalOp::Eventually => self.part(Formula::Eventually(window, body_id)),
            TemporalOp::Never => match self.part(Formula::Not(body_id)) {
                Typed::Temporal(not) => self.part(Formula::Always(window, not)),
                other => other,
            },
        }
    }

    pub(crate) fn until(
        &mut self,
        window: Option<Window>,
        left: &Typed,
        right: &Typed,
        origin: Origin,
    ) -> Typed {
        if left.is_broken() || right.is_broken() {
            return Typed::Broken;
        }
        match (self.as_formula(left), self.as_formula(right)) {
            (Some(left), Some(right)) => self.part(Formula::Until(window, left, right)),
            _ => {
                let found = format!("{} and {}", left.describe(), right.describe());
                self.mismatch(
                    format!("`until` joins two truth values, not {found}"),
                    origin,
                    "compare, as in `x > 0 until y > 1`",
                )
            }
        }
    }

    pub(crate) fn window(&mut self, window: Option<NodeIndex>, done: &Lowered<'_>) -> Option<Window> {
        let node = window?;
        let origin = self.tree.nodes[node].origin;
        let Typed::Interval(lower, upper) = done.get(node) else {
            return None;
        };
        let allowed = Dependence::PARAMETER;
        if !self
            .context
            .check_dependence(&[*lower, *upper], allowed, origin, "a time window")
        {
            return None;
        }
        for end in [*lower, *upper] {
            if !self.context.check_finite(end, origin, "an end of a time window") {
                return None;
            }
        }
        let (from, to) = (self.context.value(*lower), self.context.value(*upper));
        if !is_one(from) || !is_one(to) {
            report!(self.context, L013 at origin, "a time window is the same for all parameters";
                label "from {} up to {}", number(from.lo()), number(to.hi());
                help "write numbers, and say the rest in the formula, as in `time <= T implies …`");
            return None;
        }
        let (from, to) = (from.mid()?, to.mid()?);
        if from < 0.0 {
            report!(self.context, L013 at origin, "a time window lies from 0 on";
                label "from {} to {}", number(from), number(to);
                help "write for example [0, 2]");
            return None;
        }
        Some(Window {
            from,
            to: to.max(from),
        })
    }
}
