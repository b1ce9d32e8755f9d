//! What a layer remembers of the ways that lead to a state: that there is one, up
//! to two of them, or their exact number.

/// Numbers of ways, one a state of a layer, in the layer's order.
pub(super) trait Tally {
    /// One state, reached in one way.
    fn one() -> Self;
    /// No state yet, with room enough in each number for a layer after this one.
    fn successor(&self) -> Self;
    /// Appends a state that has the ways of `source`'s state `index`.
    fn push(&mut self, source: &Self, index: usize);
    /// Adds the ways of `source`'s state `index` to the state `target`.
    fn add(&mut self, target: usize, source: &Self, index: usize);
    /// The bytes that a state takes.
    fn bytes_each(&self) -> usize;
    /// Makes room for `more` states.
    fn reserve(&mut self, more: usize);
    /// Drops unused room.
    fn shrink(&mut self);
}

/// That there is a way.
pub(super) struct Presence;

/// One way, or more than one.
pub(super) struct UpToTwo(Vec<u8>);

/// Exact numbers of `width` 64-bit limbs each, the lowest first.
///
/// A state leads to at most two, so a layer's sum at most doubles from one layer
/// to the next: [`Tally::successor`] takes the limbs that twice the sum needs, and no
/// addition overflows.
pub(super) struct Exact {
    width: usize,
    limbs: Vec<u64>,
}

impl Tally for Presence {
    fn one() -> Self {
        Self
    }

    fn successor(&self) -> Self {
        Self
    }

    #[inline]
    fn push(&mut self, _: &Self, _: usize) {}

    #[inline]
    fn add(&mut self, _: usize, _: &Self, _: usize) {}

    fn bytes_each(&self) -> usize {
        0
    }

    fn reserve(&mut self, _: usize) {}

    fn shrink(&mut self) {}
}

impl UpToTwo {
    pub(super) fn get(&self, index: usize) -> u8 {
        self.0[index]
    }
}

impl Tally for UpToTwo {
    fn one() -> Self {
        Self(vec![1])
    }

    fn successor(&self) -> Self {
        Self(Vec::new())
    }

    #[inline]
    fn push(&mut self, source: &Self, index: usize) {
        self.0.push(source.0[index]);
    }

    #[inline]
    fn add(&mut self, target: usize, _: &Self, _: usize) {
        // Every state of a layer has a way, so a second source makes it two at least.
        self.0[target] = 2;
    }

    fn bytes_each(&self) -> usize {
        1
    }

    fn reserve(&mut self, more: usize) {
        self.0.reserve_exact(more);
    }

    fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }
}

impl Exact {
    /// The number of ways of the state `index`, in decimal.
    pub(super) fn decimal(&self, index: usize) -> String {
        /// The greatest power of ten that a limb holds, and its exponent.
        const CHUNK: u128 = 10_000_000_000_000_000_000;
        const DIGITS: usize = 19;
        let mut number = self.number(index).to_vec();
        let mut chunks = Vec::new();
        while number.iter().any(|&limb| limb != 0) {
            let mut remainder = 0_u128;
            for limb in number.iter_mut().rev() {
                let part = (remainder << 64) | u128::from(*limb);
                *limb = (part / CHUNK) as u64;
                remainder = part % CHUNK;
            }
            chunks.push(remainder);
        }
        let Some(first) = chunks.pop() else { return "0".to_owned() };
        let rest = chunks.iter().rev().map(|chunk| format!("{chunk:0DIGITS$}"));
        std::iter::once(first.to_string()).chain(rest).collect()
    }

    fn number(&self, index: usize) -> &[u64] {
        &self.limbs[index * self.width..(index + 1) * self.width]
    }

    /// The limbs of twice the sum of all numbers.
    fn limbs_of_twice_the_sum(&self) -> usize {
        // A layer has fewer than 2^32 states, so one limb more holds the sum.
        let mut sum = vec![0; self.width + 1];
        for number in self.limbs.chunks_exact(self.width) {
            add_to(&mut sum, number);
        }
        let bits = sum
            .iter()
            .rposition(|&limb| limb != 0)
            .map_or(0, |top| 64 * top + (64 - sum[top].leading_zeros() as usize));
        (bits + 1).div_ceil(64)
    }
}

impl Tally for Exact {
    fn one() -> Self {
        Self { width: 1, limbs: vec![1] }
    }

    fn successor(&self) -> Self {
        Self { width: self.limbs_of_twice_the_sum(), limbs: Vec::new() }
    }

    #[inline]
    fn push(&mut self, source: &Self, index: usize) {
        // A layer that lost its greatest numbers to dead ends may need fewer limbs than
        // the one before: what is cut off is zero.
        let number = source.number(index);
        let kept = number.len().min(self.width);
        self.limbs.extend(number[..kept].iter().copied());
        for _ in kept..self.width {
            self.limbs.push(0);
        }
    }

    #[inline]
    fn add(&mut self, target: usize, source: &Self, index: usize) {
        let number = source.number(index);
        let kept = number.len().min(self.width);
        let start = target * self.width;
        add_to(&mut self.limbs[start..start + self.width], &number[..kept]);
    }

    fn bytes_each(&self) -> usize {
        self.width * size_of::<u64>()
    }

    fn reserve(&mut self, more: usize) {
        self.limbs.reserve_exact(more * self.width);
    }

    fn shrink(&mut self) {
        self.limbs.shrink_to_fit();
    }
}

/// Adds `number` to `sum`, which is at least as long and has room for the result.
#[inline]
fn add_to(sum: &mut [u64], number: &[u64]) {
    let (low, high) = sum.split_at_mut(number.len());
    let mut carry = false;
    for (limb, &other) in low.iter_mut().zip(number) {
        let (once, over) = limb.overflowing_add(other);
        let (twice, over_again) = once.overflowing_add(u64::from(carry));
        *limb = twice;
        carry = over | over_again;
    }
    for limb in high {
        if !carry {
            return;
        }
        (*limb, carry) = limb.overflowing_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_several_limbs_are_written_in_decimal() {
        let number = |limbs: &[u64]| Exact { width: limbs.len(), limbs: limbs.to_vec() }.decimal(0);
        assert_eq!(number(&[0]), "0");
        assert_eq!(number(&[7, 0]), "7");
        assert_eq!(number(&[0, 1]), "18446744073709551616");
        assert_eq!(number(&[0, 0, 1]), "340282366920938463463374607431768211456");
        assert_eq!(number(&[10_000_000_000_000_000_000]), "10000000000000000000");
    }

    #[test]
    fn a_carry_runs_through_all_limbs() {
        let mut sum = vec![u64::MAX, u64::MAX, 0];
        add_to(&mut sum, &[1]);
        assert_eq!(sum, [0, 0, 1]);
    }
}
