//! The search for the smallest sequence of moves.
//!
//! Depth-first, moves in the order of the answer, so the first solution found
//! is the smallest. `fewest` runs it for 1, 2, 3 … moves. A position that fails
//! is kept with its number of moves left (`failures`, exact keys).
//!
//! What is left out, and why that loses nothing:
//! - A left move onto a block: the right move of its neighbour does the same
//!   and sorts first, also where both have one colour.
//! - A move after which a colour can't come into lines in the moves left
//!   (`distance`), or the colours together can't. Both are told from the
//!   histograms before the move is made.
//! - With one move left, a swap after which nothing vanishes.
//! - A swap that could as well have come earlier (*asleep*). If swaps a and b
//!   share no place and neither lets anything vanish when made first, a then b
//!   and b then a lead to the same, at once and in all that follows. If a was
//!   tried before b and failed, then after b, a fails too.
//!
//! All of these leave out only moves that truly fail, so a position that is kept
//! as failed truly fails, however it was reached.
//!
//! Cost: the moves of the last two levels are nearly all of it. Hardest are nearly
//! full boards of three colours: distances are small, so little is cut off.
//!
//! What was tried and did not help: asking whether the lowest blocks of all
//! columns could ever go, before a last move (it costs what it saves); a table of
//! a megabyte and more for positions with one move left (fewer nodes, each
//! slower); keeping only positions with three or more moves left (twice the time).
//! Packed columns alone, without a bit set a colour, took half as long again. Nodes
//! for a number of colours known when this is compiled gained 3 %.
//!
//! Recursion is at most [`MAX_STEPS`](crate::puzzles::mayan::board::MAX_STEPS) deep.

mod distance;
mod failures;
mod field;
mod node;

use crate::budget::{Budget, Stop};
use crate::puzzle::Outcome;

use super::answer::{Answer, Learnt, Reason};
use super::board::{Board, COLUMNS, Drag, Goal, HEIGHT, MAX_COLOUR, Move};
use failures::Failures;
use field::{COLUMN_BITS, Columns, Places};
use node::Node;

/// Decides a board.
pub fn solve(board: &Board, budget: &mut Budget) -> Outcome<Answer, Reason, Learnt> {
    if let Some(reason) = too_few(board) {
        return Outcome::Unsolvable(reason);
    }
    let (root, colours) = root(board);
    let steps = board.steps();
    if let (colour, bound) = root.farthest()
        && bound > steps
    {
        return Outcome::Unsolvable(Reason::TooFar { colour: colours[colour], bound, steps });
    }
    let mut search = Search {
        same_colour_swaps: board.rules().same_colour_swaps,
        failures: Failures::new(),
        path: Vec::new(),
        budget,
    };
    let at_least = root.bound().max(1);
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
        Ok(false) => Outcome::Unsolvable(Reason::Exhausted { positions: search.budget.nodes() }),
        Err((stop, at_least)) => Outcome::Unknown { stop, learnt: Learnt { at_least } },
    }
}

fn too_few(board: &Board) -> Option<Reason> {
    (1..=MAX_COLOUR).find_map(|colour| {
        let count = board.blocks().histogram(colour).iter().sum();
        matches!(count, 1 | 2).then_some(Reason::TooFew { colour, count })
    })
}

/// The position with its colours named without gaps, and the colours' own names.
fn root(board: &Board) -> (Node, Vec<u8>) {
    let mut names = [0; MAX_COLOUR as usize + 1];
    let mut colours = Vec::new();
    for colour in 1..=MAX_COLOUR {
        if board.blocks().histogram(colour) != [0; COLUMNS] {
            colours.push(colour);
            names[usize::from(colour)] = colours.len() as u8;
        }
    }
    (Node::new(Columns::new(board.blocks(), &names), colours.len()), colours)
}

struct Search<'budget> {
    same_colour_swaps: bool,
    failures: Failures,
    /// The moves of the solution, the last one first, once it is found.
    path: Vec<Move>,
    budget: &'budget mut Budget,
}

