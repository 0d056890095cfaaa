import { keepSelection, loadDocumentText, previewSelection } from "../../../server/documents.js";
import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { openSheet } from "../../../components/sheet.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { number } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { DocumentText } from "../text/document-text.js";
import { cutsIn, turned, withoutSpan } from "./cuts.js";

/**
 * @typedef {import("../../../server/documents.js").Preview} Preview
 * @typedef {import("../../../server/documents.js").Role} Role
 * @typedef {import("../../../server/documents.js").Selection} Selection
 * @typedef {import("./cuts.js").Cuts} Cuts
 */

/**
 * Shows what will be spoken, with what is left out struck through: one press puts it back, another takes it out again.
 *
 * @param {{ id: string, name: string }} document
 * @param {Selection} before
 * @param {Partial<Record<Role, number>>} marks How many of each role the document has.
 * @param {(cuts: Cuts) => void} changed
 */
export function openPreview(document, before, marks, changed) {
  const life = new AbortController();
  const { signal } = life;
  let selection = before;
  /** @type {Preview | null} */
  let preview = null;
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
    apply(turned(selection, key), key);
  });
  globalThis.document.addEventListener("selectionchange", () => setAttribute(strike, "disabled", selectedSpan() === null), { signal });
  load();

  async function load() {
    try {
      preview = await previewSelection(document.id, selection, signal);
      const { scopes } = preview;
      text.show({
        spans: scopes,
        load: (span, end) => loadDocumentText(document.id, span, end),
        cuts: (part) => cutsIn(part, preview?.omissions ?? [], selection),
        failed: (error) => fill(problem, errorNotice(error)),
      });
      showSum();
    } catch (error) {
      if (!signal.aborted) fill(problem, errorNotice(error, button({ label: t("do.again"), onPress: load })));
    }
  }

  /**
   * @param {Cuts} cuts
   * @param {string} [key] Of the cut that was pressed, which keeps the focus.
   */
  async function apply(cuts, key) {
    try {
      const wanted = { ...selection, ...cuts };
      const fresh = await previewSelection(document.id, wanted, signal);
      await keepSelection(document.id, wanted);
      if (signal.aborted) return;
      selection = wanted;
      preview = fresh;
      fill(problem);
      text.refresh();
      showSum();
      changed({ spokenRoles: wanted.spokenRoles, putBack: wanted.putBack, leftOut: wanted.leftOut });
      const again = key === undefined ? null : text.querySelector(`.cut-button[data-cut="${key}"]`);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    } catch (error) {
      if (!signal.aborted) fill(problem, errorNotice(error));
    }
  }

  function showSum() {
    if (preview === null) return;
    const { words, omissions } = preview;
    setText(sum, `${t("unit.words", { n: words })} · ${t("choice.omissions", { n: omissions.length })}`);
    const focus = roles.contains(globalThis.document.activeElement) ? /** @type {HTMLInputElement} */ (globalThis.document.activeElement).value : null;
    fill(roles, Object.keys(marks).length === 0 ? null : h("span", { class: "muted" }, t("preview.roles")), ...Object.keys(marks).map((role) => roleChip(/** @type {Role} */ (role))));
    const again = focus === null ? null : roles.querySelector(`input[value="${focus}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {Role} role */
  function roleChip(role) {
    const input = h("input", { type: "checkbox", class: "choice-input segment-input", value: role });
    input.checked = selection.spokenRoles?.includes(role) ?? false;
    input.addEventListener("change", () => {
      const others = (selection.spokenRoles ?? []).filter((one) => one !== role);
      apply({ spokenRoles: input.checked ? [...others, role] : others, putBack: selection.putBack, leftOut: selection.leftOut });
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
    apply(withoutSpan(selection, span));
  }
}
