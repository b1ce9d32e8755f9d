//! A board whose columns fall: stacks of tiles.
//!
//! Under gravity the empty cells of a column are always on top, so where paths may run
//! depends on the heights alone, and a removal only frees the topmost cell of a column.

use crate::budget::{Budget, Stop};
use crate::grid::Cell;

use super::super::super::board::Board;
use super::super::field::{Field, Place};

/// Two tiles that go together.
pub(super) type Pair = (u16, u16);

/// A column, and a height from the bottom.
type Spot = (u8, u8);

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Stacks {
    rows: usize,
    /// The tiles of each column, bottom up.
    columns: Vec<Vec<u16>>,
    /// Column and height of each tile, while it stands.
    spots: Vec<Spot>,
    /// Which tiles stand, one bit a tile. It says all about a position: what stands of
    /// a column keeps its order.
    standing: Vec<u64>,
    left: usize,
    /// How many tiles of each kind stand.
    left_of: Vec<u16>,
    field: Field,
    max_turns: u8,
    /// The kind of each tile, and the tiles of each kind.
    kinds: Vec<u16>,
    groups: Vec<Vec<u16>>,
    /// What was removed, to put it back: the tile, its column, its height.
    removed: Vec<(u16, u8, u8)>,
}

impl Stacks {
    pub(super) fn new(board: &Board) -> Self {
        let size = board.size();
        let mut names: Vec<char> = board.tiles().map(|(_, tile)| tile).collect();
        names.sort_unstable();
        names.dedup();
        let mut stacks = Self {
            rows: size.rows,
            columns: vec![Vec::new(); size.cols],
            spots: Vec::new(),
            standing: Vec::new(),
            left: 0,
            left_of: Vec::new(),
            field: Field::new(size, board.rules().outside),
            max_turns: board.rules().max_turns,
            kinds: Vec::new(),
            groups: vec![Vec::new(); names.len()],
            removed: Vec::new(),
        };
        for (number, (cell, tile)) in board.tiles().enumerate() {
            let kind = names.binary_search(&tile).expect("every tile's kind is listed");
            let height = size.rows - 1 - cell.row as usize;
            stacks.spots.push((cell.col as u8, height as u8));
            stacks.kinds.push(kind as u16);
            stacks.groups[kind].push(number as u16);
            stacks.columns[cell.col as usize].insert(0, number as u16);
            stacks.field.block(stacks.place((cell.col as u8, height as u8)));
        }
        stacks.left = stacks.kinds.len();
        stacks.left_of = stacks.groups.iter().map(|group| group.len() as u16).collect();
        stacks.standing = vec![0; stacks.left.div_ceil(64)];
        for tile in 0..stacks.left {
            stacks.standing[tile / 64] |= 1 << (tile % 64);
        }
        stacks
    }

    pub(super) const fn left(&self) -> usize {
        self.left
    }

    pub(super) fn tiles(&self) -> usize {
        self.kinds.len()
    }

    /// How many tiles of a tile's kind stand.
    pub(super) fn left_of_kind(&self, tile: u16) -> usize {
        usize::from(self.left_of[usize::from(self.kinds[usize::from(tile)])])
    }

    /// The position, as bits.
    pub(super) fn key(&self) -> &[u64] {
        &self.standing
    }

    pub(super) fn stands(&self, tile: u16) -> bool {
        self.standing[usize::from(tile) / 64] >> (tile % 64) & 1 == 1
    }

    pub(super) fn columns(&self) -> &[Vec<u16>] {
        &self.columns
    }

    /// Column and height of a standing tile.
    pub(super) fn spot(&self, tile: u16) -> Spot {
        self.spots[usize::from(tile)]
    }

    /// The board's cell where a tile stands now.
    pub(super) fn cell(&self, tile: u16) -> Cell {
        let (col, height) = self.spot(tile);
        Cell::new(self.rows as i32 - 1 - i32::from(height), i32::from(col))
    }

    fn place(&self, (col, height): Spot) -> Place {
        Place { row: self.rows as u8 - height, col: col + 1 }
    }

