//! Every option of `boardsolve serve`: its flag, its variable, its default and
//! its check.
//!
//! All faults are found at once, each naming flag and variable. A variable that
//! is set but empty counts as unset.

use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use clap::{Arg, ArgMatches};
use serde_json::{Map, Value, json};

use crate::app::RouterOptions;
use crate::http::access::{ApiKey, MAX_KEY_LENGTH};
use crate::http::body::BodyLimits;
use crate::http::run::SolveLimits;
use crate::http::server::ConnectionLimits;
use crate::http::service::ServiceLimits;
use crate::jobs::JobLimits;

/// The cache of results gets a fourth of the shared memory.
const CACHE_PART: usize = 4;

/// The tables that puzzles keep between solves get a fourth.
const TABLES_PART: usize = 4;

/// Bodies, boards and answers under way get a half of it.
const BODIES_PART: usize = 2;

/// One option as the command line knows it.
struct Setting {
    flag: &'static str,
    variable: &'static str,
    value_name: &'static str,
    default: Option<&'static str>,
    help: &'static str,
}

const SETTINGS: &[Setting] = &[
    Setting {
        flag: "listen",
        variable: "BOARDSOLVE_LISTEN",
        value_name: "ADDRESS",
        default: Some("127.0.0.1:8080"),
        help: "Address and port to serve on",
    },
    Setting {
        flag: "ops-listen",
        variable: "BOARDSOLVE_OPS_LISTEN",
        value_name: "ADDRESS",
        default: None,
        help: "Address and port for probes and metrics alone [default: they answer on the main one]",
    },
    Setting {
        flag: "time-limit-ms",
        variable: "BOARDSOLVE_TIME_LIMIT_MS",
        value_name: "MS",
        default: Some("10000"),
        help: "Time limit of a solve that names none",
    },
    Setting {
        flag: "max-time-limit-ms",
        variable: "BOARDSOLVE_MAX_TIME_LIMIT_MS",
        value_name: "MS",
        default: Some("60000"),
        help: "Ceiling to which a longer time limit is clamped",
    },
    Setting {
        flag: "places",
        variable: "BOARDSOLVE_PLACES",
        value_name: "COUNT",
        default: None,
        help: "Solves that run at once [default: the CPUs available]",
    },
    Setting {
        flag: "queue",
        variable: "BOARDSOLVE_QUEUE",
        value_name: "COUNT",
        default: Some("256"),
        help: "Solves that may wait for a place",
    },
    Setting {
        flag: "queue-wait-ms",
        variable: "BOARDSOLVE_QUEUE_WAIT_MS",
        value_name: "MS",
        default: Some("5000"),
        help: "How long a solve may wait for a place",
    },
    Setting {
        flag: "solve-memory-mb",
        variable: "BOARDSOLVE_SOLVE_MEMORY_MB",
        value_name: "MB",
        default: Some("256"),
        help: "Memory that one solve may hold",
    },
    Setting {
        flag: "shared-memory-mb",
        variable: "BOARDSOLVE_SHARED_MEMORY_MB",
        value_name: "MB",
        default: Some("256"),
        help: "Memory for what solves share: tables, cache, bodies being read or waiting",
    },
    Setting {
        flag: "body-limit-kb",
        variable: "BOARDSOLVE_BODY_LIMIT_KB",
        value_name: "KB",
        default: Some("16384"),
        help: "Size of the largest body that is read, before and after decompression",
    },
    Setting {
        flag: "body-timeout-ms",
        variable: "BOARDSOLVE_BODY_TIMEOUT_MS",
        value_name: "MS",
        default: Some("10000"),
        help: "Time in which a body has to arrive",
    },
    Setting {
        flag: "idle-timeout-ms",
        variable: "BOARDSOLVE_IDLE_TIMEOUT_MS",
        value_name: "MS",
        default: Some("75000"),
        help: "Time in which a header has to arrive, and for which a connection may idle",
    },
    Setting {
        flag: "max-connections",
        variable: "BOARDSOLVE_MAX_CONNECTIONS",
        value_name: "COUNT",
        default: Some("4096"),
        help: "Connections that may be open at once",
    },
    Setting {
        flag: "drain-ms",
        variable: "BOARDSOLVE_DRAIN_MS",
        value_name: "MS",
        default: Some("20000"),
        help: "How long running solves may finish after SIGTERM or SIGINT",
    },
    Setting {
        flag: "api-keys",
        variable: "BOARDSOLVE_API_KEYS",
        value_name: "KEYS",
        default: None,
        help: "Keys that callers have to send, separated by commas [default: open]",
    },
    Setting {
        flag: "api-keys-file",
        variable: "BOARDSOLVE_API_KEYS_FILE",
        value_name: "PATH",
        default: None,
        help: "A file of such keys, one a line, read again on SIGHUP",
    },
    Setting {
        flag: "rate-per-key",
        variable: "BOARDSOLVE_RATE_PER_KEY",
        value_name: "COUNT",
        default: None,
        help: "Requests a second that one key may send [default: no limit]",
    },
    Setting {
        flag: "rate-per-address",
        variable: "BOARDSOLVE_RATE_PER_ADDRESS",
        value_name: "COUNT",
        default: None,
        help: "Requests a second that one address may send [default: no limit]",
    },
    Setting {
        flag: "cors-origins",
        variable: "BOARDSOLVE_CORS_ORIGINS",
        value_name: "ORIGINS",
        default: None,
        help: "Origins whose pages may call the service, separated by commas [default: off]",
    },
    Setting {
        flag: "jobs-url",
        variable: "BOARDSOLVE_JOBS_URL",
        value_name: "URL",
        default: None,
        help: "Store of the jobs: sqlite://PATH for one process, postgres://… for several [default: no jobs]",
    },
    Setting {
        flag: "job-time-limit-ms",
        variable: "BOARDSOLVE_JOB_TIME_LIMIT_MS",
        value_name: "MS",
        default: Some("3600000"),
        help: "Time limit of a job that names none, and ceiling of one that does",
    },
    Setting {
        flag: "job-places",
        variable: "BOARDSOLVE_JOB_PLACES",
        value_name: "COUNT",
        default: Some("1"),
        help: "Jobs that this process solves at once; with 0 it only accepts and shows them",
    },
    Setting {
        flag: "job-queue",
        variable: "BOARDSOLVE_JOB_QUEUE",
        value_name: "COUNT",
        default: Some("10000"),
        help: "Jobs that may wait, in all replicas together",
    },
    Setting {
        flag: "job-keep-s",
        variable: "BOARDSOLVE_JOB_KEEP_S",
        value_name: "SECONDS",
        default: Some("86400"),
        help: "How long the result of a job is kept",
    },
    Setting {
        flag: "otlp-endpoint",
        variable: "BOARDSOLVE_OTLP_ENDPOINT",
        value_name: "URL",
        default: None,
        help: "OpenTelemetry collector that spans are sent to by OTLP over HTTP [default: none]",
    },
    Setting {
        flag: "log-format",
        variable: "BOARDSOLVE_LOG_FORMAT",
        value_name: "FORMAT",
        default: Some("auto"),
        help: "`human`, `json`, or `auto`: human on a terminal, JSON elsewhere",
    },
];

