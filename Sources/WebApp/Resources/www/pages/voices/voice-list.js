import { Rows } from "../../components/rows.js";
import { waitingRows } from "../../components/rows/row-content.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { isGroup, linesOf } from "./arrangement.js";
import { VoiceRow } from "./voice-row.js";

/**
 * @typedef {import("./offers.js").Offer} Offer
 * @typedef {import("./arrangement.js").Group} Group
 * @typedef {import("./arrangement.js").Line} Line
 */

/** The voices, each under its language. */
export class VoiceList {
  rows = new Rows();
  /** @type {Map<string, VoiceRow>} */
  #shown = new Map();
  /** @type {Line[]} */
  #lines = [];
  #actions;

  /** @param {import("./voice-row.js").VoiceRowActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.rows.label = t("voices.title");
    this.rows.rowHeight = 4.75;
  }

  /** Shows what stands for the voices before they come. */
  showWaiting() {
    this.rows.source = waitingRows(8);
  }

  /** @param {readonly Group[]} groups */
  show(groups) {
    const lines = (this.#lines = linesOf(groups));
    for (const line of lines) if (!isGroup(line)) this.#shown.get(line.id)?.show(line);
    this.rows.source = {
      count: lines.length,
      at: (/** @type {number} */ index) => lines[index] ?? null,
      key: (/** @type {Line} */ line) => (isGroup(line) ? "" : line.id),
      isHeading: isGroup,
      content: (/** @type {Line} */ line) =>
        isGroup(line)
          ? { title: h("h2", {}, line.title), details: [t("voices.count", { n: line.offers.length })] }
          : this.#rowOf(line).content,
    };
  }

  /**
   * It stands differently with one voice.
   *
   * @param {Offer} before
   * @param {Offer} after
   */
  change(before, after) {
    const at = this.#lines.indexOf(before);
    if (at >= 0) this.#lines[at] = after;
    if (this.#shown.get(after.id)?.show(after) === true) this.rows.refresh();
  }

  /** @param {string} [id] Of the voice that gets the focus; the first when it is not there. */
  focus(id) {
    this.rows.focusRow(Math.max(0, this.place(id)));
  }

  /**
   * @param {string} [id]
   * @returns {number} Which row a voice is in; less than 0 when in none.
   */
  place(id) {
    return this.#lines.findIndex((line) => !isGroup(line) && line.id === id);
  }

  /** @param {Offer} offer */
  #rowOf(offer) {
    const present = this.#shown.get(offer.id);
    if (present !== undefined) return present;
    const row = new VoiceRow(offer, this.#actions);
    this.#shown.set(offer.id, row);
    return row;
  }
}
