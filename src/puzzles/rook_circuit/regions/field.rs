//! The free cells as flat arrays with a blocked border, so that neighbours are at
//! fixed distances and a pass over all cells needs no look-ups.

use crate::grid::Cell;
use crate::puzzles::rook_circuit::board::Board;

/// A board with a border of blocked places; a *place* is an index into its arrays.
///
/// The edge east of place p has the number p, the edge south of it `places` + p.
#[derive(Debug)]
pub(in crate::puzzles::rook_circuit) struct Field {
    stride: usize,
    free: Vec<bool>,
    free_places: Vec<u32>,
}

impl Field {
    /// About what one place costs in all the arrays of a search, in bytes.
    pub(super) const BYTES_A_PLACE: usize = 160;

    pub(in crate::puzzles::rook_circuit) fn new(board: &Board) -> Self {
        let size = board.size();
        let stride = size.cols + 2;
        let mut free = vec![false; stride * (size.rows + 2)];
        let mut free_places = Vec::new();
        for cell in board.free().iter() {
            let place = (cell.row as usize + 1) * stride + cell.col as usize + 1;
            free[place] = true;
            free_places.push(place as u32);
        }
        Self { stride, free, free_places }
    }

    /// The number of places, border included.
    pub(in crate::puzzles::rook_circuit) const fn places(&self) -> usize {
        self.free.len()
    }

    /// The distance between a place and the one south of it.
    pub(in crate::puzzles::rook_circuit) const fn stride(&self) -> usize {
        self.stride
    }

    #[inline]
    pub(in crate::puzzles::rook_circuit) fn is_free(&self, place: usize) -> bool {
        self.free[place]
    }

    /// The free places, in row-major order.
    pub(in crate::puzzles::rook_circuit) fn free_places(&self) -> impl Iterator<Item = usize> + '_ {
        self.free_places.iter().map(|&place| place as usize)
    }

    #[inline]
    pub(in crate::puzzles::rook_circuit) fn is_white(&self, place: usize) -> bool {
        self.cell(place).is_white()
    }

    #[inline]
    pub(in crate::puzzles::rook_circuit) fn cell(&self, place: usize) -> Cell {
        Cell::new((place / self.stride) as i32 - 1, (place % self.stride) as i32 - 1)
    }

    /// The place of a cell of the board.
    pub(in crate::puzzles::rook_circuit) const fn place(&self, cell: Cell) -> usize {
        (cell.row as usize + 1) * self.stride + cell.col as usize + 1
    }

    /// The four edges at an inner place and the places that they lead to.
    #[inline]
    pub(in crate::puzzles::rook_circuit) const fn around(
        &self,
        place: usize,
    ) -> [(usize, usize); 4] {
        let places = self.places();
        [
            (place, place + 1),
            (place - 1, place - 1),
            (places + place, place + self.stride),
            (places + place - self.stride, place - self.stride),
        ]
    }

    /// The edges between free places that start at the free place `place`, and their
    /// other ends: those to the east and to the south.
    #[inline]
    pub(in crate::puzzles::rook_circuit) fn onward(
        &self,
        place: usize,
    ) -> impl Iterator<Item = (usize, usize)> + '_ {
        let [east, _, south, _] = self.around(place);
        [east, south].into_iter().filter(|&(_, other)| self.free[other])
    }
}
