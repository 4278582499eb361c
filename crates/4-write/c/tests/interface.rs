//! The interface of exported models: inputs, parameters, initial values, errors, two models in one program, memory, obstacles.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    clippy::disallowed_methods
)]

use crate::support;

use dyverse_simulate::{RunOptions, simulate};
use dyverse_trace::InputSignal;
use support::{Built, compile, example, model, read, tool, write};

/// A ball on a rough plane that an input pushes: it sticks, breaks away, and sticks again.
const PUSHED: &str = "
system pushed
param mu = 0.3
input push = 0
entity ball { rounded_box(size = (0.4, 0.2, 0.3), radius = 0.02)  mass = 2  position = (0, 0.1, 0) }
fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
contact default { restitution = 0  friction = mu }
gravity (0, -9.81, 0)
force on ball = (push, 0, 0)
horizon 2
";

/// Steps to each jump, sets the input, goes on.
const DRIVER: &str = r#"
#include "pushed.h"
#include <stdio.h>
static pushed m;
static void until(double t)
{
    int status;
    while ((status = pushed_step_to_event(&m, t)) == pushed_EVENT) {
        fprintf(stderr, "%.17g %d %s\n", pushed_time(&m), pushed_microstep(&m), pushed_location(&m));
    }
    if (status != pushed_OK) {
        fprintf(stderr, "%s\n", pushed_message(&m));
    }
}
int main(void)
{
    int i;
    pushed_init(&m);
    until(0.5);
    pushed_set(&m, pushed_push, 8.0);
    until(1.0);
    pushed_set(&m, pushed_push, -1.0);
    until(2.0);
    printf("time");
    for (i = 0; i < pushed_VARIABLES; i++) {
        if (pushed_kind(i) == pushed_STATE) printf(",%s", pushed_name(i));
    }
    printf("\n%.17g", pushed_time(&m));
    for (i = 0; i < pushed_VARIABLES; i++) {
        if (pushed_kind(i) == pushed_STATE) printf(",%.17g", pushed_get(&m, i));
    }
    printf("\n");
    return 0;
}
"#;

#[test]
fn an_input_is_driven() {
    let model = model(PUSHED);
    let folder = tempfile::tempdir().unwrap();
    write(&dyverse_c::write_bodies(&model).unwrap(), folder.path());
    std::fs::write(folder.path().join("driver.c"), DRIVER).unwrap();
    compile(folder.path(), &["pushed.c", "driver.c"], &["-O1"], "driver");
    let output = tool("./driver", &[], folder.path());
    let told = read(
        &String::from_utf8(output.stdout).unwrap(),
        &String::from_utf8(output.stderr).unwrap(),
    );
    let signal = InputSignal::Table {
        times: vec![0.0, 0.5, 0.5, 1.0, 1.0],
        values: vec![0.0, 0.0, 8.0, 8.0, -1.0],
    };
    let options = RunOptions {
        inputs: vec![("push".into(), signal)],
        ..RunOptions::default()
    };
    let trace = simulate(&model, &options).unwrap();
    assert!(trace.transitions.len() >= 4, "it breaks away and stops");
    support::assert_same(&told, &trace);
}

#[test]
fn initial_values_are_set_and_bad_ones_are_refused() {
    let model = example("between_walls");
    let built = Built::new(&model, &["-O1"]);
    let options = RunOptions {
        initial: vec![("ball.x".into(), 0.3), ("ball.wz".into(), 2.0)],
        ..RunOptions::default()
    };
    let trace = simulate(&model, &options).unwrap();
    support::assert_same(&built.run(&["ball.x=0.3".into(), "ball.wz=2".into()]), &trace);
    let refused = |argument: &str, expected: &str| {
        let output = tool(&built.program().to_string_lossy(), &[argument], built.folder());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && told.contains(expected),
            "{argument}: {told}"
        );
    };
    refused("ball.x=1.5", "overlap at the start: their gap is");
    refused("e=1.5", "the restitution of ball-left is 1.5");
    refused("nothing=1", "not understood: nothing");
    refused("k=nan", "not understood: k");
}

