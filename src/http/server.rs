//! The accept loop: hyper's HTTP/1.1 connections under our own limits.
//!
//! `axum::serve` sets no timer, so that a silent connection or half a header
//! stays open for ever; here every connection has a header and keep-alive
//! timeout, a write timeout, and a place under the connection cap. A connection
//! over the cap is told so and closed.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::task::TaskTracker;
use tower::{Service as TowerService, ServiceExt};

use crate::http::access::PeerAddress;
use crate::http::problem::{Code, Problem};
use crate::http::request_id::RequestId;
use crate::http::service::Service;
use crate::http::socket::{Caller, Socket};

/// The limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// How long a header may take, a kept connection may idle, and a write may stall.
    pub idle: Duration,
    /// How many connections may be open.
    pub connections: usize,
}

/// How long a refused connection gets to take its refusal.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// How many refusals may be under way; connections beyond them are just closed.
const REFUSALS: usize = 64;

/// Serves `router` on `listener` until the drain begins; then returns while the
/// connections in `tracker` finish what they are at.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    service: Arc<Service>,
    limits: ConnectionLimits,
    tracker: TaskTracker,
) {
    let open = Arc::new(Semaphore::new(limits.connections));
    let refusals = Arc::new(Semaphore::new(REFUSALS));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    back_off(&error).await;
                    continue;
                }
            },
            () = service.drain_started() => return,
        };
        if let Ok(permit) = Arc::clone(&open).try_acquire_owned() {
            let counted = service.metrics().connection_opened();
            let socket = Socket::new(stream);
            let router = with_peer(router.clone(), PeerAddress(peer.ip()), socket.caller());
            let drain = Arc::clone(&service);
            let drain = async move { drain.drain_started().await };
            let connection = connection(socket, router, drain, limits.idle);
            tracker.spawn(async move {
                connection.await;
                drop((permit, counted));
            });
        } else if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
            service.metrics().rejected(Code::Overloaded);
            tracker.spawn(async move {
                let _ = tokio::time::timeout(REFUSAL_TIME, refuse(stream)).await;
                drop(permit);
            });
        }
    }
}

/// Serves `router` on `listener` for as long as the process lives, under the
/// same limits; its connections are not waited for.
pub async fn serve_until_exit(listener: TcpListener, router: Router, limits: ConnectionLimits) {
    let open = Arc::new(Semaphore::new(limits.connections));
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let Ok(permit) = Arc::clone(&open).try_acquire_owned() else { continue };
                let socket = Socket::new(stream);
                let router = with_peer(router.clone(), PeerAddress(peer.ip()), socket.caller());
                let connection = connection(socket, router, std::future::pending(), limits.idle);
                tokio::spawn(async move {
                    connection.await;
                    drop(permit);
                });
            }
            Err(error) => back_off(&error).await,
        }
    }
}

/// The router for one connection, whose requests all come from `peer`.
fn with_peer(
    router: Router,
    peer: PeerAddress,
    caller: Caller,
) -> impl TowerService<Request<Incoming>, Response = Response, Error = Infallible, Future: Send> + Clone
{
    router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(caller.clone());
        request
    })
}

/// Serves one connection.
async fn connection<R>(socket: Socket, router: R, drain: impl Future<Output = ()>, idle: Duration)
where
    R: TowerService<Request<Incoming>, Response = Response, Error = Infallible> + Clone,
    R::Future: Send,
{
    let mut stream = TimeoutStream::new(socket);
    stream.set_write_timeout(Some(idle));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(idle)
        .keep_alive(true)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = drain => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Tells a connection over the cap so, and closes it.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    let problem = Problem::new(Code::Overloaded, "Too many connections are open.");
    let request_id = RequestId::fresh();
    let body = problem.line(request_id.as_str());
    let head = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
         Content-Length: {}\r\nRetry-After: 1\r\nX-Request-Id: {}\r\nConnection: close\r\n\r\n",
        body.len(),
        request_id.as_str()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    stream.shutdown().await?;
    // Closing with unread bytes would reset the connection before the refusal is read.
    let mut rest = [0; 4096];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Waits out a failed accept: without descriptors, say, an immediate retry would only spin.
async fn back_off(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        return;
    }
    tracing::warn!(%error, "a connection could not be accepted");
    tokio::time::sleep(Duration::from_millis(50)).await;
}
