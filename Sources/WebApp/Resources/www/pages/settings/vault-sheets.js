import { button } from "../../components/button.js";
import { field, isBusy, newPasscode, setBusy, toggleSwitch } from "../../components/field.js";
import { errorNotice, notice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { clock, wordsFor } from "../../core/format.js";
import { isKnown, t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { ServerProblem } from "../../server/http.js";
import {
  changePasscode,
  checkLibrary,
  proposeRecoveryCode,
  removePasscode,
  renewRecoveryCode,
  setPasscode,
} from "../../server/settings.js";

/** @typedef {import("../../server/settings.js").VaultReport} VaultReport */

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

/**
 * The result, in a sentence.
 *
 * @param {VaultReport} report
 */
export function summaryOf({ isSound, findings }) {
  const faults = findings.filter(({ kind }) => kind === "fault").length;
  return isSound ? t("vaultCheck.sound") : t("vaultCheck.found", { n: faults });
}

/**
 * A line of the report in the person's language; in English when it is new to the page.
 *
 * @param {VaultReport["findings"][number]} finding
 */
export function findingWords({ code, message, name = "", count = 0, seconds = 0, duration = 0 }) {
  const key = `vaultCheck.finding.${code}`;
  return isKnown(key) ? t(key, { name, n: count, lost: clock(seconds), whole: clock(duration) }) : message;
}

/** The sheet that looks for damage in the library, and repairs what can be repaired. Closing it ends a check. */
export class VaultCheckSheet extends Sheet {
  #readsData = false;
  #words = h("p", {});
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("check.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #progress = h("div", { class: "vault-check-progress", hidden: true }, this.#words, this.#bar);
  #result = h("div", { class: "vault-check-result" });
  #announced = h("p", { class: "visually-hidden", role: "status" });
  #check = button({ label: t("vaultCheck.start"), look: "primary", onPress: () => this.#run(this.#check, false) });
  #repair = button({ label: t("vaultCheck.repair"), onPress: () => this.#run(this.#repair, true) });
  #tenth = 0;

  constructor() {
    super({ title: t("vaultCheck.title"), kind: "side", className: "vault-check-sheet" });
    const label = t("vaultCheck.all");
    const all = toggleSwitch({ label, isOn: false, onChange: (isOn) => (this.#readsData = isOn) });
    this.#repair.hidden = true;
    this.build({
      content: [
        h(
          "div",
          { class: "form" },
          h("p", {}, t("vaultCheck.intro")),
          h("div", { class: "export-option" }, h("span", {}, label), all),
          this.#progress,
          this.#result,
          this.#announced,
        ),
      ],
      actions: [this.#repair, this.#check],
    });
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {boolean} repairs
   */
  async #run(pressed, repairs) {
    if (isBusy(this.#check) || isBusy(this.#repair)) return;
    const readsData = this.#readsData;
    fill(this.#result);
    this.#tenth = 0;
    this.#show(0);
    setText(this.#announced, t("vaultCheck.beginning"));
    this.#progress.hidden = false;
    setBusy(pressed, t("vaultCheck.working"));
    try {
      const report = await checkLibrary({ readsData, repairs }, (percent) => this.#show(percent), this.signal);
      const summary = summaryOf(report);
      fill(this.#result, ...resultOf(report, summary, { readsData, repairs }));
      setText(this.#announced, summary);
      this.#offerRepair(report.canBeRepaired && !repairs);
    } catch (error) {
      if (this.signal.aborted) return;
      setText(this.#announced, "");
      fill(this.#result, errorNotice(error));
    } finally {
      setBusy(pressed, null);
      this.#progress.hidden = true;
    }
  }

  /** @param {number} percent */
  #show(percent) {
    setText(this.#words, percent === 0 ? t("vaultCheck.beginning") : t("vaultCheck.percent", { n: percent }));
    this.#bar.style.setProperty("--part", String(percent / 100));
    setAttribute(this.#bar, "aria-valuenow", String(percent));
    const tenth = Math.floor(percent / 10);
    if (tenth > this.#tenth) setText(this.#announced, t("vaultCheck.percent", { n: tenth * 10 }));
    this.#tenth = tenth;
  }

  /** @param {boolean} isOffered */
  #offerRepair(isOffered) {
    const hadFocus = document.activeElement === this.#repair;
    this.#repair.hidden = !isOffered;
    if (hadFocus && !isOffered) this.#check.focus();
  }
}

/**
 * @param {VaultReport} report
 * @param {string} summary
 * @param {{ readsData: boolean, repairs: boolean }} order
 */
function resultOf(report, summary, { readsData, repairs }) {
  const { isSound, canBeRepaired, contents, findings } = report;
  const detail = t("vaultCheck.contents", { n: contents });
  return [
    notice({ text: summary, detail, kind: isSound ? "info" : "warning" }),
    findings.length === 0 ? null : h("ul", { class: "vault-check-findings" }, ...findings.map((one) => h("li", {}, findingWords(one)))),
    isSound && !readsData ? h("p", { class: "muted" }, t("vaultCheck.quick")) : null,
    canBeRepaired && !repairs ? h("p", {}, t("vaultCheck.repair.text")) : null,
    isSound ? null : h("p", {}, t("vaultCheck.lost")),
  ];
}
