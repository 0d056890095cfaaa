/** @typedef {Omit<import("./api.js").Problem, "suggestion"> & { suggestion?: string | null }} Problem An error response. */

/**
 * Query parameters; `undefined` ones are omitted, a list becomes repeated parameters.
 *
 * @typedef {Record<string, string | number | boolean | readonly string[] | undefined>} Query
 */

/**
 * @typedef {object} RequestOptions
 * @property {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} [method] Default: GET.
 * @property {Query} [query]
 * @property {object} [body] Sent as JSON; default for a changing request: an empty object.
 * @property {ArrayBuffer} [bytes] Sent unchanged, instead of `body`.
 * @property {Record<string, string>} [headers] Besides those of every request.
 * @property {AbortSignal} [signal]
 * @property {boolean} [keepalive] Whether the request outlives the page; its body is then limited to 64 KiB.
 */

/** An error from the server, or no answer (code `server.unreachable`, status 0). */
export class ServerProblem extends Error {
  /**
   * @param {Problem} problem
   * @param {number} status The HTTP status; 0 without an answer.
   */
  constructor(problem, status) {
    super(problem.message);
    this.name = "ServerProblem";
    this.code = problem.code;
    this.suggestion = problem.suggestion ?? null;
    /** Seconds until a retry can succeed, or `null`. */
    this.retryAfter = problem.retryAfter ?? null;
    this.status = status;
  }
}

/** @type {Set<(problem: ServerProblem) => void>} */
const watchers = new Set();

/**
 * Reports every error first, so that one place notices that the library was locked (423) or the session has ended
 * (401).
 *
 * @param {(problem: ServerProblem) => void} watcher
 * @returns {() => void} Stops watching.
 */
export function watchProblems(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Whether the server is trusted. `isDoubted`: it was silent for a while, so another program may listen in its place;
 * `prove` then runs before anything is sent.
 */
export const trust = { isDoubted: false, proofKey: "", prove: async () => {} };

/** Whether there was no doubt when the page started unloading. */
let wasSure = false;
globalThis.addEventListener?.("beforeunload", () => {
  wasSure = !trust.isDoubted;
  setTimeout(() => (wasSure = false), 2_000);
});

/**
 * @param {string} path Starts with a slash; its parts are already escaped.
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
 * Sends a request and returns the response, whose status is below 400.
 *
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<Response>}
 * @throws {ServerProblem} Or the signal's reason when aborted.
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
    // When a request must outlive the page, there is no time left for a proof.
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

/** @type {Map<string, Promise<unknown>>} The last change of each value, while it is under way. */
const changes = new Map();
const leaving = new Promise((leave) => globalThis.addEventListener?.("pagehide", leave));

/**
 * Sends a change after earlier ones of the same value, so that an older one never replaces a newer one. Those that wait
 * when the page is left are sent at once.
 *
 * @template Answer
 * @param {string} value
 * @param {() => Promise<Answer>} send
 * @returns {Promise<Answer>}
 */
export function inTurn(value, send) {
  const before = changes.get(value);
  const turn = before === undefined ? send() : Promise.race([before, leaving]).then(send, send);
  const end = () => changes.get(value) === turn && changes.delete(value);
  turn.then(end, end);
  changes.set(value, turn);
  return turn;
}

/**
 * @type {WeakMap<object, string>} For each answer, the id of the last event before it.
 */
const lastEvents = new WeakMap();

/**
 * @type {{ event: string | null }} The id of the last event before the first answer: later ones are yet to be reported.
 */
export const firstAnswer = { event: null };

/**
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<any>} The response's JSON; the caller declares its type. See {@link lastEventOf}.
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
 * @returns {string | null} The id of the last event whose change the answer contains; `null` when unknown.
 */
export function lastEventOf(answer) {
  return lastEvents.get(answer) ?? null;
}

/**
 * @param {Response} response Its status is 400 or above.
 */
async function problemIn(response) {
  /** @type {Partial<Problem> | null} */
  let content = null;
  try {
    content = await response.json();
  } catch {
    // Not from EchoText's own code, so only its status is known.
  }
  return problemOf(response.status, content, response.headers.get("Retry-After"));
}

/**
 * @param {number} status 400 or above.
 * @param {Partial<Problem> | null} content
 * @param {string | null} retryAfter From the header.
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
 * Notifies the watchers, and returns the error to throw.
 *
 * @param {ServerProblem} problem
 */
export function report(problem) {
  for (const watcher of watchers) watcher(problem);
  return problem;
}

/** @typedef {import("./api.js").Vault} VaultStatus */

/** @typedef {import("./api.js").State} AppState */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<AppState>}
 */
export async function loadState(signal) {
  // It decides the next view.
  trust.isDoubted ||= trust.proofKey !== "";
  const { proofKey, ...state } = await requestJSON("/api/state", { signal });
  trust.proofKey ||= proofKey ?? "";
  return state;
}

/** @returns {Promise<string[]>} The addresses of all modules except the languages. */
export async function loadModuleNames() {
  return requestJSON("/modules.json", {});
}

/**
 * @param {string} passcode
 * @param {AbortSignal} [signal]
 * @returns {Promise<AppState>}
 * @throws {ServerProblem} `vault.wrong-passcode`, or `vault.locked-out` with `retryAfter`.
 */
export async function unlock(passcode, signal) {
  trust.isDoubted = true; // while locked there are no events, whose end would show that the server has ended
  return requestJSON("/api/unlock", { method: "POST", body: { passcode }, signal });
}

/**
 * Unlocks the library with its recovery code.
 *
 * @param {string} code Case, spaces and hyphens do not matter.
 * @param {string} [newPasscode] Replaces the forgotten one; without it the library has none afterwards.
 * @returns {Promise<AppState>}
 */
export async function recover(code, newPasscode) {
  trust.isDoubted = true;
  return requestJSON("/api/recover", { method: "POST", body: { code, newPasscode } });
}

/** @returns {Promise<AppState>} */
export async function lock() {
  return requestJSON("/api/lock", { method: "POST" });
}

/** Ends the sessions of all browsers, including this one. */
export async function endAllSessions() {
  await request("/api/sessions/end", { method: "POST" });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} Plain text without private content.
 */
export async function loadDiagnostics(signal) {
  return (await requestJSON("/api/diagnostics", { signal })).text;
}
