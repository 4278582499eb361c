//! The archive: description, library, and the model's texts as resources.

use crate::{describe_fmi2, describe_fmi3};
use dyverse_block::{INDEX, Source};
use std::fmt;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// Why an archive cannot be written.
#[derive(Debug)]
pub enum FmuError {
    /// The library cannot run on a platform that FMI has a name for.
    Platform(String),
    /// It could not be written.
    Io(std::io::Error),
}

impl fmt::Display for FmuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FmuError::Platform(what) => write!(f, "FMI has no name for the platform {what}"),
            FmuError::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FmuError {}

impl From<std::io::Error> for FmuError {
    fn from(error: std::io::Error) -> Self {
        FmuError::Io(error)
    }
}

impl From<zip::result::ZipError> for FmuError {
    fn from(error: zip::result::ZipError) -> Self {
        FmuError::Io(error.into())
    }
}

/// The name of the library inside an archive, from the model's name: a C identifier.
pub fn identifier(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "m_");
    }
    text
}

/// What the library's file is called where it was built: on Linux `libdyverse_fmi.so`.
pub fn library_name() -> String {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    format!("{DLL_PREFIX}dyverse_fmi{DLL_SUFFIX}")
}

/// The folder of the library, and the ending of its file.
fn platform(version: Version) -> Result<(String, &'static str), FmuError> {
    use std::env::consts::{ARCH, OS};
    let system = match (version, OS) {
        (_, "linux") => "linux",
        (_, "macos") => "darwin",
        (Version::Two, "windows") => "win",
        (Version::Three, "windows") => "windows",
        _ => return Err(FmuError::Platform(format!("{ARCH} {OS}"))),
    };
    let ending = match OS {
        "linux" => "so",
        "macos" => "dylib",
        _ => "dll",
    };
    let folder = match (version, ARCH) {
        (Version::Two, "x86_64") => format!("{system}64"),
        (Version::Two, "x86") => format!("{system}32"),
        (Version::Three, "x86_64" | "x86" | "aarch64" | "aarch32" | "riscv64") => format!("{ARCH}-{system}"),
        _ => return Err(FmuError::Platform(format!("{ARCH} {OS}"))),
    };
    Ok((folder, ending))
}

/// Writes an archive.
///
/// # Errors
/// [`FmuError`]: a platform without a name, or what went wrong while writing.
pub fn write_fmu(
    source: &Source,
    version: Version,
    library: &[u8],
    out: &mut dyn Write,
) -> Result<(), FmuError> {
    let (folder, ending) = platform(version)?;
    let identifier = identifier(&source.description.name);
    let token = source.pack.token();
    let description = match version {
        Version::Two => describe_fmi2(&source.description, &token, &identifier),
        Version::Three => describe_fmi3(&source.description, &token, &identifier),
    };
    // No times in it: the same model gives the same bytes.
    let plain = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    let runnable = plain.unix_permissions(0o755);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, bytes: &[u8], options| -> Result<(), FmuError> {
        archive.start_file(name, options)?;
        archive.write_all(bytes)?;
        Ok(())
    };
    add("modelDescription.xml", description.as_bytes(), plain)?;
    add(
        &format!("binaries/{folder}/{identifier}.{ending}"),
        library,
        runnable,
    )?;
    add(
        &format!("resources/{INDEX}"),
        source.pack.index().as_bytes(),
        plain,
    )?;
    for (place, (_, bytes)) in source.pack.files.iter().enumerate() {
        let name = format!("resources/{}", source.pack.stored_name(place));
        add(&name, bytes, plain)?;
    }
    let archive = archive.finish()?;
    out.write_all(archive.get_ref())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn identifiers_are_of_c() {
        assert_eq!(identifier("three_balls"), "three_balls");
        assert_eq!(identifier("3 bälle-x"), "m_3_b_lle_x");
        assert_eq!(identifier(""), "m_");
    }
}
