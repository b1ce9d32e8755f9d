//! Query parameters of a solve: its time limit and, beside a text body, the
//! puzzle's own options.

use crate::http::problem::{Code, Problem};
use crate::puzzle::{OptionSpec, OptionValues};

/// What the query asks.
#[derive(Clone, Debug)]
pub struct SolveQuery {
    /// The time limit that was asked for, in milliseconds, at least 1.
    pub time_limit_ms: Option<u64>,
    /// The puzzle's options; all defaults beside a JSON body.
    pub options: OptionValues,
}

/// Reads a query string. `text_body` says whether the puzzle's options may stand in it.
///
/// # Errors
/// `invalid_query`, naming the parameter and what is allowed.
pub fn read(
    query: Option<&str>,
    specs: &'static [OptionSpec],
    text_body: bool,
) -> Result<SolveQuery, Problem> {
    let mut read = SolveQuery { time_limit_ms: None, options: OptionValues::defaults(specs) };
    for (name, value) in form_urlencoded::parse(query.unwrap_or("").as_bytes()) {
        if name == "time_limit_ms" {
            if read.time_limit_ms.is_some() {
                return Err(invalid("`time_limit_ms` is given twice".to_owned()));
            }
            read.time_limit_ms = Some(time_limit_ms(&value)?);
        } else if specs.iter().any(|spec| spec.name == name) {
            if !text_body {
                return Err(invalid(format!(
                    "`{name}` is an option of the puzzle: beside a JSON body it is a field of the body, \
                     and a query parameter only beside a text/plain body"
                )));
            }
            read.options.set(&name, &value).map_err(invalid)?;
        } else {
            let mut known = vec!["time_limit_ms"];
            if text_body {
                known.extend(specs.iter().map(|spec| spec.name));
            }
            let name: String = name.chars().take(64).collect();
            return Err(invalid(format!(
                "there is no query parameter `{name}`; there is {}",
                known.join(", ")
            )));
        }
    }
    Ok(read)
}

/// Refuses any query parameter on a path that takes none.
///
/// # Errors
/// `invalid_query`.
pub fn refuse_all(query: Option<&str>) -> Result<(), Problem> {
    match form_urlencoded::parse(query.unwrap_or("").as_bytes()).next() {
        None => Ok(()),
        Some((name, _)) => {
            let name: String = name.chars().take(64).collect();
            Err(invalid(format!("there is no query parameter `{name}`; this path takes none")))
        }
    }
}

fn time_limit_ms(value: &str) -> Result<u64, Problem> {
    let is_digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    // A number too long for 64 bits is still a number above the ceiling, to which it is clamped.
    let number = value.parse::<u64>().unwrap_or(u64::MAX);
    if is_digits && number >= 1 {
        return Ok(number);
    }
    let value: String = value.chars().take(64).collect();
    Err(invalid(format!(
        "`time_limit_ms` is a whole number of milliseconds, at least 1, not `{value}`"
    )))
}

fn invalid(detail: String) -> Problem {
    Problem::new(Code::InvalidQuery, detail)
}
