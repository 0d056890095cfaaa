import { button } from "../../components/button.js";
import { field, isBusy, newPasscode, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { ServerProblem } from "../../server/http.js";
import {
  changePasscode,
  proposeRecoveryCode,
  removePasscode,
  renewRecoveryCode,
  setPasscode,
} from "../../server/settings.js";

/**
 * @typedef {object} Step
 * @property {string} [title]
 * @property {(Node | null)[]} content
 * @property {HTMLElement[]} actions
 * @property {HTMLElement} [focus] The element to focus first.
 */

/** A sheet with several steps. */
export class StepSheet extends Sheet {
  #count;
  #place = h("form", { class: "form steps", novalidate: true, onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
  #problem = h("div", { class: "sheet-problem" });

  /**
   * @param {string} title
   * @param {number} [count] The number of steps, if shown.
   */
  constructor(title, count = 0) {
    super({ title, className: "step-sheet" });
    this.#count = count;
    this.build({ content: [this.#place] });
  }

  /**
   * @param {Step} step
   * @param {number} [number] From 1.
   */
  show({ title, content, actions, focus }, number) {
    const count = this.#count;
    this.fail(null);
    fill(
      this.#place,
      number === undefined ? null : h("p", { class: "muted small step-number" }, t("passcode.step", { number, count })),
      title === undefined ? null : h("h3", { class: "step-title", tabindex: "-1" }, title),
      ...content,
      this.#problem,
      h("div", { class: "form-actions" }, ...actions),
    );
    const first = focus ?? this.#place.querySelector("h3");
    if (first instanceof HTMLElement) first.focus();
  }

  /** @param {unknown} error The error of this step; `null` for none. */
  fail(error) {
    fill(this.#problem, error === null ? null : errorNotice(error));
  }

  /**
   * Runs a button's action; the button ignores presses meanwhile.
   *
   * @param {HTMLButtonElement} pressed
   * @param {() => Promise<void>} work
   * @returns {Promise<boolean>} Whether it succeeded.
   */
  async attempt(pressed, work) {
    if (isBusy(pressed)) return true;
    this.fail(null);
    setBusy(pressed, t("passcode.working"));
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    } finally {
      setBusy(pressed, null);
    }
  }
}

/**
 * Two steps: a new recovery code is shown, then typed back from the user's copy. It is in the document only while it is
 * visible, and never goes to the clipboard.
 */
class RecoverySteps {
  #sheet;
  #options;
  #code = "";

  /**
   * @param {StepSheet} sheet
   * @param {object} options
   * @param {number} options.number Of the first of the two steps, from 1.
   * @param {string} options.action The label of the last button.
   * @param {string} [options.passcode] The present one.
   * @param {(code: string) => Promise<void>} options.confirm Receives the typed code; closes the sheet if it is right.
   */
  constructor(sheet, options) {
    this.#sheet = sheet;
    this.#options = options;
  }

  async begin() {
    this.#code = await proposeRecoveryCode(this.#options.passcode);
    this.#showCode();
  }

  #showCode() {
    const groups = this.#code.split("-").map((group) => h("span", {}, group));
    this.#sheet.show(
      {
        title: t("recovery.code.title"),
        content: [
          h("p", {}, t("recovery.code.text")),
          h("p", { class: "recovery-code", "aria-label": t("recovery.code.label"), role: "group" }, ...groups),
        ],
        actions: [button({ label: t("recovery.written"), look: "primary", onPress: () => this.#askForCode() })],
      },
      this.#options.number,
    );
  }

  #askForCode() {
    const typed = field({
      label: t("recovery.confirm.label"),
      className: "code-entry",
      attributes: { autocapitalize: "characters", spellcheck: "false" },
      onInput: () => this.#sheet.fail(null),
      onEnter: () => this.#confirm(typed.input, go),
    });
    const go = button({ label: this.#options.action, look: "primary", onPress: () => this.#confirm(typed.input, go) });
    this.#sheet.show(
      {
        title: t("recovery.confirm.title"),
        content: [h("p", {}, t("recovery.confirm.text")), typed.element],
        actions: [button({ label: t("recovery.again"), look: "quiet", onPress: () => this.#showCode() }), go],
        focus: typed.input,
      },
      this.#options.number + 1,
    );
  }

  /**
   * @param {HTMLInputElement} input
   * @param {HTMLButtonElement} pressed
   */
  async #confirm(input, pressed) {
    if (isBusy(pressed) || input.value.trim() === "") {
      input.focus();
      return;
    }
    if (await this.#sheet.attempt(pressed, () => this.#options.confirm(input.value))) return;
    input.focus();
    input.select();
  }
}

/** Sets a first passcode: choose it, write down its recovery code, type the code back. */
export class SetPasscodeSheet extends StepSheet {
  #passcode = newPasscode({ onEnter: () => this.#go() });
  #next = button({ label: t("passcode.next"), look: "primary", onPress: () => this.#go() });

  constructor() {
    super(t("passcode.set.title"), 3);
  }

  open() {
    super.open();
    this.#choose();
    return this;
  }

  #choose() {
    const { elements, first } = this.#passcode;
    const content = [...elements, h("p", { class: "muted small" }, t("passcode.forgotten"))];
    this.show({ content, actions: [this.#next], focus: first }, 1);
  }

  async #go() {
    const chosen = this.#passcode.read();
    if (chosen === null) return;
    const confirm = (/** @type {string} */ code) => this.#set(chosen, code);
    const steps = new RecoverySteps(this, { number: 2, action: t("recovery.confirm.set"), confirm });
    await this.attempt(this.#next, () => steps.begin());
  }

  /**
   * @param {string} chosen
   * @param {string} code
   */
  async #set(chosen, code) {
    try {
      state.set(await setPasscode(chosen, code));
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.code !== "vault.weak-passcode") throw error;
      this.#choose();
      this.#passcode.fail(wordsFor(error).message);
      return;
    }
    this.close();
    showToast({ icon: "lock", text: t("passcode.set.done") });
  }
}

export class ChangePasscodeSheet extends StepSheet {
  #current = currentPasscode(() => this.#passcode.first.focus());
  #passcode = newPasscode({ onEnter: () => this.#go() });
  #change = button({ label: t("passcode.change.action"), look: "primary", onPress: () => this.#go() });

  constructor() {
    super(t("passcode.change.title"));
  }

  open() {
    super.open();
    const { element, input } = this.#current;
    this.show({ content: [element, ...this.#passcode.elements], actions: [this.#change], focus: input });
    return this;
  }

  async #go() {
    const current = valueOf(this.#current.input);
    const chosen = current === null ? null : this.#passcode.read();
    if (current === null || chosen === null) return;
    await this.attempt(this.#change, async () => {
      state.set(await changePasscode(current, chosen));
      this.close();
      showToast({ icon: "lock", text: t("passcode.change.done") });
    });
  }
}

export class RemovePasscodeSheet extends StepSheet {
  #current = currentPasscode(() => this.#go());
  #remove = button({ label: t("passcode.remove.action"), look: "danger", onPress: () => this.#go() });

  constructor() {
    super(t("passcode.remove.title"));
  }

  open() {
    super.open();
    const { element, input } = this.#current;
    const stay = button({ label: t("do.cancel"), onPress: () => this.close() });
    this.show({ content: [h("p", {}, t("passcode.remove.text")), element], actions: [stay, this.#remove], focus: input });
    return this;
  }

  async #go() {
    const current = valueOf(this.#current.input);
    if (current === null) return;
    await this.attempt(this.#remove, async () => {
      state.set(await removePasscode(current));
      this.close();
      showToast({ text: t("passcode.remove.done") });
    });
  }
}

/** Makes a new recovery code; the old one is valid until the new one has been typed back. */
export class RecoveryCodeSheet extends StepSheet {
  #current = currentPasscode(() => this.#go());
  #next = button({ label: t("passcode.next"), look: "primary", onPress: () => this.#go() });
  #hasPasscode;
  #hasCode;

  constructor() {
    const vault = state.value?.vault;
    super(t(vault?.hasRecoveryCode ? "recovery.renew.title" : "recovery.title"), 3);
    this.#hasCode = vault?.hasRecoveryCode ?? false;
    this.#hasPasscode = (vault?.protection ?? "device") !== "device";
  }

  open() {
    super.open();
    const { element, input } = this.#current;
    const words = t(this.#hasCode ? "recovery.renew.text" : "recovery.make.text");
    const content = [h("p", {}, words), this.#hasPasscode ? element : null];
    this.show({ content, actions: [this.#next], focus: this.#hasPasscode ? input : this.#next }, 1);
    return this;
  }

  async #go() {
    const passcode = this.#hasPasscode ? valueOf(this.#current.input) : undefined;
    if (passcode === null) return;
    const confirm = (/** @type {string} */ code) => this.#renew(code, passcode);
    const steps = new RecoverySteps(this, { number: 2, action: t("recovery.confirm.action"), passcode, confirm });
    await this.attempt(this.#next, () => steps.begin());
  }

  /**
   * @param {string} code
   * @param {string} [passcode]
   */
  async #renew(code, passcode) {
    state.set(await renewRecoveryCode(code, passcode));
    this.close();
    showToast({ icon: "key", text: t(this.#hasCode ? "recovery.renewed" : "recovery.made") });
  }
}

/** @param {() => void} onEnter */
function currentPasscode(onEnter) {
  return field({ label: t("passcode.current"), type: "password", autocomplete: "current-password", onEnter });
}

/**
 * @param {HTMLInputElement} input
 * @returns {string | null} `null` when it is empty; it then gets the focus.
 */
function valueOf(input) {
  if (input.value !== "") return input.value;
  input.focus();
  return null;
}
