//! Seeded boards for the laws and the bench of rook-circuit.

use boardsolve::grid::{Cell, CellSet, Direction, Size};
use boardsolve::puzzles::rook_circuit::board::{Board, Questions};

/// Nothing asked but a tour.
pub(super) fn plain(free: CellSet) -> Board {
    Board::new(free, None, Questions::default()).expect("a free cell")
}

/// The free cells of a board whose circuit is known to exist.
///
/// A circuit is walked around a random tree of 2 × 2 blocks. Then it is made irregular: where it
/// makes a U-turn, the two cells of the turn are cut off and blocked; where a step runs along
/// two blocked cells, it goes around by them instead; up and down until `percent` of all cells
/// are blocked and every cell had many a chance. Sides are rounded down to even numbers.
pub(super) fn planted(random: &mut fastrand::Rng, size: Size, percent: usize) -> CellSet {
    let mut circuit = Circuit::around_a_tree(random, Size::new(size.rows / 2, size.cols / 2));
    let area = circuit.size.area();
    let goal = area - area * percent / 100;
    for _ in 0..12 * area {
        let cell = circuit.size.cell(random.usize(0..area));
        if circuit.cells > goal {
            circuit.cut_off(cell);
        } else {
            circuit.go_around(cell, random.bool());
        }
    }
    let free = circuit.size.cells().filter(|&cell| circuit.next[circuit.index(cell)].is_some());
    CellSet::from_cells(circuit.size, free)
}

/// A planted board with `swaps` blocked cells freed, and as many free ones of the same colour
/// blocked, without making a dead end: it may or may not have a circuit.
pub(super) fn near_miss(
    random: &mut fastrand::Rng,
    size: Size,
    percent: usize,
    swaps: usize,
) -> CellSet {
    let mut free = planted(random, size, percent);
    let size = free.size();
    let mut cells: Vec<Cell> = size.cells().collect();
    random.shuffle(&mut cells);
    for swap in 0..swaps {
        let is_white = swap % 2 == 0;
        let ways =
            |cell: Cell| cell.neighbours().into_iter().filter(|&next| free.contains(next)).count();
        let mut pick = |is_free: bool| {
            let is_fit = |&cell: &Cell| {
                let around = cell.neighbours().into_iter().filter(|&next| free.contains(next));
                cell.is_white() == is_white
                    && free.contains(cell) == is_free
                    && ways(cell) >= 2
                    && (!is_free || around.map(ways).all(|ways| ways > 2))
            };
            let index = cells.iter().position(is_fit)?;
            Some(cells.swap_remove(index))
        };
        if let (Some(blocked), Some(taken)) = (pick(false), pick(true)) {
            free.insert(blocked);
            free.remove(taken);
        }
    }
    free
}

/// All cells but `percent` of them, as many of each colour.
pub(super) fn balanced(random: &mut fastrand::Rng, size: Size, percent: usize) -> CellSet {
    let mut free = CellSet::from_cells(size, size.cells());
    for is_white in [false, true] {
        let mut cells: Vec<Cell> =
            size.cells().filter(|cell| cell.is_white() == is_white).collect();
        random.shuffle(&mut cells);
        let left = size.area() / 2 * (100 - percent) / 100;
        for &cell in cells.iter().skip(left) {
            free.remove(cell);
        }
    }
    free
}

/// All cells but 2 × 2 holes, no two of which touch.
pub(super) fn riddled(random: &mut fastrand::Rng, size: Size, holes: usize) -> CellSet {
    let mut free = CellSet::from_cells(size, size.cells());
    for _ in 0..holes {
        let corner = Cell::new(
            2 * random.i32(0..(size.rows / 2 - 1) as i32),
            2 * random.i32(0..(size.cols / 2 - 1) as i32),
        );
        let around = (-2..4).flat_map(|row| (-2..4).map(move |col| (row, col)));
        let mut around = around.map(|(row, col)| Cell::new(corner.row + row, corner.col + col));
        if around.all(|cell| !size.contains(cell) || free.contains(cell)) {
            for (row, col) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                free.remove(Cell::new(corner.row + row, corner.col + col));
            }
        }
    }
    free
}

