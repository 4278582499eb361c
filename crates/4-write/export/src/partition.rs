//! A partition of one parameter as a band, of two as a map: an SVG drawing.
//!
//! Safe parts are blue, unsafe ones orange with stripes, undecided ones grey: three lightnesses and a pattern, so that the kinds are told apart without colours as
//! well. Parts narrower than a pixel are drawn one pixel wide, undecided ones last, so that nothing vanishes.
//!
//! # Guarantee
//! The same regions give the same bytes; names are escaped.

use crate::plot::scale::Range;
use crate::svg::{escaped, short};
use std::fmt::Write;

/// What a part of a partition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegionKind {
    /// Proved safe.
    Safe,
    /// Proved unsafe.
    Unsafe,
    /// Neither.
    Undecided,
}

impl RegionKind {
    const ALL: [RegionKind; 3] = [RegionKind::Safe, RegionKind::Unsafe, RegionKind::Undecided];

    fn class(self) -> &'static str {
        match self {
            RegionKind::Safe => "safe",
            RegionKind::Unsafe => "unsafe",
            RegionKind::Undecided => "undecided",
        }
    }
}

/// A part of a partition.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Least and largest value, for each axis.
    pub sides: Vec<(f64, f64)>,
    /// What it is.
    pub kind: RegionKind,
}

/// A partition to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Regions {
    /// Above the drawing.
    pub title: String,
    /// One or two: name, least, largest.
    pub axes: Vec<(String, f64, f64)>,
    /// The parts; those without a side for each axis are not drawn.
    pub regions: Vec<Region>,
}

