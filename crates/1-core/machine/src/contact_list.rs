//! The contact list I: one labelled contact for each pair of entities that can touch \[SPEC §3\].
//!
//! # Guarantee
//! The order of the list never changes: a [`ContactId`] is a place in it. Labels are not checked here.

/// The place of a contact in its [`ContactList`], counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContactId(u32);

impl ContactId {
    /// The contact at place `index`, counted from 0.
    #[must_use]
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The place as it is stored.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The place, for use as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One pair of entities that can touch, and the label it is printed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    label: String,
    entities: (String, String),
}

impl Contact {
    /// The contact called `label` between `first` and `second`.
    #[must_use]
    pub fn new(label: impl Into<String>, first: impl Into<String>, second: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            entities: (first.into(), second.into()),
        }
    }

    /// The label used in names and conditions, such as `ab`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The names of the two entities.
    #[must_use]
    pub fn entities(&self) -> (&str, &str) {
        (&self.entities.0, &self.entities.1)
    }
}

/// The contact list I of a system; P is its length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactList {
    contacts: Vec<Contact>,
}

impl ContactList {
    /// The list of these contacts, in this order.
    #[must_use]
    pub fn new(contacts: Vec<Contact>) -> Self {
        Self { contacts }
    }

    /// All pairs of `entities`, in the order (1,2), (1,3), …, (2,3), …, labelled by joining the names.
    #[must_use]
    pub fn of_all_pairs(entities: &[&str]) -> Self {
        let pairs = entities.iter().enumerate();
        let contacts = pairs.flat_map(|(place, first)| {
            entities[place + 1..]
                .iter()
                .map(move |second| Contact::new(format!("{first}{second}"), *first, *second))
        });
        Self::new(contacts.collect())
    }

    /// P, the number of contacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether nothing in the system can touch.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The contact at this place, if there is one.
    #[must_use]
    pub fn get(&self, id: ContactId) -> Option<&Contact> {
        self.contacts.get(id.index())
    }

    /// The label of the contact at this place; `?` where the list has no such place.
    #[must_use]
    pub fn label(&self, id: ContactId) -> &str {
        self.get(id).map_or("?", Contact::label)
    }

    /// All contacts with their places, in order.
    pub fn iter(&self) -> impl Iterator<Item = (ContactId, &Contact)> {
        (0..).map(ContactId).zip(&self.contacts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_balls_give_the_contacts_of_001_in_its_order() {
        let list = ContactList::of_all_pairs(&["a", "b", "c"]);
        let labels: Vec<&str> = list.iter().map(|(_, contact)| contact.label()).collect();
        assert_eq!(labels, ["ab", "ac", "bc"]);
        assert_eq!(
            list.get(ContactId::new(1)).map(Contact::entities),
            Some(("a", "c"))
        );
        assert_eq!(list.label(ContactId::new(2)), "bc");
        assert_eq!(list.get(ContactId::new(3)), None);
    }
}
