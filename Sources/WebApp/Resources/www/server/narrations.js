import { request, requestJSON } from "./http.js";

/** @typedef {import("./api.js").Narration} Narration Speech being generated; it becomes a recording with the same id. */

/** @typedef {import("./api.js").DocumentLink} Source */

/** @typedef {import("./api.js").Word} Word */

/** @typedef {import("./api.js").Sentence} Sentence */

/** @typedef {import("./api.js").Timings} Timings */

/**
 * @typedef {import("./voices.js").VoiceSettings & { text: string, name?: string, profile?: string }} NarrationRequest
 */

/** @param {string} id */
const path = (id) => `/api/narrations/${encodeURIComponent(id)}`;

/**
 * @param {NarrationRequest} wanted
 * @returns {Promise<Narration>}
 */
export async function startNarration(wanted) {
  return requestJSON("/api/narrations", { method: "POST", body: wanted });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Narration[]>} Running, queued and unfinished ones, oldest first.
 */
export async function listNarrations(signal) {
  return requestJSON("/api/narrations", { signal });
}

/** @typedef {import("./api.js").UnfinishedNarration} Unfinished */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Unfinished[]>} The latest first, and then the batch entries that could not be started.
 */
export async function listUnfinished(signal) {
  return requestJSON("/api/narrations/unfinished", { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Narration>}
 */
export async function loadNarration(id, signal) {
  return requestJSON(path(id), { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./api.js").ItemText>}
 */
export async function loadNarrationText(id, signal) {
  return requestJSON(`${path(id)}/text`, { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Timings>} Of the sound generated so far.
 */
export async function loadNarrationTimings(id, signal) {
  return requestJSON(`${path(id)}/timings`, { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./api.js").Chapter[]>} All, also those still to be spoken.
 */
export async function loadNarrationChapters(id, signal) {
  return requestJSON(`${path(id)}/chapters?ahead=true`, { signal });
}

/**
 * Streams the sound while it is generated.
 *
 * @param {string} id
 * @param {number} from The first sample to send.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ sampleRate: number, stream: ReadableStream<Uint8Array> }>} Signed 16-bit little-endian mono; a
 *   chunk may end in the middle of a sample. Ends with the narration.
 */
export async function openNarrationSound(id, from, signal) {
  const response = await request(`${path(id)}/sound`, { query: { from }, signal });
  const stream = response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  return { sampleRate: Number(response.headers.get("X-Sample-Rate")), stream };
}

/**
 * @param {string} id
 * @param {"keep" | "discard" | "leave"} ending Whether the spoken part becomes a recording, is discarded, or stays to
 * be continued.
 */
export async function stopNarration(id, ending) {
  await request(`${path(id)}/stop`, { method: "POST", body: { keepPart: ending === "keep", leave: ending === "leave" } });
}

/**
 * Resumes an unfinished one.
 *
 * @param {string} id
 * @returns {Promise<Narration>}
 */
export async function continueNarration(id) {
  return requestJSON(`${path(id)}/continue`, { method: "POST" });
}

/**
 * Discards an unfinished one.
 *
 * @param {string} id
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is unloading.
 */
export async function discardNarration(id, { keepalive = false } = {}) {
  await request(path(id), { method: "DELETE", keepalive });
}

/**
 * @param {string} id
 * @returns {Promise<number>} Where listening to an unfinished one stopped, in seconds; initially 0.
 */
export async function loadNarrationPlace(id) {
  return (await requestJSON(`${path(id)}/place`, {})).seconds;
}

/**
 * @param {string} id
 * @param {number} seconds
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is unloading.
 */
export async function keepNarrationPlace(id, seconds, { keepalive = false } = {}) {
  await request(`${path(id)}/place`, { method: "PUT", body: { seconds }, keepalive });
}

/** @typedef {{ page: string, text: string }} Draft A text being written, and the name of the page that writes it. */

/** @returns {Promise<Draft[]>} The texts being written, the one saved last first. */
export async function loadDrafts() {
  return (await requestJSON("/api/draft", {})).drafts;
}

/**
 * @param {Draft} draft With an empty text to delete it.
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is unloading; such a request is limited to 64 KiB.
 */
export async function keepDraft({ page, text }, { keepalive = false } = {}) {
  await request("/api/draft", { method: "PUT", body: { page, text }, keepalive });
}

/**
 * Takes over the draft of another page, which hears of it.
 *
 * @param {string} from The name of that page.
 * @param {string} page
 * @returns {Promise<boolean>} Whether it was still there.
 */
export async function takeDraft(from, page) {
  return (await requestJSON("/api/draft/take", { method: "POST", body: { from, page } })).isTaken;
}

/**
 * @param {File} file A text file in any encoding.
 * @returns {Promise<{ text: string, notices: import("./documents.js").Notice[] }>} Its text, and notices about its
 * encoding. Neither is stored.
 */
export async function readTextFile(file) {
  return requestJSON("/api/draft/file", { method: "POST", bytes: await file.arrayBuffer() });
}

/** @typedef {import("./api.js").BatchEntry} BatchEntry */

/**
 * The progress of the batch.
 *
 * @typedef {object} BatchCount
 * @property {number} total
 * @property {number} done
 * @property {number} failed
 * @property {number} current The number of the running entry, from 1; 0 when there is none.
 * @property {boolean} isRunning
 * @property {boolean} isFinished
 * @property {Narration["failure"]} failure Why it is stopped although something is left, or
 * `null`.
 */

/** @typedef {import("./api.js").Batch} Batch */

/** @typedef {{ id: string, selection?: import("./documents.js").Selection }} BatchOrder */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Batch>}
 */
export async function loadBatch(signal) {
  return requestJSON("/api/batch", { signal });
}

/**
 * @typedef {object} BatchOptions
 * @property {boolean} [byChapter] One recording per chapter.
 * @property {import("./documents.js").SpokenSettings} [settings]
 */

/**
 * Adds documents to the end of the batch and starts it.
 *
 * @param {BatchOrder[]} documents Without a selection, the document's last one is used.
 * @param {BatchOptions} options
 * @returns {Promise<Batch>}
 */
export async function addToBatch(documents, { byChapter = false, settings = {} } = {}) {
  return requestJSON("/api/batch", { method: "POST", body: { documents, byChapter, ...settings } });
}

/** @returns {Promise<Batch>} The batch, running again. */
export async function startBatch() {
  return requestJSON("/api/batch/start", { method: "POST" });
}

/** @returns {Promise<Batch>} The batch without its unfinished entries. */
export async function cancelBatch() {
  return requestJSON("/api/batch/cancel", { method: "POST" });
}

/**
 * @param {number} id Of an entry.
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is unloading.
 * @returns {Promise<Batch>} The batch without it.
 */
export async function removeFromBatch(id, { keepalive = false } = {}) {
  return requestJSON(`/api/batch/${id}`, { method: "DELETE", keepalive });
}

/**
 * Retries a failed entry.
 *
 * @param {number} id Of an entry.
 * @returns {Promise<Batch>}
 */
export async function retryInBatch(id) {
  return requestJSON(`/api/batch/${id}/retry`, { method: "POST" });
}

/** @returns {Promise<Batch>} The batch without finished and failed entries. */
export async function dismissBatch() {
  return requestJSON("/api/batch/dismiss", { method: "POST" });
}

/**
 * The sentences that are spoken before the request for their narration is answered: events and answers use different
 * connections.
 */
export class EarlySentences {
  /** @type {{ narration: string, sentence: Sentence }[] | null} `null` while no answer is pending. */
  #heard = null;

  /** Called when a request is sent. */
  begin() {
    this.#heard = [];
  }

  /** @param {{ narration: string, sentence: Sentence }} spoken Of any narration. */
  add(spoken) {
    this.#heard?.push(spoken);
  }

  /**
   * Called when the request is answered.
   *
   * @param {string | null} narration Its id; `null` when it was refused.
   * @returns {Sentence[]} The sentences of that narration.
   */
  end(narration) {
    const heard = this.#heard ?? [];
    this.#heard = null;
    return heard.filter((one) => one.narration === narration).map((one) => one.sentence);
  }
}
