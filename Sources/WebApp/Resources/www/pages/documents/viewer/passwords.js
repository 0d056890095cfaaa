import { isOpen, state } from "../../../core/store.js";

/**
 * The passwords that were given to look at documents whose file asks for one; kept in memory until the library is closed.
 *
 * @type {Map<string, string>}
 */
const passwords = new Map();

state.watch(() => !isOpen() && passwords.clear(), new AbortController().signal);

/** @param {string} id Of the document. */
export function passwordOf(id) {
  return passwords.get(id) ?? null;
}

/**
 * @param {string} id Of the document.
 * @param {string} password
 */
export function rememberPassword(id, password) {
  passwords.set(id, password);
}
