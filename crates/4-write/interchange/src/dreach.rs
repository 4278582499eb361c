//! A hybrid automaton as a .drh file, for dReach [Kong, Gao, Chen, Clarke 2015] with dReal.
//!
//! | of the automaton | in the file |
//! |---|---|
//! | state, parameter with a range, clock | variable with bounds; the rate of parameters is 0 |
//! | location, invariant, flow | `mode`, `invt`, `flow` |
//! | edge | `jump`: guard `==>` mode and the new value of every variable |
//! | start | `init`, of one mode |
//! | property | `goal`: the mode in which it is broken |
//!
//! One goal only, in a mode of its own: some versions read no more than the first.
//!
//! # Guarantee
//! What the automaton does within the bounds of the variables and the horizon, the file does. dReach itself decides up to a perturbation δ.

use crate::InterchangeOptions;
use crate::automaton::{Automaton, Edge, Kind, Location};
use crate::hindrance::Hindrance;
use crate::names::comment;
use crate::table::{Begin, Table};
use crate::text::{Unwritable, Writer};
use std::fmt::Write;

/// The text of a .drh file.
pub(crate) fn write(
    automaton: &Automaton,
    options: &InterchangeOptions,
    notes: &[String],
) -> Result<String, Hindrance> {
    let table = Table::new(automaton);
    let file = File {
        automaton,
        writer: Writer::new(&automaton.algebra, &table.names),
        table: &table,
        options,
    };
    let body = file.body()?;
    let mut text = file.header(notes);
    text.push_str(&body);
    Ok(text)
}

struct File<'a> {
    automaton: &'a Automaton,
    table: &'a Table<'a>,
    writer: Writer<'a>,
    options: &'a InterchangeOptions,
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

