import { fill, h, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { isConnected } from "../core/store.js";
import { icon, logo } from "./icon.js";

/** @typedef {import("../pages/registry.js").Page} Page */

/** How many pages have a tab of their own on a narrow page; the rest are under “More”. */
const tabs = 5;

/**
 * What stays while pages change: the navigation and the places for the page and the player.
 *
 * @param {readonly Page[]} pages
 * @param {HTMLElement} player
 */
export function makeFrame(pages, player) {
  const main = h("main", { id: "main", class: "main" });
  const offline = h("p", { class: "offline", role: "status" });
  const top = h("div", { class: "frame-top" });
  const navigation = h("nav", { class: "navigation", "aria-label": t("frame.pages") });
  const element = h(
    "div",
    { class: "frame" },
    h("a", { class: "skip", href: "#main", onclick: skip }, t("frame.skip")),
    navigation,
    h("div", { class: "content" }, offline, top, main),
    player,
  );

  const fits = pages.length <= tabs;
  const rest = fits ? [] : pages.slice(tabs - 1);
  fill(
    navigation,
    h("a", { class: "brand", href: "/", "aria-label": t("frame.home") }, logo(), h("span", { class: "nav-label" }, "EchoText")),
    h(
      "ul",
      { class: "nav-list" },
      ...pages.map((page) => h("li", { class: rest.includes(page) ? "beyond" : null }, pageLink(page))),
      rest.length === 0 ? null : h("li", { class: "more-pages" }, moreButton(rest)),
    ),
  );

  /** @param {MouseEvent} event */
  function skip(event) {
    event.preventDefault();
    focusPage();
  }

  function focusPage() {
    const title = main.querySelector("h1");
    if (title instanceof HTMLElement) title.focus({ preventScroll: true });
  }

  return {
    element,
    main,
    top,
    focusPage,
    /** @param {string} id The page that is shown. */
    mark(id) {
      for (const link of navigation.querySelectorAll("a[data-page]")) {
        setAttribute(link, "aria-current", link instanceof HTMLElement && link.dataset.page === id ? "page" : null);
      }
      navigation.querySelector(".more-pages button")?.classList.toggle("current", rest.some((page) => page.id === id));
    },
    /** @param {AbortSignal} signal */
    start(signal) {
      let timer = 0;
      isConnected.follow((yes) => {
        clearTimeout(timer);
        if (yes) offline.textContent = "";
        else timer = setTimeout(() => (offline.textContent = t("frame.offline")), 1_500);
      }, signal);
    },
  };

  /** @param {Page} page */
  function pageLink(page) {
    return h(
      "a",
      { href: page.address, class: "nav-link", "data-page": page.id },
      icon(page.icon),
      h("span", { class: "nav-label" }, t(page.title)),
    );
  }

  /** @param {readonly Page[]} rest */
  function moreButton(rest) {
    const more = h(
      "button",
      { type: "button", class: "nav-link", "aria-haspopup": "menu" },
      icon("more"),
      h("span", { class: "nav-label" }, t("do.more")),
    );
    more.addEventListener("click", async () => {
      const { openMenu } = await import("./menu.js");
      const items = rest.map((page) => ({
        label: t(page.title),
        icon: page.icon,
        run: () => /** @type {HTMLElement} */ (navigation.querySelector(`[data-page="${page.id}"]`)).click(),
      }));
      openMenu(items, { label: t("frame.pages"), anchor: more });
    });
    return more;
  }
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
