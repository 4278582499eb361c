//! Guards, domains, resets and vector fields, against formulas written by hand from SPEC §2–§4.
#![allow(clippy::unwrap_used, reason = "tests")]

use dyverse_machine::{
    BigUint, ComputationNode, ContactId, ContactList, ContactSet, GraphKind, HybridAutomaton, NodeKind,
};

fn automaton(entities: &[&str], kind: GraphKind) -> HybridAutomaton {
    HybridAutomaton::new(ContactList::of_all_pairs(entities), kind, Vec::new()).unwrap()
}

/// The guard of the edge with this text, which must occur once.
fn guard(automaton: &HybridAutomaton, edge: &str) -> String {
    let notation = automaton.notation();
    let found: Vec<_> = automaton
        .edges()
        .filter(|candidate| notation.edge(candidate) == edge)
        .collect();
    assert_eq!(found.len(), 1, "{edge}");
    assert_eq!(notation.reset(&automaton.reset(&found[0])), "x := x", "{edge}");
    notation.condition(&automaton.guard(&found[0]))
}

fn check_guards(automaton: &HybridAutomaton, expected: &[(&str, &str)]) {
    for (edge, text) in expected {
        assert_eq!(guard(automaton, edge), *text, "{edge}");
    }
}

/// Rule 6b: the only contact is closed, and strikes again.
const STRUCK: &str = "(∀n∈{ab}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0) ∧ (∃n∈{ab}: ġ_N,n < 0)";

/// One contact: Π_0 = {ab}, and Π_1 is empty, since V_0 is the only neighbour of V_1.
#[test]
fn every_guard_of_two_balls() {
    let two_balls = automaton(&["a", "b"], GraphKind::Complete);
    let expected = [
        ("S_0 → I_1,en", "∀n∈{ab}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0"),
        (
            "s_1,1 → C_1,en",
            "(∀n∈{ab}: λ_N,n ≥ 0) ∧ (∃n∈{ab}: |λ_T,n| > μ_n λ_N,n)",
        ),
        ("s_1,3 → C_1,en", "(∀n∈{ab}: λ_N,n ≥ 0) ∧ (∃n∈{ab}: ġ_T,n = 0)"),
        ("s_1,2 → s_1,3", "(∀n∈{ab}: |ġ_T,n| > 0) ∧ (∀n∈{ab}: λ_N,n ≥ 0)"),
        ("s_1,1 → I_1,en", STRUCK),
        ("s_1,2 → I_1,en", STRUCK),
        ("s_1,3 → I_1,en", STRUCK),
        ("s_1,1 → S_0", "∀n∈{ab}: λ_N,n < 0"),
        ("s_1,2 → S_0", "∀n∈{ab}: λ_N,n < 0"),
        ("s_1,3 → S_0", "∀n∈{ab}: λ_N,n < 0"),
        ("I_1,ex → C_1,en", "∀n∈{ab}: ġ_N,n = 0"),
        ("I_1,ex → S_0", "∀n∈{ab}: ġ_N,n > 0"),
        ("C_1,ex → s_1,1", "∀n∈{ab}: g̈_T,n = 0 ∧ ġ_T,n = 0"),
        ("C_1,ex → s_1,2", "∀n∈{ab}: g̈_T,n ≠ 0 ∧ ġ_T,n = 0"),
        ("C_1,ex → s_1,3", "∀n∈{ab}: |ġ_T,n| > 0"),
    ];
    check_guards(&two_balls, &expected);
    assert_eq!(two_balls.edges().count(), expected.len());
}

