//! C identifiers for the names of a model.
//!
//! # Guarantee
//! The identifiers of one model differ from each other. The model's own, which begins all external names, is no keyword, and no identifier of the runtime
//! is it or begins with it and `_`.

use std::collections::BTreeSet;

/// Words that a type must not be called: keywords of C99, C11 and C++, and a target of the Makefile.
const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "clean",
    "compl",
    "complex",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "imaginary",
    "inline",
    "int",
    "long",
    "main",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Names of the standard library that a linker or a header knows.
const LIBRARY: &[&str] = &[
    "abort",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "assert",
    "atan",
    "atan2",
    "atanh",
    "atexit",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "bsearch",
    "calloc",
    "cbrt",
    "ceil",
    "clearerr",
    "clock",
    "copysign",
    "cos",
    "cosh",
    "ctime",
    "difftime",
    "div",
    "environ",
    "erf",
    "erfc",
    "errno",
    "exit",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fclose",
    "fdim",
    "feof",
    "ferror",
    "fflush",
    "fgetc",
    "fgetpos",
    "fgets",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "free",
    "freopen",
    "frexp",
    "fscanf",
    "fseek",
    "ftell",
    "fwrite",
    "gamma",
    "getc",
    "getchar",
    "getenv",
    "gets",
    "gmtime",
    "hypot",
    "ilogb",
    "index",
    "isalpha",
    "isdigit",
    "j0",
    "j1",
    "jn",
    "kill",
    "labs",
    "ldexp",
    "ldiv",
    "lgamma",
    "link",
    "llabs",
    "localtime",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "longjmp",
    "lrint",
    "lround",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "mktime",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "open",
    "perror",
    "pipe",
    "pow",
    "printf",
    "putc",
    "putchar",
    "puts",
    "qsort",
    "raise",
    "rand",
    "read",
    "realloc",
    "remainder",
    "remove",
    "remquo",
    "rename",
    "rewind",
    "rint",
    "round",
    "scalbn",
    "scanf",
    "setbuf",
    "setjmp",
    "signal",
    "sin",
    "sinh",
    "sleep",
    "snprintf",
    "sprintf",
    "sqrt",
    "srand",
    "sscanf",
    "stderr",
    "stdin",
    "stdout",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strlen",
    "strncpy",
    "strstr",
    "strtod",
    "strtol",
    "strtok",
    "system",
    "tan",
    "tanh",
    "tgamma",
    "time",
    "tmpfile",
    "trunc",
    "ungetc",
    "vprintf",
    "wait",
    "write",
    "y0",
    "y1",
    "yn",
];

/// A name made of letters of C: others become `_`, and a digit does not come first.
fn plain(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "model_");
    }
    text
}

/// The identifier of a model; `runtime` is the C around it, whose identifiers it must keep away from.
pub(crate) fn model_name(name: &str, runtime: &[&str]) -> String {
    let mut text = plain(name);
    let upper = text.to_ascii_uppercase();
    let is_macro = text == upper && text.len() > 1;
    let prefix = format!("{text}_");
    let clashes = |word: &str| word == text || word.starts_with(&prefix);
    let in_runtime = runtime.iter().any(|c| words(c).any(clashes));
    if is_macro || in_runtime || KEYWORDS.contains(&text.as_str()) || LIBRARY.contains(&text.as_str()) {
        text.push_str("_model");
    }
    text
}

/// The identifiers of a C text, comments and strings included.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Gives each name an identifier of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identifiers {
    taken: BTreeSet<String>,
}

impl Identifiers {
    /// None taken but these.
    pub(crate) fn without(reserved: &[&str]) -> Self {
        Identifiers {
            taken: reserved.iter().map(|s| (*s).to_owned()).collect(),
        }
    }

    /// Takes a word for something else.
    pub(crate) fn reserve(&mut self, word: &str) {
        self.taken.insert(word.to_owned());
    }

    /// An identifier after a prefix that ends in `_`.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let letters = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
        let text: String = letters.collect();
        let mut found = text.clone();
        let mut number = 2;
        while !self.taken.insert(found.clone()) {
            found = format!("{text}_{number}");
            number += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_keep_away_from_everything_else() {
        assert_eq!(model_name("interception", &[]), "interception");
        assert_eq!(model_name("3_balls", &[]), "model_3_balls");
        assert_eq!(model_name("double", &[]), "double_model");
        assert_eq!(model_name("sin", &[]), "sin_model");
        assert_eq!(model_name("NAN", &[]), "NAN_model");
        assert_eq!(model_name("flow", &["static int flow_step(void);"]), "flow_model");
        assert_eq!(model_name("größe", &[]), "gr__e");
    }

    #[test]
    fn identifiers_differ() {
        let mut all = Identifiers::without(&["init"]);
        assert_eq!(all.take("a.x"), "a_x");
        assert_eq!(all.take("a_x"), "a_x_2");
        assert_eq!(all.take("init"), "init_2");
        assert_eq!(all.take("a_x_2"), "a_x_2_2");
    }
}
