//! Runs the scenes of `scenes.json` on dyverse and on Rapier: errors against the prepared references, and processor time.
//!
//! `dyverse-benchmarks scenes PREPARED.json OUT.json`, or `heaps` for scenes of many lasting contacts; `compare.sh` calls it.
//!
//! | file | what it holds |
//! |---|---|
//! | `prepared.rs` | the scenes, their references and initial states, as `prepare.py` writes them |
//! | `run.rs` | one measured run, and how it is timed |
//! | `with_dyverse.rs` | the scenes as `.drbt` text, and their runs |
//! | `with_rapier.rs` | the scenes on Rapier, and its settings |
//! | `heaps.rs` | scenes of many lasting contacts on both, with frames |
//! | `sweep.rs` | steps from coarse to fine as long as time lasts |

mod heaps;
mod prepared;
mod run;
mod sweep;
mod with_dyverse;
mod with_rapier;

use prepared::Prepared;
use std::error::Error;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [part, prepared, out] = arguments.as_slice() else {
        return Err("usage: dyverse-benchmarks scenes|heaps PREPARED.json OUT.json".into());
    };
    let prepared: Prepared = serde_json::from_str(&fs::read_to_string(prepared)?)?;
    if part == "heaps" {
        let mut filmed = heaps::with_dyverse(&prepared.heaps)?;
        filmed.extend(heaps::with_rapier(&prepared.heaps));
        fs::write(out, serde_json::to_string(&filmed)?)?;
        return Ok(());
    }
    let mut runs = with_dyverse::scenes(&prepared)?;
    runs.extend(with_rapier::scenes(&prepared));
    runs.extend(with_dyverse::boxes(&prepared)?);
    runs.extend(with_rapier::boxes(&prepared));
    fs::write(out, serde_json::to_string_pretty(&runs)?)?;
    Ok(())
}
