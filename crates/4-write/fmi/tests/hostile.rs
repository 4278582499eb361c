//! Importers that do everything wrong: they get statuses, and nothing crashes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::undocumented_unsafe_blocks,
    missing_docs
)]

use crate::support;

use dyverse_fmi::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use support::{BALL, Resources, TANK, log, resources, said};

const OK: i32 = 0;
const DISCARD: i32 = 2;
const ERROR: i32 = 3;

fn exchange(of: &Resources) -> *mut c_void {
    unsafe {
        fmi3InstantiateModelExchange(
            c"x".as_ptr(),
            of.token.as_ptr(),
            of.path.as_ptr(),
            false,
            false,
            null_mut(),
            Some(log),
        )
    }
}

fn stepped(of: &Resources, has_events: bool) -> *mut c_void {
    unsafe {
        fmi3InstantiateCoSimulation(
            c"x".as_ptr(),
            of.token.as_ptr(),
            of.path.as_ptr(),
            false,
            false,
            has_events,
            has_events,
            null(),
            0,
            null_mut(),
            Some(log),
            null(),
        )
    }
}

fn begin(instance: *mut c_void) {
    assert_eq!(
        fmi3EnterInitializationMode(instance, false, 0.0, 0.0, false, 0.0),
        OK
    );
    assert_eq!(fmi3ExitInitializationMode(instance), OK);
}

fn step(instance: *mut c_void, from: f64, length: f64) -> (i32, f64) {
    let (mut event, mut end, mut early, mut last) = (false, false, false, f64::NAN);
    let status = unsafe {
        fmi3DoStep(
            instance, from, length, true, &mut event, &mut end, &mut early, &mut last,
        )
    };
    (status, last)
}

fn real(instance: *mut c_void, reference: u32) -> (i32, f64) {
    let mut value = f64::NAN;
    let status = unsafe { fmi3GetFloat64(instance, &reference, 1, &mut value, 1) };
    (status, value)
}

fn set(instance: *mut c_void, reference: u32, value: f64) -> i32 {
    unsafe { fmi3SetFloat64(instance, &reference, 1, &value, 1) }
}

#[test]
fn what_is_no_instance_is_refused() {
    let junk: [usize; 5] = [0, 1, 64 * 1_000_000, usize::MAX, 0xdead_beef];
    for address in junk {
        let handle: *mut c_void = std::ptr::without_provenance_mut(address);
        assert_eq!(fmi3Terminate(handle), ERROR);
        assert_eq!(step(handle, 0.0, 1.0).0, ERROR);
        assert_eq!(fmi2DoStep(handle, 0.0, 1.0, 1), ERROR);
        fmi3FreeInstance(handle);
        fmi2FreeInstance(handle);
    }
    let of = resources("ball.drbt", BALL);
    let instance = exchange(&of);
    assert!(!instance.is_null());
    fmi3FreeInstance(instance);
    fmi3FreeInstance(instance);
    assert_eq!(real(instance, 1).0, ERROR);
}

#[test]
fn wrong_tokens_and_places_are_refused() {
    let of = resources("ball.drbt", BALL);
    let make = |token: *const i8, path: *const i8| unsafe {
        fmi3InstantiateModelExchange(
            c"x".as_ptr(),
            token.cast(),
            path.cast(),
            false,
            false,
            null_mut(),
            Some(log),
        )
    };
    assert!(make(c"{nonsense}".as_ptr().cast(), of.path.as_ptr().cast()).is_null());
    assert!(said("do not belong together"));
    assert!(make(of.token.as_ptr().cast(), c"/nowhere".as_ptr().cast()).is_null());
    assert!(said("cannot read"));
    assert!(make(null(), null()).is_null());
    std::fs::write(of.folder.path().join("0.drbt"), "system broken {").unwrap();
    assert!(make(of.token.as_ptr().cast(), of.path.as_ptr().cast()).is_null());
}

#[test]
fn wrong_order_changes_nothing() {
    let of = resources("ball.drbt", BALL);
    let y = of.reference("ball.vx");
    let instance = stepped(&of, false);
    assert_eq!(step(instance, 0.0, 0.1).0, ERROR, "before initialisation");
    assert!(said("while the instance is instantiated"));
    assert_eq!(fmi3ExitInitializationMode(instance), ERROR);
    assert_eq!(fmi3EnterEventMode(instance), ERROR);
    assert_eq!(fmi3EnterContinuousTimeMode(instance), ERROR);
    begin(instance);
    assert_eq!(fmi3ExitInitializationMode(instance), ERROR);
    assert_eq!(fmi3EnterEventMode(instance), ERROR, "without event mode");
    assert_eq!(fmi3SetTime(instance, 1.0), ERROR, "not for co-simulation");
    let (status, last) = step(instance, 0.0, 0.1);
    assert_eq!((status, last), (OK, 0.1));
    assert_eq!(real(instance, y), (OK, 1.0));
    assert_eq!(fmi3Terminate(instance), OK);
    assert_eq!(step(instance, 0.1, 0.1).0, ERROR, "after the end");
    assert_eq!(fmi3Reset(instance), OK);
    begin(instance);
    assert_eq!(step(instance, 0.0, 0.1), (OK, 0.1));
    fmi3FreeInstance(instance);
}