    /// Every pair that may go now.
    pub(super) fn moves(&self, moves: &mut Vec<Pair>) {
        let mut exposed: Vec<(u16, Place)> = Vec::new();
        for group in &self.groups {
            exposed.clear();
            for &tile in group.iter().filter(|&&tile| self.stands(tile)) {
                let place = self.place(self.spot(tile));
                if self.field.is_exposed(place) {
                    for &(other, other_place) in &exposed {
                        if self.field.joins(place, other_place, self.max_turns) {
                            moves.push((other, tile));
                        }
                    }
                    exposed.push((tile, place));
                }
            }
        }
        // Neighbours of one kind go even where no cell around them is free.
        for (col, column) in self.columns.iter().enumerate() {
            for (height, &tile) in column.iter().enumerate() {
                let above = column.get(height + 1);
                let beside = self.columns.get(col + 1).and_then(|next| next.get(height));
                for &neighbour in above.into_iter().chain(beside) {
                    let kind = |tile: u16| self.kinds[usize::from(tile)];
                    let is_exposed = |tile: u16| self.field.is_exposed(self.place(self.spot(tile)));
                    if kind(tile) == kind(neighbour) && !(is_exposed(tile) && is_exposed(neighbour))
                    {
                        moves.push((tile.min(neighbour), tile.max(neighbour)));
                    }
                }
            }
        }
    }

    /// The corners of the path between two tiles.
    pub(super) fn corners(&self, (one, other): Pair) -> Option<Vec<Place>> {
        let (from, to) = (self.spot(one), self.spot(other));
        self.field.corners(self.place(from), self.place(to), self.max_turns)
    }

    /// Takes two tiles away; what stood on them falls.
    pub(super) fn remove(&mut self, (one, other): Pair) {
        self.take(one);
        self.take(other);
    }

    fn take(&mut self, tile: u16) {
        let (col, height) = self.spot(tile);
        let column = &mut self.columns[usize::from(col)];
        column.remove(usize::from(height));
        for &above in &column[usize::from(height)..] {
            self.spots[usize::from(above)].1 -= 1;
        }
        let top = column.len() as u8;
        self.field.clear(self.place((col, top)));
        self.standing[usize::from(tile) / 64] &= !(1 << (tile % 64));
        self.left -= 1;
        self.left_of[usize::from(self.kinds[usize::from(tile)])] -= 1;
        self.removed.push((tile, col, height));
    }

    /// Puts the last two tiles back.
    pub(super) fn put_back(&mut self) {
        for _ in 0..2 {
            let Some((tile, col, height)) = self.removed.pop() else { return };
            let column = &mut self.columns[usize::from(col)];
            let top = column.len() as u8;
            for &above in &column[usize::from(height)..] {
                self.spots[usize::from(above)].1 += 1;
            }
            column.insert(usize::from(height), tile);
            self.spots[usize::from(tile)] = (col, height);
            self.field.block(self.place((col, top)));
            self.standing[usize::from(tile) / 64] |= 1 << (tile % 64);
            self.left += 1;
            self.left_of[usize::from(self.kinds[usize::from(tile)])] += 1;
        }
    }

    /// The height of each column.
    pub(super) fn heights(&self) -> Vec<u8> {
        self.columns.iter().map(|column| column.len() as u8).collect()
    }

    /// Lowers `heights` until no tile below them can be joined to one of its kind while
    /// the tiles below them alone stand, and those above are partners at any height to
    /// which they can fall.
    pub(super) fn sink(&self, heights: &mut [u8], budget: &mut Budget) -> Result<(), Stop> {
        let mut field = self.field.clone();
        for (col, column) in self.columns.iter().enumerate() {
            for height in usize::from(heights[col])..column.len() {
                field.clear(self.place((col as u8, height as u8)));
            }
        }
        loop {
            let mut changed = false;
            for col in 0..self.columns.len() {
                budget.poll()?;
                // The lowest tile that can go takes all above it out.
                let goes = (0..heights[col])
                    .find(|&height| self.can_be_joined(&field, heights, col as u8, height));
                if let Some(height) = goes {
                    for freed in height..heights[col] {
                        field.clear(self.place((col as u8, freed)));
                    }
                    heights[col] = height;
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn can_be_joined(&self, field: &Field, heights: &[u8], col: u8, height: u8) -> bool {
        let tile = self.columns[usize::from(col)][usize::from(height)];
        let from = self.place((col, height));
        self.groups[usize::from(self.kinds[usize::from(tile)])].iter().any(|&partner| {
            if partner == tile || !self.stands(partner) {
                return false;
            }
            let (partner_col, partner_height) = self.spot(partner);
            let floor = heights[usize::from(partner_col)].min(partner_height);
            (floor..=partner_height)
                .any(|height| field.joins(from, self.place((partner_col, height)), self.max_turns))
        })
    }
}
