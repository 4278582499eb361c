//! A drawing of this crate as a PNG picture.
//!
//! **In:** the text of an SVG drawing and a scale. **Out:** the bytes of a PNG file, in the colours of a light page.
//!
//! Texts are set in DejaVu Sans, of which the blocks that drawings use are carried along (`assets/fonts`, with their licence): no font of the machine is
//! looked at, so the picture is the same wherever it is made. A character that the font lacks is an empty box.
//!
//! # Guarantee
//! Nothing outside the text is read: references to images and files, and images in data addresses, are ignored. The picture has at most
//! [`MOST_PIXELS`] pixels; a drawing that would need more is refused.

use dyverse_trace::told;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};
use std::borrow::Cow;
use std::sync::Arc;

/// The fonts of all texts: plain and bold.
const FONTS: [&[u8]; 2] = [
    include_bytes!("../assets/fonts/DejaVuSans.ttf"),
    include_bytes!("../assets/fonts/DejaVuSans-Bold.ttf"),
];
const FAMILY: &str = "DejaVu Sans";
/// The most pixels that a picture may have.
const MOST_PIXELS: f64 = 64e6;

told! {
/// Why there is no picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PngError {
    /// The text is no SVG drawing.
    Svg {
        /// What is wrong with it.
        text: String,
    } => "no picture: the drawing is no SVG: {text}";
    /// The scale is not above 0, or not finite.
    Scale => "no picture: the scale must be a number above 0";
    /// The picture would have too many pixels.
    TooLarge {
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    } => "no picture: {} by {} pixels are more than {} million", width.round(), height.round(), MOST_PIXELS / 1e6;
}
}

impl std::error::Error for PngError {}

/// A drawing as a PNG file, `scale` pixels for each unit of its length.
///
/// # Errors
/// A text that is no SVG; a scale that is none, or makes too many pixels.
pub fn svg_to_png(svg: &str, scale: f64) -> Result<Vec<u8>, PngError> {
    if !(scale.is_finite() && scale > 0.0) {
        return Err(PngError::Scale);
    }
    let as_svg = |text: String| PngError::Svg { text };
    let tree =
        Tree::from_str(&on_a_light_page(svg), &options()).map_err(|error| as_svg(error.to_string()))?;
    let side = |length: f32| (f64::from(length) * scale).round().max(1.0);
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    if width * height > MOST_PIXELS {
        return Err(PngError::TooLarge { width, height });
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or(PngError::TooLarge { width, height })?;
    let scale = scale as f32;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| as_svg(error.to_string()))
}

fn options() -> Options<'static> {
    let mut options = Options {
        font_family: FAMILY.to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let fonts = options.fontdb_mut();
    for font in FONTS {
        fonts.load_font_source(resvg::usvg::fontdb::Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family(FAMILY);
    fonts.set_serif_family(FAMILY);
    options
}

/// The drawing without what its style sheet says about dark pages, which is the last thing in it.
fn on_a_light_page(svg: &str) -> Cow<'_, str> {
    // No name gets here: in names `<` is escaped.
    let sheet = svg.find("<style>").and_then(|start| {
        let end = start + svg.get(start..)?.find("</style>")?;
        let dark = start + svg.get(start..end)?.find("@media (prefers-color-scheme:dark)")?;
        Some((dark, end))
    });
    match sheet {
        None => Cow::Borrowed(svg),
        Some((dark, end)) => {
            let kept = [svg.get(..dark), svg.get(end..)];
            Cow::Owned(kept.into_iter().flatten().collect())
        }
    }
}
