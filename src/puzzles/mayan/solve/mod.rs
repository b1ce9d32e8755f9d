//! The search for the smallest sequence of moves.
//!
//! Depth-first, moves in the order of the answer, so the first solution found
//! is the smallest. `fewest` runs it for 1, 2, 3 … moves. A position that fails
//! is kept with its number of moves left (`failures`, exact keys).
//!
//! What is left out, and why that loses nothing:
//! - A left move onto a block: the right move of its neighbour does the same
//!   and sorts first, also where both have one colour.
//! - A drop of a block that lies on one of its colour which can be dropped, too: that
//!   one sorts first and leads to the same.
//! - A move after which a colour can't come into lines in the moves left
//!   (`distance`), or the colours together can't. Both are told from the
//!   histograms, before the move is made where that can be.
//! - With one move left, a swap after which nothing vanishes.
//! - A swap or a drop that could as well have come earlier (`asleep`).
//! - With two moves left, everything, unless some two moves do (`last`): whether any do
//!   is asked in any order and without looking anything up. Only if so, the moves
//!   are tried in their order.
//!
//! All of these leave out only moves that truly fail, so a position that is kept
//! as failed truly fails, however it was reached.
//!
//! Cost: what is done at positions with two moves left is nearly all of it: of a full
//! board of three colours with five moves there are 5 000 to 8 000, and about a
//! microsecond goes into each: 26 moves, of which a third may do by the bounds, and
//! some twenty last moves that are played out. Such boards are the hardest: distances
//! are small, so little is cut off. With more colours and more moves, looking
//! positions up takes most of the time, since the table is larger than any cache.
//!
//! What was tried and did not help:
//! - asking whether the lowest blocks of all columns could ever go (it costs what it saves);
//! - a table of positions with one move left: nearly half of them are met again, but
//!   looking them up costs all but 3 % of what that saves, at seven moves more;
//! - keeping only positions with three or more moves left (twice the time);
//! - a bit set a colour beside packed columns, in place of the bit planes.
//!
//! Not tried, since counts say that it can't pay: keeping what a last move did for the
//! positions that differ by a quiet swap far away. It would save the playing out of moves,
//! which is a quarter of the time, where the swap is far from all that fell: less than half.
//!
//! Recursion is at most [`MAX_STEPS`](crate::puzzles::mayan::board::MAX_STEPS) deep.

mod asleep;
mod distance;
mod failures;
mod field;
mod last;
mod node;

use crate::budget::{Budget, Stop};
use crate::puzzle::Outcome;

use super::answer::{Answer, Learnt, Reason};
use super::board::{Board, COLUMNS, Drag, Goal, HEIGHT, MAX_COLOUR, Move};
use asleep::Asleep;
use failures::{Failures, key};
use field::{COLUMN_BITS, Field, Moves, Places, each};
use node::Node;

/// Decides a board.
pub fn solve(board: &Board, budget: &mut Budget) -> Outcome<Answer, Reason, Learnt> {
    if let Some(reason) = too_few(board) {
        return Outcome::Unsolvable(reason);
    }
    // The colours are named anew, without gaps, so that few planes hold the names.
    let mut names = [0; MAX_COLOUR as usize + 1];
    let mut colours = Vec::new();
    for colour in 1..=MAX_COLOUR {
        if board.blocks().histogram(colour) != [0; COLUMNS] {
            colours.push(colour);
            names[usize::from(colour)] = colours.len() as u8;
        }
    }
    match colours.len() {
        0..=3 => Search::<2, 3>::decide(board, &names, &colours, budget),
        4 => Search::<3, 4>::decide(board, &names, &colours, budget),
        5 => Search::<3, 5>::decide(board, &names, &colours, budget),
        6..=7 => Search::<3, 7>::decide(board, &names, &colours, budget),
        _ => Search::<4, 10>::decide(board, &names, &colours, budget),
    }
}

fn too_few(board: &Board) -> Option<Reason> {
    (1..=MAX_COLOUR).find_map(|colour| {
        let count = board.blocks().histogram(colour).iter().sum();
        matches!(count, 1 | 2).then_some(Reason::TooFew { colour, count })
    })
}

struct Search<'budget, const PLANES: usize, const COLOURS: usize> {
    same_colour_swaps: bool,
    failures: Failures,
    /// The moves of the solution, the last one first, once it is found.
    path: Vec<Move>,
    budget: &'budget mut Budget,
}

impl<'budget, const PLANES: usize, const COLOURS: usize> Search<'budget, PLANES, COLOURS> {
    /// Decides a board whose `colours` are named by `names`.
    fn decide(
        board: &Board,
        names: &[u8],
        colours: &[u8],
        budget: &'budget mut Budget,
    ) -> Outcome<Answer, Reason, Learnt> {
        let root = Node::<PLANES, COLOURS>::new(Field::new(board.blocks(), names));
        let steps = board.steps();
        if let (colour, bound) = root.farthest()
            && bound > steps
        {
            return Outcome::Unsolvable(Reason::TooFar { colour: colours[colour], bound, steps });
        }
        let mut search = Self {
            same_colour_swaps: board.rules().same_colour_swaps,
            failures: Failures::new(),
            path: Vec::new(),
            budget,
        };
        let at_least = root.bound().max(1);
        search.budget.show_best(at_least.min(steps).into());
        let decided = match board.rules().goal {
            Goal::Exact => search.exact(&root, steps).map_err(|stop| (stop, at_least.min(steps))),
            Goal::Fewest => search.fewest(&root, at_least, steps),
        };
        match decided {
            Ok(true) => {
                search.path.reverse();
                let answer = Answer::replayed(*board.blocks(), board.rules(), search.path);
                Outcome::Solved(answer.expect("the search makes legal moves"))
            }
            Ok(false) => {
                Outcome::Unsolvable(Reason::Exhausted { positions: search.budget.nodes() })
            }
            Err((stop, at_least)) => Outcome::Unknown { stop, learnt: Learnt { at_least } },
        }
    }

