//! The numbers of a run, each kind with a type of its own, and vectors that one kind alone indexes.
//!
//! Entities, inputs, parameters and symbols have those of the model. A place in the list of a cluster, an island or a node is no such number, and is called a place.

use dyverse_expr::SymbolId;
use dyverse_model::{EntityId, InputId, ParameterId};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// What indexes an [`IndexVec`].
pub(crate) trait Number: Copy {
    fn new(number: usize) -> Self;
    fn number(self) -> usize;
}

/// A contact, in the order in which a run first asks for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ContactIx(usize);

/// An island; the number of one that was taken apart is given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct IslandIx(usize);

/// A group of entities whose loads read each other's states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct GroupIx(usize);

macro_rules! numbers {
    ($kind:ty: $($name:ident),+) => {$(
        impl Number for $name {
            fn new(number: usize) -> Self {
                $name(number as $kind)
            }
            fn number(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}
numbers!(usize: ContactIx, IslandIx, GroupIx, EntityId);
numbers!(u32: InputId, ParameterId, SymbolId);

/// A vector with elements by number.
#[derive(Clone, Debug)]
pub(crate) struct IndexVec<I, T>(Vec<T>, PhantomData<fn(I) -> I>);

impl<I: Number, T> IndexVec<I, T> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
    pub(crate) fn numbers(&self) -> impl DoubleEndedIterator<Item = I> + Clone + use<I, T> {
        (0..self.0.len()).map(I::new)
    }
    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }
    pub(crate) fn iter_enumerated(&self) -> impl Iterator<Item = (I, &T)> {
        self.numbers().zip(&self.0)
    }
    pub(crate) fn get(&self, number: I) -> Option<&T> {
        self.0.get(number.number())
    }
    pub(crate) fn get_mut(&mut self, number: I) -> Option<&mut T> {
        self.0.get_mut(number.number())
    }
    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
    pub(crate) fn push(&mut self, element: T) -> I {
        self.0.push(element);
        I::new(self.0.len() - 1)
    }
    /// Puts an element in its place, which is made if there is none yet.
    pub(crate) fn set(&mut self, number: I, element: T)
    where
        T: Clone + Default,
    {
        let least = self.0.len().max(number.number() + 1);
        self.0.resize(least, T::default());
        self[number] = element;
    }
}

impl<I, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        IndexVec(Vec::new(), PhantomData)
    }
}

impl<I, T> From<Vec<T>> for IndexVec<I, T> {
    fn from(elements: Vec<T>) -> Self {
        IndexVec(elements, PhantomData)
    }
}

impl<I, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(elements: A) -> Self {
        IndexVec(elements.into_iter().collect(), PhantomData)
    }
}

impl<'a, I: Number, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I: Number, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, number: I) -> &T {
        &self.0[number.number()]
    }
}

impl<I: Number, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, number: I) -> &mut T {
        &mut self.0[number.number()]
    }
}
