//! The automaton against an independent one: names and edges written straight from SPEC §3, on plain sets of
//! numbers, with every pair of vertices and every pair of modes tried.
#![allow(clippy::unwrap_used, reason = "tests")]

use dyverse_machine::{
    BuildError, BuildLimit, Contact, ContactId, ContactList, ContactSet, EagerAutomaton, GraphKind,
    HybridAutomaton, Location, Rule,
};
use std::collections::{BTreeMap, BTreeSet};

type Set = BTreeSet<u32>;

const KINDS: [GraphKind; 2] = [GraphKind::Complete, GraphKind::Subset];

fn automaton(contacts: u32, kind: GraphKind, obstructions: &[Set]) -> HybridAutomaton {
    let list = ContactList::new(
        (0..contacts)
            .map(|c| Contact::new(format!("c{c}"), "x", "y"))
            .collect(),
    );
    let obstructions = obstructions
        .iter()
        .map(|set| set.iter().copied().map(ContactId::new).collect());
    HybridAutomaton::new(list, kind, obstructions.collect()).unwrap()
}

/// The revolving-door list of the t-subsets of 0 … n−1, by its recursion.
fn revolving_door(n: u32, t: u32) -> Vec<Set> {
    if t == 0 {
        return vec![Set::new()];
    }
    if t > n {
        return vec![];
    }
    let mut list = revolving_door(n - 1, t);
    for mut set in revolving_door(n - 1, t - 1).into_iter().rev() {
        set.insert(n - 1);
        list.push(set);
    }
    list
}

/// All mode strings over `size` contacts, in the order of the location numbers: k = stick, t = trans, l = slip.
fn mode_strings(size: usize) -> Vec<String> {
    (0..size).fold(vec![String::new()], |shorter, _| {
        shorter
            .iter()
            .flat_map(|modes| ["k", "t", "l"].map(|mode| format!("{modes}{mode}")))
            .collect()
    })
}

/// Every edge as (from, to, rule number), by trying every pair the rules speak of.
fn naive_edges(contacts: u32, kind: GraphKind, obstructions: &[Set]) -> Vec<(String, String, String)> {
    let all: Vec<Set> = (0..=contacts).flat_map(|t| revolving_door(contacts, t)).collect();
    let vertices: Vec<(usize, &Set)> = all
        .iter()
        .enumerate()
        .filter(|(_, set)| !obstructions.iter().any(|obstruction| obstruction.is_subset(set)))
        .collect();
    let in_graph = |a: &Set, b: &Set| match kind {
        GraphKind::Complete => a != b,
        GraphKind::Subset => a != b && (a.is_subset(b) || b.is_subset(a)),
    };
    let name = |k: usize, i: usize| {
        if k == 0 {
            "S_0".to_owned()
        } else {
            format!("s_{k},{i}")
        }
    };
    let mut edges = Vec::new();
    let mut add = |from: String, to: String, rule: &str| edges.push((from, to, rule.to_owned()));
    for &(k, i_k) in &vertices {
        let n_k = i_k.len();
        let modes: Vec<(usize, String)> = (1..).zip(mode_strings(n_k)).collect();
        if n_k > 0 {
            add(format!("I_{k},ex"), format!("C_{k},en"), "1");
            add(format!("I_{k},ex"), "S_0".to_owned(), "8");
            add("S_0".to_owned(), format!("I_{k},en"), "8");
            for (i, of_i) in &modes {
                let s = name(k, *i);
                if !of_i.contains('t') {
                    add(s.clone(), format!("C_{k},en"), "3");
                }
                let rule = if of_i.contains('k') || of_i.contains('t') {
                    "4"
                } else {
                    "4b"
                };
                add(format!("C_{k},ex"), s.clone(), rule);
                add(s.clone(), "S_0".to_owned(), "8");
                add(s.clone(), format!("I_{k},en"), "6b");
                for (j, of_j) in &modes {
                    let places = |text: &str, wanted: &str| -> BTreeSet<usize> {
                        text.chars()
                            .enumerate()
                            .filter(|(_, c)| wanted.contains(*c))
                            .map(|(at, _)| at)
                            .collect()
                    };
                    if of_i.contains('t')
                        && !of_j.contains('t')
                        && places(of_j, "l") == places(of_i, "tl")
                        && places(of_j, "k") == places(of_i, "k")
                    {
                        add(s.clone(), name(k, *j), "5");
                    }
                }
            }
        }
        for &(j, i_j) in &vertices {
            let n_j = i_j.len();
            if !in_graph(i_k, i_j) {
                continue;
            }
            if n_k > n_j && n_j > 0 {
                add(format!("I_{k},ex"), format!("C_{j},en"), "2");
            }
            for (i, _) in &modes {
                if n_k < n_j && n_k > 0 {
                    add(name(k, *i), format!("I_{j},en"), "6");
                }
                if n_k > n_j && n_j > 0 {
                    add(name(k, *i), format!("C_{j},en"), "7");
                }
            }
        }
    }
    edges.sort();
    edges
}

