//! The log, and the spans that go to an OpenTelemetry collector when one is named.

use std::io::{self, IsTerminal};

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::prelude::*;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::LogFormat;

/// What has to be flushed before the process ends.
#[derive(Debug)]
pub struct Telemetry(Option<SdkTracerProvider>);

impl Telemetry {
    /// Starts the log on standard error (`RUST_LOG` sets how much), and the
    /// export of spans by OTLP over HTTP to `collector`, such as
    /// `http://127.0.0.1:4318/v1/traces`.
    ///
    /// # Errors
    /// When the exporter can't be made.
    pub fn start(format: LogFormat, collector: Option<&str>) -> io::Result<Self> {
        let provider = collector.map(provider).transpose()?;
        let spans = provider.as_ref().map(|provider| {
            tracing_opentelemetry::layer().with_tracer(provider.tracer("boardsolve"))
        });
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
        let registry = tracing_subscriber::registry().with(filter).with(spans);
        registry.with(lines(format)).init();
        std::panic::set_hook(Box::new(|panic| {
            tracing::error!(%panic, backtrace = %std::backtrace::Backtrace::capture(), "a panic");
        }));
        Ok(Self(provider))
    }

    /// Sends what is not sent yet.
    pub fn finish(self) {
        if let Some(provider) = self.0
            && let Err(error) = provider.shutdown()
        {
            tracing::warn!(%error, "the last spans could not be sent");
        }
    }
}

fn provider(collector: &str) -> io::Result<SdkTracerProvider> {
    let exporter =
        SpanExporter::builder().with_http().with_endpoint(collector).build().map_err(|error| {
            io::Error::other(format!("spans can't be sent to {collector}: {error}"))
        })?;
    Ok(SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(Resource::builder().with_service_name("boardsolve").build())
        .build())
}

/// The log's lines: for people on a terminal, JSON elsewhere.
fn lines<S>(format: LogFormat) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let is_human = match format {
        LogFormat::Human => true,
        LogFormat::Json => false,
        LogFormat::Auto => io::stderr().is_terminal(),
    };
    let layer = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    if is_human { layer.boxed() } else { layer.json().with_span_list(false).boxed() }
}
