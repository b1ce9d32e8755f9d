//! How far colours are from lines: lower bounds on the moves they need.
//!
//! A colour's *histogram* says how many of its blocks each column has. When all
//! of them have vanished, each stood in a line when it went. Counted by the
//! column in which it went, a column with three or more may have gone as a
//! column (rows may cross it); in any other column each block went in a row of
//! its own, and rows are three to five columns long. A move shifts at most one
//! block of the colour by one column, so the fewest such shifts from the
//! present histogram to one that splits that way, the colour's *distance*, are
//! moves that are needed.
//!
//! Several colours share moves: a move takes at most one block to the right over
//! one of the four borders between columns, and at most one to the left over the
//! same border. Let a shift to the right over border b cost w_b half moves, from
//! 0 to 2, and one to the left 2 − w_b; then no move costs more than two. So the
//! cheapest shifts of each colour, summed over the colours, are at most twice the
//! moves. All w_b = 1 gives half the sum of the distances; other weights tell that
//! colours which all have to cross one border the same way can't share a move.
//! Eight choices of weights are looked at together, a byte each of one word.
//! They were chosen, by a greedy cover, from all 81 with w_b in {0, 1, 2}: these
//! eight make up 94 % of what all would cut off.
//!
//! The table is filled once a process, in about a millisecond. Counts stop at
//! a *full* column of five, which stands for as many or more and may give a block
//! and still be full. That only adds ways, so the bounds stay lower bounds (more
//! than four rows over one column are never needed).

use std::collections::VecDeque;
use std::sync::OnceLock;

use crate::puzzles::mayan::board::COLUMNS;

/// Blocks a column, three bits each, the left column lowest.
pub(super) type Histogram = u16;

/// The histogram of one block in column `x`.
pub(super) const fn one_in(x: usize) -> Histogram {
    1 << (3 * x)
}

const HISTOGRAMS: usize = 1 << (3 * COLUMNS);
/// The count that stands for as many or more.
const FULL: usize = 5;

/// What bringing a colour into lines costs at least, for every histogram.
#[derive(Debug)]
pub(super) struct Table {
    costs: Box<[Costs; HISTOGRAMS]>,
    into_lines: Box<[IntoLines; HISTOGRAMS]>,
}

/// Which shifts of one block leave a colour in lines, as far as its histogram
/// tells: a bit for each border, to the right over it in the lower four, to the left in the
/// upper four; and the ninth bit where it is in lines as it is.
pub(super) type IntoLines = u16;

/// The table of this process.
pub(super) fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let costs = costs();
        let into_lines = into_lines(&costs);
        Table { costs, into_lines }
    })
}

impl Table {
    pub(super) fn costs(&self, histogram: Histogram) -> Costs {
        self.costs[usize::from(histogram)]
    }

    /// Which shifts of one block leave a colour of this histogram in lines.
    pub(super) fn shifts_into_lines(&self, histogram: Histogram) -> IntoLines {
        self.into_lines[usize::from(histogram)]
    }
}

/// Half moves for each choice of weights, a byte each. A colour's are at most
/// [`MOST_COST`], so those of ten colours add up within their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Costs(u64);

/// What a shift to the right over each border costs; one to the left costs what
/// is left of 2. The first choice makes both cost 1: it counts shifts.
const WEIGHTS: [[u8; COLUMNS - 1]; 8] = [
    [1, 1, 1, 1],
    [1, 2, 0, 1],
    [1, 1, 2, 0],
    [2, 0, 1, 1],
    [1, 1, 1, 0],
    [2, 1, 1, 1],
    [1, 2, 1, 1],
    [1, 1, 0, 1],
];
const MOST_COST: u8 = 12;
const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

impl Costs {
    /// Whether so many moves, at most ten, may do.
    pub(super) const fn allow(self, moves: u8) -> bool {
        let to_top_bit = (127 - 2 * moves as u64) * EVERY_BYTE;
        (self.0 + to_top_bit) & EVERY_BYTE << 7 == 0
    }

    /// Of one colour: the fewest shifts that it needs, or [`MOST_COST`] if they are more.
    pub(super) const fn distance(self) -> u8 {
        self.0 as u8
    }

    /// The fewest moves that they allow.
    pub(super) fn moves(self) -> u8 {
        self.0.to_le_bytes().into_iter().fold(0, u8::max).div_ceil(2)
    }

