//! Sets of anchors as bits, in three sizes.
//!
//! A row of anchors is one word, so a king's neighbourhood is a few shifts of
//! whole rows. [`Narrow`] keeps 16 rows of 8 columns in one 128-bit word, where
//! flips are byte swaps and bit reversals; nearly all searches fit it. [`Rows`]
//! keeps any number of rows of any word and serves the boards that do not fit.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use super::shared;
use super::table::Known;

/// A set of anchors. Row 0, column 0 is the lowest bit of the first row.
pub(super) trait AnchorSet: Copy + Eq + Ord + Hash + Debug + Send + 'static {
    /// The most rows.
    const ROWS: usize;
    /// The most columns.
    const COLS: usize;
    /// The set without members.
    const EMPTY: Self;

    /// The set with `row`, `col` as its only member.
    fn single(row: usize, col: usize) -> Self;
    /// Row and column of the first member in row-major order.
    fn first(&self) -> Option<(usize, usize)>;
    /// The members of both.
    fn and(self, other: Self) -> Self;
    /// The members of either.
    fn or(self, other: Self) -> Self;
    /// The members of this set that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// The number of members.
    fn len(&self) -> u32;
    /// Every member one row up; row 0 falls off.
    fn up(self) -> Self;
    /// Every member one row down; the last row falls off.
    fn down(self) -> Self;
    /// Every member one column left; column 0 falls off.
    fn left(self) -> Self;
    /// Every member one column right; the last column falls off.
    fn right(self) -> Self;
    /// Moved up and left until row 0 and column 0 have a member; with the
    /// height and width then. The set must not be empty.
    fn settled(self) -> (Self, usize, usize);
    /// Upside down, within its first `height` rows.
    fn flipped(self, height: usize) -> Self;
    /// Left and right swapped, within its first `width` columns.
    fn mirrored(self, width: usize) -> Self;
    /// Rows and columns swapped; both sides must fit.
    fn transposed(self) -> Self;
    /// A well mixed hash.
    fn hash64(&self) -> u64;
    /// The same set of a settled set's members in the narrowest form, if it fits
    /// there and is not in it yet.
    fn narrowed(&self) -> Option<Narrow>;

    /// What the shared table knows of this component.
    fn shared(&self) -> Known {
        Known::default()
    }

    /// Shares what was found out about this component.
    fn share(&self, _: Known, _: u64) {}

    /// The set of the same members in another form, which must hold them.
    fn converted<Other: AnchorSet>(self) -> Other {
        // One by one: conversions are rare.
        let mut converted = Other::EMPTY;
        let mut rest = self;
        while let Some((row, col)) = rest.first() {
            rest = rest.without(Self::single(row, col));
            converted = converted.or(Other::single(row, col));
        }
        converted
    }

    /// Whether there is no member.
    fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// The members and all that are a king's step from one, off-board places
    /// beyond the set's own bounds left out.
    fn spread(self) -> Self {
        let rows = self.or(self.left()).or(self.right());
        rows.or(rows.up()).or(rows.down())
    }
}

/// Up to 16 rows of up to 8 columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Narrow(u128);

const FIRST_COLUMN: u128 = u128::from_le_bytes([1; 16]);
const LAST_COLUMN: u128 = FIRST_COLUMN << 7;

impl AnchorSet for Narrow {
    const ROWS: usize = 16;
    const COLS: usize = 8;
    const EMPTY: Self = Self(0);

    fn single(row: usize, col: usize) -> Self {
        Self(1 << (row * 8 + col))
    }

