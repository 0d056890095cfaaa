import { errorNotice } from "../components/notice.js";
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { DocumentList } from "./documents/document-list.js";
import { documentIdIn, home } from "./documents/places.js";

/** `<echo-documents-page>`: the list of documents, or the viewer of one. */
export class DocumentsPage extends HTMLElement {
  #life = new AbortController();
  #list = new DocumentList();
  /** The scroll position of the list when it was left, in pixels. */
  #scrolled = 0;
  /** @type {string | null} The id of the open document. */
  #shown = null;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.addEventListener("address", () => this.#show(true), { signal });
    this.#show(false);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** @param {boolean} isMoving Whether the user came from within the page. */
  async #show(isMoving) {
    const id = documentIdIn(location.pathname);
    if (id === null) {
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
      const { DocumentViewer } = await import("./documents/viewer/document-viewer.js");
      if (this.#shown !== id || this.#life.signal.aborted) return;
      const viewer = new DocumentViewer();
      viewer.documentId = id;
      this.replaceChildren(viewer);
      scrollTo(0, 0);
      viewer.focusTitle();
    } catch (error) {
      this.replaceChildren(errorNotice(error, h("a", { class: "button", href: home }, t("viewer.back"))));
    }
  }

  /** @param {boolean} isMoving */
  #showList(isMoving) {
    const from = this.#shown;
    this.#shown = null;
    if (this.#list.isConnected) {
      this.#list.dispatchEvent(new CustomEvent("address"));
      return;
    }
    this.replaceChildren(this.#list);
    if (!isMoving) return;
    scrollTo(0, this.#scrolled);
    this.#list.focusDocument(from);
  }
}

customElements.define("echo-documents-page", DocumentsPage);