fn cases() -> Vec<(u32, GraphKind, Vec<Set>)> {
    let obstructed: [(u32, &[&[u32]]); 6] = [
        (1, &[&[0]]),
        (3, &[&[0, 1]]),
        (3, &[&[1], &[0, 2]]),
        (4, &[&[0, 1, 2], &[2, 3]]),
        (4, &[&[3], &[0, 1, 2, 3]]),
        (4, &[&[0, 1], &[0, 2], &[0, 3], &[1, 2], &[1, 3], &[2, 3]]),
    ];
    let plain = (0..=4).map(|contacts| (contacts, vec![]));
    let obstructed = obstructed.into_iter().map(|(contacts, sets)| {
        (
            contacts,
            sets.iter().map(|set| set.iter().copied().collect()).collect(),
        )
    });
    let all: Vec<(u32, Vec<Set>)> = plain.chain(obstructed).collect();
    KINDS
        .iter()
        .flat_map(|kind| all.iter().map(|(p, sets)| (*p, *kind, sets.clone())))
        .collect()
}

#[test]
fn lazy_and_eager_have_the_edges_of_the_naive_automaton() {
    for (contacts, kind, obstructions) in cases() {
        let case = format!("P = {contacts}, {kind:?}, {obstructions:?}");
        let automaton = automaton(contacts, kind, &obstructions);
        let notation = automaton.notation();
        let naive = naive_edges(contacts, kind, &obstructions);

        let mut lazy: Vec<_> = automaton
            .edges()
            .map(|edge| {
                (
                    notation.location(edge.from()),
                    notation.location(edge.to()),
                    edge.rule().number().to_owned(),
                )
            })
            .collect();
        lazy.sort();
        assert_eq!(lazy, naive, "{case}");
        lazy.dedup();
        assert_eq!(lazy.len(), naive.len(), "an edge comes twice: {case}");

        let eager = EagerAutomaton::build(&automaton, &BuildLimit::default()).unwrap();
        assert!(
            eager
                .edges()
                .iter()
                .map(|stored| stored.edge().clone())
                .eq(automaton.edges()),
            "{case}"
        );
    }
}

