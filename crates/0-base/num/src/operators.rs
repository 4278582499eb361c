//! Operators of numbers by value, in few words.

/// `operators! { [S: Scalar] Vec3<S>: Add add (a, b) { … } Neg neg (a) { … } }`
macro_rules! operators {
    (@one [$($generic:tt)*] $of:ty, $operator:ident $name:ident ($a:ident, $b:ident) $result:block) => {
        impl<$($generic)*> std::ops::$operator for $of {
            type Output = Self;

            fn $name(self, $b: Self) -> Self {
                let $a = self;
                $result
            }
        }
    };
    (@one [$($generic:tt)*] $of:ty, $operator:ident $name:ident ($a:ident) $result:block) => {
        impl<$($generic)*> std::ops::$operator for $of {
            type Output = Self;

            fn $name(self) -> Self {
                let $a = self;
                $result
            }
        }
    };
    ($generics:tt $of:ty: $($operator:ident $name:ident $operands:tt $result:block)*) => {
        $(operators! { @one $generics $of, $operator $name $operands $result })*
    };
}
