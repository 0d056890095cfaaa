import { button, icon } from "../../components/button.js";
import { field } from "../../components/field.js";
import { errorNotice, notice } from "../../components/notice.js";
import { dragRow } from "../../components/row-content.js";
import { openMenu } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { clock, size } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";
import { ServerProblem } from "../../server/http.js";
import { eachOf, loadItem } from "../../server/library.js";

/** @typedef {import("../../server/library.js").Item} Item */

/** The server's limit for a cover, in bytes. */
const largestCover = 20_000_000;

/** The title, author and cover of one file made from recordings, and the order of the recordings in it. */
export class JoinedDetails {
  #title;
  #author;
  #cover;
  #order;
  #problem = h("div", { class: "export-problem" });
  /** @type {HTMLElement} */
  element;

  /**
   * @param {string[]} ids Of the recordings.
   * @param {() => void} changed
   */
  constructor(ids, changed) {
    const one = { attributes: { maxlength: 200 }, onInput: changed };
    this.#title = field({ label: t("export.book.title"), hint: t("export.book.title.hint"), ...one });
    this.#author = field({ label: t("export.book.author"), hint: t("export.book.author.hint"), ...one });
    this.#cover = new Cover(changed);
    this.#order = new Order(ids, changed);
    this.element = h("div", { class: "form export-book" }, this.#title.element, this.#author.element, this.#cover.element, this.#problem, this.#order.element);
  }

  /**
   * Loads the recordings' names, if there are several to order.
   *
   * @param {AbortSignal} signal
   */
  async load(signal) {
    fill(this.#problem);
    try {
      await this.#order.load(signal);
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.load(signal) });
      if (!signal.aborted) fill(this.#problem, errorNotice(error, again));
    }
  }

  /** @param {boolean} hasRoomForCover */
  showCover(hasRoomForCover) {
    this.#cover.element.hidden = !hasRoomForCover;
  }

  /** The recordings in their order. */
  get ids() {
    return this.#order.ids;
  }

  /** @returns {{ title?: string, author?: string }} The values that were filled in. */
  get words() {
    const [title, author] = [this.#title.input.value.trim(), this.#author.input.value.trim()];
    return { title: title || undefined, author: author || undefined };
  }

  /** @returns {File | null} */
  get cover() {
    return this.#cover.element.hidden ? null : this.#cover.file;
  }

  /** Whether anything was filled in. */
  get isFilled() {
    const { title, author } = this.words;
    return title !== undefined || author !== undefined || this.cover !== null;
  }
}

/** The field for the cover of an audiobook: it selects, shows and removes a picture. */
class Cover {
  /** @type {File | null} */
  file = null;
  #changed;
  #shown = h("div", { class: "cover-shown" });
  #error = h("p", { class: "field-error", role: "alert" });
  #picker = h("input", { type: "file", accept: "image/jpeg,image/png", class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
    this.#picker.addEventListener("change", () => {
      this.#take(this.#picker.files?.[0] ?? null);
      this.#picker.value = "";
    });
    this.element = h("div", { class: "entry" }, h("p", { class: "field-label" }, t("export.book.cover")), this.#shown, this.#picker, this.#error);
    this.#show();
  }

