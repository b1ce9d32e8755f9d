//! Checks that paths have the fewest segments, by waves over rows of bits.
//!
//! A wave leaves one tile. At each level it holds the cells that a path of that
//! many segments can reach with a horizontal last segment, and those with a
//! vertical one; the next level spreads the former up and down and the latter
//! left and right. Whole boards are
//! swept, and nothing is shared with the search.

use super::super::answer::Paths;
use super::super::board::{Board, Pair};
use crate::grid::Cell;
use crate::puzzle::Violation;

/// The words that all waves together may look at: a part for every board, and a
/// part for each pair.
const WORDS_A_BOARD: usize = 4_000_000;
const WORDS_A_PAIR: usize = 150;

/// How many words a level looks at for each word of the board, roughly.
const WORDS_A_LEVEL: usize = 4;

/// The order of the pairs whose tiles send out waves: steps of a prime greater
/// than the number of pairs pass every pair once.
const STEP: usize = 100_003;

/// Checks by waves, within their bound of work, that the paths have the fewest segments.
pub(super) fn check_fewest(board: &Board, paths: &Paths) -> Result<(), Violation> {
    let pairs = board.pairs();
    let count = pairs.len();
    let from_ends = PairsByEnd::of(board, |pair| pair.from);
    let to_ends = PairsByEnd::of(board, |pair| pair.to);
    let (mut near, far_end): (_, fn(Pair) -> Cell) = if from_ends.ends <= to_ends.ends {
        (from_ends, |pair| pair.to)
    } else {
        (to_ends, |pair| pair.from)
    };
    let most_words = WORDS_A_BOARD + WORDS_A_PAIR * count;
    let mut wave = Wave::on(board);
    for turn in 0..count {
        let index = turn * STEP % count;
        let tile = (near.near_end)(pairs[index]);
        let mut claims: Vec<Claim> = near
            .take(board, tile)
            .into_iter()
            .map(|pair| {
                let claimed = paths.path(pair).segments();
                Claim { claimed, far: far_end(pairs[pair]), pair }
            })
            .collect();
        // Those of no path come last.
        claims.sort_unstable_by_key(|claim| (claim.claimed.wrapping_sub(1), claim.pair));
        wave.leave(tile);
        wave.check(&claims, board, most_words)?;
        if wave.words_seen > most_words {
            break;
        }
    }
    Ok(())
}

/// What an answer says of one pair: the fewest segments to its far end.
struct Claim {
    claimed: u32,
    far: Cell,
    pair: usize,
}

impl Claim {
    fn refuted(&self, level: u32) -> Violation {
        let Self { claimed, pair, .. } = self;
        Violation::new(format!(
            "pair {pair} is said to take {claimed} segments (0: no path), \
             which a wave of {level} segments refutes"
        ))
    }
}

/// The pairs of each tile that is an end of one kind.
struct PairsByEnd {
    near_end: fn(Pair) -> Cell,
    /// For each cell: one more than the first pair of the tile there; 0 for none.
    first: Vec<u32>,
    /// For each pair: one more than the next pair of the same tile.
    next: Vec<u32>,
    /// The number of tiles that have pairs.
    ends: usize,
}

impl PairsByEnd {
    fn of(board: &Board, near_end: fn(Pair) -> Cell) -> Self {
        let mut first = vec![0; board.size().area()];
        let mut ends = 0;
        let link = |(index, &pair): (usize, &Pair)| {
            let slot = &mut first[board.size().index(near_end(pair)).expect("ends are on board")];
            ends += usize::from(*slot == 0);
            std::mem::replace(slot, index as u32 + 1)
        };
        let next = board.pairs().iter().enumerate().map(link).collect();
        Self { near_end, first, next, ends }
    }

    /// The pairs of a tile, and from then on none.
    fn take(&mut self, board: &Board, tile: Cell) -> Vec<usize> {
        let slot = &mut self.first[board.size().index(tile).expect("ends are on board")];
        let mut link = std::mem::take(slot);
        let mut pairs = Vec::new();
        while link != 0 {
            pairs.push(link as usize - 1);
            link = self.next[link as usize - 1];
        }
        pairs
    }
}

/// The cells that one tile reaches, row by row, a bit a column of the framed board.
struct Wave {
    words_a_row: usize,
    free: Vec<u64>,
    /// The tile it left, which counts as free: a path that comes back to where it
    /// began never has the fewest segments.
    tile: Option<Cell>,
    horizontal: Front,
    vertical: Front,
    /// The words looked at so far, roughly.
    words_seen: usize,
}

/// The cells reached with a last segment of one direction.
struct Front {
    reached: Vec<u64>,
    /// Those reached at the last level.
    new: Vec<u64>,
    /// Those that the next segment reaches, while it is spread.
    filled: Vec<u64>,
}

impl Wave {
    fn on(board: &Board) -> Self {
        let (rows, cols) = (board.size().rows + 2, board.size().cols + 2);
        let words_a_row = cols.div_ceil(64);
        let words = || vec![0; rows * words_a_row];
        let front = || Front { reached: words(), new: words(), filled: words() };
        let mut wave = Self {
            words_a_row,
            free: words(),
            tile: None,
            horizontal: front(),
            vertical: front(),
            words_seen: 0,
        };
        let margin = usize::from(!board.options().outside);
        for row in wave.free.chunks_exact_mut(words_a_row).take(rows - margin).skip(margin) {
            for col in margin..cols - margin {
                row[col / 64] |= 1 << (col % 64);
            }
        }
        for tile in board.tiles().iter() {
            wave.set_free(tile, false);
        }
        wave
    }

