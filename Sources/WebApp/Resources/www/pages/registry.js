/**
 * A page of the app. To add one, write its module and add it here: see Documentation/AddingAPage.md.
 *
 * @typedef {object} Page
 * @property {string} id
 * @property {string} address Where it is; what lies below it belongs to it too.
 * @property {string} title The catalogue's key.
 * @property {import("../components/icon.js").IconName} icon
 * @property {string} key What follows `g` to go there.
 * @property {string} tag The custom element that its module defines.
 * @property {() => Promise<unknown>} load
 */

/** @type {readonly Page[]} In the order of the navigation. */
export const pages = Object.freeze([
  {
    id: "speak",
    address: "/speak",
    title: "speak.title",
    icon: "speak",
    key: "s",
    tag: "echo-speak-page",
    load: () => import("./speak.js"),
  },
  {
    id: "library",
    address: "/library",
    title: "library.title",
    icon: "library",
    key: "l",
    tag: "echo-library-page",
    load: () => import("./library.js"),
  },
  {
    id: "history",
    address: "/history",
    title: "history.title",
    icon: "history",
    key: "h",
    tag: "echo-history-page",
    load: () => import("./history.js"),
  },
  {
    id: "settings",
    address: "/settings",
    title: "settings.title",
    icon: "settings",
    key: ",",
    tag: "echo-settings-page",
    load: () => import("./settings.js"),
  },
]);

/** Shown instead of everything while the library is closed; not in the navigation. */
export const lockPage = Object.freeze({ tag: "echo-lock-page", load: () => import("./lock.js") });
