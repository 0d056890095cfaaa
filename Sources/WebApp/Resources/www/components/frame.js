import { fill, h, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { isConnected, recordingMark, setting } from "../core/store.js";
import { icon, logo } from "./button.js";

/** @typedef {import("../pages/registry.js").Page} Page */

/** How many pages have a tab on a narrow page; the rest are under “More”. */
const tabs = 5;

/** The part that stays while pages change: the navigation, and the slots for the page and the player. */
export class Frame {
  element;
  main = h("main", { id: "main", class: "main" });
  /** The slot above the page. */
  top = h("div", { class: "frame-top" });
  #offline = h("p", { class: "offline", role: "status" });
  #navigation = h("nav", { class: "navigation", "aria-label": t("frame.pages") });
  /** The pages under “More” on a narrow page. */
  #rest;

  /**
   * @param {readonly Page[]} pages
   * @param {HTMLElement} player
   */
  constructor(pages, player) {
    this.#rest = pages.length <= tabs ? [] : pages.slice(tabs - 1);
    const items = pages.map((page) => h("li", { class: this.#rest.includes(page) ? "beyond" : null }, pageLink(page)));
    const more = this.#rest.length === 0 ? null : h("li", { class: "more-pages" }, this.#moreButton());
    const name = h("span", { class: "nav-label" }, "EchoText");
    fill(
      this.#navigation,
      h("a", { class: "brand", href: "/", "aria-label": t("frame.home") }, logo(), name),
      h("ul", { class: "nav-list" }, ...items, more),
    );
    this.element = h(
      "div",
      { class: "frame" },
      h("a", { class: "skip", href: "#main", onclick: (/** @type {Event} */ event) => this.#skip(event) }, t("frame.skip")),
      this.#navigation,
      h("div", { class: "content" }, this.#offline, this.top, this.main),
      player,
    );
  }

  focusPage() {
    const title = this.main.querySelector("h1");
    if (title instanceof HTMLElement) title.focus({ preventScroll: true });
  }

  /** @param {string} id The current page. */
  mark(id) {
    for (const link of this.#navigation.querySelectorAll("a[data-page]")) {
      setAttribute(link, "aria-current", link instanceof HTMLElement && link.dataset.page === id ? "page" : null);
    }
    const more = this.#navigation.querySelector(".more-pages button");
    more?.classList.toggle("current", this.#rest.some((page) => page.id === id));
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    let timer = 0;
    isConnected.follow((yes) => {
      clearTimeout(timer);
      if (yes) this.#offline.textContent = "";
      else timer = setTimeout(() => (this.#offline.textContent = t("frame.offline")), 1_500);
    }, signal);
    recordingMark.follow((mark) => setAttribute(this.#navigation, "data-recording", mark !== null), signal);
  }

  /** @param {Event} event */
  #skip(event) {
    event.preventDefault();
    this.focusPage();
  }

  #moreButton() {
    const label = h("span", { class: "nav-label" }, t("do.more"));
    const more = h("button", { type: "button", class: "nav-link", "aria-haspopup": "menu" }, icon("more"), label);
    more.addEventListener("click", () => this.#openMore(more));
    return more;
  }

  /** @param {HTMLElement} anchor */
  async #openMore(anchor) {
    const { openMenu } = await import("./sheet.js");
    const items = this.#rest.map((page) => ({ label: t(page.title), icon: page.icon, run: () => this.#press(page) }));
    openMenu(items, { label: t("frame.pages"), anchor });
  }

  /** @param {Page} page */
  #press({ id }) {
    /** @type {HTMLElement} */ (this.#navigation.querySelector(`[data-page="${id}"]`)).click();
  }
}

/** @param {Page} page */
function pageLink({ id, address, title, icon: picture }) {
  const label = h("span", { class: "nav-label" }, t(title));
  return h("a", { href: address, class: "nav-link", "data-page": id }, icon(picture), label);
}

/**
 * The top of a page: its title and the actions of the page as a whole.
 *
 * @param {string} title
 * @param {...import("../core/dom.js").Child} actions
 * @returns {HTMLElement}
 */
export function pageHead(title, ...actions) {
  return h(
    "header",
    { class: "page-head" },
    h("h1", { tabindex: "-1" }, title),
    h("div", { class: "page-actions" }, ...actions),
  );
}

/** The settings that the page's style uses, with their defaults, as attribute names of the root. */
const looks = {
  theme: ["page.theme", "system"],
  readingFont: ["page.reading-font", "serif"],
  spacing: ["page.spacing", "normal"],
  highlight: ["page.highlight", "both"],
};

/** The settings that are lengths, as custom properties. */
const sizes = /** @type {const} */ ([
  ["page.text-size", "100", "--text-scale", (/** @type {number} */ percent) => String(percent / 100)],
  ["page.reading-size", "20", "--reading-size", (/** @type {number} */ pixels) => `${pixels / 16}rem`],
]);

const memory = "look";

/**
 * Applies the page's look settings to its root. The browser stores them too, since the first paint precedes the
 * server's answer; none is private.
 */
export function applyLook() {
  const root = document.documentElement;
  const before = remembered();
  /** @type {Record<string, string>} */
  const now = {};
  for (const [attribute, [name, standIn]] of Object.entries(looks)) {
    const value = (now[name] = setting(name, before[name] ?? standIn));
    root.dataset[attribute] = value;
  }
  for (const [name, standIn, property, style] of sizes) {
    const value = (now[name] = setting(name, before[name] ?? standIn));
    root.style.setProperty(property, style(Number(value) || Number(standIn)));
  }
  localStorage.setItem(memory, JSON.stringify(now));
  chooseFrame();
}

/** @returns {Record<string, string>} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(memory) ?? "{}");
  } catch {
    // Stored by something else: the defaults will do for the first paint.
    return {};
  }
}

/** @param {AbortSignal} signal */
export function followWidth(signal) {
  addEventListener("resize", chooseFrame, { signal });
}

/**
 * Chooses the frame by how much text fits beside it, so that large text gets a narrow page's layout. In pixels at 16 px
 * text: from 1024 the wide frame, from 720 the rail. Below 300 text fills the whole width, and below 480 of height
 * little is left between the bars.
 */
function chooseFrame() {
  const root = document.documentElement;
  const size = Number.parseFloat(getComputedStyle(root).fontSize) || 16;
  // On phones, `innerWidth` includes content that overflows at that moment.
  const room = (root.clientWidth * 16) / size;
  root.dataset.frame = room >= 1_024 ? "wide" : room >= 720 ? "rail" : "narrow";
  root.toggleAttribute("data-tight", room < 300);
  root.toggleAttribute("data-short", (root.clientHeight * 16) / size < 480);
}
