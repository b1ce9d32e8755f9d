//! Boards in the contests' forms, which every peer reads, and boards that several benches ask about.

use boardsolve::grid::{Cell, CellSet, Size};
use boardsolve::puzzles::{mahjong_path, rook_circuit};
use mahjong_path::board::{Options, Pair};

/// A board of mahjong-path.
pub(crate) fn mahjong_path(board: &mahjong_path::board::Board) -> String {
    let size = board.size();
    let mut text = format!("{} {}\n{board}", size.cols, size.rows);
    for Pair { from, to } in board.pairs() {
        let line = format!("{} {} {} {}\n", from.col + 1, from.row + 1, to.col + 1, to.row + 1);
        text.push_str(&line);
    }
    text + "0 0 0 0\n"
}

/// A board of rook-circuit.
pub(crate) fn rook_circuit(board: &rook_circuit::board::Board) -> String {
    let size = board.size();
    let blocked: Vec<_> = size.cells().filter(|&cell| !board.is_free(cell)).collect();
    let start = board.start();
    let mut text =
        format!("{} {} {} {} {}\n", size.rows, size.cols, blocked.len(), start.col, start.row);
    for cell in blocked {
        text += &format!("{} {}\n", cell.col, cell.row);
    }
    text + "\n0 0 0 0 0\n"
}

/// A square board of mahjong-path with a tile on about that share of its cells.
pub(crate) fn random_board(
    random: &mut fastrand::Rng,
    side: usize,
    density: f64,
    pairs: usize,
    corners: bool,
) -> mahjong_path::board::Board {
    let size = Size::new(side, side);
    let tiles = CellSet::from_cells(size, size.cells().filter(|_| random.f64() < density));
    random_pairs(random, tiles, pairs, corners)
}

/// Random pairs of the given tiles.
pub(crate) fn random_pairs(
    random: &mut fastrand::Rng,
    tiles: CellSet,
    pairs: usize,
    corners: bool,
) -> mahjong_path::board::Board {
    let cells: Vec<Cell> = tiles.iter().collect();
    let mut any = || cells[random.usize(..cells.len())];
    let pairs = std::iter::repeat_with(|| Pair { from: any(), to: any() })
        .filter(|pair| pair.from != pair.to)
        .take(pairs)
        .collect();
    let options = Options { corners, ..Options::default() };
    mahjong_path::board::Board::new(tiles, pairs, options).expect("it is legal")
}