/// Vertices by Table 1 of 001: 1 {ab}, 2 {ac}, 3 {bc}, 4 {ab, ac}, 5 {ac, bc}, 6 {ab, bc}, 7 all.
#[test]
fn guards_of_three_balls_by_rule() {
    let three_balls = automaton(&["a", "b", "c"], GraphKind::Complete);
    check_guards(
        &three_balls,
        &[
            // 1
            ("I_6,ex → C_6,en", "∀n∈{ab, bc}: ġ_N,n = 0"),
            ("I_7,ex → C_7,en", "∀n∈{ab, ac, bc}: ġ_N,n = 0"),
            // 2: in the complete graph also to a vertex that is no subset
            ("I_6,ex → C_1,en", "(∀n∈{ab}: ġ_N,n = 0) ∧ (∀n∈{bc}: ġ_N,n > 0)"),
            (
                "I_6,ex → C_2,en",
                "(∀n∈{ac}: ġ_N,n = 0) ∧ (∀n∈{ab, bc}: ġ_N,n > 0)",
            ),
            (
                "I_7,ex → C_4,en",
                "(∀n∈{ab, ac}: ġ_N,n = 0) ∧ (∀n∈{bc}: ġ_N,n > 0)",
            ),
            // 3
            (
                "s_6,3 → C_6,en",
                "(∀n∈{ab, bc}: λ_N,n ≥ 0) ∧ (∀n∈{ac}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ \
                 ((∃n∈{ab}: |λ_T,n| > μ_n λ_N,n) ∨ (∃n∈{bc}: ġ_T,n = 0))",
            ),
            (
                "s_1,1 → C_1,en",
                "(∀n∈{ab}: λ_N,n ≥ 0) ∧ (∀n∈{ac, bc}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ \
                 (∃n∈{ab}: |λ_T,n| > μ_n λ_N,n)",
            ),
            (
                "s_7,1 → C_7,en",
                "(∀n∈{ab, ac, bc}: λ_N,n ≥ 0) ∧ (∃n∈{ab, ac, bc}: |λ_T,n| > μ_n λ_N,n)",
            ),
            // 4 and 4b
            (
                "C_6,ex → s_6,2",
                "(∀n∈{ab}: g̈_T,n = 0 ∧ ġ_T,n = 0) ∧ (∀n∈{bc}: g̈_T,n ≠ 0 ∧ ġ_T,n = 0)",
            ),
            (
                "C_6,ex → s_6,6",
                "(∀n∈{ab}: g̈_T,n ≠ 0 ∧ ġ_T,n = 0) ∧ (∀n∈{bc}: |ġ_T,n| > 0)",
            ),
            ("C_6,ex → s_6,9", "∀n∈{ab, bc}: |ġ_T,n| > 0"),
            // 5
            (
                "s_6,4 → s_6,7",
                "(∀n∈{ab}: |ġ_T,n| > 0) ∧ (∀n∈{ac}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ (∀n∈{ab, bc}: λ_N,n ≥ 0)",
            ),
            (
                "s_6,5 → s_6,9",
                "(∀n∈{ab, bc}: |ġ_T,n| > 0) ∧ (∀n∈{ac}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ (∀n∈{ab, bc}: λ_N,n ≥ 0)",
            ),
            // 6
            (
                "s_1,1 → I_6,en",
                "(∀n∈{ab, bc}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0) ∧ (∀n∈{ac}: g_N,n > 0 ∨ ġ_N,n > 0)",
            ),
            (
                "s_1,1 → I_5,en",
                "(∀n∈{ac, bc}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0) ∧ (∀n∈{ab}: g_N,n > 0 ∨ ġ_N,n > 0)",
            ),
            ("s_4,8 → I_7,en", "∀n∈{ab, ac, bc}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0"),
            // 6b
            (
                "s_1,1 → I_1,en",
                "(∀n∈{ab}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0) ∧ (∀n∈{ac, bc}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ (∃n∈{ab}: ġ_N,n < 0)",
            ),
            // 7
            ("s_6,2 → C_3,en", "(∀n∈{bc}: λ_N,n ≥ 0) ∧ (∀n∈{ab}: λ_N,n < 0)"),
            (
                "s_7,27 → C_5,en",
                "(∀n∈{ac, bc}: λ_N,n ≥ 0) ∧ (∀n∈{ab}: λ_N,n < 0)",
            ),
            // 8
            ("I_5,ex → S_0", "∀n∈{ac, bc}: ġ_N,n > 0"),
            (
                "S_0 → I_2,en",
                "(∀n∈{ac}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0) ∧ (∀n∈{ab, bc}: g_N,n > 0 ∨ ġ_N,n > 0)",
            ),
            ("S_0 → I_7,en", "∀n∈{ab, ac, bc}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0"),
            ("s_4,8 → S_0", "∀n∈{ab, ac}: λ_N,n < 0"),
        ],
    );
}

