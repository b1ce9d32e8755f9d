//! The order of the methods, and why it is this one.
//!
//! 1. *Cheap tests*: they refute most boards with faults in a pass or two, and are the reasons that
//!    are easiest to see.
//! 2. *Refining*: forced steps and 2-factors refute nearly all other boards without a circuit that
//!    a generator makes, and leave every later method less to do.
//! 3. *Flips* join the cycles of the 2-factor; on boards with room a circuit is left.
//! 4. *Window repair* joins the few cycles that flips leave apart.
//! 5. What is left is small, tight, or has no circuit for a reason that no local rule
//!    sees. Three methods take turns, each turn longer than the last: the *search* (best on tight
//!    boards with a circuit), the *regions* proof (best on boards whose gates are too narrow,
//!    where searches never end), and the *frontier sweep* (best on narrow boards of either kind).
//!    So the time taken is at most a small multiple of what the best of them takes.
//!
//! Turns are counted in work, never in time, so which method answers does not depend on
//! the machine.

use super::cheap;
use super::cycles::{Cycles, walk};
use super::lattice::{Lattice, Mask, compass};
use super::refine::{Refined, refine};
use super::repair::Repair;
use super::search::{Instance, NONE, Progress, Search};
use crate::budget::{Budget, Stop};
use crate::grid::{Cell, Direction};
use crate::puzzles::rook_circuit::board::Board;
use crate::puzzles::rook_circuit::frontier::{Frontier, Swept};
use crate::puzzles::rook_circuit::reason::Reason;
use crate::puzzles::rook_circuit::regions;

/// Whether there is a circuit.
#[derive(Debug)]
pub(super) enum Decided {
    /// The places of one, in order, from the start.
    Circuit(Vec<usize>),
    /// There is none.
    No(Reason),
}

/// About what a place takes in all the arrays, in bytes.
const BYTES_A_PLACE: usize = 120;
/// Conflicts of the search's first turn; each turn has twice as many.
const FIRST_CONFLICTS: u64 = 500;
/// States of the frontier sweep's first turn; each turn has four times as many.
const FIRST_STATES: u64 = 100_000;
/// The effort of the regions proof when the search has ended: about as much as a small board
/// needs to be told.
const EFFORT_TO_TELL: u32 = 1;

/// Decides whether a board has a circuit.
pub(super) fn decide(
    board: &Board,
    lattice: &Lattice,
    budget: &mut Budget,
) -> Result<Decided, Stop> {
    let bytes = lattice.places() * BYTES_A_PLACE;
    budget.reserve(bytes)?;
    let decided = decide_within(board, lattice, budget);
    budget.release(bytes);
    decided
}

fn decide_within(board: &Board, lattice: &Lattice, budget: &mut Budget) -> Result<Decided, Stop> {
    if let Some(reason) = cheap::refute(lattice, budget)? {
        return Ok(Decided::No(reason));
    }
    let (knowledge, factor) = match refine(lattice, budget)? {
        Refined::Refuted(reason) => return Ok(Decided::No(reason)),
        Refined::Contradicted => return told(board, budget).map(Decided::No),
        Refined::Open(knowledge, factor) => (knowledge, factor),
    };
    let start = lattice.place(board.start());
    let (open, used) = (knowledge.open(), knowledge.used());
    // Forced steps that closed a circuit are the answer; the 2-factor may be an older one.
    let mut chosen = if knowledge.is_circuit() { used.to_vec() } else { factor.into_chosen() };
    let mut cycles = Cycles::of(lattice, &chosen, budget)?;
    cycles.merge(lattice, &mut chosen, open, used, budget)?;
    if cycles.count() == 1 {
        return Ok(Decided::Circuit(tour(lattice, &chosen, start)));
    }
    let mut repair = Repair::new(lattice, open, used, chosen, budget)?;
    let is_one = repair.run(budget)?;
    let mut chosen = repair.into_chosen();
    if is_one {
        return Ok(Decided::Circuit(tour(lattice, &chosen, start)));
    }
    let mut number = vec![NONE; lattice.places()];
    let instance = Instance::new(
        lattice,
        lattice.free(),
        open,
        |place| used[place],
        |place| knowledge.far_end(place),
        &mut number,
    );
    let hint = |place: usize, direction: usize| chosen[place] & (1 << direction) != 0;
    let mut search = Search::new(instance, hint, budget)?;
    let decided = take_turns(board, &mut search, budget);
    if let Ok(Turns::Search) = decided {
        search.write(lattice, &mut chosen);
    }
    search.end(budget);
    Ok(match decided? {
        Turns::Search => Decided::Circuit(tour(lattice, &chosen, start)),
        Turns::Exhausted => Decided::No(told(board, budget)?),
        Turns::Refuted(reason) => Decided::No(reason),
        Turns::Sweep(cells) => {
            Decided::Circuit(cells.into_iter().map(|cell| lattice.place(cell)).collect())
        }
    })
}

/// Which of the methods that take turns has ended, and how.
enum Turns {
    Search,
    Exhausted,
    Refuted(Reason),
    Sweep(Vec<Cell>),
}

fn take_turns(board: &Board, search: &mut Search, budget: &mut Budget) -> Result<Turns, Stop> {
    let frontier = Frontier::new(board, budget)?;
    let mut can_sweep = true;
    for turn in 0.. {
        match search.run(FIRST_CONFLICTS << turn.min(40), budget)? {
            Progress::Found => return Ok(Turns::Search),
            Progress::Exhausted => return Ok(Turns::Exhausted),
            Progress::Paused => {}
        }
        if let Some(certificate) = regions::find(board, 1 << turn.min(20), budget)? {
            return Ok(Turns::Refuted(Reason::Counted(certificate)));
        }
        if can_sweep {
            match frontier.find_circuit(FIRST_STATES << (2 * turn).min(40), budget)? {
                Swept::Finished(Some(tour)) => return Ok(Turns::Sweep(tour)),
                Swept::Finished(None) => return Ok(Turns::Refuted(told(board, budget)?)),
                Swept::GaveUp => can_sweep = budget.memory_left() > 0,
            }
        }
    }
    unreachable!("the turns end with an answer or a stop")
}

/// The best reason that can be given for a board that is known to have no circuit.
fn told(board: &Board, budget: &mut Budget) -> Result<Reason, Stop> {
    // That there is no circuit is known already: a limit met here changes only how it is told.
    Ok(match regions::find(board, EFFORT_TO_TELL, budget) {
        Ok(Some(certificate)) => Reason::Counted(certificate),
        Ok(None) | Err(_) => Reason::Exhausted,
    })
}

/// The places of the one cycle of `chosen`, from `start`.
fn tour(lattice: &Lattice, chosen: &[Mask], start: usize) -> Vec<usize> {
    walk(lattice, chosen, start).map(|(place, _)| place).collect()
}

/// The steps of a tour.
pub(super) fn moves(lattice: &Lattice, tour: &[usize]) -> Vec<Direction> {
    tour.iter()
        .zip(tour.iter().cycle().skip(1))
        .filter_map(|(&place, &next)| lattice.direction_to(place, next))
        .map(compass)
        .collect()
}
