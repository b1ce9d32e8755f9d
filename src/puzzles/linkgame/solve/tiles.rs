//! A board as the search sees it: numbered tiles, their kinds, and the pairs they can form.
//!
//! A kind of n tiles has n(n − 1) / 2 pairs, numbered together. What the search decides
//! about is a *choice*: one pair, or, for a kind of four tiles, two pairs at once, since
//! there one pair leaves only the other two tiles to be a pair. Exactly one choice of
//! each *slot* is made: a slot is a tile, or a whole kind of four.

use crate::grid::Cell;

use super::super::board::Board;
use super::field::{Field, Place};

/// Ends, choice, openness, and a place in the lists of open pairs (which grow by doubling).
const BYTES_A_PAIR: usize = 4 + 4 + 1 + 2 * (4 + 4);

/// Place, kind, and what a play keeps for each tile and step.
const BYTES_A_TILE: usize = 128;

/// The tiles of a board and all that does not change while they are removed.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    /// Where each tile stands, in row-major order.
    pub(super) places: Vec<Place>,
    /// The kind of each tile.
    pub(super) kinds: Vec<u16>,
    /// The character of each kind.
    pub(super) names: Vec<char>,
    /// The tiles of each kind.
    pub(super) groups: Vec<Vec<u16>>,
    /// The tile's position within its group.
    pub(super) ranks: Vec<u16>,
    /// Where each kind's pairs begin in `pairs`.
    pub(super) first_pair: Vec<u32>,
    /// Both ends of each pair.
    pub(super) pairs: Vec<(u16, u16)>,
    /// The choice to which each pair belongs.
    pub(super) choice_of: Vec<u32>,
    /// How many choices there are.
    pub(super) choices: usize,
    /// The board with every tile standing.
    pub(super) field: Field,
    /// The most turns of a path.
    pub(super) max_turns: u8,
}

impl Tiles {
    /// Numbers the tiles of a board.
    pub(super) fn new(board: &Board) -> Self {
        let mut names: Vec<char> = board.tiles().map(|(_, tile)| tile).collect();
        names.sort_unstable();
        names.dedup();
        let mut groups = vec![Vec::new(); names.len()];
        let mut field = Field::new(board.size(), board.rules().outside);
        let (mut places, mut kinds, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
        for (number, (cell, tile)) in board.tiles().enumerate() {
            let kind = names.binary_search(&tile).expect("every tile's kind is listed");
            let place = Place { row: cell.row as u8 + 1, col: cell.col as u8 + 1 };
            field.block(place);
            places.push(place);
            kinds.push(kind as u16);
            ranks.push(groups[kind].len() as u16);
            groups[kind].push(number as u16);
        }
        let mut tiles = Self {
            places,
            kinds,
            names,
            groups,
            ranks,
            first_pair: Vec::new(),
            pairs: Vec::new(),
            choice_of: Vec::new(),
            choices: 0,
            field,
            max_turns: board.rules().max_turns,
        };
        tiles.number_pairs();
        tiles
    }

    fn number_pairs(&mut self) {
        for group in &self.groups {
            self.first_pair.push(self.pairs.len() as u32);
            for high in 1..group.len() {
                for low in 0..high {
                    self.pairs.push((group[low], group[high]));
                    self.choice_of.push(self.choices as u32);
                    self.choices += 1;
                }
            }
            if group.len() == 4 {
                // In the order of ranks: 01 02 12 03 13 23. The first three decide the others.
                self.choices -= 3;
                let first = self.choices - 3;
                let last = self.choice_of.len();
                for (offset, twin) in [(3, 2), (4, 1), (5, 0)] {
                    self.choice_of[last - 6 + offset] = (first + twin) as u32;
                }
            }
        }
    }

    /// The number of tiles.
    pub(super) const fn len(&self) -> usize {
        self.places.len()
    }

    /// The pair of two tiles of one kind.
    #[inline]
    pub(super) fn pair(&self, one: u16, other: u16) -> u32 {
        let (one_rank, other_rank) =
            (u32::from(self.ranks[usize::from(one)]), u32::from(self.ranks[usize::from(other)]));
        let (low, high) =
            if one_rank < other_rank { (one_rank, other_rank) } else { (other_rank, one_rank) };
        self.first_pair[usize::from(self.kinds[usize::from(one)])] + high * (high - 1) / 2 + low
    }

    /// The bytes that a play on a board and its derivation take, at most.
    pub(super) fn bytes(board: &Board) -> usize {
        let mut kinds: Vec<char> = board.tiles().map(|(_, tile)| tile).collect();
        kinds.sort_unstable();
        let pairs = kinds.chunk_by(|one, other| one == other);
        let pairs: usize = pairs.map(|group| group.len() * (group.len() - 1) / 2).sum();
        BYTES_A_TILE * kinds.len() + BYTES_A_PAIR * pairs
    }

    /// The board's cell at a place of the frame.
    pub(super) fn cell(place: Place) -> Cell {
        Cell::new(i32::from(place.row) - 1, i32::from(place.col) - 1)
    }
}
