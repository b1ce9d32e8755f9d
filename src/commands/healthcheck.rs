//! `boardsolve healthcheck`: asks the service on this machine whether it is
//! alive, so that a container without shell or curl can have a HEALTHCHECK.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(2);

/// Asks `/livez` on the address that the service listens on.
///
/// # Errors
/// When nothing answers there in two seconds, or with anything but 200.
pub fn run(listen: SocketAddr) -> io::Result<()> {
    let address = SocketAddr::new(reachable(listen.ip()), listen.port());
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /livez HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut status_line = [0; 12];
    stream.read_exact(&mut status_line)?;
    if &status_line == b"HTTP/1.1 200" {
        return Ok(());
    }
    Err(io::Error::other(format!("/livez answered `{}`", String::from_utf8_lossy(&status_line))))
}

/// A service that listens on every address is reached on the loopback one.
const fn reachable(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        other => other,
    }
}
