//! JSON objects written straight as text.
//!
//! A tree of [`serde_json::Value`] for each edge was tried and dropped: four balls took 4.7 s instead of 2.2 s.
//! Strings that need escaping are still escaped by `serde_json`.

use serde_json::Value;

/// A JSON object being written, key by key in the order of the calls.
pub(super) struct Object {
    text: String,
}

impl Object {
    pub(super) fn new() -> Self {
        Self { text: "{".to_owned() }
    }

    /// A key, which must need no escaping, with a value that is JSON already.
    pub(super) fn raw(mut self, key: &str, json: &str) -> Self {
        let before = if self.text.len() == 1 { "\"" } else { ",\"" };
        for piece in [before, key, "\":", json] {
            self.text.push_str(piece);
        }
        self
    }

    /// A key with a text.
    pub(super) fn text(self, key: &str, text: &str) -> Self {
        self.raw(key, &quoted(text))
    }

    /// A key with a text or `null`.
    pub(super) fn optional(self, key: &str, text: Option<&str>) -> Self {
        let json = text.map_or_else(|| "null".to_owned(), quoted);
        self.raw(key, &json)
    }

    /// A key with an array of texts.
    pub(super) fn texts<T: AsRef<str>>(self, key: &str, texts: &[T]) -> Self {
        let json = array(texts.iter().map(|text| quoted(text.as_ref())));
        self.raw(key, &json)
    }

    /// The finished object.
    pub(super) fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = text
        .bytes()
        .all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
    if is_plain {
        format!("\"{text}\"")
    } else {
        Value::from(text).to_string()
    }
}

/// An array of elements that are JSON already.
pub(super) fn array(elements: impl Iterator<Item = String>) -> String {
    let mut text = "[".to_owned();
    for element in elements {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&element);
    }
    text.push(']');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Oracle: `serde_json` itself, on every character of the first planes that could matter.
    #[test]
    fn strings_are_those_of_serde_json() {
        for code in (0..0x3000).chain(0x1f600..0x1f640) {
            let text: String = char::from_u32(code).into_iter().chain("x".chars()).collect();
            assert_eq!(
                quoted(&text),
                Value::from(text.as_str()).to_string(),
                "U+{code:04x}"
            );
        }
    }

    #[test]
    fn objects_and_arrays_are_json() {
        let object = Object::new()
            .text("a", "\"")
            .optional("b", None)
            .texts("c", &["d", "e"])
            .end();
        assert_eq!(object, r#"{"a":"\"","b":null,"c":["d","e"]}"#);
        assert_eq!(
            (Object::new().end(), array(std::iter::empty())),
            ("{}".to_owned(), "[]".to_owned())
        );
    }
}