const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,'Segoe UI',system-ui,sans-serif;fill:#1f2328}
.head{font-size:15px;font-weight:bold}.name{font-size:12px}.tick{font-size:11px;fill:#59636e}
.paper{fill:#ffffff}.frame{fill:none;stroke:#59636e;stroke-width:1}.mark{stroke:#59636e;stroke-width:1}
.safe{fill:#56a0d3}.unsafe{fill:#d55e00}.undecided{fill:#c9ced4}.stripe{stroke:#ffd9bf;stroke-width:1.6}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.tick{fill:#a9b4bf}.paper{fill:#14181d}.frame,.mark{stroke:#a9b4bf}
.safe{fill:#3d7fb0}.unsafe{fill:#d55e00}.undecided{fill:#59636e}}";

/// Where the axes lie in the drawing.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

/// A partition as an SVG drawing: a band for one axis, a map for two; nothing but the title for none.
pub fn partition_svg(regions: &Regions) -> String {
    let is_map = regions.axes.len() > 1;
    let frame = Frame {
        left: if is_map { 92.0 } else { 40.0 },
        top: 64.0,
        width: if is_map { 480.0 } else { 680.0 },
        height: if is_map { 480.0 } else { 60.0 },
    };
    let (width, height) = (frame.left + frame.width + 40.0, frame.top + frame.height + 56.0);
    let mut body = String::new();
    let _ = writeln!(
        body,
        "<text class=\"head\" x=\"{}\" y=\"26\">{}</text>",
        short(frame.left),
        escaped(&regions.title)
    );
    legend(&mut body, &frame);
    for kind in RegionKind::ALL {
        for region in regions.regions.iter().filter(|r| r.kind == kind) {
            rectangle(&mut body, &frame, regions, region);
        }
    }
    let _ = writeln!(
        body,
        "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
        short(frame.left),
        short(frame.top),
        short(frame.width),
        short(frame.height)
    );
    ticks(&mut body, &frame, regions);
    let (width, height) = (short(width), short(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-labelledby=\"title\">\n<title id=\"title\">{}</title>\n<style>{STYLE}</style>\n<defs><pattern id=\"stripes\" width=\"7\" height=\"7\" \
         patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><rect class=\"unsafe\" width=\"7\" height=\"7\"/><path class=\"stripe\" \
         d=\"M0 0V7\"/></pattern></defs>\n<rect class=\"paper\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        escaped(&regions.title)
    )
}

fn fill(kind: RegionKind) -> &'static str {
    match kind {
        RegionKind::Unsafe => "fill=\"url(#stripes)\"",
        RegionKind::Safe => "class=\"safe\"",
        RegionKind::Undecided => "class=\"undecided\"",
    }
}

fn legend(body: &mut String, frame: &Frame) {
    let mut x = frame.left;
    for kind in RegionKind::ALL {
        let _ = writeln!(
            body,
            "<rect {} x=\"{}\" y=\"40\" width=\"14\" height=\"14\"/><text class=\"name\" x=\"{}\" y=\"51\">{}</text>",
            fill(kind),
            short(x),
            short(x + 20.0),
            kind.class()
        );
        x += 90.0;
    }
}

/// From and to in pixels along an axis of this length, one pixel at the least.
fn span((low, high): (f64, f64), axis: &(String, f64, f64), length: f64) -> Option<(f64, f64)> {
    let scale = length / (axis.2 - axis.1);
    let at = |x: f64| ((x - axis.1) * scale).clamp(0.0, length);
    let (from, to) = (at(low), at(high));
    if !(from.is_finite() && to.is_finite()) {
        return None;
    }
    let to = to.max(from + 1.0).min(length);
    Some((from.min(to - 1.0).max(0.0), to))
}

fn rectangle(body: &mut String, frame: &Frame, regions: &Regions, region: &Region) {
    let (Some(axis), Some(side)) = (regions.axes.first(), region.sides.first()) else {
        return;
    };
    let Some((x, right)) = span(*side, axis, frame.width) else {
        return;
    };
    let vertical = match (regions.axes.get(1), region.sides.get(1)) {
        (None, _) => Some((0.0, frame.height)),
        (Some(axis), Some(side)) => span(*side, axis, frame.height),
        (Some(_), None) => None,
    };
    let Some((low, high)) = vertical else { return };
    let _ = writeln!(
        body,
        "<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
        fill(region.kind),
        short(frame.left + x),
        short(frame.top + frame.height - high),
        short(right - x),
        short(high - low)
    );
}

fn ticks(body: &mut String, frame: &Frame, regions: &Regions) {
    let bottom = frame.top + frame.height;
    for (number, axis) in regions.axes.iter().take(2).enumerate() {
        let (name, low, high) = axis;
        if !(low < high && (high - low).is_finite()) {
            continue;
        }
        let length = if number == 0 { frame.width } else { frame.height };
        for (value, label) in Range::new(*low, *high, length / 90.0).ticks {
            let along = (value - low) / (high - low) * length;
            let label = escaped(&label);
            let _ = if number == 0 {
                let x = short(frame.left + along);
                let (y, text) = (short(bottom), short(bottom + 18.0));
                writeln!(
                    body,
                    "<path class=\"mark\" d=\"M{x} {y}v5\"/><text class=\"tick\" x=\"{x}\" y=\"{text}\" text-anchor=\"middle\">{label}</text>"
                )
            } else {
                let (x, y) = (short(frame.left), short(bottom - along));
                let (text_x, text_y) = (short(frame.left - 9.0), short(bottom - along + 4.0));
                writeln!(
                    body,
                    "<path class=\"mark\" d=\"M{x} {y}h-5\"/><text class=\"tick\" x=\"{text_x}\" y=\"{text_y}\" text-anchor=\"end\">{label}</text>"
                )
            };
        }
        let name = escaped(name);
        let _ = if number == 0 {
            let (x, y) = (short(frame.left + frame.width / 2.0), short(bottom + 40.0));
            writeln!(
                body,
                "<text class=\"name\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>"
            )
        } else {
            let (x, y) = (short(frame.left - 66.0), short(frame.top + frame.height / 2.0));
            writeln!(
                body,
                "<text class=\"name\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\">{name}</text>"
            )
        };
    }
}
