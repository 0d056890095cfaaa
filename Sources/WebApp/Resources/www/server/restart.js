import { address } from "./http.js";

/** The status by which a server refuses an address that is not its own. */
const misdirected = 421;

/**
 * Whether EchoText was started again: what answers at the page's address has another one of its own, so the page's
 * server never comes back. Nothing of the page's is sent.
 *
 * @returns {Promise<boolean>} `false` also when nobody answers.
 */
export async function isStartedAgain() {
  try {
    const { status } = await fetch(address("/api/proof", { of: crypto.randomUUID() }), { method: "GET", credentials: "omit" });
    return status === misdirected;
  } catch {
    return false;
  }
}