#[test]
fn closed_forms_count_the_naive_automaton() {
    for (contacts, kind, obstructions) in cases() {
        let case = format!("P = {contacts}, {kind:?}, {obstructions:?}");
        let automaton = automaton(contacts, kind, &obstructions);
        let size = automaton.size().unwrap();
        let naive = naive_edges(contacts, kind, &obstructions);
        let by_number = |number: &str| naive.iter().filter(|(_, _, rule)| rule == number).count();

        let mut by_closed_form: BTreeMap<&str, usize> = BTreeMap::new();
        for rule in Rule::ALL {
            *by_closed_form.entry(rule.number()).or_default() +=
                usize::try_from(size.edges_by_rule(rule)).unwrap();
        }
        for (number, count) in by_closed_form {
            assert_eq!(count, by_number(number), "rule {number}: {case}");
        }
        assert_eq!(
            usize::try_from(size.edges()).unwrap(),
            naive.len() - by_number("4b") - by_number("6b"),
            "{case}"
        );
        assert_eq!(
            usize::try_from(size.all_slip_edges()).unwrap(),
            by_number("4b"),
            "{case}"
        );
        assert_eq!(
            usize::try_from(size.struck_again_edges()).unwrap(),
            by_number("6b"),
            "{case}"
        );
        assert_eq!(usize::try_from(size.all_edges()).unwrap(), naive.len(), "{case}");

        let sources: BTreeSet<&str> = naive.iter().map(|(from, _, _)| from.as_str()).collect();
        let dynamical = sources.iter().filter(|name| name.starts_with('s')).count() + 1;
        assert_eq!(
            usize::try_from(size.dynamical_locations()).unwrap(),
            dynamical,
            "{case}"
        );
        let impact_nodes = sources.iter().filter(|name| name.starts_with('I')).count();
        assert_eq!(
            usize::try_from(size.impact_nodes()).unwrap(),
            impact_nodes,
            "{case}"
        );

        let vertices: Vec<ContactSet> = automaton.graph().vertices().collect();
        let pairs = vertices.iter().flat_map(|a| vertices.iter().map(move |b| (a, b)));
        let joined = pairs.filter(|(a, b)| automaton.graph().is_edge(a, b)).count();
        assert_eq!(usize::try_from(size.graph_edges()).unwrap() * 2, joined, "{case}");
    }
}

/// Asking for the edge between two locations agrees with listing out-edges, for every pair of locations.
#[test]
fn the_edge_between_two_locations_is_the_listed_one() {
    for (contacts, kind, obstructions) in cases().into_iter().filter(|(contacts, ..)| *contacts <= 3) {
        let automaton = automaton(contacts, kind, &obstructions);
        let locations: Vec<Location> = automaton.locations().collect();
        for from in &locations {
            let listed: BTreeMap<Location, Rule> = automaton
                .out_edges(from)
                .map(|edge| (edge.to().clone(), edge.rule()))
                .collect();
            for to in &locations {
                let asked = automaton.edge(from, to).map(|edge| edge.rule());
                assert_eq!(asked, listed.get(to).copied(), "{from:?} to {to:?}");
            }
        }
    }
}

#[test]
fn four_balls_are_the_same_lazily_and_eagerly() {
    let automaton = automaton(6, GraphKind::Complete, &[]);
    let eager = EagerAutomaton::build(&automaton, &BuildLimit::default()).unwrap();
    assert_eq!(eager.edges().len(), 231_284 + 63 + 4095);
    assert_eq!(eager.locations().len(), 4096);
    assert_eq!(eager.nodes().len(), 63 + 63);

    let mut lazy = automaton.edges();
    for stored in eager.edges() {
        assert_eq!(Some(stored.edge()), lazy.next().as_ref());
        assert_eq!(*stored.guard(), automaton.guard(stored.edge()));
        assert_eq!(*stored.reset(), automaton.reset(stored.edge()));
        let closes = matches!(stored.edge().rule(), Rule::R6 | Rule::R8b);
        assert!(!closes || !stored.edge().closing().is_empty());
    }
    assert_eq!(lazy.next(), None);

    for location in automaton.locations() {
        let stored = eager
            .out_edges(&location)
            .iter()
            .map(|stored| stored.edge().clone());
        assert!(stored.eq(automaton.out_edges(&location)), "{location:?}");
    }
    for stored in eager.locations() {
        let (k, i) = automaton.location_index(stored.location()).unwrap();
        assert_eq!(automaton.location(&k, &i).as_ref(), Some(stored.location()));
        assert_eq!(*stored.domain(), automaton.domain(stored.location()));
    }
}