/// An obstruction {ab, bc} keeps bc out of Π_1 in the subset graph, where it can never close next to ab.
#[test]
fn obstructions_leave_contacts_out_of_guards() {
    let obstruction: ContactSet = [0, 2].map(ContactId::new).into_iter().collect();
    let list = ContactList::of_all_pairs(&["a", "b", "c"]);
    let subset = HybridAutomaton::new(list, GraphKind::Subset, vec![obstruction]).unwrap();
    check_guards(
        &subset,
        &[
            ("s_1,1 → I_4,en", "∀n∈{ab, ac}: g_N,n ≤ 0 ∧ ġ_N,n ≤ 0"),
            (
                "s_1,3 → C_1,en",
                "(∀n∈{ab}: λ_N,n ≥ 0) ∧ (∀n∈{ac}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ (∃n∈{ab}: ġ_T,n = 0)",
            ),
        ],
    );
}

#[test]
fn domains_and_vector_fields_of_three_balls() {
    let three_balls = automaton(&["a", "b", "c"], GraphKind::Complete);
    let notation = three_balls.notation();
    let expected = [
        (0, 1, "∀n∈{ab, ac, bc}: g_N,n > 0 ∨ ġ_N,n > 0", "M u̇ = h", None),
        (
            1,
            1,
            "(∀n∈{ab}: λ_N,n ≥ 0) ∧ (∀n∈{ac, bc}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ \
             (∀n∈{ab}: ġ_T,n = 0 ∧ |λ_T,n| ≤ μ_n λ_N,n)",
            "M u̇ = h + W_N λ_N + W_st λ_T",
            Some("[W_Nᵀ; W_stᵀ] M⁻¹ (h + W_N λ_N + W_st λ_T) + [w_aN; w_aT] = 0"),
        ),
        (
            6,
            6,
            "(∀n∈{ab, bc}: λ_N,n ≥ 0) ∧ (∀n∈{ac}: g_N,n > 0 ∨ ġ_N,n > 0) ∧ \
             (∀n∈{ab}: ġ_T,n = 0 ∧ g̈_T,n ≠ 0) ∧ (∀n∈{bc}: |ġ_T,n| > 0)",
            "M u̇ = h + (W_N + W_sl + W_tr) λ_N",
            Some("W_Nᵀ M⁻¹ (h + (W_N + W_sl + W_tr) λ_N) + w_aN = 0"),
        ),
        (
            7,
            6, // stick, trans, slip
            "(∀n∈{ab, ac, bc}: λ_N,n ≥ 0) ∧ (∀n∈{ab}: ġ_T,n = 0 ∧ |λ_T,n| ≤ μ_n λ_N,n) ∧ \
             (∀n∈{ac}: ġ_T,n = 0 ∧ g̈_T,n ≠ 0) ∧ (∀n∈{bc}: |ġ_T,n| > 0)",
            "M u̇ = h + (W_N + W_sl + W_tr) λ_N + W_st λ_T",
            Some("[W_Nᵀ; W_stᵀ] M⁻¹ (h + (W_N + W_sl + W_tr) λ_N + W_st λ_T) + [w_aN; w_aT] = 0"),
        ),
    ];
    for (k, i, domain, field, system) in expected {
        let location = three_balls
            .location(&BigUint::from(k as u32), &BigUint::from(i as u32))
            .unwrap();
        assert_eq!(
            notation.condition(&three_balls.domain(&location)),
            domain,
            "s_{k},{i}"
        );
        let vector_field = three_balls.vector_field(&location);
        assert_eq!(notation.vector_field(&vector_field), field, "s_{k},{i}");
        assert_eq!(
            notation.force_system(&vector_field).as_deref(),
            system,
            "s_{k},{i}"
        );
        assert_eq!(
            vector_field.unknowns(),
            location.closed().len() + 2 * location.stick().len()
        );
    }
}

