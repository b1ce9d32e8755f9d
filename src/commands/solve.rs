//! `boardsolve solve PUZZLE [FILE]`: the same solvers on a file or standard
//! input, without a server.
//!
//! The input is NDJSON where its name says so, JSON where it begins with `{`, and
//! the contest's text otherwise, unless `--input` says which; the answer takes the
//! input's form unless `--output` says otherwise, such as a picture. NDJSON is read
//! line by line, by [`bulk`]; everything else as a whole.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::budget::{Budget, CancelFlag};
use crate::commands::bulk;
use crate::http::endpoint::{Case, Endpoint, Finished};
use crate::http::ndjson;
use crate::http::negotiation::AnswerForm;
use crate::http::problem::{Code, Problem};
use crate::http::solve::check_case_count;
use crate::http::wire::Stats;
use crate::puzzle::{OptionKind, OptionSpec, OptionValues, TextCase};
use crate::puzzles;

/// How the command ended, and the process's exit code for it; of several endings the
/// last in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// Everything was answered: 0.
    Answered,
    /// Something stayed undecided: 3.
    Undecided,
    /// The input was bad, or a part of it: 2.
    BadInput,
    /// A bug showed: 1.
    Failed,
}

impl Ending {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Failed => 1,
            Self::BadInput => 2,
            Self::Undecided => 3,
        }
    }
}

/// The forms of inputs; answers may be pictures, too.
const FORMS: [&str; 3] = ["json", "text", "ndjson"];

const EXIT_CODES: &str = "\
Exits with 0 when everything was answered, 2 on bad input (of NDJSON: when any line was bad), \
3 when something stayed undecided, and 1 on any other failure.";

/// The command with one subcommand a puzzle.
pub fn command() -> Command {
    let base = Command::new("solve")
        .about("Solves the boards of a file or of standard input, without a server")
        .after_help(EXIT_CODES)
        .subcommand_required(true)
        .subcommand_value_name("PUZZLE")
        .subcommand_help_heading("Puzzles");
    puzzles::ALL.iter().fold(base, |command, endpoint| {
        let arguments = endpoint.options().iter().map(option_argument);
        command.subcommand(
            Command::new(endpoint.name())
                .about(endpoint.summary())
                .after_help(EXIT_CODES)
                .arg(
                    Arg::new("file")
                        .value_name("FILE")
                        .value_parser(value_parser!(PathBuf))
                        .help("The input; standard input when left out or `-`"),
                )
                .arg(
                    Arg::new("time-limit-ms")
                        .long("time-limit-ms")
                        .value_name("MS")
                        .default_value("10000")
                        .value_parser(value_parser!(u64).range(1..))
                        .help("Time limit of each case"),
                )
                .arg(
                    Arg::new("solve-memory-mb")
                        .long("solve-memory-mb")
                        .value_name("MB")
                        .default_value("256")
                        .value_parser(value_parser!(u32).range(16..))
                        .help("Memory that one solve may hold"),
                )
                .arg(
                    Arg::new("places")
                        .long("places")
                        .value_name("COUNT")
                        .value_parser(value_parser!(u16).range(1..=1024))
                        .help("Lines of NDJSON solved at once [default: the CPUs available]"),
                )
                .arg(Arg::new("input").long("input").value_name("FORM").value_parser(FORMS).help(
                    "The input's form [default: NDJSON where FILE ends in .ndjson or \
                             .jsonl, JSON where it begins with a brace, text otherwise]",
                ))
                .arg(
                    Arg::new("output")
                        .long("output")
                        .value_name("FORM")
                        .value_parser(["json", "text", "ndjson", "svg"])
                        .help("The answer's form; that of NDJSON is NDJSON [default: the input's]"),
                )
                .args(arguments),
        )
    })
}

/// Solves; answers go to standard output, faults to standard error.
///
/// # Errors
/// When the input can't be read or the output not be written.
pub fn run(matches: &ArgMatches) -> io::Result<Ending> {
    let (name, matches) = matches.subcommand().expect("clap requires a puzzle");
    let endpoint = *puzzles::ALL
        .iter()
        .find(|endpoint| endpoint.name() == name)
        .expect("clap lists the puzzles of the registry");
    let file = matches.get_one::<PathBuf>("file").filter(|path| path.as_os_str() != "-");
    let named = matches.get_one::<String>("input").map(String::as_str);
    let output = matches.get_one::<String>("output").map(String::as_str);
    let is_lines =
        named.map_or(file.is_some_and(|path| is_named_ndjson(path)), |form| form == "ndjson");
    let limits = Limits::of(matches);
    if is_lines {
        let fault = options(endpoint, "an NDJSON", matches).err().or_else(|| {
            let is_met = output.is_none_or(|form| form == "ndjson");
            (!is_met).then(|| refused("the answer to an NDJSON input is NDJSON".to_owned()))
        });
        if let Some(problem) = fault {
            return complain(&problem);
        }
        let (input, length) = open(file)?;
        let threads = matches.get_one::<u16>("places").map_or_else(cpus, |&count| count.into());
        return bulk::run(endpoint, limits, threads, BufReader::new(input), length);
    }
    let mut body = Vec::new();
    open(file)?.0.read_to_end(&mut body)?;
    let is_json = named.map_or(first_character(&body) == Some(b'{'), |form| form == "json");
    let form = match output {
        Some("svg") => AnswerForm::Svg,
        Some("ndjson") => AnswerForm::Ndjson,
        Some("json") => AnswerForm::Json,
        None if is_json => AnswerForm::Json,
        _ => AnswerForm::Text,
    };
    let cases = match read_cases(endpoint, &body, is_json, form, matches) {
        Ok(cases) => cases,
        Err(problem) => return complain(&problem),
    };
    let mut ending = Ending::Answered;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for TextCase { line, board } in cases {
        let (finished, stats) = limits.solve(board.as_ref())?;
        if finished.stopped_by().is_some() {
            ending = Ending::Undecided;
        }
        let written = match form {
            AnswerForm::Json => {
                finished.write_json(stats, &mut out)?;
                Some("\n".to_owned())
            }
            AnswerForm::Ndjson => {
                out.write_all(&ndjson::answer(line, finished.as_ref(), stats)?)?;
                Some(String::new())
            }
            AnswerForm::Text => finished.text(),
            AnswerForm::Svg => finished.picture(),
        };
        match written {
            Some(text) => out.write_all(text.as_bytes())?,
            None => {
                out.flush()?;
                writeln!(
                    io::stderr(),
                    "boardsolve: the case that begins on line {line} was not decided within {} ms",
                    stats.time_limit_ms
                )?;
                return Ok(ending);
            }
        }
    }
    out.flush()?;
    Ok(ending)
}

