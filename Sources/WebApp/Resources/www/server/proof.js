import { address, trust } from "./http.js";

trust.prove = async () => {
  if (trust.proofKey === "") return;
  const challenge = crypto.randomUUID();
  const answer = await fetch(address("/api/proof", { of: challenge }), { method: "GET", credentials: "omit" });
  const { proof } = await answer.json();
  const way = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesIn(trust.proofKey), way, false, ["verify"]);
  const isRight = await crypto.subtle.verify(way, key, bytesIn(proof), new TextEncoder().encode(challenge));
  if (!isRight) throw new Error("somebody else answers");
  trust.isDoubted = false;
};

/** @param {string} text In hexadecimal. */
function bytesIn(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/**
 * Verifies, if in doubt, that the server is the one that the page came from. The request carries no session.
 *
 * @throws {Error} When nobody answers, or another server does.
 */
export async function assure() {
  if (trust.isDoubted) await trust.prove();
}