    /// What a shift from a column to its neighbour costs.
    fn of_shift(from: usize, to: usize) -> Self {
        Self(u64::from_le_bytes(WEIGHTS.map(|weights| match from < to {
            true => weights[from],
            false => 2 - weights[to],
        })))
    }

    /// The lesser of both in each byte.
    const fn least(self, other: Self) -> Self {
        // All bytes are below 128, so the top bit of each tells which is greater.
        let top_bits = EVERY_BYTE << 7;
        let is_other = (((self.0 | top_bits) - other.0) & top_bits) >> 7;
        let others = is_other * 0xFF;
        Self(self.0 & !others | other.0 & others)
    }

    /// These costs with a colour's added.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// These costs with a colour's, which they contain, replaced.
    pub(super) const fn exchanged(self, before: Self, after: Self) -> Self {
        Self(self.0 - before.0 + after.0)
    }
}

/// Improves the costs of neighbours along all shifts, from the histograms in
/// lines outwards, until nothing improves.
fn costs() -> Box<[Costs; HISTOGRAMS]> {
    let levelled =
        |histogram| (0..COLUMNS).map(|x| count(histogram, x).min(FULL) << (3 * x)).sum::<usize>();
    let mut costs = vec![Costs(MOST_COST as u64 * EVERY_BYTE); HISTOGRAMS];
    for rows in crossings() {
        costs[rows] = Costs(0);
    }
    let mut waiting = VecDeque::new();
    let mut waits = vec![false; HISTOGRAMS];
    for histogram in 0..HISTOGRAMS {
        if levelled(histogram) == histogram
            && (costs[histogram] == Costs(0) || has_a_column_to_spare(&costs, histogram))
        {
            costs[histogram] = Costs(0);
            waits[histogram] = true;
            waiting.push_back(histogram);
        }
    }
    let shifts: Vec<_> = (0..COLUMNS - 1)
        .flat_map(|border| [(border, border + 1), (border + 1, border)])
        .map(|(from, to)| (from, to, Costs::of_shift(from, to)))
        .collect();
    while let Some(after) = waiting.pop_front() {
        waits[after] = false;
        for &(from, to, cost) in &shifts {
            let improved = costs[after].and(cost);
            for before in befores(after, from, to) {
                let best = costs[before].least(improved);
                if best != costs[before] {
                    costs[before] = best;
                    if !waits[before] {
                        waits[before] = true;
                        waiting.push_back(before);
                    }
                }
            }
        }
    }
    let all: Vec<Costs> = (0..HISTOGRAMS).map(|histogram| costs[levelled(histogram)]).collect();
    all.try_into().expect("there is one entry for each histogram")
}

/// A look-up of the next histogram for each shift. A column that has no block to
/// give gives one all the same: no place of it is ever asked for.
fn into_lines(costs: &[Costs; HISTOGRAMS]) -> Box<[IntoLines; HISTOGRAMS]> {
    let mut into_lines = Box::new([0; HISTOGRAMS]);
    for (histogram, shifts) in into_lines.iter_mut().enumerate() {
        let in_lines =
            |by: usize| IntoLines::from(costs[histogram.wrapping_add(by) % HISTOGRAMS] == Costs(0));
        *shifts |= in_lines(0) << 8;
        for border in 0..COLUMNS - 1 {
            let right = usize::from(one_in(border + 1) - one_in(border));
            *shifts |= in_lines(right) << border | in_lines(right.wrapping_neg()) << (border + 4);
        }
    }
    into_lines
}

/// The histograms from which a shift from column `from` to column `to` leads to `after`.
fn befores(after: usize, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let (unit_from, unit_to) = (1 << (3 * from), 1 << (3 * to));
    let gave = if count(after, from) == FULL { after } else { after + unit_from };
    let took_one = (count(after, to) > 0).then(|| gave - unit_to);
    let stayed_full = (count(after, to) == FULL).then_some(gave);
    took_one.into_iter().chain(stayed_full)
}

/// Whether some column of three or more goes as a column, however fewer of its
/// blocks the rows of a smaller histogram that splits take.
fn has_a_column_to_spare(costs: &[Costs], histogram: usize) -> bool {
    (0..COLUMNS).any(|x| {
        let spare = match count(histogram, x) {
            0..3 => 0,
            3 => 3,
            _ => 1,
        };
        (1..=spare).any(|fewer| costs[histogram - (fewer << (3 * x))] == Costs(0))
    })
}