/// What was refused can be put right.
#[test]
fn a_model_that_could_not_begin_begins_with_other_values() {
    let folder = tempfile::tempdir().unwrap();
    write(
        &dyverse_c::write_bodies(&example("between_walls")).unwrap(),
        folder.path(),
    );
    let driver = r#"
#include "between_walls.h"
static between_walls m;
int main(void)
{
    between_walls_init(&m);
    between_walls_set(&m, between_walls_ball_x, 1.5);
    if (between_walls_step(&m, 1.0) != between_walls_OVERLAP || between_walls_message(&m)[0] == 0) return 1;
    if (between_walls_step(&m, 1.0) != between_walls_OVERLAP) return 2;
    if (between_walls_set(&m, between_walls_ball_x, 0.0) != between_walls_OK) return 3;
    if (between_walls_step(&m, 1.0) != between_walls_OK || between_walls_message(&m)[0] != 0) return 4;
    return between_walls_time(&m) == 1.0 ? 0 : 5;
}
"#;
    std::fs::write(folder.path().join("driver.c"), driver).unwrap();
    compile(
        folder.path(),
        &["between_walls.c", "driver.c"],
        &["-O0"],
        "driver",
    );
    assert_eq!(tool("./driver", &[], folder.path()).status.code(), Some(0));
}

/// Nothing that moves.
#[test]
fn a_model_of_fixed_entities_compiles() {
    let still = "system still\nfixed entity wall { plane(normal = (0, 1, 0), offset = 0) }\nhorizon 1\n";
    let told = Built::new(&model(still), &["-O2"]).run(&[]);
    assert!(told.transitions.is_empty() && told.last.is_empty());
}

/// 55 contacts, of which ten come to be closed one after the other: numbers of vertices and of modes with many digits, as the automaton has them.
#[test]
fn locations_have_the_numbers_of_the_automaton() {
    let mut text = String::from("system ten\n");
    for i in 0..10 {
        let (x, y, v) = (
            i,
            0.1 + 0.01 * f64::from((i * 7) % 10 + 1),
            0.1 * f64::from(i % 3),
        );
        text += &format!(
            "entity b{i} {{ sphere(radius = 0.1)  mass = 1  position = ({x}, {y}, 0)  velocity = ({v}, 0, 0) }}\n"
        );
    }
    text += "fixed entity floor { half_space(normal = (0, 1, 0), offset = 0) }
contact default { restitution = 0  friction = 0.2 }
gravity (0, -9.81, 0)
horizon 0.4
";
    let model = model(&text);
    let built = Built::new(&model, &["-O2"]);
    assert!(support::check_built(&built, &model, &[]) >= 30);
    let last = built.run(&[]).transitions.pop().unwrap();
    assert!(last.2.len() > 12, "{last:?}");
}

/// All names but those of the interface are static.
#[test]
fn two_models_link_together_and_a_copy_is_a_second_model() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["between_walls", "newtons_cradle"] {
        write(&dyverse_c::write_bodies(&example(name)).unwrap(), folder.path());
    }
    let both = r#"
#include "between_walls.h"
#include "newtons_cradle.h"
#include <stdio.h>
static between_walls a, b;
static newtons_cradle c;
int main(void)
{
    between_walls_init(&a);
    newtons_cradle_init(&c);
    if (between_walls_step(&a, 1.0) != between_walls_OK || newtons_cradle_step(&c, 1.0) != newtons_cradle_OK) return 1;
    b = a;
    if (between_walls_step(&a, 3.0) != between_walls_OK || between_walls_step(&b, 3.0) != between_walls_OK) return 2;
    if (between_walls_get(&a, between_walls_ball_x) != between_walls_get(&b, between_walls_ball_x)) return 3;
    if (!(newtons_cradle_get(&c, newtons_cradle_ball5_vx) > 0.99)) return 4;
    if (between_walls_find("ball.x") != between_walls_ball_x || between_walls_find("x") != -1) return 5;
    if (between_walls_step(&a, 2.0) != between_walls_BAD_ARGUMENT) return 6;
    if (between_walls_set(&a, between_walls_k, 2.0) != between_walls_BAD_ARGUMENT) return 7;
    return 0;
}
"#;
    std::fs::write(folder.path().join("both.c"), both).unwrap();
    compile(
        folder.path(),
        &["between_walls.c", "newtons_cradle.c", "both.c"],
        &["-O1", "-Wshadow"],
        "both",
    );
    assert_eq!(tool("./both", &[], folder.path()).status.code(), Some(0));
}

