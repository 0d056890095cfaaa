import { button } from "../components/button.js";
import { copyText } from "../components/download.js";
import { pageHead } from "../components/frame.js";
import { empty, errorNotice, notice } from "../components/notice.js";
import { detailOf, waitingRows } from "../components/row-content.js";
import { Rows } from "../components/rows.js";
import { confirm, moreButton, openMenu } from "../components/sheet.js";
import { DeferredDeletion, showNews, showToast, showUndo } from "../components/toast.js";
import { fill, h, setAttribute, setText } from "../core/dom.js";
import { paragraphFor, shortDate } from "../core/format.js";
import { t } from "../core/i18n.js";
import { setting, settings } from "../core/store.js";
import { NewestState, onServer } from "../server/events.js";
import { clearHistory, deleteHistoryEntry, loadHistory } from "../server/library.js";
import { practiseEntry, takeToSpeak } from "./list/item-actions.js";
import { SearchField } from "./list/list-controls.js";

/** @typedef {import("../server/library.js").HistoryEntry} HistoryEntry */

/**
 * The texts that are deleted or waiting to be; it outlives the page, as their undo does.
 *
 * @type {DeferredDeletion<number>}
 */
const deletion = new DeferredDeletion({
  delete: async (ids, options) => {
    await Promise.all(ids.map((id) => deleteHistoryEntry(id, options)));
  },
  failed: (error) => {
    showNews({ icon: "error", text: `${t("history.notDeleted")} ${paragraphFor(error)}` });
  },
});

/**
 * `<echo-history-page>`: the most recently spoken texts, to be used again.
 */
