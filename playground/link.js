// A board as the fragment of an address: `#linkgame/` and the request, as JSON,
// deflated, in base64url. A fragment is never sent to any server.

const toBase64 = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function through(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A request may unfold to this many bytes; a link that holds more is refused. */
const MAX_BYTES = 1 << 20;

/** The fragment of a board, with its `#`. */
export async function toFragment(name, request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  return `#${name}/${toBase64(await through(bytes, new CompressionStream("deflate-raw")))}`;
}

/**
 * What a fragment names: a puzzle, and a request where it carries one. Throws
 * where it is not one of ours.
 */
export async function fromFragment(fragment) {
  const [, name, packed] = /^#([a-z0-9-]+)(?:\/([\w-]*))?$/.exec(fragment) ?? [];
  if (!name) throw new Error("the link does not name a puzzle");
  if (!packed) return { name };
  const limited = new TransformStream({
    total: 0,
    transform(chunk, controller) {
      this.total += chunk.length;
      if (this.total > MAX_BYTES) controller.error(new Error("the link's board is too large"));
      else controller.enqueue(chunk);
    },
  });
  const stream = new Blob([fromBase64(packed)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(limited);
  return { name, request: JSON.parse(await new Response(stream).text()) };
}