/// The same board seen otherwise: turned, mirrored, or both.
pub(super) fn images(free: &CellSet) -> Vec<CellSet> {
    let Size { rows, cols } = free.size();
    let (last_row, last_col) = (rows as i32 - 1, cols as i32 - 1);
    let image =
        |size: Size, map: &dyn Fn(Cell) -> Cell| CellSet::from_cells(size, free.iter().map(map));
    let (same, turned) = (free.size(), Size::new(cols, rows));
    vec![
        image(same, &|cell| Cell::new(cell.row, last_col - cell.col)),
        image(same, &|cell| Cell::new(last_row - cell.row, cell.col)),
        image(same, &|cell| Cell::new(last_row - cell.row, last_col - cell.col)),
        image(turned, &|cell| Cell::new(cell.col, cell.row)),
        image(turned, &|cell| Cell::new(last_col - cell.col, cell.row)),
        image(turned, &|cell| Cell::new(cell.col, last_row - cell.row)),
        image(turned, &|cell| Cell::new(last_col - cell.col, last_row - cell.row)),
    ]
}

/// A circuit as the next and the previous cell of each of its cells.
struct Circuit {
    size: Size,
    next: Vec<Option<Cell>>,
    previous: Vec<Option<Cell>>,
    cells: usize,
}

impl Circuit {
    /// The walk around a random tree that spans all blocks of 2 × 2 cells.
    fn around_a_tree(random: &mut fastrand::Rng, blocks: Size) -> Self {
        let size = Size::new(2 * blocks.rows, 2 * blocks.cols);
        let mut joined = CellSet::new(Size::new(2 * blocks.rows + 1, 2 * blocks.cols + 1));
        let mut tree = CellSet::new(blocks);
        // Between two blocks there is a place, at the sum of their rows and columns, for the join.
        let join = |one: Cell, other: Cell| Cell::new(one.row + other.row, one.col + other.col);
        let root = blocks.cell(random.usize(0..blocks.area()));
        tree.insert(root);
        let mut fringe = vec![root];
        while !fringe.is_empty() {
            let index = random.usize(0..fringe.len());
            let block = fringe[index];
            let mut around = block.neighbours();
            random.shuffle(&mut around);
            match around.into_iter().find(|&other| blocks.contains(other) && !tree.contains(other))
            {
                None => {
                    fringe.swap_remove(index);
                }
                Some(other) => {
                    tree.insert(other);
                    joined.insert(join(block, other));
                    fringe.push(other);
                }
            }
        }
        let mut circuit = Self {
            size,
            next: vec![None; size.area()],
            previous: vec![None; size.area()],
            cells: size.area(),
        };
        for cell in size.cells() {
            // Clockwise around each block, but on to the next block where it is joined.
            let (direction, ahead) = match (cell.row % 2, cell.col % 2) {
                (0, 0) => (Direction::East, Direction::North),
                (0, _) => (Direction::South, Direction::East),
                (_, 0) => (Direction::North, Direction::West),
                _ => (Direction::West, Direction::South),
            };
            let block = Cell::new(cell.row / 2, cell.col / 2);
            let beyond = block.step(ahead);
            let is_joined = blocks.contains(beyond) && joined.contains(join(block, beyond));
            circuit.link(cell, cell.step(if is_joined { ahead } else { direction }));
        }
        circuit
    }

    fn index(&self, cell: Cell) -> usize {
        self.size.index(cell).expect("a cell of the board")
    }

    fn link(&mut self, one: Cell, other: Cell) {
        let (from, to) = (self.index(one), self.index(other));
        self.next[from] = Some(other);
        self.previous[to] = Some(one);
    }

    fn after(&self, cell: Cell) -> Option<Cell> {
        self.next[self.index(cell)]
    }

    /// Cuts off the U-turn that begins after a cell, if there is one.
    fn cut_off(&mut self, cell: Cell) {
        let Some(one) = self.after(cell) else { return };
        let (Some(other), Some(end)) =
            (self.after(one), self.after(one).and_then(|other| self.after(other)))
        else {
            return;
        };
        if self.cells > 4 && cell.neighbours().contains(&end) {
            for gone in [one, other] {
                let index = self.index(gone);
                (self.next[index], self.previous[index]) = (None, None);
            }
            self.link(cell, end);
            self.cells -= 2;
        }
    }

    /// Lets the step from a cell go around by the two cells on its left or right, if they are blocked.
    fn go_around(&mut self, cell: Cell, is_left: bool) {
        let Some(end) = self.after(cell) else { return };
        let (row, col) = (end.row - cell.row, end.col - cell.col);
        let (row, col) = if is_left { (-col, row) } else { (col, -row) };
        let one = Cell::new(cell.row + row, cell.col + col);
        let other = Cell::new(end.row + row, end.col + col);
        let is_blocked = |cell| self.size.contains(cell) && self.after(cell).is_none();
        if is_blocked(one) && is_blocked(other) {
            self.link(cell, one);
            self.link(one, other);
            self.link(other, end);
            self.cells += 2;
        }
    }
}
