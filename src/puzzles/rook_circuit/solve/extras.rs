//! What is asked beyond one tour: whether it is the only one, and how many there are.
//!
//! Whether it is the only one is asked first: that is often quickly said (`unique` looks for a second
//! circuit, and a search with the tour forbidden goes on for a while), and then the count may be
//! known as well. The frontier sweep counts on narrow boards. If it gives up, the
//! search takes the time that is left. What is not decided is left out: the tour stands all
//! the same.

use super::knowledge::Knowledge;
use super::lattice::Lattice;
use super::refine::{Refined, refine};
use super::search::{Instance, Progress, Search};
use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use crate::puzzles::rook_circuit::board::Board;
use crate::puzzles::rook_circuit::frontier::{Frontier, Swept};
use crate::puzzles::rook_circuit::unique;

/// Conflicts of the search for a second circuit before the circuits are counted.
const FIRST_CONFLICTS: u64 = 20_000;

/// Whether the tour is the only circuit, and the number of circuits; each `None` if it was not
/// asked or not decided.
pub(super) fn extras(
    board: &Board,
    lattice: &Lattice,
    tour: &[usize],
    budget: &mut Budget,
) -> (Option<bool>, Option<String>) {
    let asked = board.questions();
    let mut known = Known { is_unique: None, count: None };
    // A limit that is met here ends the extras, not what was found before.
    let _: Result<(), Stop> = match asked.unique {
        true => known.ask_unique(board, lattice, tour, budget),
        false if asked.count => known.count(board, budget),
        false => Ok(()),
    };
    (known.is_unique.filter(|_| asked.unique), known.count.filter(|_| asked.count))
}

/// What is known of the extras.
struct Known {
    is_unique: Option<bool>,
    count: Option<String>,
}

impl Known {
    fn ask_unique(
        &mut self,
        board: &Board,
        lattice: &Lattice,
        tour: &[usize],
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let cells: Vec<Cell> = tour.iter().map(|&place| lattice.cell(place)).collect();
        self.is_unique = unique::is_unique(board, &cells, budget)?;
        let mut knowledge = None;
        if self.is_unique.is_none()
            && let Refined::Open(open, _) = refine(lattice, budget)?
        {
            knowledge = Some(open);
        }
        let mut second = match &knowledge {
            Some(knowledge) => Some(Second::begin(knowledge, tour, budget)?),
            None => None,
        };
        if let Some(second) = &mut second {
            self.is_unique = second.is_missing(FIRST_CONFLICTS, budget)?;
        }
        if board.questions().count {
            self.count(board, budget)?;
        }
        if let Some(second) = &mut second
            && self.is_unique.is_none()
        {
            self.is_unique = second.is_missing(u64::MAX, budget)?;
        }
        if let Some(second) = second {
            second.search.end(budget);
        }
        Ok(())
    }

    fn count(&mut self, board: &Board, budget: &mut Budget) -> Result<(), Stop> {
        if self.is_unique == Some(true) {
            self.count = Some("1".to_owned());
            return Ok(());
        }
        if let Swept::Finished(count) = Frontier::new(board, budget)?.count(u64::MAX, budget)? {
            self.is_unique = Some(count == "1");
            self.count = Some(count);
        }
        Ok(())
    }
}

/// The search for a second circuit.
struct Second {
    search: Search,
    has_forbidden: bool,
}

impl Second {
    /// The tour's edges are the first that the search tries, so that it finds that tour at once.
    fn begin(knowledge: &Knowledge<'_>, tour: &[usize], budget: &mut Budget) -> Result<Self, Stop> {
        let lattice = knowledge.lattice;
        let mut chosen = vec![0_u8; lattice.places()];
        for (&place, &next) in tour.iter().zip(tour.iter().cycle().skip(1)) {
            if let Some(direction) = lattice.direction_to(place, next) {
                chosen[place] |= 1 << direction;
                chosen[next] |= 1 << (direction ^ 2);
            }
        }
        let hint = |place: usize, direction: usize| chosen[place] & (1 << direction) != 0;
        let search = Search::new(Instance::of_all(knowledge), hint, budget)?;
        Ok(Self { search, has_forbidden: false })
    }

    /// Whether there is no second circuit, if that is found out with so many conflicts.
    fn is_missing(&mut self, conflicts: u64, budget: &mut Budget) -> Result<Option<bool>, Stop> {
        loop {
            match self.search.run(conflicts, budget)? {
                Progress::Found if self.has_forbidden => return Ok(Some(false)),
                Progress::Found => {
                    // Whichever circuit this is, any other one is a second.
                    self.search.forbid_found(budget)?;
                    self.has_forbidden = true;
                }
                Progress::Exhausted => return Ok(Some(true)),
                Progress::Paused => return Ok(None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategy::{Decided, decide};
    use super::*;
    use crate::grid::{CellSet, Size};
    use crate::puzzles::rook_circuit::board::Questions;

    #[test]
    fn the_search_for_a_second_circuit_misses_it_only_where_the_sweep_counts_one() {
        let mut random = fastrand::Rng::with_seed(0x5ec0_17d0);
        let budget = &mut Budget::unlimited();
        let (mut alone, mut with_others) = (0, 0);
        for number in 0..4000 {
            let size = Size::new(random.usize(4..9), random.usize(4..9));
            let share = random.usize(5..30);
            let free = size.cells().filter(|_| random.usize(0..100) >= share);
            let free = CellSet::from_cells(size, free);
            let Ok(board) = Board::new(free, None, Questions::default()) else { continue };
            let lattice = Lattice::new(&board);
            let Ok(Decided::Circuit(tour)) = decide(&board, &lattice, budget) else { continue };
            let Ok(Refined::Open(knowledge, _)) = refine(&lattice, budget) else { continue };
            let frontier = Frontier::new(&board, budget).unwrap();
            let Swept::Finished(count) = frontier.count(u64::MAX, budget).unwrap() else {
                panic!("too wide:\n{board}")
            };
            let mut second = Second::begin(&knowledge, &tour, budget).unwrap();
            // In pieces, as where it goes on after the count.
            let is_missing = loop {
                if let Some(is_missing) = second.is_missing(3, budget).unwrap() {
                    break is_missing;
                }
            };
            second.search.end(budget);
            assert_eq!(is_missing, count == "1", "{number}: {count}\n{board}");
            alone += usize::from(is_missing);
            with_others += usize::from(!is_missing);
        }
        assert!(alone > 10 && with_others > 10, "{alone} {with_others}");
    }
}
