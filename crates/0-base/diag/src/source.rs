//! Source texts and positions in them.

/// Identifies one source text of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(u32);

/// Where something comes from: a range of bytes of one source text, opaque to every stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    file: FileId,
    start: u32,
    end: u32,
}

impl Origin {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Origin {
            file,
            start,
            end: end.max(start),
        }
    }
    /// From the beginning of `self` to the end of `last`, both in one file.
    pub fn to(self, last: Origin) -> Self {
        Origin::new(self.file, self.start, last.end)
    }
    /// The text it is in.
    pub fn file(self) -> FileId {
        self.file
    }
    /// The first byte.
    pub fn start(self) -> u32 {
        self.start
    }
    /// One past the last byte.
    pub fn end(self) -> u32 {
        self.end
    }
}

/// A place as people count: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One source text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: String) -> Self {
        let breaks = text
            .bytes()
            .enumerate()
            .filter(|(_, b)| *b == b'\n')
            .map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        SourceFile {
            name,
            text,
            line_starts,
        }
    }
    /// The name to show: a path as the user wrote it.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Line and column of a byte.
    pub fn position(&self, byte: u32) -> Position {
        let byte = self.floor_char_boundary(byte);
        let line = self.line_starts.partition_point(|start| *start as usize <= byte);
        let start = self.line_starts.get(line - 1).map_or(0, |s| *s as usize);
        Position {
            line,
            column: self.text[start..byte].chars().count() + 1,
        }
    }
    /// The text of a line counted from 1, without its line break; empty past the end.
    pub fn line(&self, line: usize) -> &str {
        let Some(start) = self.line_starts.get(line.wrapping_sub(1)) else {
            return "";
        };
        let end = self
            .line_starts
            .get(line)
            .map_or(self.text.len(), |e| *e as usize);
        self.text[*start as usize..end].trim_end_matches(['\n', '\r'])
    }
    fn floor_char_boundary(&self, byte: u32) -> usize {
        let mut byte = (byte as usize).min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    }
}

/// All source texts of one model: the file itself and its imports.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// No text yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a text under the name to show in messages.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }
    /// The text of an id made by this map.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }
    /// The source text an origin covers.
    pub fn snippet(&self, origin: Origin) -> &str {
        let file = self.file(origin.file);
        let (start, end) = (
            file.floor_char_boundary(origin.start),
            file.floor_char_boundary(origin.end),
        );
        &file.text[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_lines_from_one() {
        let mut map = SourceMap::new();
        let id = map.add("a", "é x\r\ny\n");
        let file = map.file(id);
        assert_eq!(file.position(0), Position { line: 1, column: 1 });
        assert_eq!(file.position(3), Position { line: 1, column: 3 });
        assert_eq!(file.position(6), Position { line: 2, column: 1 });
        assert_eq!(file.position(99), Position { line: 3, column: 1 });
        assert_eq!(file.line(1), "é x");
        assert_eq!(file.line(3), "");
        assert_eq!(file.line(4), "");
    }

    #[test]
    fn a_byte_inside_a_character_belongs_to_it() {
        let mut map = SourceMap::new();
        let id = map.add("a", "é");
        assert_eq!(map.file(id).position(1), Position { line: 1, column: 1 });
        assert_eq!(map.snippet(Origin::new(id, 0, 2)), "é");
    }
}
