//! `modelDescription.xml`: what an FMU says about itself (FMI 2.0 §2.2, FMI 3.0 §2.4).
//!
//! Both versions become one [`Description`]. What is not needed to run an FMU is not read: a description that leaves the schema elsewhere is no reason to refuse it. What is
//! not said has the default of the standard.

use crate::ImportError;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;

/// Bytes of a description at the most.
pub(crate) const LARGEST: u64 = 256 << 20;

/// A version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// How an FMU is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// It gives derivatives and event indicators; the solver is ours.
    ModelExchange,
    /// It brings its solver.
    CoSimulation,
}

/// The type of a variable's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the standard's")]
pub enum Kind {
    Float64,
    Float32,
    Int8,
    UInt8,
    Int16,
    UInt16,
    Int32,
    UInt32,
    Int64,
    UInt64,
    Boolean,
    /// An item of an enumeration: a 32-bit integer in FMI 2.0, a 64-bit one in FMI 3.0.
    Enumeration,
    /// A text, bytes or a clock: no number.
    Other,
}

/// What a variable is to the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the standard's")]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    StructuralParameter,
    Input,
    Output,
    Local,
    Independent,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value reference.
    pub reference: u32,
    /// Its type.
    pub kind: Kind,
    /// What it is to the outside.
    pub causality: Causality,
    /// Whether it may change while time passes.
    pub is_continuous: bool,
    /// Whether its value before the initialisation can be chosen.
    pub is_settable: bool,
    /// Whether it is an array.
    pub is_array: bool,
    /// Its value before anything is set, if it is a number.
    pub start: Option<f64>,
    /// Its unit; empty if none is said.
    pub unit: String,
    /// For an output: whether it may depend on an input directly. Others may.
    pub may_feed_through: bool,
    /// The variable of which it is the derivative, by its place.
    derivative_of: Option<usize>,
}

impl Variable {
    /// Whether it is one number.
    pub fn is_number(&self) -> bool {
        self.kind != Kind::Other && !self.is_array
    }
}

/// What one of the interfaces needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The name of the library.
    pub identifier: String,
    /// Whether `completedIntegratorStep` is to be called.
    pub needs_completed_steps: bool,
    /// Whether steps of co-simulation may differ in length.
    pub has_variable_steps: bool,
    /// Whether steps of co-simulation may end early.
    pub may_return_early: bool,
    /// Whether co-simulation has an event mode.
    pub has_event_mode: bool,
    /// The length of its own steps, s.
    pub internal_step: Option<f64>,
}

/// What an FMU says about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The version of the standard.
    pub version: Version,
    /// The model's name.
    pub name: String,
    /// What the library is asked for, so that description and library belong together.
    pub token: String,
    /// Model exchange, if it is offered.
    pub model_exchange: Option<Offer>,
    /// Co-simulation, if it is offered.
    pub co_simulation: Option<Offer>,
    /// All variables.
    pub variables: Vec<Variable>,
    /// The variables that are states, by their places, where that is said.
    pub states: Vec<Option<usize>>,
    /// How many event indicators there are (FMI 2.0).
    pub indicator_count: usize,
    /// When to begin, s.
    pub start_time: f64,
    /// When to stop, s.
    pub stop_time: Option<f64>,
    /// The step of co-simulation, s.
    pub step_size: Option<f64>,
}

impl Description {
    /// Reads a description.
    ///
    /// # Errors
    /// Text that is no XML, another version, no interface that can be run, a variable without name or reference.
    pub fn parse(text: &str) -> Result<Self, ImportError> {
        let bad = |what: String| ImportError::new(format!("modelDescription.xml: {what}"));
        let options = roxmltree::ParsingOptions {
            // No entities of its own: they could grow without bound.
            allow_dtd: false,
            ..roxmltree::ParsingOptions::default()
        };
        let document = Document::parse_with_options(text, options).map_err(|error| bad(error.to_string()))?;
        let root = document.root_element();
        if root.tag_name().name() != "fmiModelDescription" {
            let name = root.tag_name().name();
            return Err(bad(format!("it holds `{name}`, not `fmiModelDescription`")));
        }
        let version = version_of(&root)?;
        let reading = Reading {
            root,
            version,
            units: units(&root),
        };
        reading.description().map_err(bad)
    }

