import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { number, t } from "../../../core/i18n.js";
import { cutsIn, turned, withoutSpan, withRole } from "./cuts.js";
import { DocumentText } from "../text/document-text.js";
import { loadDocumentText, previewSelection } from "../../../server/documents.js";

/** @typedef {import("../../../server/documents.js").Preview} Preview */
/** @typedef {import("../../../server/documents.js").Role} Role */
/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("./cuts.js").CutChange} CutChange */
/** @typedef {import("./cuts.js").CutChanges} CutChanges */
/** @typedef {import("./cuts.js").Cuts} Cuts */

/**
 * The text that will be spoken, with omitted text struck through: one press puts it back, another strikes it out again.
 */
export class PreviewSheet extends Sheet {
  #document;
  #scope;
  #changes;
  #marks;
  #changed;
  /** @type {{ cuts: Cuts, preview: Preview } | null} */
  #shown = null;
  #text = new DocumentText();
  #problem = h("div", { class: "choice-problem" });
  #sum = h("p", { class: "muted small numbers", role: "status" });
  #roles = h("div", { class: "preview-roles", role: "group", "aria-label": t("preview.roles") });
  #strike = button({ label: t("preview.strike"), icon: "close", onPress: () => this.#strikeOut() });

  /**
   * @param {{ id: string, name: string }} document
   * @param {object} parts
   * @param {Selection} parts.scope The chosen pages or chapters.
   * @param {CutChanges} parts.changes
   * @param {Partial<Record<Role, number>>} parts.marks How many marks of each role the document has.
   * @param {(cuts: Cuts) => void} parts.changed Called at once, and again if a change is refused.
   */
  constructor(document, { scope, changes, marks, changed }) {
    super({ title: t("preview.title"), kind: "full", className: "preview-sheet" });
    this.#document = document;
    this.#scope = scope;
    this.#changes = changes;
    this.#marks = marks;
    this.#changed = changed;
    this.#strike.disabled = true;
    this.build({
      content: [h("div", { class: "preview-head" }, this.#sum, this.#roles, this.#problem), this.#text],
      actions: [this.#strike, button({ label: t("do.done"), look: "primary", onPress: () => this.close() })],
    });
  }

  open() {
    super.open();
    this.#text.addEventListener("text-cut", (event) => {
      const { key } = /** @type {CustomEvent<{ key: string }>} */ (event).detail;
      this.#apply((cuts) => turned(cuts, key));
    });
    const selected = () => setAttribute(this.#strike, "disabled", this.#selectedSpan() === null);
    document.addEventListener("selectionchange", selected, { signal: this.signal });
    this.#load();
    return this;
  }

  async #load() {
    const { id } = this.#document;
    try {
      const { cuts } = this.#changes;
      const preview = await previewSelection(id, { ...this.#scope, ...cuts }, this.signal);
      this.#shown = { cuts, preview };
      this.#text.show({
        spans: preview.scopes,
        load: (span, end) => loadDocumentText(id, span, end),
        cuts: (part) => cutsIn(part, this.#shown?.preview.omissions ?? [], this.#shown?.cuts ?? {}),
        failed: (error) => fill(this.#problem, errorNotice(error)),
      });
      this.#showSum();
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#load() });
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error, again));
    }
  }

  /** @param {CutChange} change */
  async #apply(change) {
    fill(this.#problem);
    const made = this.#changes.make(change, this.#scope);
    this.#changed(this.#changes.cuts);
    try {
      const fresh = await made;
      if (!this.signal.aborted) this.#show(fresh);
    } catch (error) {
      this.#changed(this.#changes.cuts);
      if (this.signal.aborted) {
        showToast({ icon: "error", text: `${t("preview.notKept")} ${wordsFor(error).message}` });
        return;
      }
      fill(this.#problem, errorNotice(error));
      this.#showSum();
    }
  }

  /** @param {{ cuts: Cuts, preview: Preview }} fresh */
  #show(fresh) {
    this.#shown = fresh;
    const { activeElement } = document;
    const cut = activeElement !== null && this.#text.contains(activeElement) ? activeElement.closest("[data-cut]") : null;
    this.#text.refresh();
    this.#showSum();
    if (!(cut instanceof HTMLElement)) return;
    const again = this.#text.querySelector(`.cut-button[data-cut="${cut.dataset.cut}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  #showSum() {
    if (this.#shown === null) return;
    const { words, omissions } = this.#shown.preview;
    setText(this.#sum, `${t("unit.words", { n: words })} · ${t("choice.omissions", { n: omissions.length })}`);
    const { activeElement } = document;
    const focus = this.#roles.contains(activeElement) ? /** @type {HTMLInputElement} */ (activeElement).value : null;
    const roles = /** @type {Role[]} */ (Object.keys(this.#marks));
    const label = roles.length === 0 ? null : h("span", { class: "muted" }, t("preview.roles"));
    fill(this.#roles, label, ...roles.map((role) => this.#roleChip(role)));
    const again = focus === null ? null : this.#roles.querySelector(`input[value="${focus}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {Role} role */
  #roleChip(role) {
    const input = h("input", { type: "checkbox", class: "choice-input segment-input", value: role });
    input.checked = this.#changes.cuts.spokenRoles?.includes(role) ?? false;
    input.addEventListener("change", () => {
      const isSpoken = input.checked;
      this.#apply((cuts) => withRole(cuts, role, isSpoken));
    });
    const label = `${t(`role.${role}.many`)} (${number(this.#marks[role] ?? 0)})`;
    return h("label", { class: "segment loose" }, input, h("span", { class: "segment-label" }, label));
  }

  /** The selected words, as places in the document. */
  #selectedSpan() {
    const chosen = getSelection();
    if (chosen === null || chosen.isCollapsed || chosen.rangeCount === 0) return null;
    const range = chosen.getRangeAt(0);
    const from = this.#text.unitOf(range.startContainer, range.startOffset);
    const to = this.#text.unitOf(range.endContainer, range.endOffset);
    return from === null || to === null || to <= from ? null : { from, to };
  }

  #strikeOut() {
    const span = this.#selectedSpan();
    if (span === null) return;
    getSelection()?.removeAllRanges();
    this.#apply((cuts) => withoutSpan(cuts, span));
  }
}
