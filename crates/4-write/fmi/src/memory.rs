//! Arrays and texts of the importer. Null pointers are refused; that an array is as long as it is said to be has to be believed.

use crate::machine::Failure;
use std::ffi::{CStr, c_char};

fn check<T>(pointer: *const T, length: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::error("an array is null"));
    }
    if !pointer.is_aligned() || length > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::error("an array is no array"));
    }
    Ok(())
}

/// An array to read.
///
/// # Safety
/// If it is not null it holds `length` values that nobody changes meanwhile.
pub(crate) unsafe fn values<'a, T>(pointer: *const T, length: usize) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    check(pointer, length)?;
    // SAFETY: not null, aligned and of a possible size; the rest is the caller's word.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// An array to write.
///
/// # Safety
/// If it is not null there is room for `length` values that nobody else uses meanwhile.
pub(crate) unsafe fn room<'a, T>(pointer: *mut T, length: usize) -> Result<&'a mut [T], Failure> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(pointer, length)?;
    // SAFETY: not null, aligned and of a possible size; the rest is the caller's word.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// Writes one value, where the importer wants it.
///
/// # Safety
/// If it is not null there is room for a value.
pub(crate) unsafe fn put<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() && pointer.is_aligned() {
        // SAFETY: not null and aligned; the rest is the caller's word.
        unsafe { pointer.write(value) };
    }
}

/// A text; empty if it is null.
///
/// # Safety
/// If it is not null it ends with a zero.
pub(crate) unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: not null; the rest is the caller's word.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}