    /// What an interface needs, if it is offered.
    pub fn offer(&self, interface: Interface) -> Option<&Offer> {
        match interface {
            Interface::ModelExchange => self.model_exchange.as_ref(),
            Interface::CoSimulation => self.co_simulation.as_ref(),
        }
    }

    /// A variable by its name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|v| v.name == name)
    }

    /// The numbers that can be given before a run: parameters, and start values that are free.
    pub fn settable(&self) -> impl Iterator<Item = &Variable> {
        self.variables
            .iter()
            .filter(|v| v.is_settable && v.is_number() && v.causality != Causality::Input)
    }

    /// The numbers that drive it.
    pub fn inputs(&self) -> impl Iterator<Item = &Variable> {
        self.numbers(Causality::Input)
    }

    /// The numbers with this causality.
    pub fn numbers(&self, causality: Causality) -> impl Iterator<Item = &Variable> {
        let is_one = move |v: &&Variable| v.causality == causality && v.is_number();
        self.variables.iter().filter(is_one)
    }
}

/// The version of the standard; others are refused.
fn version_of(root: &Node<'_, '_>) -> Result<Version, ImportError> {
    let text = root.attribute("fmiVersion").unwrap_or("");
    let number = |part: &str| part.split('-').next().and_then(|n| n.parse::<u32>().ok());
    let mut parts = text.split('.').map(number);
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(2), Some(_)) => Ok(Version::Two),
        (Some(3), Some(_)) => Ok(Version::Three),
        _ => {
            let what = if text.is_empty() { "no version" } else { text };
            Err(ImportError::new(format!("it is an FMU of FMI {what}"))
                .with_help("FMI 2.0 and 3.0 can be run: export it again as one of them"))
        }
    }
}

/// Units of declared types.
fn units<'d>(root: &Node<'d, '_>) -> BTreeMap<&'d str, &'d str> {
    let Some(types) = child(root, "TypeDefinitions") else {
        return BTreeMap::new();
    };
    let declared = types.children().filter(Node::is_element);
    let unit = |declared: Node<'d, '_>| {
        // FMI 2.0 has the unit in an element of its own.
        let inner = declared.children().find_map(|c| c.attribute("unit"));
        Some((declared.attribute("name")?, declared.attribute("unit").or(inner)?))
    };
    declared.filter_map(unit).collect()
}

fn child<'d, 'i>(node: &Node<'d, 'i>, name: &str) -> Option<Node<'d, 'i>> {
    node.children().find(|c| c.tag_name().name() == name)
}

fn is_true(node: &Node<'_, '_>, name: &str) -> bool {
    matches!(node.attribute(name).map(str::trim), Some("true" | "1"))
}

fn number(node: &Node<'_, '_>, name: &str) -> Option<f64> {
    let value = node.attribute(name)?.trim().parse::<f64>().ok();
    value.filter(|value| value.is_finite())
}

struct Reading<'d, 'i> {
    root: Node<'d, 'i>,
    version: Version,
    units: BTreeMap<&'d str, &'d str>,
}

impl<'d, 'i> Reading<'d, 'i> {
    fn description(&self) -> Result<Description, String> {
        let root = &self.root;
        let token = match self.version {
            Version::Two => "guid",
            Version::Three => "instantiationToken",
        };
        let experiment = child(root, "DefaultExperiment");
        let of_experiment = |name: &str| experiment.and_then(|e| number(&e, name));
        let indicators = root
            .attribute("numberOfEventIndicators")
            .and_then(|n| n.trim().parse().ok());
        let variables = self.variables()?;
        let mut description = Description {
            version: self.version,
            name: root.attribute("modelName").unwrap_or("model").to_owned(),
            token: root.attribute(token).unwrap_or("").to_owned(),
            model_exchange: self.offer("ModelExchange")?,
            co_simulation: self.offer("CoSimulation")?,
            states: Vec::new(),
            indicator_count: indicators.unwrap_or(0),
            start_time: of_experiment("startTime").unwrap_or(0.0),
            stop_time: of_experiment("stopTime"),
            step_size: of_experiment("stepSize").filter(|h| *h > 0.0),
            variables,
        };
        if description.model_exchange.is_none() && description.co_simulation.is_none() {
            return Err("it offers neither model exchange nor co-simulation".into());
        }
        self.structure(&mut description)?;
        Ok(description)
    }

