import { button, logo } from "../components/button.js";
import { field, isBusy, newPasscode, setBusy } from "../components/field.js";
import { countdown, errorNotice, notice } from "../components/notice.js";
import { fill, h } from "../core/dom.js";
import { wordsFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { recordingMark, state } from "../core/store.js";
import { loadState, recover, ServerProblem, unlock } from "../server/http.js";
import "../server/send-file.js";

/** Milliseconds between requests for the state: another tab or the terminal may have unlocked the library. */
const askAgain = 5_000;

/** `<echo-lock-page>`: the whole page while the library is closed. The passcode or the recovery code opens it. */
export class LockPage extends HTMLElement {
  #life = new AbortController();
  #place = h("main", { class: "lock-main" });
  #problem = h("div", { class: "lock-problem" });
  #recording = h("div", { class: "lock-recording" });
  /** When the next passcode is allowed, on the clock of `performance.now()`; 0 when allowed at once. */
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
    if (this.#isRecovering && state.value?.vault.hasRecoveryCode) this.#showRecovery();
    else if (state.value?.vault.state === "recoveryNeeded") this.#showLoss();
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
      this.#wayByCode("quiet"),
    );
    passcode.input.focus();
  }

  #showWait() {
    const { shown, said } = countdown(this.#until, () => {
      this.#until = 0;
      this.#show();
      fill(this.#problem, h("p", { class: "muted", role: "status" }, t("lock.wait.over")));
    });
    said.setAttribute("role", "status");
    this.#build(
      t("lock.wait.title"),
      null,
      h("p", { class: "lock-wait" }, shown),
      said,
      this.#wayByCode("primary"),
    );
    this.#place.querySelector("h1")?.focus();
  }

  /** @param {"primary" | "quiet"} look */
  #wayByCode(look) {
    if (!state.value?.vault.hasRecoveryCode) return null;
    return button({ label: t("lock.recover"), look, onPress: () => this.#choose(true) });
  }

  /** No recovery code was ever made, so a field for one would make a false promise. */
  #showLoss() {
    this.#build(
      t("lock.loss.title"),
      t("lock.loss.text"),
      h(
        "ul",
        { class: "lock-ways" },
        h("li", {}, t("lock.loss.put-back"), h("pre", { tabindex: "0" }, state.value?.vault.deviceFolder ?? "")),
        h("li", {}, t("lock.loss.other-machine")),
        h("li", {}, t("lock.loss.begin-again"), h("pre", { tabindex: "0" }, "echotext erase-all")),
      ),
    );
    this.#place.querySelector("h1")?.focus();
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
   * @param {...(HTMLElement | null)} content
   */
  #build(title, text, ...content) {
    fill(
      this.#place,
      h("div", { class: "lock-logo" }, logo()),
      h("h1", { class: "lock-title", tabindex: "-1" }, title),
      text === null ? null : h("p", { class: "muted lock-text" }, text),
      this.#recording,
      h("form", { class: "lock-form form", novalidate: true, onsubmit: (/** @type {Event} */ event) => event.preventDefault() }, ...content),
    );
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {HTMLInputElement} input
   * @param {string} words
   * @param {() => Promise<import("../server/http.js").AppState>} work
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
    const wait = error instanceof ServerProblem && !this.#isRecovering ? error.retryAfter : null;
    if (wait !== null && error instanceof ServerProblem && error.code !== "vault.attempt-in-progress") {
      this.#until = performance.now() + wait * 1_000;
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
 * Whether a state needs another view. A wait that began or ended elsewhere does not: the typed text stays.
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
