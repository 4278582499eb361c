//! The command as people and programs call it: output, messages, exit codes, files.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{dyverse, examples, stderr, stdout, with_input};

fn count(model: &str, arguments: &[&str]) -> serde_json::Value {
    let mut all = vec!["automaton", model, "--count", "--format", "json"];
    all.extend(arguments);
    let output = dyverse(&examples(), &all);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Paper 000, Table 2, and the larger ones of the specification. `all_slip_edges` is 2^P − 1.
#[test]
fn counts_are_those_of_table_2() {
    let rows = [
        (1, "0", "1", "0", "0", "0"),
        (2, "1", "4", "1", "11", "1"),
        (3, "3", "64", "7", "524", "7"),
        (4, "6", "4096", "63", "231284", "63"),
        (5, "10", "1048576", "1023", "977904912", "1023"),
        (
            10,
            "45",
            "1237940039285380274899124224",
            "35184372088831",
            "43388660469513740084328850326390955626102",
            "35184372088831",
        ),
    ];
    for (balls, contacts, locations, nodes, edges, all_slip) in rows {
        let found = count(&format!("{balls}_balls.drbt"), &[]);
        assert_eq!(found["contacts"], contacts, "{balls} balls");
        assert_eq!(found["dynamical_locations"], locations, "{balls} balls");
        assert_eq!(found["impact_nodes"], nodes, "{balls} balls");
        assert_eq!(found["contact_nodes"], nodes, "{balls} balls");
        assert_eq!(found["edges"], edges, "{balls} balls");
        assert_eq!(found["all_slip_edges"], all_slip, "{balls} balls");
    }
    let sixty = count("60_balls.drbt", &[]);
    assert_eq!(sixty["contacts"], "1770");
    // 4^1770 = 2^3540 has ⌊3540 log₁₀ 2⌋ + 1 = 1066 digits.
    assert_eq!(sixty["dynamical_locations"].as_str().unwrap().len(), 1066);
}

#[test]
fn pruning_leaves_out_what_geometry_rules_out() {
    // One sphere cannot touch both walls: of four combinations three are left.
    assert_eq!(count("between_walls.drbt", &[])["vertices"], "4");
    assert_eq!(count("between_walls.drbt", &["--prune"])["vertices"], "3");
    // Five equal spheres cannot all touch each other; any nine of the ten contacts can be closed.
    assert_eq!(count("5_balls.drbt", &["--prune"])["vertices"], "1023");
    assert_eq!(count("3_balls.drbt", &["--prune"])["edges"], "524");
}

#[test]
fn every_example_has_an_automaton() {
    let listed = dyverse(&examples(), &["examples", "--format", "json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let mut names: Vec<String> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["file"].as_str().unwrap().to_owned())
        .collect();
    let files_of = |folder: &str| {
        let prefix = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        std::fs::read_dir(examples().join(folder))
            .unwrap()
            .map(|e| e.unwrap())
            .filter(|e| e.file_type().unwrap().is_file())
            .map(move |e| prefix.clone() + &e.file_name().into_string().unwrap())
    };
    let mut there: Vec<String> = files_of("")
        .chain(files_of("actors"))
        .chain(files_of("checks"))
        .collect();
    for name in &names {
        if name.ends_with(".dam") {
            let tidy = dyverse(&examples(), &["fmt", "--check", name]);
            assert_eq!(tidy.status.code(), Some(0), "{name} is not formatted");
            continue;
        }
        let output = dyverse(&examples(), &["automaton", name, "--count"]);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{name}: {}",
            stderr(&output)
        );
        let tidy = dyverse(&examples(), &["fmt", "--check", name]);
        assert_eq!(tidy.status.code(), Some(0), "{name} is not formatted");
    }
    names.sort();
    there.sort();
    assert_eq!(names, there, "the shipped examples are the files of examples/");
}

#[test]
fn one_location_can_be_asked_for() {
    let output = dyverse(
        &examples(),
        &["automaton", "three_balls_001.drbt", "--location", "s_1,1"],
    );
    let text = stdout(&output);
    assert!(output.status.success() && text.contains("I_6,en"), "{text}");
    assert!(!text.contains("s_7,"), "{text}");
    let missing = dyverse(&examples(), &["automaton", "2_balls.drbt", "--location", "s_9,1"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("s_9,1"), "{}", stderr(&missing));
}

#[test]
fn pictures_and_graphs_of_every_size() {
    for model in [
        "interception",
        "1_balls",
        "3_balls",
        "4_balls",
        "60_balls",
        "between_walls",
    ] {
        let file = format!("{model}.drbt");
        for (format, start) in [("svg", "<svg"), ("dot", "graph \"")] {
            let output = dyverse(&examples(), &["automaton", &file, "--format", format]);
            assert!(output.status.success(), "{model} {format}: {}", stderr(&output));
            assert!(stdout(&output).contains(start), "{model} {format}");
        }
    }
}

#[test]
fn what_is_too_big_is_refused_with_its_size() {
    let output = dyverse(&examples(), &["automaton", "5_balls.drbt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    insta::assert_snapshot!(stderr(&output));
}

#[test]
fn a_wrong_model_is_told_whole_and_exits_with_2() {
    let text = b"system wrong\nentity a { sphere(radius = 0) mass = 1 }\nforce on b = (0, 1, 0)\n";
    let output = with_input(&["automaton", "-"], text);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    insta::assert_snapshot!(stderr(&output));
    let output = with_input(&["automaton", "-", "--format", "json"], text);
    let told: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(told.to_string().matches("\"code\"").count(), 2, "{told}");
}

#[test]
fn missing_files_folders_and_bytes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = dyverse(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        stderr(&output)
    };
    insta::assert_snapshot!(run(&["automaton", "nowhere.drbt"]));
    assert!(run(&["automaton", "."]).contains("it is a folder"));
    std::fs::write(folder.path().join("binary.drbt"), [0u8, 159, 146, 150]).unwrap();
    assert!(run(&["automaton", "binary.drbt"]).contains("S013"));
    assert!(run(&["fmt", "binary.drbt"]).contains("not UTF-8"));
    assert!(run(&["automaton"]).contains("Usage"));
    assert!(run(&["explain", "L999"]).contains("L999"));
    assert!(run(&["examples", "interceptoin"]).contains("did you mean interception?"));
}

#[test]
fn imports_are_read_from_the_importing_folder() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    write(
        "parts/ball.drbt",
        "import \"size.drbt\"\nentity b { sphere(radius = R) mass = 1 position = (3, 0, 0) }",
    );
    write("parts/size.drbt", "param R = 1");
    write(
        "main.drbt",
        "import \"parts/ball.drbt\"\nentity a { sphere(radius = R) mass = 1 }\ncontact default {}",
    );
    let output = dyverse(
        folder.path(),
        &["automaton", "main.drbt", "--count", "--format", "json"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    write("parts/size.drbt", "import \"../main.drbt\"\nparam R = 1");
    let output = dyverse(folder.path(), &["automaton", "main.drbt", "--count"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("main.drbt -> ball.drbt -> size.drbt -> main.drbt"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn formatting_in_place_on_input_and_as_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.drbt");
    std::fs::write(&path, "param a=1 # one\n").unwrap();
    assert_eq!(
        dyverse(folder.path(), &["fmt", "--check", "a.drbt"])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "param a=1 # one\n");
    assert_eq!(
        stdout(&dyverse(folder.path(), &["fmt", "a.drbt"])),
        "formatted a.drbt\n"
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "param a = 1  # one\n");
    assert_eq!(
        dyverse(folder.path(), &["fmt", "--check", "a.drbt"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(stdout(&with_input(&["fmt", "-"], b"param a=1")), "param a = 1\n");
    // What does not parse is left as it is, and says why.
    std::fs::write(&path, "param a = = 1").unwrap();
    let output = dyverse(folder.path(), &["fmt", "a.drbt"]);
    assert_eq!(
        (
            output.status.code(),
            std::fs::read_to_string(&path).unwrap().as_str()
        ),
        (Some(2), "param a = = 1")
    );
    assert!(stderr(&output).contains("S005"));
}

#[test]
fn a_first_model_is_written_once_and_works() {
    let folder = tempfile::tempdir().unwrap();
    assert!(dyverse(folder.path(), &["new", "game"]).status.success());
    assert!(
        dyverse(folder.path(), &["automaton", "game.drbt"])
            .status
            .success()
    );
    assert_eq!(
        dyverse(folder.path(), &["fmt", "--check", "game.drbt"])
            .status
            .code(),
        Some(0)
    );
    let again = dyverse(folder.path(), &["new", "game"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("--force"));
    assert!(
        dyverse(folder.path(), &["new", "game", "--force"])
            .status
            .success()
    );
    for name in ["../evil", "force", "1", "a b", ""] {
        assert_eq!(
            dyverse(folder.path(), &["new", name]).status.code(),
            Some(2),
            "{name}"
        );
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn examples_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        dyverse(folder.path(), &["examples", "--write", "models"])
            .status
            .success()
    );
    let written = std::fs::read_dir(folder.path().join("models")).unwrap().count();
    assert_eq!(written, std::fs::read_dir(examples()).unwrap().count());
    assert_eq!(
        dyverse(folder.path(), &["examples", "--write", "models"])
            .status
            .code(),
        Some(2)
    );
    let printed = stdout(&dyverse(folder.path(), &["examples", "interception"]));
    assert_eq!(
        printed,
        std::fs::read_to_string(examples().join("interception.drbt")).unwrap()
    );
}

#[test]
fn output_goes_to_a_file_that_is_whole_or_absent() {
    let folder = tempfile::tempdir().unwrap();
    let model = examples().join("2_balls.drbt");
    let model = model.to_str().unwrap();
    let ok = dyverse(
        folder.path(),
        &["automaton", model, "--format", "svg", "-o", "a.svg"],
    );
    assert!(ok.status.success() && ok.stdout.is_empty());
    assert!(
        std::fs::read_to_string(folder.path().join("a.svg"))
            .unwrap()
            .contains("</svg>")
    );
    let bad = dyverse(folder.path(), &["automaton", model, "-o", "nowhere/a.txt"]);
    assert_eq!(bad.status.code(), Some(3));
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing is left behind"
    );
}

#[test]
fn explanations() {
    insta::assert_snapshot!(stdout(&dyverse(&examples(), &["explain", "l017"])));
    let all = stdout(&dyverse(&examples(), &["explain"]));
    assert!(all.lines().count() > 60 && all.contains("M001"));
    let json = dyverse(&examples(), &["explain", "M001", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["code"], "M001");
}

#[test]
fn help_has_examples() {
    for command in ["automaton", "simulate", "fmt", "new", "examples", "explain"] {
        let help = stdout(&dyverse(&examples(), &[command, "--help"]));
        assert!(help.contains("Example"), "{command}: {help}");
    }
    insta::assert_snapshot!(stdout(&dyverse(&examples(), &["--help"])));
}

#[test]
fn the_demonstration_runs_refutes_proves_and_leaves_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let output = dyverse(folder.path(), &["demo"]);
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{told}{}", stderr(&output));
    let [unsafe_at, safe_at] = ["kept: UNSAFE", "kept: SAFE"].map(|word| told.find(word));
    assert!(unsafe_at.is_some() && unsafe_at < safe_at, "{told}");
    for file in ["interception.drbt", "interception.html"] {
        assert!(folder.path().join("dyverse-demo").join(file).is_file(), "{file}");
    }
    // Once more, with another model under that name: it is kept, and what comes of it decides the exit code.
    let model = folder.path().join("dyverse-demo/interception.drbt");
    std::fs::write(&model, "entity a { sphere(1) mass = ").unwrap();
    assert_eq!(dyverse(folder.path(), &["demo"]).status.code(), Some(2));
    assert_eq!(std::fs::read(&model).unwrap(), b"entity a { sphere(1) mass = ");
}
