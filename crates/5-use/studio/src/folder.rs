//! The files of the studio: models below one folder.
//!
//! The folder is opened once; everything else is resolved below that handle by the operating system (`cap-std`). A link that
//! leads out is not followed, whenever it appears.

use crate::answer::Failure;
use crate::names::{Kind, is_plain_part, model_path};
use axum::http::StatusCode;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use dyverse::LARGEST_FILE;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Models listed at the most.
const MOST_LISTED: usize = 2_000;
/// Files and folders looked at for that at the most.
const MOST_SEEN: usize = 50_000;
/// Folders inside folders at the most.
const DEEPEST: usize = 12;
/// Folders of other tools, large and without models.
const SKIPPED: &[&str] = &["node_modules", "target"];

/// The folder.
#[derive(Debug)]
pub(crate) struct Folder {
    root: Dir,
    path: PathBuf,
    /// Whether models may run FMUs.
    pub(crate) allow_fmu: bool,
    /// One save at a time: what is compared is still there when it is replaced.
    saving: Mutex<()>,
}

/// A text with what tells it from other contents of the same file.
#[derive(Debug)]
pub(crate) struct FileText {
    pub(crate) text: String,
    pub(crate) version: String,
}

/// A file of a listing.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) path: String,
    pub(crate) bytes: u64,
}

