//! Who may ask, and how often: bearer keys and request rates, both off unless set.
//!
//! Keys are kept as SHA-256 digests and compared in constant time, each with
//! every one, so that neither a key's length nor its place shows in the time
//! that a refusal takes. They are never logged.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{Extensions, HeaderMap};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use crate::http::body;
use crate::http::problem::{Code, Problem};
use crate::http::service::Service;

/// The longest key.
pub const MAX_KEY_LENGTH: usize = 256;

/// How often the rates of callers that went away are forgotten.
pub const FORGET_EVERY: Duration = Duration::from_secs(60);

/// The address at the other end of a connection; the accept loop puts it into
/// each request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

/// Who asks, as the guard of a route has seen it: the key, where keys are set.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyHolder(Option<ApiKey>);

impl KeyHolder {
    /// The caller of a request.
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get::<Self>().copied().unwrap_or_default()
    }

    /// A name under which what belongs to this caller may be stored: a digest
    /// that the key's own digest can't be told from. Empty where no keys are set.
    pub fn owner(self) -> Vec<u8> {
        let Some(ApiKey(key)) = self.0 else { return Vec::new() };
        Sha256::new().chain_update(b"owner of jobs").chain_update(key).finalize().to_vec()
    }
}

/// A key as it is kept: its digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ApiKey([u8; 32]);

impl ApiKey {
    /// The key of that text.
    pub fn new(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(redacted)")
    }
}

/// Keys and rates.
#[derive(Debug)]
pub struct Access {
    keys: RwLock<Vec<ApiKey>>,
    key_rate: Option<DefaultKeyedRateLimiter<ApiKey>>,
    address_rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
}

impl Access {
    /// The keys that are let in (none: everybody is), and the requests a second
    /// that each key and each address may send, with bursts of one second's worth.
    pub fn new(
        keys: Vec<ApiKey>,
        key_rate: Option<NonZeroU32>,
        address_rate: Option<NonZeroU32>,
    ) -> Self {
        Self {
            keys: RwLock::new(keys),
            key_rate: key_rate.map(|rate| RateLimiter::dashmap(Quota::per_second(rate))),
            address_rate: address_rate.map(|rate| RateLimiter::dashmap(Quota::per_second(rate))),
        }
    }

    /// Puts other keys in force.
    pub fn replace_keys(&self, keys: Vec<ApiKey>) {
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = keys;
    }

    /// Forgets the rates of callers that have not asked for a while.
    pub fn forget_idle(&self) {
        if let Some(limiter) = &self.key_rate {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        if let Some(limiter) = &self.address_rate {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    /// The key of a request; `None` where no keys are set.
    fn authorize(&self, headers: &HeaderMap) -> Result<Option<ApiKey>, Problem> {
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        if keys.is_empty() {
            return Ok(None);
        }
        let refused = |detail| Err(Problem::new(Code::Unauthorized, detail));
        let Some(header) = headers.get(AUTHORIZATION) else {
            return refused("This service asks for a key: send `Authorization: Bearer KEY`.");
        };
        let text = header.to_str().unwrap_or("");
        let Some((scheme, token)) = text.split_once(' ') else {
            return refused("The Authorization header has to be `Bearer KEY`.");
        };
        if !scheme.eq_ignore_ascii_case("bearer") {
            return refused("The Authorization header has to be `Bearer KEY`.");
        }
        let given = ApiKey::new(token.trim());
        let is_known = keys
            .iter()
            .fold(Choice::from(0), |known, key| known | key.0.as_slice().ct_eq(&given.0));
        if bool::from(is_known) { Ok(Some(given)) } else { refused("The key is not known here.") }
    }

    fn limit_rate(&self, key: Option<ApiKey>, peer: Option<PeerAddress>) -> Result<(), Problem> {
        let now = DefaultClock::default().now();
        if let (Some(limiter), Some(key)) = (&self.key_rate, key) {
            limiter
                .check_key(&key)
                .map_err(|until| too_fast("This key", until.wait_time_from(now)))?;
        }
        if let (Some(limiter), Some(PeerAddress(address))) = (&self.address_rate, peer) {
            limiter
                .check_key(&network(address))
                .map_err(|until| too_fast("This address", until.wait_time_from(now)))?;
        }
        Ok(())
    }
}

/// A layer for the routes that keys and rates guard.
pub async fn guard(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let access = service.access();
    let peer = request.extensions().get::<PeerAddress>().copied();
    let checked = access
        .authorize(request.headers())
        .and_then(|key| access.limit_rate(key, peer).map(|()| KeyHolder(key)));
    match checked {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(problem) => {
            service.metrics().rejected(problem.code());
            body::discard(request.body_mut()).await;
            problem.into_response()
        }
    }
}

/// One host usually has a whole IPv6 /64 to itself.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let prefix = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(prefix))
        }
        address @ IpAddr::V4(_) => address,
    }
}

fn too_fast(who: &str, wait: Duration) -> Problem {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    Problem::new(Code::RateLimited, format!("{who} sent more requests than it may."))
        .retry_after(seconds.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_one_ipv6_network_count_as_one_and_ipv4_ones_each_alone() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"), "the same host, written otherwise");
    }

    #[test]
    fn whoever_is_too_fast_is_told_whole_seconds_that_are_long_enough() {
        for (wait, seconds) in [
            (Duration::ZERO, 1),
            (Duration::from_millis(1), 1),
            (Duration::from_secs(2), 2),
            (Duration::from_millis(2001), 3),
        ] {
            let problem = format!("{:?}", too_fast("This key", wait));
            assert!(
                problem.contains(&format!("retry_after_seconds: Some({seconds})")),
                "{problem}"
            );
        }
    }

    #[test]
    fn a_jobs_owner_is_told_from_others_and_is_not_the_keys_digest() {
        let holder = |text: &str| KeyHolder(Some(ApiKey::new(text)));
        assert_eq!(holder("alpha").owner(), holder("alpha").owner());
        assert_ne!(holder("alpha").owner(), holder("beta").owner());
        assert_ne!(holder("alpha").owner(), ApiKey::new("alpha").0.to_vec());
        assert!(KeyHolder::default().owner().is_empty());
    }

    #[test]
    fn a_caller_that_has_not_asked_for_a_while_is_forgotten() {
        let rate = NonZeroU32::new(1000);
        let access = Access::new(vec![ApiKey::new("alpha")], rate, rate);
        let peer = PeerAddress("192.0.2.1".parse().unwrap());
        assert!(access.limit_rate(Some(ApiKey::new("alpha")), Some(peer)).is_ok());
        let known = || {
            let keys = access.key_rate.as_ref().map(RateLimiter::len);
            (keys, access.address_rate.as_ref().map(RateLimiter::len))
        };
        assert_eq!(known(), (Some(1), Some(1)));
        // By then it may send as many as one that never asked.
        std::thread::sleep(Duration::from_millis(20));
        access.forget_idle();
        assert_eq!(known(), (Some(0), Some(0)));
    }
}
