//! How long the first slice of a solve may be.
//!
//! A slice that decides nothing is wasted work. While places are free that does
//! not matter; under overload it would eat the capacity that accepted solves
//! need. So wasted slices are paid from an account that fills at a small share
//! of the places' time: while it is full, slices are long enough for requests
//! that need a few milliseconds, and as it empties they shrink, so that the
//! waste stays under that share whatever arrives.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The slice of a service that is not overloaded.
pub const LONGEST: Duration = Duration::from_millis(10);

/// The slice that every solve gets even when the account is empty.
pub const SHORTEST: Duration = Duration::from_micros(500);

/// The share of the places' time that wasted slices may take.
const SHARE: f64 = 0.05;

/// The account holds what this time brings in.
const HORIZON: Duration = Duration::from_secs(8);

/// One slice takes at most this part of the account.
const PART: f64 = 1.0 / 32.0;

/// The account of wasted slices.
#[derive(Debug)]
pub struct Slices {
    seconds_a_second: f64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    seconds: f64,
    filled: Instant,
}

impl Slices {
    /// A full account for so many places.
    pub fn new(places: usize) -> Self {
        let seconds_a_second = places as f64 * SHARE;
        let full = seconds_a_second * HORIZON.as_secs_f64();
        let state = State { seconds: full, filled: Instant::now() };
        Self { seconds_a_second, state: Mutex::new(state) }
    }

    /// The slice of a solve that begins now.
    pub fn next(&self) -> Duration {
        let seconds = self.with_state(|state| state.seconds);
        Duration::from_secs_f64(seconds.max(0.0) * PART).clamp(SHORTEST, LONGEST)
    }

    /// Takes a wasted slice off the account.
    pub fn waste(&self, slice: Duration) {
        self.with_state(|state| state.seconds = (state.seconds - slice.as_secs_f64()).max(0.0));
    }

    fn with_state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let full = self.seconds_a_second * HORIZON.as_secs_f64();
        let income = (now - state.filled).as_secs_f64() * self.seconds_a_second;
        state.seconds = (state.seconds + income).min(full);
        state.filled = now;
        change(&mut state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_shrink_with_waste_and_never_below_the_shortest() {
        let slices = Slices::new(2);
        assert_eq!(slices.next(), LONGEST);
        let mut last = LONGEST;
        for _ in 0..200 {
            slices.waste(Duration::from_millis(10));
            assert!(slices.next() <= last.max(SHORTEST + Duration::from_millis(1)));
            last = slices.next();
        }
        assert_eq!(slices.next(), SHORTEST);
    }

    #[test]
    fn the_account_fills_by_its_share_of_the_places_time_and_a_slice_is_a_part_of_it() {
        let slices = Slices::new(4);
        // What it holds when it is full, by the places' time of the horizon.
        let full = 4.0 * 0.05 * 8.0;
        let part_of = |seconds: f64| Duration::from_secs_f64(seconds / 32.0);
        let began = Instant::now();
        slices.waste(Duration::from_secs_f64(full - 0.2));
        let slice = slices.next();
        let since = |left: f64| part_of(left)..=part_of(left + began.elapsed().as_secs_f64());
        assert!(since(0.2).contains(&slice), "{slice:?}");
        slices.waste(Duration::from_secs_f64(0.2 - 0.04));
        // Half a second brings in a tenth of one.
        slices.state.lock().unwrap().filled -= Duration::from_millis(500);
        let slice = slices.next();
        assert!(since(0.14).contains(&slice), "{slice:?}");
        slices.state.lock().unwrap().filled -= Duration::from_secs(10);
        slices.next();
        let seconds = slices.state.lock().unwrap().seconds;
        assert!((seconds - full).abs() < 1e-9, "{seconds}: it holds no more than the horizon's");
    }
}
