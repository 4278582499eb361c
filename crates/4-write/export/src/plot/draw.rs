//! The drawing: panels with frames, ticks and legends, and the strokes in them.

use super::curve::{Place, Point, Strokes, over_microsteps, over_time};
use super::scale::{Range, Window};
use super::style::{STYLE, colour_class, line_classes};
use super::{PlotAxis, PlotOptions};
use crate::svg::{escaped, short, text_width};
use dyverse_trace::{SignalId, Trace};
use std::fmt::Write;

/// Room left of the frames, for the labels of ticks.
const LEFT: f64 = 68.0;
/// Room right of the frames.
const RIGHT: f64 = 28.0;
/// Height of a row of a legend.
const ROW: f64 = 20.0;
/// Room for the title.
const HEAD: f64 = 36.0;
/// Room below the last panel.
const FOOT: f64 = 46.0;
/// Room between panels.
const BETWEEN: f64 = 14.0;
/// Places outside the window are kept within this, in pixels.
const BEYOND: f64 = 1e5;
/// Length of the lines in legends.
const SAMPLE: f64 = 30.0;

/// The rectangle in which a panel's signals are drawn.
#[derive(Clone, Copy, Debug)]
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn x(&self, part: f64) -> f64 {
        self.left + part * self.width
    }

    fn y(&self, part: f64) -> f64 {
        self.top + (1.0 - part) * self.height
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// The whole document.
pub(super) fn document(
    trace: &Trace,
    panels: &[Vec<SignalId>],
    window: &Window,
    options: &PlotOptions,
) -> String {
    let width = options.width.clamp(240.0, 4000.0);
    let height = options.panel_height.clamp(60.0, 2000.0);
    let title = options.title.as_deref().unwrap_or(&trace.system);
    let mut body = String::new();
    let _ = writeln!(
        body,
        "<text class=\"head\" x=\"{}\" y=\"24\">{}</text>",
        short(LEFT),
        escaped(title)
    );
    let mut top = HEAD;
    if let Some(caption) = caption(trace, options) {
        let _ = writeln!(
            body,
            "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
            short(LEFT),
            short(top + 5.0),
            escaped(&cut(&caption, width - LEFT - RIGHT))
        );
        top += ROW;
    }
    for (k, panel) in panels.iter().enumerate() {
        let legend = legend_rows(trace, panel, width - LEFT - RIGHT);
        let frame = Frame {
            left: LEFT,
            top: top + ROW * legend.len() as f64 + 4.0,
            width: width - LEFT - RIGHT,
            height,
        };
        draw_legend(&mut body, &legend, top);
        draw_panel(&mut body, trace, panel, window, frame, k);
        if k + 1 == panels.len() {
            draw_axis(&mut body, window, frame);
        }
        top = frame.bottom() + BETWEEN;
    }
    finish(
        &body,
        width,
        top - BETWEEN + FOOT,
        title,
        &description(trace, panels, options),
    )
}

/// That it is not all of the run that was asked for, and why. Microsteps of one instant are what they are.
fn caption(trace: &Trace, options: &PlotOptions) -> Option<String> {
    let stop = &trace.stop;
    if stop.reason.is_complete() || matches!(options.axis, PlotAxis::Microsteps { .. }) {
        return None;
    }
    let t = stop.time.t();
    Some(format!(
        "stopped before the horizon, at t = {t} s: {}",
        stop.reason
    ))
}

/// As much of a text as there is room for; the description has all of it.
fn cut(text: &str, room: f64) -> String {
    // More never fits.
    let mut shown: String = text.chars().take(1000).collect();
    while text_width(&shown, 12.0) > room && shown.chars().count() > 2 {
        shown.truncate(shown.trim_end_matches('…').len());
        shown.pop();
        shown.push('…');
    }
    shown
}

/// For readers that do not see the drawing.
fn description(trace: &Trace, panels: &[Vec<SignalId>], options: &PlotOptions) -> String {
    let names: Vec<&str> = panels.iter().flatten().map(|id| name(trace, *id)).collect();
    let over = match (&options.axis_label, options.axis) {
        (Some(label), _) => label.as_str(),
        (None, PlotAxis::Microsteps { .. }) => "microsteps",
        (None, PlotAxis::Whole | PlotAxis::Span { .. }) => "time",
    };
    let caption = caption(trace, options).map_or_else(String::new, |text| format!("; {text}"));
    format!("{} over {over}{caption}", names.join(", "))
}

fn finish(body: &str, width: f64, height: f64, title: &str, description: &str) -> String {
    let (width, height) = (short(width), short(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        escaped(title),
        escaped(description),
    )
}

fn name(trace: &Trace, id: SignalId) -> &str {
    trace.signals.get(id.0 as usize).map_or("", |s| s.name.as_str())
}

/// An entry of a legend: its place in the row, the signal's place in the panel, its words.
type Entry = (f64, usize, String);

fn legend_rows(trace: &Trace, panel: &[SignalId], room: f64) -> Vec<Vec<Entry>> {
    let mut rows: Vec<Vec<Entry>> = vec![Vec::new()];
    let mut x = 0.0;
    for (place, id) in panel.iter().enumerate() {
        let unit = trace.signals.get(id.0 as usize).map_or("", |s| s.unit.as_str());
        let words = match unit {
            "" => name(trace, *id).to_owned(),
            unit => format!("{}, {unit}", name(trace, *id)),
        };
        let width = SAMPLE + 6.0 + text_width(&words, 12.0) + 18.0;
        if x > 0.0 && x + width > room {
            rows.push(Vec::new());
            x = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, place, words));
        }
        x += width;
    }
    rows
}

