//! The order of the methods, and why it is this one.
//!
//! 1. *Cheap tests*: they refute most boards with faults in a pass or two, and are the reasons that
//!    are easiest to see.
//! 2. *Refining*: forced steps and 2-factors refute nearly all other boards without a circuit that
//!    a generator makes, and leave every later method less to do.
//! 3. *Flips* join the cycles of the 2-factor; on boards with room a circuit is left.
//! 4. *Window repair* joins the few cycles that flips leave apart, nearly always by small windows; on
//!    large boards a fault may take one of a hundred cells across.
//! 5. What is left is small, tight, or has no circuit for a reason that no local rule
//!    sees. Four methods take turns, each turn longer than the last: the *search* (best on tight
//!    boards with a circuit), the *regions* proof (best on boards whose gates are too narrow, where
//!    searches never end; most of them fall in its first turn), *wider windows* (best on large boards
//!    with a fault here and there), and the *frontier sweep* (best on narrow boards of either
//!    kind). So the time taken is at most a small multiple of what the best of them takes.
//!    With the regions proof before the search, tight boards take half as long again; with a first
//!    turn of the search of 500 conflicts as well, and with 8000 the others do.
//!
//! Turns are counted in work, never in time, so which method answers does not depend on
//! the machine.

use super::cheap;
use super::cycles::{Cycles, walk};
use super::knowledge::Knowledge;
use super::lattice::{Lattice, Mask, compass};
use super::refine::{Refined, refine};
use super::repair::{Repair, Width};
use super::search::{Instance, Progress, Search};
use crate::budget::{Budget, Stop};
use crate::grid::Direction;
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
/// The windows of repair.
const WINDOWS: [Width; 11] = [
    (3, 60),
    (5, 200),
    (7, 400),
    (10, 600),
    (14, 1000),
    (20, 2000),
    (28, 3000),
    (40, 5000),
    (60, 8000),
    (90, 15_000),
    (130, 25_000),
];
/// Windows up to this width are tried at once.
const SMALL_WINDOW: usize = 10;
/// Wider ones, too, if the board is so many times as large. Else the search of the whole board is no
/// harder, and they wait for their turns.
const BOARD_BEYOND_WINDOW: usize = 4;
/// Conflicts of the search's first turn; each turn has twice as many.
const FIRST_CONFLICTS: u64 = 2000;
/// States of the frontier sweep's first turn; each turn has four times as many.
const FIRST_STATES: u64 = 100_000;
/// The wider boards are not swept.
const WIDEST_SWEEP: usize = 24;
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
        Refined::Contradicted(sets) => {
            let reason = match regions::of_sets(board, &sets, budget) {
                Ok(Some(certificate)) => Reason::Counted(certificate),
                Ok(None) | Err(_) => told(board, budget),
            };
            return Ok(Decided::No(reason));
        }
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
    let is_local = |&(radius, _): &Width| {
        radius <= SMALL_WINDOW
            || BOARD_BEYOND_WINDOW * (2 * radius + 1) * (2 * radius + 1) <= lattice.cells()
    };
    let (local, wide) = WINDOWS.split_at(WINDOWS.partition_point(is_local));
    if repair.run(local, budget)? {
        return Ok(Decided::Circuit(tour(lattice, repair.chosen(), start)));
    }
    let mut turns = Turns { board, lattice, knowledge: &knowledge, repair, wide, search: None };
    let decided = turns.take(budget);
    if let Some(search) = turns.search {
        search.end(budget);
    }
    decided
}

/// The methods that take turns.
struct Turns<'a> {
    board: &'a Board,
    lattice: &'a Lattice,
    knowledge: &'a Knowledge<'a>,
    repair: Repair<'a>,
    /// The windows that are left.
    wide: &'static [Width],
    /// Begun in its first turn.
    search: Option<Search>,
}

impl Turns<'_> {
    fn take(&mut self, budget: &mut Budget) -> Result<Decided, Stop> {
        let start = self.lattice.place(self.board.start());
        let mut frontier = None;
        let mut turn = 0;
        loop {
            match self.search(FIRST_CONFLICTS << turn.min(40), budget)? {
                Progress::Found => {
                    let mut chosen = self.knowledge.used().to_vec();
                    if let Some(search) = &self.search {
                        search.write(self.lattice, &mut chosen);
                    }
                    return Ok(Decided::Circuit(tour(self.lattice, &chosen, start)));
                }
                Progress::Exhausted => return Ok(Decided::No(told(self.board, budget))),
                Progress::Paused => {}
            }
            match regions::find(self.board, 1 << turn.min(20), budget) {
                Ok(Some(certificate)) => return Ok(Decided::No(Reason::Counted(certificate))),
                // Where the search holds all the memory, it goes on alone.
                Ok(None) | Err(Stop::MemoryLimit) => {}
                Err(stop) => return Err(stop),
            }
            if let Some(width) = self.wide.get(turn)
                && self.repair.run(&[*width], budget)?
            {
                return Ok(Decided::Circuit(tour(self.lattice, self.repair.chosen(), start)));
            }
            if self.can_be_swept() {
                let frontier = match &frontier {
                    Some(frontier) => frontier,
                    None => frontier.insert(Frontier::new(self.board, budget)?),
                };
                let states = FIRST_STATES << (2 * turn).min(40);
                if let Swept::Finished(tour) = frontier.find_circuit(states, budget)? {
                    return Ok(match tour {
                        None => Decided::No(told(self.board, budget)),
                        Some(tour) => {
                            let places = tour.into_iter().map(|cell| self.lattice.place(cell));
                            Decided::Circuit(places.collect())
                        }
                    });
                }
            }
            turn += 1;
        }
    }

    /// Whether the board is narrow enough for a sweep to be worth its preparation.
    fn can_be_swept(&self) -> bool {
        let size = self.board.size();
        size.rows.min(size.cols) <= WIDEST_SWEEP
    }

    /// Searches all that is not settled, at first along the 2-factor that repair has come to.
    fn search(&mut self, conflicts: u64, budget: &mut Budget) -> Result<Progress, Stop> {
        let search = match &mut self.search {
            Some(search) => search,
            none => {
                let instance = Instance::of_all(self.knowledge);
                let chosen = self.repair.chosen();
                let hint = |place: usize, direction: usize| chosen[place] & (1 << direction) != 0;
                none.insert(Search::new(instance, hint, budget)?)
            }
        };
        search.run(conflicts, budget)
    }
}

/// The best reason that can be given for a board that is known to have no circuit.
fn told(board: &Board, budget: &mut Budget) -> Reason {
    // That there is no circuit is known already: a limit met here changes only how it is told.
    match regions::find(board, EFFORT_TO_TELL, budget) {
        Ok(Some(certificate)) => Reason::Counted(certificate),
        Ok(None) | Err(_) => Reason::Exhausted,
    }
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