#[test]
fn wrong_numbers_are_refused() {
    let of = resources("ball.drbt", BALL);
    let (push, e, y) = (of.reference("push"), of.reference("e"), of.reference("ball.y"));
    let instance = stepped(&of, false);
    assert_eq!(set(instance, e, f64::NAN), ERROR);
    assert_eq!(
        set(instance, e, 1e300),
        OK,
        "what is wrong with it shows when it is used"
    );
    assert_eq!(
        fmi3EnterInitializationMode(instance, false, 0.0, f64::NAN, false, 0.0),
        ERROR
    );
    assert_eq!(
        fmi3EnterInitializationMode(instance, false, 0.0, 1.0, true, 0.0),
        ERROR
    );
    assert_eq!(
        fmi3EnterInitializationMode(instance, false, 0.0, 0.0, true, 2.0),
        OK
    );
    assert_eq!(
        fmi3ExitInitializationMode(instance),
        ERROR,
        "a restitution of 1e300"
    );
    assert_eq!(set(instance, e, 0.7), OK);
    assert_eq!(fmi3ExitInitializationMode(instance), OK);
    assert_eq!(set(instance, e, 0.8), ERROR, "too late");
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(set(instance, push, bad), ERROR);
        assert_eq!(step(instance, bad, 0.1).0, ERROR);
        assert_eq!(step(instance, 0.0, bad).0, ERROR);
    }
    assert_eq!(set(instance, y, 5.0), ERROR, "follows from h");
    assert_eq!(step(instance, 0.0, 0.0).0, ERROR);
    assert_eq!(step(instance, 0.0, -0.5).0, ERROR);
    assert_eq!(step(instance, 0.0, 1e300).0, DISCARD);
    assert_eq!(step(instance, 0.0, 5.0).0, ERROR, "beyond the stop time");
    assert_eq!(step(instance, 0.3, 0.1).0, ERROR, "not where it is");
    assert_eq!(step(instance, 0.0, 1e-300).0, OK);
    assert_eq!(real(instance, 1_000_000).0, ERROR);
    assert_eq!(set(instance, u32::MAX, 1.0), ERROR);
    let location = of.reference("location");
    assert_eq!(real(instance, location).0, ERROR, "of another type");
    let mut one = 0.0;
    assert_eq!(
        unsafe { fmi3GetFloat64(instance, &y, 1, &mut one, 2) },
        ERROR,
        "numbers that do not fit"
    );
    assert_eq!(unsafe { fmi3GetFloat64(instance, null(), 3, &mut one, 3) }, ERROR);
    assert_eq!(unsafe { fmi3GetFloat64(instance, &y, 1, null_mut(), 1) }, ERROR);
    assert_eq!(
        unsafe { fmi3GetFloat64(instance, &y, usize::MAX, &mut one, usize::MAX) },
        ERROR
    );
    // Nothing of this has moved it.
    let (status, height) = real(instance, y);
    assert!(status == OK && (height - 1.1).abs() < 1e-15, "{height}");
    fmi3FreeInstance(instance);
}

#[test]
fn saved_states_that_are_none_are_refused() {
    for (name, text) in [("ball.drbt", BALL), ("tank.dam", TANK)] {
        let of = resources(name, text);
        let instance = stepped(&of, false);
        begin(instance);
        assert_eq!(step(instance, 0.0, 0.6).0, OK);
        let mut state = null_mut();
        assert_eq!(unsafe { fmi3GetFMUState(instance, &mut state) }, OK);
        let mut size = 0;
        assert_eq!(
            unsafe { fmi3SerializedFMUStateSize(instance, state, &mut size) },
            OK
        );
        let mut bytes = vec![0; size];
        assert_eq!(
            unsafe { fmi3SerializeFMUState(instance, state, bytes.as_mut_ptr(), size - 1) },
            ERROR
        );
        assert_eq!(
            unsafe { fmi3SerializeFMUState(instance, state, bytes.as_mut_ptr(), size) },
            OK
        );
        // Every length, and every byte changed: taken or refused, never a crash.
        let mut taken = 0;
        for place in 0..size {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x55;
            for bytes in [&damaged[..], &bytes[..place]] {
                let mut other = null_mut();
                let status =
                    unsafe { fmi3DeserializeFMUState(instance, bytes.as_ptr(), bytes.len(), &mut other) };
                if status == OK {
                    taken += 1;
                    assert_eq!(unsafe { fmi3FreeFMUState(instance, &mut other) }, OK);
                } else {
                    assert_eq!(status, ERROR);
                }
            }
        }
        assert!(taken < 2 * size, "everything is taken for a state");
        assert_eq!(unsafe { fmi3FreeFMUState(instance, &mut state) }, OK);
        assert!(state.is_null());
        let mut made_up: *mut c_void = std::ptr::without_provenance_mut(64 * 77);
        assert_eq!(fmi3SetFMUState(instance, made_up), ERROR);
        assert_eq!(unsafe { fmi3FreeFMUState(instance, &mut made_up) }, ERROR);
        assert_eq!(unsafe { fmi3GetFMUState(instance, null_mut()) }, ERROR);
        fmi3FreeInstance(instance);
    }
}

