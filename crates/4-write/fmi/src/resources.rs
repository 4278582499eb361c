//! The model in the archive. Instances of one model share it; with the last of them it goes, so that nothing stays behind when the library is unloaded.

use dyverse_block::{INDEX, Pack, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Models that instances have, by token.
static SOURCES: Mutex<BTreeMap<String, Weak<Source>>> = Mutex::new(BTreeMap::new());

fn sources() -> MutexGuard<'static, BTreeMap<String, Weak<Source>>> {
    SOURCES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A model that an instance has.
pub(crate) struct Held {
    /// `None` only while it is dropped.
    source: Option<Arc<Source>>,
}

impl Held {
    /// The model, for an instance that is dropped before this.
    ///
    /// # Safety
    /// Nothing that comes of it lives longer than this.
    pub(crate) unsafe fn for_instance(&self) -> Option<&'static Source> {
        let source = self.source.as_ref()?;
        // SAFETY: the model lies on the heap and is never changed; it lives as long as this, and the caller promises the rest.
        Some(unsafe { &*Arc::as_ptr(source) })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut sources = sources();
        drop(self.source.take());
        sources.retain(|_, source| source.strong_count() > 0);
        if sources.is_empty() {
            // An empty map may still hold memory.
            *sources = BTreeMap::new();
        }
    }
}

/// The path of a resource location: FMI 2.0 gives a URI, FMI 3.0 a path.
pub(crate) fn path_of(location: &str) -> PathBuf {
    let Some(rest) = location.strip_prefix("file:") else {
        return PathBuf::from(location);
    };
    // file:///path and file:/path are the same; file://host/path is not of this machine.
    let path = rest.strip_prefix("//").unwrap_or(rest);
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let decoded = decode(path);
    // On Windows the path of a URI begins with a slash before the drive.
    let bytes = decoded.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[0] == b'/' && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    PathBuf::from(if has_drive { &decoded[1..] } else { &decoded })
}

/// %20 and the like.
fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = (byte == b'%').then(|| (ahead.next(), ahead.next()));
        let digit = |d: Option<u8>| d.and_then(|d| char::from(d).to_digit(16));
        match digits.map(|(high, low)| (digit(high), digit(low))) {
            Some((Some(high), Some(low))) => {
                bytes.push((high * 16 + low) as u8);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The model in a folder, if its token is the one asked for.
pub(crate) fn source(folder: &Path, token: &str) -> Result<Held, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    };
    let index = read(INDEX)?;
    let pack = Pack::from_index(&index, |name| {
        // Files of the pack lie beside the index.
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err("it is no name of a file in the archive".into());
        }
        read(name)
    })?;
    let own = pack.token();
    if own != token {
        return Err(format!(
            "the archive's model has the token {own}, the importer's description {token}: they do not belong together"
        ));
    }
    let mut sources = sources();
    let source = match sources.get(&own).and_then(Weak::upgrade) {
        Some(known) => known,
        None => {
            let read = Arc::new(Source::from_pack(pack)?);
            sources.insert(own, Arc::downgrade(&read));
            read
        }
    };
    Ok(Held { source: Some(source) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_uris_or_paths() {
        for (location, path) in [
            ("file:///tmp/a%20b/resources", "/tmp/a b/resources"),
            ("file:/tmp/x", "/tmp/x"),
            ("file://localhost/tmp/x", "/tmp/x"),
            ("/tmp/100%/resources/", "/tmp/100%/resources/"),
            ("file:///C:/x/y", "C:/x/y"),
            ("file:///tmp/%zz", "/tmp/%zz"),
        ] {
            assert_eq!(path_of(location), PathBuf::from(path), "{location}");
        }
    }
}