#[test]
fn no_edge_of_four_balls_comes_twice() {
    let automaton = automaton(6, GraphKind::Complete, &[]);
    let pairs: BTreeSet<_> = automaton
        .edges()
        .map(|edge| (edge.from().clone(), edge.to().clone()))
        .collect();
    assert_eq!(pairs.len(), 231_284 + 63 + 4095);
}

#[test]
fn what_is_too_big_is_refused_with_its_size() {
    let five_balls = automaton(10, GraphKind::Complete, &[]);
    let error = EagerAutomaton::build(&five_balls, &BuildLimit::default()).unwrap_err();
    let BuildError::TooBig(too_big) = &error else {
        panic!("{error}")
    };
    assert_eq!(
        too_big.edges().to_string(),
        (977_904_912 + 1023 + 1_048_575).to_string()
    );
    assert_eq!(too_big.locations().to_string(), "1048576");
    assert!(too_big.estimated_bytes() > *too_big.edges());
    let text = "the automaton has 1048576 dynamical locations and 978954510 edges; the limit for building it in \
                memory is 2000000 edges";
    assert_eq!(error.to_string(), text);
    let two_balls = automaton(1, GraphKind::Complete, &[]);
    assert!(EagerAutomaton::build(&two_balls, &BuildLimit::edges(14)).is_err());
    assert_eq!(
        EagerAutomaton::build(&two_balls, &BuildLimit::edges(15))
            .unwrap()
            .edges()
            .len(),
        15
    );
}

/// Sixty balls: nothing is stored, so what is asked for comes at once.
#[test]
fn sixty_balls_answer_lazily() {
    for kind in KINDS {
        let automaton = automaton(1770, kind, &[]);
        let notation = automaton.notation();
        let free = automaton.locations().next().unwrap();
        let names: Vec<String> = automaton
            .out_edges(&free)
            .take(1772)
            .map(|edge| notation.edge(&edge))
            .collect();
        assert_eq!(names[0], "S_0 → I_1,en");
        assert_eq!(names[1769], "S_0 → I_1770,en");
        assert_eq!(names[1771], "S_0 → I_1772,en");

        let closed: ContactSet = (0..1770).step_by(3).map(ContactId::new).collect();
        let k = automaton.graph().index(&closed).unwrap();
        let i = 12_345_678_u32.into();
        let location = Location::Dynamical(automaton.location(&k, &i).unwrap());
        let rules: Vec<Rule> = automaton
            .out_edges(&location)
            .take(3)
            .map(|edge| edge.rule())
            .collect();
        assert_eq!(rules, [Rule::R5, Rule::R6b, Rule::R6]);
        assert!(automaton.size().unwrap().edges().bits() > 3500);
    }
}

#[test]
fn locations_outside_the_automaton_have_no_edges() {
    let automaton = automaton(2, GraphKind::Complete, &[Set::from([0, 1])]);
    let outside = Location::Dynamical(dyverse_machine::DynamicalLocation::all_stick(ContactSet::full(2)));
    assert!(!automaton.has_location(&outside));
    assert_eq!(automaton.out_edges(&outside).count(), 0);
}

/// `fold` is written apart from `next`; they must agree, also on a walk that has begun.
#[test]
fn folding_gives_the_edges_that_stepping_gives() {
    for (contacts, kind, obstructions) in cases() {
        let automaton = automaton(contacts, kind, &obstructions);
        let mut walk = automaton.edges();
        let stepped: Vec<_> = std::iter::from_fn(|| walk.next()).collect();
        for begun in [0, 1, 5, 12, 40] {
            let mut walk = automaton.edges();
            let taken = walk.by_ref().take(begun).count();
            let mut folded = Vec::new();
            walk.for_each(|edge| folded.push(edge));
            assert_eq!(
                folded,
                stepped[taken..],
                "P = {contacts}, {kind:?}, {obstructions:?}, {begun} taken"
            );
        }
    }
}
