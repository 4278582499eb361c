//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Modelling, simulation and verification of mechanical systems with impacts, contacts and friction.
#[derive(Debug, Parser)]
#[command(
    name = "dyverse",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  dyverse demo                                    a run, a refutation, a proof, a page
  dyverse automaton game.drbt                     the hybrid automaton, as the papers display it
  dyverse automaton game.drbt --count             its size, without building it
  dyverse automaton game.drbt --format svg -o game.svg
  dyverse simulate game.drbt --output run.csv     a run of it
  dyverse view game.drbt -o run.html              a run to look at, in a browser
  dyverse replay run.json --model game.drbt       is a trace a run of the automaton?
  dyverse check game.drbt                         does a property hold for all parameters?
  dyverse studio                                  write, run and check models in the browser
  dyverse export game.drbt --to fmu               a block for Simulink, OpenModelica and others
  dyverse examples --write examples               models to start from
  dyverse explain L017                            what a message means

Exit codes: 0 done; 1 `fmt --check` found something to format; 2 wrong file or call; 3 output could not be written; \
4 `simulate` stopped before its horizon; 10 `check` found a property broken, `replay` a trace that is no run; 20 neither proved nor refuted, a \
part of the trace could not be judged; 130 and 143 ended by Ctrl-C and by \
SIGTERM: a run or check in work shows what there is of it."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what dyverse is for: a run, a refutation, a proof and a page of one model
    Demo(Demo),
    /// Generate the multi-rigid-body hybrid automaton of a model
    Automaton(Automaton),
    /// Run a model
    Simulate(Simulate),
    /// Make a page to look at: the bodies moving, every event, plots, the automaton
    View(View),
    /// Judge a trace: is it a run of the model's automaton?
    Replay(Replay),
    /// Prove or refute properties of a model, for all parameters and initial values
    Check(Check),
    /// Write, run and check models in the browser of this machine
    Studio(Studio),
    /// Turn a model into a block or a file for another tool
    Export(Export),
    /// Format model files
    Fmt(Fmt),
    /// Write a first model
    New(New),
    /// List the shipped models, print one, or write them out
    Examples(Examples),
    /// Say what the code of a message means
    Explain(Explain),
}

/// How the automaton is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AutomatonFormat {
    /// One block a location, in the papers' notation
    Text,
    /// For programs (docs/AUTOMATON_FORMAT.md)
    Json,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// A picture in pixels; needs --output
    Png,
}

/// Text for people or JSON for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// How an FMU is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Interface {
    /// Model exchange: with the solver of this program
    #[value(name = "me")]
    ModelExchange,
    /// Co-simulation: with its own
    #[value(name = "cs")]
    CoSimulation,
}

/// How contacts are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Contacts {
    /// By events alone: where that fails the run stops
    Exact,
    /// By events, and by steps where events fail or cost too much
    Auto,
    /// By steps wherever anything touches
    Stepping,
}

impl From<Contacts> for dyverse::Contacts {
    fn from(contacts: Contacts) -> Self {
        match contacts {
            Contacts::Exact => dyverse::Contacts::Exact,
            Contacts::Auto => dyverse::Contacts::Auto,
            Contacts::Stepping => dyverse::Contacts::Stepping,
        }
    }
}

/// Which contact combinations are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Graph {
    /// Every pair of different combinations (the papers' tool)
    Complete,
    /// Only where one combination contains the other
    Subset,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse automaton interception.drbt                       whole, as text
  dyverse automaton interception.drbt --location s_1,1      one location with its edges
  dyverse automaton 60_balls.drbt --count --format json     sizes as decimal strings
  dyverse automaton between_walls.drbt --graph subset --prune")]
