import { t } from "../../../core/i18n.js";
import { keepSelection, previewSelection } from "../../../server/documents.js";

/** @typedef {import("../../../server/documents.js").Omission} Omission */
/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */
/** @typedef {import("../text/text-section.js").Cut} Cut */
/** @typedef {import("../../../server/documents.js").Preview} Preview */

/** @typedef {Pick<Selection, "spokenRoles" | "putBack" | "leftOut">} Cuts */

/**
 * The cuts of a part: text that is not spoken, and text put back.
 *
 * @param {TextPart} part
 * @param {readonly Omission[]} omissions In order.
 * @param {Cuts} cuts
 * @returns {Cut[]} In order, without overlaps.
 */
export function cutsIn({ from, to, marks }, omissions, { spokenRoles = [], putBack = [] }) {
  /** @type {Cut[]} */
  const all = [];
  for (const omission of omissions) {
    if (omission.from >= to) break;
    if (omission.to <= from) continue;
    const key = omission.mark === null ? `own-${omission.from}-${omission.to}` : `mark-${omission.mark}`;
    const label = omission.role === null ? t("preview.own") : t(`role.${omission.role}`);
    all.push({ from: omission.from, to: omission.to, look: "struck", key, label });
  }
  for (const mark of marks) {
    if (!spokenRoles.includes(mark.role) && !putBack.includes(mark.index)) continue;
    if (all.some((cut) => cut.from < mark.to && cut.to > mark.from)) continue; // the user struck some of it out again
    all.push({ from: mark.from, to: mark.to, look: "restored", key: `mark-${mark.index}`, label: t(`role.${mark.role}`) });
  }
  return all.sort((one, other) => one.from - other.from);
}

/**
 * The same cuts, with one of them toggled.
 *
 * @param {Cuts} cuts
 * @param {string} key Of the cut.
 * @returns {Cuts}
 */
export function turned(cuts, key) {
  const [kind, first, second] = key.split("-");
  if (kind === "own") {
    const from = Number(first);
    const to = Number(second);
    return { ...cuts, leftOut: (cuts.leftOut ?? []).filter((span) => span[1] <= from || span[0] >= to) };
  }
  const index = Number(first);
  const putBack = new Set(cuts.putBack ?? []);
  if (!putBack.delete(index)) putBack.add(index);
  return { ...cuts, putBack: [...putBack].sort((one, other) => one - other) };
}

/**
 * The same cuts, with the text of a role spoken everywhere, or nowhere except where it is put back.
 *
 * @param {Cuts} cuts
 * @param {import("../../../server/documents.js").Role} role
 * @param {boolean} isSpoken
 * @returns {Cuts}
 */
export function withRole(cuts, role, isSpoken) {
  const others = (cuts.spokenRoles ?? []).filter((one) => one !== role);
  return { ...cuts, spokenRoles: isSpoken ? [...others, role] : others };
}

/**
 * The same cuts, with a range struck out.
 *
 * @param {Cuts} cuts
 * @param {{ from: number, to: number }} span
 * @returns {Cuts}
 */
export function withoutSpan(cuts, { from, to }) {
  return { ...cuts, leftOut: [...(cuts.leftOut ?? []), [from, to]] };
}

/** @typedef {(cuts: Cuts) => Cuts} CutChange The same cuts, with something put back or struck out. */

/**
 * The cuts of a document while a user edits them. A change applies at once; the server gets one after another, even
 * when the sheet is closed. A change that the server refuses is dropped; later ones stay.
 */
export class CutChanges {
  #id;
  #server;
  /** The cuts that the server has. */
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

  /** The cuts with all pending changes. */
  get cuts() {
    return this.#pending.reduce((cuts, change) => change(cuts), this.#kept);
  }

  /**
   * @param {CutChange} change
   * @param {Selection} scope The chosen pages or chapters.
   * @returns {Promise<{ cuts: Cuts, preview: Preview }>} The resulting cuts, and their preview.
   * @throws {import("../../../server/http.js").ServerProblem}
   */
  make(change, scope) {
    this.#pending.push(change);
    const made = this.#last.then(() => this.#keep(change, scope));
    this.#last = made.catch(() => {}); // the caller that made it gets the error
    return made;
  }

  /**
   * @param {CutChange} change The first pending change.
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
