//! Rook circuits: tours walked on a list of cells, reasons counted anew, and no reason taken on
//! a board that has a circuit.

use boardsolve::budget::Budget;
use boardsolve::grid::{Cell, CellSet, Direction, Size};
use boardsolve::puzzle::{Outcome, Puzzle};
use boardsolve::puzzles::rook_circuit::RookCircuit;
use boardsolve::puzzles::rook_circuit::answer::Answer;
use boardsolve::puzzles::rook_circuit::board::{Board, Questions};
use boardsolve::puzzles::rook_circuit::reason::{ForcedBy, ForcedStep, Reason};
use fastrand::Rng;

use super::Verdicts;
use crate::oracles::rook_circuit::naive_count;

fn random_board(random: &mut Rng) -> Board {
    let size = Size::new(random.usize(1..6), random.usize(1..6));
    let blocked = random.u8(..6);
    loop {
        let free = CellSet::from_cells(size, size.cells().filter(|_| random.u8(..12) >= blocked));
        let cells: Vec<Cell> = free.iter().collect();
        if !cells.is_empty() {
            let start = cells[random.usize(..cells.len())];
            return Board::new(free, Some(start), Questions::default()).unwrap();
        }
    }
}

fn is_tour(board: &Board, moves: &[Direction]) -> bool {
    let mut left: Vec<Cell> = board.free().iter().collect();
    let mut at = board.start();
    for &direction in moves {
        at = at.step(direction);
        let Some(place) = left.iter().position(|&cell| cell == at) else { return false };
        left.remove(place);
    }
    left.is_empty() && at == board.start() && moves.len() >= 4
}

#[test]
fn of_tampered_tours_those_are_taken_that_visit_every_cell_and_come_back() {
    let mut verdicts = Verdicts::default();
    for seed in 0..40_000 {
        let mut random = Rng::with_seed(seed);
        let board = random_board(&mut random);
        let Outcome::Solved(answer) = RookCircuit::solve(&board, &mut Budget::unlimited()) else {
            continue;
        };
        let mut moves = answer.moves;
        let (number, other) = (random.usize(..moves.len()), random.usize(..moves.len()));
        let backwards = moves.iter().rev().map(|direction| direction.opposite());
        match random.u8(..8) {
            0 => moves[number] = Direction::ALL[random.usize(..4)],
            1 => moves.swap(number, other),
            2 => drop(moves.pop()),
            3 => moves.extend_from_within(..number),
            4 => moves.rotate_left(number),
            // The other way round.
            5 => moves = backwards.collect(),
            // A step and back, then the other way round: every cell once, but no circuit.
            6 => {
                let there_and_back = [moves[0], moves[0].opposite()];
                let rest = backwards.take(moves.len() - 2);
                moves = there_and_back.into_iter().chain(rest).collect();
            }
            _ => {}
        }
        let (unique, count) = (random.u8(..3), random.u8(..4));
        let unique = [None, Some(false), Some(true)][usize::from(unique)];
        let count = (count < 3).then(|| count.to_string());
        let is_told_right = !matches!(
            (unique, count.as_deref()),
            (_, Some("0")) | (Some(true), Some("2")) | (Some(false), Some("1"))
        );
        let expected = is_tour(&board, &moves) && is_told_right;
        let answer = Answer { moves, unique, count };
        let verdict = RookCircuit::verify(&board, &answer);
        assert_eq!(verdict.is_ok(), expected, "seed {seed}\n{board}{answer:?}");
        verdicts.count(expected);
    }
    verdicts.assert_at_least(1000, 1000);
}

/// Mostly a free cell.
fn some_cell(random: &mut Rng, board: &Board) -> Cell {
    if random.u8(..8) > 0 {
        return board.free().iter().nth(random.usize(..board.free().len())).unwrap();
    }
    let size = board.size();
    Cell::new(random.i32(-1..=size.rows as i32), random.i32(-1..=size.cols as i32))
}

