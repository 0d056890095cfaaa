import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { amounts, isComing } from "../../Sources/WebApp/Resources/www/pages/recognizers/offers.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/server/voices.js").DownloadState} DownloadState */

/**
 * @param {Partial<DownloadState>} download
 * @param {number} expectedBytes
 */
const offer = (download, expectedBytes) => ({
  expectedBytes,
  download: /** @type {DownloadState} */ ({ state: "none", bytes: null, total: null, rate: null, secondsLeft: null, failure: null, ...download }),
});

describe("the models that are missing", () => {
  test("are counted as one download, by what is known of each", () => {
    assert.deepEqual(amounts([offer({}, 7), offer({}, 40)]), { all: 47, done: 0 });
    assert.deepEqual(amounts([offer({ state: "downloading", bytes: 4, total: 8 }, 7), offer({}, 40)]), { all: 48, done: 4 });
    assert.deepEqual(amounts([offer({ state: "validating" }, 7), offer({ state: "paused", bytes: 50 }, 40)]), { all: 47, done: 47 });
    assert.deepEqual(amounts([]), { all: 0, done: 0 });
  });

  test("are on their way until they are stopped or have failed", () => {
    const states = /** @type {const} */ (["none", "waiting", "downloading", "extracting", "validating", "paused", "failed"]);
    assert.deepEqual(states.filter((state) => isComing(offer({ state }, 1))), ["waiting", "downloading", "extracting", "validating"]);
  });
});
