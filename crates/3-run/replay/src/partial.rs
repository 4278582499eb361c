//! Names of places in systems of too many contacts for numbers, read back: `s{a-b: open}`, `I{a-b},en`, `C{a-b, c-d},ex`.
//!
//! Such a name lists the contacts that a transition is about; others stay as they are. So the place is known by keeping count of all contacts along the trace.
//!
//! # Guarantee
//! Exact: a name that contradicts what is known, or names no contact of the model, is read as none.

use dyverse_machine::{
    ComputationNode, ContactId, ContactSet, DynamicalLocation, FrictionMode, InnerLocation, NamedPlace,
    NodeKind,
};
use std::collections::BTreeMap;

/// How the contacts stand that are closed; none: in a node, which is to give it a mode.
pub(crate) type Standings = BTreeMap<usize, Option<FrictionMode>>;

/// What a name says.
enum Said {
    /// Contacts with their modes; none for open ones.
    Location(Vec<(usize, Option<FrictionMode>)>),
    Node(NodeKind, Vec<usize>, InnerLocation),
}

/// All contacts along a trace.
pub(crate) struct Partial {
    contacts: BTreeMap<String, usize>,
    closed: Standings,
}

impl Partial {
    pub(crate) fn new(labels: impl Iterator<Item = String>) -> Self {
        Partial {
            contacts: labels
                .enumerate()
                .map(|(number, label)| (label, number))
                .collect(),
            closed: Standings::new(),
        }
    }

    /// The run begins here; where something happens at once, with the contacts as the first name has them.
    pub(crate) fn begin(
        &mut self,
        location: &DynamicalLocation,
        at_once: Option<&str>,
    ) -> Option<NamedPlace> {
        self.closed = location
            .modes()
            .map(|(contact, mode)| (contact.index(), Some(mode)))
            .collect();
        let said = at_once.and_then(|name| self.said(name));
        let Some(Said::Location(list)) = said else {
            return Some(NamedPlace::Dynamical(location.clone()));
        };
        for (contact, mode) in &list {
            match mode {
                Some(_) => self.closed.insert(*contact, *mode),
                None => self.closed.remove(contact),
            };
        }
        place(&Said::Location(list), &self.closed)
    }

    /// The two ends of a transition.
    pub(crate) fn read(&mut self, from: &str, to: &str) -> Option<(NamedPlace, NamedPlace)> {
        let (from, to) = (self.said(from)?, self.said(to)?);
        let about: Vec<usize> = match &from {
            Said::Location(list) => {
                let fits = |(contact, mode): &(usize, Option<FrictionMode>)| match mode {
                    Some(_) => self.closed.get(contact) == Some(mode),
                    None => !self.closed.contains_key(contact),
                };
                list.iter().all(fits).then_some(())?;
                list.iter().map(|(contact, _)| *contact).collect()
            }
            Said::Node(_, list, _) => {
                list.iter()
                    .all(|contact| self.closed.contains_key(contact))
                    .then_some(())?;
                list.clone()
            }
        };
        let start = place(&from, &self.closed)?;
        match &to {
            Said::Location(list) => {
                for (contact, mode) in list {
                    match mode {
                        Some(_) => self.closed.insert(*contact, *mode),
                        None => self.closed.remove(contact),
                    };
                }
            }
            Said::Node(_, list, _) => {
                for contact in list {
                    self.closed.entry(*contact).or_insert(None);
                }
                for contact in about.iter().filter(|contact| !list.contains(contact)) {
                    self.closed.remove(contact);
                }
            }
        }
        Some((start, place(&to, &self.closed)?))
    }

    fn said(&self, name: &str) -> Option<Said> {
        let (letter, rest) = name.split_once('{')?;
        let (list, last) = rest.rsplit_once('}')?;
        let items = list.split(", ").filter(|item| !item.is_empty());
        let contact = |label: &str| self.contacts.get(label).copied();
        let kind = match letter {
            "s" if last.is_empty() => {
                let one = |item: &str| {
                    let (label, word) = item.rsplit_once(": ")?;
                    let mode = match word {
                        "open" => None,
                        "stick" => Some(FrictionMode::Stick),
                        "trans" => Some(FrictionMode::Trans),
                        "slip" => Some(FrictionMode::Slip),
                        _ => return None,
                    };
                    Some((contact(label)?, mode))
                };
                return items.map(one).collect::<Option<_>>().map(Said::Location);
            }
            "I" => NodeKind::Impact,
            "C" => NodeKind::Contact,
            _ => return None,
        };
        let inner = match last.strip_prefix(',')? {
            "en" => InnerLocation::Entrance,
            "ex" => InnerLocation::Exit,
            step => InnerLocation::Step(step.parse().ok().filter(|step| *step > 0)?),
        };
        Some(Said::Node(
            kind,
            items.map(contact).collect::<Option<_>>()?,
            inner,
        ))
    }
}

fn place(said: &Said, closed: &Standings) -> Option<NamedPlace> {
    let set = |is_in: &dyn Fn(Option<FrictionMode>) -> bool| -> ContactSet {
        let own = closed.iter().filter(|(_, mode)| is_in(**mode));
        own.map(|(contact, _)| ContactId::new(*contact as u32)).collect()
    };
    match said {
        Said::Location(_) => {
            let of = |mode: FrictionMode| set(&move |own| own == Some(mode));
            let is_whole = closed.values().all(Option::is_some);
            let location = DynamicalLocation::from_modes(
                &of(FrictionMode::Stick),
                of(FrictionMode::Trans),
                of(FrictionMode::Slip),
            )?;
            is_whole.then_some(NamedPlace::Dynamical(location))
        }
        Said::Node(kind, _, inner) => Some(NamedPlace::Inner(
            ComputationNode::new(*kind, set(&|_| true))?,
            *inner,
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_stays_as_it_is() {
        let mut partial = Partial::new(["a-b", "a-c", "b-c"].into_iter().map(str::to_owned));
        let mut read = |from: &str, to: &str| partial.read(from, to).map(|(_, to)| to);
        let into = read("s{a-b: open}", "I{a-b},en");
        assert!(matches!(into, Some(NamedPlace::Inner(node, _)) if node.closed().len() == 1));
        assert!(read("I{a-b},ex", "C{a-b},en").is_some());
        assert!(read("C{a-b},ex", "s{a-b: slip}").is_some());
        let into = read("s{a-c: open, b-c: open}", "I{a-c, b-c},en");
        assert!(matches!(into, Some(NamedPlace::Inner(node, _)) if node.closed().len() == 3));
        // b-c leaves.
        let into = read("I{a-c, b-c},ex", "C{a-c},en");
        assert!(matches!(into, Some(NamedPlace::Inner(node, _)) if node.closed().len() == 2));
        let into = read("C{a-c},ex", "s{a-c: stick}");
        let Some(NamedPlace::Dynamical(location)) = into else {
            return assert!(into.is_some());
        };
        assert_eq!(location.mode(ContactId::new(0)), Some(FrictionMode::Slip));
        assert_eq!(location.mode(ContactId::new(1)), Some(FrictionMode::Stick));
        for (from, to) in [
            ("s{a-b: stick}", "C{a-b},en"),
            ("s{a-b: slip}", "C{a-d},en"),
            ("s{b-c: slip}", "s{b-c: open}"),
            ("C{b-c},ex", "s{b-c: slip}"),
            ("s_1,1", "S_0"),
        ] {
            assert_eq!(read(from, to), None, "{from} {to}");
        }
    }
}