/// The options in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the service listens.
    pub listen: SocketAddr,
    /// Where probes and metrics answer, when not there.
    pub ops_listen: Option<SocketAddr>,
    /// Places, queue, and the limits on solves and bodies.
    pub limits: ServiceLimits,
    /// The limits on connections.
    pub connections: ConnectionLimits,
    /// How long running solves may finish after a signal.
    pub drain: Duration,
    /// The memory for the tables that puzzles keep between solves, in bytes.
    pub tables: usize,
    /// The form of the log.
    pub log_format: LogFormat,
    /// The keys that callers have to send; none: everybody is let in.
    pub api_keys: Vec<ApiKey>,
    /// The file that the keys came from.
    pub keys_file: Option<PathBuf>,
    /// Requests a second that one key may send.
    pub key_rate: Option<NonZeroU32>,
    /// Requests a second that one address may send.
    pub address_rate: Option<NonZeroU32>,
    /// The collector that spans are sent to.
    pub otlp_endpoint: Option<String>,
    /// CORS, and where probes answer.
    pub router: RouterOptions,
    /// Where jobs are stored, when they are switched on.
    pub jobs_url: Option<String>,
    /// The numbers that jobs are run by.
    pub jobs: JobLimits,
    shown: Map<String, Value>,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Human on a terminal, JSON elsewhere.
    Auto,
    /// Lines for people.
    Human,
    /// One JSON object a line.
    Json,
}

