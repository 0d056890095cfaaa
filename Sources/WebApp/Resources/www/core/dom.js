/**
 * A child of an element; empty ones are omitted.
 *
 * @typedef {Node | string | null | undefined | false} Child
 */

/**
 * @typedef {string | number | boolean | null | undefined | ((event: any) => void)} AttributeValue
 */

/**
 * Builds an element: the only way to make markup, so that text is never parsed as markup.
 *
 * - An attribute that is `null`, `undefined` or `false` is omitted; `true` gives it no value.
 * - `onclick`, `oninput`, … with a function add a listener for the life of the element.
 * - `class` and everything else become attributes unchanged; `value` and `checked` become properties too.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, AttributeValue>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (name === "value" && "value" in element) {
      /** @type {any} */ (element).value = String(value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/**
 * Makes these the children of `element`. Those that are there stay, with the focus and a press.
 *
 * @param {Element | DocumentFragment} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const wanted = new Set(children);
  for (const one of [...element.childNodes]) if (!wanted.has(one)) one.remove();
  let next = element.firstChild;
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (child === next) next = next.nextSibling;
    else if (next === null) element.append(child);
    else next.before(child);
  }
}

/**
 * An entry made before, or a new one.
 *
 * @template Made
 * @param {Map<string, Made>} all
 * @param {string} key
 * @param {() => Made} make
 */
export function kept(all, key, make) {
  const one = all.get(key) ?? make();
  all.set(key, one);
  return one;
}

/**
 * The first match; there must be one.
 *
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function find(root, selector, kind) {
  const element = root.querySelector(selector);
  if (!(element instanceof kind)) throw new Error(`no ${selector} here`);
  return element;
}

/**
 * Sets an attribute only when it differs, to avoid repeated announcements and layouts.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string | boolean | null} value `true` gives it no value; `false` and `null` remove it.
 */
export function setAttribute(element, name, value) {
  if (value === null || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : value;
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/**
 * Sets an element's text only when it differs.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Whether typing there writes text, so that letters are not shortcuts.
 *
 * @param {EventTarget | null} target
 */
export function takesText(target) {
  if (target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLInputElement) {
    return !["checkbox", "radio", "range", "button", "submit", "color", "file"].includes(target.type);
  }
  return target instanceof HTMLElement && (target.isContentEditable || target instanceof HTMLSelectElement);
}

let lastId = 0;

/**
 * A new id for `aria-labelledby` and the like.
 *
 * @param {string} stem
 */
export function newId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Milliseconds after which a page that paints nothing, such as a hidden one, counts as painted. */
const longestFrame = 100;

/** Fulfilled when the current document has been painted. */
export function painted() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestFrame);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}

/** @type {Map<string, Promise<void>>} */
const styles = new Map();

/**
 * Loads a style sheet once. One that the document has disabled is enabled instead.
 *
 * @param {string} address
 * @returns {Promise<void>} Fulfilled when it applies; rejected when it cannot be loaded.
 */
export function loadStyle(address) {
  let loading = styles.get(address);
  if (loading === undefined) {
    loading = bringStyle(address);
    styles.set(address, loading);
    loading.catch(() => styles.delete(address));
  }
  return loading;
}

/**
 * @param {string} address
 * @returns {Promise<void>}
 */
function bringStyle(address) {
  const named = document.querySelector(`link[rel=stylesheet][href="${address}"]`);
  const link = named instanceof HTMLLinkElement ? named : h("link", { rel: "stylesheet", href: address });
  if (link.sheet !== null && !link.disabled) return Promise.resolve();
  return new Promise((resolve, reject) => {
    link.addEventListener("load", () => resolve(), { once: true });
    link.addEventListener(
      "error",
      () => {
        // A failed link never loads or fails again.
        if (link === named) link.replaceWith(h("link", { rel: "stylesheet", href: address, disabled: true }));
        else link.remove();
        reject(new Error(`no style: ${address}`));
      },
      { once: true },
    );
    if (link === named) link.disabled = false;
    else document.head.append(link);
  });
}

/** Enables the style sheets that the document has disabled. */
export function loadHeldStyles() {
  const held = [...document.querySelectorAll("link[rel=stylesheet][disabled]")];
  return Promise.all(held.map((link) => loadStyle(link.getAttribute("href") ?? "")));
}