    fn first(&self) -> Option<(usize, usize)> {
        let bit = self.0.trailing_zeros() as usize;
        (bit < 128).then_some((bit / 8, bit % 8))
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn len(&self) -> u32 {
        self.0.count_ones()
    }

    fn up(self) -> Self {
        Self(self.0 >> 8)
    }

    fn down(self) -> Self {
        Self(self.0 << 8)
    }

    fn left(self) -> Self {
        Self((self.0 & !FIRST_COLUMN) >> 1)
    }

    fn right(self) -> Self {
        Self((self.0 & !LAST_COLUMN) << 1)
    }

    fn settled(self) -> (Self, usize, usize) {
        let mut columns = self.0 | self.0 >> 64;
        columns |= columns >> 32;
        columns |= columns >> 16;
        columns |= columns >> 8;
        let columns = columns as u8;
        let margin_left = columns.trailing_zeros();
        let margin_top = self.0.trailing_zeros() / 8;
        let settled = self.0 >> (margin_top * 8 + margin_left);
        let height = 16 - settled.leading_zeros() / 8;
        let width = 8 - columns.leading_zeros() - margin_left;
        (Self(settled), height as usize, width as usize)
    }

    fn flipped(self, height: usize) -> Self {
        Self(self.0.swap_bytes() >> (8 * (16 - height)))
    }

    fn mirrored(self, width: usize) -> Self {
        Self(self.0.reverse_bits().swap_bytes() >> (8 - width))
    }

    fn transposed(self) -> Self {
        debug_assert!(self.0 >> 64 == 0);
        // Swaps ever larger blocks across the diagonal of an 8×8 square.
        let mut square = self.0 as u64;
        let mut swap = (square ^ square >> 7) & 0x00AA_00AA_00AA_00AA;
        square ^= swap ^ swap << 7;
        swap = (square ^ square >> 14) & 0x0000_CCCC_0000_CCCC;
        square ^= swap ^ swap << 14;
        swap = (square ^ square >> 28) & 0x0000_0000_F0F0_F0F0;
        square ^= swap ^ swap << 28;
        Self(u128::from(square))
    }

    fn hash64(&self) -> u64 {
        mixed(self.0 as u64, (self.0 >> 64) as u64)
    }

    fn narrowed(&self) -> Option<Narrow> {
        None
    }

    fn shared(&self) -> Known {
        shared::get(*self)
    }

    fn share(&self, known: Known, work: u64) {
        shared::set(*self, known, work);
    }
}

/// A word that is a row of [`Rows`].
pub(super) trait RowWord:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const BITS: u32;
    const ZERO: Self;
    const ONE: Self;

    fn ones(self) -> u32;
    fn first(self) -> u32;
    fn high_zeros(self) -> u32;
    fn reversed(self) -> Self;
    fn to_u64(self) -> u64;
}

macro_rules! row_word {
    ($($word:ty),*) => {$(
        impl RowWord for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            fn ones(self) -> u32 {
                self.count_ones()
            }

            fn first(self) -> u32 {
                self.trailing_zeros()
            }

            fn high_zeros(self) -> u32 {
                self.leading_zeros()
            }

            fn reversed(self) -> Self {
                self.reverse_bits()
            }

            fn to_u64(self) -> u64 {
                u64::from(self)
            }
        }
    )*};
}

row_word!(u8, u16, u64);

/// Up to `HEIGHT` rows, each of as many columns as `Row` has bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Rows<Row, const HEIGHT: usize>([Row; HEIGHT]);

/// Up to 16 rows of up to 16 columns.
pub(super) type Medium = Rows<u16, 16>;
/// Up to 64 rows of up to 8 columns.
pub(super) type Tall = Rows<u8, 64>;
/// Up to 64 rows of up to 64 columns.
pub(super) type Wide = Rows<u64, 64>;

impl<Row: RowWord, const HEIGHT: usize> Rows<Row, HEIGHT> {
    fn zip(mut self, other: Self, combine: impl Fn(Row, Row) -> Row) -> Self {
        for (row, &other) in self.0.iter_mut().zip(&other.0) {
            *row = combine(*row, other);
        }
        self
    }

    fn map(self, change: impl Fn(Row) -> Row) -> Self {
        Self(self.0.map(change))
    }
}