impl FromStr for LogFormat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "auto" => Ok(Self::Auto),
            "human" => Ok(Self::Human),
            "json" => Ok(Self::Json),
            _ => Err(()),
        }
    }
}

/// Everything that is wrong with the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFaults(Vec<String>);

impl fmt::Display for ConfigFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigFaults {}

/// The options as arguments of a command.
pub fn arguments() -> Vec<Arg> {
    SETTINGS
        .iter()
        .map(|setting| {
            let argument = Arg::new(setting.flag)
                .long(setting.flag)
                .env(setting.variable)
                .hide_env_values(true)
                .value_name(setting.value_name)
                .help(setting.help);
            match setting.default {
                Some(default) => argument.default_value(default),
                None => argument,
            }
        })
        .collect()
}

impl Config {
    /// Reads and checks all options.
    ///
    /// # Errors
    /// Every fault there is.
    pub fn from_matches(matches: &ArgMatches) -> Result<Self, ConfigFaults> {
        let mut reader = Reader { matches, faults: Vec::new(), shown: Map::new() };
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let listen = reader.value("listen", "an address and port such as 127.0.0.1:8080");
        let ops_listen =
            reader.optional("ops-listen", "an address and port such as 127.0.0.1:9090");
        let default_time = reader.milliseconds("time-limit-ms");
        let max_time = reader.milliseconds("max-time-limit-ms");
        let places = reader.count("places", 1, 1024).unwrap_or(cpus);
        let queue = reader.count("queue", 0, 1 << 20).unwrap_or(0);
        let max_wait = reader.milliseconds("queue-wait-ms");
        let solve_memory = reader.count("solve-memory-mb", 16, 1 << 20).unwrap_or(16);
        let shared_memory = reader.count("shared-memory-mb", 16, 1 << 20).unwrap_or(16);
        let body_bytes = reader.count("body-limit-kb", 1, 1 << 20).unwrap_or(1);
        let body_time = reader.milliseconds("body-timeout-ms");
        let idle = reader.milliseconds("idle-timeout-ms");
        let connections = reader.count("max-connections", 1, 1 << 20).unwrap_or(1);
        let drain = reader.milliseconds("drain-ms");
        let log_format = reader.value("log-format", "auto, human or json");
        let keys_file = reader.text("api-keys-file").map(PathBuf::from);
        let api_keys = reader.keys(keys_file.as_deref());
        let key_rate = reader.rate("rate-per-key");
        let address_rate = reader.rate("rate-per-address");
        let cors_origins = reader.origins();
        let otlp_endpoint = reader.collector();
        let jobs_url = reader.store();
        let jobs = JobLimits {
            max_time: reader.milliseconds("job-time-limit-ms"),
            places: reader.count("job-places", 0, 1024).unwrap_or(1),
            queue: reader.count("job-queue", 1, 1 << 40).unwrap_or(1) as u64,
            keep: Duration::from_secs(reader.count("job-keep-s", 1, 1 << 32).unwrap_or(1) as u64),
        };
        reader.shown.insert("places".to_owned(), json!(places));
        if reader.faults.is_empty() && default_time > max_time {
            reader.fault("time-limit-ms", "at most --max-time-limit-ms", "more than that");
        }
        let (Some(listen), Some(log_format), true) = (listen, log_format, reader.faults.is_empty())
        else {
            return Err(ConfigFaults(reader.faults));
        };
        Ok(Self {
            listen,
            ops_listen,
            limits: ServiceLimits {
                places,
                queue,
                max_wait,
                solve: SolveLimits {
                    default_time,
                    max_time,
                    memory: solve_memory << 20,
                    cache: (shared_memory << 20) / CACHE_PART,
                },
                body: BodyLimits { bytes: body_bytes << 10, time: body_time },
                shared_memory: (shared_memory << 20) / BODIES_PART,
            },
            connections: ConnectionLimits { idle, connections },
            drain,
            tables: (shared_memory << 20) / TABLES_PART,
            log_format,
            api_keys,
            keys_file,
            key_rate,
            address_rate,
            otlp_endpoint,
            router: RouterOptions { has_ops_listener: ops_listen.is_some(), cors_origins },
            jobs_url,
            jobs,
            shown: reader.shown,
        })
    }