const fn count(histogram: usize, x: usize) -> usize {
    histogram >> (3 * x) & 7
}

/// The histograms that rows alone make. A row whose columns all have three or
/// more blocks is not needed, so none is needed thrice.
fn crossings() -> Vec<usize> {
    let mut crossings = vec![[0; COLUMNS]];
    for (first, last) in [(0, 2), (0, 3), (0, 4), (1, 3), (1, 4), (2, 4)] {
        for index in 0..crossings.len() {
            let mut rows = crossings[index];
            for _ in 0..2 {
                rows[first..=last].iter_mut().for_each(|crossed| *crossed += 1);
                crossings.push(rows);
            }
        }
    }
    crossings.retain(|rows| rows.iter().all(|&crossed| crossed <= FULL));
    let packed = |rows: &[usize; COLUMNS]| (0..COLUMNS).map(|x| rows[x] << (3 * x)).sum();
    crossings.iter().map(packed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(columns: [u16; COLUMNS]) -> Histogram {
        (0..COLUMNS).map(|x| columns[x] * one_in(x)).sum()
    }

    fn distance(columns: [u16; COLUMNS]) -> u8 {
        table().costs(histogram(columns)).distance()
    }

    #[test]
    fn the_bound_is_the_fewest_shifts_to_columns_and_rows() {
        assert_eq!(distance([0, 0, 0, 0, 0]), 0);
        assert_eq!(distance([3, 0, 0, 0, 0]), 0);
        assert_eq!(distance([1, 3, 1, 0, 0]), 0);
        assert_eq!(distance([1, 1, 0, 1, 0]), 1);
        assert_eq!(distance([1, 0, 0, 1, 1]), 2);
        assert_eq!(distance([2, 1, 0, 0, 0]), 1);
        assert_eq!(distance([2, 0, 0, 0, 1]), 3 + 1 - 1);
        assert_eq!(distance([1, 2, 1, 0, 0]), 2);
        assert_eq!(distance([1, 1, 0, 0, 0]), MOST_COST);
    }

    #[test]
    fn two_colours_need_no_fewer_moves_than_their_costs_say() {
        // All pairs of three blocks and four, by a search over both colours at once.
        let with_blocks = |blocks| {
            (0..HISTOGRAMS)
                .filter(move |&histogram| {
                    (0..COLUMNS).map(|x| count(histogram, x)).sum::<usize>() == blocks
                })
                .collect::<Vec<_>>()
        };
        let (threes, fours) = (with_blocks(3), with_blocks(4));
        let shifts = |histogram: usize, border: usize, right: bool| {
            let (from, to) = if right { (border, border + 1) } else { (border + 1, border) };
            (count(histogram, from) > 0).then(|| histogram - (1 << (3 * from)) + (1 << (3 * to)))
        };
        let mut moves = std::collections::BTreeMap::new();
        let mut wave = Vec::new();
        for &one in &threes {
            for &other in &fours {
                if [one, other].iter().all(|&histogram| table().costs[histogram].distance() == 0) {
                    moves.insert((one, other), 0);
                    wave.push((one, other));
                }
            }
        }
        for needed in 1.. {
            let mut next = Vec::new();
            for &(one, other) in &wave {
                for border in 0..COLUMNS - 1 {
                    for right in [true, false] {
                        let shifted = [shifts(one, border, right), shifts(other, border, !right)];
                        for (one, other) in [
                            (shifted[0], Some(other)),
                            (Some(one), shifted[1]),
                            (shifted[0], shifted[1]),
                        ] {
                            if let Some(pair) = one.zip(other)
                                && !moves.contains_key(&pair)
                            {
                                moves.insert(pair, needed);
                                next.push(pair);
                            }
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            wave = next;
        }
        assert_eq!(moves.len(), threes.len() * fours.len());
        let mut better = 0;
        for (&(one, other), &needed) in &moves {
            let costs = table().costs[one].and(table().costs[other]);
            assert!(costs.moves() <= needed, "{one:o} and {other:o} need {needed}: {costs:?}");
            assert!(costs.allow(needed) && (costs.moves() == 0 || !costs.allow(costs.moves() - 1)));
            let distances = [one, other].map(|histogram| table().costs[histogram].distance());
            better += usize::from(costs.moves() > (distances[0] + distances[1]).div_ceil(2));
        }
        assert!(better > 100, "only {better} pairs gain by weights");
    }
}
