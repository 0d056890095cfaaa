import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { attachmentIn, checkDownload, prepareMade, stopExport } from "../../Sources/WebApp/Resources/www/server/library.js";
import {
  ServerProblem,
  address,
  inTurn,
  request,
  requestJSON,
  watchProblems,
} from "../../Sources/WebApp/Resources/www/server/http.js";
import { json, nothing, stubServer } from "./stub-server.js";

describe("addresses", () => {
  it("leave out what is undefined and repeat lists", () => {
    assert.equal(address("/api/x", { a: 1, b: undefined, c: ["p", "q"], d: false }), "/api/x?a=1&c=p&c=q&d=false");
  });

  it("escape what people write", () => {
    assert.equal(address("/api/x", { words: "ä & b=c" }), "/api/x?words=%C3%A4+%26+b%3Dc");
  });

  it("have no question mark without a query", () => {
    assert.equal(address("/api/x", { a: undefined, b: [] }), "/api/x");
  });
});

describe("requests", () => {
  it("that change something always carry JSON", async (context) => {
    const asked = stubServer(context, nothing);
    await request("/api/x", { method: "DELETE" });
    await request("/api/x", { method: "POST", body: { a: undefined, b: 2 } });
    assert.deepEqual(asked.map((one) => one.body), [{}, { b: 2 }]);
  });

  it("that read carry nothing", async (context) => {
    const asked = stubServer(context, () => json([1]));
    assert.deepEqual(await requestJSON("/api/x"), [1]);
    assert.deepEqual(asked, [{ method: "GET", address: "/api/x", body: null, keepalive: false }]);
  });

  it("stop with their signal and blame no server", async (context) => {
    stubServer(context, nothing);
    const stopped = AbortSignal.abort();
    await assert.rejects(request("/api/x", { signal: stopped }), { name: "AbortError" });
  });
});

describe("changes of a value", () => {
  it("are sent one after another, also after one that fails, and wait for no other value's", async () => {
    /** @type {string[]} */
    const sent = [];
    /** @type {Map<string, { resolve: (value: string) => void, reject: (problem: Error) => void }>} */
    const answers = new Map();
    const change = (/** @type {string} */ value, /** @type {string} */ name) =>
      inTurn(value, () => {
        sent.push(name);
        return new Promise((resolve, reject) => answers.set(name, { resolve, reject }));
      });
    const [first, second, third] = ["1", "2", "3"].map((name) => change("/a", name));
    change("/b", "other");
    assert.deepEqual(sent, ["1", "other"]);
    answers.get("1")?.reject(new Error("refused"));
    await assert.rejects(/** @type {Promise<string>} */ (first), /refused/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(sent, ["1", "other", "2"]);
    answers.get("2")?.resolve("kept");
    assert.equal(await second, "kept");
    await new Promise((resolve) => setImmediate(resolve));
    answers.get("3")?.resolve("kept too");
    assert.equal(await third, "kept too");
    change("/a", "4");
    assert.deepEqual(sent.slice(-2), ["3", "4"], "nothing is under way, so nothing waits");
  });
});

describe("refusals", () => {
  it("carry the server's words, its code and the wait", async (context) => {
    stubServer(context, () =>
      json({ code: "vault.locked-out", message: "Too many.", suggestion: "Wait.", retryAfter: 30 }, 429),
    );
    await assert.rejects(request("/api/unlock", { method: "POST" }), (problem) => {
      assert(problem instanceof ServerProblem);
      const { code, message, suggestion, retryAfter, status } = problem;
      assert.deepEqual(
        { code, message, suggestion, retryAfter, status },
        { code: "vault.locked-out", message: "Too many.", suggestion: "Wait.", retryAfter: 30, status: 429 },
      );
      return true;
    });
  });

  it("without JSON are known by their status", async (context) => {
    stubServer(context, () => new Response("Bad Gateway", { status: 502 }));
    await assert.rejects(request("/api/x"), { code: "http.502", suggestion: null, retryAfter: null });
  });

  it("take the wait from the header where the body has none", async (context) => {
    stubServer(context, () => json({ code: "busy", message: "Busy." }, 429, { "Retry-After": "7" }));
    await assert.rejects(request("/api/x"), { code: "busy", retryAfter: 7 });
  });

  it("are reported when the server is silent", async (context) => {
    context.mock.method(globalThis, "fetch", async () => {
      throw new TypeError("Failed to fetch");
    });
    await assert.rejects(request("/api/x"), { code: "server.unreachable", status: 0 });
  });

  it("reach their watchers until these leave", async (context) => {
    stubServer(context, () => json({ code: "vault.locked", message: "Locked." }, 423));
    /** @type {number[]} */
    const seen = [];
    const leave = watchProblems((problem) => seen.push(problem.status));
    await assert.rejects(request("/api/x"));
    leave();
    await assert.rejects(request("/api/x"));
    assert.deepEqual(seen, [423]);
  });
});

describe("attachments", () => {
  /** @param {string} disposition */
  const nameIn = async (disposition) =>
    (await attachmentIn(new Response("x", { headers: { "Content-Disposition": disposition } }), "stand-in.wav")).name;

  it("prefer the name in full Unicode", async () => {
    assert.equal(await nameIn("attachment; filename=\"o.wav\"; filename*=UTF-8''%C3%B6%20%C3%B6.wav"), "ö ö.wav");
  });

  it("fall back to the plain name, then to the stand-in", async () => {
    assert.equal(await nameIn("attachment; filename=\"o.wav\"; filename*=UTF-8''%C3%.wav"), "o.wav");
    assert.equal(await nameIn("attachment"), "stand-in.wav");
  });
});

describe("a download", () => {
  it("of a file that has to be made is ordered, so that it is made once", async (context) => {
    const asked = stubServer(context, () => json({ id: "order" }));
    assert.equal(await prepareMade("a", { format: "m4b" }), "order");
    assert.equal(await prepareMade("a", { format: "chapters", sound: "flac" }), "order");
    const bodies = asked.map(({ method, address, body }) => [method, address, body]);
    assert.deepEqual(bodies, [
      ["POST", "/api/exports", { ids: ["a"], format: "m4b", joined: {} }],
      ["POST", "/api/exports", { ids: ["a"], format: "chapters", sound: "flac", joined: {} }],
    ]);
  });

  it("of what is there already is not ordered", async (context) => {
    const asked = stubServer(context, nothing);
    for (const format of /** @type {const} */ (["wav", "txt", "srt", "json"])) assert.equal(await prepareMade("a", { format }), null);
    assert.deepEqual(asked, []);
  });

  it("that was ordered can be stopped", async (context) => {
    const asked = stubServer(context, nothing);
    await stopExport("a/b");
    assert.deepEqual(asked.map(({ method, address }) => [method, address]), [["DELETE", "/api/exports/a%2Fb"]]);
  });

  it("that breaks off at once is reported by itself, not by the check before it", async (context) => {
    const body = new ReadableStream({ start: (pieces) => pieces.error(new TypeError("network error")) });
    context.mock.method(globalThis, "fetch", async () => new Response(body));
    await checkDownload("/api/library/a/export?format=chapters");
  });
});
