//! XML text: elements with attributes, indented; every text escaped.

/// XML being written.
#[derive(Debug, Default)]
pub(crate) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

/// Attributes of an element; those that are `None` are left out.
pub(crate) type Attributes<'a> = &'a [(&'a str, Option<String>)];

impl Xml {
    pub(crate) fn new() -> Self {
        Xml {
            text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into(),
            open: Vec::new(),
        }
    }

    fn start(&mut self, name: &str, attributes: Attributes<'_>) {
        self.text.push_str(&"  ".repeat(self.open.len()));
        self.text.push('<');
        self.text.push_str(name);
        for (attribute, value) in attributes {
            if let Some(value) = value {
                self.text
                    .push_str(&format!(" {attribute}=\"{}\"", escaped(value)));
            }
        }
    }

    /// An element with nothing inside.
    pub(crate) fn leaf(&mut self, name: &str, attributes: Attributes<'_>) {
        self.start(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element that `inside` fills.
    pub(crate) fn element(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.start(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
        inside(self);
        self.open.pop();
        self.text.push_str(&"  ".repeat(self.open.len()));
        self.text.push_str(&format!("</{name}>\n"));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A text inside an attribute: what XML cannot hold is shown as U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if (c as u32) < 0x20 || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// An attribute that is there.
pub(crate) fn some(value: impl ToString) -> Option<String> {
    Some(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_stay_texts() {
        let mut xml = Xml::new();
        xml.element("a", &[("b", some("</a> \"&\u{0}\n"))], |xml| {
            xml.leaf("c", &[("d", None)])
        });
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&lt;/a&gt; &quot;&amp;\u{fffd} \">\n  <c/>\n</a>\n";
        assert_eq!(xml.finish(), expected);
    }
}