/// The inside of I_6 and C_1, line by line as in SPEC §3 and §4.
#[test]
fn inner_edges_in_the_papers_notation() {
    let three_balls = automaton(&["a", "b", "c"], GraphKind::Complete);
    let inside = |k: u32, kind: NodeKind| -> Vec<String> {
        let node = ComputationNode::new(kind, three_balls.graph().vertex(&k.into()).unwrap()).unwrap();
        let notation = three_balls.notation().inside(kind);
        let line = |edge: dyverse_machine::InnerEdge| {
            let (from, to) = (
                notation.inner_location(&node, edge.from()),
                notation.inner_location(&node, edge.to()),
            );
            format!(
                "{from} → {to} | {} | {}",
                notation.condition(edge.guard()),
                notation.reset(edge.reset())
            )
        };
        node.inner_edges().map(line).collect()
    };
    let contact = [
        "C_1,en → C_1,1 | true | ∀n∈{ab}: λ_N,n := 0, λ_T,n := 0",
        "C_1,1 → C_1,2 | ∀n∈{ab}: Φ_N,n ≥ 0 | λ_N,ab := Φ_N,ab",
        "C_1,1 → C_1,2 | ∀n∈{ab}: Φ_N,n < 0 | λ_N,ab := 0",
        "C_1,2 → C_1,3 | ∀n∈{ab}: |Φ_T,n| ≤ μ_n λ_N,n | λ_T,ab := Φ_T,ab",
        "C_1,2 → C_1,3 | ∀n∈{ab}: |Φ_T,n| > μ_n λ_N,n | λ_T,ab := μ_ab λ_N,ab Φ_T,ab/|Φ_T,ab|",
        "C_1,3 → C_1,4 | ∀n∈{ab}: |Δλ_N,n| < ε | x := x",
        "C_1,3 → C_1,1 | ∀n∈{ab}: |Δλ_N,n| ≥ ε | x := x",
        "C_1,4 → C_1,5 | ∀n∈{ab}: |Δλ_T,n| < ε | x := x",
        "C_1,4 → C_1,1 | ∀n∈{ab}: |Δλ_T,n| ≥ ε | x := x",
        "C_1,5 → C_1,ex | true | u̇ := M⁻¹ (h + W_N λ_N + W_T λ_T) over {ab}",
    ];
    assert_eq!(inside(1, NodeKind::Contact), contact);
    let impact = inside(6, NodeKind::Impact);
    assert_eq!(impact.len(), 18);
    assert_eq!(impact[3], "I_6,2 → I_6,3 | ∀n∈{bc}: Φ_N,n ≥ 0 | Λ_N,bc := Φ_N,bc");
    assert_eq!(
        impact[6],
        "I_6,3 → I_6,4 | ∀n∈{ab}: |Φ_T,n| > μ_n Λ_N,n | Λ_T,ab := μ_ab Λ_N,ab Φ_T,ab/|Φ_T,ab|"
    );
    assert_eq!(impact[12], "I_6,6 → I_6,1 | ∀n∈{bc}: |ΔΛ_N,n| ≥ ε | x := x");
    assert_eq!(
        impact[17],
        "I_6,9 → I_6,ex | true | u := u + M⁻¹ (W_N Λ_N + W_T Λ_T) over {ab, bc}"
    );
}
