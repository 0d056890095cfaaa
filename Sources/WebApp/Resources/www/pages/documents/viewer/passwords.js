import { button } from "../../../components/button.js";
import { field } from "../../../components/field.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { isOpen, state } from "../../../core/store.js";

/**
 * The document passwords that the user has typed; in memory until the library closes.
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

/**
 * Asks for the password for a document's pictures; its text needs none.
 *
 * @param {{ open: (password: string) => void, showText: () => void }} answers
 * @returns {{ element: HTMLElement, refuse: (words: string) => void }} `refuse` announces why the last password did not
 * work, and focuses the field for the next.
 */
export function passwordQuestion({ open, showText }) {
  const give = () => open(password.input.value);
  const password = field({ label: t("viewer.password"), type: "password", hint: t("import.password.hint"), onEnter: give });
  const element = h(
    "div",
    { class: "import-answers" },
    password.element,
    button({ label: t("viewer.password.open"), onPress: give }),
    button({ label: t("viewer.password.text"), look: "quiet", onPress: showText }),
  );
  const refuse = (/** @type {string} */ words) => {
    password.fail(words);
    password.input.focus();
  };
  return { element, refuse };
}