  /** @param {File | null} file */
  #take(file) {
    this.#error.replaceChildren();
    if (file !== null && file.size > largestCover) {
      this.#error.append(icon("error"), t("error.export.cover-too-large"));
      return;
    }
    this.file = file;
    this.#show();
    this.#changed();
  }

  #show() {
    const hadFocus = this.#shown.contains(document.activeElement);
    const { file } = this;
    const choose = button({ label: t(file === null ? "export.book.cover.choose" : "export.book.cover.other"), icon: "plus", onPress: () => this.#picker.click() });
    if (file === null) {
      fill(this.#shown, choose, h("p", { class: "muted small" }, t("export.book.cover.hint")));
    } else {
      const remove = button({ label: t("export.book.cover.remove"), icon: "close", look: "quiet", iconOnly: true, onPress: () => this.#take(null) });
      fill(this.#shown, picture(file), h("p", { class: "small cover-name" }, h("span", { dir: "auto" }, file.name), h("span", { class: "muted numbers" }, size(file.size))), choose, remove);
    }
    if (hadFocus) choose.focus();
  }
}

/** @param {File} file */
function picture(file) {
  const address = URL.createObjectURL(file);
  const image = h("img", { class: "cover-picture", alt: "", src: address });
  for (const event of ["load", "error"]) image.addEventListener(event, () => URL.revokeObjectURL(address), { once: true });
  return image;
}

/** The list that orders several recordings: by dragging, Alt+↑↓, a menu, or all at once. */
class Order {
  /** @type {string[]} */
  ids;
  /** @type {Map<string, Item>} */
  #items = new Map();
  #changed;
  #list = h("ol", { class: "queue-list join-list" });
  #missing = h("div", { class: "export-problem" });
  #status = h("p", { class: "visually-hidden", role: "status" });

  /**
   * @param {string[]} ids
   * @param {() => void} changed
   */
  constructor(ids, changed) {
    this.ids = [...ids];
    this.#changed = changed;
    const sort = button({ label: t("export.order.sort"), icon: "sort", look: "quiet", onPress: () => this.#openSort(sort) });
    sort.setAttribute("aria-haspopup", "menu");
    this.element = h("div", { hidden: true }, h("div", { class: "join-head" }, h("h3", {}, t("export.order")), sort), this.#missing, this.#list, this.#status);
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("pointerdown", (event) => this.#drag(event));
  }

  /** @param {AbortSignal} signal */
  async load(signal) {
    if (this.ids.length < 2) return;
    const items = await eachOf(this.ids, (id) => unlessGone(loadItem(id, signal)));
    this.#items = new Map(items.flatMap((item) => (item === null ? [] : [[item.id, item]])));
    const missing = this.ids.filter((id) => !this.#items.has(id)).length;
    if (missing > 0 && missing < this.ids.length) this.#leaveOut(missing);
    this.element.hidden = false;
    this.#show();
  }

  /** @param {number} missing How many recordings no longer exist. */
  #leaveOut(missing) {
    this.ids = this.ids.filter((id) => this.#items.has(id));
    fill(this.#missing, notice({ text: t("export.order.missing", { n: missing }), kind: "warning" }));
    this.#changed();
  }

  #show() {
    fill(this.#list, ...this.ids.map((id, index) => this.#row(id, index)));
  }

  /**
   * @param {string} id
   * @param {number} index
   */
  #row(id, index) {
    const { name = "", duration = 0 } = this.#items.get(id) ?? {};
    const more = button({ label: t("queue.more.about", { name }), icon: "more", look: "quiet", iconOnly: true, onPress: () => this.#menu(id, more) });
    const words = h("span", { class: "queue-words" }, h("span", { class: "row-title", dir: "auto" }, name), h("span", { class: "muted small numbers" }, clock(duration)));
    const handle = h("span", { class: "queue-handle", "aria-hidden": "true" }, icon("drag"));
    return h("li", { class: "queue-row", "data-id": id }, handle, h("span", { class: "join-number muted numbers", "aria-hidden": "true" }, String(index + 1)), words, more);
  }

  /**
   * @param {string} id
   * @param {Element} anchor
   */
  #menu(id, anchor) {
    const at = this.ids.indexOf(id);
    const last = this.ids.length - 1;
    openMenu(
      [
        { label: t("queue.up"), icon: "arrow-up", key: "Alt ↑", isDisabled: at === 0, run: () => this.#move(id, at - 1) },
        { label: t("queue.down"), icon: "arrow-down", key: "Alt ↓", isDisabled: at === last, run: () => this.#move(id, at + 1) },
        { label: t("queue.first"), icon: "arrow-up", isDisabled: at === 0, run: () => this.#move(id, 0) },
      ],
      { label: t("do.more"), anchor },
    );
  }

  /** @param {Element} anchor */
  #openSort(anchor) {
    const names = new Intl.Collator(language.value, { numeric: true });
    const item = (/** @type {string} */ id) => /** @type {Item} */ (this.#items.get(id));
    openMenu(
      [
        { label: t("export.order.name"), run: () => this.#arrange((a, b) => names.compare(item(a).name, item(b).name)) },
        { label: t("export.order.oldest"), run: () => this.#arrange((a, b) => item(a).created.localeCompare(item(b).created)) },
      ],
      { label: t("export.order.sort"), anchor },
    );
  }

  /** @param {(first: string, second: string) => number} compare */
  #arrange(compare) {
    this.ids.sort(compare);
    this.#show();
    this.#changed();
  }

  /**
   * @param {string} id
   * @param {number} place
   */
  #move(id, place) {
    if (place < 0 || place >= this.ids.length) return;
    this.ids = this.ids.filter((one) => one !== id);
    this.ids.splice(place, 0, id);
    this.#show();
    this.#list.querySelectorAll("button")[place]?.focus();
    const name = this.#items.get(id)?.name ?? "";
    this.#status.textContent = t("queue.moved", { name, place: place + 1, n: this.ids.length });
    this.#changed();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const id = rowOf(event.target)?.dataset.id;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (id === undefined || step === 0) return;
    event.preventDefault();
    const place = this.ids.indexOf(id) + step;
    if (event.altKey) this.#move(id, place);
    else this.#list.querySelectorAll("button")[place]?.focus();
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    dragRow(event, this.#list, ".queue-handle", (id, position) => {
      if (position !== null) this.#move(id, position);
    });
  }
}

/**
 * @param {Promise<Item>} loading
 * @returns {Promise<Item | null>} `null` when the recording no longer exists.
 */
async function unlessGone(loading) {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof ServerProblem && error.status === 404) return null;
    throw error;
  }
}

/** @param {EventTarget | null} target */
function rowOf(target) {
  const row = target instanceof Element ? target.closest("li") : null;
  return row instanceof HTMLElement ? row : null;
}