pub(crate) struct Automaton {
    /// The model (.drbt); - reads standard input
    pub(crate) file: PathBuf,
    /// Which contact combinations are joined by an edge of the graph
    #[arg(long, value_enum, default_value = "complete")]
    pub(crate) graph: Graph,
    /// Leave out combinations that the geometry rules out
    #[arg(long)]
    pub(crate) prune: bool,
    /// How to show it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: AutomatonFormat,
    /// Only count locations, nodes and edges: takes no time, however many there are
    #[arg(long)]
    pub(crate) count: bool,
    /// Only this location or computation node, such as S_0, s_6,2, I_6 or C_6
    #[arg(long, value_name = "NAME", conflicts_with = "count")]
    pub(crate) location: Option<String>,
    /// Write out at the most this many edges
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(crate) max_edges: u64,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse simulate interception.drbt                              a summary of the run
  dyverse simulate interception.drbt --set K=2 --until 3          another gain, a longer run
  dyverse simulate interception.drbt --input u1=push.csv          an input from a table of times and values
  dyverse simulate bouncing_ball.drbt --output run.parquet --sample-every 0.001
  dyverse simulate bouncing_ball.drbt --output run.svg --plot ball.y --plot ball.vy
  dyverse simulate bouncing_ball.drbt --output run.json           and later, from its transition 6 on:
  dyverse simulate bouncing_ball.drbt --continue run.json --from-event 6 --until 10
  dyverse simulate bouncing_ball.drbt --format json | jq .stop    for programs
  dyverse simulate actors/friction.dam                            an actor model
  dyverse simulate pump.fmu --set k=2 --input u=push.csv          an FMU of any tool: its code is run

A trace holds samples at even times and before and after every jump. FILE.csv and FILE.parquet hold the samples, FILE.json \
everything: transitions with guards, resets and forces, the energy balance, and with --dense the motion in between.

A table of an input has two columns, time and value, or a column `time` and one named like the input; straight lines between \
its points, constant before and after. Two values at one time are a jump.

A run that stops early (--timeout, --max-events, --max-memory, a value that is no finite number, events without end) says why; its last sample is \
the state at the stop. docs/SIMULATING.md lists the reasons.

Exit codes: 0 the horizon was reached; 2 wrong file or call, or a mistake of the model that shows while it runs; 3 output could not be written; 4 the run stopped before its \
horizon, 130 and 143 it was ended by Ctrl-C and by SIGTERM: what there is of it is written all the same.")]
pub(crate) struct Simulate {
    /// The model (.drbt, .dam for actors, or .fmu); - reads a model of either language from standard input, told by its first word, `system` or `model`, else by what it can be read as
    pub(crate) file: PathBuf,
    /// When to stop, s; the model's own horizon if left out
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// The value of a parameter, or of an initial value such as ball.x, other than the model's
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// What drives an input: a number, values from times on (u=0:1,0.5:-1), or a table of times and values
    #[arg(long, value_name = "NAME=VALUE|T:VALUE,…|FILE.csv")]
    pub(crate) input: Vec<String>,
    /// Write the trace to this file: .csv, .json or .parquet; .svg and .png draw it, .html is a page to look at. A pipe or a device without an ending (/dev/stdout) is given CSV, with --format json JSON
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The signals of a panel of FILE.svg or FILE.png, once for each panel; what changes, grouped by unit, if left out
    #[arg(long, value_name = "A,B,C", requires = "output")]
    pub(crate) plot: Vec<String>,
    /// Time between samples, s; a five hundredth of the run if left out
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) sample_every: Option<f64>,
    /// Keep the motion between transitions as polynomials (.json)
    #[arg(long)]
    pub(crate) dense: bool,
    /// Go on from a run written with --output FILE.json: from its end, with its parameters
    #[arg(long = "continue", value_name = "FILE.json")]
    pub(crate) continued: Option<PathBuf>,
    /// Go on from after this transition of it, counted from 0
    #[arg(long, value_name = "N", requires = "continued")]
    pub(crate) from_event: Option<usize>,
    /// Keep every step inside computation nodes
    #[arg(long)]
    pub(crate) show_nodes: bool,
    /// Do not stop an actor model where events seem to accumulate without end
    #[arg(long)]
    pub(crate) no_zeno: bool,
    /// Stop after this many events: transitions, impacts, jumps, crossings, switches, ticks of clocks
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_events: usize,
    /// Stop after this time, s; the run so far is kept
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// Stop where the trace needs more memory than this, GB; the run so far is kept
    #[arg(long, value_name = "GB", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) max_memory: f64,
    /// The longest step of the solver in a rigid-body model, s; the model's own (`tolerances { max_step = … }`) if left out
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) max_step: Option<f64>,
    /// How contacts are followed: by events alone (`exact`), by steps where events fail or cost too much (`auto`), by steps throughout (`stepping`)
    #[arg(long, value_enum, value_name = "exact|auto|stepping", default_value = "auto")]
    pub(crate) contacts: Contacts,
    /// The length of the steps that follow contacts, s; found from sizes and loads if left out
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) contact_step: Option<f64>,
    /// How an FMU is run; model exchange if it offers it and this is left out
    #[arg(long, value_enum, value_name = "me|cs")]
    pub(crate) interface: Option<Interface>,
    /// The step of an FMU's co-simulation, s; its own, else a hundredth of the run, if left out
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) step: Option<f64>,
    /// What is printed about the run
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse view interception.drbt                          writes interception.html
  dyverse view interception.drbt --set K=2.5 -o run.html  another gain
  dyverse view actors/friction.dam -o friction.html       an actor model: its modes and signals
  dyverse view run.json --model interception.drbt         a trace that was kept, with the shapes of its model
  dyverse view measured.csv                               any table with a column of times

