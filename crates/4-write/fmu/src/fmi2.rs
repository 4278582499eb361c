//! `modelDescription.xml` of FMI 2.0.

use crate::fmi3::{body, initial_unknowns, items, number, start, words};
use crate::xml::{Xml, some};
use dyverse_block::{Causality, Description, Kind, Variable};

/// The model description of a block with this token; `identifier` names its library.
pub fn describe(description: &Description, token: &str, identifier: &str) -> String {
    let mut xml = Xml::new();
    let head = [
        ("fmiVersion", some("2.0")),
        ("modelName", some(&description.name)),
        ("guid", some(token)),
        (
            "generationTool",
            some(concat!("dyverse ", env!("CARGO_PKG_VERSION"))),
        ),
        ("variableNamingConvention", some("flat")),
        ("numberOfEventIndicators", some(description.indicators.len())),
    ];
    xml.element("fmiModelDescription", &head, |xml| {
        let own = |own: &'static str| {
            [
                ("modelIdentifier", some(identifier)),
                (own, some(true)),
                ("canGetAndSetFMUstate", some(true)),
                ("canSerializeFMUstate", some(true)),
                ("providesDirectionalDerivative", some(true)),
            ]
        };
        xml.leaf("ModelExchange", &own("completedIntegratorStepNotNeeded"));
        xml.leaf("CoSimulation", &own("canHandleVariableCommunicationStepSize"));
        body(
            xml,
            description,
            &|xml, enumeration| {
                xml.element("SimpleType", &[("name", some(&enumeration.name))], |xml| {
                    xml.element("Enumeration", &[], |xml| items(xml, &enumeration.items));
                });
            },
            &|xml, reference, variable| write_variable(xml, description, reference, variable),
            &|xml| structure(xml, description),
        );
    });
    xml.finish()
}

fn write_variable(xml: &mut Xml, description: &Description, reference: usize, variable: &Variable) {
    let (causality, variability, initial) = words(variable);
    let attributes = [
        ("name", some(&variable.name)),
        ("valueReference", some(reference)),
        ("description", some(&variable.description)),
        ("causality", some(causality)),
        ("variability", some(variability)),
        ("initial", initial.map(str::to_owned)),
    ];
    let unit = variable.unit.clone();
    let (low, high) = (
        variable.range.map(|(low, _)| number(low)),
        variable.range.map(|(_, high)| number(high)),
    );
    xml.element("ScalarVariable", &attributes, |xml| match variable.kind {
        Kind::Real => xml.leaf(
            "Real",
            &[
                ("unit", unit),
                ("min", low),
                ("max", high),
                ("start", start(variable)),
                // Places are counted from 1.
                ("derivative", variable.derivative_of.map(|s| (s + 1).to_string())),
            ],
        ),
        Kind::Integer => xml.leaf("Integer", &[("start", start(variable))]),
        Kind::Boolean => xml.leaf("Boolean", &[("start", start(variable))]),
        Kind::Text => xml.leaf("String", &[("start", start(variable))]),
        Kind::Enumeration(place) => {
            let declared = description.enumerations.get(place).map(|e| e.name.clone());
            xml.leaf(
                "Enumeration",
                &[("declaredType", declared), ("start", start(variable))],
            );
        }
    });
}

fn structure(xml: &mut Xml, description: &Description) {
    let mut list = |element: &'static str, variables: Vec<usize>| {
        if variables.is_empty() {
            return;
        }
        xml.element(element, &[], |xml| {
            for variable in variables {
                xml.leaf("Unknown", &[("index", some(variable + 1))]);
            }
        });
    };
    list("Outputs", description.with(Causality::Output).collect());
    list("Derivatives", description.derivatives.clone());
    list("InitialUnknowns", initial_unknowns(description));
}
