//! What a model imports: from the folder, or, for a shipped example, among the shipped examples.

use crate::folder::Folder;
use crate::names::plain_path;
use dyverse::{EXAMPLES, Example, FmuInterface, Loaded, Loader, fmu_interface};
use std::path::Path;

/// Where a text is from: what its imports are seen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The folder.
    Folder,
    /// The shipped examples.
    Examples,
}

/// Loads imports; remembers which.
pub(crate) struct StudioLoader<'f> {
    folder: &'f Folder,
    place: Place,
    /// Paths of all files that were loaded.
    pub(crate) loaded: Vec<String>,
}

impl<'f> StudioLoader<'f> {
    pub(crate) fn new(folder: &'f Folder, place: Place) -> Self {
        StudioLoader {
            folder,
            place,
            loaded: Vec::new(),
        }
    }
}

/// A shipped example.
pub(crate) fn example(file: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.file == file)
}

impl Loader for StudioLoader<'_> {
    fn load(&mut self, importer: &str, path: &str) -> Result<Loaded, String> {
        let full = beside(importer, path)?;
        let (key, bytes) = match self.place {
            Place::Examples => {
                let found = example(&full).ok_or("it is not among the shipped examples")?;
                (full.clone(), found.text.into())
            }
            Place::Folder => {
                let relative = plain_path(&full)?;
                let bytes = self.folder.bytes(&relative).map_err(|error| error.to_string())?;
                let real = self
                    .folder
                    .canonical(&relative)
                    .map_err(|error| error.to_string())?;
                (slashes(&real), bytes)
            }
        };
        self.loaded.push(full);
        Ok(Loaded {
            key,
            name: path.to_owned(),
            bytes,
        })
    }

    fn fmu(&mut self, importer: &str, path: &str) -> Result<FmuInterface, String> {
        if !self.folder.allow_fmu {
            return Err("an FMU holds code of others; `dyverse studio --allow-fmu` lets it run".into());
        }
        if self.place == Place::Examples {
            return Err("it is not among the shipped examples".into());
        }
        let relative = plain_path(&beside(importer, path)?)?;
        let real = self
            .folder
            .canonical(&relative)
            .map_err(|error| error.to_string())?;
        // Libraries are opened by their paths; this one was inside the folder a moment ago.
        let full = self.folder.path().join(real);
        let key = full.display().to_string();
        fmu_interface(&full, key).map_err(|error| error.to_string())
    }
}

/// The path that `importer` calls `path`, seen from the folder.
fn beside(importer: &str, path: &str) -> Result<String, String> {
    if path.starts_with('/') || path.contains(['\\', ':', '\0']) {
        return Err("it is outside the studio's folder".into());
    }
    let mut parts: Vec<&str> = importer.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop().ok_or("it is outside the studio's folder")?;
            }
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

fn slashes(path: &Path) -> String {
    let parts = path.iter().map(|part| part.to_string_lossy());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "tests put files where they are not to be reached"
)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_importer() {
        for (importer, path, expected) in [
            ("a.dam", "b.dam", "b.dam"),
            ("x/a.dam", "b.dam", "x/b.dam"),
            ("x/a.dam", "../b.dam", "b.dam"),
            ("x/a.dam", "./y//b.dam", "x/y/b.dam"),
        ] {
            assert_eq!(beside(importer, path).unwrap(), expected);
        }
        for (importer, path) in [
            ("a.dam", "../b.dam"),
            ("x/a.dam", "../../b.dam"),
            ("a.dam", "/b.dam"),
            ("a.dam", "C:b.dam"),
            ("a.dam", "..\\b.dam"),
        ] {
            assert!(beside(importer, path).is_err(), "{path}");
        }
    }

    #[test]
    fn imports_outside_the_folder_are_refused() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("secret.drbt"), "system secret").unwrap();
        std::fs::create_dir(place.path().join("in")).unwrap();
        let folder = Folder::open(&place.path().join("in"), false).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.drbt", folder.path().join("link.drbt")).unwrap();
        let mut loader = StudioLoader::new(&folder, Place::Folder);
        for path in [
            "../secret.drbt",
            "link.drbt",
            "/etc/passwd",
            "x/../../secret.drbt",
        ] {
            assert!(loader.load("a.drbt", path).is_err(), "{path}");
        }
        assert!(loader.fmu("a.dam", "a.fmu").unwrap_err().contains("--allow-fmu"));
    }
}
