//! Mayan: moves and what vanishes by them, played out on lists.

use boardsolve::budget::Budget;
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::mayan::Mayan;
use boardsolve::puzzles::mayan::answer::{Answer, Reason};
use boardsolve::puzzles::mayan::board::{Board, Drag, Goal, Move, Rules};
use fastrand::Rng;

use super::Verdicts;
use crate::oracles::mayan::{Columns, play, vanish};

/// A still board of a few blocks of two colours.
fn random_columns(random: &mut Rng) -> Columns {
    loop {
        let mut columns: Columns = vec![Vec::new(); 5];
        let first = random.usize(..3);
        for _ in 0..random.usize(3..=8) {
            let column = &mut columns[random.usize(first..first + 3)];
            if column.len() < 7 {
                column.push(random.i64(1..=2));
            }
        }
        if !vanish(&mut columns.clone()) {
            return columns;
        }
    }
}

fn clears(columns: &Columns, steps: u8, rules: Rules, moves: &[Move]) -> bool {
    let is_number_right = match rules.goal {
        Goal::Exact => moves.len() == usize::from(steps),
        Goal::Fewest => moves.len() <= usize::from(steps),
    };
    let mut at = Some(columns.clone());
    for played in moves {
        let plain = (played.x, played.y, played.drag.sign());
        at = at.and_then(|columns| play(&columns, plain, rules.same_colour_swaps));
    }
    is_number_right && at.is_some_and(|columns| columns.iter().all(Vec::is_empty))
}

#[test]
fn of_tampered_moves_those_are_taken_that_empty_the_board() {
    let mut verdicts = Verdicts::default();
    for seed in 0..60_000 {
        let mut random = Rng::with_seed(seed);
        let columns = random_columns(&mut random);
        let steps = random.u8(1..=3);
        let goal = if random.bool() { Goal::Exact } else { Goal::Fewest };
        let rules = Rules { goal, same_colour_swaps: random.bool() };
        let board = Board::new(steps.into(), &columns, rules).unwrap();
        let Outcome::Solved(answer) = Mayan::solve(&board, &mut Budget::unlimited()) else {
            continue;
        };
        let mut moves = answer.moves;
        let number = random.usize(..moves.len());
        match random.u8(..7) {
            0 => drop(moves.remove(number)),
            1 => moves.push(moves[number]),
            2 => moves[number].x = random.usize(..6),
            3 => moves[number].y = random.usize(..8),
            4 => moves[number].drag = if random.bool() { Drag::Left } else { Drag::Right },
            5 => {
                // The same pull from the other side.
                let Move { x, y, drag } = moves[number];
                moves[number] = match drag {
                    Drag::Right => Move { x: x + 1, y, drag: Drag::Left },
                    Drag::Left => Move { x: x.saturating_sub(1), y, drag: Drag::Right },
                };
            }
            _ => {}
        }
        // The answer may also be held against a board that allows fewer moves.
        let steps = if random.u8(..4) == 0 { random.u8(1..=steps) } else { steps };
        let board = Board::new(steps.into(), &columns, rules).unwrap();
        let expected = clears(&columns, steps, rules, &moves);
        // What vanishes can be said of legal moves alone.
        let answer = Answer::replayed(*board.blocks(), rules, moves.clone());
        let mut answer = answer.unwrap_or_else(|_| {
            let cascade = vec![Vec::new(); moves.len()];
            Answer { moves, cascade }
        });
        let verdict = Mayan::verify(&board, &answer);
        assert_eq!(verdict.is_ok(), expected, "seed {seed} {rules:?}\n{board}{answer:?}");
        verdicts.count(expected);
        if expected {
            // Some block vanishes, so there is a round to say wrongly.
            let rounds = answer.cascade.iter_mut().find(|rounds| !rounds.is_empty()).unwrap();
            match random.u8(..4) {
                0 => rounds[0][0].colour += 1,
                1 => drop(rounds.pop()),
                2 => rounds[0].reverse(),
                _ => answer.cascade.push(Vec::new()),
            }
            assert!(Mayan::verify(&board, &answer).is_err(), "seed {seed}\n{board}{answer:?}");
        }
    }
    verdicts.assert_at_least(1000, 1000);
}

