import { loadDocumentText, previewSelection } from "../../../server/documents.js";
import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { openSheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { number, t, wordsFor } from "../../../core/i18n.js";
import { DocumentText } from "../text/document-text.js";
import { cutsIn, turned, withoutSpan, withRole } from "./cuts.js";

/** @typedef {import("../../../server/documents.js").Preview} Preview */
/** @typedef {import("../../../server/documents.js").Role} Role */
/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("./cuts.js").CutChange} CutChange */
/** @typedef {import("./cuts.js").CutChanges} CutChanges */
/** @typedef {import("./cuts.js").Cuts} Cuts */

/**
 * Shows what will be spoken, with what is left out struck through: one press puts it back, another takes it out again.
 *
 * @param {{ id: string, name: string }} document
 * @param {Selection} scope The pages or chapters that are chosen.
 * @param {CutChanges} changes
 * @param {Partial<Record<Role, number>>} marks How many of each role the document has.
 * @param {(cuts: Cuts) => void} changed Called at once, and again when a change was refused.
 */
export function openPreview(document, scope, changes, marks, changed) {
  const life = new AbortController();
  const { signal } = life;
  /** @type {{ cuts: Cuts, preview: Preview } | null} */
  let shown = null;
  const text = new DocumentText();
  const problem = h("div", { class: "choice-problem" });
  const sum = h("p", { class: "muted small numbers", role: "status" });
  const roles = h("div", { class: "preview-roles", role: "group", "aria-label": t("preview.roles") });
  const strike = button({ label: t("preview.strike"), icon: "close", onPress: () => strikeOut() });
  strike.disabled = true;
  const sheet = openSheet({
    title: t("preview.title"),
    kind: "full",
    className: "preview-sheet",
    content: [h("div", { class: "preview-head" }, sum, roles, problem), text],
    actions: [strike, button({ label: t("do.done"), look: "primary", onPress: () => sheet.close() })],
    onClose: () => life.abort(),
  });
  text.addEventListener("text-cut", (event) => {
    const { key } = /** @type {CustomEvent<{ key: string }>} */ (event).detail;
    apply((cuts) => turned(cuts, key));
  });
  globalThis.document.addEventListener("selectionchange", () => setAttribute(strike, "disabled", selectedSpan() === null), { signal });
  load();

  async function load() {
    try {
      const { cuts } = changes;
      const preview = await previewSelection(document.id, { ...scope, ...cuts }, signal);
      shown = { cuts, preview };
      text.show({
        spans: preview.scopes,
        load: (span, end) => loadDocumentText(document.id, span, end),
        cuts: (part) => cutsIn(part, shown?.preview.omissions ?? [], shown?.cuts ?? {}),
        failed: (error) => fill(problem, errorNotice(error)),
      });
      showSum();
    } catch (error) {
      if (!signal.aborted) fill(problem, errorNotice(error, button({ label: t("do.again"), onPress: load })));
    }
  }

  /** @param {CutChange} change */
  async function apply(change) {
    fill(problem);
    const made = changes.make(change, scope);
    changed(changes.cuts);
    try {
      const fresh = await made;
      if (!signal.aborted) show(fresh);
    } catch (error) {
      changed(changes.cuts);
      if (signal.aborted) {
        showToast({ icon: "error", text: `${t("preview.notKept")} ${wordsFor(error).message}` });
        return;
      }
      fill(problem, errorNotice(error));
      showSum();
    }
  }

  /** @param {{ cuts: Cuts, preview: Preview }} fresh */
  function show(fresh) {
    shown = fresh;
    const { activeElement } = globalThis.document;
    const cut = activeElement !== null && text.contains(activeElement) ? activeElement.closest("[data-cut]") : null;
    text.refresh();
    showSum();
    if (!(cut instanceof HTMLElement)) return;
    const again = text.querySelector(`.cut-button[data-cut="${cut.dataset.cut}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  function showSum() {
    if (shown === null) return;
    const { words, omissions } = shown.preview;
    setText(sum, `${t("unit.words", { n: words })} · ${t("choice.omissions", { n: omissions.length })}`);
    const focus = roles.contains(globalThis.document.activeElement) ? /** @type {HTMLInputElement} */ (globalThis.document.activeElement).value : null;
    fill(roles, Object.keys(marks).length === 0 ? null : h("span", { class: "muted" }, t("preview.roles")), ...Object.keys(marks).map((role) => roleChip(/** @type {Role} */ (role))));
    const again = focus === null ? null : roles.querySelector(`input[value="${focus}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {Role} role */
  function roleChip(role) {
    const input = h("input", { type: "checkbox", class: "choice-input segment-input", value: role });
    input.checked = changes.cuts.spokenRoles?.includes(role) ?? false;
    input.addEventListener("change", () => {
      const isSpoken = input.checked;
      apply((cuts) => withRole(cuts, role, isSpoken));
    });
    const label = `${t(`role.${role}.many`)} (${number(marks[role] ?? 0)})`;
    return h("label", { class: "segment loose" }, input, h("span", { class: "segment-label" }, label));
  }

  /** The words that are selected in the text, as places of the document. */
  function selectedSpan() {
    const chosen = getSelection();
    if (chosen === null || chosen.isCollapsed || chosen.rangeCount === 0) return null;
    const range = chosen.getRangeAt(0);
    const from = text.unitOf(range.startContainer, range.startOffset);
    const to = text.unitOf(range.endContainer, range.endOffset);
    return from === null || to === null || to <= from ? null : { from, to };
  }

  function strikeOut() {
    const span = selectedSpan();
    if (span === null) return;
    getSelection()?.removeAllRanges();
    apply((cuts) => withoutSpan(cuts, span));
  }
}
