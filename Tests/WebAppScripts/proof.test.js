import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { loadState, request, trust } from "../../Sources/WebApp/Resources/www/server/http.js";
import { assure } from "../../Sources/WebApp/Resources/www/server/send-file.js";
import { json, nothing, stubServer } from "./stub-server.js";

const key = "00ff".repeat(16);

/** @param {string} address @param {string} [own] The key of who answers. */
function proofFor(address, own = key) {
  const challenge = new URL(address, "http://localhost").searchParams.get("of") ?? "";
  return json({ proof: createHmac("sha256", Buffer.from(own, "hex")).update(challenge).digest("hex") });
}

/** @param {{ address: string }} asked */
const isProof = ({ address }) => address.startsWith("/api/proof?of=");

describe("a page whose server was silent", () => {
  it("asks for no proof before it knows of any", async (context) => {
    const asked = stubServer(context, nothing);
    trust.isDoubted = true;
    await request("/api/x");
    assert.deepEqual(asked.map((one) => one.address), ["/api/x"]);
    trust.proofKey = key;
  });

  it("sends nothing to somebody else", async (context) => {
    for (const answer of [
      (/** @type {string} */ address) => proofFor(address, "11".repeat(32)),
      () => json({ proof: "" }),
      () => json({}),
      () => json({ code: "web.wrong-address" }, 421),
      () => new Response("<h1>Passcode</h1>"),
    ]) {
      const asked = stubServer(context, ({ address }) => answer(address));
      trust.isDoubted = true;
      const refusal = request("/api/unlock", { method: "POST", body: { passcode: "2580" } });
      await assert.rejects(refusal, { code: "server.unreachable" });
      assert.deepEqual(asked.map(isProof), [true]);
      context.mock.reset();
    }
  });

  it("continues with the server it came from, after one proof", async (context) => {
    const asked = stubServer(context, (one) => (isProof(one) ? proofFor(one.address) : nothing()));
    trust.isDoubted = true;
    await request("/api/x");
    await request("/api/y");
    assert.deepEqual(asked.map((one) => isProof(one) || one.address), [true, "/api/x", "/api/y"]);
    trust.isDoubted = true;
    await assure();
    assert.notEqual(asked[0].address, asked[3].address, "each challenge is another one");
  });

  it("believes what is said of the library only after a proof", async (context) => {
    const asked = stubServer(context, (one) => (isProof(one) ? proofFor(one.address) : json({ vault: { state: "locked" } })));
    trust.isDoubted = false;
    await loadState();
    assert.deepEqual(asked.map((one) => isProof(one) || one.address), [true, "/api/state"]);
    const thief = stubServer(context, (one) =>
      isProof(one) ? json({ proof: "00" }) : json({ vault: { state: "unlocked" } }),
    );
    await assert.rejects(loadState(), { code: "server.unreachable" });
    assert.deepEqual(thief.map(isProof), [true]);
  });

  it("doubts after a silence", async (context) => {
    context.mock.method(globalThis, "fetch", async () => {
      throw new TypeError("Failed to fetch");
    });
    await assert.rejects(request("/api/x"), { code: "server.unreachable" });
    context.mock.reset();
    const asked = stubServer(context, (one) => (isProof(one) ? proofFor(one.address) : nothing()));
    await request("/api/x");
    assert.deepEqual(asked.map(isProof), [true, false]);
  });
});
