//! Whether a library is whole. The loader of Linux maps what the tables at its beginning name; where the file ends before, the first read there ends the program, and nothing can be said any more.
//!
//! | checked | of ELF files (System V ABI, chapters 4 and 5) |
//! |---|---|
//! | the header, the tables of segments and of sections | lie in the file |
//! | every segment | lies in the file |
//!
//! Other formats are left to their loaders, which check this themselves.

use crate::ImportError;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Entries of a table at the most.
const MOST: u64 = 10_000;

/// Refuses a library that is cut short.
///
/// # Errors
/// What is missing.
pub(crate) fn check(path: &Path) -> Result<(), ImportError> {
    let unreadable = |error: std::io::Error| ImportError::new(format!("its library cannot be read: {error}"));
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let mut head = [0; 64];
    let read = read_up_to(&mut file, &mut head).map_err(unreadable)?;
    let short = |needed: u64| {
        refused!("its library is cut short: it has {length} bytes, and needs {needed} at the least";
            help "make the FMU again, or copy it again")
    };
    if read < 4 || head[..4] != *b"\x7fELF" {
        // An empty file is none of any kind.
        return if length < 4 { Err(short(4)) } else { Ok(()) };
    }
    let is_wide = head[4] == 2;
    let header = if is_wide { 64 } else { 52 };
    if (read as u64) < header {
        return Err(short(header));
    }
    let numbers = Numbers {
        is_big: head[5] == 2,
        is_wide,
    };
    let tables = if is_wide {
        [
            (
                numbers.word(&head, 32),
                numbers.half(&head, 54),
                numbers.half(&head, 56),
            ),
            (
                numbers.word(&head, 40),
                numbers.half(&head, 58),
                numbers.half(&head, 60),
            ),
        ]
    } else {
        [
            (
                numbers.word(&head, 28),
                numbers.half(&head, 42),
                numbers.half(&head, 44),
            ),
            (
                numbers.word(&head, 32),
                numbers.half(&head, 46),
                numbers.half(&head, 48),
            ),
        ]
    };
    for (from, size, count) in tables {
        let end = from.saturating_add(size.saturating_mul(count));
        if count > 0 && end > length {
            return Err(short(end));
        }
    }
    let (from, size, count) = tables[0];
    for place in 0..count.min(MOST) {
        let mut entry = [0; 56];
        file.seek(SeekFrom::Start(from + place * size))
            .map_err(unreadable)?;
        read_up_to(&mut file, &mut entry).map_err(unreadable)?;
        let (offset, bytes) = if is_wide {
            (numbers.word(&entry, 8), numbers.word(&entry, 32))
        } else {
            (numbers.word(&entry, 4), numbers.word(&entry, 16))
        };
        let end = offset.saturating_add(bytes);
        if end > length {
            return Err(short(end));
        }
    }
    Ok(())
}

fn read_up_to(file: &mut File, into: &mut [u8]) -> std::io::Result<usize> {
    let mut read = 0;
    loop {
        match file.read(&mut into[read..])? {
            0 => return Ok(read),
            more => read += more,
        }
    }
}

/// How numbers are written.
struct Numbers {
    is_big: bool,
    is_wide: bool,
}

impl Numbers {
    fn number(&self, bytes: &[u8], from: usize, length: usize) -> u64 {
        let own = bytes.get(from..from + length).unwrap_or_default();
        let join = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.is_big {
            own.iter().fold(0, join)
        } else {
            own.iter().rev().fold(0, join)
        }
    }

    /// 2 bytes.
    fn half(&self, bytes: &[u8], from: usize) -> u64 {
        self.number(bytes, from, 2)
    }

    /// A place in the file: 8 bytes, or 4.
    fn word(&self, bytes: &[u8], from: usize) -> u64 {
        self.number(bytes, from, if self.is_wide { 8 } else { 4 })
    }
}