impl Search<'_> {
    /// Whether `steps` moves clear the board.
    fn exact(&mut self, root: &Node, steps: u8) -> Result<bool, Stop> {
        // An empty board has no move.
        if root.columns.is_empty() || !root.is_hopeful(steps) {
            return Ok(false);
        }
        self.clears(root, steps, 0)
    }

    /// Whether at most `steps` moves clear the board; stopped, it tells how many
    /// moves a solution has at least.
    fn fewest(&mut self, root: &Node, at_least: u8, steps: u8) -> Result<bool, (Stop, u8)> {
        if root.columns.is_empty() {
            return Ok(true);
        }
        for moves in at_least..=steps {
            if self.exact(root, moves).map_err(|stop| (stop, moves))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether `moves` moves, at least one, clear the position. The swaps that are
    /// `asleep` are known to fail here.
    fn clears(&mut self, node: &Node, moves: u8, asleep: Places) -> Result<bool, Stop> {
        self.budget.tick()?;
        let left = moves - 1;
        let all = node.moves();
        let mut swaps = all.loud;
        if left > 0 {
            swaps |= all.quiet & !asleep;
        }
        let (mut right, mut drops_left) = (all.drops_right, all.drops_left);
        let mut idle = if self.same_colour_swaps && left > 0 { all.idle } else { 0 };
        for urgent in node.urgent(left) {
            swaps &= urgent | urgent >> COLUMN_BITS;
            right &= urgent;
            drops_left &= urgent;
            idle = 0;
        }
        if left == 0 {
            let (into_lines_right, into_lines_left) = node.shifts_into_lines();
            swaps &= into_lines_right & into_lines_left >> COLUMN_BITS;
            right &= into_lines_right;
            drops_left &= into_lines_left;
        }
        // What was left out so far fails, as what is asleep does.
        let mut asleep = all.quiet & !swaps;
        // An idle swap changes nothing, so the first stands for all.
        idle &= idle.wrapping_neg();
        right |= swaps | idle;
        let mut places = right | drops_left;
        while places != 0 {
            let place = places & places.wrapping_neg();
            places ^= place;
            let x = (place.trailing_zeros() / COLUMN_BITS) as usize;
            let y = place.trailing_zeros() % COLUMN_BITS;
            if right & place != 0 {
                let found = if swaps & place == 0 {
                    if idle & place != 0 {
                        !self.failures.contains(&node.columns, left)
                            && self.clears_and_keeps(node, left, 0)?
                    } else {
                        self.clears_after_drop(node, x, y, x + 1, left)?
                    }
                } else if all.quiet & place != 0 {
                    self.clears_after_quiet_swap(node, x, y, left, asleep)?
                } else {
                    self.clears_after_loud_swap(node, x, y, left)?
                };
                if found {
                    return Ok(self.found(x, y, Drag::Right));
                }
                asleep |= place & all.quiet;
            }
            if drops_left & place != 0 && self.clears_after_drop(node, x, y, x - 1, left)? {
                return Ok(self.found(x, y, Drag::Left));
            }
        }
        Ok(false)
    }

    fn clears_after_quiet_swap(
        &mut self,
        node: &Node,
        x: usize,
        y: u32,
        left: u8,
        asleep: Places,
    ) -> Result<bool, Stop> {
        if !node.swap_is_hopeful(x, y, left) {
            return Ok(false);
        }
        let mut columns = node.columns;
        columns.swap(x, y);
        if self.failures.contains(&columns, left) {
            return Ok(false);
        }
        let place: Places = 1 << (COLUMN_BITS * x as u32 + y);
        let near = place | place << COLUMN_BITS | place >> COLUMN_BITS;
        self.clears_and_keeps(&node.after_quiet_swap(x, y), left, asleep & !near)
    }

    fn clears_after_loud_swap(
        &mut self,
        node: &Node,
        x: usize,
        y: u32,
        left: u8,
    ) -> Result<bool, Stop> {
        // With no move left, only what is hopeful is asked for.
        if left > 0 && !node.swap_is_hopeful(x, y, left) || !node.loud_swap_is_hopeful(x, y, left) {
            return Ok(false);
        }
        if left == 0 {
            return Ok(node.clears_by_swap(x, y));
        }
        self.clears_settled(node.after_swap(x, y), left)
    }

    fn clears_after_drop(
        &mut self,
        node: &Node,
        from: usize,
        y: u32,
        to: usize,
        left: u8,
    ) -> Result<bool, Stop> {
        if left == 0 {
            return Ok(node.clears_by_drop(from, y, to));
        }
        if !node.drop_is_hopeful(from, y, to, left) {
            return Ok(false);
        }
        self.clears_settled(node.after_drop(from, y, to), left)
    }

    fn clears_settled(&mut self, mut node: Node, left: u8) -> Result<bool, Stop> {
        node.settle();
        if node.columns.is_empty()
            || !node.is_hopeful(left)
            || self.failures.contains(&node.columns, left)
        {
            return Ok(false);
        }
        self.clears_and_keeps(&node, left, 0)
    }

    /// As [`Search::clears`], and keeps a failure.
    fn clears_and_keeps(&mut self, node: &Node, moves: u8, asleep: Places) -> Result<bool, Stop> {
        let found = self.clears(node, moves, asleep)?;
        if !found {
            self.failures.insert(&node.columns, moves, self.budget);
        }
        Ok(found)
    }

    fn found(&mut self, x: usize, y: u32, drag: Drag) -> bool {
        debug_assert!(x < COLUMNS && (y as usize) < HEIGHT);
        self.path.push(Move { x, y: y as usize, drag });
        true
    }
}
