//! The head of the text: what there is before any location, and what the symbols mean.

use super::{Lines, TextOptions};
use crate::count::size_lines;
use crate::part::Part;
use crate::subject::{Subject, graph_word};
use dyverse_machine::{Contact, ContactSet, GraphKind};
use dyverse_model::{ContactLaw, Entity, EntityId, ImpactLaw, Initial, InitialState, Mass, ParameterKind};
use std::io;

/// What the symbols mean, in the order in which a reader meets them.
const SYMBOLS: &[[&str; 2]] = &[
    [
        "V_k, I_k, N_k",
        "a vertex of the contact combination graph, its closed contacts, their number",
    ],
    [
        "Π_k",
        "the contacts of all vertices joined to V_k: those that may close next",
    ],
    [
        "S_0; s_k,i",
        "dynamical locations: nothing touches; I_k closed, with the i-th assignment of modes",
    ],
    [
        "I_k; C_k",
        "computation nodes (I in script in the papers): impulses of an impact; forces of sustained contact",
    ],
    [
        "en, 1 … 4 N_k + 1, ex",
        "the locations inside a node: entrance, steps of SORPROX, exit",
    ],
    [
        "I_st, I_tr, I_sl",
        "the contacts that stick, are in transition (trans), slip",
    ],
    [
        "q, u; x",
        "positions and orientations, velocities; the state x = (q, u)",
    ],
    ["g_N, ġ_N", "gap of a contact (m), its rate (m/s)"],
    [
        "ġ_T, g̈_T",
        "tangential velocity and acceleration at a contact, two components each",
    ],
    [
        "λ_N, λ_T; Λ_N, Λ_T",
        "normal and tangential forces (N); impulses (N s)",
    ],
    [
        "μ_n; e_N, e_T",
        "friction coefficient; normal and tangential restitution",
    ],
    [
        "M, h",
        "mass matrix; applied forces and moments with the gyroscopic term −ω × (I ω)",
    ],
    [
        "W_N, W_T",
        "columns from contact forces to generalised forces: ġ_N = W_Nᵀ u, ġ_T = W_Tᵀ u",
    ],
    ["W_st", "W_T of the contacts that stick"],
    [
        "W_sl, W_tr",
        "columns −μ_n W_T,n ġ_T,n/|ġ_T,n| of those that slip, with g̈_T for those in trans",
    ],
    [
        "w_aN, w_aT",
        "the part of the contacts' accelerations that does not depend on u̇",
    ],
    [
        "Φ_N, Φ_T; Δ; ε",
        "SORPROX: estimates of the forces; change in the last sweep; tolerance of forces",
    ],
];

pub(super) fn write(lines: &mut Lines<'_>, subject: Subject<'_>, options: &TextOptions) -> io::Result<()> {
    lines.line("MRB hybrid automaton H = (S, E, X, Dom, F, Init, G, R)")?;
    lines.line(&format!("system {}", subject.model().name()))?;
    entities(lines, subject)?;
    contacts(lines, subject)?;
    graph(lines, subject, options)?;
    lines.heading("Size")?;
    match subject.automaton().size() {
        Ok(size) => size_lines(&size)
            .iter()
            .try_for_each(|line| lines.line(&format!("  {line}")))?,
        Err(error) => lines.line(&format!("  not known: {error}"))?,
    }
    parameters(lines, subject)?;
    loads(lines, subject)?;
    initial(lines, subject)?;
    lines.heading("Symbols")?;
    lines.table(
        &SYMBOLS
            .iter()
            .map(|row| row.map(str::to_owned))
            .collect::<Vec<_>>(),
    )
}

fn entities(lines: &mut Lines<'_>, subject: Subject<'_>) -> io::Result<()> {
    let model = subject.model();
    lines.heading("Entities")?;
    let row = |entity: &Entity| {
        let kind = if entity.is_fixed { "fixed" } else { "free" };
        let mass = match entity.mass {
            Mass::Given(mass) => format!("mass {}", model.text(mass)),
            Mass::Density(density) => format!("density {}", model.text(density)),
            Mass::Immovable => String::new(),
        };
        [entity.name.clone(), kind.to_owned(), mass]
    };
    lines.table(&model.entities().iter().map(row).collect::<Vec<_>>())
}