/// The fewest moves of one block by one column that make `histogram` one that lines can take
/// away, every line tried in every place.
fn distance(histogram: [usize; 5]) -> Option<u8> {
    let mut seen = std::collections::BTreeSet::from([histogram]);
    let mut reached = vec![histogram];
    for moves in 0..=20 {
        if reached.iter().any(|&histogram| is_sum_of_lines(histogram)) {
            return Some(moves);
        }
        let mut next = Vec::new();
        for histogram in reached {
            for x in 0..4 {
                for (from, to) in [(x, x + 1), (x + 1, x)] {
                    let mut moved = histogram;
                    if moved[from] > 0 {
                        moved[from] -= 1;
                        moved[to] += 1;
                        if seen.insert(moved) {
                            next.push(moved);
                        }
                    }
                }
            }
        }
        reached = next;
    }
    None
}

/// Whether the blocks can all stand in lines: those of columns of three and more stand upright,
/// and a row may cross each of them; every other block needs a row of its own.
fn is_sum_of_lines(histogram: [usize; 5]) -> bool {
    fn cover(open: [usize; 5], crossable: [usize; 5]) -> bool {
        let Some(x) = (0..5).find(|&x| open[x] > 0) else { return true };
        (0..=x).any(|first| {
            ((first + 2).max(x)..5).any(|last| {
                let (mut open, mut crossable) = (open, crossable);
                let fits = (first..=last).all(|x| {
                    let blocks = if open[x] > 0 { &mut open[x] } else { &mut crossable[x] };
                    let has_block = *blocks > 0;
                    *blocks = blocks.saturating_sub(1);
                    has_block
                });
                fits && cover(open, crossable)
            })
        })
    }
    let split =
        |upright: bool| histogram.map(|blocks| if (blocks >= 3) == upright { blocks } else { 0 });
    cover(split(false), split(true))
}

#[test]
fn a_bound_is_taken_where_no_shorter_way_brings_a_colour_together() {
    let mut verdicts = Verdicts::default();
    for seed in 0..20_000 {
        let mut random = Rng::with_seed(seed);
        let columns = random_columns(&mut random);
        let steps = random.u8(1..=4);
        let board = Board::new(steps.into(), &columns, Rules::default()).unwrap();
        let colour = random.u8(0..=12);
        let colour = if random.bool() { 1 + colour % 2 } else { colour };
        let bound = random.u8(1..=6);
        let said = if random.u8(..8) == 0 { random.u8(1..=4) } else { steps };
        let blocks = |x: usize| columns[x].iter().filter(|&&c| c == i64::from(colour)).count();
        let histogram: [usize; 5] = std::array::from_fn(blocks);
        let is_far = distance(histogram).is_none_or(|moves| moves >= bound);
        let expected = said == steps && bound > steps && (1..=10).contains(&colour) && is_far;
        let reason = Reason::TooFar { colour, bound, steps: said };
        let verdict = Mayan::verify_reason(&board, &reason);
        assert_eq!(verdict.is_ok(), expected, "seed {seed}\n{board}{reason:?}");
        verdicts.count(expected);
        let count = random.usize(..4);
        let expected = (1..=10).contains(&colour)
            && histogram.iter().sum::<usize>() == count
            && (1..=2).contains(&count);
        let reason = Reason::TooFew { colour, count };
        let verdict = Mayan::verify_reason(&board, &reason);
        assert_eq!(verdict.is_ok(), expected, "seed {seed}\n{board}{reason:?}");
    }
    verdicts.assert_at_least(100, 5000);
}
