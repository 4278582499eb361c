//! No input makes reading panic or hang, and its output is bounded: random mutations, hostile texts, small stacks.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use crate::support;

use dyverse_lang::{Reading, format};
use std::time::{Duration, Instant};
use support::mutate::mutate;
use support::{Random, examples, read_bytes, read_text, shown, wrong_files};

/// Far above what any of these texts takes, far below what a quadratic pass would.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_OUTPUT: usize = 200_000;
/// Longer texts are only read: `big_texts_are_formatted` has some for the formatter.
const MOST_FORMATTED: usize = 200_000;

/// Formats and reads; checks the time and the length of what is said.
fn check(name: &str, bytes: Vec<u8>) -> Reading {
    let start = Instant::now();
    if let Some(text) = std::str::from_utf8(&bytes)
        .ok()
        .filter(|text| text.len() < MOST_FORMATTED)
    {
        check_format(name, text);
    }
    let reading = read_bytes(name, bytes);
    let taken = start.elapsed();
    assert!(taken < PATIENCE, "{name}: {taken:?}");
    let said = shown(&reading);
    assert!(said.len() < MOST_OUTPUT, "{name}: {} bytes", said.len());
    assert!(
        reading.diagnostics.len() <= 1_000,
        "{name}: {} findings",
        reading.diagnostics.len()
    );
    assert!(
        reading.model.is_some() || !reading.diagnostics.is_empty(),
        "{name}: neither a model nor a reason"
    );
    reading
}

fn check_format(name: &str, text: &str) {
    let start = Instant::now();
    if let Ok(text) = format(name, text) {
        assert!(format(name, &text).is_ok(), "{name}");
    }
    assert!(start.elapsed() < PATIENCE, "{name}: {:?}", start.elapsed());
}

#[test]
fn big_texts_are_formatted() {
    let n = 100_000;
    for (name, text) in [
        ("items", BALL.repeat(n / 2)),
        ("a block", format!("entity ball {{ {} }}", "mass = 1,".repeat(n))),
        (
            "a block on lines",
            format!("entity ball {{ {} }}", "mass = 1;\n".repeat(n)),
        ),
        ("a chain", format!("property p: {}", vec!["x"; n].join(" < "))),
        ("a tuple", format!("let a = ({})", vec!["x"; n].join(", "))),
        ("comments", "let a = # b\n 1 # c\n".repeat(n / 2)),
        ("members", format!("let a = b{}", ".x".repeat(n))),
    ] {
        check_format(name, &text);
    }
}

fn codes(reading: &Reading) -> Vec<&'static str> {
    let mut codes: Vec<&str> = reading.diagnostics.iter().map(|d| d.code().id()).collect();
    codes.dedup();
    codes
}

#[test]
fn random_mutations_never_panic() {
    let mut texts: Vec<String> = examples()
        .iter()
        .map(|p| std::fs::read_to_string(p).unwrap())
        .collect();
    texts.extend(wrong_files().into_iter().map(|(_, text)| text));
    texts.retain(|text| text.len() < 4_000);
    let mut random = Random::new(1);
    for n in 0..6_000 {
        let (a, b) = (
            &texts[random.below(texts.len())],
            &texts[random.below(texts.len())],
        );
        check(&format!("mutation {n}"), mutate(a, b, &mut random));
    }
}

#[test]
fn every_prefix_of_an_example_is_read() {
    let text = include_str!("../../../../examples/interception.drbt");
    for end in 0..text.len() {
        check("prefix", text.as_bytes()[..end].to_vec());
    }
}

const BALL: &str = "entity ball { sphere(radius = 1)  mass = 1 }\n";

#[test]
fn towers() {
    let million = 1_000_000;
    for (name, tower, code) in [
        ("brackets", "(".repeat(million), "S011"),
        ("square brackets", "[".repeat(million), "S011"),
        ("signs", "-".repeat(million), "S011"),
        ("plus signs", "+".repeat(million), "S011"),
        ("nots", "not ".repeat(million / 4), "S011"),
        ("conditions", "if ".repeat(million / 3), "S011"),
        ("branches", "if true then ".repeat(million / 13), "S011"),
        (
            "other branches",
            "if true then 1 else ".repeat(million / 20),
            "S011",
        ),
        ("powers", "2 ^ ".repeat(million / 4), "S011"),
        ("implications", "true implies ".repeat(million / 13), "S011"),
        ("temporal", "always [0, 1] ".repeat(million / 14), "S011"),
        ("calls", "sin(".repeat(million / 4), "S011"),
    ] {
        let reading = check(
            name,
            format!("{BALL}let a = {tower}1\nlet b = {tower}2").into_bytes(),
        );
        assert_eq!(codes(&reading), [code], "{name}");
        assert_eq!(reading.diagnostics.len(), 2, "{name}: one for each item");
        check(name, tower.into_bytes());
    }
    let block = format!("entity a {{ {} }}", "x = (".repeat(100_000));
    check("towers in a block", block.into_bytes());
}

