// One service and one browser for all tests of a file, and a page for each test
// that is held to ask no other host and to log no error.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startBrowser } from "./browser.js";
import { startService } from "./service.js";

/**
 * Starts both before the file's tests; returns `check(name, how, body)`, which
 * runs `body(page, service)` on a page opened at `how.at`. Where `how.mayRefuse`
 * is set, the service may refuse requests, which Chromium logs.
 */
export function harness(...options) {
  let service;
  let browser;
  before(async () => {
    service = await startService(...options);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.stop();
    await service?.stop();
  });
  return function check(name, { at = "/", mayRefuse = false, ...how }, body) {
    test(name, { timeout: 60_000 }, async () => {
      const page = await browser.open(service.url + at, how);
      try {
        await body(page, service, (path) => browser.open(service.url + path, how));
        const refusal = /Failed to load resource: the server responded with a status of 4\d\d/;
        const faults = page.faults.filter((fault) => !(mayRefuse && refusal.test(fault)));
        assert.deepEqual(faults, [], "the page is quiet and asks no other host");
      } finally {
        await page.context().close();
      }
    });
  };
}
