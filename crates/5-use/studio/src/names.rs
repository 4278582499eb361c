//! Names of files as the page gives them: paths below the folder with `/` between their parts, and nothing that a system reads otherwise.

use std::path::{Path, PathBuf};

/// Bytes of a path at the most.
const LONGEST_PATH: usize = 1024;
/// Bytes of one of its parts at the most.
const LONGEST_PART: usize = 200;
/// Parts at the most.
const MOST_PARTS: usize = 32;
/// Names that are devices on Windows, whatever their ending.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// What a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `.drbt`: rigid bodies.
    Bodies,
    /// `.dam`: actors.
    Actors,
}

impl Kind {
    /// By the ending of a name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        match Path::new(name).extension()?.to_str()? {
            "drbt" => Some(Kind::Bodies),
            "dam" => Some(Kind::Actors),
            _ => None,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Bodies => "bodies",
            Kind::Actors => "actors",
        }
    }
}

/// A path of a model below the folder, or why it is none.
pub(crate) fn model_path(name: &str) -> Result<PathBuf, String> {
    let path = plain_path(name)?;
    match Kind::of(name) {
        Some(_) => Ok(path),
        None => Err("a model's file ends in .drbt or .dam".into()),
    }
}

/// A path below the folder without tricks, or why it has one.
pub(crate) fn plain_path(name: &str) -> Result<PathBuf, String> {
    if name.is_empty() || name.len() > LONGEST_PATH {
        return Err("a path has 1 to 1024 bytes".into());
    }
    let parts: Vec<&str> = name.split('/').collect();
    if parts.len() > MOST_PARTS {
        return Err("this path is too deep".into());
    }
    for part in &parts {
        check_part(part)?;
    }
    Ok(parts.iter().collect())
}

/// Whether the parts of a path may be looked into; what begins with a dot is not the studio's business.
pub(crate) fn is_plain_part(part: &str) -> bool {
    check_part(part).is_ok()
}

fn check_part(part: &str) -> Result<(), String> {
    if part.is_empty() || part == "." || part == ".." {
        return Err("a path leads down from the folder, without `..`".into());
    }
    if part.len() > LONGEST_PART {
        return Err("this name is too long".into());
    }
    if part.starts_with('.') || part.ends_with(['.', ' ']) || part.starts_with(' ') {
        return Err("a name neither begins nor ends with a dot or a blank".into());
    }
    let is_strange = |c: char| c.is_control() || is_invisible(c) || r#"\:*?"<>|"#.contains(c);
    if part.contains(is_strange) {
        return Err(r#"a name has no \ : * ? " < > | and no control characters"#.into());
    }
    let stem = part
        .split('.')
        .next()
        .unwrap_or(part)
        .trim_end()
        .to_ascii_lowercase();
    let is_port = |prefix: &str| {
        let number = stem.strip_prefix(prefix).map(|n| n.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    if DEVICES.contains(&stem.as_str()) || is_port("com") || is_port("lpt") {
        return Err(format!("`{part}` is the name of a device on some systems"));
    }
    Ok(())
}

/// Characters that change how a name is read without being seen: directions, joiners, byte order marks.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_below_the_folder_have_names() {
        for name in [
            "a.drbt",
            "b/c.dam",
            "Kugel läuft.drbt",
            "a.b.c/d-e_f.drbt",
            "console.dam",
        ] {
            assert_eq!(model_path(name), Ok(PathBuf::from(name)), "{name}");
        }
    }

    #[test]
    fn names_with_tricks_are_refused() {
        let long = format!("{}.drbt", "a".repeat(300));
        let deep = format!("{}x.drbt", "a/".repeat(40));
        for name in [
            "",
            ".",
            "..",
            "../a.drbt",
            "a/../../b.drbt",
            "/etc/a.drbt",
            "//host/a.drbt",
            "a//b.drbt",
            "./a.drbt",
            "a/./b.drbt",
            "C:\\a.drbt",
            "C:a.drbt",
            "..\\a.drbt",
            "a\0.drbt",
            "a.drbt\0.txt",
            "a\n.drbt",
            ".git/a.drbt",
            ".a.drbt",
            "nul.drbt",
            "a/CON.drbt",
            "com1.dam",
            "Com¹.dam",
            "lpt9.x.dam",
            "a.drbt.",
            "a.drbt ",
            " a.drbt",
            "a/ /b.drbt",
            "a.txt",
            "a",
            "drbt",
            "a.drbt/",
            "\u{202e}a.drbt",
            "a.drbt::$DATA",
            &long,
            &deep,
        ] {
            assert!(model_path(name).is_err(), "{name:?}");
        }
    }
}
