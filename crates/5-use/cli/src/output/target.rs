//! Where output goes once links are followed, and what may not be written.

use super::temporary::{Temporary, folder_of};
use crate::outcome::Failure;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Links that are followed at the most, as the system does.
const MOST_LINKS: usize = 40;

/// Which file it is, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    #[cfg(unix)]
    number: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

impl Identity {
    #[cfg(unix)]
    fn of(_path: &Path, metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Identity {
            number: (metadata.dev(), metadata.ino()),
        }
    }

    #[cfg(not(unix))]
    fn of(path: &Path, _metadata: &Metadata) -> Self {
        Identity {
            path: std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
        }
    }
}

/// Files that the command has read.
static READ: Mutex<Vec<(Identity, PathBuf)>> = Mutex::new(Vec::new());

/// Remembers that a file was read: it is not written over. `-` is what standard input comes from.
pub(crate) fn was_read(path: &Path) {
    let metadata = if path == Path::new("-") {
        behind_stdin()
    } else {
        std::fs::metadata(path)
    };
    if let Ok(metadata) = metadata
        && metadata.is_file()
    {
        let identity = Identity::of(path, &metadata);
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.iter().any(|(other, _)| *other == identity) {
            read.push((identity, path.to_owned()));
        }
    }
}

/// The file that standard input comes from.
#[cfg(unix)]
fn behind_stdin() -> io::Result<Metadata> {
    use std::os::fd::AsFd;
    File::from(io::stdin().as_fd().try_clone_to_owned()?).metadata()
}

#[cfg(not(unix))]
fn behind_stdin() -> io::Result<Metadata> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Where output goes.
#[derive(Debug)]
pub(super) enum Target {
    /// Standard output: `-`, and whatever leads to it.
    Stdout,
    /// Standard error.
    Stderr,
    /// Something that is written into and never replaced: a device, a pipe.
    Stream(PathBuf),
    /// A file that is replaced, or made: no link.
    File(PathBuf),
}

impl Target {
    /// Follows links. Refuses folders, and what the command has read.
    pub(super) fn of(path: &Path, may_be_read: bool) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Target::Stdout);
        }
        let explain = |error: io::Error| Failure::Output {
            to: path.display().to_string(),
            error,
        };
        let place = followed(path).map_err(explain)?;
        let metadata = match std::fs::metadata(&place) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let folder = folder_of(&place);
                if !folder.is_dir() {
                    return Err(explain(io::Error::other(format!(
                        "there is no folder {}",
                        folder.display()
                    ))));
                }
                return Ok(Target::File(place));
            }
            Err(error) => return Err(explain(error)),
        };
        if metadata.is_dir() {
            return Err(explain(io::Error::other("it is a folder")));
        }
        if let Some(own) = own_stream(&metadata) {
            return Ok(own);
        }
        if !metadata.is_file() {
            return Ok(Target::Stream(path.to_owned()));
        }
        if !may_be_read {
            refuse_input(path, &place, &metadata)?;
        }
        Ok(Target::File(place))
    }

    /// Whether it is written into and never replaced.
    pub(super) fn is_stream(&self) -> bool {
        !matches!(self, Target::File(_))
    }

    /// Whether it goes where standard output goes, under whatever name.
    pub(super) fn is_stdout(&self) -> bool {
        match self {
            Target::Stdout => true,
            Target::Stream(path) => std::fs::metadata(path).is_ok_and(|there| is_behind_stdout(&there)),
            Target::Stderr | Target::File(_) => false,
        }
    }

    /// Finds out whether it can be written, before much work is done for it.
    pub(super) fn try_out(&self) -> io::Result<()> {
        if let Target::File(place) = self {
            check_writable(place)?;
            Temporary::beside(place, None)?;
        }
        Ok(())
    }
}

/// A pipe or a terminal that standard output is too. Where both are /dev/null nobody minds.
#[cfg(unix)]
fn is_behind_stdout(there: &Metadata) -> bool {
    use std::io::IsTerminal;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let stdout = io::stdout();
    let own = stdout.as_fd().try_clone_to_owned();
    let own = own.and_then(|fd| File::from(fd).metadata());
    (there.file_type().is_fifo() || stdout.is_terminal())
        && own.is_ok_and(|own| (own.dev(), own.ino(), own.rdev()) == (there.dev(), there.ino(), there.rdev()))
}

#[cfg(not(unix))]
fn is_behind_stdout(_there: &Metadata) -> bool {
    false
}

/// A file that its owner has made read-only is not replaced.
pub(super) fn check_writable(place: &Path) -> io::Result<()> {
    match File::options().write(true).open(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The place that links lead to, whether something is there or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match std::fs::symlink_metadata(&place) {
            // What links of the system's own lead to may have no name.
            Ok(metadata) if metadata.is_symlink() => match std::fs::canonicalize(&place) {
                Ok(found) => return Ok(found),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if std::fs::metadata(&place).is_ok() {
                        return Ok(place);
                    }
                    place = folder_of(&place).join(std::fs::read_link(&place)?);
                }
                Err(error) => return Err(error),
            },
            _ => return Ok(place),
        }
    }
    Err(io::Error::other("too many links lead on from it"))
}

/// Whether it is where standard output or standard error go: replacing that file would take it away from under them.
#[cfg(unix)]
fn own_stream(metadata: &Metadata) -> Option<Target> {
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::MetadataExt;
    let is_it = |stream: BorrowedFd<'_>| {
        let own = stream
            .try_clone_to_owned()
            .and_then(|fd| File::from(fd).metadata());
        // A device has many openings: it is opened again.
        own.is_ok_and(|own| own.is_file() && (own.dev(), own.ino()) == (metadata.dev(), metadata.ino()))
    };
    if is_it(io::stdout().as_fd()) {
        Some(Target::Stdout)
    } else if is_it(io::stderr().as_fd()) {
        Some(Target::Stderr)
    } else {
        None
    }
}

#[cfg(not(unix))]
fn own_stream(_metadata: &Metadata) -> Option<Target> {
    None
}

fn refuse_input(path: &Path, place: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let identity = Identity::of(place, metadata);
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((_, input)) = read.iter().find(|(other, _)| *other == identity) else {
        return Ok(());
    };
    let what = if input == path {
        format!("cannot write {}: the call reads it", path.display())
    } else {
        format!(
            "cannot write {}: it is the same file as {}, which the call reads",
            path.display(),
            if input == Path::new("-") {
                "standard input".into()
            } else {
                input.to_string_lossy()
            }
        )
    };
    Err(Failure::call(what).with_help("give --output another name"))
}
