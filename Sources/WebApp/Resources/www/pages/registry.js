import { loadStyle } from "../core/dom.js";

/**
 * A page of the app. To add one, see Documentation/AddingAPage.md.
 *
 * @typedef {object} Page
 * @property {string} id
 * @property {string} address Addresses below it belong to the page too.
 * @property {string} title The catalogue's key.
 * @property {import("../components/button.js").IconName} icon
 * @property {string} key The key after `g` that opens it.
 * @property {string} tag The custom element that its module defines.
 * @property {string[]} styles The style sheets of its first view, besides `app.css`.
 * @property {() => Promise<unknown>} load
 * @property {() => Promise<{ stand: (top: HTMLElement, signal: AbortSignal) => Promise<void> }>} [beside] Its part on
 * every page; loaded after the first page, and absent when that fails.
 */

const lists = ["/styles/rows.css", "/styles/fields.css", "/styles/lists.css"];

/** @type {readonly Page[]} In navigation order. */
export const pages = Object.freeze([
  {
    id: "speak",
    address: "/speak",
    title: "speak.title",
    icon: "speak",
    key: "s",
    tag: "echo-speak-page",
    styles: ["/styles/speak.css"],
    load: () => import("./speak.js"),
  },
  {
    id: "library",
    address: "/library",
    title: "library.title",
    icon: "library",
    key: "l",
    tag: "echo-library-page",
    styles: [...lists, "/styles/library.css"],
    load: () => import("./library.js"),
  },
  {
    id: "documents",
    address: "/documents",
    title: "documents.title",
    icon: "document",
    key: "d",
    tag: "echo-documents-page",
    styles: [...lists, "/styles/documents.css"],
    load: () => import("./documents.js"),
    beside: () => import("./documents/batch.js"),
  },
  {
    id: "recordings",
    address: "/recordings",
    title: "recordings.title",
    icon: "record",
    key: "r",
    tag: "echo-recordings-page",
    styles: [...lists, "/styles/recordings.css", "/styles/unfinished.css"],
    load: () => import("./recordings.js"),
    beside: () => import("./recordings/beside.js"),
  },
  {
    id: "practice",
    address: "/practice",
    title: "practice.title",
    icon: "practice",
    key: "p",
    tag: "echo-practice-page",
    styles: [...lists, "/styles/practice.css"],
    load: () => import("./practice.js"),
  },
  {
    id: "history",
    address: "/history",
    title: "history.title",
    icon: "history",
    key: "h",
    tag: "echo-history-page",
    styles: [...lists, "/styles/history.css"],
    load: () => import("./history.js"),
  },
  {
    id: "voices",
    address: "/voices",
    title: "voices.title",
    icon: "voice",
    key: "v",
    tag: "echo-voices-page",
    styles: [...lists, "/styles/voices.css"],
    load: () => import("./voices.js"),
  },
  {
    id: "settings",
    address: "/settings",
    title: "settings.title",
    icon: "settings",
    key: ",",
    tag: "echo-settings-page",
    styles: ["/styles/fields.css", "/styles/slider.css", "/styles/lists.css", "/styles/settings.css"],
    load: () => import("./settings.js"),
  },
]);

/** Shown instead of all pages while the library is closed; not in the navigation. */
export const lockPage = Object.freeze({
  tag: "echo-lock-page",
  styles: ["/styles/fields.css", "/styles/lock.css"],
  load: () => import("./lock.js"),
});

/**
 * Loads a page's module and styles, once.
 *
 * @param {Pick<Page, "styles" | "load">} page
 */
export async function loadPage({ styles, load }) {
  await Promise.all([load(), ...styles.map(loadStyle)]);
}