impl Folder {
    pub(crate) fn open(path: &Path, allow_fmu: bool) -> std::io::Result<Self> {
        let path = path.canonicalize()?;
        Ok(Folder {
            root: Dir::open_ambient_dir(&path, ambient_authority())?,
            path,
            allow_fmu,
            saving: Mutex::new(()),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// All models below the folder in the order of their names, and whether there are more.
    pub(crate) fn list(&self) -> std::io::Result<(Vec<Listed>, bool)> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), self.root.try_clone()?, 0)];
        let mut seen = 0;
        while let Some((prefix, folder, depth)) = open.pop() {
            // A folder that cannot be read is not listed; the others are.
            let Ok(entries) = folder.entries() else { continue };
            for entry in entries.flatten() {
                seen += 1;
                if seen > MOST_SEEN || found.len() >= MOST_LISTED {
                    found.sort_by(|a: &Listed, b| a.path.cmp(&b.path));
                    return Ok((found, true));
                }
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                let Ok(kind) = entry.file_type() else { continue };
                if !is_plain_part(&name) || SKIPPED.contains(&name.as_str()) {
                    continue;
                }
                let path = format!("{prefix}{name}");
                if kind.is_dir() && depth < DEEPEST {
                    if let Ok(inner) = entry.open_dir() {
                        open.push((format!("{path}/"), inner, depth + 1));
                    }
                } else if Kind::of(&name).is_some() {
                    // Seen through links that stay inside; what leads out has no metadata here.
                    if let Ok(data) = folder.metadata(&name)
                        && data.is_file()
                    {
                        let bytes = data.len();
                        found.push(Listed { path, bytes });
                    }
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok((found, false))
    }

    /// The text of a model.
    pub(crate) fn read(&self, name: &str) -> Result<FileText, Failure> {
        let path = model_path(name).map_err(Failure::call)?;
        let bytes = self.bytes(&path).map_err(|error| about(name, error))?;
        let version = version(&bytes);
        let text =
            String::from_utf8(bytes).map_err(|_| Failure::call(format!("{name} is not UTF-8 text")))?;
        let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
        Ok(FileText { text, version })
    }

    /// The bytes of a file below the folder, whatever it holds.
    pub(crate) fn bytes(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        // Pipes and devices are not opened: they could block, or never end.
        if !self.root.metadata(path)?.is_file() {
            return Err(std::io::Error::other("it is no file"));
        }
        let mut bytes = Vec::new();
        let file = self.root.open(path)?;
        file.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > LARGEST_FILE {
            return Err(std::io::Error::other(format!(
                "it has more than {LARGEST_FILE} bytes"
            )));
        }
        Ok(bytes)
    }

    /// Where a file really is, seen from the folder; an error if that is outside.
    pub(crate) fn canonical(&self, path: &Path) -> std::io::Result<PathBuf> {
        self.root.canonicalize(path)
    }

    /// Saves a text. `known` is the version that the user has seen; `None` for a file that must be new. Gives the new version.
    pub(crate) fn save(&self, name: &str, text: &str, known: Option<&str>) -> Result<String, Failure> {
        let path = model_path(name).map_err(Failure::call)?;
        if text.len() > LARGEST_FILE {
            let message = format!("a model has {LARGEST_FILE} bytes at the most");
            return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let _one_at_a_time = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        match known {
            None => self.create(name, &path, text)?,
            Some(known) => self.replace(name, &path, text, known)?,
        }
        Ok(version(text.as_bytes()))
    }

    fn create(&self, name: &str, path: &Path, text: &str) -> Result<(), Failure> {
        if let Some(parent) = path.parent() {
            self.root
                .create_dir_all(parent)
                .map_err(|error| about(name, error))?;
        }
        let mut options = OpenOptions::new();
        let opened = self.root.open_with(path, options.write(true).create_new(true));
        let mut file = match opened {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let there = self.bytes(path).ok().map(|bytes| version(&bytes));
                let message = format!("{name} is there already");
                return Err(Failure::conflict(
                    message,
                    json!({ "reason": "exists", "version": there }),
                ));
            }
            opened => opened.map_err(|error| about(name, error))?,
        };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        written.map_err(|error| {
            // Half a file is worse than none.
            let _ = self.root.remove_file(path);
            about(name, error)
        })
    }

    fn replace(&self, name: &str, path: &Path, text: &str, known: &str) -> Result<(), Failure> {
        // Through links that stay inside, so that the link remains one.
        let path = match self.canonical(path) {
            Ok(path) => path,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let details = json!({ "reason": "gone", "version": null });
                return Err(Failure::conflict(format!("{name} is no longer there"), details));
            }
            Err(error) => return Err(about(name, error)),
        };
        let there = version(&self.bytes(&path).map_err(|error| about(name, error))?);
        if there != known {
            let details = json!({ "reason": "changed", "version": there });
            return Err(Failure::conflict(
                format!("{name} has changed since it was read"),
                details,
            ));
        }
        let write = || -> std::io::Result<()> {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let folder = match parent {
                Some(parent) => self.root.open_dir(parent)?,
                None => self.root.try_clone()?,
            };
            let last = path.file_name().ok_or(ErrorKind::InvalidInput)?;
            put(&folder, Path::new(last), text.as_bytes())
        };
        write().map_err(|error| about(name, error))
    }
}

/// Replaces a file as a whole: written beside it under another name, then moved there.
fn put(folder: &Dir, name: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    let beside = format!(".dyverse-{:016x}", u64::from_ne_bytes(random));
    let permissions = folder.metadata(name)?.permissions();
    let mut options = OpenOptions::new();
    let mut file = folder.open_with(&beside, options.write(true).create_new(true))?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.sync_all())
        .and_then(|()| folder.rename(&beside, folder, name));
    if written.is_err() {
        // Nothing is left behind; that it failed is said in any case.
        let _ = folder.remove_file(&beside);
    }
    written
}

/// An error with the file it is about; never with a path of this machine.
fn about(name: &str, error: std::io::Error) -> Failure {
    let failure = Failure::from(std::io::Error::new(error.kind(), format!("{name}: {error}")));
    match error.kind() {
        ErrorKind::Other => Failure::call(format!("{name}: {error}")),
        _ => failure,
    }
}

