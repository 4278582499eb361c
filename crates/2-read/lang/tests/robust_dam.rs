//! No actor model makes reading panic or hang, and its output is bounded: random mutations, hostile texts, small stacks.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_lang::{ActorModel, Reading, format};
use std::time::{Duration, Instant};
use support::mutate::mutate;
use support::{Random, actor_examples, read_dam, shown, wrong_actor_files};

/// Far above what any of these texts takes, far below what a quadratic pass would.
const PATIENCE: Duration = Duration::from_secs(30);
const MOST_OUTPUT: usize = 200_000;

fn check(name: &str, bytes: Vec<u8>) -> Reading<ActorModel> {
    let start = Instant::now();
    let reading = read_dam(name, bytes, "tests/wrong_dam");
    let taken = start.elapsed();
    assert!(taken < PATIENCE, "{name}: {taken:?}");
    let said = shown(&reading);
    assert!(said.len() < MOST_OUTPUT, "{name}: {} bytes", said.len());
    assert!(reading.diagnostics.len() <= 1_000, "{name}");
    let has_error = reading.diagnostics.iter().any(dyverse_diag::Diagnostic::is_error);
    assert_eq!(reading.model.is_none(), has_error, "{name}: {said}");
    reading
}

/// Checks a text on a small stack.
fn check_text(name: &str, text: String) -> Vec<String> {
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let name = name.to_owned();
    let run = move || {
        let reading = check(&name, text.into_bytes());
        let codes = reading.diagnostics.iter().map(|d| d.code().id().to_owned());
        let mut codes: Vec<String> = codes.collect();
        codes.dedup();
        codes
    };
    thread.spawn(run).unwrap().join().unwrap()
}

fn texts() -> Vec<String> {
    let examples = actor_examples()
        .into_iter()
        .map(|p| std::fs::read_to_string(p).unwrap());
    let wrong = wrong_actor_files().into_iter().map(|(_, text)| text);
    examples.chain(wrong).collect()
}

#[test]
fn random_mutations_never_panic() {
    let texts = texts();
    let mut random = Random::new(1);
    for n in 0..6_000 {
        let (a, b) = (
            &texts[random.below(texts.len())],
            &texts[random.below(texts.len())],
        );
        check(&format!("mutation {n}.dam"), mutate(a, b, &mut random));
    }
}

#[test]
fn every_prefix_of_an_example_is_read() {
    let text = include_str!("../../../../examples/actors/friction.dam");
    for end in 0..text.len() {
        check("prefix.dam", text.as_bytes()[..end].to_vec());
    }
}

/// The text without blanks, and without separators, which are optional between statements.
fn squeezed(text: &str) -> String {
    // A byte order mark is no part of the text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != ',' && *c != ';')
        .collect()
}

#[test]
fn random_mutations_are_formatted() {
    let texts = texts();
    let mut random = Random::new(5);
    let mut formatted = 0;
    for n in 0..6_000 {
        let (a, b) = (
            &texts[random.below(texts.len())],
            &texts[random.below(texts.len())],
        );
        let Ok(text) = String::from_utf8(mutate(a, b, &mut random)) else {
            continue;
        };
        let Ok(once) = format("t.dam", &text) else {
            continue;
        };
        formatted += 1;
        let twice = format("t.dam", &once)
            .unwrap_or_else(|e| panic!("mutation {n}: {:?}\n{text}\n---\n{once}", e.diagnostics));
        assert_eq!(twice, once, "mutation {n} from\n{text}");
        assert_eq!(squeezed(&once), squeezed(&text), "mutation {n}: other tokens");
    }
    assert!(formatted > 300, "{formatted}");
}

#[test]
fn towers() {
    let n = 300_000;
    for (name, text, code) in [
        ("modes", "mode a { ".repeat(n), "S011"),
        ("modals", "modal a { ".repeat(n), "S011"),
        (
            "modes in an actor",
            format!("actor A {{ {}", "mode a { ".repeat(n)),
            "S011",
        ),
        ("posts", format!("x = {}1", "post ".repeat(n)), "S011"),
        ("defaults", format!("x = {}1", "y ?? ".repeat(n)), "S011"),
        ("calls", format!("x = {}1", "hold(".repeat(n)), "S011"),
        ("brackets", format!("when {}1", "(".repeat(n)), "S011"),
        ("actors in actors", "actor A { actor A { ".repeat(n), "S007"),
        ("primes", format!("x{}", "'".repeat(n)), "S005"),
    ] {
        assert!(check_text(name, text).contains(&code.to_owned()), "{name}");
    }
}

