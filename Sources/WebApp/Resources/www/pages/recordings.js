import { errorNotice } from "../components/notice.js";
import { h, loadStyle } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { matchRoute } from "../core/router.js";
import { RecordingList } from "./recordings/recording-list.js";

/** The part of the address that belongs to the recognisers, as no recording's id does. */
const recognizers = "recognizers";

/** `<echo-recordings-page>`: the recorder, and the recorded and imported sound; or the transcript of one, or the recognisers. */
export class RecordingsPage extends HTMLElement {
  #life = new AbortController();
  #list = new RecordingList();
  /** The scroll position of the list when it was left, in pixels. */
  #scrolled = 0;
  /** @type {string | null} The id of the recording whose transcript is open. */
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
    const id = matchRoute(location.pathname, [{ address: "/recordings" }])?.rest ?? "";
    if (id === "") {
      this.#showList(isMoving);
      return;
    }
    if (this.#shown === id) {
      this.firstElementChild?.dispatchEvent(new CustomEvent("address"));
      return;
    }
    if (this.#shown === null) this.#scrolled = scrollY;
    this.#shown = id;
    try {
      const view = await (id === recognizers ? recognizersView() : transcriptView(id));
      if (this.#shown !== id || this.#life.signal.aborted) return;
      this.replaceChildren(view);
      scrollTo(0, 0);
      view.focusTitle();
    } catch (error) {
      this.#shown = null;
      this.replaceChildren(errorNotice(error, h("a", { class: "button", href: "/recordings" }, t("transcript.back"))));
    }
  }

  /** @param {boolean} isMoving */
  #showList(isMoving) {
    this.#shown = null;
    if (this.#list.isConnected) {
      this.#list.dispatchEvent(new CustomEvent("address"));
      return;
    }
    this.replaceChildren(this.#list);
    if (isMoving) scrollTo(0, this.#scrolled);
  }
}

async function recognizersView() {
  const styles = ["/styles/transcript.css", "/styles/recognizers.css"].map(loadStyle);
  const [{ RecognizersView }] = await Promise.all([import("./recognizers/recognizers-view.js"), ...styles]);
  return new RecognizersView();
}

/** @param {string} id As in the address. */
async function transcriptView(id) {
  const styles = ["/styles/reading-text.css", "/styles/transcript.css"].map(loadStyle);
  const [{ TranscriptView }] = await Promise.all([import("./recordings/transcript/transcript-view.js"), ...styles]);
  const view = new TranscriptView();
  view.recordingId = decoded(id);
  return view;
}

/** @param {string} id As in the address; no recording has a badly escaped id, and the server reports that. */
function decoded(id) {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

customElements.define("echo-recordings-page", RecordingsPage);
