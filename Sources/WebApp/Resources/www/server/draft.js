import { request, requestJSON } from "./http.js";

/** @returns {Promise<string>} The text being written; empty if there is none. */
export async function loadDraft() {
  return (await requestJSON("/api/draft", {})).text;
}

/**
 * @param {string} text Empty to delete it.
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is unloading; such a request is limited to 64 KiB.
 */
export async function keepDraft(text, { keepalive = false } = {}) {
  await request("/api/draft", { method: "PUT", body: { text }, keepalive });
}

/**
 * @param {File} file A text file in any encoding.
 * @returns {Promise<{ text: string, notices: import("./documents.js").Notice[] }>} Its text, and notices about its
 * encoding. Neither is stored.
 */
export async function readTextFile(file) {
  return requestJSON("/api/draft/file", { method: "POST", bytes: await file.arrayBuffer() });
}
