//! From the multipliers of a fractional solution to a proof in whole numbers.
//!
//! Three ways, the one that reads best first:
//!
//! 1. A few sets with multiplier 1: the sets of greatest u, one more at a time, until the
//!    most crossings that any 2-factor makes of their borders are fewer than two a set;
//!    then each set that is not needed is dropped. The flow's potentials are the weights.
//! 2. The same with small whole multipliers in proportion to u.
//! 3. The fractional y and u themselves, scaled and rounded.
//!
//! Each is checked in whole numbers before it leaves, so a fraction that misleads costs
//! time but never makes a false proof.

use super::cuts::Cut;
use super::field::Field;
use super::flow::{Heaviest, heaviest_two_factor};
use crate::budget::{Budget, Stop};

/// Sets with positive multipliers and weights on places.
pub(super) struct Proof {
    /// Indices of cuts with their multipliers.
    pub(super) sets: Vec<(usize, i64)>,
    pub(super) weights: Vec<i64>,
}

/// What the search for a proof ended with.
pub(super) enum Attempt {
    Found(Proof),
    /// No whole-number proof came of these multipliers.
    Failed,
    /// There is not even a 2-factor, so no proof of this kind is needed.
    NoTwoFactor,
}

/// The most sets that the first two ways try.
const MOST_SETS: usize = 40;
/// Multipliers below this share of the greatest are noise.
const LEAST_SHARE: f32 = 0.04;
/// The greatest whole multipliers of the second way, in the order tried.
const GREATEST_MULTIPLIERS: [f32; 5] = [2.0, 3.0, 4.0, 6.0, 12.0];
/// The scales of the third way, as powers of two.
const SCALES: [i32; 4] = [6, 10, 16, 22];

/// Tries the three ways.
pub(super) fn prove(
    field: &Field,
    cuts: &[Cut],
    y: &[f32],
    u: &[f32],
    budget: &mut Budget,
) -> Result<Attempt, Stop> {
    let greatest = u.iter().copied().fold(0.0, f32::max);
    if greatest <= 0.0 {
        return Ok(Attempt::Failed);
    }
    let mut order: Vec<usize> =
        (0..cuts.len()).filter(|&cut| u[cut] >= LEAST_SHARE * greatest).collect();
    order.sort_by(|&one, &other| u[other].total_cmp(&u[one]).then(one.cmp(&other)));
    order.truncate(MOST_SETS);
    let mut search =
        Search { field, cuts, sets: Vec::new(), crossings: vec![0; 2 * field.places()] };
    for &cut in &order {
        search.change(cut, 1);
        match search.heaviest(budget)? {
            None => return Ok(Attempt::NoTwoFactor),
            Some(heaviest) if search.proves(&heaviest) => {
                return search.drop_needless(heaviest, budget).map(Attempt::Found);
            }
            Some(_) => {}
        }
    }
    for most in GREATEST_MULTIPLIERS {
        search.clear();
        for &cut in &order {
            search.change(cut, (u[cut] / greatest * most).round() as i64);
        }
        if let Some(heaviest) = search.heaviest(budget)?
            && search.proves(&heaviest)
        {
            return search.drop_needless(heaviest, budget).map(Attempt::Found);
        }
    }
    for scale in SCALES {
        let scale = 2.0_f64.powi(scale);
        let whole = |number: f32| (f64::from(number) * scale).round() as i64;
        search.clear();
        for (cut, &u) in u.iter().enumerate() {
            search.change(cut, whole(u));
        }
        let weights: Vec<i64> = y.iter().map(|&y| whole(y)).collect();
        if search.worth(&weights) > 0 {
            return Ok(Attempt::Found(Proof { sets: search.sets, weights }));
        }
        budget.poll()?;
    }
    Ok(Attempt::Failed)
}

/// Sets with multipliers, and what they add to each edge.
struct Search<'a> {
    field: &'a Field,
    cuts: &'a [Cut],
    sets: Vec<(usize, i64)>,
    crossings: Vec<i64>,
}

impl Search<'_> {
    /// Changes the multiplier of a cut by `by`.
    fn change(&mut self, cut: usize, by: i64) {
        if by == 0 {
            return;
        }
        match self.sets.iter_mut().find(|(known, _)| *known == cut) {
            Some((_, multiplier)) => *multiplier += by,
            None => self.sets.push((cut, by)),
        }
        self.sets.retain(|&(_, multiplier)| multiplier != 0);
        for &edge in &self.cuts[cut].border {
            self.crossings[edge as usize] += by;
        }
    }

    fn clear(&mut self) {
        self.sets.clear();
        self.crossings.fill(0);
    }

    fn heaviest(&self, budget: &mut Budget) -> Result<Option<Heaviest>, Stop> {
        heaviest_two_factor(self.field, &self.crossings, budget)
    }

    /// Whether even the heaviest 2-factor crosses the borders too seldom.
    fn proves(&self, heaviest: &Heaviest) -> bool {
        heaviest.value < 2 * self.multipliers()
    }

    fn multipliers(&self) -> i64 {
        self.sets.iter().map(|&(_, multiplier)| multiplier).sum()
    }

    /// Lowers multipliers and drops sets as long as the proof stands, the last added first.
    fn drop_needless(mut self, heaviest: Heaviest, budget: &mut Budget) -> Result<Proof, Stop> {
        let mut best = heaviest;
        for (cut, multiplier) in self.sets.clone().into_iter().rev() {
            if self.sets.len() == 1 {
                break;
            }
            self.change(cut, -multiplier);
            match self.heaviest(budget)? {
                Some(heaviest) if self.proves(&heaviest) => best = heaviest,
                _ => self.change(cut, multiplier),
            }
        }
        let weights = with_most_zeros(self.field, best.y);
        Ok(Proof { sets: self.sets, weights })
    }

    /// 2 (Σ weights + Σ multipliers) − Σ max(0, worth of an edge).
    fn worth(&self, weights: &[i64]) -> i64 {
        let mut worth = 2 * self.multipliers();
        for place in self.field.free_places() {
            worth += 2 * weights[place];
            for (edge, other) in self.field.onward(place) {
                worth -= (weights[place] + weights[other] + self.crossings[edge]).max(0);
            }
        }
        worth
    }
}

/// The weights raised by a constant on one colour and lowered by it on the other, which
/// changes neither their sum (there are as many cells of each colour) nor what an edge is worth: by
/// the constant that makes most of them zero.
fn with_most_zeros(field: &Field, mut weights: Vec<i64>) -> Vec<i64> {
    let sign = |place: usize| if field.is_white(place) { -1 } else { 1 };
    let mut shifted: Vec<i64> =
        field.free_places().map(|place| sign(place) * weights[place]).collect();
    shifted.sort_unstable();
    let most_common = shifted.chunk_by(|one, other| one == other).max_by_key(|run| run.len());
    let constant = most_common.map_or(0, |run| run[0]);
    for place in field.free_places() {
        weights[place] -= sign(place) * constant;
    }
    weights
}
