//! Units as exponents of SI base units, which is how FMI defines them.

use crate::xml::{Xml, some};
use dyverse_block::Description;

/// The base units of a unit.
fn exponents(unit: &str) -> Vec<(&'static str, i32)> {
    match unit {
        "s" => vec![("s", 1)],
        "1/s" => vec![("s", -1)],
        "m" => vec![("m", 1)],
        "m/s" => vec![("m", 1), ("s", -1)],
        "m/s2" => vec![("m", 1), ("s", -2)],
        "rad/s" => vec![("rad", 1), ("s", -1)],
        "rad/s2" => vec![("rad", 1), ("s", -2)],
        "N" => vec![("kg", 1), ("m", 1), ("s", -2)],
        _ => Vec::new(),
    }
}

/// The units that a description uses, each once.
pub(crate) fn write(xml: &mut Xml, description: &Description) {
    let mut units: Vec<&str> = description
        .variables
        .iter()
        .filter_map(|v| v.unit.as_deref())
        .collect();
    units.sort_unstable();
    units.dedup();
    xml.element("UnitDefinitions", &[], |xml| {
        for unit in units {
            xml.element("Unit", &[("name", some(unit))], |xml| {
                let powers = exponents(unit);
                let attributes: Vec<(&str, Option<String>)> =
                    powers.iter().map(|(base, power)| (*base, some(power))).collect();
                xml.leaf("BaseUnit", &attributes);
            });
        }
    });
}
