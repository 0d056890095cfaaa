import { pageHead } from "../components/page-head.js";
import { ReadingText } from "../components/reading-text.js";
import { showToast } from "../components/toast.js";
import { fill, h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { addShortcuts } from "../core/shortcuts.js";
import { readAlong } from "../player/read-along.js";
import { BelowText } from "./speak/below-text.js";
import { RunningRow } from "./speak/running-row.js";
import { savedRow } from "./speak/saved-row.js";
import { session } from "./speak/session.js";
import { WordCount } from "./speak/word-count.js";
import { WritingView } from "./speak/writing-view.js";

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("./speak/session.js").Stage} Stage */

/** The session lives as long as the document, not as long as one visit to the page. */
session.start(new AbortController().signal);

/** `<echo-speak-page>`: the text is written here, spoken, and read along. */
export class SpeakPage extends HTMLElement {
  #life = new AbortController();
  /** Ends what belongs to one stage. */
  #stageLife = new AbortController();
  #shown = "";
  #count = new WordCount();
  #below = new BelowText(this.#count);
  #body = h("div", { class: "speak-body" });
  #row = h("div", { class: "speak-row" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /** @type {WritingView | null} */
  #writing = null;
  /** @type {RunningRow | null} */
  #running = null;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    fill(this, pageHead(t("speak.title"), this.#count.element), this.#body, this.#below.element, this.#row, this.#status);
    session.stage.follow((stage) => this.#show(stage), signal);
    session.problem.follow(() => this.#below.update(), signal);
    addShortcuts([{ keys: "Ctrl+Enter", label: "speak.generate", group: "everywhere" }], signal);
    this.addEventListener("address", () => this.#takeAddress(), { signal });
    this.#takeAddress();
    session.takeUp();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#stageLife.abort();
  }

  /** `/speak/new` asks for an empty page. */
  #takeAddress() {
    if (location.pathname !== "/speak/new") {
      this.#refill();
      return;
    }
    navigate("/speak", { replace: true });
    if (session.isBusy) showToast({ text: t("speak.busy") });
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
      this.#showCount();
    }
    this.#writing?.update();
    if (stage.kind === "speaking" && stage.narration !== null) this.#running?.update(stage.narration);
    this.#below.update();
    if (hasChanged) this.#focusSoon();
  }

  /** Gives the focus to what comes next when what had it is gone. */
  #focusSoon() {
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
      dropped: (/** @type {string} */ text) => this.#replace(text, t("speak.dropped")),
    };
    const writing = new WritingView(this.#count, listener, this.#stageLife.signal);
    this.#writing = writing;
    this.#running = null;
    fill(this.#body, writing.field);
    fill(this.#row, writing.chips, writing.actions);
    if (!matchMedia("(hover: none)").matches) writing.field.focus({ preventScroll: true });
  }

  #generate() {
    session.text = this.#writing?.field.value ?? session.text;
    this.#showCount();
    if (this.#count.words === 0) {
      this.#status.textContent = t("speak.nothing");
      this.#writing?.field.focus();
    } else if (!this.#count.isOver) {
      session.generate();
    }
  }

  /** Empties the page. */
  #startOver() {
    this.#replace("", t("speak.cleared"));
  }

  /**
   * Another text comes in the place of what was written, which can be had back.
   *
   * @param {string} text
   * @param {string} told What happened.
   */
  #replace(text, told) {
    const before = session.text;
    const wasWriting = session.stage.value.kind === "writing";
    session.begin(text);
    this.#refill();
    if (before.trim() === "" || !wasWriting) return;
    showToast({
      text: told,
      seconds: 10,
      action: {
        label: t("do.undo"),
        run: () => {
          session.begin(before);
          this.#refill();
        },
      },
    });
  }

  #refill() {
    this.#writing?.refill();
    this.#showCount();
  }

  // Reading

  /** @param {Narration} narration */
  #showReading(narration) {
    const { signal } = this.#stageLife;
    const { kind } = session.stage.value;
    this.#writing = null;
    this.#running = null;
    this.#readAlong(narration, signal);
    if (kind === "speaking") {
      this.#running = new RunningRow(narration, (words) => (this.#status.textContent = words), signal);
      fill(this.#row, this.#running.element);
      this.#running.focus();
    } else if (kind === "saved") {
      fill(this.#row, savedRow(() => this.#startOver(), signal));
      this.#status.textContent = this.#row.querySelector(".saved-name")?.textContent ?? "";
    } else {
      fill(this.#row);
    }
  }

  /**
   * The text that was there before goes on, so that its place and the focus stay.
   *
   * @param {Narration} narration
   * @param {AbortSignal} signal
   */
  #readAlong(narration, signal) {
    const present = this.#body.firstElementChild;
    const reading = present instanceof ReadingText ? present : new ReadingText();
    if (reading !== present) {
      fill(this.#body, reading);
      reading.show(session.text, []);
    }
    readAlong(reading, signal, narration.id);
  }
}

customElements.define("echo-speak-page", SpeakPage);