#[test]
fn long_sums_chains_and_lists() {
    let n = 100_000;
    let many = |piece: &str, between: &str| vec![piece; n].join(between);
    for (name, item) in [
        ("sum", format!("let a = {}", many("ball.x", " + "))),
        ("product", format!("let a = {}", many("2", " * "))),
        (
            "conjunction",
            format!("property p: always {}", many("ball.x > 1", " and ")),
        ),
        (
            "comparisons",
            format!("property p: always {}", many("ball.x", " < ")),
        ),
        ("members of members", format!("let a = ball{}", ".x".repeat(n))),
        ("tuple", format!("let a = ({})", many("1", ", "))),
        ("arguments", format!("let a = max({})", many("ball.x", ", "))),
        ("too many arguments", format!("let a = sin({})", many("1", ", "))),
        ("targets", format!("force on {} = (0, 0, 0)", many("ball", ", "))),
        ("untils", format!("property p: {}", many("ball.x > 1", " until "))),
        ("semicolons", many(";", " ")),
        ("closing braces", many("}", " ")),
        ("strange characters", many("$", "\n")),
        ("other strange characters", many("$", "€")),
        ("unknown items", many("wheel w { radius = 1 }", "\n")),
        ("texts", many("\"x\"", " ")),
    ] {
        check(name, format!("{BALL}{item}\n").into_bytes());
    }
}

#[test]
fn many_items() {
    let lines = |n: usize, line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<Vec<_>>().join("\n");
    let n = 100_000;
    let lots = |line: &dyn Fn(usize) -> String| lines(n, line);
    let many = |line: &dyn Fn(usize) -> String| lines(30_000, line);
    let doubled = lots(&|i| format!("let a{} = a{i} + a{i}", i + 1));
    let parameters = lots(&|i| format!("param p{} = p{i} + 1", i + 1));
    for (name, text) in [
        (
            "doubled definitions",
            format!("let a0 = ball.x\n{doubled}\n{BALL}force on ball = (a{n}, 0, 0)"),
        ),
        (
            "doubled constants",
            format!("param a0 = 0\n{doubled}\nentity ball {{ sphere(radius = 1 + a{n})  mass = 1 }}"),
        ),
        (
            "chained parameters",
            format!("param p0 = 1\n{parameters}\nentity ball {{ sphere(radius = p{n})  mass = 1 }}"),
        ),
        ("unknown names", many(&|i| format!("let a{i} = b{i}"))),
        (
            "unknown entities",
            format!("{BALL}{}", many(&|i| format!("force on bell{i} = (0, 0, 0)"))),
        ),
        (
            "names before their declaration",
            many(&|i| format!("let a{i} = a{}", i + 1)),
        ),
        ("names declared twice", many(&|_| "param a = 1".into())),
        (
            "states in constants",
            format!("{BALL}{}", many(&|i| format!("param a{i} = ball.x + {i}"))),
        ),
        (
            "entities without mass",
            lots(&|i| format!("entity e{i} {{ sphere(radius = 1) }}")),
        ),
        (
            "entities with unknown fields",
            many(&|i| format!("entity e{i} {{ sphere(radius = 1)  mass = 1  bounce = 1 }}")),
        ),
        (
            "properties",
            format!(
                "{BALL}{}",
                lots(&|i| format!("property p{i}: always [0, {i}] ball.x < {i}"))
            ),
        ),
        (
            "wrong properties",
            format!(
                "{BALL}{}",
                many(&|i| format!("property p{i}: always [0, {i}] ball.x + {i}"))
            ),
        ),
        ("comments", format!("{}\n{BALL}", many(&|i| format!("# {i}")))),
        (
            "default laws",
            format!("{BALL}{}", many(&|_| "contact default { friction = 1 }".into())),
        ),
        (
            "gravities",
            format!("{BALL}{}", many(&|_| "gravity (0, 0, 0)".into())),
        ),
        (
            "imports",
            format!("{BALL}{}", many(&|i| format!("import \"{i}\""))),
        ),
    ] {
        check(name, text.into_bytes());
    }
}

