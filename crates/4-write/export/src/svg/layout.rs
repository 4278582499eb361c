//! Geometry of drawings: points, rectangles, curves, and how much room text takes.
//!
//! Lengths are in the SVG's own units, y downwards. Widths of text are estimates for sans-serif fonts, on the
//! large side, since the reader's font is not known.

/// A point of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The point (x, y).
pub(super) const fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    pub(super) fn moved(self, dx: f64, dy: f64) -> Self {
        at(self.x + dx, self.y + dy)
    }

    fn mix(self, other: Self, t: f64) -> Self {
        at(self.x + (other.x - self.x) * t, self.y + (other.y - self.y) * t)
    }
}

/// A rectangle along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Rect {
    pub(super) const fn new(left: f64, top: f64, width: f64, height: f64) -> Self {
        Self {
            left,
            top,
            width,
            height,
        }
    }

    pub(super) fn around(center: Point, width: f64, height: f64) -> Self {
        Self::new(center.x - width / 2.0, center.y - height / 2.0, width, height)
    }

    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub(super) fn center(&self) -> Point {
        at(self.left + self.width / 2.0, self.top + self.height / 2.0)
    }
}

/// An ellipse along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipse {
    pub(super) center: Point,
    pub(super) rx: f64,
    pub(super) ry: f64,
}

impl Ellipse {
    pub(super) const fn new(center: Point, rx: f64, ry: f64) -> Self {
        Self { center, rx, ry }
    }

    /// The point of its edge in a direction: degrees from the right, clockwise on the page.
    pub(super) fn edge(&self, degrees: f64) -> Point {
        let (sin, cos) = degrees.to_radians().sin_cos();
        self.center.moved(self.rx * cos, self.ry * sin)
    }
}

/// A cubic Bézier curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Curve(pub(super) [Point; 4]);

impl Curve {
    /// The straight line.
    pub(super) fn line(from: Point, to: Point) -> Self {
        Self([from, from.mix(to, 1.0 / 3.0), from.mix(to, 2.0 / 3.0), to])
    }

    /// From one point to another, bulging by `height` to the left of the way.
    pub(super) fn arc(from: Point, to: Point, height: f64) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let length = dx.hypot(dy).max(1e-9);
        // The controls lie 4/3 as far out as the curve's top.
        let (ux, uy) = (
            dy / length * height * 4.0 / 3.0,
            -dx / length * height * 4.0 / 3.0,
        );
        Self([
            from,
            from.mix(to, 0.25).moved(ux, uy),
            from.mix(to, 0.75).moved(ux, uy),
            to,
        ])
    }

    /// The point at `t` from 0 to 1.
    pub(super) fn point(&self, t: f64) -> Point {
        let [a, b, c, d] = self.0;
        let (ab, bc, cd) = (a.mix(b, t), b.mix(c, t), c.mix(d, t));
        ab.mix(bc, t).mix(bc.mix(cd, t), t)
    }
}

/// The curves along a way of straight lines, its corners rounded.
pub(super) fn rounded(points: &[Point], radius: f64) -> Vec<Curve> {
    let mut curves = Vec::new();
    let Some(mut from) = points.first().copied() else {
        return curves;
    };
    for corner in points.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let reach = |end: Point| {
            let length = (end.x - at.x).hypot(end.y - at.y);
            at.mix(end, (radius / length.max(1e-9)).min(0.5))
        };
        let (start, end) = (reach(before), reach(after));
        curves.push(Curve::line(from, start));
        curves.push(Curve([start, start.mix(at, 0.55), end.mix(at, 0.55), end]));
        from = end;
    }
    if let Some(to) = points.last().filter(|_| points.len() > 1) {
        curves.push(Curve::line(from, *to));
    }
    curves
}

/// About how wide a text is in a font of this size.
pub(crate) fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 't' | 'f' | ' ' | '.' | ',' | ':' | ';' | '(' | ')' | '|' | '\'' => 0.38,
        'm' | 'w' | 'M' | 'W' => 0.92,
        c if c.is_ascii_uppercase() => 0.72,
        c if (c as u32) < 0x2e80 => 0.62,
        _ => 1.05,
    };
    text.chars().map(em).sum::<f64>() * size
}

/// The text, or its beginning and `…` where it is wider than `room`.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&kept, size) + text_width("…", size) > room {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_to_their_room() {
        assert_eq!(fitted("ab", 12.0, 100.0), "ab");
        let cut = fitted(&"ball-wall".repeat(40), 12.0, 100.0);
        assert!(cut.ends_with('…') && text_width(&cut, 12.0) <= 100.0, "{cut}");
    }

    #[test]
    fn an_arc_bulges_to_the_left_of_the_way() {
        let top = Curve::arc(at(0.0, 0.0), at(10.0, 0.0), 3.0).point(0.5);
        assert!((top.y + 3.0).abs() < 1e-9, "{top:?}");
        let middle = Curve::line(at(0.0, 0.0), at(10.0, 4.0)).point(0.5);
        assert_eq!(middle, at(5.0, 2.0));
    }
}
