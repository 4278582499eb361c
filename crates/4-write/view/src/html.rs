//! A page as HTML: style, script, document and blobs in one file.
//!
//! The document is JSON inside a `<script type="application/json">`. Whatever could end that element or begin a comment in it (`<`, `>`, `&`), and what JavaScript's older grammars take for line ends, is written as `\u….`:
//! JSON reads it back the same. The title goes through the same kind of escaping for HTML. Blobs are base64.

use crate::Page;
use crate::blobs::pack_text;
use std::io::{self, Write};

const SCRIPT: &str = include_str!("../assets/page.js");

/// Nothing from anywhere else: a page that is asked to fetch something refuses.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'";

/// Bytes of a document up to which it is written as it is: readable, and quick to open. Longer ones, of runs with thousands of events, repeat themselves and are packed.
const LONGEST_PLAIN: usize = 300_000;

/// Writes a page as one HTML file.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_page(out: &mut dyn Write, page: &Page) -> io::Result<()> {
    let title = escaped_html(&page.document.system);
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"generator\" content=\"dyverse {}\">\n<title>{title} · dyverse</title>\n</head>\n<body>\n<div id=\"root\"></div>\n\
         <noscript>This page draws a run of {title} with a script, and scripts are switched off here.</noscript>\n",
        escaped_html(&page.document.version)
    )?;
    let json = serde_json::to_string(&page.document)?;
    let (kind, text) = if json.len() > LONGEST_PLAIN {
        ("text/plain", pack_text(&json))
    } else {
        ("application/json", escaped_json(&json))
    };
    writeln!(out, "<script type=\"{kind}\" id=\"page\">{text}</script>")?;
    for (place, text) in page.blobs.texts().iter().enumerate() {
        writeln!(
            out,
            "<script type=\"text/plain\" id=\"blob-{place}\">{text}</script>"
        )?;
    }
    out.write_all(b"<script>")?;
    out.write_all(SCRIPT.as_bytes())?;
    out.write_all(b"</script>\n</body>\n</html>\n")
}

/// Writes a page as JSON: `page`, the document, and `blobs`, the base64 texts.
///
/// # Errors
/// Where `out` refuses the bytes.
pub fn write_page_json(out: &mut dyn Write, page: &Page) -> io::Result<()> {
    out.write_all(b"{\"page\":")?;
    serde_json::to_writer(&mut *out, &page.document)?;
    out.write_all(b",\"blobs\":")?;
    serde_json::to_writer(&mut *out, page.blobs.texts())?;
    out.write_all(b"}\n")
}

fn escaped_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len() + json.len() / 16);
    for c in json.chars() {
        match c {
            '<' => text.push_str("\\u003c"),
            '>' => text.push_str("\\u003e"),
            '&' => text.push_str("\\u0026"),
            '\u{2028}' => text.push_str("\\u2028"),
            '\u{2029}' => text.push_str("\\u2029"),
            other => text.push(other),
        }
    }
    text
}

fn escaped_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Marks that turn the direction of what follows would turn the rest of the title, too.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\0'..='\u{1f}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blobs, Document};

    fn written(system: &str) -> String {
        let document = Document {
            system: system.into(),
            ..Document::default()
        };
        let mut out = Vec::new();
        let page = Page {
            document,
            blobs: Blobs::new(),
        };
        write_page(&mut out, &page).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_cannot_leave_their_place() {
        let hostile = "</script><script>alert(1)</script><!--\u{202e}\"'&\u{2028}";
        let html = written(hostile);
        let plain = written("plain");
        for mark in ["</script", "<script", "<!--"] {
            assert_eq!(html.matches(mark).count(), plain.matches(mark).count(), "{mark}");
        }
        let start = html.find("id=\"page\">").unwrap() + "id=\"page\">".len();
        let json = &html[start..start + html[start..].find("</script>").unwrap()];
        let back: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(back["system"], hostile);
    }

    #[test]
    fn the_script_cannot_end_itself() {
        assert!(!SCRIPT.to_lowercase().contains("</script"));
        assert!(!SCRIPT.contains("<!--"));
    }
}