The page is one file that needs no network: a scene with the bodies, a timeline on which every event can be stepped through microstep by \
microstep, plots of any signal, the automaton with its present location lit.

Exit codes: 0 the page shows the whole run; 2 wrong file or call; 3 it could not be written; 4 the run stopped before its horizon, \
130 and 143 it was ended by Ctrl-C and by SIGTERM: the page shows what there is of it.")]
pub(crate) struct View {
    /// The model (.drbt, .dam for actors, .fmu), or a trace (.json, .csv, .parquet)
    pub(crate) file: PathBuf,
    /// Write the page to this file; left out: the name of the model or trace with .html
    #[arg(long, short, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// The model of a trace: its shapes are then seen
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// When to stop, s; the model's own horizon if left out
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) until: Option<f64>,
    /// The value of a parameter, or of an initial value such as ball.x, other than the model's
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// What drives an input: a number, values from times on (u=0:1,0.5:-1), or a table of times and values
    #[arg(long, value_name = "NAME=VALUE|T:VALUE,…|FILE.csv")]
    pub(crate) input: Vec<String>,
    /// Time between samples, s; a thousandth of the run if left out
    #[arg(long, value_name = "DT", allow_negative_numbers = true)]
    pub(crate) sample_every: Option<f64>,
    /// Stop after this many events: transitions, impacts, jumps, crossings, switches, ticks of clocks
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_events: usize,
    /// Stop after this time, s; the run so far is kept
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// Stop where the trace needs more memory than this, GB; the run so far is kept
    #[arg(long, value_name = "GB", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) max_memory: f64,
    /// What is said about it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse simulate interception.drbt -o run.json
  dyverse replay run.json --model interception.drbt               accepted, or the first thing that is wrong with it
  dyverse replay run.json --model interception.drbt --format json | jq .verdict
  dyverse replay driven.json --model interception.drbt --input u1=push.csv

Every transition must be an edge of the model's automaton, by the rule it names; its guard must hold before it, its reset give the state after it; the motion \
in between must obey the equations and the domain of its location. Nothing of the simulator is used. A comparison may be off by a hundred of the model's \
tolerances, a motion by --precision. docs/SIMULATING.md says what is judged.

