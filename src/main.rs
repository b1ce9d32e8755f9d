//! The process edge: the command line, the runtime, exit codes.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use boardsolve::commands::{healthcheck, serve, solve};
use boardsolve::config::{self, Config};
use boardsolve::http::openapi;
use boardsolve::puzzles;
use boardsolve::telemetry::Telemetry;
use clap::{ArgMatches, Command};

/// How long the runtime may take to end once everything was answered.
const RUNTIME_END: Duration = Duration::from_secs(1);

/// Exit code of a failure that is not the input's fault.
const FAILURE: u8 = 1;

/// Exit code of bad options.
const BAD_OPTIONS: u8 = 2;

fn main() -> ExitCode {
    let matches = command().get_matches();
    let result = match matches.subcommand() {
        Some(("solve", matches)) => solve::run(matches).map(|ending| ending.code().into()),
        Some(("openapi", _)) => io::stdout()
            .write_all(openapi::json(puzzles::ALL).as_bytes())
            .map(|()| ExitCode::SUCCESS),
        Some(("healthcheck", matches)) => with_config(matches, |config| {
            healthcheck::run(config.listen).map(|()| ExitCode::SUCCESS)
        }),
        Some(("serve", matches)) => with_config(matches, serve),
        _ => with_config(&matches, serve),
    };
    result.unwrap_or_else(|error| {
        if error.kind() != io::ErrorKind::BrokenPipe {
            report(&error.to_string());
        }
        FAILURE.into()
    })
}

fn command() -> Command {
    Command::new("boardsolve")
        .version(env!("CARGO_PKG_VERSION"))
        .about("An HTTP service that solves five board puzzles")
        .after_help("Without a subcommand, `serve` runs with its defaults and variables.")
        .args_conflicts_with_subcommands(true)
        .args(config::arguments())
        .subcommand(
            Command::new("serve").about("Runs the service (the default)").args(config::arguments()),
        )
        .subcommand(solve::command())
        .subcommand(Command::new("openapi").about("Prints the OpenAPI document"))
        .subcommand(
            Command::new("healthcheck")
                .about("Asks the service on this machine whether it is alive; exits 0 or 1")
                .args(config::arguments()),
        )
}

fn with_config(
    matches: &ArgMatches,
    run: impl FnOnce(Config) -> io::Result<ExitCode>,
) -> io::Result<ExitCode> {
    match Config::from_matches(matches) {
        Ok(config) => run(config),
        Err(faults) => {
            report(&faults.to_string());
            Ok(BAD_OPTIONS.into())
        }
    }
}

fn serve(config: Config) -> io::Result<ExitCode> {
    let telemetry = Telemetry::start(config.log_format, config.otlp_endpoint.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("boardsolve")
        .build()?;
    let served = runtime.block_on(serve::run(config));
    runtime.shutdown_timeout(RUNTIME_END);
    telemetry.finish();
    served.map(|()| ExitCode::SUCCESS)
}

/// Says what is wrong on standard error.
fn report(message: &str) {
    for line in message.lines() {
        let _ = writeln!(io::stderr(), "boardsolve: {line}");
    }
}
