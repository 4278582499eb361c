//! Several files that belong together: all appear, or none.

use super::target::Target;
use super::temporary::{MadeFolders, Temporary, keep_all};
use super::{cannot, staged};
use crate::outcome::Failure;
use std::path::{Path, PathBuf};

/// Files that wait beside their places.
#[derive(Default)]
pub(crate) struct Batch {
    /// Before the folders that they lie in: they are taken away in this order.
    waiting: Vec<(Temporary, PathBuf)>,
    folders: MadeFolders,
}

impl Batch {
    /// Makes a folder if there is none.
    pub(crate) fn folder(&mut self, folder: &Path) -> Result<(), Failure> {
        let made = if folder.as_os_str().is_empty() || folder.is_dir() {
            Ok(())
        } else if std::fs::symlink_metadata(folder).is_ok() && !folder.exists() {
            Err(std::io::Error::other("it is a link that leads nowhere"))
        } else {
            self.folders.make(folder)
        };
        made.map_err(|error| cannot(folder, error))
    }

    /// Writes a file beside its place.
    pub(crate) fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let Target::File(place) = Target::of(path, false)? else {
            return Err(wrong!("cannot write {}: it is no file", path.display();
                help "several files are written together: name a place for files"));
        };
        let file = staged(&place, |out| out.write_all(bytes)).map_err(|error| cannot(path, error))?;
        self.waiting.push((file, place));
        Ok(())
    }

    /// Moves all to their places.
    pub(crate) fn keep(self) -> Result<(), Failure> {
        let Batch { waiting, folders } = self;
        keep_all(waiting).map_err(|(place, error)| cannot(&place, error))?;
        folders.keep();
        Ok(())
    }
}
