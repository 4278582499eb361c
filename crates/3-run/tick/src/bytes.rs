//! Numbers and lists as bytes, and back: little endian, every list with its length before it. Reading never trusts a length.

/// Collects bytes.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn flag(&mut self, value: bool) {
        self.bytes.push(u8::from(value));
    }
    pub(crate) fn byte(&mut self, value: u8) {
        self.bytes.push(value);
    }
    pub(crate) fn count(&mut self, value: usize) {
        self.long(value as u64);
    }
    pub(crate) fn word(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }
    pub(crate) fn long(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }
    pub(crate) fn number(&mut self, value: f64) {
        self.long(value.to_bits());
    }
    /// A list: its length, then each.
    pub(crate) fn list<T>(
        &mut self,
        list: impl ExactSizeIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T),
    ) {
        self.count(list.len());
        list.for_each(|item| each(self, item));
    }
    pub(crate) fn numbers(&mut self, list: &[f64]) {
        self.list(list.iter(), |w, v| w.number(*v));
    }
}

/// Takes bytes apart; what is missing or impossible is said in words.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        match self.rest.split_first_chunk::<N>() {
            Some((first, rest)) => {
                self.rest = rest;
                Ok(*first)
            }
            None => Err(format!("it ends too early: {N} bytes more are needed")),
        }
    }
    pub(crate) fn byte(&mut self) -> Result<u8, String> {
        self.take::<1>().map(|[byte]| byte)
    }
    pub(crate) fn flag(&mut self) -> Result<bool, String> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("{other} stands where yes or no is expected")),
        }
    }
    pub(crate) fn word(&mut self) -> Result<u32, String> {
        self.take().map(u32::from_le_bytes)
    }
    pub(crate) fn long(&mut self) -> Result<u64, String> {
        self.take().map(u64::from_le_bytes)
    }
    pub(crate) fn count(&mut self) -> Result<usize, String> {
        let value = self.long()?;
        usize::try_from(value).map_err(|_| format!("{value} is no count"))
    }
    pub(crate) fn number(&mut self) -> Result<f64, String> {
        self.long().map(f64::from_bits)
    }
    /// A list; its length cannot be more than what is left, as each item takes a byte at least.
    pub(crate) fn list<T>(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let count = self.count()?;
        if count > self.rest.len() {
            return Err(format!(
                "a list of {count} is announced, and {} bytes are left",
                self.rest.len()
            ));
        }
        (0..count).map(|_| each(self)).collect()
    }
    /// A list whose length is known.
    pub(crate) fn list_of<T>(
        &mut self,
        (wanted, what): (usize, &str),
        each: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let list = self.list(each)?;
        if list.len() == wanted {
            Ok(list)
        } else {
            Err(format!("{} {what} are in it, the model has {wanted}", list.len()))
        }
    }
    pub(crate) fn numbers(&mut self) -> Result<Vec<f64>, String> {
        self.list(Reader::number)
    }
    pub(crate) fn end(&self) -> Result<(), String> {
        match self.rest.len() {
            0 => Ok(()),
            left => Err(format!("{left} bytes are left over at its end")),
        }
    }
}

/// A number that differs if a byte does (FNV-1a, 64 bits).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(pub(crate) u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    /// A text, and where it ends.
    pub(crate) fn add_text(&mut self, text: &str) {
        self.add(text.as_bytes());
        self.add(&[0xff]);
    }
    pub(crate) fn of(bytes: &[u8]) -> u64 {
        let mut print = Fingerprint::new();
        print.add(bytes);
        print.0
    }
}
