//! The archive: unpacked to a folder of its own, which is removed at the end.
//!
//! # Guarantee
//! Nothing is written outside that folder: names that lead out of it, and links, are refused. At most [`MOST_FILES`] files and [`MOST_BYTES`] bytes are unpacked, whatever the
//! archive says about their sizes.

use crate::description::{Description, LARGEST};
use crate::{ImportError, Version};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;
use zip::ZipArchive;

/// Files of an archive at the most.
const MOST_FILES: usize = 20_000;
/// Bytes of an unpacked archive at the most.
const MOST_BYTES: u64 = 4 << 30;

type Archive = ZipArchive<BufReader<File>>;

/// An archive on disk.
#[derive(Debug)]
pub(crate) struct Unpacked {
    folder: TempDir,
}

/// The folders of all archives on disk.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what is unpacked, for a program that ends at once: from now on nothing can be unpacked.
pub fn remove_unpacked() {
    let folders = folders();
    for folder in folders.iter() {
        let _ = std::fs::remove_dir_all(folder);
    }
    // Whoever unpacks waits for the end.
    std::mem::forget(folders);
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        let mut folders = folders();
        let _ = std::fs::remove_dir_all(self.folder.path());
        folders.retain(|folder| folder != self.folder.path());
    }
}

fn open(path: &Path) -> Result<Archive, ImportError> {
    if path.is_dir() {
        return Err(ImportError::new("it is a folder").with_help("name an .fmu file"));
    }
    let file = File::open(path).map_err(|error| ImportError::new(error.to_string()))?;
    ZipArchive::new(BufReader::new(file)).map_err(
        |error| refused!("it is no archive: {error}"; help "an FMU is a zip archive, unpacked by nobody"),
    )
}

/// What an FMU says about itself; nothing of it is unpacked or run.
///
/// # Errors
/// A file that cannot be read, is no archive, or has no description that can be understood.
pub fn describe(path: &Path) -> Result<Description, ImportError> {
    let mut archive = open(path)?;
    let file = archive.by_name("modelDescription.xml").map_err(
        |error| refused!("it has no modelDescription.xml: {error}"; help "such an archive is no FMU"),
    )?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| ImportError::new(format!("modelDescription.xml: {error}")))?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused!("modelDescription.xml has more than {LARGEST} bytes"));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| ImportError::new("modelDescription.xml is not UTF-8 text"))?;
    Description::parse(text.trim_start_matches('\u{feff}'))
}

impl Unpacked {
    /// Unpacks an archive.
    pub(crate) fn new(path: &Path) -> Result<Self, ImportError> {
        let mut archive = open(path)?;
        if archive.len() > MOST_FILES {
            return Err(refused!(
                "it has {} files; {MOST_FILES} are unpacked at the most",
                archive.len()
            ));
        }
        let unpacked = {
            let mut folders = folders();
            let folder = tempfile::Builder::new()
                .prefix("dyverse-fmu-")
                .tempdir()
                .map_err(|error| ImportError::new(format!("no folder to unpack it: {error}")))?;
            folders.push(folder.path().to_owned());
            Unpacked { folder }
        };
        let mut left = MOST_BYTES;
        for place in 0..archive.len() {
            let folders = folders();
            let done = unpack(&mut archive, place, unpacked.folder.path(), &mut left);
            drop(folders);
            done?;
        }
        Ok(unpacked)
    }

    /// The folder of its resources.
    pub(crate) fn resources(&self) -> PathBuf {
        self.folder.path().join("resources")
    }

