//! Causality loops that some choice of modes makes possible, found before anything runs.
//!
//! Signals and strict dependencies form a directed graph. A loop lies inside a strongly connected part of it, and it is possible only if all
//! its dependencies can be there together: no modal model would have to be in two modes at once. Inside each part simple cycles are
//! enumerated with their modes as a constraint.
//!
//! # Guarantee
//! A graph without loops here is constructive at every tick. A loop found is [`Certainty::Inevitable`] only if no tick of the loop's region
//! avoids it; [`Certainty::Possible`] loops may stay open because guards and events exclude each other, which the run
//! decides tick by tick. At most [`MOST_LOOPS`] loops of a part are listed and [`MOST_WORK`] steps are spent on it; a part where that
//! was not enough to find a consistent loop is reported as [`Certainty::Unresolved`], never dropped.

use crate::{Dependency, Graph, ModalId, ModeId, Role, SignalId, SignalKind, strict_dependencies};
use std::fmt;

/// Loops listed of one strongly connected part at the most.
const MOST_LOOPS: usize = 16;
/// Steps of the search in one strongly connected part at the most.
const MOST_WORK: usize = 100_000;

/// How sure it is that a loop closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Always.
    Inevitable,
    /// For some modes and events, perhaps.
    Possible,
    /// The search gave up before it knew.
    Unresolved,
}

/// A dependency of a loop: `signal` is needed by the next step's signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LoopStep {
    /// What is needed.
    pub signal: SignalId,
    /// By which port of the next.
    pub role: Role,
}

/// A causality loop: each step's signal is needed by the next, the last by the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CausalityLoop {
    /// Signals in order of need.
    pub steps: Vec<LoopStep>,
    /// The modes it needs.
    pub modes: Vec<(ModalId, ModeId)>,
    /// How sure it is.
    pub certainty: Certainty,
}

impl CausalityLoop {
    /// Places in `steps` after which a microstep delay fits best: before an impulse or reset, else after an event, else anywhere.
    pub fn places_for_delay(&self, graph: &Graph) -> Vec<usize> {
        let select = |is_good: &dyn Fn(&LoopStep) -> bool| -> Vec<usize> {
            let numbered = self.steps.iter().enumerate();
            numbered.filter(|(_, s)| is_good(s)).map(|(i, _)| i).collect()
        };
        let impulses = select(&|s| matches!(s.role, Role::Impulse | Role::Reset));
        if !impulses.is_empty() {
            return impulses;
        }
        let events = select(&|s| graph.signal(s.signal).kind == SignalKind::Event);
        if events.is_empty() {
            select(&|_| true)
        } else {
            events
        }
    }

    /// `a -> b -> c.impulse -> a`: the loop, port by port.
    pub fn describe(&self, graph: &Graph) -> String {
        let mut text = String::new();
        for (place, step) in self.steps.iter().enumerate() {
            let next = &self.steps[(place + 1) % self.steps.len()];
            if place == 0 {
                text.push_str(&graph.signal(step.signal).label());
            }
            text.push_str(" -> ");
            text.push_str(&port(graph, next.signal, step.role));
        }
        text
    }

    /// `post NAME` for each good place: what would break the loop.
    pub fn remedies(&self, graph: &Graph) -> Vec<String> {
        self.places_for_delay(graph)
            .into_iter()
            .map(|place| {
                let (step, next) = (&self.steps[place], &self.steps[(place + 1) % self.steps.len()]);
                format!(
                    "`post {}` into {}",
                    graph.signal(step.signal).label(),
                    port(graph, next.signal, step.role)
                )
            })
            .collect()
    }
}

fn port(graph: &Graph, signal: SignalId, role: Role) -> String {
    let name = graph.signal(signal).label();
    match role.port() {
        "" => name,
        port => format!("{name}.{port}"),
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Certainty::Inevitable => "inevitable",
            Certainty::Possible => "possible",
            Certainty::Unresolved => "unresolved",
        })
    }
}

/// Every loop that some choice of modes makes possible.
pub fn find_loops(graph: &Graph) -> Vec<CausalityLoop> {
    let dependencies = strict_dependencies(graph);
    let count = graph.signals().len();
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (place, dependency) in dependencies.iter().enumerate() {
        out[dependency.from.0 as usize].push(place as u32);
    }
    let part_of = strongly_connected(count, |v, k| {
        let edge = *out[v].get(k)?;
        Some(dependencies[edge as usize].to.0 as usize)
    });
    let mut loops = Vec::new();
    let parts = part_of.iter().copied().max().map_or(0, |m| m + 1);
    let mut members = vec![Vec::new(); parts];
    for (v, part) in part_of.iter().enumerate() {
        members[*part].push(v);
    }
    for vertices in members {
        let part = part_of[vertices[0]];
        let is_trivial = vertices.len() == 1
            && !out[vertices[0]].iter().any(|e| {
                let to = dependencies[*e as usize].to.0 as usize;
                to == vertices[0]
            });
        if is_trivial {
            continue;
        }
        let mut search = LoopSearch {
            dependencies: &dependencies,
            out: &out,
            part_of: &part_of,
            part,
            work: 0,
            found: Vec::new(),
        };
        for start in &vertices {
            search.from(*start);
        }
        if search.found.is_empty() && search.work >= MOST_WORK {
            loops.extend(search.any_loop(vertices[0]));
        }
        loops.append(&mut search.found);
    }
    loops
}

