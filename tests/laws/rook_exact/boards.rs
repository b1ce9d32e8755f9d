//! Seeded boards for the laws of the exact methods.

use boardsolve::grid::{Cell, CellSet, Size};
use boardsolve::puzzles::rook_circuit::board::{Board, Questions};

/// A board with these free cells; `None` when there is none.
pub(super) fn board(free: CellSet) -> Option<Board> {
    Board::new(free, None, Questions::default()).ok()
}

/// Every cell free with a probability of `percent` in a hundred.
pub(super) fn random(rng: &mut fastrand::Rng, size: Size, percent: u32) -> CellSet {
    CellSet::from_cells(size, size.cells().filter(|_| rng.u32(0..100) < percent))
}

/// All cells but `holes` of each colour.
pub(super) fn balanced(rng: &mut fastrand::Rng, size: Size, holes: usize) -> CellSet {
    let mut free = CellSet::from_cells(size, size.cells());
    for white in [false, true] {
        let mut cells: Vec<Cell> = size.cells().filter(|cell| cell.is_white() == white).collect();
        rng.shuffle(&mut cells);
        for &cell in cells.iter().take(holes) {
            free.remove(cell);
        }
    }
    free
}

/// A board with a circuit, and the circuit: a random tree of 2 × 2 blocks, walked around.
///
/// `blocks` is the size in blocks, `most` the number of blocks that the tree may have.
pub(super) fn planted(rng: &mut fastrand::Rng, blocks: Size, most: usize) -> (Board, Vec<Cell>) {
    let mut tree = CellSet::new(blocks);
    let mut joined = vec![false; 2 * blocks.area()];
    let index = |cell: Cell| blocks.index(cell).expect("a block of the board");
    let root = blocks.cell(rng.usize(0..blocks.area()));
    tree.insert(root);
    let mut fringe = vec![root];
    while tree.len() < most && !fringe.is_empty() {
        let number = rng.usize(0..fringe.len());
        let block = fringe[number];
        let mut next: Vec<Cell> = block
            .neighbours()
            .into_iter()
            .filter(|&other| blocks.contains(other) && !tree.contains(other))
            .collect();
        rng.shuffle(&mut next);
        let Some(&other) = next.first() else {
            fringe.swap_remove(number);
            continue;
        };
        tree.insert(other);
        fringe.push(other);
        let (first, second) = (block.min(other), block.max(other));
        joined[2 * index(first) + usize::from(second.row > first.row)] = true;
    }
    let size = Size::new(2 * blocks.rows, 2 * blocks.cols);
    let block_of = |cell: Cell| Cell::new(cell.row.div_euclid(2), cell.col.div_euclid(2));
    let is_free = |cell: Cell| size.contains(cell) && tree.contains(block_of(cell));
    // Two neighbours follow each other on the walk around the tree when both lie in one
    // block and no branch leaves between them, or in two joined blocks.
    let walk_joins = |one: Cell, other: Cell| {
        let (one, other) = (one.min(other), one.max(other));
        let (block, next) = (block_of(one), block_of(other));
        let south = other.row > one.row;
        if block != next {
            return joined[2 * index(block) + usize::from(south)];
        }
        let beside = match south {
            true => Cell::new(block.row, block.col + if one.col % 2 == 0 { -1 } else { 1 }),
            false => Cell::new(block.row + if one.row % 2 == 0 { -1 } else { 1 }, block.col),
        };
        if !tree.contains(beside) {
            return true;
        }
        let first = block.min(beside);
        !joined[2 * index(first) + usize::from(!south)]
    };
    let free = CellSet::from_cells(size, size.cells().filter(|&cell| is_free(cell)));
    let board = board(free).expect("a tree of one block or more");
    let mut tour = vec![board.start()];
    let (mut before, mut at) = (Cell::new(-9, -9), board.start());
    loop {
        let next = at
            .neighbours()
            .into_iter()
            .find(|&next| is_free(next) && next != before && walk_joins(at, next))
            .expect("every cell of the walk has a next one");
        if next == board.start() {
            break;
        }
        (before, at) = (at, next);
        tour.push(at);
    }
    (board, tour)
}

/// Rooms of `side` cells in `rooms` rows and columns, joined by narrow gates with random
/// shapes, and `holes` more cells blocked of each colour: boards on which gates
/// often cannot carry what the colours of the rooms demand.
pub(super) fn rooms(rng: &mut fastrand::Rng, rooms: Size, side: usize, holes: usize) -> CellSet {
    let pitch = side as i32 + 1;
    let size = Size::new(rooms.rows * (side + 1) - 1, rooms.cols * (side + 1) - 1);
    let is_wall = |cell: &Cell| cell.row % pitch == pitch - 1 || cell.col % pitch == pitch - 1;
    let mut free = CellSet::from_cells(size, size.cells().filter(|cell| !is_wall(cell)));
    for room in rooms.cells() {
        for (right, other) in
            [(true, Cell::new(room.row, room.col + 1)), (false, Cell::new(room.row + 1, room.col))]
        {
            if !rooms.contains(other) {
                continue;
            }
            for _ in 0..rng.usize(1..3) {
                // A gate along a wall: two cells side by side, mostly with one of the cells before
                // them blocked, so that a path through is of a known colour.
                let along = rng.i32(0..pitch - 2);
                let place = |along: i32, across: i32| match right {
                    true => Cell::new(room.row * pitch + along, other.col * pitch - 1 + across),
                    false => Cell::new(other.row * pitch - 1 + across, room.col * pitch + along),
                };
                free.insert(place(along, 0));
                free.insert(place(along + 1, 0));
                if rng.u32(0..4) > 0 {
                    free.remove(place(along + rng.i32(0..2), if rng.bool() { 1 } else { -1 }));
                }
            }
        }
    }
    for room in rooms.cells() {
        let cells = free.iter().filter(|cell| {
            !is_wall(cell) && cell.row / pitch == room.row && cell.col / pitch == room.col
        });
        let cells: Vec<Cell> = cells.collect();
        let (holes, tilt) = (rng.usize(0..=holes), rng.usize(0..6).saturating_sub(3));
        remove_balanced(rng, &mut free, cells, holes, tilt);
    }
    let cells = free.iter().collect();
    remove_balanced(rng, &mut free, cells, 0, 0);
    free
}

/// Blocks some of `cells` until both colours have the same number of free ones but for `tilt`,
/// and then `holes` more of each, as far as no free cell is left with fewer than two free
/// neighbours by it.
fn remove_balanced(
    rng: &mut fastrand::Rng,
    free: &mut CellSet,
    mut cells: Vec<Cell>,
    holes: usize,
    tilt: usize,
) {
    rng.shuffle(&mut cells);
    let white = cells.iter().filter(|cell| cell.is_white()).count();
    let black = cells.len() - white;
    let goal = white.min(black).saturating_sub(holes);
    let mut surplus = [black - goal, white - goal];
    let tilted = &mut surplus[rng.usize(0..2)];
    *tilted = tilted.saturating_sub(tilt);
    for cell in cells {
        let free_around = |cell: Cell, free: &CellSet| {
            cell.neighbours().into_iter().filter(|&other| free.contains(other)).count()
        };
        let is_needed = cell
            .neighbours()
            .into_iter()
            .any(|other| free.contains(other) && free_around(other, free) <= 2);
        let left = &mut surplus[usize::from(cell.is_white())];
        if *left > 0 && !is_needed {
            *left -= 1;
            free.remove(cell);
        }
    }
}