    fn offer(&self, name: &str) -> Result<Option<Offer>, String> {
        let Some(node) = child(&self.root, name) else {
            return Ok(None);
        };
        let identifier = node.attribute("modelIdentifier").unwrap_or("");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if identifier.is_empty() || !identifier.chars().all(is_plain) {
            return Err(format!(
                "the modelIdentifier of {name} is {identifier:?}, which is no name of C"
            ));
        }
        let needs_completed_steps = match self.version {
            Version::Two => !is_true(&node, "completedIntegratorStepNotNeeded"),
            Version::Three => is_true(&node, "needsCompletedIntegratorStep"),
        };
        Ok(Some(Offer {
            identifier: identifier.to_owned(),
            needs_completed_steps,
            has_variable_steps: is_true(&node, "canHandleVariableCommunicationStepSize"),
            may_return_early: is_true(&node, "mightReturnEarlyFromDoStep"),
            has_event_mode: is_true(&node, "hasEventMode"),
            internal_step: number(&node, "fixedInternalStepSize").filter(|h| *h > 0.0),
        }))
    }

    fn variables(&self) -> Result<Vec<Variable>, String> {
        let Some(list) = child(&self.root, "ModelVariables") else {
            return Err("there is no `ModelVariables`".into());
        };
        let elements = list.children().filter(Node::is_element);
        elements
            .map(|element| match self.version {
                Version::Two => self.variable2(&element),
                Version::Three => self.variable3(&element),
            })
            .collect()
    }

    /// `<ScalarVariable name="x"><Real start="1"/></ScalarVariable>`.
    fn variable2(&self, element: &Node<'d, 'i>) -> Result<Variable, String> {
        let mut types = element.children().filter(Node::is_element);
        let typed = types.find_map(|t| {
            let kind = match t.tag_name().name() {
                "Real" => Kind::Float64,
                "Integer" => Kind::Int32,
                "Boolean" => Kind::Boolean,
                "Enumeration" => Kind::Enumeration,
                "String" => Kind::Other,
                _ => return None,
            };
            Some((t, kind))
        });
        let (typed, kind) = typed.unwrap_or((*element, Kind::Other));
        let mut variable = self.variable(element, &typed, kind)?;
        // Places are counted from 1.
        let state = typed
            .attribute("derivative")
            .and_then(|n| n.trim().parse::<usize>().ok());
        variable.derivative_of = state.and_then(|n| n.checked_sub(1));
        Ok(variable)
    }

    /// `<Float64 name="x" start="1"/>`.
    fn variable3(&self, element: &Node<'d, 'i>) -> Result<Variable, String> {
        let kind = match element.tag_name().name() {
            "Float64" => Kind::Float64,
            "Float32" => Kind::Float32,
            "Int8" => Kind::Int8,
            "UInt8" => Kind::UInt8,
            "Int16" => Kind::Int16,
            "UInt16" => Kind::UInt16,
            "Int32" => Kind::Int32,
            "UInt32" => Kind::UInt32,
            "Int64" => Kind::Int64,
            "UInt64" => Kind::UInt64,
            "Boolean" => Kind::Boolean,
            "Enumeration" => Kind::Enumeration,
            _ => Kind::Other,
        };
        let mut variable = self.variable(element, element, kind)?;
        variable.is_array = child(element, "Dimension").is_some();
        // A reference until the structure is known, see `structure`.
        let state = element.attribute("derivative");
        variable.derivative_of = state.and_then(|n| n.trim().parse().ok());
        Ok(variable)
    }

