//! The grammar of .drh files.

use super::expression::{Expression, Formula, Reader};
use super::system::{Edge, Location, System};
use std::collections::BTreeMap;

pub(crate) fn parse(text: &str) -> System {
    let mut reader = Reader::new(text);
    match file(&mut reader) {
        Ok(system) => {
            assert!(reader.is_at_end(), "text after the goal");
            system
        }
        Err(what) => panic!("{what}\n{text}"),
    }
}

fn file(reader: &mut Reader) -> Result<System, String> {
    let mut bounds = BTreeMap::new();
    let mut variables = Vec::new();
    while reader.accept("[") {
        let lower = reader.number()?;
        reader.expect(",")?;
        let upper = reader.number()?;
        reader.expect("]")?;
        let name = reader.word()?;
        reader.expect(";")?;
        assert!(lower <= upper, "bounds of {name}");
        if name != "time" {
            variables.push(name.clone());
        }
        assert!(
            bounds.insert(name.clone(), (lower, upper)).is_none(),
            "{name} is declared twice"
        );
    }
    assert!(bounds.contains_key("time"), "no bounds of time");
    let (mut locations, mut edges) = (Vec::new(), Vec::new());
    while reader.accept("{") {
        mode(reader, &mut locations, &mut edges)?;
        reader.expect("}")?;
    }
    reader.expect("init")?;
    reader.expect(":")?;
    let (first, init) = mode_formula(reader)?;
    reader.expect("goal")?;
    reader.expect(":")?;
    let mut goals = Vec::new();
    while reader.next_is("@") {
        goals.push(mode_formula(reader)?);
    }
    assert!(!goals.is_empty(), "no goal");
    let broken = match goals.as_slice() {
        [(mode, Formula::Constant(true))] => Some(mode.clone()),
        _ => None,
    };
    Ok(System {
        variables,
        bounds,
        locations,
        edges,
        first,
        init,
        broken,
    })
}

fn mode_formula(reader: &mut Reader) -> Result<(String, Formula), String> {
    reader.expect("@")?;
    let mode = reader.number()?.to_string();
    let formula = reader.formula()?;
    reader.expect(";")?;
    Ok((mode, formula))
}

fn mode(reader: &mut Reader, locations: &mut Vec<Location>, edges: &mut Vec<Edge>) -> Result<(), String> {
    reader.expect("mode")?;
    let name = reader.number()?.to_string();
    reader.expect(";")?;
    reader.expect("invt")?;
    reader.expect(":")?;
    let mut invariant = Vec::new();
    while !reader.next_is("flow") {
        invariant.push(reader.formula()?);
        reader.expect(";")?;
    }
    reader.expect("flow")?;
    reader.expect(":")?;
    let mut flow = BTreeMap::new();
    while reader.accept("d/dt") {
        reader.expect("[")?;
        let variable = reader.word()?;
        reader.expect("]")?;
        reader.expect("=")?;
        let rate = reader.expression()?;
        reader.expect(";")?;
        assert!(
            flow.insert(variable.clone(), rate).is_none(),
            "two rates of {variable}"
        );
    }
    reader.expect("jump")?;
    reader.expect(":")?;
    while !reader.next_is("}") {
        let guard = reader.formula()?;
        reader.expect("==>")?;
        let (to, values) = mode_formula(reader)?;
        edges.push(Edge {
            from: name.clone(),
            to,
            guard,
            reset: resets(&values),
        });
    }
    assert!(
        locations.iter().all(|l: &Location| l.name != name),
        "two modes {name}"
    );
    // dReach reads invariants one by one: each is a comparison.
    assert!(
        invariant.iter().all(|f| matches!(f, Formula::Compare(..))),
        "an invariant of {name} is no comparison"
    );
    locations.push(Location {
        name,
        invariant: Formula::And(invariant),
        flow,
    });
    Ok(())
}

fn resets(values: &Formula) -> BTreeMap<String, Expression> {
    let mut found = BTreeMap::new();
    for comparison in values.comparisons() {
        match comparison {
            Formula::Compare(Expression::Variable(name), "=", value) if name.ends_with('\'') => {
                let name = name.trim_end_matches('\'').to_owned();
                assert!(
                    found.insert(name.clone(), value.clone()).is_none(),
                    "two values of {name}"
                );
            }
            other => panic!("no new value: {other:?}"),
        }
    }
    found
}