struct LoopSearch<'a> {
    dependencies: &'a [Dependency],
    out: &'a [Vec<u32>],
    part_of: &'a [usize],
    part: usize,
    work: usize,
    found: Vec<CausalityLoop>,
}

impl LoopSearch<'_> {
    /// Simple cycles whose least vertex is `start`, depth first without recursion.
    fn from(&mut self, start: usize) {
        let mut path: Vec<(usize, usize)> = vec![(start, 0)]; // vertex, next edge to try
        let mut edges: Vec<u32> = Vec::new();
        while let Some((vertex, next)) = path.last_mut() {
            if self.work >= MOST_WORK || self.found.len() >= MOST_LOOPS {
                return;
            }
            self.work += 1;
            let Some(edge) = self.out[*vertex].get(*next).copied() else {
                path.pop();
                edges.pop();
                continue;
            };
            *next += 1;
            let to = self.dependencies[edge as usize].to.0 as usize;
            if self.part_of[to] != self.part || to < start || !self.is_consistent(&edges, edge) {
                continue;
            }
            if to == start {
                edges.push(edge);
                self.report(&edges, Certainty::Possible);
                edges.pop();
            } else if path.iter().all(|(v, _)| *v != to) {
                edges.push(edge);
                path.push((to, 0));
            }
        }
    }

    fn is_consistent(&self, edges: &[u32], another: u32) -> bool {
        let added = &self.dependencies[another as usize].modes;
        let clash = |modes: &[(ModalId, ModeId)]| {
            let differs = |(modal, mode): &(ModalId, ModeId)| {
                added
                    .iter()
                    .any(|(other, wanted)| other == modal && wanted != mode)
            };
            modes.iter().any(differs)
        };
        !clash(added) && !edges.iter().any(|e| clash(&self.dependencies[*e as usize].modes))
    }

    fn report(&mut self, edges: &[u32], certainty: Certainty) {
        let all = || edges.iter().map(|e| &self.dependencies[*e as usize]);
        let mut modes: Vec<_> = all().flat_map(|d| d.modes.iter().copied()).collect();
        modes.sort_unstable();
        modes.dedup();
        let is_sure = all().all(|d| d.role.is_always_needed() && d.modes.is_empty() && !d.is_in_enabled);
        let steps: Vec<LoopStep> = all()
            .map(|d| LoopStep {
                signal: d.from,
                role: d.role,
            })
            .collect();
        let same = |l: &CausalityLoop| {
            l.steps
                .iter()
                .map(|s| s.signal)
                .eq(steps.iter().map(|s| s.signal))
        };
        if let Some(known) = self.found.iter_mut().find(|l| same(l)) {
            if is_sure {
                known.certainty = Certainty::Inevitable;
            }
            return;
        }
        self.found.push(CausalityLoop {
            steps,
            modes,
            certainty: if is_sure { Certainty::Inevitable } else { certainty },
        });
    }

    /// Some cycle, its modes not looked at.
    fn any_loop(&mut self, start: usize) -> Option<CausalityLoop> {
        let mut seen = vec![usize::MAX; self.out.len()];
        let mut edges: Vec<u32> = Vec::new();
        let mut vertex = start;
        while seen[vertex] == usize::MAX {
            seen[vertex] = edges.len();
            let inside = |e: &&u32| self.part_of[self.dependencies[**e as usize].to.0 as usize] == self.part;
            let edge = *self.out[vertex].iter().find(inside)?;
            edges.push(edge);
            vertex = self.dependencies[edge as usize].to.0 as usize;
        }
        let cycle = edges.split_off(seen[vertex]);
        self.report(&cycle, Certainty::Unresolved);
        self.found.pop()
    }
}

/// The strongly connected part of each vertex, by Tarjan's algorithm without recursion. Parts are numbered so that a part comes after those it leads to.
pub fn strongly_connected(count: usize, edge: impl Fn(usize, usize) -> Option<usize>) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let (mut order, mut low, mut part) = (vec![NONE; count], vec![0; count], vec![NONE; count]);
    let (mut stack, mut clock, mut parts) = (Vec::new(), 0, 0);
    for root in 0..count {
        if order[root] != NONE {
            continue;
        }
        let mut calls: Vec<(usize, usize)> = vec![(root, 0)];
        while let Some((v, next)) = calls.last_mut() {
            let v = *v;
            if *next == 0 && order[v] == NONE {
                (order[v], low[v]) = (clock, clock);
                clock += 1;
                stack.push(v);
            }
            let Some(to) = edge(v, *next) else {
                calls.pop();
                if low[v] == order[v] {
                    while let Some(w) = stack.pop() {
                        part[w] = parts;
                        if w == v {
                            break;
                        }
                    }
                    parts += 1;
                }
                if let Some((parent, _)) = calls.last() {
                    low[*parent] = low[*parent].min(low[v]);
                }
                continue;
            };
            *next += 1;
            if order[to] == NONE {
                calls.push((to, 0));
            } else if part[to] == NONE {
                low[v] = low[v].min(order[to]);
            }
        }
    }
    part
}
