//! A drawing being made: shapes, edges and texts as SVG elements.
//!
//! # Guarantee
//! Well-formed XML whatever the texts are: they are escaped, and characters that XML does not allow become `�`.
//! Where texts and edges lie is kept, so that a test can tell that nothing covers a text.

use super::layout::{Curve, Ellipse, Point, Rect, text_width};
use super::style::STYLE;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Where a text hangs on its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The kinds of text: class and size in the style sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Font {
    Head,
    Name,
    /// As large as a name; `_` means nothing in it.
    Title,
    InnerName,
    Small,
    Tiny,
    Rule,
    Guard,
    /// The name of a block.
    Block,
    /// A line in a block.
    Row,
}

impl Font {
    fn class(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Name | Self::Title => "name",
            Self::InnerName => "inner-name",
            Self::Small => "small soft",
            Self::Tiny => "tiny soft",
            Self::Rule => "rule",
            Self::Guard => "guard",
            Self::Block => "block",
            Self::Row => "row",
        }
    }

    /// The size in the style sheet.
    pub(super) fn size(self) -> f64 {
        match self {
            Self::Head => 18.0,
            Self::Name | Self::Title => 16.0,
            Self::Block => 13.5,
            Self::InnerName | Self::Small | Self::Row => 12.0,
            Self::Tiny => 10.5,
            Self::Rule | Self::Guard => 11.0,
        }
    }
}

/// A drawing being made.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
    /// The room of every text.
    pub(super) texts: Vec<Rect>,
    /// Every edge, with the place in `texts` of the label it carries.
    pub(super) edges: Vec<(Curve, Option<usize>)>,
    /// Where the curves of the path drawn last begin in `edges`.
    last_path: usize,
    /// The classes of arrows' tips that are used.
    tips: BTreeSet<String>,
}

impl Canvas {
    /// Begins a group that shows `tooltip` when pointed at; ends with [`close`](Self::close).
    pub(super) fn open(&mut self, tooltip: &str) {
        let _ = writeln!(self.body, "<g><title>{}</title>", escaped(tooltip));
    }

    /// As [`open`](Self::open), for a place that a page can light by its key.
    pub(super) fn open_place(&mut self, key: &str, tooltip: &str) {
        let _ = writeln!(
            self.body,
            "<g data-light=\"{}\"><title>{}</title>",
            escaped(key),
            escaped(tooltip)
        );
    }

    /// As [`open`](Self::open), for a line that stands for edges between places that a page can light: groups in each other, one for each
    /// edge; ends with [`close_edges`](Self::close_edges).
    pub(super) fn open_edges(&mut self, edges: &[(&str, &str)], tooltip: &str) {
        for (from, to) in edges {
            let _ = write!(self.body, "<g data-edge=\"{}→{}\">", escaped(from), escaped(to));
        }
        let _ = writeln!(self.body, "<title>{}</title>", escaped(tooltip));
    }

    /// Ends the groups of so many edges.
    pub(super) fn close_edges(&mut self, count: usize) {
        self.body.push_str(&"</g>".repeat(count));
        self.body.push('\n');
    }

    /// As [`open_edges`](Self::open_edges), for one edge; ends with [`close`](Self::close).
    pub(super) fn open_edge(&mut self, from: &str, to: &str, tooltip: &str) {
        self.open_edges(&[(from, to)], tooltip);
    }

    /// Ends a group.
    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    pub(super) fn ellipse(&mut self, class: &str, ellipse: &Ellipse) {
        let Ellipse { center, rx, ry } = ellipse;
        let (x, y, rx, ry) = (short(center.x), short(center.y), short(*rx), short(*ry));
        let _ = writeln!(
            self.body,
            "<ellipse class=\"{class}\" cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"/>"
        );
    }

