//! The table of what a contact may do, in C: the rows and margins that runs ask (`dyverse_machine::TABLE`), recorded and printed.
//!
//! | function of C | row of the table |
//! |---|---|
//! | `contact_closes` | in a location, open: closes |
//! | `contact_strikes` | I,en: strikes |
//! | `contact_leaves` | I,ex: leaves |
//! | `contact_slips`, `contact_starts` | C,ex: slips, starts; what does neither sticks |
//! | `until_opens`, `until_breaks_away`, `until_stops` | in a location, closed: margins of what ends a mode, negated; crossed from above |
//!
//! # Guarantee
//! The same operations in the same order as on doubles in a run. What is no number holds in no row.

use super::Bodies;
use crate::expression::{Helpers, write_assignments};
use crate::text::{CText, number};
use dyverse_expr::{NodeId, Relation, SymbolId};
use dyverse_formulas::{Recorder, Symbolic};
use dyverse_machine::{Atom, Case, ContactQuantities, Move, Phase, Quantity, Thresholds};

/// Numbers of a contact and limits, as C reads them; a symbol is the place of one.
const NUMBERS: [&str; 19] = [
    "c->gap",
    "c->rate[0]",
    "c->rate[1]",
    "c->rate[2]",
    "c->acceleration[0]",
    "c->acceleration[1]",
    "c->acceleration[2]",
    "c->force[0]",
    "c->force[1]",
    "c->force[2]",
    "c->friction",
    "c->slack",
    "c->direction[0]",
    "c->direction[1]",
    "l->gap",
    "l->simultaneity",
    "l->velocity",
    "l->force",
    "l->acceleration",
];
const RATE: u32 = 1;
const ACCELERATION: u32 = 4;
const FORCE: u32 = 7;
const FRICTION: u32 = 10;
const SLACK: u32 = 11;
const DIRECTION: u32 = 12;
const LIMITS: u32 = 14;

/// A contact whose numbers are symbols.
struct Asked<'r> {
    recorder: &'r Recorder,
    /// Whether its speed is asked along the direction that it slides in.
    is_sliding: bool,
}

impl Asked<'_> {
    fn at(&self, place: u32) -> Symbolic {
        self.recorder.symbol(SymbolId(place))
    }

    fn limits(&self) -> Thresholds<Symbolic> {
        Thresholds {
            gap: self.at(LIMITS),
            simultaneity: self.at(LIMITS + 1),
            velocity: self.at(LIMITS + 2),
            force: self.at(LIMITS + 3),
            acceleration: self.at(LIMITS + 4),
        }
    }

    fn margin(&self, atom: Atom) -> NodeId {
        let margin = atom.margin(self, &self.limits());
        let Some(node) = self.recorder.node(&margin) else {
            unreachable!("bug: the margin of {atom:?} is made of symbols");
        };
        node
    }

    fn holds(&self, atom: Atom) -> NodeId {
        let margin = self.margin(atom);
        let relation = if atom.relation.is_closed() {
            Relation::GreaterEqual
        } else {
            Relation::Greater
        };
        self.recorder.with_pool(|pool| {
            let zero = pool.number(0.0);
            pool.compare(relation, margin, zero)
        })
    }
}

impl ContactQuantities for Asked<'_> {
    type S = Symbolic;

    fn normal(&self, quantity: Quantity) -> Symbolic {
        match quantity {
            Quantity::Gap => self.at(0),
            Quantity::NormalVelocity => self.at(RATE),
            Quantity::NormalAcceleration => self.at(ACCELERATION),
            Quantity::NormalForce => self.at(FORCE),
            _ => unreachable!("bug: {quantity:?} is no number of the normal direction here"),
        }
    }

    fn tangential(&self, quantity: Quantity) -> [Symbolic; 2] {
        let first = match quantity {
            Quantity::TangentialSpeed => RATE,
            Quantity::TangentialAcceleration => ACCELERATION,
            Quantity::TangentialForce => FORCE,
            _ => unreachable!("bug: {quantity:?} is no vector of the tangent plane here"),
        };
        [self.at(first + 1), self.at(first + 2)]
    }

    fn friction(&self) -> Symbolic {
        self.at(FRICTION)
    }

    fn slack(&self) -> Symbolic {
        self.at(SLACK)
    }

    fn direction(&self) -> Option<[Symbolic; 2]> {
        self.is_sliding
            .then(|| [self.at(DIRECTION), self.at(DIRECTION + 1)])
    }
}

