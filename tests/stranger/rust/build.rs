//! Generates the client: openapi-to-rust reads the document that the service serves and
//! writes Rust of it, which `src/main.rs` then uses.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use openapi_to_rust::config::BuildersSection;
use openapi_to_rust::{CodeGenerator, GeneratorConfig, SchemaAnalyzer};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=BOARDSOLVE_OPENAPI");
    let document = PathBuf::from(env::var("BOARDSOLVE_OPENAPI")?);
    println!("cargo::rerun-if-changed={}", document.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut analysis =
        SchemaAnalyzer::new(serde_json::from_slice(&fs::read(document)?)?)?.analyze()?;
    let generator = CodeGenerator::new(GeneratorConfig {
        // Not OUT_DIR: a generated file that has modules of its own can't be included from there.
        output_dir: PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("src/generated"),
        // Without them a new parameter would change the arguments of every call.
        builders: BuildersSection { enabled: true, threshold: 0 },
        enable_sse_client: false,
        tracing_enabled: false,
        ..GeneratorConfig::default()
    });
    let generated = generator.generate_all(&mut analysis)?;
    Ok(generator.write_files(&generated)?)
}