    pub(super) fn rect(&mut self, class: &str, rect: &Rect, radius: f64) {
        let (x, y) = (short(rect.left), short(rect.top));
        let (w, h, r) = (short(rect.width), short(rect.height), short(radius));
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
        );
    }

    /// A text; in a name such as `s_6,2` what follows `_` is set low.
    pub(super) fn text(&mut self, font: Font, anchor: Anchor, place: Point, text: &str) {
        let width = text_width(text, font.size());
        let (word, left) = match anchor {
            Anchor::Start => ("start", place.x),
            Anchor::Middle => ("middle", place.x - width / 2.0),
            Anchor::End => ("end", place.x - width),
        };
        self.texts
            .push(Rect::new(left, place.y - font.size() * 0.8, width, font.size()));
        let (x, y, class) = (short(place.x), short(place.y), font.class());
        let inside = if matches!(font, Font::Name | Font::InnerName) {
            subscripted(text)
        } else {
            escaped(text)
        };
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{word}\">{inside}</text>"
        );
    }

    /// A path along a curve, with an arrow's tip of the class unless the class has none.
    pub(super) fn path(&mut self, class: &str, tip: Option<&str>, curve: &Curve) {
        self.chain(class, tip, &[*curve]);
    }

    /// A path along curves of which each begins where the one before ends.
    pub(super) fn chain(&mut self, class: &str, tip: Option<&str>, curves: &[Curve]) {
        let Some(first) = curves.first() else {
            return;
        };
        let pair = |p: Point| format!("{} {}", short(p.x), short(p.y));
        let mut d = format!("M{}", pair(first.0[0]));
        for Curve([_, b, c, end]) in curves {
            let _ = write!(d, " C{} {} {}", pair(*b), pair(*c), pair(*end));
        }
        let marker = tip.map_or_else(String::new, |tip| format!(" marker-end=\"url(#tip-{tip})\""));
        let _ = writeln!(self.body, "<path class=\"{class}\" d=\"{d}\"{marker}/>");
        self.tips.extend(tip.map(str::to_owned));
        self.last_path = self.edges.len();
        self.edges.extend(curves.iter().map(|curve| (*curve, None)));
    }

    /// A label on the path drawn last, on a small plate.
    pub(super) fn pill(&mut self, class: &str, place: Point, text: &str) {
        self.plate(Font::Rule, class, place, text);
    }

    /// As [`pill`](Self::pill), in a font.
    pub(super) fn plate(&mut self, font: Font, class: &str, place: Point, text: &str) {
        let plate = Rect::around(place, text_width(text, font.size()) + 12.0, 18.0);
        self.rect(&format!("pill {class}"), &plate, 9.0);
        self.text(font, Anchor::Middle, place.moved(0.0, 4.0), text);
        if let Some(room) = self.texts.last_mut() {
            *room = plate;
        }
        let label = Some(self.texts.len() - 1);
        for edge in self.edges.iter_mut().skip(self.last_path) {
            edge.1 = label;
        }
    }

    /// The whole document.
    pub(super) fn finish(&self, width: f64, height: f64, title: &str, description: &str) -> String {
        let (width, height) = (short(width), short(height));
        let tips: String = self.tips.iter().map(|class| tip(class)).collect();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n\
             <defs>\n{tips}</defs>\n\
             <rect class=\"paper\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escaped(title),
            escaped(description),
            self.body,
        )
    }
}

fn tip(class: &str) -> String {
    format!(
        "<marker id=\"tip-{class}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{class}-tip\" d=\"M0 1 L10 5 L0 9 z\"/></marker>\n"
    )
}

/// A length with one decimal at the most.
pub(crate) fn short(length: f64) -> String {
    let rounded = (length * 10.0).round() / 10.0;
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// `s_6,2` with `6,2` set low.
fn subscripted(name: &str) -> String {
    match name.split_once('_') {
        None => escaped(name),
        Some((letter, low)) => format!(
            "{}<tspan dy=\"0.3em\" font-size=\"72%\">{}</tspan>",
            escaped(letter),
            escaped(low)
        ),
    }
}

/// A text as XML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_forbidden_characters_replaced() {
        assert_eq!(
            escaped("<a href=\"x\">&'\u{0}\u{b}]]>"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&apos;��]]&gt;"
        );
    }

    #[test]
    fn lengths_have_one_decimal_and_no_minus_zero() {
        assert_eq!([short(1.25), short(-0.01), short(3.0)], ["1.3", "0", "3"]);
    }
}