impl Bodies<'_> {
    /// Types, limits and functions.
    pub(super) fn machine(&self, helpers: &mut Helpers) -> String {
        let mut out = CText::new();
        out.line("/* What the conditions of the automaton ask about a contact: g_N, dg, ddg, forces, friction, what a friction force may be beyond its limit, the direction of slip. */");
        out.open("typedef struct {");
        out.line("double gap, rate[3], acceleration[3], force[3], friction, slack, direction[2];");
        out.close("} contact_numbers;");
        out.line("");
        out.line("/* What counts as zero: usually, and for one that slips slowly. */");
        out.open("typedef struct {");
        out.line("double gap, simultaneity, velocity, force, acceleration;");
        out.close("} contact_limits;");
        out.line("");
        let usual = self.model.thresholds();
        let slow = self.model.scales().slow_in_runs();
        out.line(format!("static const double SLOW = {};", number(slow)));
        for (name, limits) in [
            ("USUAL", usual),
            (
                "SLOWLY",
                Thresholds {
                    velocity: slow,
                    ..usual
                },
            ),
        ] {
            let numbers = [
                limits.gap,
                limits.simultaneity,
                limits.velocity,
                limits.force,
                limits.acceleration,
            ];
            let numbers = numbers.map(number).join(", ");
            out.line(format!("static const contact_limits {name} = {{{numbers}}};"));
        }
        out.line("");
        for (name, phase, does) in [
            ("contact_closes", Phase::Flow, Move::Closes),
            ("contact_strikes", Phase::ImpactEntrance, Move::Strikes),
            ("contact_leaves", Phase::ImpactExit, Move::Leaves),
            ("contact_slips", Phase::ContactExit, Move::Slips),
            ("contact_starts", Phase::ContactExit, Move::Starts),
        ] {
            row(name, Case::of(phase, does), helpers, &mut out);
        }
        for (name, does) in [
            ("until_opens", Move::Opens),
            ("until_breaks_away", Move::BreaksAway),
            ("until_stops", Move::Stops),
        ] {
            margin(name, Case::of(Phase::Flow, does), helpers, &mut out);
        }
        out.finish()
    }
}

/// Whether a row holds.
fn row(name: &str, case: &Case, helpers: &mut Helpers, out: &mut CText) {
    let recorder = Recorder::new();
    let asked = Asked {
        recorder: &recorder,
        is_sliding: false,
    };
    let mut all = recorder.with_pool(|pool| pool.boolean(true));
    for (atom, or) in case.comparisons() {
        let (own, soon) = (asked.holds(atom), or.map(|or| asked.holds(or)));
        all = recorder.with_pool(|pool| {
            let own = soon.map_or(own, |soon| pool.or(own, soon));
            pool.and(all, own)
        });
    }
    function("int", name, &recorder, all, helpers, out);
}

/// The margin of the negation of what ends a mode.
fn margin(name: &str, case: &Case, helpers: &mut Helpers, out: &mut CText) {
    let [atom] = case.when else {
        unreachable!("bug: modes end by one comparison");
    };
    let recorder = Recorder::new();
    let asked = Asked {
        recorder: &recorder,
        is_sliding: true,
    };
    let root = asked.margin(atom.negated());
    function("double", name, &recorder, root, helpers, out);
}

fn function(
    kind: &str,
    name: &str,
    recorder: &Recorder,
    root: NodeId,
    helpers: &mut Helpers,
    out: &mut CText,
) {
    out.line(format!(
        "static {kind} {name}(const contact_numbers *c, const contact_limits *l)"
    ));
    out.open("{");
    out.line("(void)l;");
    let symbol = |id: SymbolId| NUMBERS[id.0 as usize].to_owned();
    let value = write_assignments(&recorder.pool(), &[root], symbol, helpers, out).concat();
    out.line(match kind {
        // Unknown is -1.
        "int" => format!("return {value} == 1;"),
        _ => format!("return {value};"),
    });
    out.close("}");
    out.line("");
}
