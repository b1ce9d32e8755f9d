//! Frontier dynamic programming: finds, counts and tells apart circuits of
//! narrow boards.
//!
//! The free cells are swept row by row across the narrower side. After any number
//! of cells, all that matters of the part behind is which edges cross the frontier
//! and how the paths behind pair them up: at most width + 1 crossing edges, paired
//! like brackets since paths in the plane do not cross. A *layer* is the set of
//! such states, each an exact 64-bit key (two bits a place); a step over one cell
//! maps every state to at most two. The last free cell alone may close the circuit,
//! so what arrives there is exactly the circuits, each once.
//!
//! Edges that no circuit can use, or that all must, as far as a few rules tell
//! (`edge_rules`), are settled before: they cost no state.
//!
//! Cost: where p open edges cross the frontier, a layer holds at most the p-th Motzkin
//! number of states (41 835 for an empty board 12 wide); a third of that is met on empty boards,
//! for the colours of the open ends must balance what lies behind, and far less where many
//! cells are blocked. A state costs some 25 ns. So a sweep gives up by the states that it meets,
//! not by the board's size: 100 × 14 empty cells are within reach (4 s, 60 MB), and so are
//! 20 × 20 with a tenth of the cells blocked and 30 × 30 with three tenths (0.3 s).
//!
//! Only the layer at hand is needed to count. To walk back along one circuit the
//! layers behind are needed too; they are kept as long as `MARK_BYTES` lasts, then
//! every second one is dropped, and the gaps are swept again on the way back.
//!
//! The method is Conway, Enting and Guttmann's transfer matrix for self-avoiding
//! walks, known in contests as "plug DP".

mod layer;
mod sweep;
mod tally;

use self::layer::{Layer, SlotTable};
use self::sweep::Sweep;
use self::tally::{Exact, Presence, Tally, UpToTwo};
use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use crate::puzzles::rook_circuit::board::Board;
use crate::puzzles::rook_circuit::edge_rules::EdgeRules;

/// How many bytes of layers [`Frontier::find_circuit`] keeps for the way back.
const MARK_BYTES: usize = 48 << 20;

/// A board made ready for sweeps.
#[derive(Debug)]
pub struct Frontier<'a> {
    board: &'a Board,
    plan: Plan,
}

/// How a board is to be swept.
#[derive(Debug)]
enum Plan {
    /// Not at all: the rules for edges leave no circuit.
    NoCircuit,
    /// Not at all: more edges may cross the frontier at once than a key holds.
    TooWide,
    Sweep(Sweep),
}

impl<'a> Frontier<'a> {
    /// Plans the sweep, leaving the edges out that are settled.
    ///
    /// # Errors
    /// The limit that ended the planning.
    pub fn new(board: &'a Board, budget: &mut Budget) -> Result<Self, Stop> {
        let plan = match EdgeRules::of_board(board, budget)? {
            None => Plan::NoCircuit,
            Some(rules) => Plan::new(board, &rules),
        };
        Ok(Self { board, plan })
    }

    /// Plans the sweep with rules that are known already.
    pub(super) fn with_rules(board: &'a Board, rules: &EdgeRules) -> Self {
        Self { board, plan: Plan::new(board, rules) }
    }

    /// A circuit as the order of its cells, from the board's start; `None` when there
    /// is none. `most_states` bounds the states visited on the way forth (some 30 ns each; the way
    /// back takes about as long again).
    ///
    /// # Errors
    /// A time limit or a cancelled budget.
    pub fn find_circuit(
        &self,
        most_states: u64,
        budget: &mut Budget,
    ) -> Result<Swept<Option<Vec<Cell>>>, Stop> {
        self.sweep(None, budget, |sweep, budget| {
            let mut marks = Marks::new(most_states);
            let end = marks.run(sweep, sweep.len(), budget)?;
            if end.is_empty() {
                return Ok(None);
            }
            end.free(budget);
            marks.states_left = u64::MAX;
            let states = walk_back(sweep, marks, budget)?;
            Ok(Some(sweep.circuit(self.board, &states)))
        })
    }

    /// The number of circuits, direction and start not counted, in decimal.
    ///
    /// # Errors
    /// A time limit or a cancelled budget.
    pub fn count(&self, most_states: u64, budget: &mut Budget) -> Result<Swept<String>, Stop> {
        self.sweep("0".to_owned(), budget, |sweep, budget| {
            let end = tally_all::<Exact>(sweep, most_states, budget)?;
            Ok(if end.is_empty() { "0".to_owned() } else { end.tallies.decimal(0) })
        })
    }

    /// The number of circuits, direction and start not counted, but two for any
    /// greater number.
    ///
    /// # Errors
    /// A time limit or a cancelled budget.
    pub fn count_up_to_two(
        &self,
        most_states: u64,
        budget: &mut Budget,
    ) -> Result<Swept<u8>, Stop> {
        self.sweep(0, budget, |sweep, budget| {
            let end = tally_all::<UpToTwo>(sweep, most_states, budget)?;
            Ok(if end.is_empty() { 0 } else { end.tallies.get(0) })
        })
    }

