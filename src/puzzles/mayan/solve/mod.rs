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
mod last;
mod node;

use crate::budget::{Budget, Stop};
use crate::puzzle::Outcome;

use super::answer::{Answer, Learnt, Reason};
use super::board::{Board, COLUMNS, Drag, Goal, HEIGHT, MAX_COLOUR, Move};
use failures::{Failures, key};
use field::{COLUMN_BITS, Field, Places};
use node::{Moves, Node};

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

#[derive(Clone, Copy, Default)]
struct Asleep { swaps: Places, drops_right: Places, drops_left: Places }

impl Asleep {
    fn after_swap(self, place: Places) -> Self {
        let near = place | place << COLUMN_BITS | place >> COLUMN_BITS;
        let base = place.trailing_zeros() & !7;
        let below = (place << 1) - (1 << base);
        let below = below | below << 8;
        Self { swaps: self.swaps & !near, drops_right: self.drops_right & !below, drops_left: self.drops_left & !below }
    }
    fn after_drop(self, place: Places, from: u32, to: u32) -> Self {
        let above = (0x80 << (8 * from)) - place;
        let near = above | above >> 8;
        let column = |x: u32| 0x7F << (8 * x);
        Self { swaps: self.swaps & !near,
         drops_right: self.drops_right & !column(from) & !(column(to) >> 8),
         drops_left: self.drops_left & !column(from) & !(column(to) << 8) }
    }
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
            failures: Failures::new(1 << 19),
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
        mut asleep: Asleep,
    ) -> Result<bool, Stop> {
        self.budget.tick()?;
        if moves == 1 {
            return Ok(self.clears_at_last(node));
        }
        let left = moves - 1;
        let Moves { swaps: all, mut drops_right, mut drops_left } = node.moves();
        let mut swaps = all.loud | all.quiet & !asleep.swaps;
        drops_right &= !asleep.drops_right;
        drops_left &= !asleep.drops_left;
        let mut idle = if self.same_colour_swaps { all.idle } else { 0 };
        for urgent in node.urgent(left) {
            swaps &= urgent | urgent >> COLUMN_BITS;
            drops_right &= urgent;
            drops_left &= urgent;
            idle = 0;
        }
        asleep.drops_right &= node.moves().drops_right;
        asleep.drops_left &= node.moves().drops_left;
        if moves > 2 {
            let mut d = asleep.drops_right; while d != 0 { let a = d.trailing_zeros(); if node.field.dropped(a, a/8+1).runs() != 0 { asleep.drops_right ^= d & d.wrapping_neg(); } d &= d-1; }
            let mut d = asleep.drops_left; while d != 0 { let a = d.trailing_zeros(); if node.field.dropped(a, a/8-1).runs() != 0 { asleep.drops_left ^= d & d.wrapping_neg(); } d &= d-1; }
        }
        // What was left out so far fails, as what is asleep does.
        asleep.swaps = all.quiet & !swaps;
        if moves == 2 {
            use field::Swaps;
            let m = Moves { swaps: Swaps { quiet: all.quiet & swaps, loud: all.loud & swaps, idle: 0 }, drops_right, drops_left };
            if !(node.clears_in_two(&m) || idle != 0 && node.clears_in_one()) {
                return Ok(false);
            }
        }
        // An idle swap changes nothing, so the first stands for all.
        idle &= idle.wrapping_neg();
        let right = drops_right | swaps | idle;
        let mut places = right | drops_left;
        while places != 0 {
            let place = places & places.wrapping_neg();
            places ^= place;
            let at = place.trailing_zeros();
            if right & place != 0 {
                let found = if all.quiet & place != 0 {
                    let after = node.after_quiet_swap(at, left);
                    self.clears_after(after, left, asleep.after_swap(place))?
                } else if all.loud & place != 0 {
                    self.clears_after(node.after_loud_swap(at, left), left, Asleep::default())?
                } else if idle & place != 0 {
                    self.clears_after(Some(*node), left, Asleep::default())?
                } else {
                    let (after, quiet) = node.after_drop(at, at / COLUMN_BITS + 1, left);
                    let asleep_then = if quiet { asleep.after_drop(place, at/8, at/8+1) } else { Asleep::default() };
                    if quiet { asleep.drops_right |= place; }
                    self.clears_after(after, left, asleep_then)?
                };
                if found {
                    return Ok(self.found(at, Drag::Right));
                }
                asleep.swaps |= place & all.quiet;
            }
            if drops_left & place != 0 {
                let (after, quiet) = node.after_drop(at, at / COLUMN_BITS - 1, left);
                    let asleep_then = if quiet { asleep.after_drop(place, at/8, at/8-1) } else { Asleep::default() };
                    if quiet { asleep.drops_left |= place; }
                if self.clears_after(after, left, asleep_then)? {
                    return Ok(self.found(at, Drag::Left));
                }
            }
        }
        Ok(false)
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

    /// Whether one move clears the position.
    fn clears_at_last(&mut self, node: &Node<PLANES, COLOURS>) -> bool {
        let (mut swaps, mut drops_right, mut drops_left) = node.moves_into_lines();
        let (all_right, all_left) = node.field.drops();
        drops_right &= all_right;
        drops_left &= all_left;
        if swaps != 0 {
            swaps &= node.field.swaps().loud;
        }
        let right = swaps | drops_right;
        let mut places = right | drops_left;
        while places != 0 {
            let place = places & places.wrapping_neg();
            places ^= place;
            let (at, x) = (place.trailing_zeros(), place.trailing_zeros() / COLUMN_BITS);
            if swaps & place != 0 && node.field.swapped(place).clears_by_itself()
                || drops_right & place != 0 && node.field.dropped(at, x + 1).clears_by_itself()
            {
                return self.found(at, Drag::Right);
            }
            if drops_left & place != 0 && node.field.dropped(at, x - 1).clears_by_itself() {
                return self.found(at, Drag::Left);
            }
        }
        false
    }

    /// Notes a move of the solution, at a place given by its bit's number.
    fn found(&mut self, at: u32, drag: Drag) -> bool {
        let (x, y) = ((at / COLUMN_BITS) as usize, (at % COLUMN_BITS) as usize);
        debug_assert!(x < COLUMNS && y < HEIGHT);
        self.path.push(Move { x, y, drag });
        true
    }
}
