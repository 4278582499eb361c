//! A hybrid automaton as files for SpaceEx [Frehse et al. 2011]: a model (XML) and a configuration (cfg).
//!
//! SpaceEx takes affine flows and resets, and polyhedral invariants and guards. All constants that stay variables count as states there: a product of a parameter and a state is not
//! affine.
//!
//! # Guarantee
//! What the automaton does until the horizon, the file does. Strict comparisons are written with their boundary. Coefficients are nearest doubles where they are no short decimals; the file says so.

use crate::affine::Affine;
use crate::automaton::{Automaton, Edge, Kind, Location};
use crate::facts::{Fact, Plain};
use crate::hindrance::Hindrance;
use crate::names::{Names, comment};
use crate::table::{Begin, Table};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The two files of a model for SpaceEx.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceExFiles {
    /// The model, XML.
    pub model: String,
    /// The configuration, cfg.
    pub configuration: String,
}

pub(crate) fn write(automaton: &Automaton, notes: &[String]) -> Result<SpaceExFiles, Hindrance> {
    let table = Table::new(automaton);
    let mut given = Names::default();
    let component = given.give(&automaton.name);
    let places = automaton.locations.iter().enumerate();
    let identifiers = places.map(|(number, location)| match location.kind {
        Kind::Broken => "broken".to_owned(),
        _ => given.give(&format!("l{}_{}", number + 1, location.name)),
    });
    let file = File {
        identifiers: identifiers.collect(),
        affine: Affine::new(automaton, &table.names),
        automaton,
        table: &table,
        component,
    };
    let body = file.body()?;
    let initially = file.initially()?;
    let mut model = String::from("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n");
    model.push_str(&file.header(notes));
    model.push_str(&body);
    Ok(SpaceExFiles {
        configuration: file.configuration(&initially),
        model,
    })
}

