//! A writer of indented C.

use std::fmt::Write;

/// Text that grows line by line.
#[derive(Clone, Debug, Default)]
pub(crate) struct CText {
    text: String,
    depth: usize,
}

impl CText {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A line at the present depth; an empty one has no blanks.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            for _ in 0..self.depth {
                self.text.push_str("    ");
            }
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A line after which everything is one step deeper, such as `if (x) {`.
    pub(crate) fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// One step back, and a line such as `}`.
    pub(crate) fn close(&mut self, line: impl AsRef<str>) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// Text that is written already.
    pub(crate) fn raw(&mut self, text: &str) {
        self.text.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// `name = { items };`, several items on a line.
    pub(crate) fn table(&mut self, head: &str, items: impl IntoIterator<Item = String>) {
        const WIDTH: usize = 100;
        self.open(format!("{head} = {{"));
        let mut line = String::new();
        for item in items {
            if !line.is_empty() && line.len() + item.len() > WIDTH {
                self.line(line.trim_end());
                line.clear();
            }
            let _ = write!(line, "{item}, ");
        }
        if !line.is_empty() {
            self.line(line.trim_end());
        }
        self.close("};");
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A string of C: quoted, with everything outside plain ASCII as octal bytes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(byte as char);
            }
            // A question mark may begin a trigraph.
            b' '..=b'~' if byte != b'?' => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// Text for a comment: it must not end it, begin another, or break a line.
pub(crate) fn comment(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|c| if c.is_control() || c == '\\' { ' ' } else { c })
        .collect();
    plain.replace("*/", "* /").replace("/*", "/ *").replace('?', ".")
}

/// A double of C that reads back to the same bits.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        return "NAN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "INFINITY".into()
        } else {
            "(-INFINITY)".into()
        };
    }
    // The shortest decimal that reads back; it always has a point or an exponent.
    let text = format!("{value:?}");
    if value.is_sign_negative() {
        format!("({text})")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_cannot_break_out() {
        assert_eq!(
            quoted("a\"b\\c??/ä\n"),
            "\"a\\\"b\\\\c\\077\\077/\\303\\244\\012\""
        );
        assert_eq!(comment("x */ y /* z\n"), "x * / y / * z ");
    }

    #[test]
    fn numbers_read_back() {
        for value in [0.1, -9.81, 1e300, 5e-324, 0.0, -0.0, 1.0 / 3.0, 123456789.0, 1e22] {
            let text = number(value);
            let plain = text.trim_matches(['(', ')']);
            assert_eq!(
                plain.parse::<f64>().map(f64::to_bits),
                Ok(value.to_bits()),
                "{text}"
            );
            assert!(plain.contains(['.', 'e']), "{text} would be an integer in C");
        }
    }
}