    fn variable(&self, element: &Node<'d, 'i>, typed: &Node<'d, 'i>, kind: Kind) -> Result<Variable, String> {
        let name = element.attribute("name").ok_or("a variable has no name")?;
        let reference = element
            .attribute("valueReference")
            .and_then(|r| r.trim().parse::<u32>().ok())
            .ok_or_else(|| format!("the variable {name} has no valueReference"))?;
        let causality = match element.attribute("causality") {
            Some("parameter") => Causality::Parameter,
            Some("calculatedParameter") => Causality::CalculatedParameter,
            Some("structuralParameter") => Causality::StructuralParameter,
            Some("input") => Causality::Input,
            Some("output") => Causality::Output,
            Some("independent") => Causality::Independent,
            _ => Causality::Local,
        };
        let is_float = matches!(kind, Kind::Float64 | Kind::Float32);
        let variability = element.attribute("variability");
        let is_free = matches!(element.attribute("initial"), Some("exact" | "approx"));
        let is_settable = match causality {
            Causality::Parameter | Causality::Input => true,
            Causality::Output | Causality::Local => is_free,
            _ => false,
        };
        let start = match typed.attribute("start").map(str::trim) {
            Some("true") => Some(1.0),
            Some("false") => Some(0.0),
            _ => number(typed, "start"),
        };
        let declared = typed
            .attribute("declaredType")
            .and_then(|t| self.units.get(t).copied());
        Ok(Variable {
            name: name.to_owned(),
            reference,
            kind,
            causality,
            is_continuous: is_float && matches!(variability, None | Some("continuous")),
            is_settable: is_settable && variability != Some("constant"),
            is_array: false,
            start,
            unit: typed.attribute("unit").or(declared).unwrap_or("").to_owned(),
            may_feed_through: true,
            derivative_of: None,
        })
    }

    /// States, and which outputs depend on inputs.
    fn structure(&self, description: &mut Description) -> Result<(), String> {
        let Some(structure) = child(&self.root, "ModelStructure") else {
            return Ok(());
        };
        let (outputs, derivatives) = match self.version {
            Version::Two => {
                let list = |name| {
                    let list = child(&structure, name);
                    list.into_iter()
                        .flat_map(|l| l.children())
                        .filter(Node::is_element)
                        .collect()
                };
                (list("Outputs"), list("Derivatives"))
            }
            Version::Three => {
                let list = |name| -> Vec<Node<'d, 'i>> {
                    let named = |c: &Node<'_, '_>| c.tag_name().name() == name;
                    structure.children().filter(named).collect()
                };
                (list("Output"), list("ContinuousStateDerivative"))
            }
        };
        let places = Places::of(description);
        for output in outputs {
            let place = self.place(&output, &places)?;
            if let Some(known) = output.attribute("dependencies") {
                let mut known = known.split_whitespace();
                description.variables[place].may_feed_through = known.any(|text| {
                    let place = text.parse().ok().and_then(|n| self.resolve(n, &places));
                    place.is_none_or(|p| description.variables[p].causality == Causality::Input)
                });
            }
        }
        for derivative in derivatives {
            let place = self.place(&derivative, &places)?;
            let of = description.variables[place].derivative_of;
            let state = match self.version {
                Version::Two => of.filter(|p| *p < description.variables.len()),
                Version::Three => of.and_then(|reference| self.resolve(reference, &places)),
            };
            description.states.push(state);
        }
        Ok(())
    }

    fn place(&self, unknown: &Node<'_, '_>, places: &Places) -> Result<usize, String> {
        let attribute = match self.version {
            Version::Two => "index",
            Version::Three => "valueReference",
        };
        let number = unknown
            .attribute(attribute)
            .and_then(|n| n.trim().parse::<usize>().ok());
        let place = number.and_then(|n| self.resolve(n, places));
        place.ok_or_else(|| {
            let given = unknown.attribute(attribute).unwrap_or("");
            format!("`ModelStructure` names the {attribute} {given:?}, and no variable has it")
        })
    }

    /// The place of a variable: by its index, counted from 1, or by its reference.
    fn resolve(&self, number: usize, places: &Places) -> Option<usize> {
        match self.version {
            Version::Two => number.checked_sub(1).filter(|p| *p < places.count),
            Version::Three => places.by_reference.get(&number).copied(),
        }
    }
}

/// Where variables are.
struct Places {
    count: usize,
    by_reference: BTreeMap<usize, usize>,
}

