//! Random damage to texts: bytes, tokens, cuts, splices.

use super::Random;

/// Words and signs of the language, and characters that are not, to put in anywhere.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    ".",
    "=",
    "==",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "^",
    "#",
    "\"",
    "\n",
    " ",
    "\t",
    "\r\n",
    "entity",
    "fixed",
    "param",
    "in",
    "let",
    "contact",
    "default",
    "no",
    "force",
    "on",
    "at",
    "moment",
    "gravity",
    "spring",
    "damper",
    "impacts",
    "sequential",
    "random",
    "tolerances",
    "horizon",
    "property",
    "always",
    "until",
    "not",
    "if",
    "then",
    "else",
    "and",
    "implies",
    "true",
    "import",
    "system",
    "sphere(radius = 1)",
    "plane",
    "mass",
    "velocity",
    "ball",
    "x",
    "1e9",
    "0",
    "1e999",
    "0.1",
    "(0, 1, 0)",
    "[1, 2]",
    "# comment\n",
    "≥",
    "é",
    "\u{202e}",
    "\u{feff}",
    "\0",
    "|",
    "slip_speed",
    "gap",
];

/// Words and signs of actor models.
const ACTOR_PIECES: &[&str] = &[
    "actor A {",
    "model m",
    "modal m {",
    "mode a {",
    "initial",
    "when x > 0 goto a",
    "otherwise",
    "from",
    "goto",
    "in cont",
    "out any",
    "var event",
    "x' =",
    "'",
    "init",
    "impulse",
    "reset",
    "??",
    ":=",
    "unless",
    "on",
    "post",
    "present",
    "hold(x, init = 0)",
    "cross(x, 0, rising)",
    "clock(1)",
    "at(1, 2)",
    "delay(e, 1)",
    "gate(x > 0)",
    "enabled by",
    "mechanism m = \"two.drbt\"",
    "table t = \"not_a_table.csv\"",
    "lookup(t, x)",
    "fun f(x) = x",
    "f(",
    "record x",
    "history",
    "immediate",
    "preempt",
    "choose",
    "default",
    "tolerance 1",
    "Ball()",
    "left.x",
];

/// A text with one to eight random changes.
pub fn mutate(text: &str, other: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(8) {
        bytes = change(bytes, other, random);
    }
    bytes
}

fn change(mut bytes: Vec<u8>, other: &str, random: &mut Random) -> Vec<u8> {
    let at = random.below(bytes.len() + 1);
    match random.below(9) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => bytes.truncate(at),
        2 | 3 => {
            let place = random.below(PIECES.len() + ACTOR_PIECES.len());
            let piece = PIECES.iter().chain(ACTOR_PIECES).nth(place).unwrap();
            bytes.splice(at..at, piece.bytes());
        }
        4 => {
            let (from, to) = word(&bytes, at);
            bytes.drain(from..to);
        }
        5 => {
            let (from, to) = word(&bytes, at);
            let copy = bytes[from..to].to_vec();
            bytes.splice(to..to, copy);
        }
        6 => {
            // Two words change places.
            let there = random.below(bytes.len() + 1);
            let (first, second) = (word(&bytes, at.min(there)), word(&bytes, at.max(there)));
            if first.1 <= second.0 {
                let (a, b) = (
                    bytes[first.0..first.1].to_vec(),
                    bytes[second.0..second.1].to_vec(),
                );
                bytes.splice(second.0..second.1, a);
                bytes.splice(first.0..first.1, b);
            }
        }
        7 => {
            let (from, length) = (random.below(other.len()), random.below(80));
            let piece = other.as_bytes()[from..(from + length).min(other.len())].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => {
            let to = (at + random.below(40)).min(bytes.len());
            bytes.drain(at..to);
        }
    }
    bytes
}

/// The word around a byte, or the byte.
fn word(bytes: &[u8], at: usize) -> (usize, usize) {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'.';
    let from = bytes[..at].iter().rposition(|b| !is_part(b)).map_or(0, |i| i + 1);
    let to = bytes[at..]
        .iter()
        .position(|b| !is_part(b))
        .map_or(bytes.len(), |i| at + i);
    (from, to.max((from + 1).min(bytes.len())))
}
