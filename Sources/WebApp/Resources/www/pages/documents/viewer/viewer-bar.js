import { button } from "../../../components/button.js";
import { segments, setSegment } from "../../../components/field.js";
import { h, setAttribute, setText } from "../../../core/dom.js";
import { number, t } from "../../../core/i18n.js";

/**
 * @typedef {import("../../../server/documents.js").Structure} Structure
 * @typedef {import("./page-pictures.js").Zoom} Zoom
 */

/** How large pages can be, times the view's width. */
const factors = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** @typedef {"pages" | "text"} Mode */

/**
 * @typedef {object} ViewerBarActions
 * @property {() => void} openContents
 * @property {(mode: Mode) => void} show
 * @property {(zoom: Zoom) => void} zoom
 * @property {(page: number) => void} goToPage
 */

/** The row of tools above a document; stays in view. */
export class ViewerBar {
  #actions;
  #count;
  #factor = 1;
  /** @type {Zoom} */
  #zoom = "width";
  #page;
  #modes;
  #zooms;
  #percent = h("span", { class: "zoom-words numbers", "aria-live": "polite" });
  #fit;

  /**
   * @param {Structure} structure
   * @param {HTMLElement} find
   * @param {ViewerBarActions} actions
   */
  constructor({ kind, pages, chapters }, find, actions) {
    this.#actions = actions;
    this.#count = pages.length;
    this.#page = h("input", { type: "text", inputmode: "numeric", class: "field page-field numbers", autocomplete: "off", "aria-label": t("viewer.page") });
    this.#page.addEventListener("change", () => this.#typed());
    this.#page.addEventListener("focus", () => this.#page.select());
    const quiet = /** @type {const} */ ({ look: "quiet", iconOnly: true });
    const step = (/** @type {1 | -1} */ by) => () => this.zoomBy(by);
    this.#fit = button({ label: t("viewer.fit.page"), icon: "expand", ...quiet, onPress: () => this.setZoom(this.#zoom === "width" ? "page" : "width") });
    this.#zooms = h(
      "div",
      { class: "zooms", role: "group", "aria-label": t("viewer.zoom") },
      button({ label: t("viewer.zoom.out"), icon: "minus", ...quiet, onPress: step(-1) }),
      this.#percent,
      button({ label: t("viewer.zoom.in"), icon: "plus", ...quiet, onPress: step(1) }),
      this.#fit,
    );
    this.#modes = segments({
      label: t("viewer.mode"),
      options: [{ value: /** @type {Mode} */ ("pages"), label: t("viewer.mode.pages") }, { value: "text", label: t("viewer.mode.text") }],
      value: "pages",
      onChange: actions.show,
    });
    this.element = h(
      "div",
      { class: "viewer-bar", role: "toolbar", "aria-label": t("viewer.tools") },
      chapters.length === 0 ? null : button({ label: t("viewer.contents"), icon: "chapters", look: "quiet", iconOnly: true, opens: true, onPress: actions.openContents }),
      kind === "pdf" ? this.#modes : null,
      this.#zooms,
      pages.length < 2 ? null : h("div", { class: "page-place" }, this.#page, h("span", { class: "muted numbers" }, t("viewer.of", { n: pages.length }))),
      find,
    );
  }

  /** @param {Mode} mode */
  showMode(mode) {
    setSegment(this.#modes, mode);
    this.#zooms.hidden = mode === "text";
  }

  /** @param {number} page */
  showPage(page) {
    if (document.activeElement !== this.#page) this.#page.value = String(page);
  }

  /**
   * @param {Zoom} zoom
   * @param {number} factor What that comes to, times the view's width.
   */
  showZoom(zoom, factor) {
    this.#zoom = zoom;
    this.#factor = factor;
    setText(this.#percent, t("viewer.percent", { n: number(factor * 100) }));
    const label = t(zoom === "width" ? "viewer.fit.page" : "viewer.fit.width");
    setAttribute(this.#fit, "aria-label", label);
    setAttribute(this.#fit, "title", label);
  }

  /** @param {1 | -1} by */
  zoomBy(by) {
    const wanted =
      by > 0 ? factors.find((one) => one > this.#factor + 0.01) : [...factors].reverse().find((one) => one < this.#factor - 0.01);
    if (wanted !== undefined) this.setZoom(wanted === 1 ? "width" : wanted);
  }

  /** @param {Zoom} zoom */
  setZoom(zoom) {
    if (!this.#zooms.hidden) this.#actions.zoom(zoom);
  }

  #typed() {
    const page = Math.round(Number(this.#page.value));
    if (page >= 1 && page <= this.#count) this.#actions.goToPage(page);
    else this.#page.value = "";
    this.#page.select();
  }
}
