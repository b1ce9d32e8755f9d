//! How far a colour is from lines: a lower bound on the moves it needs.
//!
//! A colour's *histogram* says how many of its blocks each column has. When all
//! of them have vanished, each stood in a line when it went. Counted by the
//! column in which it went, a column with three or more may have gone as a
//! column (rows may cross it); in any other column each block went in a row of
//! its own, and rows are three to five columns long. A move shifts at most one
//! block of the colour by one column, so the fewest such shifts from the
//! present histogram to one that splits that way are moves that are needed.
//!
//! The table is filled by one breadth-first search from all histograms that
//! split, 8^5 entries in all, in a millisecond, once a process. Counts stop at 7, which
//! then stands for "7 or more": such a column may give a block and still have
//! 7. That only adds ways, so the bound stays a lower bound.

use std::sync::OnceLock;

use crate::puzzles::mayan::board::COLUMNS;

/// The bound of a colour that can't come into lines at all.
pub(super) const NEVER: u8 = u8::MAX;

/// Blocks a column, three bits each, the left column lowest.
pub(super) type Histogram = u16;

/// The histogram of one block in column `x`.
pub(super) const fn one_in(x: usize) -> Histogram {
    1 << (3 * x)
}

const HISTOGRAMS: usize = 1 << (3 * COLUMNS);
const FULL: usize = 7;

/// The bound for every histogram.
pub(super) fn distances() -> &'static [u8; HISTOGRAMS] {
    static DISTANCES: OnceLock<Box<[u8; HISTOGRAMS]>> = OnceLock::new();
    DISTANCES.get_or_init(fill)
}

fn fill() -> Box<[u8; HISTOGRAMS]> {
    let mut distances = Box::new([NEVER; HISTOGRAMS]);
    let mut reached: Vec<usize> = Vec::with_capacity(HISTOGRAMS);
    for histogram in crossings() {
        distances[histogram] = 0;
    }
    for histogram in 0..HISTOGRAMS {
        if distances[histogram] == 0 || has_a_column_to_spare(&distances, histogram) {
            distances[histogram] = 0;
            reached.push(histogram);
        }
    }
    let mut next = 0;
    while let Some(&after) = reached.get(next) {
        next += 1;
        let distance = distances[after] + 1;
        for x in 1..COLUMNS {
            for (from, to) in [(x - 1, x), (x, x - 1)] {
                for before in befores(after, from, to) {
                    if distances[before] == NEVER {
                        distances[before] = distance;
                        reached.push(before);
                    }
                }
            }
        }
    }
    distances
}

/// Whether some column of three or more goes as a column, however fewer of its
/// blocks the rows of a smaller histogram that splits take.
fn has_a_column_to_spare(distances: &[u8; HISTOGRAMS], histogram: usize) -> bool {
    (0..COLUMNS).any(|x| {
        let spare = match count(histogram, x) {
            0..3 => 0,
            3 => 3,
            _ => 1,
        };
        (1..=spare).any(|fewer| distances[histogram - (fewer << (3 * x))] == 0)
    })
}

const fn count(histogram: usize, x: usize) -> usize {
    histogram >> (3 * x) & FULL
}

/// The histograms from which a shift from column `from` to column `to` leads to `after`.
fn befores(after: usize, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let (unit_from, unit_to) = (1 << (3 * from), 1 << (3 * to));
    let gave = if count(after, from) == FULL { after } else { after + unit_from };
    let took_one = (count(after, to) > 0).then(|| gave - unit_to);
    let stayed_full = (count(after, to) == FULL).then_some(gave);
    took_one.into_iter().chain(stayed_full)
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

    fn distance(columns: [u16; COLUMNS]) -> u8 {
        let histogram = (0..COLUMNS).map(|x| columns[x] * one_in(x)).sum::<u16>();
        distances()[usize::from(histogram)]
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
        assert_eq!(distance([1, 1, 0, 0, 0]), NEVER);
    }
}
