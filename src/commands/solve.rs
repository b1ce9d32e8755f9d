//! `boardsolve solve PUZZLE [FILE]`: the same solvers on a file or standard
//! input, without a server.
//!
//! The input is JSON where it begins with `{`, and the contest's text otherwise;
//! the answer takes the input's form unless `--output` says otherwise, such as a picture.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::budget::{Budget, CancelFlag};
use crate::http::endpoint::{Case, Endpoint, Finished};
use crate::http::negotiation::AnswerForm;
use crate::http::problem::{Code, Problem};
use crate::http::solve::check_case_count;
use crate::http::wire::Stats;
use crate::puzzle::{OptionKind, OptionSpec, OptionValues, TextCase};
use crate::puzzles;

/// How the command ended, and the process's exit code for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything was answered: 0.
    Answered,
    /// The input was bad: 2.
    BadInput,
    /// Something stayed undecided: 3.
    Undecided,
}

impl Ending {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::BadInput => 2,
            Self::Undecided => 3,
        }
    }
}

/// The command with one subcommand a puzzle.
pub fn command() -> Command {
    let base = Command::new("solve")
        .about("Solves the boards of a file or of standard input, without a server")
        .subcommand_required(true)
        .subcommand_value_name("PUZZLE")
        .subcommand_help_heading("Puzzles");
    puzzles::ALL.iter().fold(base, |command, endpoint| {
        let arguments = endpoint.options().iter().map(option_argument);
        command.subcommand(
            Command::new(endpoint.name())
                .about(endpoint.summary())
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
                    Arg::new("output")
                        .long("output")
                        .value_name("FORM")
                        .value_parser(["json", "text", "svg"])
                        .help("The answer's form [default: the input's]"),
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
    let body = read_input(matches.get_one::<PathBuf>("file"))?;
    let is_json = first_character(&body) == Some(b'{');
    let form = match matches.get_one::<String>("output").map(String::as_str) {
        Some("svg") => AnswerForm::Svg,
        Some("json") => AnswerForm::Json,
        None if is_json => AnswerForm::Json,
        _ => AnswerForm::Text,
    };
    let cases = match read_cases(endpoint, &body, is_json, form, matches) {
        Ok(cases) => cases,
        Err(problem) => {
            writeln!(io::stderr(), "boardsolve: {}: {}", problem.code().name(), problem.detail())?;
            return Ok(Ending::BadInput);
        }
    };
    let mut ending = Ending::Answered;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for TextCase { line, board } in cases {
        let (finished, stats) = solve_case(board.as_ref(), matches)?;
        if finished.stopped_by().is_some() {
            ending = Ending::Undecided;
        }
        let written = match form {
            AnswerForm::Json => {
                finished.write_json(stats, &mut out)?;
                Some("\n".to_owned())
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

fn read_input(file: Option<&PathBuf>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    match file {
        Some(path) if path.as_os_str() != "-" => {
            File::open(path).and_then(|mut file| file.read_to_end(&mut body)).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })?;
        }
        _ => {
            io::stdin().lock().read_to_end(&mut body)?;
        }
    }
    Ok(body)
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
    let mut options = OptionValues::defaults(endpoint.options());
    for spec in endpoint.options() {
        let Some(text) = matches.get_one::<String>(spec.name) else { continue };
        if is_json {
            return Err(Problem::new(
                Code::InvalidQuery,
                format!("beside a JSON input, `{}` is a field of the input", spec.name),
            ));
        }
        options.set(spec.name, text).map_err(|detail| Problem::new(Code::InvalidQuery, detail))?;
    }
    if is_json {
        return Ok(vec![TextCase { line: 1, board: endpoint.read_json(body)? }]);
    }
    if form == AnswerForm::Text {
        options = options.for_text_answer();
    }
    let cases = endpoint.read_text(body, &options)?;
    check_case_count(form, &cases)?;
    Ok(cases)
}

fn solve_case(case: &dyn Case, matches: &ArgMatches) -> io::Result<(Arc<dyn Finished>, Stats)> {
    let limit_ms = *matches.get_one::<u64>("time-limit-ms").expect("it has a default");
    let memory_mb = *matches.get_one::<u32>("solve-memory-mb").expect("it has a default");
    let started = Instant::now();
    let limit = Some(Duration::from_millis(limit_ms));
    let mut budget = Budget::new(limit, CancelFlag::new(), (memory_mb as usize) << 20);
    let finished = case.solve(&mut budget).map_err(|violation| {
        io::Error::other(format!("a bug: an answer failed its verification: {violation}"))
    })?;
    let stats = Stats {
        time_ms: started.elapsed().as_secs_f64() * 1e3,
        nodes: budget.nodes(),
        time_limit_ms: limit_ms,
    };
    Ok((finished, stats))
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
