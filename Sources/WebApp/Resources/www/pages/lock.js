import { button } from "../components/button.js";
import { field, isBusy, setBusy } from "../components/field.js";
import { logo } from "../components/icon.js";
import { errorNotice, notice } from "../components/notice.js";
import { fill, h, setText } from "../core/dom.js";
import { waitWords } from "../core/format.js";
import { t, wordsFor } from "../core/i18n.js";
import { recordingMark, state } from "../core/store.js";
import { newPasscode } from "./settings/new-passcode.js";
import { ServerProblem } from "../server/http.js";
import "../server/proof.js";
import { loadState, recover, unlock } from "../server/state.js";

/** Milliseconds between requests for the state: another tab or the terminal may have unlocked the library. */
const askAgain = 5_000;

/** `<echo-lock-page>`: the whole page while the library is closed. The passcode or the recovery code opens it. */
export class LockPage extends HTMLElement {
  #life = new AbortController();
  #place = h("main", { class: "lock-main" });
  #problem = h("div", { class: "lock-problem" });
  #recording = h("div", { class: "lock-recording" });
  /** When the next passcode is allowed, by `performance.now()`; 0 when one is allowed at once. */
  #until = 0;
  #isRecovering = false;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("lock-page");
    this.replaceChildren(this.#place);
    const vault = state.value?.vault;
    this.#isRecovering = vault?.state === "recoveryNeeded";
    if (vault?.retryAfter) this.#until = performance.now() + vault.retryAfter * 1_000;
    this.#show();
    recordingMark.follow((mark) => fill(this.#recording, mark && recordingNotice(mark)), signal);
    const timer = setInterval(() => this.#ask(), askAgain);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  #show() {
    fill(this.#problem);
    if (state.value?.vault.state === "migrating") this.#build(t("lock.migrating.title"), t("lock.migrating.text"));
    else if (this.#isRecovering) this.#showRecovery();
    else if (this.#until > performance.now()) this.#showWait();
    else this.#showPasscode();
  }

  #showPasscode() {
    const passcode = field({
      label: t("lock.passcode"),
      type: "password",
      autocomplete: "current-password",
      onInput: () => fill(this.#problem),
      onEnter: () => open(),
    });
    const go = button({ label: t("lock.unlock"), look: "primary", onPress: () => open() });
    const open = () =>
      this.#try(go, passcode.input, t("lock.unlocking"), () => unlock(passcode.input.value, this.#life.signal));
    this.#build(
      t("lock.title"),
      t("lock.text"),
      passcode.element,
      this.#problem,
      go,
      button({ label: t("lock.recover"), look: "quiet", onPress: () => this.#choose(true) }),
    );
    passcode.input.focus();
  }

  /** The wait as a countdown; a screen reader hears its beginning and its end, not every second. */
  #showWait() {
    const words = h("p", { class: "lock-wait", "aria-hidden": "true" });
    const said = h("p", { class: "visually-hidden", role: "status" });
    const tick = () => {
      const left = Math.ceil((this.#until - performance.now()) / 1_000);
      if (left <= 0) {
        this.#until = 0;
        clearInterval(timer);
        this.#show();
        fill(this.#problem, h("p", { class: "muted", role: "status" }, t("lock.wait.over")));
        return;
      }
      setText(words, waitWords(left));
      if (said.textContent === "") setText(said, waitWords(left));
    };
    const timer = setInterval(() => (words.isConnected ? tick() : clearInterval(timer)), 250);
    this.#life.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    this.#build(
      t("lock.wait.title"),
      null,
      words,
      said,
      button({ label: t("lock.recover"), look: "primary", onPress: () => this.#choose(true) }),
    );
    tick();
  }

  #showRecovery() {
    const isOnNewMachine = state.value?.vault.state === "recoveryNeeded";
    const code = field({
      label: t("lock.recover.code"),
      className: "code-entry",
      attributes: { autocapitalize: "characters", spellcheck: "false" },
      onInput: () => fill(this.#problem),
      onEnter: () => passcode.first.focus(),
    });
    const passcode = newPasscode({ onEnter: () => open() });
    const go = button({ label: t("lock.recover.action"), look: "primary", onPress: () => open() });
    const open = () => {
      if (code.input.value.trim() === "") {
        code.input.focus();
        return;
      }
      const chosen = passcode.first.value === "" ? undefined : passcode.read();
      if (chosen === null) return;
      this.#try(go, code.input, t("lock.unlocking"), () => recover(code.input.value, chosen));
    };
    this.#build(
      t(isOnNewMachine ? "lock.machine.title" : "lock.recover.title"),
      t(isOnNewMachine ? "lock.machine.text" : "lock.recover.text"),
      code.element,
      h("p", { class: "lock-optional muted small" }, t("lock.recover.new.text")),
      ...passcode.elements,
      this.#problem,
      go,
      isOnNewMachine
        ? h("p", { class: "muted small lock-end" }, t("lock.without"))
        : button({ label: t("lock.recover.back"), look: "quiet", onPress: () => this.#choose(false) }),
    );
    code.input.focus();
  }

  /** @param {boolean} isRecovering */
  #choose(isRecovering) {
    this.#isRecovering = isRecovering;
    this.#show();
  }

  /**
   * @param {string} title
   * @param {string | null} text
   * @param {...HTMLElement} content
   */
  #build(title, text, ...content) {
    fill(
      this.#place,
      h("div", { class: "lock-logo" }, logo()),
      h("h1", { class: "lock-title" }, title),
      text === null ? null : h("p", { class: "muted lock-text" }, text),
      this.#recording,
      h("form", { class: "lock-form form", novalidate: true, onsubmit: (/** @type {Event} */ event) => event.preventDefault() }, ...content),
    );
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {HTMLInputElement} input
   * @param {string} words
   * @param {() => Promise<import("../server/state.js").AppState>} work
   */
  async #try(pressed, input, words, work) {
    if (isBusy(pressed)) return;
    if (input.value === "") {
      input.focus();
      return;
    }
    fill(this.#problem);
    setBusy(pressed, words);
    try {
      state.set(await work());
    } catch (error) {
      if (this.#life.signal.aborted) return;
      this.#failed(error, input);
    } finally {
      setBusy(pressed, null);
    }
  }

  /**
   * @param {unknown} error
   * @param {HTMLInputElement} input
   */
  #failed(error, input) {
    if (error instanceof ServerProblem && error.status === 429 && error.retryAfter !== null && !this.#isRecovering) {
      this.#until = performance.now() + error.retryAfter * 1_000;
      this.#show();
      return;
    }
    if (error instanceof ServerProblem && error.code === "vault.wrong-passcode") {
      fill(this.#problem, h("p", { class: "field-error", role: "alert" }, wordsFor(error).message));
    } else {
      fill(this.#problem, errorNotice(error));
    }
    input.focus();
    input.select();
  }

  /** Another tab or the terminal may have opened the library. */
  async #ask() {
    try {
      const now = await loadState(this.#life.signal);
      if (isWorthShowing(now.vault.state, state.value?.vault.state)) state.set(now);
    } catch {
      // The next answer brings the same state.
    }
  }
}

/**
 * Whether a state needs another view. A wait that began or ended elsewhere does not: what is typed stays.
 *
 * @param {string} now
 * @param {string | undefined} before
 */
function isWorthShowing(now, before) {
  return now !== before && !["locked", "lockedOut"].includes(now);
}

/** @param {{ stop: () => void }} mark */
function recordingNotice({ stop }) {
  return notice({ text: t("lock.recording"), kind: "warning", actions: [button({ label: t("lock.recording.stop"), icon: "stop", onPress: stop })] });
}

customElements.define("echo-lock-page", LockPage);