fn complain(problem: &Problem) -> io::Result<Ending> {
    writeln!(io::stderr(), "boardsolve: {}: {}", problem.code().name(), problem.detail())?;
    Ok(Ending::BadInput)
}

/// The input, and its length where that is known.
fn open(file: Option<&PathBuf>) -> io::Result<(Box<dyn Read + Send>, Option<u64>)> {
    let Some(path) = file else { return Ok((Box::new(io::stdin()), None)) };
    let opened = File::open(path).and_then(|file| file.metadata().map(|about| (file, about)));
    let (file, about) = opened
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    Ok((Box::new(file), about.is_file().then_some(about.len())))
}

fn is_named_ndjson(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ndjson" || extension == "jsonl")
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn first_character(body: &[u8]) -> Option<u8> {
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    body.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

fn read_cases(
    endpoint: &dyn Endpoint,
    body: &[u8],
    is_json: bool,
    form: AnswerForm,
    matches: &ArgMatches,
) -> Result<Vec<TextCase<Arc<dyn Case>>>, Problem> {
    if is_json {
        options(endpoint, "a JSON", matches)?;
        return Ok(vec![TextCase { line: 1, board: endpoint.read_json(body)? }]);
    }
    let mut options = options(endpoint, "", matches)?;
    if form == AnswerForm::Text {
        options = options.for_text_answer();
    }
    let cases = endpoint.read_text(body, &options)?;
    check_case_count(form, &cases)?;
    Ok(cases)
}

/// The puzzle's options as flags; where `json` names an input, they are fields of it instead.
fn options(
    endpoint: &dyn Endpoint,
    json: &str,
    matches: &ArgMatches,
) -> Result<OptionValues, Problem> {
    let mut options = OptionValues::defaults(endpoint.options());
    for spec in endpoint.options() {
        let Some(text) = matches.get_one::<String>(spec.name) else { continue };
        if !json.is_empty() {
            let name = spec.name;
            return Err(refused(format!("beside {json} input, `{name}` is a field of the input")));
        }
        options.set(spec.name, text).map_err(refused)?;
    }
    Ok(options)
}

fn refused(detail: String) -> Problem {
    Problem::new(Code::InvalidQuery, detail)
}

/// What one solve may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    time_ms: u64,
    memory: usize,
}

impl Limits {
    fn of(matches: &ArgMatches) -> Self {
        let time_ms = *matches.get_one::<u64>("time-limit-ms").expect("it has a default");
        let memory_mb = *matches.get_one::<u32>("solve-memory-mb").expect("it has a default");
        Self { time_ms, memory: (memory_mb as usize) << 20 }
    }

    /// Solves a case within these limits.
    ///
    /// # Errors
    /// When the answer fails its verification.
    pub fn solve(self, case: &dyn Case) -> io::Result<(Arc<dyn Finished>, Stats)> {
        let started = Instant::now();
        let limit = Some(Duration::from_millis(self.time_ms));
        let mut budget = Budget::new(limit, CancelFlag::new(), self.memory);
        let finished = case.solve(&mut budget).map_err(|violation| {
            io::Error::other(format!("a bug: an answer failed its verification: {violation}"))
        })?;
        let stats = Stats {
            time_ms: started.elapsed().as_secs_f64() * 1e3,
            nodes: budget.nodes(),
            time_limit_ms: self.time_ms,
        };
        Ok((finished, stats))
    }
}

/// An option of the puzzle as a flag: `max_turns` is `--max-turns`.
fn option_argument(spec: &OptionSpec) -> Arg {
    let argument = Arg::new(spec.name).long(spec.name.replace('_', "-")).help(spec.help);
    match spec.kind {
        OptionKind::Boolean { .. } => argument
            .value_name("BOOLEAN")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_parser(PossibleValuesParser::new(["true", "false"])),
        OptionKind::Integer { .. } => argument.value_name("NUMBER"),
        OptionKind::Choice { values, .. } => {
            argument.value_name("WORD").value_parser(PossibleValuesParser::new(values))
        }
    }
}