    /// Whether `steps` moves clear the board.
    fn exact(&mut self, root: &Node<PLANES, COLOURS>, steps: u8) -> Result<bool, Stop> {
        // An empty board has no move.
        if root.field.is_empty() || !root.is_hopeful(steps) {
            return Ok(false);
        }
        self.clears(root, steps, Asleep::default())
    }

    /// Whether at most `steps` moves clear the board; stopped, it tells how many
    /// moves a solution has at least.
    fn fewest(
        &mut self,
        root: &Node<PLANES, COLOURS>,
        at_least: u8,
        steps: u8,
    ) -> Result<bool, (Stop, u8)> {
        if root.field.is_empty() {
            return Ok(true);
        }
        for moves in at_least..=steps {
            self.budget.show_best(moves.into());
            if self.exact(root, moves).map_err(|stop| (stop, moves))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether `moves` moves, at least one, clear the position. What is `asleep` is
    /// known to fail here.
    fn clears(
        &mut self,
        node: &Node<PLANES, COLOURS>,
        moves: u8,
        asleep: Asleep,
    ) -> Result<bool, Stop> {
        self.budget.tick()?;
        if moves == 1 {
            return Ok(node.clears_in_one() && self.makes_last_move(node));
        }
        let left = moves - 1;
        let all = node.field.moves();
        let hopeful = self.hopeful(node, &all, asleep, left);
        if moves == 2 && !node.clears_in_two(&hopeful) {
            return Ok(false);
        }
        // What was left out so far fails, as what is asleep does.
        let mut asleep = Asleep { swaps: all.quiet & !hopeful.quiet, ..node.quiet_of(asleep) };
        let right = hopeful.quiet | hopeful.loud | hopeful.idle | hopeful.drops_right;
        for at in each(right | hopeful.drops_left) {
            let (place, x) = (1 << at, at / COLUMN_BITS);
            if right & place != 0 {
                let (after, asleep_then) = if hopeful.quiet & place != 0 {
                    asleep.swaps |= place;
                    (node.after_quiet_swap(at, left), asleep.after_swap(place))
                } else if hopeful.loud & place != 0 {
                    (node.after_loud_swap(at, left), Asleep::default())
                } else if hopeful.idle & place != 0 {
                    (Some(*node), Asleep::default())
                } else {
                    let (after, is_quiet) = node.after_drop(at, x + 1, left);
                    asleep.drops_right |= place * Places::from(is_quiet);
                    (after, asleep.after_drop_if(is_quiet, at, x + 1))
                };
                if self.clears_after(after, left, asleep_then)? {
                    return Ok(self.found(at, Drag::Right));
                }
            }
            if hopeful.drops_left & place != 0 {
                let (after, is_quiet) = node.after_drop(at, x - 1, left);
                asleep.drops_left |= place * Places::from(is_quiet);
                let asleep_then = asleep.after_drop_if(is_quiet, at, x - 1);
                if self.clears_after(after, left, asleep_then)? {
                    return Ok(self.found(at, Drag::Left));
                }
            }
        }
        Ok(false)
    }

    /// The moves that are not asleep and that move what must be moved if `left` moves
    /// are to do afterwards. An idle swap changes nothing, so the first stands for all.
    fn hopeful(
        &self,
        node: &Node<PLANES, COLOURS>,
        all: &Moves,
        asleep: Asleep,
        left: u8,
    ) -> Moves {
        let mut swaps = all.loud | all.quiet & !asleep.swaps;
        let mut drops_right = all.drops_right & !asleep.drops_right;
        let mut drops_left = all.drops_left & !asleep.drops_left;
        let mut idle = if self.same_colour_swaps { all.idle & all.idle.wrapping_neg() } else { 0 };
        for urgent in node.urgent(left) {
            swaps &= urgent | urgent >> COLUMN_BITS;
            drops_right &= urgent;
            drops_left &= urgent;
            idle = 0;
        }
        let (quiet, loud) = (all.quiet & swaps, all.loud & swaps);
        Moves { quiet, loud, idle, drops_right, drops_left }
    }

    /// Whether `moves` moves clear a position; keeps a failure.
    fn clears_after(
        &mut self,
        node: Option<Node<PLANES, COLOURS>>,
        moves: u8,
        asleep: Asleep,
    ) -> Result<bool, Stop> {
        let Some(node) = node else { return Ok(false) };
        if moves == 1 {
            // Only when it is known that some such position is cleared; see `clears`.
            return self.clears(&node, moves, asleep);
        }
        let key = key(&node.field, moves);
        if self.failures.contains(key) {
            return Ok(false);
        }
        let found = self.clears(&node, moves, asleep)?;
        if !found {
            self.failures.insert(key, self.budget);
        }
        Ok(found)
    }

    /// Makes the last move, where one move is known to do.
    fn makes_last_move(&mut self, node: &Node<PLANES, COLOURS>) -> bool {
        node.last_move().is_some_and(|(at, drag)| self.found(at, drag))
    }

    /// Notes a move of the solution, at a place given by its bit's number.
    fn found(&mut self, at: u32, drag: Drag) -> bool {
        let (x, y) = ((at / COLUMN_BITS) as usize, (at % COLUMN_BITS) as usize);
        debug_assert!(x < COLUMNS && y < HEIGHT);
        self.path.push(Move { x, y, drag });
        true
    }
}
