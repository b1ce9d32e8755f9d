//! A clock that a busy machine does not blur as it blurs the wall clock.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The time that this thread has spent on a processor.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// A length of time in milliseconds.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
