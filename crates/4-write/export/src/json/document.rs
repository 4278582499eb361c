//! One JSON object, written key by key, its long arrays one element a line.

use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};

/// One JSON object under way.
pub(crate) struct Document<'w> {
    out: &'w mut dyn Write,
    is_first: bool,
}

impl<'w> Document<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Document { out, is_first: true }
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        let before = if std::mem::take(&mut self.is_first) {
            "{\n"
        } else {
            ",\n"
        };
        write!(self.out, "{before}{}: ", json!(key))
    }

    /// A key with a value on its line.
    pub(crate) fn value(&mut self, key: &str, value: &impl Serialize) -> io::Result<()> {
        self.key(key)?;
        Ok(serde_json::to_writer(&mut *self.out, value)?)
    }

    /// A key with an array of elements that are JSON already.
    pub(crate) fn array(&mut self, key: &str, elements: impl Iterator<Item = String>) -> io::Result<()> {
        self.each(key, elements, |out, element| out.write_all(element.as_bytes()))
    }

    /// A key with an array of elements.
    pub(crate) fn list<T: Serialize>(
        &mut self,
        key: &str,
        elements: impl Iterator<Item = T>,
    ) -> io::Result<()> {
        self.each(key, elements, |out, element| {
            Ok(serde_json::to_writer(out, &element)?)
        })
    }

    fn each<T>(
        &mut self,
        key: &str,
        elements: impl Iterator<Item = T>,
        write: impl Fn(&mut dyn Write, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.key(key)?;
        let mut before = "[\n  ";
        for element in elements {
            self.out.write_all(before.as_bytes())?;
            write(&mut *self.out, element)?;
            before = ",\n  ";
        }
        let is_empty = before.starts_with('[');
        self.out.write_all(if is_empty { b"[]" } else { b"\n]" })
    }

    /// Ends the object and its line.
    pub(crate) fn end(self) -> io::Result<()> {
        self.out.write_all(b"\n}\n")
    }
}
