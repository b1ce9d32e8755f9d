// A service that asks for a key: the page and its files stay open, solves need it.

import assert from "node:assert/strict";
import { harness } from "./harness.js";
import { shown, solve, unfold } from "./playground.js";

const check = harness("--api-keys", "a-key-of-the-tests");

check(
  "the key is asked for, sent, and kept out of the command",
  { at: "/#linkgame", mayRefuse: true },
  async (page) => {
    await shown(page);
    await solve(page);
    assert.equal(await page.locator(".verdict .code-name").innerText(), "unauthorized");
    const key = page.getByLabel("API key");
    assert.equal(await key.getAttribute("aria-invalid"), "true");
    await key.fill("a-key-of-the-tests");
    assert.equal(await solve(page), "Solved");
    await unfold(page, "The same with curl");
    const command = await page.locator("#curl").textContent();
    assert.match(command, /Authorization: Bearer \$BOARDSOLVE_KEY/);
    assert.doesNotMatch(command, /a-key-of-the-tests/);
  },
);
