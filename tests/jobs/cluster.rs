//! A PostgreSQL of a test's own: made, started and ended by it, in a folder of
//! its own, on a port of its own, under a user that is not root.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::files::Folder;
use crate::support::Service;

/// The user that Debian's package makes; root may not run PostgreSQL.
const USER: &str = "postgres";

/// A running PostgreSQL.
#[derive(Debug)]
pub(crate) struct Cluster {
    folder: Folder,
    programs: PathBuf,
    port: u16,
}

impl Cluster {
    /// Makes and starts one.
    pub(crate) fn start() -> Self {
        let folder = Folder::new();
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = port.expect("there is a free port").port();
        let cluster = Self { folder, programs: programs(), port };
        if is_root() {
            let owner = format!("{USER}:");
            run(Command::new("chown").arg(owner).arg(cluster.folder.path()));
        }
        let data = cluster.data();
        run(cluster
            .program("initdb")
            .args(["--auth=trust", "--encoding=UTF8", "--locale=C"])
            .args(["--username=boardsolve", "--pgdata", &data]));
        cluster.control("start");
        cluster
    }

    /// Starts a service whose jobs lie here.
    pub(crate) fn serve(&self, options: &[&str]) -> Service {
        Service::start_with(&[&["--jobs-url", &self.url()], options].concat())
    }

    /// Stops it as a crash would, and starts it again.
    pub(crate) fn crash(&self) {
        self.control("restart");
    }

    /// Runs statements; the rows that they answer with, columns separated by `|`.
    pub(crate) fn query(&self, statements: &str) -> String {
        let output = Command::new(self.programs.join("psql"))
            .args(["--no-psqlrc", "--tuples-only", "--no-align", "--quiet"])
            .args(["-v", "ON_ERROR_STOP=1", "-c", statements, &self.url()])
            .output()
            .expect("psql runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn url(&self) -> String {
        format!("postgres://boardsolve:unused@127.0.0.1:{}/postgres", self.port)
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    /// `pg_ctl start`, `restart` or `stop`; what it ends is ended without a farewell.
    fn control(&self, action: &str) {
        let log = self.folder.path().join("log");
        let sockets = self.folder.path().display();
        let options = format!("-p {} -k {sockets} -h 127.0.0.1 -c max_connections=200", self.port);
        let mut command = self.program("pg_ctl");
        command.args([action, "--wait", "--mode=immediate", "--pgdata", &self.data()]);
        command.arg("--log").arg(log).args(["--options", &options]);
        run(&mut command);
    }

    /// A program of PostgreSQL, to be run by a user that may.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", USER, "--regid", USER, "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.folder.path());
        command
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut command = self.program("pg_ctl");
        command.args(["stop", "--mode=immediate", "--pgdata", &self.data()]);
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Where Debian puts the newest version's programs, unless they are on the path.
fn programs() -> PathBuf {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = debian
        .map(|version| version.path().join("bin"))
        .filter(|folder| folder.join("initdb").is_file())
        .max_by_key(|folder| version_of(folder));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(|folder| folder.join("initdb").is_file());
    newest.or(on_path).expect("PostgreSQL is installed: `./test` does it on Debian")
}

fn version_of(folder: &Path) -> Option<u32> {
    folder.parent()?.file_name()?.to_str()?.parse().ok()
}

fn run(command: &mut Command) {
    // A server that stays must not hold the pipes of the test open.
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?} ends with {status}");
}
