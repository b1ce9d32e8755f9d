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

/// As [`balanced`], but no cell is blocked if that makes a dead end, as far as that is possible.
pub(super) fn open_ended(random: &mut fastrand::Rng, size: Size, percent: usize) -> CellSet {
    let mut free = CellSet::from_cells(size, size.cells());
    let mut cells: Vec<Cell> = size.cells().collect();
    random.shuffle(&mut cells);
    let white = cells.iter().filter(|cell| cell.is_white()).count();
    let left = size.area() * (100 - percent) / 200;
    let mut surplus = [cells.len() - white - left, white - left];
    for cell in cells {
        let ways =
            |cell: Cell| cell.neighbours().into_iter().filter(|&next| free.contains(next)).count();
        let mut around = cell.neighbours().into_iter().filter(|&next| free.contains(next));
        let surplus = &mut surplus[usize::from(cell.is_white())];
        if *surplus > 0 && around.all(|next| ways(next) > 2) {
            *surplus -= 1;
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

/// `across` × `across` rooms of `side` × `side` cells, one after the other like a snake, each joined
/// to the next by two gates that only one path can pass, each in a known way.
///
/// So it is known how many more white than black cells each room must have; holes see to it, and
/// `holes` more of each colour are made. With `is_off` one room gets one cell of a colour too many and
/// the next one too few: there is no circuit then. Else there often is one, with little freedom.
pub(super) fn strip(
    random: &mut fastrand::Rng,
    across: usize,
    side: usize,
    holes: usize,
    is_off: bool,
) -> CellSet {
    let pitch = side as i32 + 1;
    let size = Size::new(across * (side + 1) - 1, across * (side + 1) - 1);
    let is_wall = |cell: &Cell| cell.row % pitch == side as i32 || cell.col % pitch == side as i32;
    let mut free = CellSet::from_cells(size, size.cells().filter(|cell| !is_wall(cell)));
    let rooms: Vec<Cell> = (0..across as i32)
        .flat_map(|row| (0..across as i32).map(move |col| (row, col)))
        .map(|(row, col)| Cell::new(row, if row % 2 == 0 { col } else { across as i32 - 1 - col }))
        .collect();
    let mut is_to_be_off = is_off;
    let mut before = 0;
    for (number, &room) in rooms.iter().enumerate() {
        let mut gates: Vec<Cell> = Vec::new();
        let mut after = 0;
        if let Some(&next) = rooms.get(number + 1) {
            // A gate is two cells along the wall; next to one of them a cell is blocked, but none
            // beside a corner.
            let half = side as i32 / 2;
            for along in [random.i32(2..=half - 2), random.i32(half..=side as i32 - 4)] {
                let step = Cell::new(next.row - room.row, next.col - room.col);
                let corner = Cell::new(room.row * pitch, room.col * pitch);
                let wall = |along: i32| match (step.row, step.col) {
                    (0, 1) => Cell::new(corner.row + along, corner.col + side as i32),
                    (0, _) => Cell::new(corner.row + along, corner.col - 1),
                    _ => Cell::new(corner.row + side as i32, corner.col + along),
                };
                let pair = [wall(along), wall(along + 1)];
                let (narrow, is_beyond) = (random.usize(0..2), random.bool());
                let sign = if is_beyond { 1 } else { -1 };
                let cell = pair[narrow];
                free.remove(Cell::new(cell.row + sign * step.row, cell.col + sign * step.col));
                for cell in pair {
                    free.insert(cell);
                    gates.push(cell);
                }
                // The last cell of the path on this side.
                let end = pair[if is_beyond { 1 - narrow } else { narrow }];
                after += if end.is_white() { 1 } else { -1 };
            }
        }
        let mut cells: Vec<Cell> = free
            .iter()
            .filter(|cell| {
                !is_wall(cell) && cell.row / pitch == room.row && cell.col / pitch == room.col
            })
            .collect();
        random.shuffle(&mut cells);
        // Turning back at both gates is a 2-factor then, but parts the circuit.
        if is_to_be_off && after != 0 && number >= rooms.len() / 3 {
            (after, is_to_be_off) = (0, false);
        }
        let goal = (after - before) / 2;
        let white = |cell: &Cell| if cell.is_white() { 1 } else { -1 };
        let has: i32 = cells.iter().chain(&gates).map(white).sum();
        let mut surplus = [holes as i32, holes as i32];
        surplus[usize::from(has > goal)] += (has - goal).abs();
        for cell in cells {
            let ways = |cell: Cell| {
                cell.neighbours().into_iter().filter(|&next| free.contains(next)).count()
            };
            let mut around = cell.neighbours().into_iter().filter(|&next| free.contains(next));
            let left = &mut surplus[usize::from(cell.is_white())];
            if *left > 0 && around.all(|next| ways(next) > 3) {
                *left -= 1;
                free.remove(cell);
            }
        }
        before = after;
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