fn draw_legend(body: &mut String, rows: &[Vec<Entry>], top: f64) {
    for (k, row) in rows.iter().enumerate() {
        let y = top + ROW * k as f64 + 10.0;
        for (x, place, words) in row {
            let x = LEFT + x;
            let _ = writeln!(
                body,
                "<path class=\"line {}\" d=\"M{} {}h{}\"/><text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
                line_classes(*place),
                short(x),
                short(y),
                short(SAMPLE),
                short(x + SAMPLE + 6.0),
                short(y + 4.0),
                escaped(words)
            );
        }
    }
}

fn draw_panel(body: &mut String, trace: &Trace, panel: &[SignalId], window: &Window, frame: Frame, k: usize) {
    let shown = trace.samples.get(window.samples.clone()).unwrap_or_default();
    let value = |values: &[f64], id: &SignalId| values.get(id.0 as usize).copied().unwrap_or(f64::NAN);
    let inside = |x: f64| (window.range.low..=window.range.high).contains(&x);
    let in_view = shown.iter().filter(|s| inside(window.place(s.time)));
    let values = in_view.flat_map(|s| panel.iter().map(move |id| value(&s.values, id)));
    let range = Range::around(values, (frame.height / 25.0).floor());
    draw_grid(body, window, &range, frame);
    let _ = writeln!(
        body,
        "<clipPath id=\"panel-{k}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
         <g clip-path=\"url(#panel-{k})\">",
        short(frame.left - 3.0),
        short(frame.top - 3.0),
        short(frame.width + 6.0),
        short(frame.height + 6.0)
    );
    let zero = frame.y(range.part(0.0).clamp(0.0, 1.0));
    for (place, id) in panel.iter().enumerate() {
        let mut instant = 0;
        let mut last = f64::NAN;
        let points: Vec<Point> = shown
            .iter()
            .map(|sample| {
                instant += usize::from(sample.time.t() != last);
                last = sample.time.t();
                let v = value(&sample.values, id);
                Point {
                    x: rounded(
                        frame
                            .x(window.range.part(window.place(sample.time)))
                            .clamp(-BEYOND, BEYOND),
                    ),
                    y: v.is_finite()
                        .then(|| rounded(frame.y(range.part(v)).clamp(-BEYOND, BEYOND))),
                    instant,
                }
            })
            .collect();
        let strokes = if window.is_instant {
            over_microsteps(&points)
        } else {
            over_time(&points)
        };
        draw_strokes(body, &strokes, place, zero);
    }
    body.push_str("</g>\n");
    if shown.is_empty() {
        let (x, y) = (short(frame.x(0.5)), short(frame.y(0.5)));
        let _ = writeln!(
            body,
            "<text class=\"tick\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">no samples</text>"
        );
    }
}

