import { errorNotice } from "../components/notice.js";
import { h, loadStyle } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { placeIn } from "./practice/places.js";
import { PracticeList } from "./practice/practice-list.js";

/** `<echo-practice-page>`: the speeches and sessions; or a speech being written; or a session being practised. */
export class PracticePage extends HTMLElement {
  #life = new AbortController();
  #list = new PracticeList();
  /** The scroll position of the list when it was left, in pixels. */
  #scrolled = 0;
  /** @type {string | null} The address of what is shown instead of the list. */
  #shown = null;

  connectedCallback() {
    this.#life = new AbortController();
    this.addEventListener("address", () => this.#show(true), { signal: this.#life.signal });
    this.#show(false);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** @param {boolean} isMoving Whether the user came from within the page. */
  async #show(isMoving) {
    const place = placeIn(location.pathname);
    if (place === null) {
      this.#showList(isMoving);
      return;
    }
    const address = location.pathname;
    // A new speech gets its own address when it is first saved.
    const isSame = this.firstElementChild?.getAttribute("data-address") === address;
    if (this.#shown === address || isSame) return;
    if (this.#shown === null) this.#scrolled = scrollY;
    this.#shown = address;
    try {
      const view = await viewOf(place);
      if (this.#shown !== address || this.#life.signal.aborted) return;
      this.replaceChildren(view);
      scrollTo(0, 0);
      view.focusTitle();
    } catch (error) {
      this.#shown = null;
      this.replaceChildren(errorNotice(error, h("a", { class: "button", href: "/practice" }, t("practice.back"))));
    }
  }

  /** @param {boolean} isMoving */
  #showList(isMoving) {
    this.#shown = null;
    if (this.#list.isConnected) return;
    this.replaceChildren(this.#list);
    if (isMoving) scrollTo(0, this.#scrolled);
  }
}

/** @param {import("./practice/places.js").PracticePlace} place */
async function viewOf({ kind, id }) {
  if (kind === "session") {
    const [{ PracticeSessionView }] = await Promise.all([
      import("./practice/session/session-view.js"),
      loadStyle("/styles/practice-session.css"),
      loadStyle("/styles/slider.css"),
    ]);
    const view = new PracticeSessionView();
    view.sessionId = id;
    return view;
  }
  const { SpeechEditor } = await import("./practice/speeches/speech-editor.js");
  const view = new SpeechEditor();
  view.speechId = id === "new" ? null : id;
  return view;
}

customElements.define("echo-practice-page", PracticePage);