fn contacts(lines: &mut Lines<'_>, subject: Subject<'_>) -> io::Result<()> {
    let model = subject.model();
    let contacts = subject.automaton().contacts();
    lines.heading(&format!("Contact list I, P = {}", contacts.len()))?;
    if contacts.is_empty() {
        lines.line("  nothing can touch")?;
    }
    let row = |((_, contact), law): ((_, &Contact), &ContactLaw)| {
        let (first, second) = contact.entities();
        let couples = law.couples().into_iter().zip(["ρ_r", "ρ_s"]);
        let couples = couples.map(|((_, node), name)| (name, model.text(node)));
        let couples: String = couples
            .filter(|(_, text)| text != "0")
            .map(|(name, text)| format!("  {name} = {text}"))
            .collect();
        [
            contact.label().to_owned(),
            format!("{first}, {second}"),
            format!("e_N = {}", model.text(law.restitution)),
            format!("e_T = {}", model.text(law.tangential_restitution)),
            match law.impact {
                ImpactLaw::Newton => format!("μ = {}{couples}", model.text(law.friction)),
                other => format!(
                    "μ = {}{couples}, law = {}",
                    model.text(law.friction),
                    other.text()
                ),
            },
        ]
    };
    lines.table(&contacts.iter().zip(subject.laws()).map(row).collect::<Vec<_>>())
}

fn graph(lines: &mut Lines<'_>, subject: Subject<'_>, options: &TextOptions) -> io::Result<()> {
    let graph = subject.automaton().graph();
    let joined = match graph.kind() {
        GraphKind::Complete => "every two different vertices are joined",
        GraphKind::Subset => "two vertices are joined where one combination contains the other",
    };
    lines.heading(&format!(
        "Contact combination graph: {}, {joined}",
        graph_word(graph.kind())
    ))?;
    let notation = subject.automaton().notation();
    if !graph.obstructions().is_empty() {
        let sets: Vec<String> = graph.obstructions().iter().map(|set| notation.set(set)).collect();
        lines.line(&format!(
            "  left out, as geometry rules them out: all that contain {}",
            sets.join(" or ")
        ))?;
    }
    let closed = match &options.only {
        None => {
            let mut vertices = graph.vertices();
            return vertices.try_for_each(|vertex| vertex_line(lines, subject, &vertex));
        }
        Some(Part::Location(location)) => location.closed(),
        Some(Part::Node(node)) => node.closed(),
    };
    vertex_line(lines, subject, closed)
}

fn vertex_line(lines: &mut Lines<'_>, subject: Subject<'_>, closed: &ContactSet) -> io::Result<()> {
    let k = subject.automaton().graph().index(closed).unwrap_or_default();
    let set = subject.automaton().notation().set(closed);
    lines.line(&format!("  V_{k}  N_{k} = {}  I_{k} = {set}", closed.len()))
}

fn parameters(lines: &mut Lines<'_>, subject: Subject<'_>) -> io::Result<()> {
    let model = subject.model();
    if model.parameters().is_empty() && model.inputs().is_empty() {
        return Ok(());
    }
    lines.heading("Parameters and inputs")?;
    for parameter in model.parameters() {
        let name = &parameter.name;
        lines.line(&match parameter.kind {
            ParameterKind::Fixed(value) => format!("  {name} = {}", model.text(value)),
            ParameterKind::Range { lower, upper, .. } => {
                format!("  {name} in [{}, {}]", model.text(lower), model.text(upper))
            }
        })?;
    }
    for input in model.inputs() {
        let range = input.range.map_or_else(String::new, |(lower, upper)| {
            format!(" in [{}, {}]", model.text(lower), model.text(upper))
        });
        lines.line(&format!("  input {}{range}", input.name))?;
    }
    Ok(())
}

fn loads(lines: &mut Lines<'_>, subject: Subject<'_>) -> io::Result<()> {
    lines.heading("Loads h: force through the centre of mass (N), moment about it (N m), world frame")?;
    let row = |(id, entity): (usize, &Entity)| {
        let (force, moment) = subject.loads(EntityId(id));
        [
            entity.name.clone(),
            format!("({})", force.join(", ")),
            format!("({})", moment.join(", ")),
        ]
    };
    let free = subject
        .model()
        .entities()
        .iter()
        .enumerate()
        .filter(|(_, entity)| !entity.is_fixed);
    lines.table(&free.map(row).collect::<Vec<_>>())
}

fn initial(lines: &mut Lines<'_>, subject: Subject<'_>) -> io::Result<()> {
    let model = subject.model();
    let component = |value: Initial| match value {
        Initial::Value(value) => model.text(value),
        Initial::Range(lower, upper) => format!("[{}, {}]", model.text(lower), model.text(upper)),
    };
    let vector = |parts: [Initial; 3]| format!("({})", parts.map(component).join(", "));
    lines.heading(
        "Init: position (m), velocity (m/s), angular velocity (rad/s); the location is the one that fits",
    )?;
    let row = |entity: &Entity| {
        let InitialState {
            position: c,
            velocity: v,
            angular_velocity: w,
            ..
        } = &entity.initial;
        let name = entity.name.clone();
        [
            name,
            vector([c.x, c.y, c.z]),
            vector([v.x, v.y, v.z]),
            vector([w.x, w.y, w.z]),
        ]
    };
    lines.table(&model.entities().iter().map(row).collect::<Vec<_>>())
}