fn ways(board: &Board, cell: Cell) -> Vec<Cell> {
    cell.neighbours().into_iter().filter(|&next| board.is_free(next)).collect()
}

/// The free cells that can be reached without `removed`.
fn reached(board: &Board, from: Cell, removed: Option<Cell>) -> Vec<Cell> {
    let mut seen = vec![from];
    let mut next = 0;
    while next < seen.len() {
        for cell in ways(board, seen[next]) {
            if !seen.contains(&cell) && Some(cell) != removed {
                seen.push(cell);
            }
        }
        next += 1;
    }
    seen
}

/// Whether the reason is so, counted out.
fn is_so(board: &Board, reason: &Reason) -> bool {
    let free = board.free();
    match reason {
        Reason::TooSmall => free.len() < 4,
        Reason::Parity { white, black } => {
            let even = free.iter().filter(|cell| (cell.row + cell.col) % 2 == 0).count();
            (*white, *black) == (even, free.len() - even) && white != black
        }
        Reason::DeadEnd { cell } => free.contains(*cell) && ways(board, *cell).len() < 2,
        Reason::Disconnected { cells: [one, other] } => {
            let both_free = free.contains(*one) && free.contains(*other);
            both_free && !reached(board, *one, None).contains(other)
        }
        Reason::CutCell { cell } => {
            let mut others = free.iter().filter(|other| other != cell);
            free.contains(*cell)
                && others
                    .next()
                    .is_some_and(|from| reached(board, from, Some(*cell)).len() + 1 < free.len())
        }
        Reason::Crowded { cells } => {
            let is_set = cells.iter().all(|cell| {
                let times = cells.iter().filter(|other| *other == cell).count();
                free.contains(*cell) && cell.is_white() == cells[0].is_white() && times == 1
            });
            let passes: usize = free
                .iter()
                .map(|between| {
                    ways(board, between).iter().filter(|next| cells.contains(next)).count().min(2)
                })
                .sum();
            is_set && passes < 2 * cells.len()
        }
        _ => unreachable!("the others have laws of their own"),
    }
}

#[test]
fn of_simple_reasons_those_are_taken_that_are_so() {
    let mut verdicts: [Verdicts; 6] = Default::default();
    for seed in 0..120_000 {
        let mut random = Rng::with_seed(seed);
        let board = random_board(&mut random);
        let whites = board.free().iter().filter(|cell| cell.is_white()).count();
        let blacks = board.free().len() - whites;
        let kind = seed as usize % 6;
        let cell = some_cell(&mut random, &board);
        let reason = match kind {
            0 => Reason::TooSmall,
            1 => match random.u8(..3) {
                0 => Reason::Parity { white: blacks, black: whites },
                1 => Reason::Parity { white: whites + random.usize(..2), black: blacks },
                _ => Reason::Parity { white: whites, black: blacks },
            },
            2 => Reason::DeadEnd { cell },
            3 => Reason::Disconnected { cells: [cell, some_cell(&mut random, &board)] },
            4 => Reason::CutCell { cell },
            _ => {
                let colour = random.bool();
                let is_taken = |cell: &Cell| cell.is_white() == colour;
                let mut cells: Vec<Cell> = board.free().iter().filter(is_taken).collect();
                random.shuffle(&mut cells);
                cells.truncate(random.usize(..=cells.len()));
                match random.u8(..6) {
                    0 => cells.push(cell),
                    1 if !cells.is_empty() => cells.push(cells[0]),
                    _ => {}
                }
                Reason::Crowded { cells }
            }
        };
        let expected = is_so(&board, &reason);
        let verdict = RookCircuit::verify_reason(&board, &reason);
        assert_eq!(verdict.is_ok(), expected, "seed {seed}\n{board}{reason:?}");
        verdicts[kind].count(expected);
    }
    verdicts.iter().for_each(|verdicts| verdicts.assert_at_least(500, 1000));
}