#[test]
fn the_deepest_model_that_is_read() {
    let depth = 195;
    let text = format!("{}x = 1{}", "mode a { ".repeat(depth), " }".repeat(depth));
    assert_eq!(check_text("nested modes", text), Vec::<String>::new());
    let actors: String = (1..99)
        .map(|i| {
            format!(
                "actor A{i} {{ inner = A{}()  out cont y = inner.y + 1 }}\n",
                i - 1
            )
        })
        .collect();
    let text = format!("actor A0 {{ out cont y = 1 }}\n{actors}a = A98()");
    assert_eq!(check_text("nested actors", text.clone()), Vec::<String>::new());
    let more: String = (99..150)
        .map(|i| {
            format!(
                "actor A{i} {{ inner = A{}()  out cont y = inner.y + 1 }}\n",
                i - 1
            )
        })
        .collect();
    let text = format!("actor A0 {{ out cont y = 1 }}\n{actors}{more}a = A149()");
    assert_eq!(check_text("actors nested too deeply", text), ["A008"]);
}

#[test]
fn many_of_everything() {
    let n = 30_000;
    let lines = |line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<Vec<_>>().join("\n");
    let ball = "actor Ball(m = 1) { in cont F = 0  out cont x, v\n v' = F / m  x' = v }\n";
    for (name, text, codes) in [
        ("equations", lines(&|i| format!("x{i} = {i}")), &[][..]),
        (
            "a chain against the order",
            format!("{}\nx{n} = 1", lines(&|i| format!("x{i} = x{} + 1", i + 1))),
            &[],
        ),
        ("integrators", lines(&|i| format!("x{i}' = -x{i} init 1")), &[]),
        (
            "instances",
            format!("{ball}{}", lines(&|i| format!("b{i} = Ball()"))),
            &[],
        ),
        (
            "a chain of instances",
            format!(
                "{ball}b0 = Ball()\n{}",
                lines(&|i| format!("b{} = Ball() {{ F = b{i}.x }}", i + 1))
            ),
            &[],
        ),
        (
            "a loop of all",
            format!("{}\nx{n} = x0", lines(&|i| format!("x{i} = x{} + 1", i + 1))),
            &["A060"],
        ),
        (
            "operators",
            lines(&|i| format!("x{i} = hold(at({i}), init = 0)")),
            &[],
        ),
        ("one sum", format!("y = 1\nx = {}", vec!["y"; n].join(" + ")), &[]),
        (
            "modes",
            format!("out cont x\n{}", lines(&|i| format!("mode m{i} {{ x = {i} }}"))),
            &["A028"],
        ),
        (
            "transitions",
            format!(
                "out cont x\nmode a {{ x = 1 }}\n{}",
                lines(&|i| format!("when time > {i} goto a"))
            ),
            &[],
        ),
        ("unknown names", lines(&|i| format!("x{i} = y{i}")), &["L004"]),
        (
            "unknown actors",
            lines(&|i| format!("x{i} = B{i}() {{ }}")),
            &["A006"],
        ),
        ("defined again and again", lines(&|_| "x = 1".into()), &["A004"]),
        (
            "parameters",
            lines(&|i| format!("param p{i} = {i}")) + "\nx = p0",
            &[],
        ),
        (
            "transitions without modes",
            lines(&|_| "when true goto a".into()),
            &["A022"],
        ),
        (
            "records",
            format!(
                "{}\nrecord {}",
                lines(&|i| format!("x{i} = {i}")),
                lines(&|i| format!("x{i},")) + "x0"
            ),
            &[],
        ),
    ] {
        assert_eq!(check_text(name, text), codes, "{name}");
    }
}

/// Each actor has two of the one above: 2^40 instances.
#[test]
fn instances_that_double() {
    let actors: String = (1..40)
        .map(|i| {
            format!(
                "actor A{i} {{ a = A{0}()  b = A{0}()  out cont y = a.y + b.y }}\n",
                i - 1
            )
        })
        .collect();
    let text = format!("actor A0 {{ out cont y = 1 }}\n{actors}a = A39()");
    assert_eq!(check_text("doubling", text), ["A008"]);
}

/// Each function calls the one above twice; and functions that grow without bound.
#[test]
fn functions_that_double() {
    let functions: String = (1..200)
        .map(|i| format!("fun f{i}(x) = f{0}(x) + f{0}(x + 1)\n", i - 1))
        .collect();
    let text = format!("fun f0(x) = x\n{functions}y = f9(1)");
    let codes = check_text("doubling functions", text);
    assert!(codes.is_empty() || codes == ["L033"], "{codes:?}");
    let many: String = (1..20_000)
        .map(|i| format!("fun f{i}(x) = f{}(x) + {i}\n", i - 1))
        .collect();
    let text = format!("fun f0(x) = x\n{many}y = f19999(1)");
    assert_eq!(check_text("a long chain of functions", text), ["L033"]);
}