/// To a tenth of a pixel: what is drawn does not depend on the last bits of a number.
fn rounded(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

fn draw_grid(body: &mut String, window: &Window, range: &Range, frame: Frame) {
    let (left, right) = (short(frame.left), short(frame.left + frame.width));
    let mut grid = String::new();
    for (value, _) in &window.range.ticks {
        let x = short(frame.x(window.range.part(*value)));
        let _ = write!(grid, "M{x} {}V{}", short(frame.top), short(frame.bottom()));
    }
    let mut labels = String::new();
    for (value, label) in &range.ticks {
        let y = frame.y(range.part(*value));
        let _ = write!(grid, "M{left} {}H{right}", short(y));
        let _ = writeln!(
            labels,
            "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>",
            short(frame.left - 6.0),
            short(y + 4.0)
        );
    }
    let _ = writeln!(body, "<path class=\"grid\" d=\"{grid}\"/>");
    if range.low < 0.0 && range.high > 0.0 {
        let y = short(frame.y(range.part(0.0)));
        let _ = writeln!(body, "<path class=\"zero\" d=\"M{left} {y}H{right}\"/>");
    }
    let _ = write!(
        body,
        "<rect class=\"frame\" x=\"{left}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n{labels}",
        short(frame.top),
        short(frame.width),
        short(frame.height)
    );
}

/// The labels of the horizontal axis, below the last panel.
fn draw_axis(body: &mut String, window: &Window, frame: Frame) {
    for (value, label) in &window.range.ticks {
        let _ = writeln!(
            body,
            "<text class=\"tick\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            short(frame.x(window.range.part(*value))),
            short(frame.bottom() + 16.0)
        );
    }
    let _ = writeln!(
        body,
        "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        short(frame.x(0.5)),
        short(frame.bottom() + 34.0),
        escaped(&window.label)
    );
}

fn draw_strokes(body: &mut String, strokes: &Strokes, place: usize, zero: f64) {
    let colour = colour_class(place);
    let at = |(x, y): &Place| format!("{} {}", short(*x), short(*y));
    let lines: String = strokes.lines.iter().map(|line| path_of(line)).collect();
    let jumps: String = strokes
        .jumps
        .iter()
        .map(|(a, b)| format!("M{}L{}", at(a), at(b)))
        .collect();
    let stems: String = strokes
        .stems
        .iter()
        .map(|(x, y)| format!("M{} {}V{}", short(*x), short(zero), short(*y)))
        .collect();
    let dots: String = strokes.dots.iter().map(|dot| format!("M{}h0", at(dot))).collect();
    let groups = [
        (format!("line {}", line_classes(place)), lines),
        (format!("jump {colour}"), jumps),
        (format!("stem {colour}"), stems),
        (format!("dot {colour}"), dots),
    ];
    for (class, path) in groups.iter().filter(|(_, path)| !path.is_empty()) {
        let _ = writeln!(body, "<path class=\"{class}\" d=\"{path}\"/>");
    }
}

fn path_of(line: &[Place]) -> String {
    let mut path = String::new();
    for (k, (x, y)) in line.iter().enumerate() {
        let command = match k {
            0 => "M",
            1 => "L",
            _ => " ",
        };
        let _ = write!(path, "{command}{} {}", short(*x), short(*y));
    }
    path
}