/// Many instances on many threads, and one on several: every run is the same.
#[test]
fn threads_do_not_meet() {
    let of = resources("ball.drbt", BALL);
    let y = of.reference("ball.y");
    let run = |instance: *mut c_void| {
        for k in 0..20 {
            assert_eq!(step(instance, f64::from(k) * 0.1, 0.1).0, OK);
        }
        real(instance, y).1.to_bits()
    };
    let alone = stepped(&of, false);
    begin(alone);
    let expected = run(alone);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    (0..5).all(|_| {
                        let instance = stepped(&of, false);
                        begin(instance);
                        let same = run(instance) == expected;
                        fmi3FreeInstance(instance);
                        same
                    })
                })
            })
            .collect();
        assert!(threads.into_iter().all(|t| t.join().unwrap()));
    });
    // One instance, used and freed from several threads at once.
    let shared = stepped(&of, false).addr();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                let instance: *mut c_void = std::ptr::without_provenance_mut(shared);
                for k in 0..200 {
                    match (k + thread) % 5 {
                        0 => fmi3EnterInitializationMode(instance, false, 0.0, 0.0, false, 0.0),
                        1 => fmi3ExitInitializationMode(instance),
                        2 => step(instance, 0.0, 0.01).0,
                        3 => fmi3Reset(instance),
                        _ => real(instance, 3).0,
                    };
                }
                fmi3FreeInstance(instance);
            });
        }
    });
    fmi3FreeInstance(alone);
}

/// Calls drawn at random, with arguments drawn at random.
#[test]
fn random_calls_get_a_status() {
    let mut seed = 0x1234_5678_9abc_def0_u64;
    let mut draw = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let numbers = [
        0.0,
        0.1,
        -0.1,
        1.0,
        1e-9,
        1e9,
        1e300,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MIN_POSITIVE,
    ];
    for (name, text) in [("ball.drbt", BALL), ("tank.dam", TANK)] {
        let of = resources(name, text);
        let count = of.source.description.variables.len() as u64 + 2;
        for round in 0..60 {
            let is_exchange = round % 2 == 0;
            let instance = if is_exchange {
                exchange(&of)
            } else {
                stepped(&of, round % 4 == 1)
            };
            let mut state = null_mut();
            let mut time = 0.0;
            for _ in 0..120 {
                let number = numbers[draw(numbers.len() as u64) as usize];
                let reference = draw(count) as u32;
                let mut values = [number; 64];
                let n = draw(64) as usize;
                let (mut a, mut b, mut c, mut d, mut e, mut f) = (false, false, false, false, false, 0.0);
                let status = unsafe {
                    match draw(22) {
                        0 => fmi3EnterInitializationMode(instance, false, 0.0, 0.0, false, 0.0),
                        1 => fmi3ExitInitializationMode(instance),
                        2 => fmi3EnterEventMode(instance),
                        3 | 4 => {
                            fmi3UpdateDiscreteStates(instance, &mut a, &mut b, &mut c, &mut d, &mut e, &mut f)
                        }
                        5 => fmi3EnterContinuousTimeMode(instance),
                        6 => fmi3EnterStepMode(instance),
                        7 | 8 => {
                            let status =
                                fmi3DoStep(instance, time, 0.05, true, &mut a, &mut b, &mut c, &mut f);
                            time = if status == OK { f } else { time };
                            status
                        }
                        9 => step(instance, number, number).0,
                        10 => set(instance, reference, number),
                        11 => real(instance, reference).0,
                        12 => fmi3GetFMUState(instance, &mut state),
                        13 => fmi3SetFMUState(instance, state),
                        14 => fmi3FreeFMUState(instance, &mut state),
                        15 => fmi3SetTime(instance, number),
                        16 => fmi3SetContinuousStates(instance, values.as_ptr(), n),
                        17 => fmi3GetContinuousStateDerivatives(instance, values.as_mut_ptr(), n),
                        18 => fmi3GetEventIndicators(instance, values.as_mut_ptr(), n),
                        19 => fmi3GetDirectionalDerivative(
                            instance,
                            &reference,
                            1,
                            &reference,
                            1,
                            &number,
                            1,
                            values.as_mut_ptr(),
                            1,
                        ),
                        20 => fmi3Terminate(instance),
                        _ => fmi3Reset(instance),
                    }
                };
                assert!(
                    [OK, DISCARD, ERROR].contains(&status),
                    "an internal error in {name}, round {round}: {status}"
                );
            }
            fmi3FreeInstance(instance);
        }
    }
}
