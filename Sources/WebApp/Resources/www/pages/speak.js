import { pageHead } from "../components/frame.js";
import { fill, h, loadStyle, painted } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { isConnected, profiles } from "../core/store.js";
import { session } from "./speak/session.js";
import { BelowText, bringNotices, WordCount, WritingView } from "./speak/writing-view.js";

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("./speak/session.js").Stage} Stage */

/** Loads the module that speaks, and the words for its failure. Writing works before that. */
async function bringSpeaking() {
  const [{ speaking }] = await Promise.all([import("./speak/speaking.js"), bringNotices()]);
  return speaking;
}

/** The address of an empty page. */
const newText = "/speak/new";

/** @param {import("../components/toast.js").Toast} toast */
const announce = async (toast) => (await import("../components/toast.js")).showToast(toast);

/** `<echo-speak-page>`: a text is written here, spoken, and read along. */
export class SpeakPage extends HTMLElement {
  #life = new AbortController();
  /** Ends one stage. */
  #stageLife = new AbortController();
  #shown = "";
  #hasTakenUp = false;
  #count = new WordCount();
  #below = new BelowText(this.#count);
  #body = h("div", { class: "speak-body" });
  #row = h("div", { class: "speak-row" });
  #door = h("div", { class: "speak-door" });
  #unfinished = h("div", { class: "speak-unfinished" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /** @type {WritingView | null} */
  #writing = null;
  /** @type {import("./speak/reading-view.js").RunningRow | null} */
  #running = null;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    fill(this, pageHead(t("speak.title"), this.#count.element), this.#body, this.#below.unkept, this.#below.element, this.#row, this.#unfinished, this.#door, this.#status);
    session.stage.follow((stage) => this.#show(stage), signal);
    session.written.watch((text) => this.#writing && this.#writing.field.value !== text && this.#refill(), signal);
    session.problem.watch(() => this.#below.update(), signal);
    session.unkept.follow(() => this.#below.showUnkept(), signal);
    profiles.watch(() => this.#below.update(), signal);
    this.addEventListener("address", () => this.#takeAddress(), { signal });
    if (location.pathname === newText) this.#takeAddress();
    isConnected.watch((yes) => yes && !this.#hasTakenUp && this.#takeUp(), signal);
    painted().then(() => this.#takeUp());
  }

  /** Resumes the view of a running narration; a failed load is retried when the server is back. */
  async #takeUp() {
    try {
      const speaking = await bringSpeaking();
      this.#below.update();
      this.#below.showUnkept();
      const hasTakenUp = await speaking.takeUp();
      const { showUnfinished } = await import("./list/unfinished-narrations.js");
      await showUnfinished(this.#unfinished, this.#life.signal);
      await (await import("./speak/front-door.js")).showFrontDoor(this.#door, this.#life.signal);
      this.#hasTakenUp = hasTakenUp;
    } catch {
      // Writing still works.
    }
  }

  disconnectedCallback() {
    this.#unfinished.replaceChildren();
    this.#door.replaceChildren();
    this.#life.abort();
    this.#stageLife.abort();
  }

  #takeAddress() {
    if (location.pathname !== newText) {
      this.#refill();
      return;
    }
    navigate("/speak", { replace: true });
    if (session.isBusy) announce({ text: t("speak.busy") });
    else this.#startOver();
  }

  /** @param {Stage} stage */
  #show(stage) {
    const kind = stage.kind === "asking" ? "writing" : stage.kind;
    const key = `${kind} ${stage.narration?.id ?? ""}`;
    const hasChanged = key !== this.#shown;
    if (hasChanged) {
      this.#shown = key;
      this.#stageLife.abort();
      this.#stageLife = new AbortController();
      this.dataset.stage = kind;
      if (kind === "writing") this.#showWriting();
      else this.#showReading(/** @type {Narration} */ (stage.narration));
      this.#count.update(kind === "writing");
    }
    this.#update(stage);
    if (hasChanged) this.#focusSoon();
  }

  /** @param {Stage} stage */
  #update(stage) {
    this.#writing?.update();
    if (stage.kind === "speaking" && stage.narration !== null) this.#running?.update(stage.narration);
    this.#below.update();
  }

  /** Focuses the new field, or the next element when the focused one is gone. */
  #focusSoon() {
    if (this.#writing !== null && !matchMedia("(hover: none)").matches) {
      this.#writing.field.focus({ preventScroll: true });
      return;
    }
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const target = this.#row.querySelector("[data-first]") ?? this.#below.element.querySelector("button");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  #showCount() {
    const isWriting = session.stage.value.kind === "writing" || session.stage.value.kind === "asking";
    this.#count.update(isWriting);
    this.#writing?.update();
    this.#below.update();
  }

  // Writing

  #showWriting() {
    const listener = {
      typed: () => this.#showCount(),
      generate: () => this.#generate(),
      startOver: () => this.#startOver(),
      dropped: (/** @type {File} */ file) => this.#takeFile(file),
    };
    const writing = new WritingView(this.#count, listener, this.#stageLife.signal);
    this.#writing = writing;
    this.#running = null;
    fill(this.#body, writing.field);
    fill(this.#row, writing.chips, writing.actions);
  }

  #generate() {
    session.text = this.#writing?.field.value ?? session.text;
    this.#showCount();
    if (this.#count.words === 0) {
      this.#status.textContent = t("speak.nothing");
      this.#writing?.field.focus();
    } else if (!this.#count.isOver) {
      bringSpeaking().then((speaking) => speaking.generate(), () => (this.#status.textContent = t("frame.offline")));
    }
  }

  /** @param {File} file A text file in any encoding. */
  async #takeFile(file) {
    try {
      const read = await (await bringSpeaking()).read(file);
      if (read === null) return;
      if (session.isBusy || !this.isConnected) announce({ text: t("speak.dropped.not") });
      else this.#replace(read.text, read.message, read.isRemarkable);
    } catch {
      this.#status.textContent = t("frame.offline");
    }
  }

  /** Clears the page. */
  #startOver() {
    this.#replace("", t("speak.cleared"));
  }

  /**
   * Replaces the text, with undo.
   *
   * @param {string} text
   * @param {string} message What happened.
   * @param {boolean} isRemarkable Whether to say that even if nothing is lost.
   */
  #replace(text, message, isRemarkable = false) {
    const before = session.text;
    const isLoss = before.trim() !== "" && session.stage.value.kind === "writing";
    session.begin(text);
    this.#refill();
    const run = () => {
      session.begin(before);
      this.#refill();
    };
    if (isLoss || isRemarkable) announce({ text: message, seconds: 10, action: isLoss ? { label: t("do.undo"), run } : undefined });
  }

  #refill() {
    this.#writing?.refill();
    this.#showCount();
  }

  // Reading

  /** @param {Narration} narration */
  async #showReading(narration) {
    const { signal } = this.#stageLife;
    this.#writing = null;
    this.#running = null;
    const [{ showReading }] = await Promise.all([import("./speak/reading-view.js"), loadStyle("/styles/reading-text.css")]);
    if (signal.aborted) return;
    const places = {
      body: this.#body,
      row: this.#row,
      startOver: () => this.#startOver(),
      announce: (/** @type {string} */ words) => (this.#status.textContent = words),
    };
    this.#running = showReading(narration, places, signal);
    this.#update(session.stage.value);
    this.#focusSoon();
  }
}

customElements.define("echo-speak-page", SpeakPage);