impl<Row: RowWord, const HEIGHT: usize> AnchorSet for Rows<Row, HEIGHT> {
    const ROWS: usize = HEIGHT;
    const COLS: usize = Row::BITS as usize;
    const EMPTY: Self = Self([Row::ZERO; HEIGHT]);

    fn single(row: usize, col: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[row] = Row::ONE << col as u32;
        set
    }

    fn first(&self) -> Option<(usize, usize)> {
        let row = self.0.iter().position(|&row| row != Row::ZERO)?;
        Some((row, self.0[row].first() as usize))
    }

    fn and(self, other: Self) -> Self {
        self.zip(other, |one, other| one & other)
    }

    fn or(self, other: Self) -> Self {
        self.zip(other, |one, other| one | other)
    }

    fn without(self, other: Self) -> Self {
        self.zip(other, |one, other| one & !other)
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|row| row.ones()).sum()
    }

    fn up(self) -> Self {
        let mut moved = Self::EMPTY;
        moved.0[..HEIGHT - 1].copy_from_slice(&self.0[1..]);
        moved
    }

    fn down(self) -> Self {
        let mut moved = Self::EMPTY;
        moved.0[1..].copy_from_slice(&self.0[..HEIGHT - 1]);
        moved
    }

    fn left(self) -> Self {
        self.map(|row| row >> 1)
    }

    fn right(self) -> Self {
        self.map(|row| row << 1)
    }

    fn settled(self) -> (Self, usize, usize) {
        let filled = |row: &Row| *row != Row::ZERO;
        let top = self.0.iter().position(filled).unwrap_or(0);
        let bottom = self.0.iter().rposition(filled).unwrap_or(0);
        let columns = self.0.iter().fold(Row::ZERO, |columns, &row| columns | row);
        let margin = columns.first();
        let mut settled = Self::EMPTY;
        for (to, &from) in settled.0.iter_mut().zip(&self.0[top..=bottom]) {
            *to = from >> margin;
        }
        (settled, bottom + 1 - top, (Row::BITS - columns.high_zeros() - margin) as usize)
    }

    fn flipped(mut self, height: usize) -> Self {
        self.0[..height].reverse();
        self
    }

    fn mirrored(self, width: usize) -> Self {
        self.map(|row| row.reversed() >> (Row::BITS - width as u32))
    }

    fn transposed(self) -> Self {
        let mut transposed = Self::EMPTY;
        for (index, &row) in self.0.iter().enumerate() {
            let mut rest = row;
            while rest != Row::ZERO {
                let col = rest.first();
                rest = rest & !(Row::ONE << col);
                transposed.0[col as usize] = transposed.0[col as usize] | Row::ONE << index as u32;
            }
        }
        transposed
    }

    fn hash64(&self) -> u64 {
        let mut hash = 0;
        for rows in self.0.chunks((64 / Row::BITS) as usize) {
            let word =
                rows.iter().fold(0u64, |word, row| (word << (Row::BITS % 64)) | row.to_u64());
            hash = mixed(hash, word);
        }
        hash
    }

    fn narrowed(&self) -> Option<Narrow> {
        let (low, high) = self.0.split_at(Narrow::ROWS.min(HEIGHT));
        let fits = high.iter().all(|&row| row == Row::ZERO)
            && low.iter().all(|row| row.to_u64() >> Narrow::COLS == 0);
        fits.then(|| {
            let rows = low.iter().enumerate();
            Narrow(rows.fold(0, |set, (row, &word)| set | u128::from(word.to_u64()) << (8 * row)))
        })
    }
}

/// Mixes two words into one, by the two halves of a product.
fn mixed(low: u64, high: u64) -> u64 {
    let product =
        u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD1B5_4A32_D192_ED03);
    let folded = product as u64 ^ (product >> 64) as u64;
    // Factors with many zeros leave little to fold, so the sum is mixed once more.
    let once_more = u128::from(folded ^ low.rotate_left(32)) * 0xA076_1D64_78BD_642F;
    once_more as u64 ^ (once_more >> 64) as u64
}
