//! A set of a board's cells, one bit a cell.

use super::{Cell, Size};

/// A set of cells of one board. Adding or asking costs O(1), walking it
/// O(area / 64 + members); members come in row-major order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CellSet {
    size: Size,
    words: Vec<u64>,
}

impl CellSet {
    /// The empty set on a board of `size`.
    pub fn new(size: Size) -> Self {
        Self { size, words: vec![0; size.area().div_ceil(64)] }
    }

    /// The set of the given cells.
    ///
    /// # Panics
    /// When a cell lies outside the board, as [`CellSet::insert`].
    pub fn from_cells(size: Size, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::new(size);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// The size of the board whose cells these are.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Adds `cell`; `true` when it was not there.
    ///
    /// # Panics
    /// When `cell` lies outside the board.
    pub fn insert(&mut self, cell: Cell) -> bool {
        let (word, bit) = self.place(cell).expect("the cell lies on the board");
        let was_absent = self.words[word] & bit == 0;
        self.words[word] |= bit;
        was_absent
    }

    /// Takes `cell` away; `true` when it was there.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let Some((word, bit)) = self.place(cell) else { return false };
        let was_present = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        was_present
    }

    /// Whether `cell` is a member; cells outside the board never are.
    pub fn contains(&self, cell: Cell) -> bool {
        self.place(cell).is_some_and(|(word, bit)| self.words[word] & bit != 0)
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The members in row-major order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.words.iter().enumerate().flat_map(move |(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(self.size.cell(index * 64 + bit))
            })
        })
    }

    fn place(&self, cell: Cell) -> Option<(usize, u64)> {
        self.size.index(cell).map(|index| (index / 64, 1 << (index % 64)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_back_its_members_in_row_major_order() {
        let size = Size::new(9, 11);
        let cells = [Cell::new(8, 10), Cell::new(0, 0), Cell::new(5, 9), Cell::new(5, 8)];
        let mut set = CellSet::from_cells(size, cells);
        assert_eq!(set.len(), 4);
        assert!(!set.insert(Cell::new(0, 0)));
        assert!(set.remove(Cell::new(5, 8)));
        assert!(!set.contains(Cell::new(5, 8)));
        assert!(!set.contains(Cell::new(-1, 0)));
        let members: Vec<_> = set.iter().collect();
        assert_eq!(members, [Cell::new(0, 0), Cell::new(5, 9), Cell::new(8, 10)]);
    }
}
