//! The chunked body of an answer, read as it comes: from a bare connection, for
//! what no whole-body client does.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::TcpStream;

/// A body in chunks; it ends where the chunks do.
pub(crate) struct Chunks {
    stream: BufReader<TcpStream>,
    left: usize,
    has_ended: bool,
}

impl Chunks {
    /// The body that follows on a connection whose head was read.
    pub(crate) const fn new(stream: BufReader<TcpStream>) -> Self {
        Self { stream, left: 0, has_ended: false }
    }
}

impl Read for Chunks {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        if self.left == 0 {
            let mut size = String::new();
            self.stream.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim_end(), 16);
            self.left = size.map_err(|_| ErrorKind::UnexpectedEof)?;
            self.has_ended = self.left == 0;
        }
        let most = self.left.min(buffer.len());
        let length = self.stream.read(&mut buffer[..most])?;
        if length == 0 && most > 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.left -= length;
        if self.left == 0 {
            // The line end after the chunk, or after the last one.
            self.stream.read_line(&mut String::new())?;
        }
        Ok(length)
    }
}
