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
//! Cost: with p places that an edge can cross, a layer holds at most the p-th
//! Motzkin number of states (9 798 at width 10, 113 634 at width 12; about a third
//! of that is met, for the colours of the open ends must balance what lies behind).
//!
//! Only the layer at hand is needed to count. To walk back along one circuit the
//! layers behind are needed too; they are kept as long as [`MARK_BYTES`] lasts, then
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

/// How many bytes of layers [`find_circuit`] keeps for the way back.
const MARK_BYTES: usize = 48 << 20;

/// What a state costs at the worst moment, counted over two layers, the marks and
/// the hash slots (bytes).
const BYTES_A_STATE: u64 = 48;

/// Whether the board is narrow enough for the sweep to stay within the memory that
/// is left. It says nothing of the time: for that see [`work`].
pub fn fits(board: &Board, budget: &Budget) -> bool {
    Sweep::new(board).is_some_and(|sweep| {
        sweep.widest_layer().saturating_mul(BYTES_A_STATE) <= budget.memory_left() as u64
    })
}

/// An estimate of the states that a sweep visits, which is what it costs;
/// `None` when the board is too wide for a key.
pub fn work(board: &Board) -> Option<u64> {
    Sweep::new(board).map(|sweep| sweep.work())
}

/// A circuit as the order of its cells, from the board's start; `None` when there
/// is none.
///
/// # Errors
/// [`Stop::MemoryLimit`] also when the board is too wide for the method.
pub fn find_circuit(board: &Board, budget: &mut Budget) -> Result<Option<Vec<Cell>>, Stop> {
    let sweep = Sweep::new(board).ok_or(Stop::MemoryLimit)?;
    giving_back(budget, |budget| {
        let mut marks = Marks::new();
        let end = marks.run(&sweep, sweep.len(), budget)?;
        if end.is_empty() {
            return Ok(None);
        }
        end.free(budget);
        let states = walk_back(&sweep, marks, budget)?;
        Ok(Some(sweep.circuit(&states, board.start())))
    })
}

/// The number of circuits, direction and start not counted, in decimal; `None`
/// when the board is too wide for the method.
///
/// # Errors
/// The limit that ended the sweep.
pub fn count(board: &Board, budget: &mut Budget) -> Result<Option<String>, Stop> {
    let Some(sweep) = Sweep::new(board) else { return Ok(None) };
    giving_back(budget, |budget| {
        let end = tally_all::<Exact>(&sweep, budget)?;
        Ok(Some(match end.is_empty() {
            true => "0".to_owned(),
            false => end.tallies.decimal(0),
        }))
    })
}

/// The number of circuits, direction and start not counted, but two for any
/// greater number; `None` when the board is too wide for the method.
///
/// # Errors
/// The limit that ended the sweep.
pub fn count_up_to_two(board: &Board, budget: &mut Budget) -> Result<Option<u8>, Stop> {
    let Some(sweep) = Sweep::new(board) else { return Ok(None) };
    giving_back(budget, |budget| {
        let end = tally_all::<UpToTwo>(&sweep, budget)?;
        Ok(Some(match end.is_empty() {
            true => 0,
            false => end.tallies.get(0),
        }))
    })
}

/// Gives back whatever memory `work` took, however it ends: its tables are gone.
fn giving_back<T>(
    budget: &mut Budget,
    work: impl FnOnce(&mut Budget) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let before = budget.memory_left();
    let result = work(budget);
    let taken = before - budget.memory_left();
    budget.release(taken);
    result
}

/// Sweeps the whole board, holding two layers at a time.
fn tally_all<T: Tally>(sweep: &Sweep, budget: &mut Budget) -> Result<Layer<T>, Stop> {
    let mut slots = SlotTable::new();
    let mut layer = Layer::<T>::initial(budget)?;
    for step in sweep.steps() {
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
}

impl Marks {
    fn new() -> Self {
        Self { marks: Vec::new(), bytes: 0, slots: SlotTable::new() }
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
            let next = layer.after(&sweep.steps()[at], &mut self.slots, budget)?;
            if (at - start) % stride == 0 {
                self.bytes += layer.bytes();
                self.marks.push((at, layer));
                if self.bytes > MARK_BYTES {
                    self.thin(first_new, budget);
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

    /// Drops every second mark from the one after `first` on.
    fn thin(&mut self, first: usize, budget: &mut Budget) {
        let new = self.marks.split_off(first);
        for (number, (at, layer)) in new.into_iter().enumerate() {
            if number % 2 == 0 {
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
