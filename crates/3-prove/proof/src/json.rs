//! Proofs as JSON.
//!
//! Stays are a flat list for each box, in the order they are gone through, and ways name the stay they lead to by its number: documents are nested no deeper for a
//! longer evolution. Numbers are written with as many digits as bring the same double back.
//!
//! # Guarantee
//! What is written is read back to the same bits. Reading never panics; what is missing, of another kind, not finite or nested too deep is an error.

use std::fmt;
use std::io;

use serde_json::{Map, Value, json};

use crate::proof::{Branch, Proof, ProvedBox, Stay, StayEnd, StayId, Way, in_order};

/// The format's name with its version.
const FORMAT: &str = "dyverse-proof/2";

/// What is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofFormatError {
    /// It is no JSON.
    Json(String),
    /// It is something else, or another version.
    OtherFormat {
        /// What it says it is.
        found: Option<String>,
    },
    /// Something is not as it must be.
    Wrong {
        /// Where in the document.
        at: String,
        /// What must be there.
        wanted: &'static str,
    },
}

impl fmt::Display for ProofFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofFormatError::Json(what) => write!(f, "no JSON: {what}"),
            ProofFormatError::OtherFormat { found: None } => {
                write!(f, "the document does not say that it is {FORMAT}")
            }
            ProofFormatError::OtherFormat { found: Some(found) } => {
                write!(f, "the document is `{found}`, not {FORMAT}")
            }
            ProofFormatError::Wrong { at, wanted } => write!(f, "{at}: {wanted} is wanted"),
        }
    }
}

impl std::error::Error for ProofFormatError {}

/// Writes a proof.
///
/// # Errors
/// Those of the writer; and of a number that is not finite, or stays that are no tree, which no proof has.
pub fn write_proof(proof: &Proof, out: &mut dyn io::Write) -> io::Result<()> {
    let ranges = |all: &[(String, f64, f64)]| -> io::Result<Vec<Value>> {
        all.iter()
            .map(|(name, lower, upper)| Ok(json!([name, number(*lower)?, number(*upper)?])))
            .collect()
    };
    let mut boxes = Vec::new();
    for own in &proof.boxes {
        let no_tree = || io::Error::new(io::ErrorKind::InvalidData, "the stays of a box are no tree");
        let order = in_order(&own.stays).ok_or_else(no_tree)?;
        let mut numbers = vec![0; own.stays.len()];
        order
            .iter()
            .enumerate()
            .for_each(|(number, stay)| numbers[*stay] = number);
        let stays = order.iter().map(|stay| written(&own.stays[*stay], &numbers));
        let stays = stays.collect::<io::Result<Vec<_>>>()?;
        boxes.push(json!({ "sides": pairs(&own.sides)?, "stays": stays }));
    }
    let mut document = json!({
        "format": FORMAT,
        "system": proof.system,
        "property": proof.property,
        "horizon": number(proof.horizon)?,
        "choices": ranges(&proof.choices)?,
        "unknowns": ranges(&proof.unknowns)?,
        "boxes": boxes,
    });
    if !proof.inputs.is_empty() {
        document["inputs"] = json!({ "default": proof.inputs });
    }
    serde_json::to_writer(&mut *out, &document).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

fn number(value: f64) -> io::Result<Value> {
    serde_json::Number::from_f64(value)
        .map(Value::Number)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a number is not finite"))
}

fn pairs(all: &[(f64, f64)]) -> io::Result<Vec<Value>> {
    all.iter()
        .map(|(lower, upper)| Ok(json!([number(*lower)?, number(*upper)?])))
        .collect()
}

/// A stay; `numbers` are those of stays in the document.
fn written(stay: &Stay, numbers: &[usize]) -> io::Result<Value> {
    let mut object = Map::new();
    object.insert("place".into(), json!(stay.place));
    object.insert("hull".into(), Value::Array(pairs(&stay.hull)?));
    if stay.end == StayEnd::Horizon {
        object.insert("end".into(), json!("horizon"));
        return Ok(Value::Object(object));
    }
    let mut branches = Vec::new();
    for branch in stay.branches() {
        let mut ways = Vec::new();
        for way in &branch.ways {
            let mut object = json!({ "label": way.label, "stay": numbers[way.stay.0] });
            if !way.impulses.is_empty() {
                object["impulses"] = Value::Array(pairs(&way.impulses)?);
            }
            ways.push(object);
        }
        branches.push(json!({
            "event": branch.event,
            "time": [number(branch.time.0)?, number(branch.time.1)?],
            "ways": ways,
        }));
    }
    object.insert("branches".into(), Value::Array(branches));
    Ok(Value::Object(object))
}

type Read<T> = Result<T, ProofFormatError>;

fn wrong<T>(at: &str, wanted: &'static str) -> Read<T> {
    Err(ProofFormatError::Wrong {
        at: at.to_owned(),
        wanted,
    })
}

/// Reads what [`write_proof`] wrote.
///
/// # Errors
/// What is wrong with the document, and where.
pub fn read_proof(bytes: &[u8]) -> Read<Proof> {
    let document: Value = serde_json::from_slice(bytes).map_err(|e| ProofFormatError::Json(e.to_string()))?;
    let found = document.get("format").and_then(Value::as_str);
    if found != Some(FORMAT) {
        return Err(ProofFormatError::OtherFormat {
            found: found.map(str::to_owned),
        });
    }
    let mut names = vec![
        "format", "system", "property", "horizon", "choices", "unknowns", "boxes",
    ];
    if document.get("inputs").is_some() {
        names.push("inputs");
    }
    let root = fields(&document, "the document", &names)?;
    let inputs = match root.get(7) {
        Some(value) => {
            let own = fields(value, "inputs", &["default"])?;
            let texts = list(own[0], "inputs.default")?.iter();
            texts
                .map(|name| text(name, "inputs.default"))
                .collect::<Read<_>>()?
        }
        None => Vec::new(),
    };
    let mut boxes = Vec::new();
    for (place, value) in list(root[6], "boxes")?.iter().enumerate() {
        let at = format!("boxes[{place}]");
        let own = fields(value, &at, &["sides", "stays"])?;
        boxes.push(ProvedBox {
            sides: sides(own[0], &format!("{at}.sides"))?,
            stays: tree(own[1], &format!("{at}.stays"))?,
        });
    }
    Ok(Proof {
        system: text(root[1], "system")?,
        property: text(root[2], "property")?,
        horizon: real(root[3], "horizon")?,
        choices: ranges(root[4], "choices")?,
        inputs,
        unknowns: ranges(root[5], "unknowns")?,
        boxes,
    })
}

/// These fields of an object, and no others.
fn fields<'v>(value: &'v Value, at: &str, names: &[&'static str]) -> Read<Vec<&'v Value>> {
    let Some(object) = value.as_object() else {
        return wrong(at, "an object");
    };
    let mut found = Vec::new();
    for name in names {
        match object.get(*name) {
            Some(value) => found.push(value),
            None => return wrong(&format!("{at}.{name}"), "a value"),
        }
    }
    if object.len() > names.len() {
        return wrong(at, "an object without other fields");
    }
    Ok(found)
}

fn list<'v>(value: &'v Value, at: &str) -> Read<&'v Vec<Value>> {
    match value.as_array() {
        Some(list) => Ok(list),
        None => wrong(at, "a list"),
    }
}

