import { request, requestJSON } from "./http.js";

/** @returns {Promise<string>} What is being written to be spoken; empty when there is nothing. */
export async function loadDraft() {
  return (await requestJSON("/api/draft", {})).text;
}

/**
 * @param {string} text Empty to forget it.
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is about to go; such a request holds 64 KiB.
 */
export async function keepDraft(text, { keepalive = false } = {}) {
  await request("/api/draft", { method: "PUT", body: { text }, keepalive });
}

/**
 * @param {File} file Of text, in any encoding.
 * @returns {Promise<{ text: string, notices: import("./documents.js").Notice[] }>} Its text, and notices about its
 *   encoding. Neither is kept.
 */
export async function readTextFile(file) {
  return requestJSON("/api/draft/file", { method: "POST", bytes: await file.arrayBuffer() });
}