/// The step at which one looks does not change what happens.
#[test]
fn the_grid_of_outputs_changes_nothing() {
    let built = Built::new(&example("interception"), &["-O1"]);
    let (coarse, fine) = (built.run(&["every=2".into()]), built.run(&["every=0.001".into()]));
    assert_eq!(coarse.transitions, fine.transitions);
    assert_eq!(coarse.last, fine.last);
}

#[test]
fn valgrind_is_content() {
    let names = [
        "interception",
        "bouncing_ball",
        "sliding_ball",
        "newtons_cradle",
        "three_balls_001",
        "three_balls_002",
    ];
    for model in names.map(example).into_iter().chain([model(PUSHED)]) {
        let name = model.name();
        let built = Built::new(&model, &["-O1", "-g"]);
        let program = built.program();
        let arguments = [
            "--quiet",
            "--error-exitcode=99",
            "--leak-check=full",
            "--track-origins=yes",
            &program.to_string_lossy(),
            "every=0.1",
        ];
        let output = tool("valgrind", &arguments, built.folder());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !told.contains("=="), "{name}: {told}");
    }
}

#[test]
fn the_makefile_builds_the_program() {
    let folder = tempfile::tempdir().unwrap();
    write(
        &dyverse_c::write_bodies(&example("between_walls")).unwrap(),
        folder.path(),
    );
    let output = tool("make", &["CFLAGS=-O0 -Werror"], folder.path());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(
        tool("./between_walls", &["until=0.1"], folder.path())
            .status
            .success()
    );
}

#[test]
fn what_cannot_be_written_is_named() {
    let text = "
system eggs
entity egg { ellipsoid(semi_axes = (0.1, 0.2, 0.1))  mass = 1 }
entity ball { sphere(radius = 0.1)  mass = 1  position = (1, 0, 0) }
";
    let obstacle = dyverse_c::write_bodies(&model(text)).unwrap_err();
    assert!(
        obstacle.what.contains("egg-ball is one of ellipsoid and sphere"),
        "{obstacle}"
    );
    let origin = obstacle.origin.unwrap();
    let place = text.find("ellipsoid").unwrap();
    assert_eq!(origin.start() as usize, place);
    // With a plane it can.
    let alone = "
system egg
entity egg { ellipsoid(semi_axes = (0.1, 0.2, 0.1))  mass = 1  position = (0, 0.5, 0) }
fixed entity floor { plane(normal = (0, 1, 0), offset = 0) }
contact default { restitution = 0.5  friction = 0.2 }
";
    assert!(dyverse_c::write_bodies(&model(alone)).is_ok());
}

#[test]
fn the_header_of_the_interception_game() {
    let files = dyverse_c::write_bodies(&example("interception")).unwrap();
    insta::assert_snapshot!(files.header);
}

/// Names that mean something to C, to its library, to the interface or to the runtime.
#[test]
fn names_that_mean_something_to_c_do_no_harm() {
    let text = "
system sweep
param init = 1
param OK = 2
param flow = 3
param MODEL = 0.5
param dense = 4
param ball_x = 5
input set = MODEL * sin(2 * t)
entity ball { sphere(radius = MODEL)  mass = init  position = (0, OK, 0) }
entity MODEL_x { sphere(radius = 0.1)  mass = 1  position = (3, 0, 0) }
entity double { sphere(radius = 0.1)  mass = 1  position = (5, 0, 0) }
force on ball = (flow, set, ball_x - dense)
horizon 1
";
    let model = model(text);
    let files = dyverse_c::write_bodies(&model).unwrap();
    assert_eq!(files.name, "sweep_model");
    assert!(
        files.header.contains("sweep_model_ball_x_2, /**< ball.x, m */"),
        "{}",
        files.header
    );
    support::check(&model, &[("MODEL", 0.25)]);
}
