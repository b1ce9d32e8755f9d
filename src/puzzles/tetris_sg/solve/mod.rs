//! Finds the winner, then the Grundy value and the winning moves if asked for.
//!
//! The position's anchors fall into components whose values add up by exclusive
//! or. For the winner alone, equal components cancel, the values of all but the
//! largest are found, and the largest is asked whether its value is theirs. The
//! extras come after the winner and use what its search found; when the limits
//! end one of them, the answer stands without it.
//!
//! A move in a component of value g wins exactly when what it leaves there has
//! the value of all *other* components together, so the moves need the values
//! of components but only a yes or no for each option.

use crate::budget::{Budget, Stop};
use crate::grid::Cell;
use crate::puzzle::Outcome;

use super::answer::{Answer, Extra, Never, Winner};
use super::board::{Move, MovesAsked, Position};

mod anchors;
mod below;
mod component;
mod nimber;
pub mod shared;
mod symmetry;
mod table;

use anchors::{AnchorSet, Medium, Narrow, Tall, Wide};
use below::Nothing;
use component::{flood, members, normal_form, without_twins};
use nimber::{Goal, Search};
use table::Known;

/// Decides the position.
pub fn solve(position: &Position, budget: &mut Budget) -> Outcome<Answer, Never, ()> {
    let mut solver = Solver::new();
    let outcome = match solver.answer(position, budget) {
        Ok(answer) => Outcome::Solved(answer),
        Err(stop) => Outcome::Unknown { stop, learnt: () },
    };
    solver.release(budget);
    outcome
}

/// A connected component in normal form, in the smallest form that holds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Component {
    Narrow(Narrow),
    Medium(Box<Medium>),
    Tall(Box<Tall>),
    Wide(Box<Wide>),
}

/// A component of a board.
#[derive(Clone, Debug)]
struct Region {
    board: usize,
    component: Component,
    /// One of its anchors, by which it is found again, twins and all.
    seed: (usize, usize),
}

#[derive(Debug)]
struct Solver {
    narrow: Search<Narrow>,
    medium: Search<Medium>,
    tall: Search<Tall>,
    wide: Search<Wide>,
    /// Bytes taken from the budget beside what the searches take.
    reserved: usize,
}

impl Solver {
    const fn new() -> Self {
        Self {
            narrow: Search::new(),
            medium: Search::new(),
            tall: Search::new(),
            wide: Search::new(),
            reserved: 0,
        }
    }

    fn release(self, budget: &mut Budget) {
        self.narrow.release(budget);
        self.medium.release(budget);
        self.tall.release(budget);
        self.wide.release(budget);
        budget.release(self.reserved);
    }

    fn answer(&mut self, position: &Position, budget: &mut Budget) -> Result<Answer, Stop> {
        let regions = regions(position, budget)?;
        // The regions, and copies of their components while sums are decided.
        let bytes = regions.len() * size_of::<Region>() * 4;
        budget.reserve(bytes)?;
        self.reserved += bytes;
        let components: Vec<_> = regions.iter().map(|region| region.component.clone()).collect();
        let winner = match self.sum_is(components.clone(), 0, budget)? {
            true => Winner::Second,
            false => Winner::First,
        };
        let questions = position.questions();
        let mut answer =
            Answer { winner, grundy: None, winning_moves: None, undecided: Vec::new() };
        if questions.grundy {
            match self.value_of_sum(components, winner, budget) {
                Ok(value) => answer.grundy = Some(value),
                Err(_) => answer.undecided.push(Extra::Grundy),
            }
        }
        if questions.moves != MovesAsked::None {
            match self.winning_moves(position, &regions, winner, questions.moves, budget) {
                Ok(moves) => answer.winning_moves = Some(moves),
                Err(_) => answer.undecided.push(Extra::WinningMoves),
            }
        }
        Ok(answer)
    }

    fn value_of_sum(
        &mut self,
        mut components: Vec<Component>,
        winner: Winner,
        budget: &mut Budget,
    ) -> Result<u32, Stop> {
        if winner == Winner::Second {
            return Ok(0);
        }
        cancel_pairs(&mut components);
        let mut value = 0;
        for component in &components {
            value ^= self.value(component, budget)?;
        }
        Ok(value)
    }

    fn winning_moves(
        &mut self,
        position: &Position,
        regions: &[Region],
        winner: Winner,
        asked: MovesAsked,
        budget: &mut Budget,
    ) -> Result<Vec<Move>, Stop> {
        let mut moves = Vec::new();
        if winner == Winner::Second {
            return Ok(moves);
        }
        // A single region needs no value: what a move leaves must be worth nothing.
        let mut values = vec![0; regions.len()];
        if regions.len() > 1 {
            for (value, region) in values.iter_mut().zip(regions) {
                *value = self.value(&region.component, budget)?;
            }
        }
        let total = values.iter().fold(0, |total, value| total ^ value);
        for board in 0..position.len() {
            let regions = regions.iter().zip(&values).filter(|(region, _)| region.board == board);
            let wanted = regions.map(|(region, value)| (region.seed, total ^ value)).collect();
            match form_of(position, board) {
                Form::Narrow => {
                    self.winning_moves_on::<Narrow>(
                        position, board, wanted, asked, &mut moves, budget,
                    )?;
                }
                Form::Wide => {
                    self.winning_moves_on::<Wide>(
                        position, board, wanted, asked, &mut moves, budget,
                    )?;
                }
            }
            if asked == MovesAsked::One && !moves.is_empty() {
                break;
            }
        }
        Ok(moves)
    }

