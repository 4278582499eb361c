//! Conditions in a location with choices, exact at every moment: where an argument is on a border the choice has the value that it has there, if only for that instant.
//!
//! With φ\[s\] the condition with choices made as s says, a the argument of a choice that goes the way s in the location, and o the way it goes exactly on the border of s:
//!
//! > what must hold: (a is not inside s, or φ\[s\]) and (a is not on the border, or φ\[o\])
//! > what may happen: φ\[s\] or (a is on the border and φ\[o\])
//!
//! An outer choice whose argument is another formula once an inner one is on its border is looked at anew: all its ways, each where its argument says so. `|a|`, `min` and
//! `max` are the same from both sides, so nothing is asked of them on their borders.
//!
//! # Guarantee
//! What must hold is equivalent to φ, what may happen is implied by it, for all states of the location and on its borders. Beyond a limit on their size what must hold asks
//! for more than φ.

use dyverse_expr::NodeId;

use super::Evolution;
use super::choices::{Border, Sign, is_continuous, is_floor, is_same};
use super::switched::Switched;
use crate::{Condition, Constraint, Obstacle, Relation};

/// Ways to make the choices of one condition, at the most.
const MOST_WAYS: usize = 64;

/// A condition, where its choices are, and how they go there.
struct Weighed<'a> {
    choices: &'a [NodeId],
    /// Which of them the condition reads.
    is_read: Vec<bool>,
    /// How they go; `None` where nothing is known of them.
    own: Option<&'a [Sign]>,
    condition: &'a Condition,
    /// Whether it must hold, or may happen.
    must: bool,
    /// Ways that are left.
    left: usize,
}

impl<E: Evolution> Switched<E> {
    /// What must hold, exactly.
    pub(super) fn must(
        &mut self,
        choices: &[NodeId],
        own: Option<&[Sign]>,
        condition: &Condition,
    ) -> Result<Condition, Obstacle> {
        self.weigh(choices, own, condition, true)
    }

    /// What may happen, not less.
    pub(super) fn may(
        &mut self,
        choices: &[NodeId],
        own: &[Sign],
        condition: &Condition,
    ) -> Result<Condition, Obstacle> {
        self.weigh(choices, Some(own), condition, false)
    }

    fn weigh(
        &mut self,
        choices: &[NodeId],
        own: Option<&[Sign]>,
        condition: &Condition,
        must: bool,
    ) -> Result<Condition, Obstacle> {
        let mut weighed = Weighed {
            choices,
            is_read: self.are_read(choices, condition),
            own,
            condition,
            must,
            left: MOST_WAYS,
        };
        self.weigh_from(&mut weighed, &[])
    }

    fn are_read(&self, choices: &[NodeId], condition: &Condition) -> Vec<bool> {
        let nodes: Vec<NodeId> = condition.atoms().iter().map(|a| a.node).collect();
        self.with_pool(|pool| {
            let read = pool.reachable(&nodes);
            choices.iter().map(|c| read.contains(c)).collect()
        })
    }

    /// The condition with the first choices made.
    fn weigh_from(
        &mut self,
        weighed: &mut Weighed<'_>,
        made: &[Option<Sign>],
    ) -> Result<Condition, Obstacle> {
        let number = made.len();
        let Some(choice) = weighed.choices.get(number) else {
            weighed.left = weighed.left.saturating_sub(1);
            return Ok(self.made(weighed.choices, made, weighed.condition));
        };
        let own = weighed.own.and_then(|own| own.get(number)).copied();
        if !weighed.is_read[number] {
            return self.weigh_from(weighed, &extended(made, own));
        }
        let node = self.with_pool(|pool| pool.node(*choice));
        let argument = self.argument(weighed.choices, made, number)?;
        let usual: Option<Vec<Option<Sign>>> = weighed
            .own
            .map(|own| own[..number].iter().copied().map(Some).collect());
        let is_usual = match usual {
            Some(usual) => self.argument(weighed.choices, &usual, number)? == argument,
            None => false,
        };
        match own {
            Some(sign) if is_usual => {
                let own = self.weigh_from(weighed, &extended(made, Some(sign)))?;
                let borders = sign.borders().into_iter();
                let differ: Vec<Border> = borders
                    .filter(|b| !is_continuous(node) && !is_same(node, sign, b.on))
                    .collect();
                self.with_borders(weighed, made, argument, own, &differ)
            }
            // Which level is not known: floor is left as it is.
            _ if is_floor(node) || weighed.left == 0 => self.weigh_from(weighed, &extended(made, None)),
            _ => {
                let mut parts = Vec::new();
                for (sign, relation) in ways(|one, other| is_same(node, one, other), is_continuous(node)) {
                    let part = self.weigh_from(weighed, &extended(made, Some(sign)))?;
                    parts.push(weighed.where_it_is(argument, relation, part));
                }
                Ok(weighed.joined(parts))
            }
        }
    }

