import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  importDocument,
  loadPicture,
  originalAddress,
  thumbnailAddress,
} from "../../Sources/WebApp/Resources/www/server/documents.js";
import { assure } from "../../Sources/WebApp/Resources/www/server/send-file.js";

/** A fake upload request, which the test answers. */
class HandRequest {
  status = 0;
  responseText = "";
  /** @type {Record<string, string>} */
  headers = {};
  upload = { onprogress: (/** @type {{ loaded: number, total: number }} */ _) => {} };
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  /** @type {unknown} */
  sent = null;

  /**
   * @param {string} method
   * @param {string} address
   */
  open(method, address) {
    this.asked = `${method} ${address}`;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setRequestHeader(name, value) {
    this.headers[name] = value;
  }

  getResponseHeader() {
    return null;
  }

  /** @param {unknown} body */
  send(body) {
    this.sent = body;
  }

  abort() {
    this.onabort();
  }

  /**
   * @param {number} status
   * @param {string} text
   */
  answer(status, text) {
    this.status = status;
    this.responseText = text;
    this.onload();
  }
}

const file = /** @type {File} */ (/** @type {unknown} */ ({ name: "Öö & päev.pdf" }));

/** @param {import("../../Sources/WebApp/Resources/www/server/documents.js").ImportOptions} [options] */
function begin(options) {
  const request = new HandRequest();
  const done = importDocument(file, options, () => /** @type {XMLHttpRequest} */ (/** @type {unknown} */ (request)));
  return { request, done };
}

describe("a file that is imported", () => {
  test("is sent as it is, under its name", async () => {
    const { request, done } = begin();
    assert.equal(request.asked, "POST /api/documents?name=%C3%96%C3%B6+%26+p%C3%A4ev.pdf");
    assert.deepEqual(request.headers, { "Content-Type": "application/octet-stream" });
    await assure(); // a file goes only to the server that the page came from
    assert.equal(request.sent, file);
    request.answer(201, '{"document":{"id":"d"},"notices":[],"isReused":false}');
    assert.equal((await done).document.id, "d");
  });

  test("has its password in a header, and may be kept twice", () => {
    const { request } = begin({ password: "õun 1", keepTwin: true });
    assert.equal(request.headers["X-Document-Password"], "%C3%B5un%201");
    assert.ok(request.asked?.endsWith("&twin=keep"));
  });

  test("reports how much of it has been sent", () => {
    /** @type {number[]} */
    const reported = [];
    const { request } = begin({ progressed: (part) => reported.push(part) });
    request.upload.onprogress({ loaded: 50, total: 200 });
    request.upload.onprogress({ loaded: 200, total: 200 });
    assert.deepEqual(reported, [0.25, 1]);
  });

  test("that is refused says why", async () => {
    const { request, done } = begin();
    request.answer(422, '{"code":"document.damaged","message":"This PDF file is damaged.","suggestion":"Get it again."}');
    await assert.rejects(done, { code: "document.damaged", status: 422, suggestion: "Get it again." });
  });

  test("that is answered by something else has the status alone", async () => {
    const { request, done } = begin();
    request.answer(502, "<html>");
    await assert.rejects(done, { code: "http.502", status: 502 });
  });

  test("that nobody answers says so", async () => {
    const { request, done } = begin();
    request.onerror();
    await assert.rejects(done, { code: "server.unreachable", status: 0 });
  });

  test("ends when it is no longer wanted", async () => {
    const life = new AbortController();
    const { done } = begin({ signal: life.signal });
    life.abort(new Error("dropped"));
    await assert.rejects(done, { message: "dropped" });
  });
});

describe("what stands at an address", () => {
  test("is named by the document", () => {
    assert.equal(thumbnailAddress("a/b"), "/api/documents/a%2Fb/thumbnail");
    assert.equal(originalAddress("d"), "/api/documents/d/original");
  });

  test("a page's picture is asked for with the password, when there is one", async (context) => {
    /** @type {[string, Record<string, string>][]} */
    const asked = [];
    context.mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {any} */ { headers }) => {
      asked.push([address, headers]);
      return new Response(new Blob(["picture"]));
    });
    const { signal } = new AbortController();
    const wanted = { page: 3, width: 800 };
    await loadPicture("d", { ...wanted, password: null }, signal);
    assert.equal(await (await loadPicture("d", { ...wanted, password: "ä" }, signal)).text(), "picture");
    assert.deepEqual(asked.map(([address]) => address), Array(2).fill("/api/documents/d/picture?page=3&width=800"));
    assert.deepEqual(asked.map(([, headers]) => headers["X-Document-Password"]), [undefined, "%C3%A4"]);
  });
});
