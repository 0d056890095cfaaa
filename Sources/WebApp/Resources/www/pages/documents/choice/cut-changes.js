import { keepSelection, previewSelection } from "../../../server/documents.js";

/**
 * @typedef {import("../../../server/documents.js").Preview} Preview
 * @typedef {import("../../../server/documents.js").Selection} Selection
 * @typedef {import("./cuts.js").Cuts} Cuts
 */

/** @typedef {(cuts: Cuts) => Cuts} CutChange The same cuts, with something put back or taken out. */

/**
 * The cuts of a document while a person changes them: a change counts at once, and the server is informed
 * of one after another, whether or not somebody still looks. One that the server refuses no longer counts; those that came
 * after it do.
 */
export class CutChanges {
  #id;
  #server;
  /** What the server has. */
  #kept;
  /** @type {CutChange[]} On their way to the server, in order. */
  #pending = [];
  /** @type {Promise<unknown>} Fulfilled when the last of them has ended. */
  #last = Promise.resolve();

  /**
   * @param {string} id Of the document.
   * @param {Cuts} kept
   * @param {{ previewSelection: typeof previewSelection, keepSelection: typeof keepSelection }} [server]
   */
  constructor(id, kept, server = { previewSelection, keepSelection }) {
    this.#id = id;
    this.#kept = kept;
    this.#server = server;
  }

  /** The cuts with every change. */
  get cuts() {
    return this.#pending.reduce((cuts, change) => change(cuts), this.#kept);
  }

  /**
   * @param {CutChange} change
   * @param {Selection} scope The pages or chapters that are chosen.
   * @returns {Promise<{ cuts: Cuts, preview: Preview }>} What is kept then, and what it comes to.
   * @throws {import("../../../server/http.js").ServerProblem}
   */
  make(change, scope) {
    this.#pending.push(change);
    const made = this.#last.then(() => this.#keep(change, scope));
    this.#last = made.catch(() => {}); // the caller that made it gets the error
    return made;
  }

  /**
   * @param {CutChange} change The first that is pending.
   * @param {Selection} scope
   */
  async #keep(change, scope) {
    const cuts = change(this.#kept);
    const selection = { ...scope, ...cuts };
    try {
      const preview = await this.#server.previewSelection(this.#id, selection);
      await this.#server.keepSelection(this.#id, selection);
      this.#kept = cuts;
      return { cuts, preview };
    } finally {
      this.#pending.shift();
    }
  }
}
