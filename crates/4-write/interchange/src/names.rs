//! Identifiers of the formats for names of models.
//!
//! `ball.x` becomes `ball_x`: everything but letters, digits and `_` is `_`. A name that is taken, or a word of the format, gets a number: `ball_x_2`.

use std::collections::BTreeSet;

/// Words that mean something in .drh or SpaceEx files, in any case.
const WORDS: &[&str] = &[
    "time",
    "mode",
    "invt",
    "flow",
    "jump",
    "init",
    "goal",
    "ind",
    "and",
    "or",
    "not",
    "true",
    "false",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "sqrt",
    "abs",
    "min",
    "max",
    "pow",
    "macr",
    "d",
    "loc",
    "component",
    "label",
    "analyze",
    "time_precision",
    "define",
    "broken",
    "start",
    "ln",
];

/// Identifiers given out so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub(crate) fn give(&mut self, name: &str) -> String {
        let mut plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        plain.truncate(plain.trim_end_matches('_').len());
        if !plain.starts_with(|c: char| c.is_ascii_alphabetic()) {
            plain.insert_str(0, "x_");
        }
        let is_free = |this: &Self, text: &str| {
            !this.taken.contains(text) && !WORDS.contains(&text.to_lowercase().as_str())
        };
        let mut given = plain.clone();
        let mut number = 1;
        while !is_free(self, &given) {
            number += 1;
            given = format!("{plain}_{number}");
        }
        self.taken.insert(given.clone());
        given
    }
}

/// Text that may stand in a comment of one line.
pub(crate) fn comment(text: &str) -> String {
    let plain = text.replace('≥', ">=").replace('≤', "<=").replace('→', "->");
    plain
        .chars()
        .map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { ' ' })
        .collect::<String>()
        .replace("--", "- ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_an_identifier_of_its_own() {
        let mut names = Names::default();
        let given: Vec<String> = ["ball.x", "ball_x", "time", "1st", "größe", "_", "Time", "on_"]
            .iter()
            .map(|n| names.give(n))
            .collect();
        assert_eq!(
            given,
            [
                "ball_x", "ball_x_2", "time_2", "x_1st", "gr__e", "x_", "Time_2", "on"
            ]
        );
    }
}
