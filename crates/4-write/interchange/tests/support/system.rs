//! What both formats describe, checked for sense, and run: fixed steps of Runge and Kutta, guards located by halving.

use super::expression::{Expression, Formula, Values};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) name: String,
    pub(crate) invariant: Formula,
    pub(crate) flow: BTreeMap<String, Expression>,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) guard: Formula,
    pub(crate) reset: BTreeMap<String, Expression>,
}

#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) variables: Vec<String>,
    /// Bounds, if the format has any.
    pub(crate) bounds: BTreeMap<String, (f64, f64)>,
    pub(crate) locations: Vec<Location>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) first: String,
    pub(crate) init: Formula,
    /// The location in which the property is broken.
    pub(crate) broken: Option<String>,
}

/// A run: times of jumps, and the values at the end.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) jumps: Vec<f64>,
    pub(crate) end: Values,
    /// When an edge to the broken location could first be taken.
    pub(crate) broken: Option<f64>,
}

impl System {
    /// Every name is declared, every location is there, every variable has a rate and a value after each jump.
    pub(crate) fn check(&self) {
        let is_declared = |names: &[String]| {
            for name in names {
                let name = name.trim_end_matches('\'');
                assert!(self.variables.iter().any(|v| v == name), "{name} is not declared");
            }
        };
        let of_formula = |f: &Formula| {
            let mut names = Vec::new();
            f.variables(&mut names);
            is_declared(&names);
        };
        let of_expression = |e: &Expression| {
            let mut names = Vec::new();
            e.variables(&mut names);
            is_declared(&names);
        };
        let has = |name: &str| self.locations.iter().any(|l| l.name == name);
        assert!(has(&self.first), "no first location {}", self.first);
        for location in &self.locations {
            of_formula(&location.invariant);
            let flowing: Vec<String> = location.flow.keys().cloned().collect();
            is_declared(&flowing);
            for variable in &self.variables {
                let rate = location.flow.get(variable);
                of_expression(rate.unwrap_or_else(|| panic!("{variable} has no rate in {}", location.name)));
            }
        }
        for edge in &self.edges {
            assert!(has(&edge.from) && has(&edge.to), "{} -> {}", edge.from, edge.to);
            of_formula(&edge.guard);
            for variable in &self.variables {
                let value = edge.reset.get(variable);
                of_expression(
                    value.unwrap_or_else(|| {
                        panic!("{variable} has no value after {} -> {}", edge.from, edge.to)
                    }),
                );
            }
        }
        of_formula(&self.init);
        let mut set = Vec::new();
        self.init.variables(&mut set);
        for variable in &self.variables {
            assert!(set.contains(variable), "{variable} does not begin anywhere");
        }
        if let Some(broken) = &self.broken {
            assert!(has(broken));
        }
    }

    fn start(&self, chosen: &[(&str, f64)]) -> Values {
        let mut values: Values = chosen.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        let mut left: Vec<&Formula> = self.init.comparisons();
        // Equalities whose right sides are known, until all are.
        for _ in 0..=self.variables.len() {
            left.retain(|comparison| {
                let Formula::Compare(Expression::Variable(name), "=" | "==", right) = comparison else {
                    return true;
                };
                let mut needs = Vec::new();
                right.variables(&mut needs);
                if needs.iter().all(|n| values.contains_key(n)) && !values.contains_key(name) {
                    let value = right.value(&values);
                    values.insert(name.clone(), value);
                }
                true
            });
        }
        for variable in &self.variables {
            assert!(values.contains_key(variable), "{variable} was not chosen");
        }
        assert!(
            self.init.holds_nearly(&values, 1e-12),
            "{values:?} is no beginning"
        );
        values
    }

    fn rates(&self, location: &Location, at: &Values) -> Values {
        location
            .flow
            .iter()
            .map(|(n, e)| (n.clone(), e.value(at)))
            .collect()
    }

    fn step(&self, location: &Location, at: &Values, h: f64) -> Values {
        let moved = |rates: &Values, by: f64| -> Values {
            at.iter()
                .map(|(n, v)| (n.clone(), v + by * rates.get(n).copied().unwrap_or(0.0)))
                .collect()
        };
        let a = self.rates(location, at);
        let b = self.rates(location, &moved(&a, 0.5 * h));
        let c = self.rates(location, &moved(&b, 0.5 * h));
        let d = self.rates(location, &moved(&c, h));
        at.iter()
            .map(|(n, v)| {
                let of = |k: &Values| k.get(n).copied().unwrap_or(0.0);
                (
                    n.clone(),
                    v + h / 6.0 * (of(&a) + 2.0 * of(&b) + 2.0 * of(&c) + of(&d)),
                )
            })
            .collect()
    }

    fn taken(&self, location: &str, at: &Values) -> Vec<&Edge> {
        let edges = self.edges.iter().filter(|e| e.from == location);
        edges
            .filter(|e| Some(&e.to) != self.broken.as_ref() && e.guard.holds(at))
            .collect()
    }

    fn may_break(&self, location: &str, at: &Values) -> bool {
        let mut edges = self
            .edges
            .iter()
            .filter(|e| e.from == location && Some(&e.to) == self.broken.as_ref());
        edges.any(|e| e.guard.holds(at))
    }

    fn location(&self, name: &str) -> &Location {
        self.locations.iter().find(|l| l.name == name).unwrap()
    }

    /// The run until a time; every edge is taken as soon as it can be.
    pub(crate) fn run(&self, chosen: &[(&str, f64)], until: f64, steps: usize) -> Run {
        let h = until / steps as f64;
        let mut at = self.start(chosen);
        let (mut place, mut t, mut broken) = (self.first.clone(), 0.0, None);
        let mut jumps = Vec::new();
        loop {
            let mut at_once = 0;
            while let Some((to, after)) = self.jump(&place, &at) {
                jumps.push(t);
                (place, at) = (to, after);
                at_once += 1;
                assert!(at_once < 100, "jumps without end at {t}");
            }
            if broken.is_none() && self.may_break(&place, &at) {
                broken = Some(t);
            }
            if t >= until {
                return Run {
                    jumps,
                    end: at,
                    broken,
                };
            }
            let location = self.location(&place);
            assert!(
                location.invariant.holds_nearly(&at, 1e-7),
                "{place} is left without an edge at {t}: {at:?}"
            );
            let size = h.min(until - t);
            let next = self.step(location, &at, size);
            if self.taken(&place, &next).is_empty() {
                t = if until - t <= h { until } else { t + size };
                at = next;
                continue;
            }
            let (mut low, mut high) = (0.0, size);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if self.taken(&place, &self.step(location, &at, middle)).is_empty() {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            at = self.step(location, &at, high);
            t += high;
        }
    }

    fn jump(&self, place: &str, at: &Values) -> Option<(String, Values)> {
        let mut found: Option<(String, Values)> = None;
        for edge in self.taken(place, at) {
            let after: Values = edge.reset.iter().map(|(n, e)| (n.clone(), e.value(at))).collect();
            if !self.location(&edge.to).invariant.holds_nearly(&after, 1e-7) {
                continue;
            }
            if let Some((to, other)) = &found {
                let is_same = *to == edge.to && after.iter().all(|(n, v)| (v - other[n]).abs() < 1e-9);
                assert!(is_same, "two ways at {at:?}: {other:?}, {after:?}");
                continue;
            }
            found = Some((edge.to.clone(), after));
        }
        found
    }
}