Exit codes: 0 accepted; 10 refused: the trace is no run of the model; 20 nothing is wrong, but a part could not be judged; 2 wrong file or call; 3 output could \
not be written.")]
pub(crate) struct Replay {
    /// The trace: a .json file that `dyverse simulate --output` wrote
    pub(crate) trace: PathBuf,
    /// The model (.drbt) that it is to be a run of
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// What drove an input in the run: a number, values from times on (u=0:1,0.5:-1), or a table of times and values
    #[arg(long, value_name = "NAME=VALUE|T:VALUE,…|FILE.csv")]
    pub(crate) input: Vec<String>,
    /// What a motion may differ by, relative to the size of what is compared
    #[arg(long, value_name = "P", default_value_t = 1e-6, allow_negative_numbers = true)]
    pub(crate) precision: f64,
    /// What is said about it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse check interception.drbt                                 every property, every parameter in its range
  dyverse check interception.drbt --property kept --set K=[2,3]   one of them, on a smaller range
  dyverse check interception.drbt --set ball1.x=[-0.01,0.01]      an initial value that is not known exactly
  dyverse check interception.drbt --set K=[2,3] --proof kept.proof
  dyverse check interception.drbt --verify-proof kept.proof       checked again, by other code
  dyverse check interception.drbt --partition K --width 1e-4      for which K does it hold?
  dyverse check bouncing_ball.drbt --partition e,h --width 0.01 --output map.svg
  dyverse check actors/thermostat.dam --timeout 600 --format json

UNSAFE comes with values that break the property, and with the call of `simulate` that replays them. SAFE means proved: no parameter in range \
and no initial value breaks it; --proof writes the evidence. UNKNOWN says what is left and why. docs/CHECKING.md says what is meant exactly.

Ctrl-C ends it with what was decided so far; a second one at once.

Exit codes: 0 SAFE; 10 UNSAFE; 20 UNKNOWN; of several properties the worst (10, then 20); 2 wrong file or call; 3 output could not be \
written; 130 and 143 ended by Ctrl-C and by SIGTERM before all was decided. --verify-proof: 0 accepted, 20 rejected.")]
pub(crate) struct Check {
    /// The model (.drbt, or .dam for actors); - reads one of either language from standard input, told by its first word, `system` or `model`, else by what it can be read as
    pub(crate) file: PathBuf,
    /// A property, once for each; all of the model's if left out
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Vec<String>,
    /// A value or range of a parameter, or of an initial value such as ball.x, other than the model's
    #[arg(long, value_name = "NAME=VALUE|NAME=[A,B]")]
    pub(crate) set: Vec<String>,
    /// Split the range of a parameter, or of two, into safe, unsafe and undecided
    #[arg(long, value_name = "NAME[,NAME]", requires = "width")]
    pub(crate) partition: Option<String>,
    /// What may stay undecided of a partition
    #[arg(long, value_name = "W", requires = "partition", allow_negative_numbers = true)]
    pub(crate) width: Option<f64>,
    /// Stop after this time, s; 60 if left out, `inf` for no limit. What was decided is kept. Properties share it
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// Threads; as many as the machine has cores if left out. They do not change the answer
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// For everything random in the search
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Simulations at the most, for each property
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) budget: usize,
    /// Boxes at the most, for each property
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) boxes: usize,
    /// Write the proof of a SAFE property to this file
    #[arg(long, value_name = "FILE", conflicts_with = "partition")]
    pub(crate) proof: Option<PathBuf>,
    /// What inputs with a range are: any signal in it, of which nothing is proved yet; or their default values only
    #[arg(long, value_enum, value_name = "any|default", default_value = "any")]
    pub(crate) inputs: Inputs,
    /// Check a proof instead of searching for one, once for each property; the question is that of the model, --set and --inputs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["partition", "proof"])]
    pub(crate) verify_proof: Vec<PathBuf>,
    /// Also say what it took
    #[arg(long)]
    pub(crate) stats: bool,
    /// What is printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Write the answer to this file: .html is a page to look at, .json; .svg and .png draw a partition. A pipe or a device without an ending is given JSON
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What inputs with a range are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Inputs {
    /// Any signal in the range
    Any,
    /// Their default values: a narrower question
    Default,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse studio                        the models of this folder
  dyverse studio examples --no-open     prints the address only
  dyverse studio --port 8080            always at the same port

The page has an editor that marks what is wrong, sliders for parameters, runs and checks with progress, and everything that `dyverse view` \
shows. It is served to this machine only, and only to who has the address with its token; nothing outside DIR is read or written. \
docs/STUDIO.md says more.

Exit codes: 0 closed with Ctrl-C or SIGTERM; 2 no such folder, or the port is taken.")]
pub(crate) struct Studio {
    /// The folder with the models
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    /// The port on 127.0.0.1; one that is free if left out
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address, start no browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Run FMUs that models name: code of others, which can do whatever you can
    #[arg(long)]
    pub(crate) allow_fmu: bool,
}

/// What a model is turned into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// A functional mock-up unit: a block for Simulink, OpenModelica, Dymola and others
    Fmu,
    /// C99: a source, a header, a program and a Makefile (docs/C_EXPORT.md)
    C,
    /// For dReach: a .drh file (docs/OTHER_CHECKERS.md)
    Dreach,
    /// For SpaceEx: an XML model and its .cfg (docs/OTHER_CHECKERS.md)
    Spaceex,
    /// The automaton, for programs (docs/AUTOMATON_FORMAT.md); of an actor model its modes
    Json,
    /// The automaton, for Graphviz; of an actor model its modes
    Dot,
}