struct File<'a> {
    automaton: &'a Automaton,
    table: &'a Table<'a>,
    affine: Affine<'a>,
    component: String,
    /// Of the locations.
    identifiers: Vec<String>,
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = text.write_fmt(arguments);
    text.push('\n');
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl File<'_> {
    fn header(&self, notes: &[String]) -> String {
        let mut text = String::from("<!--\n");
        line(
            &mut text,
            format_args!(
                "  {}, written by dyverse for SpaceEx.",
                comment(&self.automaton.name)
            ),
        );
        if let Some(property) = &self.automaton.property {
            line(
                &mut text,
                format_args!(
                    "  Forbidden is the negation of the property {}.",
                    comment(property)
                ),
            );
        }
        for note in notes {
            line(&mut text, format_args!("  {}", comment(note)));
        }
        if self.affine.has_rounded() {
            line(
                &mut text,
                format_args!("  Some coefficients are rounded to the nearest double."),
            );
        }
        for (identifier, name) in self.table.legend() {
            line(&mut text, format_args!("    {identifier}: {}", comment(&name)));
        }
        for (place, value) in self.automaton.fixed.iter().enumerate() {
            if let Some(value) = value.as_ref().and_then(|v| self.affine.number(v)) {
                let name = comment(&self.automaton.states[place]);
                line(&mut text, format_args!("    left out: {name} is always {value}"));
            }
        }
        text.push_str("-->\n");
        text
    }

    fn body(&self) -> Result<String, Hindrance> {
        let mut text = String::new();
        line(
            &mut text,
            format_args!(
                "<sspaceex xmlns=\"http://www-verimag.imag.fr/xml-namespaces/sspaceex\" version=\"0.2\" math=\"SpaceEx\">"
            ),
        );
        line(&mut text, format_args!("  <component id=\"{}\">", self.component));
        self.parameters(&mut text);
        line(
            &mut text,
            format_args!("    <param name=\"jump\" type=\"label\" local=\"false\"/>"),
        );
        for (number, location) in self.automaton.locations.iter().enumerate() {
            self.location(&mut text, number, location)?;
        }
        for edge in &self.automaton.edges {
            self.transition(&mut text, edge)?;
        }
        line(&mut text, format_args!("  </component>"));
        line(&mut text, format_args!("  <component id=\"system\">"));
        self.parameters(&mut text);
        line(
            &mut text,
            format_args!("    <param name=\"jump\" type=\"label\" local=\"false\"/>"),
        );
        line(
            &mut text,
            format_args!("    <bind component=\"{}\" as=\"automaton\">", self.component),
        );
        for name in self.variables().iter().chain([&"jump".to_owned()]) {
            line(&mut text, format_args!("      <map key=\"{name}\">{name}</map>"));
        }
        line(&mut text, format_args!("    </bind>"));
        line(&mut text, format_args!("  </component>"));
        line(&mut text, format_args!("</sspaceex>"));
        Ok(text)
    }

    /// Everything that has a flow.
    fn flowing(&self) -> Vec<String> {
        let states = self.table.moving.iter().map(|p| self.table.name(*p).to_owned());
        let clocks = [self.table.clock.clone()]
            .into_iter()
            .chain(self.table.stay.clone());
        states.chain(clocks).collect()
    }
    fn constants(&self) -> Vec<String> {
        let all = self.table.constants.iter();
        all.map(|c| self.table.constant_name(c).to_owned()).collect()
    }
    fn variables(&self) -> Vec<String> {
        let mut all = self.flowing();
        all.extend(self.constants());
        all
    }

    fn parameters(&self, text: &mut String) {
        for (names, dynamics) in [(self.flowing(), "any"), (self.constants(), "const")] {
            for name in names {
                line(
                    text,
                    format_args!(
                        "    <param name=\"{name}\" type=\"real\" local=\"false\" d1=\"1\" d2=\"1\" dynamics=\"{dynamics}\"/>"
                    ),
                );
            }
        }
    }

    fn conjunction(&self, facts: &[Fact], of: &str) -> Result<Vec<String>, Hindrance> {
        let mut parts = Vec::new();
        for fact in facts {
            match fact.plain(&self.automaton.algebra, &BTreeMap::new()) {
                Plain::Known(true) => {}
                Plain::Known(false) => parts.push("1 <= 0".to_owned()),
                Plain::Open(fact) => parts.push(self.affine.comparison(&fact.closed(), of)?),
            }
        }
        Ok(parts)
    }

    fn location(&self, text: &mut String, number: usize, location: &Location) -> Result<(), Hindrance> {
        let identifier = &self.identifiers[number];
        line(text, format_args!("    <!-- {} -->", comment(&location.name)));
        let (x, y) = (150 + 350 * (number % 6), 150 + 250 * (number / 6));
        line(
            text,
            format_args!(
                "    <location id=\"{}\" name=\"{identifier}\" x=\"{x}\" y=\"{y}\" width=\"250\" height=\"150\">",
                number + 1
            ),
        );
        let mut invariant = self.conjunction(
            &location.invariant,
            &format!("the domain of location `{}`", location.name),
        )?;
        invariant.push(format!("{} <= {}", self.table.clock, self.automaton.horizon));
        if let (Some(stay), Kind::Urgent) = (&self.table.stay, location.kind) {
            invariant.push(format!("{stay} <= 0"));
        }
        line(
            text,
            format_args!("      <invariant>{}</invariant>", escaped(&invariant.join(" & "))),
        );
        let mut flow = Vec::new();
        for place in &self.table.moving {
            let of = format!(
                "the flow of `{}` in location `{}`",
                self.automaton.states[*place], location.name
            );
            let rate = self.affine.polynomial(&location.rates[*place], &of)?;
            flow.push(format!("{}' == {rate}", self.table.name(*place)));
        }
        flow.push(format!(
            "{}' == {}",
            self.table.clock,
            u8::from(location.kind == Kind::Flows)
        ));
        if let Some(stay) = &self.table.stay {
            flow.push(format!("{stay}' == {}", u8::from(location.kind == Kind::Urgent)));
        }
        line(
            text,
            format_args!("      <flow>{}</flow>", escaped(&flow.join(" & "))),
        );
        line(text, format_args!("    </location>"));
        Ok(())
    }

    fn transition(&self, text: &mut String, edge: &Edge) -> Result<(), Hindrance> {
        line(text, format_args!("    <!-- {} -->", comment(&edge.label)));
        line(
            text,
            format_args!(
                "    <transition source=\"{}\" target=\"{}\">",
                edge.from + 1,
                edge.to + 1
            ),
        );
        line(text, format_args!("      <label>jump</label>"));
        let guard = self.conjunction(&edge.guard, &format!("the guard of the edge `{}`", edge.label))?;
        if !guard.is_empty() {
            line(
                text,
                format_args!("      <guard>{}</guard>", escaped(&guard.join(" & "))),
            );
        }
        let mut resets = Vec::new();
        for place in &self.table.moving {
            let of = format!(
                "the new value of `{}` on the edge `{}`",
                self.automaton.states[*place], edge.label
            );
            let value = self.affine.polynomial(&edge.reset[*place], &of)?;
            let name = self.table.name(*place);
            if value != name {
                resets.push(format!("{name} := {value}"));
            }
        }
        if let Some(stay) = &self.table.stay {
            resets.push(format!("{stay} := 0"));
        }
        if !resets.is_empty() {
            line(
                text,
                format_args!("      <assignment>{}</assignment>", escaped(&resets.join(" & "))),
            );
        }
        line(text, format_args!("    </transition>"));
        Ok(())
    }

    fn initially(&self) -> Result<String, Hindrance> {
        let mut parts = Vec::new();
        let within = |name: &str, lower: f64, upper: f64| {
            if lower == upper {
                format!("{name} == {lower}")
            } else {
                format!("{name} >= {lower} & {name} <= {upper}")
            }
        };
        for place in &self.table.moving {
            let name = self.table.name(*place);
            parts.push(match self.table.begin(*place) {
                Begin::Within(constant) => within(name, constant.lower, constant.upper),
                Begin::At(value) => {
                    let of = format!("the initial value of `{}`", self.automaton.states[*place]);
                    format!("{name} == {}", self.affine.polynomial(value, &of)?)
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
        parts.push(format!("{} == 0", self.table.clock));
        parts.extend(self.table.stay.iter().map(|stay| format!("{stay} == 0")));
        parts.push(format!(
            "loc(automaton)=={}",
            self.identifiers[self.automaton.first]
        ));
        Ok(parts.join(" & "))
    }

    fn configuration(&self, initially: &str) -> String {
        let horizon = self.automaton.horizon;
        let mut text = String::new();
        line(
            &mut text,
            format_args!(
                "# {}, written by dyverse for SpaceEx.",
                comment(&self.automaton.name)
            ),
        );
        line(&mut text, format_args!("system = \"system\""));
        line(&mut text, format_args!("initially = \"{initially}\""));
        if self.automaton.broken().is_some() {
            line(&mut text, format_args!("forbidden = \"loc(automaton)==broken\""));
        } else {
            line(&mut text, format_args!("forbidden = \"\""));
        }
        line(&mut text, format_args!("scenario = \"supp\""));
        line(&mut text, format_args!("directions = \"oct\""));
        line(&mut text, format_args!("set-aggregation = \"none\""));
        line(&mut text, format_args!("sampling-time = {}", horizon / 1000.0));
        line(&mut text, format_args!("time-horizon = {horizon}"));
        line(&mut text, format_args!("iter-max = 200"));
        let first = self.table.moving.first().map(|p| self.table.name(*p).to_owned());
        let shown: Vec<String> = [self.table.clock.clone()].into_iter().chain(first).collect();
        line(
            &mut text,
            format_args!("output-variables = \"{}\"", shown.join(",")),
        );
        line(&mut text, format_args!("output-format = \"TXT\""));
        line(&mut text, format_args!("rel-err = 1.0e-12"));
        line(&mut text, format_args!("abs-err = 1.0e-15"));
        text
    }
}