export class HistoryPage extends HTMLElement {
  #life = new AbortController();
  /** @type {HistoryEntry[] | null} */
  #entries = null;
  /** @type {number[]} The ids of texts that cannot be read. */
  #unreadable = [];
  /** @type {number[]} The ids counted in the notice. */
  #noticed = [];
  #newest = new NewestState();
  #limit = 25;
  #rows = new Rows();
  #search = new SearchField({
    label: t("history.search"),
    rest: 0,
    changed: () => this.#show(),
    goToList: () => this.#rows.focusRow(0),
  });
  #counter = h("span", { class: "history-counter muted numbers" });
  #about = h("p", { class: "history-about muted" });
  #damage = h("div", { class: "history-damage" });
  #place = h("div", { class: "history-place" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #clear = button({ label: t("history.clear"), icon: "trash", onPress: () => this.#clearAll() });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page", "history-page");
    this.#rows.label = t("history.list");
    this.replaceChildren(pageHead(t("history.title"), this.#search.element, this.#counter, this.#clear), this.#about, this.#damage, this.#place, this.#status);
    this.#search.start(signal);
    this.#rows.addEventListener("row-open", (event) => this.#with(event, ({ text }) => takeToSpeak(text)), { signal });
    this.#rows.addEventListener("row-menu", (event) => this.#openMenu(event), { signal });
    this.#rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys.map(Number)), { signal });
    this.#rows.addEventListener("selection", () => this.#rows.selectedKeys.length > 0 && this.#stopSelecting(), { signal });
    onServer("history", () => this.#load(), signal);
    onServer("reset", () => this.#load(), signal);
    settings.watch(() => this.#show(), signal);
    deletion.watch(() => this.#show(), signal);
    this.#showWaiting();
    this.#load();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  get #present() {
    return (this.#entries ?? []).filter(({ id }) => !deletion.isHidden(id));
  }

  /** Those that have the search words. */
  get #visible() {
    const words = this.#words;
    return words === "" ? this.#present : this.#present.filter(({ text }) => placeOf(words, onOneLine(text)) !== null);
  }

  get #words() {
    return onOneLine(this.#search.words);
  }

  async #load() {
    const { signal } = this.#life;
    try {
      const history = await loadHistory(signal);
      if (!this.#newest.takesAnswer(history)) return;
      const { entries, unreadable, limit } = history;
      this.#entries = entries;
      this.#unreadable = unreadable;
      this.#limit = limit;
      this.#show();
    } catch (error) {
      if (signal.aborted) return;
      fill(this.#place, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }

  #show() {
    if (this.#entries === null) return;
    const entries = this.#visible;
    this.#showDamage();
    const isKept = setting("history.keep", "on") === "on";
    const count = this.#present.length;
    setAttribute(this, "data-empty", count === 0);
    this.#clear.hidden = false;
    if (count === 0 && this.querySelector(".page-actions")?.contains(document.activeElement)) this.#focusTitle();
    setText(this.#status, this.#words === "" ? "" : t("library.texts.found", { n: entries.length }));
    setText(this.#counter, count === 0 ? "" : t("history.counter", { n: count, limit: this.#limit }));
    setAttribute(this.#counter, "title", t("history.counter.label", { n: count, limit: this.#limit }));
    setText(this.#about, count === 0 ? "" : t("history.about", { limit: this.#limit }));
    if (entries.length === 0) {
      const none = count > 0 ? this.#nothingFound() : isKept ? nothingYet() : switchedOff();
      if (!this.#place.firstChild?.isEqualNode(none)) fill(this.#place, none);
      return;
    }
    this.#rows.source = {
      count: entries.length,
      at: (index) => entries[index] ?? null,
      key: (entry) => String(entry.id),
      content: (entry) => this.#rowOf(entry),
    };
    if (this.#rows.parentNode !== this.#place) fill(this.#place, this.#rows);
    // The rows stay where they are, with the focus.
    const above = this.#rows.previousElementSibling;
    if (isKept) above?.remove();
    else if (above === null) this.#rows.before(offNotice());
  }

  /** The notice of unreadable texts, with a button that deletes them. */
  #showDamage() {
    const ids = this.#unreadable.filter((id) => !deletion.isHidden(id));
    if (ids.join() === this.#noticed.join()) return;
    this.#noticed = ids;
    const hadFocus = this.#damage.contains(document.activeElement);
    if (ids.length === 0) {
      fill(this.#damage);
      if (hadFocus) this.#focusTitle();
      return;
    }
    const remove = button({ label: t("history.delete"), icon: "trash", onPress: () => this.#delete(ids) });
    fill(this.#damage, notice({ text: t("history.unreadable", { n: ids.length }), kind: "warning", actions: [remove] }));
    if (hadFocus) remove.focus({ preventScroll: true });
  }

  #showWaiting() {
    this.#clear.hidden = true;
    this.#rows.source = waitingRows(6);
    fill(this.#place, this.#rows);
  }

  /** @param {HistoryEntry} entry */
  #rowOf(entry) {
    const more = moreButton({ label: t("history.more"), open: (anchor) => this.#menuFor(entry, { anchor }) });
    return {
      title: firstWords(entry.text),
      details: [
        h("time", { datetime: entry.spoken }, shortDate(entry.spoken)),
        (this.#words !== "" && excerpt(this.#words, entry.text)) || t("unit.words", { n: entry.words }),
      ],
      actions: [
        button({ label: t("history.reuse"), icon: "reuse", look: "quiet", iconOnly: true, onPress: () => takeToSpeak(entry.text) }),
        button({ label: t("history.copy"), icon: "copy", look: "quiet", iconOnly: true, onPress: () => this.#copy(entry) }),
        more,
      ],
    };
  }

  /** @param {Event} event */
  #openMenu(event) {
    this.#with(event, (entry) => this.#menuFor(entry, detailOf(event)));
  }

  /**
   * @param {HistoryEntry} entry
   * @param {import("../components/sheet.js").MenuPlace} where
   */
  #menuFor(entry, { anchor, point }) {
    openMenu(
      [
        { label: t("history.reuse"), icon: "reuse", run: () => takeToSpeak(entry.text) },
        { label: t("history.copy"), icon: "copy", run: () => this.#copy(entry) },
        practiseEntry({ kind: "history", id: String(entry.id) }),
        "separator",
        { label: t("history.delete"), icon: "trash", isDanger: true, run: () => this.#delete([entry.id]) },
      ],
      { label: t("history.more"), anchor, point },
    );
  }

  /** @param {HistoryEntry} entry */
  async #copy(entry) {
    const isCopied = await copyText(entry.text);
    showToast({ text: t(isCopied ? "history.copied" : "text.notCopied") });
  }

  /** @param {number[]} ids */
  #delete(ids) {
    const place = this.#visible.findIndex(({ id }) => id === ids[0]);
    const pending = deletion.hide(ids);
    showUndo({
      text: t("history.deleted"),
      undo: pending.undo,
      commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
    });
    if (place < 0) return;
    if (this.#visible.length > 0) this.#rows.focusRow(place);
    else this.#focusTitle();
  }

  #focusTitle() {
    this.querySelector("h1")?.focus({ preventScroll: true });
  }

  async #clearAll() {
    const isSure = await confirm({
      title: t("history.clear.title", { n: this.#present.length }),
      detail: t("history.clear.text"),
      action: t("history.clear.action"),
    });
    if (!isSure) return;
    try {
      await clearHistory();
      this.#entries = [];
      this.#unreadable = [];
      this.#show();
      this.#focusTitle();
    } catch (error) {
      showToast({ icon: "error", text: paragraphFor(error) });
    }
  }

  #nothingFound() {
    const all = () => {
      this.#search.clear();
      this.#show();
      this.#search.focus();
    };
    return empty({
      icon: "search",
      text: t("library.none.title"),
      detail: t("history.none", { words: this.#words }),
      action: button({ label: t("library.none.action"), onPress: all }),
    });
  }

  #stopSelecting() {
    this.#rows.isSelecting = false;
  }

  /**
   * @param {Event} event
   * @param {(entry: HistoryEntry) => void} work
   */
  #with(event, work) {
    const entry = this.#visible.find(({ id }) => String(id) === detailOf(event).key);
    if (entry !== undefined) work(entry);
  }
}

customElements.define("echo-history-page", HistoryPage);

/** @param {string} text */
const onOneLine = (text) => text.replace(/\s+/g, " ").trim();

/** @param {string} text */
const firstWords = (text) => onOneLine(text.slice(0, 300));

/**
 * Where a text has some words first, in capitals or small letters.
 *
 * @param {string} words
 * @param {string} text
 */
const placeOf = (words, text) => new RegExp(words.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu").exec(text);

/** How many characters stand before the found words: as many as a narrow row has room for. */
const before = 20;

/**
 * The words that a search found in a text, with what stands around them on one line.
 *
 * @param {string} words
 * @param {string} text
 * @returns {[before: string, found: string, after: string] | null} `null` if it does not have them.
 */
export function surroundings(words, text) {
  const line = onOneLine(text);
  const place = placeOf(words, line);
  if (place === null) return null;
  const { index: at, 0: found } = place;
  const space = line.indexOf(" ", at - before);
  const from = at <= before ? 0 : space >= 0 && space < at ? space + 1 : at - before;
  const end = at + found.length;
  return [`${from === 0 ? "" : "…"}${line.slice(from, at)}`, found, line.slice(end, end + 200)];
}

/**
 * The words that the search found, marked, with what stands around them.
 *
 * @param {string} words
 * @param {string} text
 */
function excerpt(words, text) {
  const around = surroundings(words, text);
  return around && h("span", { class: "found", dir: "auto" }, around[0], h("mark", {}, around[1]), around[2]);
}

function nothingYet() {
  return empty({
    icon: "history",
    text: t("history.empty.title"),
    detail: t("history.empty.text"),
    action: h("a", { class: "button primary", href: "/speak" }, t("history.empty.action")),
  });
}

function switchedOff() {
  return empty({
    icon: "history",
    text: t("history.off.text"),
    action: h("a", { class: "button", href: "/settings/security" }, t("history.off.action")),
  });
}

function offNotice() {
  return notice({
    text: t("history.off.text"),
    actions: [h("a", { class: "button", href: "/settings/security" }, t("history.off.action"))],
  });
}