    /// Every option in force, secrets redacted, by flag name with underscores.
    pub const fn shown(&self) -> &Map<String, Value> {
        &self.shown
    }
}

/// Reads options one by one and collects what is wrong.
struct Reader<'matches> {
    matches: &'matches ArgMatches,
    faults: Vec<String>,
    shown: Map<String, Value>,
}

impl Reader<'_> {
    /// The text of an option; an empty variable counts as unset.
    fn text(&self, flag: &str) -> Option<String> {
        let given = self.matches.get_one::<String>(flag).filter(|text| !text.is_empty());
        let default = || setting(flag).default.map(str::to_owned);
        given.cloned().or_else(default)
    }

    fn optional<T: FromStr>(&mut self, flag: &str, allowed: &str) -> Option<T> {
        let text = self.text(flag)?;
        let shown = text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number));
        self.shown.insert(flag.replace('-', "_"), shown);
        let value = text.parse().ok();
        if value.is_none() {
            self.fault(flag, allowed, &format!("`{text}`"));
        }
        value
    }

    fn value<T: FromStr>(&mut self, flag: &str, allowed: &str) -> Option<T> {
        self.optional(flag, allowed)
    }

    fn count(&mut self, flag: &str, min: usize, max: usize) -> Option<usize> {
        let allowed = format!("a whole number from {min} to {max}");
        let number = self.optional::<usize>(flag, &allowed)?;
        if (min..=max).contains(&number) {
            return Some(number);
        }
        self.fault(flag, &allowed, &format!("`{number}`"));
        None
    }

    fn milliseconds(&mut self, flag: &str) -> Duration {
        let day = 24 * 60 * 60 * 1000;
        Duration::from_millis(self.count(flag, 1, day).unwrap_or(1) as u64)
    }

    fn rate(&mut self, flag: &str) -> Option<NonZeroU32> {
        let rate = self.count(flag, 1, 1_000_000)?;
        u32::try_from(rate).ok().and_then(NonZeroU32::new)
    }

    /// The keys of the option or of the file; what is shown of them is how many there are.
    fn keys(&mut self, file: Option<&Path>) -> Vec<ApiKey> {
        let listed = self.text("api-keys");
        let (flag, keys) = match (listed, file) {
            (None, None) => return Vec::new(),
            (Some(_), Some(_)) => {
                self.fault(
                    "api-keys",
                    "left out where --api-keys-file is given",
                    "given beside it",
                );
                return Vec::new();
            }
            (Some(listed), None) => ("api-keys", keys_of_list(listed.split(','))),
            (None, Some(path)) => ("api-keys-file", keys_of_file(path)),
        };
        match keys {
            Ok(keys) => {
                let shown = format!("{} keys (redacted)", keys.len());
                self.shown.insert("api_keys".to_owned(), json!(shown));
                keys
            }
            Err(fault) => {
                self.fault(flag, "a list of keys", &format!("not readable: {fault}"));
                Vec::new()
            }
        }
    }

    /// The store of the jobs; what is shown of its URL is neither user nor password.
    fn store(&mut self) -> Option<String> {
        let flag = "jobs-url";
        let url = self.text(flag)?;
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url.as_str()));
        let is_known = matches!(scheme, "sqlite" | "postgres" | "postgresql");
        if !is_known || rest.is_empty() {
            let allowed = "sqlite://PATH or postgres://USER:PASSWORD@HOST/DATABASE";
            self.fault(flag, allowed, "something else (it is not shown: it may hold a password)");
            return None;
        }
        let shown = match scheme {
            "sqlite" => url.clone(),
            _ => {
                let place = rest.split(['?', '#']).next().unwrap_or("");
                let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
                format!("{scheme}://(redacted)@{place}")
            }
        };
        self.shown.insert("jobs_url".to_owned(), json!(shown));
        Some(url)
    }

    fn collector(&mut self) -> Option<String> {
        let flag = "otlp-endpoint";
        let uri = self.optional::<Uri>(flag, "a URL such as http://127.0.0.1:4318/v1/traces")?;
        if uri.scheme_str() != Some("http") || uri.authority().is_none() {
            let given = format!("`{uri}`");
            self.fault(
                flag,
                "a URL that begins with http:// (TLS is the collector's part)",
                &given,
            );
        }
        Some(uri.to_string())
    }

    fn origins(&mut self) -> Vec<HeaderValue> {
        let Some(listed) = self.text("cors-origins") else { return Vec::new() };
        self.shown.insert("cors_origins".to_owned(), json!(listed));
        let mut origins = Vec::new();
        for origin in listed.split(',').map(str::trim).filter(|origin| !origin.is_empty()) {
            let is_origin = origin.parse::<Uri>().is_ok_and(|uri| {
                let has_path = uri.path_and_query().is_some_and(|path| path.as_str() != "/");
                uri.scheme().is_some() && uri.authority().is_some() && !has_path
            }) && !origin.ends_with('/');
            match HeaderValue::from_str(origin) {
                Ok(value) if is_origin => origins.push(value),
                _ => self.fault(
                    "cors-origins",
                    "origins such as https://example.org, without a path",
                    &format!("`{origin}` in part"),
                ),
            }
        }
        origins
    }

    fn fault(&mut self, flag: &str, allowed: &str, given: &str) {
        let variable = setting(flag).variable;
        self.faults.push(format!("--{flag} ({variable}) is {given}; it has to be {allowed}"));
    }
}

/// The keys in a file, one a line; blank lines are passed over.
///
/// # Errors
/// Why the file can't be read, or which line is not a key. The key itself is never told.
pub fn keys_of_file(path: &Path) -> Result<Vec<ApiKey>, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    keys_of_list(text.lines())
}

fn keys_of_list<'list>(list: impl Iterator<Item = &'list str>) -> Result<Vec<ApiKey>, String> {
    let mut keys = Vec::new();
    for (index, text) in list.map(str::trim).enumerate().filter(|(_, text)| !text.is_empty()) {
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',');
        if !is_visible || text.len() > MAX_KEY_LENGTH {
            return Err(format!(
                "key {} is not 1 to {MAX_KEY_LENGTH} visible characters without a comma",
                index + 1
            ));
        }
        keys.push(ApiKey::new(text));
    }
    if keys.is_empty() { Err("there is no key in it".to_owned()) } else { Ok(keys) }
}

fn setting(flag: &str) -> &'static Setting {
    SETTINGS.iter().find(|setting| setting.flag == flag).expect("the flag is in the table")
}
