import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as catalogue from "../../Sources/WebApp/Resources/www/server/voices.js";
import { json, nothing, stubServer } from "./stub-server.js";

describe("the calls for voices", () => {
  const answer = { voices: [] };

  /** @type {[call: () => Promise<any>, method: string, address: string, body: any, answer: any][]} */
  const calls = [
    [() => catalogue.loadVoiceListings(), "GET", "/api/voices/listings", null, answer],
    [() => catalogue.refreshCatalogue(), "POST", "/api/voices/catalogue/refresh", {}, answer],
    [() => catalogue.startDownload("vits-a"), "POST", "/api/voices/downloads", { entry: "vits-a" }, { entry: "vits-a" }],
    [() => catalogue.stopDownload("a/b"), "POST", "/api/voices/downloads/a%2Fb/cancel", {}, undefined],
    [() => catalogue.discardDownload("vits-a"), "DELETE", "/api/voices/downloads/vits-a", {}, undefined],
    [() => catalogue.chooseVoice("piper/a"), "PUT", "/api/voices/chosen", { voice: "piper/a" }, { id: "default" }],
    [() => catalogue.markFavoriteVoice("piper/a", true), "PUT", "/api/voices/favorites", { voice: "piper/a", isFavorite: true }, undefined],
    [() => catalogue.deleteVoice("piper/en_US-lessac-medium"), "DELETE", "/api/voices/installed/en_US-lessac-medium", {}, undefined],
    [() => catalogue.retryVoice("piper/a"), "POST", "/api/voices/retry", { voice: "piper/a" }, undefined],
    [() => catalogue.dismissLosses(), "POST", "/api/voices/losses/dismiss", {}, undefined],
  ];

  for (const [call, method, address, body, result] of calls) {
    test(`ask ${method} ${address}`, async (context) => {
      const asked = stubServer(context, () => (result === undefined ? nothing() : json(result)));
      assert.deepEqual(await call(), result);
      assert.deepEqual(asked.map((one) => [one.method, one.address, one.body]), [[method, address, body]]);
    });
  }

  test("send a voice's file as it is, under its name", async () => {
    /** @type {any} */
    const request = { upload: {}, headers: {}, status: 201, responseText: '{"id":"piper/x"}' };
    request.open = (/** @type {string} */ method, /** @type {string} */ address) => (request.asked = `${method} ${address}`);
    request.setRequestHeader = (/** @type {string} */ name, /** @type {string} */ value) => (request.headers[name] = value);
    request.send = (/** @type {unknown} */ body) => {
      request.body = body;
      request.upload.onprogress({ loaded: 1, total: 4 });
      request.onload();
    };
    const file = /** @type {File} */ (/** @type {unknown} */ ({ name: "My voice.tar.bz2" }));
    /** @type {number[]} */
    const parts = [];
    const added = await catalogue.addVoiceFile(file, { progressed: (part) => parts.push(part) }, () => request);
    assert.equal(request.asked, "POST /api/voices/uploads?name=My+voice.tar.bz2");
    assert.equal(request.headers["Content-Type"], "application/octet-stream");
    assert.equal(request.body, file);
    assert.deepEqual(parts, [0.25]);
    assert.equal(added.id, "piper/x");
  });
});
