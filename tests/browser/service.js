// The built binary on a port of its own, for the tests of one file.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve as absolute } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const binary = absolute(
  process.env.BOARDSOLVE_BINARY ?? fileURLToPath(new URL("target/debug/boardsolve", root)),
);

/** Starts the service; `{ url, stop(), info() }`. */
export async function startService(...options) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("BOARDSOLVE_")),
  );
  const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--log-format", "json", ...options], {
    cwd: fileURLToPath(root),
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const address = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${binary} ended with ${code} before it served`)));
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      const { fields } = JSON.parse(line);
      if (fields?.message === "boardsolve serves") resolve(fields.address);
    });
  });
  const url = `http://${address}`;
  return {
    url,
    /** One metric's value, summed over its labels. */
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const values = text.split("\n").filter((line) => line.startsWith(name) && !line.startsWith("#"));
      return values.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
