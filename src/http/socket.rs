//! A connection's socket, shared between the HTTP machinery and whoever has to
//! know whether the caller is still there.
//!
//! hyper notices a hang-up only while it reads, and it does not read a body for
//! which nobody asks. A bulk body is left unread for as long as its items take,
//! so its handler watches the socket itself: the kernel tells that the other side
//! has closed even while unread bytes lie before the end.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rustix::net::{Shutdown, shutdown};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

/// A socket to read from and write to.
#[derive(Debug)]
pub struct Socket(Arc<TcpStream>);

/// The other end of a connection; the accept loop puts it into each request's
/// extensions.
#[derive(Clone, Debug)]
pub struct Caller(Arc<TcpStream>);

impl Socket {
    /// The socket of a connection.
    pub fn new(stream: TcpStream) -> Self {
        // Answers are written whole: waiting to fill packets only delays them.
        let _ = stream.set_nodelay(true);
        Self(Arc::new(stream))
    }

    /// A handle that tells when the other side hangs up.
    pub fn caller(&self) -> Caller {
        Caller(Arc::clone(&self.0))
    }
}

impl Caller {
    /// Completes once the caller has closed the connection, or its side of it.
    pub async fn gone(&self) {
        // Urgent data is nothing that was asked for, so that only the end of reading wakes this.
        let _ = self.0.ready(Interest::PRIORITY).await;
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(context))?;
            let (before, room) = (buffer.filled().len(), buffer.remaining());
            // A read that leaves room has taken all there was: epoll tells of what comes after.
            // So the socket counts as not ready, as tokio's own stream does it, and hyper's next
            // look for a hang-up costs no call of the system.
            let read = self.0.try_io(Interest::READABLE, || match self.0.try_read_buf(buffer)? {
                length if 0 < length && length < room => Err(io::ErrorKind::WouldBlock.into()),
                _ => Ok(()),
            });
            match read {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if buffer.filled().len() > before {
                        return Poll::Ready(Ok(()));
                    }
                }
                result => return Poll::Ready(result),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.when_writable(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.when_writable(context, |stream| stream.try_write_vectored(slices))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(match shutdown(&*self.0, Shutdown::Write) {
            // The other side closed first.
            Err(rustix::io::Errno::NOTCONN) => Ok(()),
            result => result.map_err(io::Error::from),
        })
    }
}

impl Socket {
    fn when_writable(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match write(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result),
            }
        }
    }
}
