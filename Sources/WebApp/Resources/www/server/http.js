/**
 * What a refusal looks like on the wire.
 *
 * @typedef {object} Problem
 * @property {string} code Stable and dotted, “vault.locked”.
 * @property {string} message English; the page has its own words where its catalogue knows the code.
 * @property {string | null} [suggestion]
 * @property {number} [retryAfter] Seconds until another try can succeed.
 */

/**
 * What becomes a query; what is `undefined` is left out, a list is repeated.
 *
 * @typedef {Record<string, string | number | boolean | readonly string[] | undefined>} Query
 */

/**
 * @typedef {object} RequestOptions
 * @property {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} [method] GET when absent.
 * @property {Query} [query]
 * @property {object} [body] Sent as JSON; an empty object when a changing request has none.
 * @property {ArrayBuffer} [bytes] Sent as they are, in the place of `body`.
 * @property {Record<string, string>} [headers] Beside those that every request has.
 * @property {AbortSignal} [signal]
 * @property {boolean} [keepalive] Whether the request outlives the page; its body may then have 64 KiB at most.
 */

/** A refusal by the server, or its silence (code `server.unreachable`, status 0). */
export class ServerProblem extends Error {
  /**
   * @param {Problem} problem
   * @param {number} status The HTTP status; 0 when there was no answer.
   */
  constructor(problem, status) {
    super(problem.message);
    this.name = "ServerProblem";
    this.code = problem.code;
    this.suggestion = problem.suggestion ?? null;
    /** Seconds until another try can succeed, or `null`. */
    this.retryAfter = problem.retryAfter ?? null;
    this.status = status;
  }
}

/** @type {Set<(problem: ServerProblem) => void>} */
const watchers = new Set();

/**
 * Reports every refusal first, so that one place sees that the library was locked (423) or the session has ended (401).
 *
 * @param {(problem: ServerProblem) => void} watcher
 * @returns {() => void} Ends it.
 */
export function watchProblems(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * What is known of who answers. `isDoubted`: the server was silent for a time, so another program may listen in its place;
 * `prove` then runs before anything is sent.
 */
export const trust = { isDoubted: false, proofKey: "", prove: async () => {} };

/** Whether there was no doubt when the page began to be left. */
let wasSure = false;
globalThis.addEventListener?.("beforeunload", () => {
  wasSure = !trust.isDoubted;
  setTimeout(() => (wasSure = false), 2_000);
});

/**
 * @param {string} path Beginning with a slash, its parts already escaped.
 * @param {Query} [query]
 */
export function address(path, query = {}) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) words.append(name, String(one));
  }
  const text = words.toString();
  return text === "" ? path : `${path}?${text}`;
}

/**
 * Asks the server and returns its answer, whose status is below 400.
 *
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<Response>}
 * @throws {ServerProblem} Or the signal's reason when it was aborted.
 */
export async function request(path, { method = "GET", query, body, bytes, headers, signal, keepalive = false } = {}) {
  /** @type {RequestInit} */
  const init = { method, signal: signal ?? null, keepalive, headers: { Accept: "application/json, */*", ...headers } };
  if (method !== "GET") {
    init.headers = { ...init.headers, "Content-Type": bytes ? "application/octet-stream" : "application/json" };
    init.body = bytes ?? JSON.stringify(body ?? {});
  }
  let response;
  try {
    // What outlives the page is sent when there is no time left for a proof.
    if (trust.isDoubted && !(keepalive && wasSure)) await trust.prove();
    response = await fetch(address(path, query), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    trust.isDoubted = true;
    throw report(new ServerProblem({ code: "server.unreachable", message: "EchoText does not answer." }, 0));
  }
  if (!response.ok) throw report(await problemIn(response));
  return response;
}

/**
 * @type {WeakMap<object, string>} By answer, the id of the last event before it.
 */
const lastEvents = new WeakMap();

/** @type {{ event: string | null }} The last event before the first answer, by its id: later ones are yet to be reported. */
export const firstAnswer = { event: null };

/**
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<any>} The answer's JSON; its shape is the caller's to name. See {@link lastEventOf}.
 * @throws {ServerProblem}
 */
export async function requestJSON(path, options) {
  const response = await request(path, options);
  const content = await response.json();
  const event = response.headers.get("Last-Event-ID");
  firstAnswer.event ??= event;
  if (event !== null && typeof content === "object" && content !== null) lastEvents.set(content, event);
  return content;
}

/**
 * @param {object} answer What {@link requestJSON} returned.
 * @returns {string | null} The id of the last event whose change the answer has; `null` when unknown.
 */
export function lastEventOf(answer) {
  return lastEvents.get(answer) ?? null;
}

/**
 * @param {Response} response One with a status of 400 or more.
 */
async function problemIn(response) {
  /** @type {Partial<Problem> | null} */
  let content = null;
  try {
    content = await response.json();
  } catch {
    // Not from EchoText's own code, so it has no words but its status.
  }
  return problemOf(response.status, content, response.headers.get("Retry-After"));
}

/**
 * @param {number} status 400 or more.
 * @param {Partial<Problem> | null} content
 * @param {string | null} retryAfter The header's.
 */
export function problemOf(status, content, retryAfter) {
  const wait = content?.retryAfter ?? Number(retryAfter ?? NaN);
  return new ServerProblem(
    {
      code: content?.code ?? `http.${status}`,
      message: content?.message ?? "",
      suggestion: content?.suggestion ?? null,
      retryAfter: Number.isFinite(wait) ? wait : undefined,
    },
    status,
  );
}

/**
 * Notifies the watchers, and returns the problem to be thrown.
 *
 * @param {ServerProblem} problem
 */
export function report(problem) {
  for (const watcher of watchers) watcher(problem);
  return problem;
}