    /// The library for this machine.
    pub(crate) fn library(&self, version: Version, identifier: &str) -> Result<PathBuf, ImportError> {
        let binaries = self.folder.path().join("binaries");
        let (folder, ending) = platform(version)?;
        let path = binaries.join(folder).join(format!("{identifier}.{ending}"));
        if path.is_file() {
            return Ok(path);
        }
        let mut others: Vec<String> = std::fs::read_dir(&binaries)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        others.sort();
        let what = format!("it has no library for this machine, binaries/{folder}/{identifier}.{ending}");
        Err(match others.as_slice() {
            [] => ImportError::new(what).with_help(
                "it holds no binaries at all; one with sources only has to be compiled by the tool that made it",
            ),
            others => ImportError::new(format!("{what}; it has binaries for {}", others.join(", ")))
                .with_help("export it for this platform"),
        })
    }
}

fn unpack(archive: &mut Archive, place: usize, folder: &Path, left: &mut u64) -> Result<(), ImportError> {
    let mut file = archive
        .by_index(place)
        .map_err(|error| ImportError::new(format!("its entry {place}: {error}")))?;
    let name = match file.name() {
        Ok(name) => name.into_owned(),
        Err(error) => {
            return Err(refused!("its entry {place} has no name: {error}"));
        }
    };
    let bad = |what: &dyn std::fmt::Display| ImportError::new(format!("its entry {name:?}: {what}"));
    let inside = file.enclosed_name().filter(|_| !is_outside(&name));
    let Some(inside) = inside else {
        return Err(bad(&"the name leads out of the archive").with_help("do not trust this file"));
    };
    if file.is_symlink() {
        return Err(bad(&"it is a link").with_help("do not trust this file"));
    }
    let target = folder.join(inside);
    if file.is_dir() {
        return std::fs::create_dir_all(&target).map_err(|error| bad(&error));
    }
    if let Some(parent) = target.parent() {
        std::fs::create_dir_all(parent).map_err(|error| bad(&error))?;
    }
    let mut out = BufWriter::new(File::create(&target).map_err(|error| bad(&error))?);
    let written = std::io::copy(&mut (&mut file).take(*left + 1), &mut out).map_err(|error| bad(&error))?;
    out.flush().map_err(|error| bad(&error))?;
    if written > *left {
        return Err(refused!("it unpacks to more than {MOST_BYTES} bytes"));
    }
    *left -= written;
    Ok(())
}

/// Whether a name could mean a place outside: whatever the platform, both kinds of slashes separate.
fn is_outside(name: &str) -> bool {
    name.split(['/', '\\']).any(|part| part == "..") || name.starts_with(['/', '\\']) || name.contains(':')
}

/// The folder of libraries for this machine, and the ending of their names (FMI 2.0 §2.3, FMI 3.0 §2.5.1).
fn platform(version: Version) -> Result<(&'static str, &'static str), ImportError> {
    use std::env::consts::{ARCH, OS};
    let folder = match (version, OS, ARCH) {
        (Version::Two, "linux", "x86_64") => "linux64",
        (Version::Two, "linux", "x86") => "linux32",
        (Version::Two, "windows", "x86_64") => "win64",
        (Version::Two, "windows", "x86") => "win32",
        // One file for both processors.
        (Version::Two, "macos", _) => "darwin64",
        // No name of the standard's: what tools write.
        (Version::Two, "linux", "aarch64") => "aarch64-linux",
        (Version::Three, "linux", "x86_64") => "x86_64-linux",
        (Version::Three, "linux", "x86") => "x86-linux",
        (Version::Three, "linux", "aarch64") => "aarch64-linux",
        (Version::Three, "linux", "riscv64") => "riscv64-linux",
        (Version::Three, "windows", "x86_64") => "x86_64-windows",
        (Version::Three, "windows", "x86") => "x86-windows",
        (Version::Three, "windows", "aarch64") => "aarch64-windows",
        (Version::Three, "macos", "x86_64") => "x86_64-darwin",
        (Version::Three, "macos", "aarch64") => "aarch64-darwin",
        _ => {
            return Err(refused!("FMI has no name for the platform {ARCH} {OS}"));
        }
    };
    let ending = match OS {
        "windows" => "dll",
        "macos" => "dylib",
        _ => "so",
    };
    Ok((folder, ending))
}