    /// Does `work` unless the plan says better, and gives back whatever memory it took, however it
    /// ends: its tables are gone by then.
    fn sweep<T>(
        &self,
        without_circuit: T,
        budget: &mut Budget,
        work: impl FnOnce(&Sweep, &mut Budget) -> Result<T, Stop>,
    ) -> Result<Swept<T>, Stop> {
        let sweep = match &self.plan {
            Plan::NoCircuit => return Ok(Swept::Finished(without_circuit)),
            Plan::TooWide => return Ok(Swept::GaveUp),
            Plan::Sweep(sweep) => sweep,
        };
        let before = budget.memory_left();
        let result = work(sweep, budget);
        let taken = before - budget.memory_left();
        budget.release(taken);
        match result {
            Ok(found) => Ok(Swept::Finished(found)),
            // No more states: this is what a layer too great says as well.
            Err(Stop::MemoryLimit) => Ok(Swept::GaveUp),
            Err(stop) => Err(stop),
        }
    }
}

/// How a sweep ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swept<T> {
    /// With an answer.
    Finished(T),
    /// Too many states, or none were counted for the board is too wide for the method.
    GaveUp,
}

impl Plan {
    fn new(board: &Board, rules: &EdgeRules) -> Self {
        Sweep::new(board, rules).map_or(Self::TooWide, Self::Sweep)
    }
}

/// Takes a layer's states out of those that may still be visited.
fn take_states(states_left: &mut u64, layer: usize) -> Result<(), Stop> {
    *states_left = states_left.checked_sub(layer as u64).ok_or(Stop::MemoryLimit)?;
    Ok(())
}

/// Sweeps the whole board, holding two layers at a time.
fn tally_all<T: Tally>(
    sweep: &Sweep,
    most_states: u64,
    budget: &mut Budget,
) -> Result<Layer<T>, Stop> {
    let mut states_left = most_states;
    let mut slots = SlotTable::new();
    let mut layer = Layer::<T>::initial(budget)?;
    for step in sweep.steps() {
        take_states(&mut states_left, layer.keys.len())?;
        let next = layer.after(step, &mut slots, budget)?;
        layer.free(budget);
        layer = next;
        if layer.is_empty() {
            break;
        }
    }
    Ok(layer)
}

/// The states that one circuit passes through, from layer 0 to the last.
fn walk_back(sweep: &Sweep, mut marks: Marks, budget: &mut Budget) -> Result<Vec<u64>, Stop> {
    let mut states = vec![0; sweep.len() + 1];
    let mut index = sweep.len();
    while index > 0 {
        let target = states[index];
        let step = &sweep.steps()[index - 1];
        let layer = marks.run(sweep, index - 1, budget)?;
        let mut found = None;
        for &key in &layer.keys {
            budget.tick()?;
            if step.targets(key).as_slice().contains(&target) {
                found = Some(key);
                break;
            }
        }
        layer.free(budget);
        index -= 1;
        states[index] = found.expect("every state of a layer comes from the layer before");
        marks.drop_from(index, budget);
    }
    Ok(states)
}

/// Layers kept on the way forth, by ascending index; the initial one is always there.
struct Marks {
    marks: Vec<(usize, Layer<Presence>)>,
    bytes: usize,
    slots: SlotTable,
    states_left: u64,
}

impl Marks {
    fn new(states_left: u64) -> Self {
        Self { marks: Vec::new(), bytes: 0, slots: SlotTable::new(), states_left }
    }

    /// The layer `index`, swept from the last mark at or before it; what is passed on
    /// the way is marked as far as memory allows.
    fn run(
        &mut self,
        sweep: &Sweep,
        index: usize,
        budget: &mut Budget,
    ) -> Result<Layer<Presence>, Stop> {
        let (mut at, mut layer) = match self.marks.pop() {
            Some((at, layer)) => {
                self.bytes -= layer.bytes();
                (at, layer)
            }
            None => (0, Layer::initial(budget)?),
        };
        let first_new = self.marks.len();
        let start = at;
        let mut stride = 1;
        while at < index && !(layer.is_empty()) {
            take_states(&mut self.states_left, layer.keys.len())?;
            let next = loop {
                match layer.after(&sweep.steps()[at], &mut self.slots, budget) {
                    // Marks only save time, so they make room.
                    Err(Stop::MemoryLimit) if !self.marks.is_empty() => {
                        self.thin(0, budget);
                        stride *= 2;
                    }
                    next => break next?,
                }
            };
            if (at - start) % stride == 0 {
                self.bytes += layer.bytes();
                self.marks.push((at, layer));
                if self.bytes > MARK_BYTES {
                    self.thin(first_new.min(self.marks.len()), budget);
                    stride *= 2;
                }
            } else {
                layer.free(budget);
            }
            layer = next;
            at += 1;
        }
        Ok(layer)
    }

    /// Drops every second mark from `first` on, or the only one.
    fn thin(&mut self, first: usize, budget: &mut Budget) {
        let marks = self.marks.split_off(first);
        let is_single = marks.len() == 1;
        for (number, (at, layer)) in marks.into_iter().enumerate() {
            if number % 2 == 0 && !is_single {
                self.marks.push((at, layer));
            } else {
                self.bytes -= layer.bytes();
                layer.free(budget);
            }
        }
    }

    /// Drops the marks at `index` and after it.
    fn drop_from(&mut self, index: usize, budget: &mut Budget) {
        while self.marks.last().is_some_and(|&(at, _)| at >= index) {
            if let Some((_, layer)) = self.marks.pop() {
                self.bytes -= layer.bytes();
                layer.free(budget);
            }
        }
    }
}
