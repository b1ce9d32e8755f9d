// Where boards come from and go to: links, random boards, texts, curl.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { harness } from "./harness.js";
import { PUZZLES, button, cell, example, request, shown, solve, unfold } from "./playground.js";

const check = harness();

const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

// ---- Links ----

for (const name of PUZZLES) {
  check(`a copied link opens the same ${name} board`, { at: `/#${name}` }, async (page, _, open) => {
    await shown(page);
    await button(page, "Random").click();
    const sent = await request(page);
    await button(page, "Copy link").click();
    await page.getByText("The link is copied.").waitFor();
    const link = new URL(await clipboard(page));
    const other = await open(link.pathname + link.hash);
    await shown(other);
    assert.deepEqual(await request(other), sent);
    assert.deepEqual(other.faults, []);
    await other.context().close();
  });
}

check("back and forward go through the boards", { at: "/#linkgame" }, async (page) => {
  await shown(page);
  const title = page.locator("#puzzle-title");
  const first = await request(page);
  await example(page, "Locked: no move at all");
  await page.waitForURL(/#linkgame\/./);
  await page.getByRole("link", { name: "Mayan" }).click();
  await page.locator("#puzzle-title", { hasText: "Mayan" }).waitFor();
  await page.goBack();
  await page.locator("#puzzle-title", { hasText: "Lianliankan" }).waitFor();
  assert.deepEqual(await request(page), { board: ["AB", "BA"] });
  await page.goBack();
  await cell(page, 5, 7).waitFor();
  assert.deepEqual(await request(page), first);
  await page.goForward();
  await page.goForward();
  await page.locator("#puzzle-title", { hasText: "Mayan" }).waitFor();
  assert.equal(await title.innerText(), "Mayan");
});

check("the address follows what is drawn", { at: "/#linkgame" }, async (page) => {
  await example(page, "Locked: no move at all");
  await page.waitForURL(/#linkgame\/./);
  const before = page.url();
  await cell(page, 0, 1).click();
  await page.waitForURL((url) => url.href !== before);
  await page.reload();
  await shown(page);
  assert.deepEqual(await request(page), { board: ["AA", "BA"] });
});

for (const [what, hash] of [
  ["names no puzzle", "#chess"],
  ["is cut short", "#linkgame/q1ZKyk8s"],
  ["is no link of ours", "#linkgame/!!"],
]) {
  check(`a link that ${what} says so, and a board is shown`, { at: `/${hash}` }, async (page) => {
    await page.getByText("This link can’t be opened").waitFor();
    await shown(page);
  });
}

// ---- Random boards ----

for (const name of PUZZLES) {
  check(
    `a random ${name} board is the same for the same seed, and is solved`,
    { at: `/#${name}` },
    async (page) => {
      await shown(page);
      await unfold(page, "Random board");
      const make = async (seed) => {
        await page.getByLabel("Seed").fill(seed);
        await button(page, "Make this board").click();
        return request(page);
      };
      const one = await make("one");
      assert.notDeepEqual(await make("two"), one);
      assert.deepEqual(await make("one"), one);
      const headline = await solve(page);
      assert.match(
        headline,
        name === "linkgame" ? /^(Solved|No solution)$/ : /^(Solved|The (first|second) player wins)$/,
      );
    },
  );

  check(`random ${name} boards of every size are legal`, { at: `/#${name}` }, async (page, service) => {
    await shown(page);
    const made = await page.evaluate(async (puzzleName) => {
      const { puzzles } = await import("./playground/puzzles.js");
      const { generator } = await import("./playground/random.js");
      const { random } = puzzles.find((puzzle) => puzzle.name === puzzleName);
      const value = (field, bound) =>
        field.kind === "boolean" ? bound === "max" : Math.min(field[bound], 40);
      return ["min", "max", "default"].flatMap((bound) =>
        Array.from({ length: 5 }, (_, seed) =>
          random.make(
            generator(seed),
            Object.fromEntries(
              random.fields.map((field) => [
                field.name,
                field[bound] === undefined
                  ? value(field, bound)
                  : bound === "default"
                    ? field.default
                    : value(field, bound),
              ]),
            ),
          ),
        ),
      );
    }, name);
    for (const body of made) {
      const response = await fetch(`${service.url}/${name}?time_limit_ms=50`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      const isWithoutCell = /no free cell|no cell/.test(answer.detail ?? "");
      assert.ok(response.status === 200 || isWithoutCell, `${JSON.stringify(body)}: ${answer.detail}`);
    }
  });
}

// ---- Texts ----

for (const name of PUZZLES) {
  check(
    `${name} boards go out as text and as JSON and come back`,
    { at: `/#${name}` },
    async (page, service) => {
      await shown(page);
      const sent = await request(page);
      await unfold(page, "Paste or copy a board as text");
      const text = page.locator("#text");
      // A panel that unfolds tells of it a moment later.
      await page.waitForFunction(() => document.getElementById("text").value !== "");
      assert.deepEqual(JSON.parse(await text.inputValue()), sent);
      await button(page, "Show the contest’s text").click();
      const contest = await text.inputValue();
      const response = await fetch(`${service.url}/${name}`, {
        method: "POST",
        headers: { "Content-Type": "text/plain" },
        body: contest,
      });
      assert.equal(response.status, 200, `the service reads the page's text: ${await response.text()}`);
      await button(page, "Random").click();
      assert.notDeepEqual(await request(page), sent);
      await text.fill(contest);
      await button(page, "Load this text").click();
      const back = await request(page);
      // A text always names the start of a circuit.
      assert.deepEqual({ ...back, start: sent.start }, { ...sent, start: sent.start });
      await text.fill(JSON.stringify(sent));
      await button(page, "Load this text").click();
      assert.deepEqual(await request(page), sent);
    },
  );

  check(`the text example of the ${name} API is read`, { at: `/#${name}` }, async (page, service) => {
    await shown(page);
    const document = await (await fetch(`${service.url}/openapi.json`)).json();
    const { example: body } = document.paths[`/${name}`].post.requestBody.content["text/plain"];
    await unfold(page, "Paste or copy a board as text");
    await page.locator("#text").fill(body);
    await button(page, "Load this text").click();
    assert.ok(await page.locator("#text-problem").isHidden());
    await solve(page);
  });
}

check("a text of several cases offers each of them", { at: "/#linkgame" }, async (page) => {
  await shown(page);
  await unfold(page, "Paste or copy a board as text");
  await page.locator("#text").fill("2 2\r\nAB\r\nBA\r\n\r\n1 2\r\nQQ\r\n0 0\r\n");
  await button(page, "Load this text").click();
  assert.deepEqual((await request(page)).board, ["AB", "BA"]);
  await page.getByLabel("Case").selectOption("2 of 2");
  assert.deepEqual((await request(page)).board, ["QQ"]);
});

// ---- The API ----

for (const name of PUZZLES) {
  check(`the curl command of ${name} does what the page does`, { at: `/#${name}` }, async (page) => {
    await shown(page);
    await unfold(page, "The same with curl");
    await button(page, "Copy the command").click();
    await page.getByText("The command is copied.").waitFor();
    const { stdout } = await promisify(execFile)("sh", ["-c", await clipboard(page)]);
    await solve(page);
    await unfold(page, "The answer as JSON");
    const ours = JSON.parse(await page.locator("#json").textContent());
    assert.deepEqual({ ...JSON.parse(stdout), stats: 0 }, { ...ours, stats: 0 });
  });

  check(`every option of ${name} is a field of the page`, { at: `/#${name}` }, async (page, service) => {
    await shown(page);
    const { components, paths } = await (await fetch(`${service.url}/openapi.json`)).json();
    const { $ref } = paths[`/${name}`].post.requestBody.content["application/json"].schema;
    const { properties } = components.schemas[$ref.split("/").at(-1)];
    const drawn = ["board", "boards", "columns", "pairs", "start"];
    const options = Object.keys(properties).filter((property) => !drawn.includes(property));
    const fields = await page
      .locator("#options [id^=option-]:is(input, select)")
      .evaluateAll((nodes) => nodes.map((node) => node.name));
    assert.deepEqual(fields.sort(), options.sort());
    const words = Object.entries(properties).flatMap(([property, schema]) =>
      options.includes(property) && schema.default !== undefined ? [[property, String(schema.default)]] : [],
    );
    for (const [property, fallback] of words) {
      const shownValue = await page
        .locator(`#option-${property}`)
        .evaluate((node) => (node.type === "checkbox" ? String(node.checked) : node.value));
      const sent = (await request(page))[property];
      assert.equal(shownValue, String(sent ?? fallback), `the default of ${property}`);
    }
  });
}
