//! Enums whose variants say beside what they hold how people are told.

/// An enum with its [`Display`](std::fmt::Display): `Variant { field: Type } => "words with {field}";`, `Variant(name: Type) => "words with {name}";`.
#[macro_export]
macro_rules! told {
    ($(#[$about:meta])* $visibility:vis enum $name:ident { $(
        $(#[$what:meta])*
        $variant:ident $({ $($(#[$held:meta])* $field:ident: $type:ty),* $(,)? })? $(($($place:ident: $placed:ty),*))?
        => $text:literal $(, $argument:expr)*;
    )* }) => {
        $(#[$about])*
        $visibility enum $name {
            $($(#[$what])* $variant $({ $($(#[$held])* $field: $type),* })? $(($($placed),*))?,)*
        }

        impl ::std::fmt::Display for $name {
            #[allow(unused_variables, reason = "not all that is held is told")]
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                match self {
                    $($name::$variant $({ $($field),* })? $(($($place),*))? => ::std::write!(f, $text $(, $argument)*),)*
                }
            }
        }
    };
}
