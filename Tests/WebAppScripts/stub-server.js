/**
 * A request of a module.
 *
 * @typedef {object} Asked
 * @property {string} method
 * @property {string} address
 * @property {any} body Its JSON, or `null`.
 * @property {boolean} keepalive
 */

/**
 * Replaces the server behind `fetch` during one test.
 *
 * @param {import("node:test").TestContext} context
 * @param {(asked: Asked) => Response} answer
 * @returns {Asked[]} All requests, oldest first.
 */
export function stubServer(context, answer) {
  /** @type {Asked[]} */
  const all = [];
  context.mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {RequestInit} */ init) => {
    init.signal?.throwIfAborted();
    const headers = new Headers(init.headers);
    if (init.method !== "GET" && headers.get("Content-Type") !== "application/json") {
      throw new Error(`${address} was asked to change something without the type that keeps other sites out`);
    }
    const asked = {
      method: init.method ?? "GET",
      address,
      body: typeof init.body === "string" ? JSON.parse(init.body) : null,
      keepalive: init.keepalive ?? false,
    };
    all.push(asked);
    return answer(asked);
  });
  return all;
}

/**
 * @param {unknown} content
 * @param {number} [status]
 * @param {Record<string, string>} [headers]
 */
export function json(content, status = 200, headers = {}) {
  return new Response(JSON.stringify(content), { status, headers: { "Content-Type": "application/json", ...headers } });
}

export function nothing() {
  return new Response(null, { status: 204 });
}
