import { button } from "../../../components/button.js";
import { pageHead } from "../../../components/frame.js";
import { icon } from "../../../components/icon.js";
import { moreButton } from "../../../components/menu.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { NameField } from "../../list/name-field.js";
import { changeItem } from "../../../server/library.js";

/** @typedef {import("../../../server/library.js").Item} Item */

/**
 * @typedef {object} HeadActions
 * @property {() => void} transcribe
 * @property {(anchor: Element) => void} openMenu
 */

/** The top of a recording's page: its name, which a press changes, and what can be done with it. */
export class TranscriptHead {
  element = this.#made("", []);
  /** @type {Item | null} */
  #item = null;
  #hasTranscript = false;
  #shown = "";
  #actions;

  /** @param {HeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /**
   * @param {Item} item
   * @param {boolean} hasTranscript
   */
  show(item, hasTranscript) {
    this.#item = item;
    this.#hasTranscript = hasTranscript;
    // A name that is being typed stays; what has changed is shown afterwards.
    if (this.#title.querySelector("input") !== null) return;
    const state = `${item.name} ${item.origin} ${hasTranscript}`;
    if (state === this.#shown) return;
    this.#shown = state;
    const { transcribe, openMenu } = this.#actions;
    const label = t(hasTranscript ? "order.title.again" : "order.title");
    const order = button({ label, icon: "text", look: "plain", opens: true, onPress: transcribe });
    const more = moreButton({ label: t("transcript.more", { name: item.name }), look: "plain", open: openMenu });
    this.#replace(item.name, item.origin === "narrated" ? [more] : [order, more]);
    const title = this.#title;
    title.classList.add("changes");
    title.title = t("transcript.rename");
    title.addEventListener("click", () => this.rename());
  }

  /** @param {string} title Shows that there is no recording. */
  fail(title) {
    this.#shown = "";
    this.#replace(title, []);
  }

  /** Puts a field in place of the name. */
  rename() {
    const item = this.#item;
    const title = this.#title;
    if (item === null || title.querySelector("input") !== null) return;
    const field = new NameField(item, {
      label: t("library.rename.label"),
      rename: (name) => changeItem(item.id, { name }),
      done: (changed) => {
        const now = changed ?? this.#item ?? item;
        title.replaceChildren(now.name);
        this.show(now, this.#hasTranscript);
        this.focus();
      },
    });
    title.replaceChildren(field.element);
    field.focus();
  }

  focus() {
    this.#title.focus({ preventScroll: true });
  }

  get #title() {
    return /** @type {HTMLElement} */ (this.element.querySelector("h1"));
  }

  /**
   * @param {string} title
   * @param {HTMLElement[]} actions
   */
  #replace(title, actions) {
    const hadFocus = this.element.contains(document.activeElement);
    const made = this.#made(title, actions);
    this.element.replaceWith(made);
    this.element = made;
    if (hadFocus) this.focus();
  }

  /**
   * @param {string} title
   * @param {HTMLElement[]} actions
   */
  #made(title, actions) {
    const head = pageHead(title, ...actions);
    head.classList.add("transcript-head");
    const label = t("transcript.back");
    head.querySelector("h1")?.setAttribute("dir", "auto");
    head.prepend(h("a", { class: "button quiet icon-only", href: "/recordings", "aria-label": label, title: label }, icon("chevron-left")));
    return head;
  }
}