#[test]
fn many_entities() {
    let n = 20_000;
    let many = |line: &dyn Fn(usize) -> String| (0..n).map(line).collect::<Vec<_>>().join("\n");
    let ball = |i: usize, place: String| {
        format!("entity e{i} {{ sphere(radius = 0.4)  mass = 1  position = {place} }}")
    };
    let law = "\ncontact default { restitution = 1 }";
    let row: Vec<String> = (0..100_000).map(|i| ball(i, format!("({i}, 0, 0)"))).collect();
    assert!(
        check("a long row", format!("{}{law}", row.join("\n")).into_bytes())
            .model
            .is_some()
    );
    for (name, text, expected) in [
        ("in a column", many(&|i| ball(i, format!("(0, {i}, 0)"))), vec![]),
        (
            "in a plane",
            many(&|i| ball(i, format!("(0, {}, {})", i / 250, i % 250))),
            vec![],
        ),
        ("in a heap", many(&|i| ball(i, "(0, 0, 0)".into())), vec!["M001"]),
        (
            "on a floor",
            many(&|i| ball(i, format!("({i}, 1, 0)")))
                + "\nfixed entity f { half_space(normal = (0, 1, 0)) }",
            vec![],
        ),
        (
            "all fixed",
            many(&|i| format!("fixed entity e{i} {{ plane(normal = (0, 1, 0)) }}")),
            vec![],
        ),
    ] {
        assert_eq!(
            codes(&check(name, format!("{text}{law}").into_bytes())),
            expected,
            "{name}"
        );
    }
    let lawless = many(&|i| format!("fixed entity e{i} {{ plane(normal = (0, 1, 0)) }}"));
    assert!(check("fixed without laws", lawless.into_bytes()).model.is_some());
    let heap = many(&|i| {
        format!(
            "entity e{i} {{ capsule(radius = 1e-6, length = 200)  mass = 1  position = ({i} / 1000, 0, 0) }}"
        )
    });
    assert_eq!(
        codes(&check("a bundle of rods", format!("{heap}{law}").into_bytes())),
        ["M006"]
    );
}

#[test]
fn huge_blocks() {
    let n = 200_000;
    let many = |field: &dyn Fn(usize) -> String| (0..n).map(field).collect::<Vec<_>>().join("  ");
    for (name, fields) in [
        ("one field again and again", many(&|_| "mass = 1".into())),
        ("unknown fields", many(&|i| format!("f{i} = 1"))),
        ("unknown flags", many(&|i| format!("f{i}"))),
        ("broken fields", many(&|_| "mass = ".into())),
        ("surfaces", many(&|i| format!("sphere(radius = {})", i + 1))),
        ("surfaces without arguments", many(&|_| "sphere()".into())),
        ("separators", many(&|_| ",".into())),
    ] {
        check(
            name,
            format!("entity ball {{ mass = 1  sphere(radius = 1)  {fields} }}").into_bytes(),
        );
        check(name, format!("entity ball {{ {fields}").into_bytes());
    }
}

#[test]
fn a_long_load_on_many_entities_is_refused() {
    let n = 10_000;
    let entities: String = (0..n)
        .map(|i| format!("entity e{i} {{ sphere(radius = 0.1)  mass = 1  position = ({i}, 0, 0) }}\n"))
        .collect();
    let names = (0..n).map(|i| format!("e{i}")).collect::<Vec<_>>().join(", ");
    let sum = vec!["mass"; n].join(" + ");
    let law = "contact default { restitution = 1 }\n";
    let reading = check(
        "load",
        format!("{entities}{law}force on {names} = ({sum}, 0, 0)").into_bytes(),
    );
    assert_eq!(codes(&reading), ["L076"]);
    let reading = check(
        "load",
        format!("{entities}{law}force on {names} = (mass, 0, 0)").into_bytes(),
    );
    assert_eq!(reading.model.map(|m| m.loads().len()), Some(n));
}

