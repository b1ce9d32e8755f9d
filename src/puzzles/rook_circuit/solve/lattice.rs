//! The free cells as flat arrays: a border of blocked places all around, and four bits a place
//! for what is known of its edges.
//!
//! A *place* is an index into the arrays. The bit `1 << d` of a place's mask stands for its edge
//! in direction d; directions are numbered clockwise from north, so that `d ^ 2` is the
//! way back. An edge has a bit at either end.

use crate::grid::{Cell, Direction};
use crate::puzzles::rook_circuit::board::Board;

/// Four bits, one an edge of a place.
pub(super) type Mask = u8;

/// The board as an adjacency of places.
#[derive(Debug)]
pub(super) struct Lattice {
    stride: usize,
    offsets: [usize; 4],
    neighbours: Vec<Mask>,
    free: Vec<u32>,
}

impl Lattice {
    pub(super) fn new(board: &Board) -> Self {
        let size = board.size();
        let stride = size.cols + 2;
        let mut neighbours = vec![0; stride * (size.rows + 2)];
        let mut free = Vec::with_capacity(board.free().len());
        for cell in board.free().iter() {
            let place = (cell.row as usize + 1) * stride + cell.col as usize + 1;
            free.push(place as u32);
        }
        let offsets = [0_usize.wrapping_sub(stride), 1, stride, usize::MAX];
        for &place in &free {
            for (direction, offset) in offsets.into_iter().enumerate() {
                neighbours[(place as usize).wrapping_add(offset)] |= 1 << (direction ^ 2);
            }
        }
        let mut is_free = vec![false; neighbours.len()];
        for &place in &free {
            is_free[place as usize] = true;
        }
        for (mask, is_free) in neighbours.iter_mut().zip(is_free) {
            if !is_free {
                *mask = 0;
            }
        }
        Self { stride, offsets, neighbours, free }
    }

    /// The number of places, blocked ones and the border included.
    pub(super) const fn places(&self) -> usize {
        self.neighbours.len()
    }

    /// The distance between a place and the one south of it.
    pub(super) const fn stride(&self) -> usize {
        self.stride
    }

    /// The number of free places.
    pub(super) const fn cells(&self) -> usize {
        self.free.len()
    }

    /// The free places, in row-major order.
    pub(super) fn free(&self) -> impl DoubleEndedIterator<Item = usize> + use<'_> {
        self.free.iter().map(|&place| place as usize)
    }

    /// For each place the directions in which it has a free neighbour; none for blocked places.
    pub(super) fn neighbours(&self) -> &[Mask] {
        &self.neighbours
    }

    /// The place one step from `place`.
    #[inline]
    pub(super) const fn step(&self, place: usize, direction: usize) -> usize {
        place.wrapping_add(self.offsets[direction])
    }

    /// The direction from `place` to `other`, if that is one step away.
    #[inline]
    pub(super) const fn direction_to(&self, place: usize, other: usize) -> Option<usize> {
        let distance = other.wrapping_sub(place);
        if distance == 1 {
            Some(1)
        } else if distance == usize::MAX {
            Some(3)
        } else if distance == self.stride {
            Some(2)
        } else if distance == self.offsets[0] {
            Some(0)
        } else {
            None
        }
    }

    /// Whether `place` is white: its row + column is even.
    #[inline]
    pub(super) const fn is_white(&self, place: usize) -> bool {
        (place / self.stride + place % self.stride).is_multiple_of(2)
    }

    /// The cell of a place.
    pub(super) const fn cell(&self, place: usize) -> Cell {
        Cell::new((place / self.stride) as i32 - 1, (place % self.stride) as i32 - 1)
    }

    /// The place of a cell of the board.
    pub(super) const fn place(&self, cell: Cell) -> usize {
        (cell.row as usize + 1) * self.stride + cell.col as usize + 1
    }
}

/// The directions in a mask.
#[inline]
pub(super) fn directions(mask: Mask) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let direction = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            direction
        })
    })
}

/// The compass direction with a number.
pub(super) const fn compass(direction: usize) -> Direction {
    Direction::ALL[direction]
}