    /// Begins anew at a tile.
    fn leave(&mut self, tile: Cell) {
        if let Some(last) = self.tile.replace(tile) {
            self.set_free(last, false);
        }
        self.set_free(tile, true);
        let (word, bit) = self.place(tile);
        for front in [&mut self.horizontal, &mut self.vertical] {
            front.reached.fill(0);
            front.new.fill(0);
            front.new[word] = bit;
        }
        self.words_seen += self.free.len();
    }

    /// Checks claims of the tile it left, sorted, until `most_words` were looked at.
    ///
    /// What touches the wave touches it from then on: so a claim is right if the
    /// wave does not touch the far end one level before it, and does at it.
    fn check(
        &mut self,
        claims: &[Claim],
        board: &Board,
        most_words: usize,
    ) -> Result<(), Violation> {
        let mut open = claims;
        let mut level = 0;
        self.words_seen += claims.len();
        while !open.is_empty() {
            level += 1;
            let is_allowed = board.options().max_segments.is_none_or(|most| level <= most.get());
            let is_last = !is_allowed || self.words_seen > most_words;
            let due = if is_last {
                open.len()
            } else {
                open.iter().take_while(|claim| claim.claimed == level).count()
            };
            let (now, later) = open.split_at(due);
            if let Some(claim) = now.iter().find(|claim| self.touches(claim.far)) {
                return Err(claim.refuted(level - 1));
            }
            if is_last {
                return Ok(());
            }
            let goes_on = self.spread();
            if let Some(claim) = now.iter().find(|claim| !self.touches(claim.far)) {
                return Err(claim.refuted(level));
            }
            open = later;
            if !goes_on {
                let is_wrong = |claim: &&Claim| claim.claimed != 0 || self.touches(claim.far);
                return open
                    .iter()
                    .find(is_wrong)
                    .map_or(Ok(()), |claim| Err(claim.refuted(level)));
            }
        }
        Ok(())
    }

    /// Goes on by one segment; whether any cell was reached anew.
    fn spread(&mut self) -> bool {
        let words = self.words_a_row;
        let rows = self.free.chunks_exact(words);
        let seeds = self.vertical.new.chunks_exact(words);
        let reached = self.horizontal.reached.chunks_exact(words);
        let filled = self.horizontal.filled.chunks_exact_mut(words);
        for (((free, seeds), reached), filled) in rows.zip(seeds).zip(reached).zip(filled) {
            // What was reached along a row is whole runs: seeds in them fill nothing new.
            if seeds.iter().zip(reached).all(|(seeds, reached)| seeds & !reached == 0) {
                filled.fill(0);
            } else {
                fill_row(free, seeds, filled);
            }
        }
        // Column by column in words: each row takes what the row before it holds.
        let (seeds, filled) = (&self.horizontal.new, &mut self.vertical.filled);
        for index in 0..self.free.len() {
            let above = if index < words { 0 } else { filled[index - words] };
            filled[index] = (above | seeds[index]) & self.free[index];
        }
        for index in (0..self.free.len() - words).rev() {
            filled[index] |= filled[index + words] & self.free[index];
        }
        self.words_seen += WORDS_A_LEVEL * self.free.len();
        let grows = self.horizontal.advance();
        self.vertical.advance() || grows
    }

    /// Whether a path with the segments spread so far ends at this tile.
    fn touches(&self, tile: Cell) -> bool {
        let holds = |front: &Front, row: i32, col: i32| {
            let (word, bit) = self.place(Cell::new(tile.row + row, tile.col + col));
            front.reached[word] & bit != 0
        };
        holds(&self.horizontal, 0, -1)
            || holds(&self.horizontal, 0, 1)
            || holds(&self.vertical, -1, 0)
            || holds(&self.vertical, 1, 0)
    }

    fn set_free(&mut self, cell: Cell, is_free: bool) {
        let (word, bit) = self.place(cell);
        if is_free {
            self.free[word] |= bit;
        } else {
            self.free[word] &= !bit;
        }
    }

    const fn place(&self, cell: Cell) -> (usize, u64) {
        let (row, col) = ((cell.row + 1) as usize, (cell.col + 1) as usize);
        (row * self.words_a_row + col / 64, 1 << (col % 64))
    }
}

impl Front {
    /// Takes over the cells that the next segment reaches; whether any is new.
    fn advance(&mut self) -> bool {
        let mut any = 0;
        for ((new, reached), filled) in self.new.iter_mut().zip(&mut self.reached).zip(&self.filled)
        {
            *new = filled & !*reached;
            *reached |= *new;
            any |= *new;
        }
        any != 0
    }
}

/// Fills the runs of free cells of a row that hold a seed.
fn fill_row(free: &[u64], seeds: &[u64], filled: &mut [u64]) {
    // Adding a seed to the ones of its run carries to the end of the run and
    // clears what it passes; a second seed of the run stays set, and is filled anyway.
    let mut carry = false;
    for (index, (&free, &seeds)) in free.iter().zip(seeds).enumerate() {
        let (sum, first) = free.overflowing_add(seeds);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        filled[index] = free & !sum | seeds;
    }
    // The same the other way round.
    carry = false;
    for (index, (&free, &seeds)) in free.iter().zip(seeds).enumerate().rev() {
        let (free, seeds) = (free.reverse_bits(), seeds.reverse_bits());
        let (sum, first) = free.overflowing_add(seeds);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        filled[index] |= (free & !sum).reverse_bits();
    }
}