    /// Adds the winning moves on one board, whose regions are given by a seed and
    /// the value that a winning move leaves there.
    fn winning_moves_on<S: AnchorSet>(
        &mut self,
        position: &Position,
        board: usize,
        wanted: Vec<((usize, usize), u32)>,
        asked: MovesAsked,
        moves: &mut Vec<Move>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let anchors = anchors_of::<S>(position, board);
        let mut plays = Vec::new();
        for ((row, col), wanted) in wanted {
            budget.poll()?;
            let places = members(flood(S::single(row, col), anchors));
            plays.extend(places.map(|place| (place, wanted)));
        }
        plays.sort_unstable();
        for ((row, col), wanted) in plays {
            let play = S::single(row, col);
            let left = flood(play, anchors).without(play.spread());
            if self.sum_is(components_of(left, budget)?, wanted, budget)? {
                moves.push(Move { board, cell: Cell::new(row as i32, col as i32) });
                if asked == MovesAsked::One {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether the values of `components` add up to `wanted`.
    fn sum_is(
        &mut self,
        mut components: Vec<Component>,
        wanted: u32,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        cancel_pairs(&mut components);
        let Some((largest, others)) = components.split_last() else { return Ok(wanted == 0) };
        let mut wanted = wanted;
        for component in others {
            wanted ^= self.value(component, budget)?;
        }
        let known = self.decide(largest, Goal::Is(wanted), budget)?;
        Ok(known.is(wanted).expect("the goal was whether it is"))
    }

    fn value(&mut self, component: &Component, budget: &mut Budget) -> Result<u32, Stop> {
        let known = self.decide(component, Goal::Value, budget)?;
        Ok(u32::from(known.value.expect("the goal was the value")))
    }

    fn decide(
        &mut self,
        component: &Component,
        goal: Goal,
        budget: &mut Budget,
    ) -> Result<Known, Stop> {
        let narrow = &mut self.narrow;
        match component {
            Component::Narrow(set) => narrow.decide(*set, goal, &mut Nothing, budget),
            Component::Medium(set) => self.medium.decide(**set, goal, narrow, budget),
            Component::Tall(set) => self.tall.decide(**set, goal, narrow, budget),
            Component::Wide(set) => self.wide.decide(**set, goal, narrow, budget),
        }
    }
}

impl Component {
    /// The normal form of a connected set without twins.
    fn new<S: AnchorSet>(set: S) -> Self {
        let set = normal_form(set);
        let (_, height, width) = set.settled();
        let fits = |rows: usize, cols: usize| height <= rows && width <= cols;
        if let Some(narrow) = set.narrowed() {
            Self::Narrow(normal_form(narrow))
        } else if S::COLS == Narrow::COLS && S::ROWS == Narrow::ROWS {
            Self::Narrow(set.converted())
        } else if fits(Medium::ROWS, Medium::COLS) {
            Self::Medium(Box::new(normal_form(set.converted())))
        } else if fits(Tall::ROWS, Tall::COLS) {
            Self::Tall(Box::new(normal_form(set.converted())))
        } else {
            Self::Wide(Box::new(normal_form(set.converted())))
        }
    }

    fn len(&self) -> u32 {
        match self {
            Self::Narrow(set) => set.len(),
            Self::Medium(set) => set.len(),
            Self::Tall(set) => set.len(),
            Self::Wide(set) => set.len(),
        }
    }
}

/// The form in which a whole board is taken apart.
enum Form {
    Narrow,
    Wide,
}

fn form_of(position: &Position, board: usize) -> Form {
    let size = position.size(board);
    match size.rows <= Narrow::ROWS && size.cols <= Narrow::COLS {
        true => Form::Narrow,
        false => Form::Wide,
    }
}

/// The components of all boards.
fn regions(position: &Position, budget: &mut Budget) -> Result<Vec<Region>, Stop> {
    let mut regions = Vec::new();
    for board in 0..position.len() {
        match form_of(position, board) {
            Form::Narrow => add_regions::<Narrow>(position, board, &mut regions, budget)?,
            Form::Wide => add_regions::<Wide>(position, board, &mut regions, budget)?,
        }
    }
    Ok(regions)
}

fn add_regions<S: AnchorSet>(
    position: &Position,
    board: usize,
    regions: &mut Vec<Region>,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let mut rest = anchors_of::<S>(position, board);
    while let Some(seed) = rest.first() {
        budget.poll()?;
        let anchors = flood(S::single(seed.0, seed.1), rest);
        rest = rest.without(anchors);
        // What is left of a component without its twins still hangs together.
        regions.push(Region { board, component: Component::new(without_twins(anchors)), seed });
    }
    Ok(())
}

fn anchors_of<S: AnchorSet>(position: &Position, board: usize) -> S {
    let mut free = S::EMPTY;
    for cell in position.free_cells(board) {
        free = free.or(S::single(cell.row as usize, cell.col as usize));
    }
    let pairs = free.and(free.left());
    pairs.and(pairs.up())
}

/// The components of one set.
fn components_of<S: AnchorSet>(set: S, budget: &mut Budget) -> Result<Vec<Component>, Stop> {
    let mut components = Vec::new();
    let mut rest = without_twins(set);
    while let Some((row, col)) = rest.first() {
        budget.poll()?;
        let component = flood(S::single(row, col), rest);
        rest = rest.without(component);
        components.push(Component::new(component));
    }
    Ok(components)
}

/// Sorts by size and takes equal components away two by two: together they are
/// worth nothing.
fn cancel_pairs(components: &mut Vec<Component>) {
    components.sort_unstable_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    let mut kept: Vec<Component> = Vec::new();
    for component in components.drain(..) {
        match kept.last() {
            Some(last) if *last == component => _ = kept.pop(),
            _ => kept.push(component),
        }
    }
    *components = kept;
}
