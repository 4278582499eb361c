//! Drawings as PNG pictures: they decode, have the size that was asked for, show texts, and read nothing.
#![cfg(feature = "png")]
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use crate::support;

use dyverse_export::{PlotOptions, PngError, svg_to_png, trace_plot, write_svg};
use dyverse_machine::GraphKind::Complete;
use dyverse_trace::{Balance, Sample, Signal, Statistics, Stop, StopReason, SuperdenseTime, Trace};
use resvg::tiny_skia::Pixmap;
use support::{balls, written};

fn automaton(count: usize) -> String {
    written(&balls(count), Complete, |out, subject| write_svg(out, subject))
}

fn pixels(svg: &str, scale: f64) -> Pixmap {
    Pixmap::decode_png(&svg_to_png(svg, scale).unwrap()).unwrap()
}

/// How many pixels of a rectangle are dark.
fn dark(picture: &Pixmap, x: std::ops::Range<u32>, y: std::ops::Range<u32>) -> usize {
    let is_dark = |x, y| {
        picture
            .pixel(x, y)
            .is_some_and(|p| u16::from(p.red()) + u16::from(p.green()) < 200)
    };
    y.flat_map(|y| x.clone().map(move |x| (x, y)))
        .filter(|(x, y)| is_dark(*x, *y))
        .count()
}

#[test]
fn a_picture_has_its_size_and_shows_texts_on_white() {
    let svg = automaton(2);
    for scale in [0.5, 1.0, 2.0] {
        let picture = pixels(&svg, scale);
        assert_eq!(
            (picture.width(), picture.height()),
            ((1180.0 * scale) as u32, (972.0 * scale) as u32)
        );
        let corner = picture.pixel(0, 0).unwrap();
        assert_eq!(
            [corner.red(), corner.green(), corner.blue(), corner.alpha()],
            [255; 4]
        );
    }
    // The title stands at (24, 34) in bold 18.
    let picture = pixels(&svg, 1.0);
    assert!(dark(&picture, 24..400, 18..40) > 300);
    assert_eq!(dark(&picture, 700..1100, 18..40), 0);
    assert_eq!(svg_to_png(&svg, 1.0).unwrap(), svg_to_png(&svg, 1.0).unwrap());
}

/// Every character that drawings use is in the font: it does not look like one that no font has.
#[test]
fn the_font_has_what_drawings_use() {
    let of = |text: &str| {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"40\"><text x=\"8\" y=\"28\" font-family=\"DejaVu Sans\" \
             font-size=\"20\">{text}</text></svg>"
        );
        svg_to_png(&svg, 1.0).unwrap()
    };
    let (missing, empty) = (of("\u{10ffff}"), of(""));
    for c in "aZ09λμΦΛΔεġΣ∀∃∈∧∨≤≥≠→∞·–…⋮∅∫⁻¹ᵀ₀₁�'".chars() {
        let picture = of(&c.to_string());
        assert!(picture != missing && picture != empty, "{c} is not in the font");
    }
    assert_ne!(of("u\u{307}"), of("u"));
}

#[test]
fn a_million_samples_are_drawn() {
    let sample = |i: u32| Sample {
        time: SuperdenseTime::at(f64::from(i) * 1e-5).unwrap(),
        values: vec![(f64::from(i) * 1e-4).sin()],
    };
    let samples: Vec<Sample> = (0..1_000_000).map(sample).collect();
    let trace = Trace {
        system: "</text><image href=\"file:///dev/zero\"/>".into(),
        parameters: vec![],
        seed: 0,
        signals: vec![Signal {
            name: "x<&\u{202e}".into(),
            unit: "m".into(),
        }],
        dropped: dyverse_trace::Tally::default(),
        stop: Stop {
            reason: StopReason::HorizonReached,
            time: samples[999_999].time,
        },
        samples,
        pieces: vec![],
        transitions: vec![],
        balance: Balance::default(),
        impact_gains: Vec::new(),
        stepping: Vec::new(),
        statistics: Statistics::default(),
    };
    let svg = trace_plot(&trace, &PlotOptions::default()).unwrap();
    let picture = pixels(&svg, 1.5);
    assert_eq!(picture.width(), 1140);
    let is_blue = |p: &&resvg::tiny_skia::PremultipliedColorU8| p.blue() > 150 && p.red() < 60;
    assert!(picture.pixels().iter().filter(is_blue).count() > 1000);
}

#[test]
fn nothing_outside_the_drawing_is_read() {
    let svg = |inside: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"40\"><rect width=\"9\" height=\"9\"/>{inside}</svg>"
        )
    };
    let plain = svg_to_png(&svg(""), 1.0).unwrap();
    let inner = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'%3E%3Crect width='9' height='9'/%3E%3C/svg%3E";
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/logo.svg");
    for href in [inner, own, "file:///dev/zero", "http://localhost/x.png"] {
        let image = format!("<image x=\"20\" width=\"20\" height=\"20\" href=\"{href}\"/>");
        assert_eq!(svg_to_png(&svg(&image), 1.0).unwrap(), plain, "{href}");
    }
}

#[test]
fn what_cannot_be_drawn_is_explained() {
    let svg = automaton(1);
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(svg_to_png(&svg, scale), Err(PngError::Scale));
    }
    assert!(matches!(svg_to_png(&svg, 1e4), Err(PngError::TooLarge { .. })));
    assert!(matches!(svg_to_png("<svg", 1.0), Err(PngError::Svg { .. })));
}