/// What tells contents from others.
pub(crate) fn version(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "tests put files where they are not to be reached"
)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("in")).unwrap();
        std::fs::create_dir(place.path().join("out")).unwrap();
        let folder = Folder::open(&place.path().join("in"), false).unwrap();
        (place, folder)
    }

    fn status(result: Result<impl std::fmt::Debug, Failure>) -> u16 {
        result.unwrap_err().status().as_u16()
    }

    #[test]
    fn a_text_is_saved_read_and_replaced() {
        let (_place, folder) = folder();
        let first = folder.save("a/b.drbt", "system a\n", None).unwrap();
        assert_eq!(status(folder.save("a/b.drbt", "system b\n", None)), 409);
        let read = folder.read("a/b.drbt").unwrap();
        assert_eq!((read.text.as_str(), &read.version), ("system a\n", &first));
        let second = folder.save("a/b.drbt", "system b\n", Some(&first)).unwrap();
        assert_ne!(first, second);
        assert_eq!(status(folder.save("a/b.drbt", "system c\n", Some(&first))), 409);
        assert_eq!(folder.read("a/b.drbt").unwrap().text, "system b\n");
        assert_eq!(folder.list().unwrap().0[0].path, "a/b.drbt");
        assert_eq!(status(folder.save("gone.drbt", "", Some(&first))), 409);
        // Nothing else is left behind.
        assert_eq!(std::fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_not_followed() {
        use std::os::unix::fs::symlink;
        let (place, folder) = folder();
        let out = place.path().join("out");
        std::fs::write(out.join("secret.drbt"), "secret").unwrap();
        let inside = folder.path().to_owned();
        symlink(out.join("secret.drbt"), inside.join("absolute.drbt")).unwrap();
        symlink("../out/secret.drbt", inside.join("relative.drbt")).unwrap();
        symlink("../out", inside.join("folder")).unwrap();
        symlink("../out/new.drbt", inside.join("dangling.drbt")).unwrap();
        for name in ["absolute.drbt", "relative.drbt", "folder/secret.drbt"] {
            assert!(folder.read(name).is_err(), "{name}");
            let known = version(b"secret");
            assert!(folder.save(name, "changed", Some(&known)).is_err(), "{name}");
            assert!(folder.save(name, "changed", None).is_err(), "{name}");
        }
        assert!(folder.save("folder/new.drbt", "new", None).is_err());
        assert!(folder.save("folder/deep/new.drbt", "new", None).is_err());
        assert!(folder.save("dangling.drbt", "new", None).is_err());
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
        assert_eq!(
            std::fs::read_to_string(out.join("secret.drbt")).unwrap(),
            "secret"
        );
        assert!(folder.list().unwrap().0.is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_that_stay_inside_remain_links() {
        let (_place, folder) = folder();
        let first = folder.save("a.drbt", "one", None).unwrap();
        std::os::unix::fs::symlink("a.drbt", folder.path().join("b.drbt")).unwrap();
        folder.save("b.drbt", "two", Some(&first)).unwrap();
        assert_eq!(folder.read("a.drbt").unwrap().text, "two");
        assert!(folder.path().join("b.drbt").is_symlink());
    }

    /// A folder is swapped for a link that leads out while files are saved in it: nothing may ever arrive outside.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_becomes_a_link_meanwhile_does_not_lead_out() {
        let (place, folder) = folder();
        let (inside, out) = (folder.path().to_owned(), place.path().join("out"));
        std::fs::create_dir(inside.join("real")).unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    let _ = std::fs::rename(inside.join("real"), inside.join("swap"));
                    let _ = std::os::unix::fs::symlink(&out, inside.join("swap"));
                    let _ = std::fs::remove_file(inside.join("swap"));
                    let _ = std::fs::rename(inside.join("real"), inside.join("swap"));
                    let _ = std::fs::rename(inside.join("swap"), inside.join("aside"));
                    let _ = std::os::unix::fs::symlink(&out, inside.join("swap"));
                    let _ = std::fs::remove_file(inside.join("swap"));
                    let _ = std::fs::rename(inside.join("aside"), inside.join("swap"));
                }
            });
            for round in 0..2_000 {
                let name = format!("swap/{}.drbt", round % 8);
                match folder.read(&name) {
                    Ok(read) => drop(folder.save(&name, &round.to_string(), Some(&read.version))),
                    Err(_) => drop(folder.save(&name, "new", None)),
                }
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_text_and_what_is_too_large_is_refused() {
        let (_place, folder) = folder();
        std::fs::write(folder.path().join("a.drbt"), [0xff, 0xfe]).unwrap();
        assert_eq!(status(folder.read("a.drbt")), 400);
        std::fs::create_dir(folder.path().join("b.drbt")).unwrap();
        assert_eq!(status(folder.read("b.drbt")), 400);
        assert_eq!(status(folder.read("missing.drbt")), 404);
        let large = " ".repeat(LARGEST_FILE + 1);
        assert_eq!(status(folder.save("c.drbt", &large, None)), 413);
    }
}
