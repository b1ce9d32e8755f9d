# The image: one binary on a base without a shell or a package manager.
#
#   docker build --build-arg BOARDSOLVE_COMMIT="$(git rev-parse HEAD)" -t boardsolve .
#   docker run --rm --read-only -p 127.0.0.1:8080:8080 boardsolve

# The tag's version is the one of rust-toolchain.toml, and its Debian the one of the final stage.
FROM rust:1.95.0-slim-bookworm AS build
WORKDIR /build

# The dependencies, in a layer of their own that only a changed manifest or lock file builds anew.
COPY Cargo.toml Cargo.lock ./
RUN mkdir src \
    && echo 'fn main() {}' > src/main.rs \
    && touch src/lib.rs \
    && cargo build --release --locked \
    && rm -r src

COPY playground ./playground
COPY src ./src
ARG BOARDSOLVE_COMMIT=unknown
# The copied files keep their dates, which may be older than the empty ones that were just built.
RUN touch src/main.rs src/lib.rs \
    && BOARDSOLVE_COMMIT="$BOARDSOLVE_COMMIT" cargo build --release --locked \
    && target/release/boardsolve --version

FROM gcr.io/distroless/cc-debian12:nonroot
ARG BOARDSOLVE_COMMIT=unknown
LABEL org.opencontainers.image.title="boardsolve" \
      org.opencontainers.image.description="An HTTP service that solves five board puzzles" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0" \
      org.opencontainers.image.revision="$BOARDSOLVE_COMMIT"
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/boardsolve/
COPY --from=build /build/target/release/boardsolve /usr/bin/boardsolve
ENV BOARDSOLVE_LISTEN=0.0.0.0:8080
# The C library's allocator: what solves free goes back to the system, see ARCHITECTURE.md.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=1048576
EXPOSE 8080
# nonroot, as a number: an orchestrator that forbids root can see that it is not.
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
    CMD ["/usr/bin/boardsolve", "healthcheck"]
ENTRYPOINT ["/usr/bin/boardsolve"]