fn text(value: &Value, at: &str) -> Read<String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => wrong(at, "a text"),
    }
}

fn real(value: &Value, at: &str) -> Read<f64> {
    match value.as_f64() {
        Some(number) if number.is_finite() => Ok(number),
        _ => wrong(at, "a finite number"),
    }
}

fn pair(value: &Value, at: &str) -> Read<(f64, f64)> {
    match list(value, at)?.as_slice() {
        [lower, upper] => Ok((real(lower, at)?, real(upper, at)?)),
        _ => wrong(at, "two numbers"),
    }
}

fn sides(value: &Value, at: &str) -> Read<Vec<(f64, f64)>> {
    list(value, at)?.iter().map(|side| pair(side, at)).collect()
}

fn ranges(value: &Value, at: &str) -> Read<Vec<(String, f64, f64)>> {
    let one = |value: &Value| match list(value, at)?.as_slice() {
        [name, lower, upper] => Ok((text(name, at)?, real(lower, at)?, real(upper, at)?)),
        _ => wrong(at, "a name and two numbers"),
    };
    list(value, at)?.iter().map(one).collect()
}

/// The stays of a box: a tree, and nothing beside it.
fn tree(value: &Value, at: &str) -> Read<Vec<Stay>> {
    let mut stays = Vec::new();
    for (number, value) in list(value, at)?.iter().enumerate() {
        stays.push(stay(value, &format!("{at}[{number}]"))?);
    }
    match in_order(&stays) {
        Some(order) if order.len() == stays.len() => Ok(stays),
        _ => wrong(at, "a stay, and to each later stay one way, of a stay before it,"),
    }
}

fn stay(value: &Value, at: &str) -> Read<Stay> {
    let is_last = value.get("end").is_some();
    let end = if is_last { "end" } else { "branches" };
    let own = fields(value, at, &["place", "hull", end])?;
    let end = if is_last {
        if own[2].as_str() != Some("horizon") {
            return wrong(&format!("{at}.end"), "`horizon`");
        }
        StayEnd::Horizon
    } else {
        let mut branches = Vec::new();
        for (place, value) in list(own[2], at)?.iter().enumerate() {
            branches.push(branch(value, &format!("{at}.branches[{place}]"))?);
        }
        StayEnd::Branches(branches)
    };
    Ok(Stay {
        place: text(own[0], &format!("{at}.place"))?,
        hull: sides(own[1], &format!("{at}.hull"))?,
        end,
    })
}

fn branch(value: &Value, at: &str) -> Read<Branch> {
    let own = fields(value, at, &["event", "time", "ways"])?;
    let mut ways = Vec::new();
    for value in list(own[2], at)? {
        let names: &[&'static str] = match value.get("impulses") {
            None => &["label", "stay"],
            Some(_) => &["label", "stay", "impulses"],
        };
        let way = fields(value, at, names)?;
        let Some(to) = way[1].as_u64().and_then(|to| usize::try_from(to).ok()) else {
            return wrong(at, "the number of a stay");
        };
        let impulses = match way.get(2) {
            None => Vec::new(),
            Some(all) => sides(all, &format!("{at}.impulses"))?,
        };
        ways.push(Way {
            label: text(way[0], at)?,
            impulses,
            stay: StayId(to),
        });
    }
    Ok(Branch {
        event: text(own[0], at)?,
        time: pair(own[1], &format!("{at}.time"))?,
        ways,
    })
}
