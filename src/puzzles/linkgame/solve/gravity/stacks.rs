//! A board whose columns fall: stacks of tiles.
//!
//! Under gravity the empty cells of a column are always on top, so where paths may run
//! depends on the heights alone, and a removal only frees the topmost cell of a column.

use crate::grid::Cell;

use super::super::super::board::Board;
use super::super::field::{Field, Place};

/// Two tiles that go together.
pub(super) type Pair = (u16, u16);

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Stacks {
    rows: usize,
    /// The tiles of each column, bottom up.
    columns: Vec<Vec<u16>>,
    /// Column and height of each tile, while it stands.
    spots: Vec<(u8, u8)>,
    /// Which tiles stand, one bit a tile. It says all about a position: what stands of
    /// a column keeps its order.
    standing: Vec<u64>,
    left: usize,
    field: Field,
    max_turns: u8,
    /// The kind of each tile, and the tiles of each kind.
    pub(super) kinds: Vec<u16>,
    pub(super) groups: Vec<Vec<u16>>,
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
            stacks.field.block(stacks.place(cell.col as u8, height as u8));
        }
        stacks.left = stacks.kinds.len();
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
    pub(super) fn spot(&self, tile: u16) -> (u8, u8) {
        self.spots[usize::from(tile)]
    }

    /// The board's cell where a tile stands now.
    pub(super) fn cell(&self, tile: u16) -> Cell {
        let (col, height) = self.spot(tile);
        Cell::new(self.rows as i32 - 1 - i32::from(height), i32::from(col))
    }

    fn place(&self, col: u8, height: u8) -> Place {
        Place { row: self.rows as u8 - height, col: col + 1 }
    }

    /// Every pair that may go now, by kinds.
    pub(super) fn moves(&self, moves: &mut Vec<Pair>) {
        let mut places: Vec<(u16, Place)> = Vec::new();
        for group in &self.groups {
            places.clear();
            for &tile in group.iter().filter(|&&tile| self.stands(tile)) {
                let (col, height) = self.spot(tile);
                let place = self.place(col, height);
                for &(other, other_place) in &places {
                    if self.field.joins(place, other_place, self.max_turns) {
                        moves.push((other, tile));
                    }
                }
                places.push((tile, place));
            }
        }
    }

    /// The corners of the path between two tiles.
    pub(super) fn corners(&self, (one, other): Pair) -> Option<Vec<Place>> {
        let (from, to) = (self.spot(one), self.spot(other));
        self.field.corners(self.place(from.0, from.1), self.place(to.0, to.1), self.max_turns)
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
        self.field.clear(self.place(col, top));
        self.standing[usize::from(tile) / 64] &= !(1 << (tile % 64));
        self.left -= 1;
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
            self.field.block(self.place(col, top));
            self.standing[usize::from(tile) / 64] |= 1 << (tile % 64);
            self.left += 1;
        }
    }

    /// Whether any tile of the lowest `heights` of the columns can be joined to one of its
    /// kind when they alone stand and partners above fall as far as they like: then
    /// lowers the heights to what can't move before, until nothing changes.
    pub(super) fn sink(&self, heights: &mut [u8]) {
        let mut field = self.field.clone();
        for (col, column) in self.columns.iter().enumerate() {
            for height in usize::from(heights[col])..column.len() {
                field.clear(self.place(col as u8, height as u8));
            }
        }
        loop {
            let mut changed = false;
            for col in 0..self.columns.len() {
                // The lowest tile that can go takes all above it out.
                let goes = (0..heights[col])
                    .find(|&height| self.can_be_joined(&field, heights, col as u8, height));
                if let Some(height) = goes {
                    for freed in height..heights[col] {
                        field.clear(self.place(col as u8, freed));
                    }
                    heights[col] = height;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn can_be_joined(&self, field: &Field, heights: &[u8], col: u8, height: u8) -> bool {
        let tile = self.columns[usize::from(col)][usize::from(height)];
        let from = self.place(col, height);
        self.groups[usize::from(self.kinds[usize::from(tile)])].iter().any(|&partner| {
            if partner == tile || !self.stands(partner) {
                return false;
            }
            let (partner_col, partner_height) = self.spot(partner);
            let floor = heights[usize::from(partner_col)].min(partner_height);
            (floor..=partner_height)
                .any(|height| field.joins(from, self.place(partner_col, height), self.max_turns))
        })
    }
}