/// Which edges of a board are in some circuit and which in every one.
fn edges_of_circuits(board: &Board) -> Vec<([Cell; 2], bool, bool)> {
    let all = naive_count(board.free(), u64::MAX);
    let edges = board.free().iter().flat_map(|cell| {
        [Direction::East, Direction::South].map(|direction| [cell, cell.step(direction)])
    });
    let tours = circuits(board);
    assert_eq!(tours.len() as u64, all, "{board}");
    edges
        .filter(|[_, other]| board.is_free(*other))
        .map(|edge| {
            let uses = |tour: &Vec<Cell>| {
                let next = tour.iter().cycle().skip(1);
                tour.iter().zip(next).any(|(&at, &next)| edge == [at, next] || edge == [next, at])
            };
            (edge, tours.iter().any(uses), tours.iter().all(uses))
        })
        .collect()
}

/// Every circuit, as the cells in order.
fn circuits(board: &Board) -> Vec<Vec<Cell>> {
    fn walk(board: &Board, path: &mut Vec<Cell>, found: &mut Vec<Vec<Cell>>) {
        let at = path[path.len() - 1];
        for next in ways(board, at) {
            if path.len() == board.free().len() && next == path[0] && path[1] < at {
                found.push(path.clone());
            } else if !path.contains(&next) {
                path.push(next);
                walk(board, path, found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    if board.free().len() >= 4 {
        walk(board, &mut vec![board.start()], &mut found);
    }
    found
}

#[test]
fn a_forced_step_is_taken_where_every_circuit_takes_it_and_a_contradiction_nowhere_else() {
    let (mut used, mut dropped, mut refused, mut refuted) = (0, 0, 0, 0);
    let mut boards = 0;
    for seed in 0..30_000 {
        let mut random = Rng::with_seed(seed);
        let board = random_board(&mut random);
        if board.free().len() > 20 || board.free().len() < 6 {
            continue;
        }
        let edges = edges_of_circuits(&board);
        let has_circuit = edges.iter().any(|&(_, in_some, _)| in_some);
        if edges.is_empty() || (!has_circuit && boards % 4 != 0) {
            boards += 1;
            continue;
        }
        boards += 1;
        let mut steps: Vec<ForcedStep> = Vec::new();
        for _ in 0..60 {
            let ([from, to], in_some, in_every) = edges[random.usize(..edges.len())];
            let (from, to) = if random.bool() { (from, to) } else { (to, from) };
            let is_used = random.bool();
            let ground = match random.u8(..8) {
                0..3 => ForcedBy::Degree(from),
                3..6 => ForcedBy::Degree(to),
                6 => ForcedBy::ClosesEarly,
                _ => ForcedBy::Degree(some_cell(&mut random, &board)),
            };
            let step = ForcedStep { from, to, is_used, ground };
            steps.push(step);
            let cells = vec![some_cell(&mut random, &board)];
            let reason = Reason::Forced { cells, steps: steps.clone() };
            match RookCircuit::verify_reason(&board, &reason) {
                Ok(()) => {
                    assert!(!has_circuit, "seed {seed}\n{board}{reason:?}");
                    refuted += 1;
                }
                Err(fault) if fault.to_string().starts_with("forced step") => {
                    steps.pop();
                    refused += 1;
                    continue;
                }
                Err(_) => {}
            }
            if has_circuit {
                let holds = if is_used { in_every } else { !in_some };
                assert!(holds, "seed {seed}: {step:?}\n{board}{steps:?}");
                *(if is_used { &mut used } else { &mut dropped }) += 1;
            }
        }
        // A path of used edges that comes back is a contradiction where it spares a cell.
        let cells: Vec<Cell> = circuits(&board).into_iter().next().unwrap_or_default();
        if has_circuit {
            let reason = Reason::Forced { cells, steps };
            assert!(RookCircuit::verify_reason(&board, &reason).is_err(), "{board}{reason:?}");
        }
    }
    assert!(
        used > 1000 && dropped > 500 && refused > 1000 && refuted > 100,
        "{used} {dropped} {refused} {refuted}"
    );
}

/// The board of these rows, `.` free.
fn rows(rows: &[&str]) -> Board {
    let size = Size::new(rows.len(), rows[0].len());
    let is_free = |cell: &Cell| rows[cell.row as usize].as_bytes()[cell.col as usize] == b'.';
    let free = CellSet::from_cells(size, size.cells().filter(is_free));
    Board::new(free, None, Questions::default()).unwrap()
}

/// Both edges of each corner: it has no others.
fn used_at_corners<const N: usize>(board: &Board, corners: [Cell; N]) -> Vec<ForcedStep> {
    let mut steps: Vec<ForcedStep> = Vec::new();
    for corner in corners {
        for next in ways(board, corner) {
            let step = ForcedStep {
                from: corner,
                to: next,
                is_used: true,
                ground: ForcedBy::Degree(corner),
            };
            if !steps.iter().any(|step| step.from == next && step.to == corner) {
                steps.push(step);
            }
        }
    }
    steps
}

#[test]
fn a_forced_circuit_is_taken_where_its_steps_lead_all_round_and_spare_a_cell() {
    // The three corners of the square have two neighbours each; the fourth cell has three.
    let board = rows(&["...", "..#"]);
    let [a, b, c, d] = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(row, col)| Cell::new(row, col));
    let steps = used_at_corners(&board, [a, c, d]);
    assert_eq!(steps.len(), 4, "{steps:?}");
    let is_taken = |board: &Board, cells: &[Cell], steps: &[ForcedStep]| {
        let reason = Reason::Forced { cells: cells.to_vec(), steps: steps.to_vec() };
        RookCircuit::verify_reason(board, &reason).is_ok()
    };
    let mut square = [a, b, c, d];
    for _ in 0..4 {
        square.rotate_left(1);
        assert!(is_taken(&board, &square, &steps), "{square:?}");
        let [one, other, ..] = square;
        for wrong in [&square[..3], &[square, square].concat(), &[one, other], &[]] {
            assert!(!is_taken(&board, wrong, &steps), "{wrong:?}");
        }
    }
    assert!(is_taken(&board, &[d, c, b, a], &steps), "the other way round");
    for left_out in 0..4 {
        let mut steps = steps.clone();
        steps.remove(left_out);
        assert!(!is_taken(&board, &square, &steps), "{steps:?}");
    }
    let whole = rows(&["..", ".."]);
    let steps = used_at_corners(&whole, [a, c, d]);
    assert!(!is_taken(&whole, &square, &steps), "that is a circuit of the board");
}

#[test]
fn a_cell_is_taken_as_stuck_with_three_used_edges_or_fewer_than_two_that_are_left() {
    let is_taken = |board: &Board, cell: Cell, steps: &[ForcedStep]| {
        let reason = Reason::Forced { cells: vec![cell], steps: steps.to_vec() };
        RookCircuit::verify_reason(board, &reason).is_ok()
    };
    // Three corners at one cell.
    let board = rows(&["#..", "...", "..#"]);
    let hub = Cell::new(1, 1);
    let corners = [(0, 1), (1, 0), (1, 2)].map(|(row, col)| Cell::new(row, col));
    let steps = used_at_corners(&board, corners);
    for count in 0..=steps.len() {
        let used = steps[..count].iter().filter(|step| step.from == hub || step.to == hub).count();
        assert_eq!(is_taken(&board, hub, &steps[..count]), used > 2, "{:?}", &steps[..count]);
    }
    // With two used edges the hub drops its other two, and the end of one has one way left.
    let end = Cell::new(2, 1);
    let mut steps = used_at_corners(&board, [corners[0], corners[1]]);
    assert!(!is_taken(&board, end, &steps));
    let ground = ForcedBy::Degree(hub);
    steps.push(ForcedStep { from: end, to: hub, is_used: false, ground });
    assert!(is_taken(&board, end, &steps), "{steps:?}");
    assert!(!is_taken(&board, hub, &steps), "two used edges are a way through");
}
