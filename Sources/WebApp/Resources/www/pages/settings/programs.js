import { button } from "../../components/button.js";
import { copyText } from "../../components/download.js";
import { field } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { confirm } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { nameProblem, shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { NewestState, onServer } from "../../server/events.js";
import { createKey, loadKeys, revokeKey } from "../../server/settings.js";
import { StepSheet } from "./vault-sheets.js";
import { line, settingGroup } from "./setting-row.js";

/** @typedef {import("../../server/settings.js").APIKey} APIKey */

/** Two steps: a name for a key, and the key, which is in the document only until the sheet closes. */
class NewKeySheet extends StepSheet {
  #made;
  #name = field({
    label: t("keys.name"),
    hint: t("keys.name.hint"),
    attributes: { spellcheck: "false", autocapitalize: "off" },
    onInput: () => this.#name.fail(null),
    onEnter: () => this.#make(),
  });
  #go = button({ label: t("keys.make"), look: "primary", onPress: () => this.#make() });

  /** @param {() => void} made */
  constructor(made) {
    super(t("keys.new"));
    this.#made = made;
    this.show({ content: [this.#name.element], actions: [this.#go] });
  }

  open() {
    super.open();
    this.#name.input.focus();
    return this;
  }

  async #make() {
    const name = this.#name.input.value.trim();
    const problem = nameProblem(name);
    if (problem !== null) {
      this.#name.fail(problem);
      this.#name.input.focus();
      return;
    }
    await this.attempt(this.#go, async () => {
      const { key } = await createKey(name);
      this.#made();
      if (!this.signal.aborted) this.#showKey(key);
    });
  }

  /** @param {string} key */
  #showKey(key) {
    this.isHeld = true;
    const copy = button({ label: t("keys.copy"), icon: "copy", look: "primary", onPress: () => copyAndSay(key, t("keys.copied")) });
    this.show({
      title: t("keys.made"),
      content: [
        h("p", {}, t("keys.once")),
        h("p", { class: "key-text", role: "group", "aria-label": t("keys.key"), tabindex: "0", dir: "ltr", translate: "no" }, key),
      ],
      actions: [copy, button({ label: t("do.done"), onPress: () => this.close() })],
    });
  }
}

/**
 * @param {string} text
 * @param {string} words What is said when it is copied.
 */
async function copyAndSay(text, words) {
  showToast({ text: (await copyText(text)) ? words : t("text.notCopied") });
}

/** The keys of programs, with a button that makes another. */
class KeyList {
  element = h("div", { class: "keys" });
  #signal;
  #newest = new NewestState();
  #shown = "";
  /** Stays the same, for the focus that comes back from its sheet. */
  #add = button({ label: t("keys.new"), icon: "plus", opens: true, onPress: () => new NewKeySheet(() => this.#load()).open() });

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#signal = signal;
    for (const name of /** @type {const} */ (["settings", "reset"])) onServer(name, () => this.#load(), signal);
    // No event says that a program has used a key: that is read again when a person comes back to the page.
    addEventListener("focus", () => this.#load(), { signal });
    this.#load();
  }

  async #load() {
    try {
      const answer = await loadKeys(this.#signal);
      if (this.#newest.takesAnswer(answer)) this.#show(answer);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#shown = "";
      fill(this.element, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }

  /** @param {import("../../server/api.js").APIKeys} all */
  #show({ keys, unreadable }) {
    // Most changes of the settings are not of the keys.
    const shown = JSON.stringify([keys, unreadable]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const buttons = () => [...this.element.querySelectorAll("button")];
    const focused = buttons().find((one) => one === document.activeElement);
    const place = focused === undefined ? 0 : buttons().indexOf(focused);
    fill(
      this.element,
      keys.length === 0
        ? h("p", { class: "setting-text" }, t("keys.none"))
        : h("ul", { class: "named-rows" }, ...keys.map((key) => this.#row(key))),
      unreadable > 0 ? h("p", { class: "muted small" }, t("list.unreadable", { n: unreadable })) : null,
      this.#add,
    );
    if (focused === undefined) return;
    const heir = focused.isConnected ? focused : buttons()[Math.min(place, buttons().length - 1)];
    heir.focus({ preventScroll: true });
  }

  /** @param {APIKey} key */
  #row({ name, created, lastUsed }) {
    const dates = { created: shortDate(created), used: lastUsed === undefined ? "" : shortDate(lastUsed) };
    const revoke = button({ label: t("keys.revoke"), opens: true, onPress: () => this.#revoke(name) });
    revoke.setAttribute("aria-label", t("keys.revoke.label", { name }));
    return h(
      "li",
      { class: "named-row" },
      h(
        "div",
        { class: "named-row-words" },
        h("span", { class: "named-row-name", dir: "auto" }, name),
        h("span", { class: "named-row-facts" }, t(lastUsed === undefined ? "keys.unused" : "keys.used", dates)),
      ),
      revoke,
    );
  }

  /** @param {string} name */
  async #revoke(name) {
    const question = { title: t("keys.revoke.title", { name }), detail: t("keys.revoke.detail"), action: t("keys.revoke") };
    if (!(await confirm(question))) return;
    await attempt(() => revokeKey(name));
    await this.#load(); // another page or a command may have revoked it before
  }
}

/** Where programs reach the server: by a name that stays, unlike the page's. */
function programsAddress() {
  return `http://localhost${location.port === "" ? "" : `:${location.port}`}/v1`;
}

/** @param {AbortSignal} signal */
export function programsGroup(signal) {
  const address = programsAddress();
  const code = h("code", { class: "path", dir: "ltr", translate: "no" }, address);
  return settingGroup(
    t("settings.group.programs"),
    h("p", { class: "setting-text" }, t("keys.text")),
    line({
      title: t("keys.address"),
      text: h("p", { class: "setting-text" }, code, " ", t("keys.address.text")),
      control: button({ label: t("keys.address.copy"), icon: "copy", onPress: () => copyAndSay(address, t("keys.address.copied")) }),
    }),
    new KeyList(signal).element,
  );
}