/// A version of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FmiVersion {
    /// FMI 2.0
    #[value(name = "2")]
    Two,
    /// FMI 3.0
    #[value(name = "3")]
    Three,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse export interception.drbt --to fmu                        interception.fmu, FMI 3.0, for model exchange and co-simulation
  dyverse export interception.drbt --to fmu --fmi 2 -o game.fmu    the same for tools that know FMI 2.0
  dyverse export actors/thermostat.dam --to fmu
  dyverse export interception.drbt --to c -o game                  the folder game with interception.c, .h and a Makefile
  dyverse export interception.drbt --to dreach --property kept -o game.drh
  dyverse export actors/thermostat.dam --to spaceex -o thermostat.xml
  dyverse export interception.drbt --to dot | dot -Tsvg > game.svg

An FMU holds the model's text and a library that runs it; nothing is compiled. docs/FMU.md says what its variables are.")]
pub(crate) struct Export {
    /// The model (.drbt, or .dam for actors)
    pub(crate) file: PathBuf,
    /// What to turn it into
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) to: Target,
    /// The version of FMI
    #[arg(long, value_enum, default_value = "3")]
    pub(crate) fmi: FmiVersion,
    /// The library to put into an FMU, if it is not beside this command
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Option<PathBuf>,
    /// The property that a file for another checker asks about; it asks nothing if left out
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// A value or range of a parameter or initial value in a file for another checker
    #[arg(long, value_name = "NAME=VALUE|NAME=[A,B]")]
    pub(crate) set: Vec<String>,
    /// Bounds of a state in a file for dReach; 1000 either way if left out
    #[arg(long, value_name = "NAME=[A,B]")]
    pub(crate) bound: Vec<String>,
    /// Fix parameters that stand in the way of SpaceEx at their nominal values
    #[arg(long)]
    pub(crate) nominal: bool,
    /// Locations of a file for another checker at the most
    #[arg(long, value_name = "N", default_value_t = 4000)]
    pub(crate) max_locations: usize,
    /// Write to this file. Left out: the model's name with .fmu, .xml for SpaceEx, a folder of that name for C; else standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What is said about it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse fmt game.drbt            formats the file in place
  dyverse fmt --check *.drbt       exit code 1 if a file would change
  dyverse fmt - < game.drbt        formats standard input to standard output")]
pub(crate) struct Fmt {
    /// Model files; - formats standard input to standard output
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if a file would change
    #[arg(long)]
    pub(crate) check: bool,
    /// What is said about each file
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  dyverse new game                 writes game.drbt, a ball that bounces on a floor
  dyverse new game.dam             writes game.dam, the same as an actor model")]
pub(crate) struct New {
    /// The system's name: letters, digits and _; the file is NAME.drbt, or NAME.dam if written so
    pub(crate) name: String,
    /// Replace the file if there is one
    #[arg(long)]
    pub(crate) force: bool,
    /// What is said about it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse examples                          lists them
  dyverse examples interception             prints one
  dyverse examples --write examples         writes all to a folder")]
pub(crate) struct Examples {
    /// Print this one
    pub(crate) name: Option<String>,
    /// Write them (or the named one) to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long, requires = "write")]
    pub(crate) force: bool,
    /// How to list them
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  dyverse explain L017
  dyverse explain                  lists all codes")]
pub(crate) struct Explain {
    /// The code, such as L017; without one, all are listed
    pub(crate) code: Option<String>,
    /// How to show it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  dyverse demo game                writes game/interception.drbt and game/interception.html")]
pub(crate) struct Demo {
    /// Where the model and its page are written
    #[arg(default_value = "dyverse-demo", value_name = "DIR")]
    pub(crate) folder: PathBuf,
}