impl Places {
    fn of(description: &Description) -> Self {
        let all = description.variables.iter().enumerate();
        Places {
            count: description.variables.len(),
            by_reference: all.map(|(place, v)| (v.reference as usize, place)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#"<?xml version="1.0"?>
<fmiModelDescription fmiVersion="2.0.4" modelName="Ball" guid="{8c4e}" numberOfEventIndicators="1">
  <ModelExchange modelIdentifier="Ball"/>
  <TypeDefinitions><SimpleType name="Length"><Real unit="m"/></SimpleType></TypeDefinitions>
  <DefaultExperiment startTime="0" stopTime="3" stepSize="1e-2"/>
  <ModelVariables>
    <ScalarVariable name="h" valueReference="1" causality="output" initial="exact"><Real declaredType="Length" start="1"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="2" causality="local"><Real derivative="1" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="e" valueReference="5" causality="parameter" variability="tunable"><Real start="0.7"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="6" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="6" causality="input" variability="discrete"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="7" causality="output"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1" dependencies=""/><Unknown index="6" dependencies="1 4"/></Outputs>
    <Derivatives><Unknown index="2"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>"#;

    #[test]
    fn a_description_of_fmi_2() {
        let read = Description::parse(TWO).unwrap();
        assert_eq!(read.version, Version::Two);
        assert_eq!((read.name.as_str(), read.token.as_str()), ("Ball", "{8c4e}"));
        assert!(read.co_simulation.is_none());
        assert!(read.model_exchange.as_ref().unwrap().needs_completed_steps);
        assert_eq!(
            (read.indicator_count, read.stop_time, read.step_size),
            (1, Some(3.0), Some(0.01))
        );
        assert_eq!(read.states, [Some(0)]);
        let h = read.variable("h").unwrap();
        assert_eq!((h.unit.as_str(), h.start, h.reference), ("m", Some(1.0), 1));
        assert!(!h.may_feed_through && read.variable("y").unwrap().may_feed_through);
        let settable: Vec<&str> = read.settable().map(|v| v.name.as_str()).collect();
        assert_eq!(settable, ["h", "e"]);
        let inputs: Vec<(&str, bool)> = read
            .inputs()
            .map(|v| (v.name.as_str(), v.is_continuous))
            .collect();
        assert_eq!(inputs, [("u", true), ("on", false)]);
    }

    #[test]
    fn a_description_of_fmi_3() {
        let text = r#"<fmiModelDescription fmiVersion="3.0" modelName="Decay" instantiationToken="t">
  <CoSimulation modelIdentifier="Decay" hasEventMode="true" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="x" valueReference="7" causality="output" initial="exact" start="1"/>
    <Float64 name="dx" valueReference="9" derivative="7"/>
    <Float64 name="field" valueReference="10" causality="output"><Dimension start="3"/></Float64>
    <Int64 name="n" valueReference="11" causality="parameter" variability="fixed" start="4"/>
    <String name="s" valueReference="12"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="7" dependencies="9"/><ContinuousStateDerivative valueReference="9"/></ModelStructure>
</fmiModelDescription>"#;
        let read = Description::parse(text).unwrap();
        assert_eq!(read.version, Version::Three);
        let offer = read.offer(Interface::CoSimulation).unwrap();
        assert!(offer.has_event_mode && offer.has_variable_steps && !offer.may_return_early);
        assert_eq!(read.states, [Some(1)]);
        assert!(!read.variable("x").unwrap().may_feed_through);
        assert!(!read.variable("field").unwrap().is_number());
        let outputs: Vec<&str> = read.numbers(Causality::Output).map(|v| v.name.as_str()).collect();
        assert_eq!(outputs, ["x"]);
        assert_eq!(read.variable("n").unwrap().kind, Kind::Int64);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (from, to, part) in [
            ("fmiVersion=\"2.0.4\"", "fmiVersion=\"1.0\"", "FMI 1.0"),
            ("fmiVersion=\"2.0.4\"", "", "FMI no version"),
            ("<ModelExchange modelIdentifier=\"Ball\"/>", "", "neither"),
            (
                "modelIdentifier=\"Ball\"",
                "modelIdentifier=\"../x\"",
                "no name of C",
            ),
            ("index=\"2\"", "index=\"200\"", "\"200\""),
            (
                "valueReference=\"5\"",
                "valueReference=\"-5\"",
                "variable e has no",
            ),
            ("</fmiModelDescription>", "", "modelDescription.xml"),
        ] {
            let error = Description::parse(&TWO.replacen(from, to, 1)).unwrap_err();
            assert!(error.message.contains(part), "{error}");
        }
    }
}
