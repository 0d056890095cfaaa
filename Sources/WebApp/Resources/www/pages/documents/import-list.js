import { button, icon } from "../../components/button.js";
import { field } from "../../components/field.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { noticeWords, wordsFor } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { imports } from "./import-queue.js";

/** @typedef {import("./import-queue.js").Import} Import */

/** The files that are being imported, need an answer, or were refused. */
export class ImportList {
  #status = h("p", { class: "import-status", role: "status" });
  #clear = button({ label: t("import.clear"), look: "quiet", onPress: () => imports.clear() });
  #list = h("ul", { class: "import-list", "aria-label": t("import.title") });
  /** @type {Map<number, ImportRow>} */
  #rows = new Map();
  /** @type {Set<number>} Done and reported. */
  #reported = new Set();

  constructor() {
    this.element = h(
      "section",
      { class: "imports", "aria-label": t("import.title"), hidden: true },
      h("div", { class: "import-head" }, this.#status, this.#clear),
      this.#list,
    );
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    for (const { id, state } of imports.all.value) if (state === "done") this.#reported.add(id);
    imports.all.follow((all) => this.#show(all), signal);
  }

  /** @param {readonly Import[]} all */
  #show(all) {
    const shown = all.filter(({ state, notices }) => state !== "done" || notices.length > 0);
    this.element.hidden = shown.length === 0;
    for (const [id, row] of this.#rows) {
      if (shown.some((one) => one.id === id)) continue;
      row.leave();
      this.#rows.delete(id);
    }
    for (const one of shown) {
      const present = this.#rows.get(one.id);
      const row = present ?? new ImportRow(one);
      row.show(one);
      if (present === undefined) {
        this.#rows.set(one.id, row);
        this.#list.append(row.element);
      }
    }
    this.#say(all);
  }

  /** @param {readonly Import[]} all */
  #say(all) {
    const { left } = imports;
    const refused = all.filter(({ state }) => state === "refused").length;
    const asking = all.filter(({ state }) => state === "asking").length;
    if (left > 0) {
      setText(this.#status, t("import.left", { n: Math.min(all.length - left + 1, all.length), all: all.length }));
    } else if (asking > 0) {
      setText(this.#status, t("import.asking", { n: asking }));
    } else if (refused > 0) {
      setText(this.#status, t("import.refused", { n: refused }));
    } else {
      setText(this.#status, t("import.notes"));
    }
    this.#clear.hidden = !all.some(({ state, notices }) => state === "refused" || (state === "done" && notices.length > 0));
    if (left === 0) this.#sayDone(all);
  }

  /** @param {readonly Import[]} all */
  #sayDone(all) {
    const fresh = all.filter(({ id, state }) => state === "done" && !this.#reported.has(id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) this.#reported.add(id);
    const [{ document }] = fresh;
    const text = t("import.done", { n: fresh.length, name: document?.name ?? "" });
    if (fresh.length > 1 || document === null) showToast({ icon: "check", text });
    else showToast({ icon: "check", text, action: { label: t("import.open"), run: () => navigate(`/documents/${document.id}`) } });
    for (const { id, notices } of fresh) if (notices.length === 0) imports.drop(id);
  }
}

/** A file that is being imported. */
class ImportRow {
  #words = h("p", { class: "import-words" });
  #detail = h("p", { class: "import-detail" });
  #question = h("div", { class: "import-question" });
  #bar = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, h("div", { class: "progress-part" }));
  #mark = h("span", { class: "import-mark" });
  #drop;
  #again;
  /** @type {unknown} The problem that the question is about. */
  #asked = null;

  /** @param {Import} one */
  constructor({ id, file }) {
    this.#bar.setAttribute("aria-label", t("import.progress", { name: file.name }));
    this.#drop = button({ label: t("import.drop", { name: file.name }), icon: "close", look: "quiet", iconOnly: true, onPress: () => imports.drop(id) });
    this.#again = button({ label: t("do.again"), look: "quiet", onPress: () => imports.again(id) });
    this.element = h(
      "li",
      { class: "import" },
      this.#mark,
      h("div", { class: "import-main" }, h("p", { class: "import-name", dir: "auto" }, file.name), this.#words, this.#bar, this.#detail, this.#question),
      this.#again,
      this.#drop,
    );
  }

  /** @param {Import} one */
  show(one) {
    const { state, part, problem } = one;
    const isMoving = state === "sending" || state === "reading";
    const { message, suggestion } = state === "refused" || state === "asking" ? wordsFor(problem) : { message: "", suggestion: null };
    setAttribute(this.element, "data-state", state);
    if (this.#mark.dataset.state !== state) {
      this.#mark.dataset.state = state;
      fill(this.#mark, icon(state === "refused" ? "error" : state === "asking" ? questionIcon(problem) : state === "done" ? "info" : "document"));
    }
    const isWrong = state === "asking" && isWrongPassword(problem);
    setAttribute(this.#words, "role", state === "refused" || isWrong ? "alert" : null);
    setText(this.#words, message || wordsOf(one));
    setText(this.#detail, state === "refused" ? (suggestion ?? "") : "");
    this.#bar.hidden = !isMoving;
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(part * 100)));
    this.#again.hidden = state !== "refused" || !mayWorkAgain(problem);
    if (state !== "asking") {
      this.#asked = null;
      const hadFocus = this.#question.contains(document.activeElement);
      fill(this.#question);
      if (hadFocus) this.#drop.focus({ preventScroll: true });
    } else if (this.#asked !== problem) {
      this.#asked = problem;
      const hadFocus = this.element.contains(document.activeElement);
      fill(this.#question, questionOf(one));
      const input = isWrong ? this.#question.querySelector("input") : null;
      input?.setAttribute("aria-invalid", "true");
      if (hadFocus) input?.focus();
    }
  }

  /** Removes itself; the focus moves to the next row. */
  leave() {
    const next = this.element.nextElementSibling ?? this.element.previousElementSibling;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    if (!hadFocus) return;
    const target = next?.querySelector("input, button:not([hidden])") ?? document.querySelector("main h1");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}

/** @param {Import} one */
function wordsOf({ state, part, notices }) {
  if (state === "sending") return t("import.sending", { n: number(part * 100) });
  if (state === "done") return notices.map((notice) => noticeWords(notice)).join(" ");
  return t(state === "reading" ? "import.reading" : "import.waiting");
}

/** @param {unknown} problem */
function isWrongPassword(problem) {
  return /** @type {{ code?: string } | null} */ (problem)?.code === "document.password-wrong";
}

/** @param {unknown} problem */
function questionIcon(problem) {
  return /** @type {{ code?: string } | null} */ (problem)?.code === "document.there-already" ? "info" : "key";
}

/** @param {unknown} problem */
function mayWorkAgain(problem) {
  const { code = "", status = 0 } = /** @type {{ code?: string, status?: number }} */ (problem ?? {});
  return code === "server.unreachable" || code === "document.too-slow" || code.includes("reader") || status >= 500;
}

/**
 * The question of an import: the file's password, or whether to add a second copy.
 *
 * @param {Import} one
 * @returns {HTMLElement}
 */
function questionOf({ id, file, problem }) {
  const { code = "" } = /** @type {{ code?: string }} */ (problem ?? {});
  if (code === "document.there-already") {
    return h(
      "div",
      { class: "import-answers" },
      button({ label: t("import.keepTwin"), onPress: () => imports.again(id, { keepTwin: true }) }),
      button({ label: t("import.skip"), look: "quiet", onPress: () => imports.drop(id) }),
    );
  }
  const open = () => {
    if (password.input.value === "") password.input.focus();
    else imports.again(id, { password: password.input.value });
  };
  const password = field({
    label: t("import.password", { name: file.name }),
    type: "password",
    hint: t("import.password.hint"),
    onEnter: open,
  });
  return h(
    "div",
    { class: "import-answers" },
    password.element,
    button({ label: t("import.unlock"), onPress: open }),
    button({ label: t("import.skip"), look: "quiet", onPress: () => imports.drop(id) }),
  );
}

/** The types that the picker offers first; the kind of a file is detected from its content. */
const endings =
  ".pdf,.epub,.txt,.md,.markdown,.text,.srt,.vtt,application/pdf,application/epub+zip,text/plain,text/markdown,text/vtt";

/** The button that opens the file picker. */
export function importButton() {
  const input = h("input", { type: "file", multiple: true, accept: endings, class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
  input.addEventListener("change", () => {
    imports.add(input.files ?? []);
    input.value = "";
  });
  return h(
    "span",
    { class: "import-button" },
    button({ label: t("import.button"), icon: "plus", look: "primary", onPress: () => input.click() }),
    input,
  );
}