    /// A condition inside, and on borders.
    fn with_borders(
        &mut self,
        weighed: &mut Weighed<'_>,
        made: &[Option<Sign>],
        argument: NodeId,
        own: Condition,
        borders: &[Border],
    ) -> Result<Condition, Obstacle> {
        if borders.is_empty() {
            return Ok(own);
        }
        let mut inside = Vec::new();
        let mut parts = Vec::new();
        for border in borders {
            let node = self.change_pool(|pool| border.node(pool, argument));
            if weighed.left > 0 {
                let on = self.weigh_from(weighed, &extended(made, Some(border.on)))?;
                parts.push(weighed.where_it_is(node, Relation::Equal, on));
            } else {
                // Too much to say: nothing may be on the border, or everything may happen there.
                parts.push(Condition::Atom(Constraint {
                    node,
                    relation: if weighed.must {
                        Relation::NotEqual
                    } else {
                        Relation::Equal
                    },
                }));
            }
            inside.push(self.change_pool(|pool| border.is(pool, argument, border.not_inside())));
        }
        if weighed.must {
            inside.push(own);
            parts.insert(0, Condition::Or(inside));
        } else {
            parts.insert(0, own);
        }
        Ok(weighed.joined(parts))
    }

    /// A condition with choices made.
    fn made(&mut self, choices: &[NodeId], made: &[Option<Sign>], condition: &Condition) -> Condition {
        let nodes: Vec<NodeId> = condition.atoms().iter().map(|a| a.node).collect();
        condition.with_nodes(self.decided(choices, made, &nodes))
    }
}

impl Weighed<'_> {
    /// A part that counts where a relation holds.
    fn where_it_is(&self, node: NodeId, relation: Relation, part: Condition) -> Condition {
        if self.must {
            let elsewhere = Condition::Atom(Constraint {
                node,
                relation: relation.negated(),
            });
            Condition::Or(vec![elsewhere, part])
        } else {
            Condition::And(vec![Condition::Atom(Constraint { node, relation }), part])
        }
    }

    fn joined(&self, parts: Vec<Condition>) -> Condition {
        if self.must {
            Condition::And(parts)
        } else {
            Condition::Or(parts)
        }
    }
}

fn extended(made: &[Option<Sign>], next: Option<Sign>) -> Vec<Option<Sign>> {
    let mut longer = made.to_vec();
    longer.push(next);
    longer
}

/// The ways of a choice on a sign, each with where it counts; those that give the same are one.
fn ways(is_same: impl Fn(Sign, Sign) -> bool, is_continuous: bool) -> Vec<(Sign, Relation)> {
    if is_continuous || is_same(Sign::Zero, Sign::Plus) {
        return vec![
            (Sign::Plus, Relation::GreaterEqual),
            (Sign::Minus, Relation::Less),
        ];
    }
    if is_same(Sign::Zero, Sign::Minus) {
        return vec![
            (Sign::Plus, Relation::Greater),
            (Sign::Minus, Relation::LessEqual),
        ];
    }
    vec![
        (Sign::Plus, Relation::Greater),
        (Sign::Zero, Relation::Equal),
        (Sign::Minus, Relation::Less),
    ]
}
