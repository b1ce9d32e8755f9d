// The service's public API, as any other caller would use it. Addresses are
// relative to the page's own, so that a path prefix in front of it is kept.

const address = (path) => new URL(path, document.baseURI);

function solveAddress(name, timeLimitMs) {
  const url = address(name);
  if (timeLimitMs) url.searchParams.set("time_limit_ms", timeLimitMs);
  return url;
}

/** The OpenAPI document. */
export async function openApi() {
  const response = await fetch(address("openapi.json"));
  if (!response.ok) throw new Error(`openapi.json: HTTP ${response.status}`);
  return response.json();
}

/** A fault that the service named (RFC 9457), or that kept us from reaching it. */
export class Problem extends Error {
  constructor(body, retryAfter) {
    super(body.detail ?? body.title);
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends a body to a puzzle and returns the answer with the headers that tell of
 * it. Throws a Problem, or the AbortError of `signal`; aborting hangs up, and
 * that cancels the solve.
 */
export async function post(name, { body, type, timeLimitMs, key, signal }) {
  const headers = { "Content-Type": type, Accept: "application/json" };
  if (key) headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(solveAddress(name, timeLimitMs), { method: "POST", headers, body, signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem({
      title: "The service can’t be reached",
      detail: "The service can’t be reached. Is it still running?",
    });
  }
  const text = await response.text();
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = { title: `HTTP ${response.status}`, detail: text.slice(0, 500) || `HTTP ${response.status}` };
  }
  if (!response.ok) throw new Problem(parsed, response.headers.get("Retry-After"));
  const queued = /queue;dur=([\d.]+)/.exec(response.headers.get("Server-Timing") ?? "")?.[1];
  return {
    answer: parsed,
    queuedMs: queued === undefined ? undefined : Number(queued),
    fromCache: /;\s*hit/.test(response.headers.get("Cache-Status") ?? ""),
  };
}

/** The same request as a command for a shell. */
export function curl(name, { request, timeLimitMs, key }) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [`curl -sS ${quoted(solveAddress(name, timeLimitMs).href)}`];
  // The key itself stays out of what is copied and pasted around.
  if (key) parts.push(`-H "Authorization: Bearer $BOARDSOLVE_KEY"`);
  parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(request))}`);
  return parts.join(" \\\n  ");
}
