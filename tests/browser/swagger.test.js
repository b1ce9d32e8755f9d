// Swagger UI: "Try it out" with what it is filled with, for every puzzle.

import assert from "node:assert/strict";
import { harness } from "./harness.js";
import { PUZZLES } from "./playground.js";

const check = harness();

for (const name of PUZZLES) {
  check(`Swagger UI solves its prefilled ${name} example`, { at: "/docs/" }, async (page) => {
    const operation = page.locator(".opblock", { has: page.locator(`[data-path="/${name}"]`) });
    await operation.locator(".opblock-summary-control").click();
    const tryIt = operation.getByRole("button", { name: "Try it out" });
    if (await tryIt.isVisible()) await tryIt.click();
    await operation.getByRole("button", { name: "Execute" }).click();
    const response = operation.locator(".live-responses-table .response").first();
    await response.waitFor();
    assert.equal((await response.locator(".response-col_status").innerText()).trim().split(/\s/)[0], "200");
    assert.match(await response.innerText(), /"status": "solved"/);
  });
}
