/**
 * @typedef {object} Route
 * @property {string} address Starts with a slash; the page is also shown for addresses below it.
 */

/**
 * Finds the page for an address.
 *
 * @template {Route} Kind
 * @param {string} path Such as `/library/42`.
 * @param {readonly Kind[]} routes
 * @returns {{ route: Kind, rest: string } | null} `rest` is what follows the page's own address, without slashes around
 * it.
 */
export function matchRoute(path, routes) {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, "") : path;
  for (const route of routes) {
    if (trimmed === route.address) return { route, rest: "" };
    if (trimmed.startsWith(`${route.address}/`)) return { route, rest: trimmed.slice(route.address.length + 1) };
  }
  return null;
}

/**
 * A page that a back link can lead to.
 *
 * @typedef {Route & { id: string, title: string }} NamedRoute `title` is the catalogue's key.
 */

/** @type {readonly NamedRoute[]} */
let known = [];

/**
 * Sets the app's pages, for all of them; `app.js` calls it once. A page cannot import the registry that loads it.
 *
 * @param {readonly NamedRoute[]} routes
 */
export function setRoutes(routes) {
  known = routes;
}

/** Called after a change of the address, by what changed it. */
const changes = new EventTarget();

/**
 * The sheets' entries in the browser's history.
 *
 * @type {{ pending: Promise<void> | null, takes: () => boolean }} `pending`: fulfilled once the browser has gone back to the
 *   page below a closed sheet. `takes`: whether a move was between sheets and their page, so that the page stays.
 */
export const sheetEntries = { pending: null, takes: () => false };

/**
 * Opens a page of the app without a reload. It takes over the entry of a sheet on top of the page.
 *
 * @param {string} path
 * @param {{ replace?: boolean }} options `replace`: without a history entry of its own.
 */
export function navigate(path, { replace = false } = {}) {
  if (sheetEntries.pending !== null) {
    sheetEntries.pending.then(() => navigate(path, { replace }));
    return;
  }
  if (path !== location.pathname + location.search) {
    if (replace || history.state?.sheet) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
  }
  changes.dispatchEvent(new Event("change"));
}

/**
 * Calls `changed` when the address changes, and handles clicks on links within the app.
 *
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function followAddress(changed, signal) {
  changes.addEventListener("change", changed, { signal });
  addEventListener("popstate", () => sheetEntries.takes() || changed(), { signal });
  addEventListener("click", takeClick, { signal });
}

/** @param {MouseEvent} event */
export function takeClick(event, go = navigate) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
  if (link.target !== "" || link.hasAttribute("download") || link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/**
 * The address of a page with a link back to this one, in its `from`.
 *
 * @param {string} path
 */
export function addressWithReturn(path) {
  return `${path}?from=${encodeURIComponent(location.pathname)}`;
}

/**
 * The page that linked here by {@link addressWithReturn}, if it is one of the app's own.
 *
 * @param {string} search The address's, starting with a question mark.
 * @param {readonly NamedRoute[]} [routes] Default: those of {@link setRoutes}.
 * @returns {{ route: NamedRoute, path: string } | null}
 */
export function returnIn(search, routes = known) {
  const path = new URLSearchParams(search).get("from") ?? "";
  const found = matchRoute(path, routes);
  return found === null ? null : { route: found.route, path };
}