impl File<'_> {
    fn header(&self, notes: &[String]) -> String {
        let mut text = String::new();
        let automaton = self.automaton;
        line(
            &mut text,
            format_args!("// {}, written by dyverse for dReach.", comment(&automaton.name)),
        );
        match &automaton.property {
            Some(property) => line(
                &mut text,
                format_args!(
                    "// The goal is the negation of the property {}: unsat means that it holds.",
                    comment(property)
                ),
            ),
            None => line(
                &mut text,
                format_args!("// No property: the goal is the end of the horizon."),
            ),
        }
        for note in notes {
            line(&mut text, format_args!("// {}", comment(note)));
        }
        if self.writer.has_rounded.get() {
            line(
                &mut text,
                format_args!("// Some numbers are rounded to the nearest double."),
            );
        }
        line(&mut text, format_args!("//"));
        for (identifier, name) in self.table.legend() {
            line(&mut text, format_args!("//   {identifier}: {}", comment(&name)));
        }
        for (place, value) in automaton.fixed.iter().enumerate() {
            if let Some(value) = value
                && let Ok(value) = self.writer.polynomial(value)
            {
                line(
                    &mut text,
                    format_args!(
                        "//   left out: {} is always {value}",
                        comment(&automaton.states[place])
                    ),
                );
            }
        }
        text.push('\n');
        text
    }

    fn body(&self) -> Result<String, Hindrance> {
        let mut text = String::new();
        self.declarations(&mut text)?;
        for (number, location) in self.automaton.locations.iter().enumerate() {
            self.mode(&mut text, number, location)?;
        }
        self.init(&mut text)?;
        self.goal(&mut text);
        Ok(text)
    }

    fn declarations(&self, text: &mut String) -> Result<(), Hindrance> {
        let mut is_told = false;
        for place in &self.table.moving {
            let name = &self.automaton.states[*place];
            let (lower, upper) = match self.options.bounds.iter().rev().find(|(n, ..)| n == name) {
                Some((_, lower, upper)) => (*lower, *upper),
                None => {
                    if !is_told {
                        line(
                            text,
                            format_args!(
                                "// Bounds of {} are a default box, not a claim of the model: give better ones.",
                                self.options.box_size
                            ),
                        );
                        is_told = true;
                    }
                    (-self.options.box_size, self.options.box_size)
                }
            };
            self.check_bounds(*place, lower, upper)?;
            line(
                text,
                format_args!("[{lower}, {upper}] {};", self.table.name(*place)),
            );
        }
        for constant in &self.table.constants {
            let name = self.table.constant_name(constant);
            line(
                text,
                format_args!("[{}, {}] {name};", constant.lower, constant.upper),
            );
        }
        let horizon = self.automaton.horizon;
        line(text, format_args!("[0, {horizon}] {};", self.table.clock));
        if let Some(stay) = &self.table.stay {
            line(text, format_args!("[0, {horizon}] {stay};"));
        }
        line(text, format_args!("[0, {horizon}] time;\n"));
        Ok(())
    }

    fn check_bounds(&self, place: usize, lower: f64, upper: f64) -> Result<(), Hindrance> {
        let (least, largest) = match self.table.begin(place) {
            Begin::At(value) => match value.value() {
                Some(value) => (value.to_f64(), value.to_f64()),
                None => return Ok(()),
            },
            Begin::Within(constant) => (constant.lower, constant.upper),
        };
        if lower <= least && largest <= upper && lower <= upper {
            return Ok(());
        }
        let name = &self.automaton.states[place];
        Err(Hindrance::new(format!(
            "`{name}` begins between {least} and {largest}, outside its bounds [{lower}, {upper}]"
        ))
        .with_help(format!("give it bounds: --bound {name}=[LOW,HIGH]")))
    }

    fn told<'m>(&'m self, what: String) -> impl Fn(Unwritable) -> Hindrance + 'm {
        move |construct| Hindrance::new(format!("{what} has {construct}: dReal knows no such function"))
    }

    fn mode(&self, text: &mut String, number: usize, location: &Location) -> Result<(), Hindrance> {
        line(text, format_args!("// {}", comment(&location.name)));
        line(text, format_args!("{{ mode {};", number + 1));
        line(text, format_args!("  invt:"));
        let told = self.told(format!("the domain of `{}`", location.name));
        for fact in &location.invariant {
            if let Some(fact) = self.writer.fact(fact, "=").map_err(&told)? {
                line(text, format_args!("    ({fact});"));
            }
        }
        if let (Some(stay), Kind::Urgent) = (&self.table.stay, location.kind) {
            line(text, format_args!("    ({stay} <= 0);"));
        }
        line(text, format_args!("  flow:"));
        for place in &self.table.moving {
            let told = self.told(format!(
                "the flow of `{}` in location `{}`",
                self.automaton.states[*place], location.name
            ));
            let rate = self.writer.polynomial(&location.rates[*place]).map_err(told)?;
            line(
                text,
                format_args!("    d/dt[{}] = {rate};", self.table.name(*place)),
            );
        }
        for constant in &self.table.constants {
            line(
                text,
                format_args!("    d/dt[{}] = 0;", self.table.constant_name(constant)),
            );
        }
        let ticks = u8::from(location.kind == Kind::Flows);
        line(text, format_args!("    d/dt[{}] = {ticks};", self.table.clock));
        if let Some(stay) = &self.table.stay {
            line(
                text,
                format_args!("    d/dt[{stay}] = {};", u8::from(location.kind == Kind::Urgent)),
            );
        }
        line(text, format_args!("  jump:"));
        for edge in self.automaton.edges.iter().filter(|e| e.from == number) {
            self.jump(text, edge)?;
        }
        line(text, format_args!("}}\n"));
        Ok(())
    }

    fn jump(&self, text: &mut String, edge: &Edge) -> Result<(), Hindrance> {
        let told = self.told(format!("the edge `{}`", edge.label));
        let mut guard = Vec::new();
        for fact in &edge.guard {
            if let Some(fact) = self.writer.fact(fact, "=").map_err(&told)? {
                guard.push(format!("({fact})"));
            }
        }
        let guard = match guard.as_slice() {
            [] => "true".to_owned(),
            [one] => one.clone(),
            more => format!("(and {})", more.join(" ")),
        };
        let mut resets = Vec::new();
        for place in &self.table.moving {
            let told = self.told(format!(
                "the new value of `{}` on the edge `{}`",
                self.automaton.states[*place], edge.label
            ));
            let value = self.writer.polynomial(&edge.reset[*place]).map_err(told)?;
            resets.push(format!("({}' = {value})", self.table.name(*place)));
        }
        let unchanged = self.table.constants.iter().map(|c| self.table.constant_name(c));
        for name in unchanged.chain([self.table.clock.as_str()]) {
            resets.push(format!("({name}' = {name})"));
        }
        if let Some(stay) = &self.table.stay {
            resets.push(format!("({stay}' = 0)"));
        }
        line(text, format_args!("    // {}", comment(&edge.label)));
        line(
            text,
            format_args!("    {guard} ==> @{} (and {});", edge.to + 1, resets.join(" ")),
        );
        Ok(())
    }

    fn init(&self, text: &mut String) -> Result<(), Hindrance> {
        let mut parts = Vec::new();
        let within = |name: &str, lower: f64, upper: f64| {
            if lower == upper {
                format!("({name} = {lower})")
            } else {
                format!("({name} >= {lower}) ({name} <= {upper})")
            }
        };
        for place in &self.table.moving {
            let name = self.table.name(*place);
            parts.push(match self.table.begin(*place) {
                Begin::Within(constant) => within(name, constant.lower, constant.upper),
                Begin::At(value) => {
                    let told = self.told(format!(
                        "the initial value of `{}`",
                        self.automaton.states[*place]
                    ));
                    format!("({name} = {})", self.writer.polynomial(value).map_err(told)?)
                }
            });
        }
        for constant in &self.table.constants {
            parts.push(within(
                self.table.constant_name(constant),
                constant.lower,
                constant.upper,
            ));
        }
        parts.push(format!("({} = 0)", self.table.clock));
        parts.extend(self.table.stay.iter().map(|stay| format!("({stay} = 0)")));
        line(
            text,
            format_args!(
                "init:\n@{} (and {});\n",
                self.automaton.first + 1,
                parts.join(" ")
            ),
        );
        Ok(())
    }

    fn goal(&self, text: &mut String) {
        line(text, format_args!("goal:"));
        match (self.automaton.broken(), &self.automaton.property) {
            (Some(broken), _) => line(text, format_args!("@{} (true);", broken + 1)),
            // No location has a state that breaks the property.
            (None, Some(_)) => line(text, format_args!("@{} (false);", self.automaton.first + 1)),
            (None, None) => {
                for number in 1..=self.automaton.locations.len() {
                    line(
                        text,
                        format_args!("@{number} ({} >= {});", self.table.clock, self.automaton.horizon),
                    );
                }
            }
        }
    }
}