#[test]
fn strange_files() {
    let example = include_str!("../../../../examples/interception.drbt");
    let with = |text: &str| text.as_bytes().to_vec();
    for (name, bytes, expected) in [
        ("empty", vec![], vec!["L002"]),
        ("blank", with(" \n\t\r\n"), vec!["L002"]),
        ("only a byte order mark", with("\u{feff}"), vec!["L002"]),
        ("only comments", with("# a\n# b"), vec!["L002"]),
        ("a byte order mark", with(&format!("\u{feff}{example}")), vec![]),
        (
            "line ends of Windows",
            with(&example.replace('\n', "\r\n")),
            vec![],
        ),
        ("tabs", with(&example.replace(' ', "\t")), vec![]),
        (
            "names in other letters",
            with("entity Kügelchen { sphere(radius = 1)  mass = 1 }\nproperty π_1: always Kügelchen.x < 1"),
            vec![],
        ),
        ("zeros", vec![0; 1_000], vec!["S013"]),
        ("a zero", with("param a = 1\0"), vec!["S013"]),
        ("half a character", with("param é")[..7].to_vec(), vec!["S013"]),
        ("bytes", (0..=255).collect(), vec!["S013"]),
        (
            "too large",
            vec![b' '; dyverse_lang::LARGEST_FILE + 1],
            vec!["S012"],
        ),
        (
            "as large as can be",
            vec![b' '; dyverse_lang::LARGEST_FILE],
            vec!["L002"],
        ),
        (
            "a long line",
            with(&format!("{BALL}# {}", "x".repeat(1_000_000))),
            vec![],
        ),
        (
            "a long name",
            with(&format!("{BALL}param {} = 1", "x".repeat(1_000_000))),
            vec!["S014"],
        ),
        (
            "many digits",
            with(&format!("{BALL}param a = {}", "9".repeat(1_000_000))),
            vec!["S004"],
        ),
        (
            "many digits behind the point",
            with(&format!("{BALL}param a = 0.{}", "9".repeat(1_000_000))),
            vec![],
        ),
        (
            "an exponent",
            with(&format!("{BALL}param a = 1e999999999")),
            vec!["S004"],
        ),
        (
            "a small exponent",
            with(&format!("{BALL}param a = 1e-999999999")),
            vec![],
        ),
        (
            "a long exponent",
            with(&format!("{BALL}param a = 1e{}", "9".repeat(1_000_000))),
            vec!["S004"],
        ),
        (
            "a long string",
            with(&format!("{BALL}import \"{}\"", "x".repeat(1_000_000))),
            vec!["L030"],
        ),
        (
            "a string that does not end",
            with(&format!("{BALL}import \"{}", "x".repeat(1_000_000))),
            vec!["S002"],
        ),
        (
            "a path out",
            with(&format!("{BALL}import \"../../../etc/passwd\"")),
            vec!["L030"],
        ),
    ] {
        assert_eq!(codes(&check(name, bytes)), expected, "{name}");
    }
}

/// A number that is none, and one that is too large, reach no model.
#[test]
fn nothing_that_is_not_finite_gets_in() {
    for value in [
        "0 / 0",
        "1 / 0",
        "-1 / 0",
        "1e308 * 10",
        "1e308 + 1e308",
        "-1e308 - 1e308",
        "sqrt(-1)",
        "ln(0)",
        "ln(-1)",
        "asin(2)",
        "acos(-2)",
        "exp(1000)",
        "10 ^ 400",
        "0 ^ -1",
        "(-8) ^ (1 / 3)",
        "tan(pi / 2) / 0",
        "1e308 ^ 2",
        "max(1, 0 / 0)",
        "0 * (1e308 * 10)",
        "(1e308 * 10) - (1e308 * 10)",
        "atan2(0, 0) / 0",
        "cosh(1000)",
        "if 0 / 0 > 1 then 1 else 1 / 0",
        "norm((1e308, 1e308, 1e308))",
    ] {
        for text in [
            format!("param a = {value}\n{BALL}"),
            format!("entity ball {{ sphere(radius = {value})  mass = 1 }}"),
            format!("entity ball {{ sphere(radius = 1)  mass = {value} }}"),
            format!("entity ball {{ sphere(radius = 1)  mass = 1  position = (0, {value}, 0) }}"),
            format!(
                "{BALL}fixed entity f {{ plane(normal = (0, 1, 0), offset = {value} - 9) }}\ncontact ball, f {{ friction = {value} }}"
            ),
            format!("{BALL}horizon {value}"),
            format!("{BALL}property p: always [0, {value}] ball.x < 1"),
        ] {
            let reading = read_text("t", &text);
            // 0 · x is 0 for every number x: the pool says so before x is looked at.
            let is_zero = value.starts_with("0 * ");
            assert!(reading.model.is_none() || is_zero, "{text}");
        }
    }
}

/// The deepest nesting that is allowed fits on a small stack, also unoptimised.
#[test]
fn the_deepest_nesting_fits_on_a_small_stack() {
    let deep = |open: &str, close: &str| format!("{BALL}let a = {}1{}", open.repeat(190), close.repeat(190));
    let texts = [
        deep("(", ")"),
        deep("-", ""),
        deep("sin(", ")"),
        deep("2 ^ ", ""),
        deep("if true then ", " else 1"),
        deep("if true then 1 else ", ""),
        deep("max(1, -(", "))")
            .replace(&"max(1, -(".repeat(190), &"max(1, -(".repeat(60))
            .replace(&"))".repeat(190), &"))".repeat(60)),
        format!("{BALL}property p: {}ball.x > 1", "not ".repeat(190)),
        format!("{BALL}property p: {}ball.x > 1", "always ".repeat(190)),
        format!("{BALL}let a = {}", "(".repeat(100_000)),
    ];
    let run = move || {
        for text in &texts {
            let reading = read_text("t", text);
            let is_refused = codes(&reading) == ["S011"];
            assert!(reading.model.is_some() || is_refused, "{}", shown(&reading));
            let _ = format("t", text);
        }
    };
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}
