//! Files and folders that are there only until the output is whole. They are written down, so that a signal can take them away.

use std::collections::BTreeSet;
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is there now.
#[derive(Default)]
struct There {
    files: BTreeSet<PathBuf>,
    /// Folders made for output that is not whole yet, outer ones first.
    folders: Vec<PathBuf>,
}

static THERE: Mutex<There> = Mutex::new(There {
    files: BTreeSet::new(),
    folders: Vec::new(),
});

fn there() -> MutexGuard<'static, There> {
    THERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes everything away; from now on nothing can be made. For the end of the program.
pub(crate) fn forget_everything() {
    let there = there();
    for file in &there.files {
        let _ = std::fs::remove_file(file);
    }
    for folder in there.folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
    // Whoever would make or move a file waits for the end.
    std::mem::forget(there);
}

/// A file beside its place, under another name.
pub(super) struct Temporary {
    /// `None` once it is at its place.
    file: Option<tempfile::NamedTempFile>,
    path: PathBuf,
}

impl Temporary {
    /// With these permissions; without, those that new files have.
    pub(super) fn beside(place: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut there = there();
        let mut builder = tempfile::Builder::new();
        builder.prefix(".dyverse-");
        #[cfg(unix)]
        let usual = {
            use std::os::unix::fs::PermissionsExt;
            // What the user's mask allows.
            Permissions::from_mode(0o666)
        };
        #[cfg(unix)]
        builder.permissions(usual);
        let made = builder.tempfile_in(folder_of(place));
        // Its name says nothing to anybody.
        let file = made.map_err(|error| match error.kind() {
            io::ErrorKind::Other => error,
            kind => io::Error::from(kind),
        })?;
        let path = file.path().to_owned();
        there.files.insert(path.clone());
        let made = Temporary {
            file: Some(file),
            path,
        };
        drop(there);
        if let (Some(permissions), Some(file)) = (permissions, &made.file) {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(made)
    }

    pub(super) fn file(&mut self) -> io::Result<&mut File> {
        let gone = || io::Error::other("the file is at its place already");
        Ok(self.file.as_mut().ok_or_else(gone)?.as_file_mut())
    }
}

/// Moves all to their places, between two signals. If one cannot be moved, those that were not there before are taken away again.
pub(super) fn keep_all(mut waiting: Vec<(Temporary, PathBuf)>) -> Result<(), (PathBuf, io::Error)> {
    let mut there = there();
    let mut new: Vec<&Path> = Vec::new();
    for (temporary, place) in &mut waiting {
        let was_there = place.exists();
        if let Some(file) = temporary.file.take()
            && let Err(error) = file.persist(&*place)
        {
            for path in new {
                let _ = std::fs::remove_file(path);
            }
            let failed = (place.clone(), error.error);
            // What waits is taken away, which needs the list; so is the file of the error.
            drop(there);
            return Err(failed);
        }
        there.files.remove(&temporary.path);
        if !was_there {
            new.push(place);
        }
    }
    drop(there);
    Ok(())
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut there = there();
        drop(self.file.take());
        there.files.remove(&self.path);
    }
}

/// Folders that are made for output, and taken away again if it does not become whole.
#[derive(Default)]
pub(super) struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    /// Makes a folder and those that it lies in.
    pub(super) fn make(&mut self, folder: &Path) -> io::Result<()> {
        let mut missing: Vec<&Path> = Vec::new();
        let mut at = Some(folder);
        while let Some(path) = at.filter(|p| !p.as_os_str().is_empty() && !p.exists()) {
            missing.push(path);
            at = path.parent();
        }
        for path in missing.into_iter().rev() {
            let mut there = there();
            match std::fs::create_dir(path) {
                Ok(()) => {
                    there.folders.push(path.to_owned());
                    self.0.push(path.to_owned());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// They stay.
    pub(super) fn keep(mut self) {
        let made = std::mem::take(&mut self.0);
        there().folders.retain(|folder| !made.contains(folder));
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        let mut there = there();
        for folder in self.0.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
        there.folders.retain(|folder| !self.0.contains(folder));
    }
}

/// The folder that a file lies in.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
