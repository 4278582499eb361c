//! The size of an automaton as JSON and as text: what `dyverse automaton --count` prints.
//!
//! Counts are decimal strings in JSON: seven balls already have more edges than a double can count exactly.

use crate::subject::graph_word;
use dyverse_machine::{AutomatonSize, BigUint, GraphKind, Rule};
use serde_json::{Map, Value, json};

/// The numbers of the rules, in order, with the number of edges of each.
pub(crate) fn edges_by_rule(size: &AutomatonSize) -> Vec<(&'static str, BigUint)> {
    let mut counts: Vec<(&'static str, BigUint)> = Vec::new();
    for rule in Rule::ALL {
        match counts.last_mut() {
            Some((number, count)) if *number == rule.number() => *count += size.edges_by_rule(rule),
            _ => counts.push((rule.number(), size.edges_by_rule(rule))),
        }
    }
    counts
}

/// The counts, each a decimal string.
pub(crate) fn size_json(size: &AutomatonSize) -> Map<String, Value> {
    let by_rule: Map<String, Value> = edges_by_rule(size)
        .into_iter()
        .map(|(rule, count)| (rule.to_owned(), json!(count.to_string())))
        .collect();
    let counts = [
        ("contacts", size.contacts().to_string()),
        ("vertices", size.vertices().to_string()),
        ("dynamical_locations", size.dynamical_locations().to_string()),
        ("impact_nodes", size.impact_nodes().to_string()),
        ("contact_nodes", size.contact_nodes().to_string()),
        ("edges", size.edges().to_string()),
        ("all_slip_edges", size.all_slip_edges().to_string()),
        ("struck_again_edges", size.struck_again_edges().to_string()),
    ];
    let mut object: Map<String, Value> = counts
        .into_iter()
        .map(|(key, count)| (key.to_owned(), json!(count)))
        .collect();
    object.insert("edges_by_rule".to_owned(), Value::Object(by_rule));
    object
}

/// The object of `--count --format json`: `system`, `graph`, the counts as decimal strings, `edges_by_rule`.
#[must_use]
pub fn count_json(system: &str, graph: GraphKind, size: &AutomatonSize) -> Value {
    let mut object = Map::new();
    object.insert("system".to_owned(), json!(system));
    object.insert("graph".to_owned(), json!(graph_word(graph)));
    object.extend(size_json(size));
    Value::Object(object)
}

/// The text of `--count`: a line for each count, ending in a line break.
#[must_use]
pub fn count_text(system: &str, graph: GraphKind, size: &AutomatonSize) -> String {
    let mut lines = vec![
        format!("system {}", crate::text::visible(system)),
        format!("contact combination graph: {}", graph_word(graph)),
    ];
    lines.extend(size_lines(size));
    lines.join("\n") + "\n"
}

/// A line for each count.
pub(crate) fn size_lines(size: &AutomatonSize) -> Vec<String> {
    let rows = [
        ("contacts P", BigUint::from(size.contacts())),
        ("vertices V_k", size.vertices().clone()),
        ("edges of the graph (k, l)", size.graph_edges().clone()),
        ("dynamical locations", size.dynamical_locations().clone()),
        ("impact nodes", size.impact_nodes()),
        ("contact nodes", size.contact_nodes()),
        ("edges by rules 1–8", size.edges()),
        ("edges by rule 4b", size.all_slip_edges()),
        ("edges by rule 6b", size.struck_again_edges()),
    ];
    let mut lines: Vec<String> = rows
        .into_iter()
        .map(|(what, count)| format!("{what:<26}{}", grouped(&count)))
        .collect();
    let by_rule = edges_by_rule(size);
    let by_rule: Vec<String> = by_rule
        .into_iter()
        .map(|(rule, count)| format!("{rule}: {}", grouped(&count)))
        .collect();
    lines.push(format!("{:<26}{}", "edges by rule", by_rule.join(", ")));
    lines
}

/// `1 edge`, `2,016 edges`: a number, compact, with its word.
pub(crate) fn counted(number: &BigUint, one: &str, many: &str) -> String {
    let word = if *number == BigUint::from(1_u32) {
        one
    } else {
        many
    };
    format!("{} {word}", compact(number))
}

/// A number with a comma after every third digit from the right: `231,284`.
pub(crate) fn grouped(number: &BigUint) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number as it is, or its leading digits and the power of ten where it is long.
pub(crate) fn compact(number: &BigUint) -> String {
    let digits = number.to_string();
    match (digits.get(..1), digits.get(1..4)) {
        (Some(first), Some(next)) if digits.len() > 15 => {
            format!("≈ {first}.{next} × 10{}", superscript(digits.len() - 1))
        }
        _ => grouped(number),
    }
}

/// A number in small raised digits.
fn superscript(number: usize) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = number.to_string();
    digits
        .bytes()
        .filter_map(|digit| RAISED.get(usize::from(digit.wrapping_sub(b'0'))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_keep_their_leading_digits_and_the_power_of_ten() {
        let number = BigUint::from(10_u32).pow(532) * 1234_u32;
        assert_eq!(compact(&number), "≈ 1.234 × 10⁵³⁵");
        assert_eq!(compact(&BigUint::from(231_284_u32)), "231,284");
    }

    #[test]
    fn digits_come_in_threes() {
        for (number, text) in [(0_u32, "0"), (999, "999"), (1000, "1,000"), (231_284, "231,284")] {
            assert_eq!(grouped(&BigUint::from(number)), text);
        }
    }
}
