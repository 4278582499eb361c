//! Drawings of partitions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use dyverse_export::{Region, RegionKind, Regions, partition_svg};

fn region(sides: &[(f64, f64)], kind: RegionKind) -> Region {
    Region {
        sides: sides.to_vec(),
        kind,
    }
}

fn band() -> Regions {
    Regions {
        title: "a <b> & \"c\"".into(),
        axes: vec![("K".into(), 1.0, 3.0)],
        regions: vec![
            region(&[(1.0, 2.0)], RegionKind::Unsafe),
            region(&[(2.0, 2.000_001)], RegionKind::Undecided),
            region(&[(2.000_001, 3.0)], RegionKind::Safe),
        ],
    }
}

/// Horizontal spans of the rectangles of a kind, the legend's left out.
fn spans(svg: &str, mark: (&str, &str)) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let number =
        |node: &roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
    document
        .descendants()
        .filter(|n| n.tag_name().name() == "rect" && n.attribute(mark.0) == Some(mark.1))
        .filter(|n| n.attribute("y").is_some_and(|y| y != "40"))
        .map(|n| (number(&n, "x"), number(&n, "x") + number(&n, "width")))
        .collect()
}

/// Oracle: a band of 680 pixels from x = 40 on, so that 2 is at 380.
#[test]
fn a_band_shows_every_part_where_it_is() {
    let svg = partition_svg(&band());
    assert_eq!(spans(&svg, ("fill", "url(#stripes)")), [(40.0, 380.0)]);
    assert_eq!(spans(&svg, ("class", "safe")), [(380.0, 720.0)]);
    let open = spans(&svg, ("class", "undecided"));
    assert_eq!(open, [(380.0, 381.0)], "one pixel at the least");
    assert!(
        svg.find("class=\"safe\" x=\"380\"") < svg.find("class=\"undecided\" x=\"380\""),
        "and on top"
    );
    assert!(svg.contains("a &lt;b&gt; &amp; &quot;c&quot;") && !svg.contains("<b>"));
    assert_eq!(svg, partition_svg(&band()));
}

/// Oracle: a map of 480 pixels; the upper half is above.
#[test]
fn a_map_has_its_second_axis_upwards() {
    let map = Regions {
        title: "map".into(),
        axes: vec![("e".into(), 0.0, 1.0), ("h".into(), 0.0, 2.0)],
        regions: vec![
            region(&[(0.0, 1.0), (0.0, 1.0)], RegionKind::Safe),
            region(&[(0.0, 1.0), (1.0, 2.0)], RegionKind::Unsafe),
        ],
    };
    let svg = partition_svg(&map);
    let document = roxmltree::Document::parse(&svg).unwrap();
    let y = |mark: (&str, &str)| -> f64 {
        let mut all = document
            .descendants()
            .filter(|n| n.attribute(mark.0) == Some(mark.1) && n.attribute("y").is_some());
        all.next_back().unwrap().attribute("y").unwrap().parse().unwrap()
    };
    assert_eq!(y(("class", "safe")) - y(("fill", "url(#stripes)")), 240.0);
    assert!(svg.contains(">e</text>") && svg.contains(">h</text>"));
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let odd = Regions {
        axes: vec![("K".into(), 1.0, 1.0), ("L".into(), 0.0, f64::INFINITY)],
        ..band()
    };
    assert!(roxmltree::Document::parse(&partition_svg(&odd)).is_ok());
    let none = Regions {
        axes: Vec::new(),
        ..band()
    };
    assert!(roxmltree::Document::parse(&partition_svg(&none)).is_ok());
}
