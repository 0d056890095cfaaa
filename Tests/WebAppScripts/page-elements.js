/**
 * The globals that a module that defines an element names when it is imported; import this first.
 *
 * Such tests are of the module's values; what it shows is tested in a browser.
 */
class Unplaced {
  childNodes = [];
  firstChild = null;
  setAttribute() {}
  addEventListener() {}
  append() {}
  replaceChildren() {}
  contains() {
    return false;
  }
}

/** @type {Map<string, string>} */
const stored = new Map();

Object.assign(globalThis, {
  BroadcastChannel: undefined, // an open one keeps the test's process alive
  HTMLElement: Unplaced,
  addEventListener() {},
  customElements: { define() {} },
  document: { createElement: () => new Unplaced(), documentElement: {}, activeElement: null },
  history: { state: null },
  localStorage: {
    getItem: (/** @type {string} */ name) => stored.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ value) => void stored.set(name, value),
    removeItem: (/** @type {string} */ name) => void stored.delete(name),
  },
});
