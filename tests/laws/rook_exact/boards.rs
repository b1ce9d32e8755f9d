//! Seeded boards for the laws of the exact methods.

use boardsolve::grid::{Cell, CellSet, Direction, Size};
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

/// A tree of blocks, each of 2 × 2 cells.
struct Tree {
    blocks: CellSet,
    /// Whether a block is joined with the one to its east, and with the one to its south.
    joined: Vec<[bool; 2]>,
}

impl Tree {
    /// A random tree of at most `most` blocks; with `spread`, on every second row and
    /// column of blocks, with blocks between those that are joined, so that it is a maze of
    /// corridors two cells wide.
    fn grow(rng: &mut fastrand::Rng, size: Size, most: usize, spread: bool) -> Self {
        let mut tree = Self { blocks: CellSet::new(size), joined: vec![[false; 2]; size.area()] };
        let pace = if spread { 2 } else { 1 };
        let root = Cell::new(
            rng.i32(0..size.rows as i32) / pace * pace,
            rng.i32(0..size.cols as i32) / pace * pace,
        );
        tree.blocks.insert(root);
        let mut fringe = vec![root];
        while tree.blocks.len() < most && !fringe.is_empty() {
            let number = rng.usize(0..fringe.len());
            let block = fringe[number];
            let mut next: Vec<(Cell, Cell)> = Direction::ALL
                .into_iter()
                .map(|direction| {
                    let between = block.step(direction);
                    (between, if spread { between.step(direction) } else { between })
                })
                .filter(|&(_, other)| size.contains(other) && !tree.blocks.contains(other))
                .collect();
            rng.shuffle(&mut next);
            let Some(&(between, other)) = next.first() else {
                fringe.swap_remove(number);
                continue;
            };
            tree.join(block, between);
            if spread {
                tree.join(between, other);
            }
            fringe.push(other);
        }
        tree
    }

    fn join(&mut self, one: Cell, other: Cell) {
        self.blocks.insert(other);
        let first = one.min(other);
        let index = self.blocks.size().index(first).expect("a block of the board");
        self.joined[index][usize::from(one.row != other.row)] = true;
    }

    fn are_joined(&self, one: Cell, other: Cell) -> bool {
        let index = self.blocks.size().index(one.min(other));
        index.is_some_and(|index| self.joined[index][usize::from(one.row != other.row)])
    }

    /// Its cells, and the walk around it.
    fn walk_around(&self) -> (Board, Vec<Cell>) {
        let blocks = self.blocks.size();
        let size = Size::new(2 * blocks.rows, 2 * blocks.cols);
        let block_of = |cell: Cell| Cell::new(cell.row.div_euclid(2), cell.col.div_euclid(2));
        // Two neighbours follow each other on the walk when they lie in two joined blocks, or in
        // one from which no branch leaves between them.
        let follow = |one: Cell, other: Cell| {
            let (block, next) = (block_of(one), block_of(other));
            if block != next {
                return self.are_joined(block, next);
            }
            let side = |place: i32| if place % 2 == 0 { -1 } else { 1 };
            let beside = match one.row == other.row {
                true => Cell::new(block.row + side(one.row), block.col),
                false => Cell::new(block.row, block.col + side(one.col)),
            };
            !self.blocks.contains(beside) || !self.are_joined(block, beside)
        };
        let is_free = |cell: Cell| self.blocks.contains(block_of(cell));
        let free = CellSet::from_cells(size, size.cells().filter(|&cell| is_free(cell)));
        let board = board(free).expect("a tree of one block or more");
        let mut tour = vec![board.start()];
        let (mut before, mut at) = (board.start(), board.start());
        loop {
            let next = at
                .neighbours()
                .into_iter()
                .find(|&next| board.is_free(next) && next != before && follow(at, next))
                .expect("every cell of the walk has a next one");
            if next == board.start() {
                return (board, tour);
            }
            (before, at) = (at, next);
            tour.push(at);
        }
    }
}

/// A board with a circuit, and the circuit: the walk around a random tree of at most
/// `most` blocks on a board of `blocks` blocks.
pub(super) fn planted(rng: &mut fastrand::Rng, blocks: Size, most: usize) -> (Board, Vec<Cell>) {
    Tree::grow(rng, blocks, most, false).walk_around()
}

/// A maze of corridors two cells wide, and its only circuit.
pub(super) fn maze(rng: &mut fastrand::Rng, blocks: Size) -> (Board, Vec<Cell>) {
    Tree::grow(rng, blocks, blocks.area(), true).walk_around()
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
