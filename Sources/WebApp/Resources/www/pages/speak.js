import { button } from "../components/button.js";
import { icon, setIcon } from "../components/icon.js";
import { errorNotice, notice } from "../components/notice.js";
import { pageHead } from "../components/page-head.js";
import { ReadingText } from "../components/reading-text.js";
import { showToast } from "../components/toast.js";
import { fill, h, loadStyle, setAttribute, setText } from "../core/dom.js";
import { duration, number, times } from "../core/format.js";
import { t, wordsFor } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { addShortcuts } from "../core/shortcuts.js";
import { profiles, state, voices } from "../core/store.js";
import { countWords } from "../core/text.js";
import { muteButton } from "../player/controls.js";
import { player } from "../player/player.js";
import { readAlong } from "../player/read-along.js";
import { session } from "./speak/session.js";
import { openPitch, openProfiles, openSpeed, openVoices, profileName } from "./speak/sheets.js";

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("./speak/session.js").Stage} Stage */

/** From this part of the limit on, the words that are left are told. */
const nearLimit = 0.9;

/** Milliseconds after a key before the words are counted again. */
const countAfter = 120;

/** Larger files are no texts to paste: 4 MB. */
const largestFile = 4_000_000;

/** The session lives as long as the document, not as long as one visit to the page. */
session.start(new AbortController().signal);

/** `<echo-speak-page>`: the text is written here, spoken, and read along. */
export class SpeakPage extends HTMLElement {
  #life = new AbortController();
  /** Ends what belongs to one stage. */
  #stageLife = new AbortController();
  #shown = "";
  #counter = h("p", { class: "word-counter numbers" });
  #body = h("div", { class: "speak-body" });
  #below = h("div", { class: "speak-below" });
  #row = h("div", { class: "speak-row" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /** @type {HTMLTextAreaElement | null} */
  #field = null;
  #words = 0;
  #timer = 0;
  #toldTenth = 0;
  /** @type {(narration: Narration) => void} */
  #showProgress = () => {};
  /** @type {() => void} */
  #showGenerate = () => {};

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    fill(this, pageHead(t("speak.title"), this.#counter), this.#body, this.#below, this.#row, this.#status);
    session.stage.follow((stage) => this.#show(stage), signal);
    session.problem.follow((problem) => this.#showBelow(problem), signal);
    addShortcuts([{ keys: "Ctrl+Enter", label: "speak.generate", group: "everywhere" }], signal);
    this.addEventListener("address", () => this.#takeAddress(), { signal });
    this.#takeAddress();
    session.takeUp();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#stageLife.abort();
    clearTimeout(this.#timer);
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
      const wasReading = this.querySelector("echo-reading-text") !== null;
      this.#shown = key;
      this.#stageLife.abort();
      this.#stageLife = new AbortController();
      this.dataset.stage = kind;
      if (kind === "writing") this.#showWriting();
      else this.#showReading(/** @type {Narration} */ (stage.narration), wasReading);
      this.#showCount();
    }
    this.#showRow(stage);
    this.#showBelow(session.problem.value);
    if (hasChanged) this.#focusSoon();
  }

  /** Gives the focus to what comes next when what had it is gone. */
  #focusSoon() {
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const target = this.#row.querySelector("[data-first]") ?? this.#below.querySelector("button");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  // Writing

  #showWriting() {
    const { signal } = this.#stageLife;
    const field = h("textarea", {
      class: "speak-text",
      placeholder: t("speak.placeholder"),
      "aria-label": t("speak.text"),
      spellcheck: "true",
      dir: "auto",
    });
    field.value = session.text;
    this.#field = field;
    field.addEventListener("input", () => this.#typed(), { signal });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#generate();
    }, { signal });
    field.addEventListener("drop", (event) => this.#drop(event), { signal });
    fill(this.#body, field);
    this.#fillWritingRow(signal);
    if (!matchMedia("(hover: none)").matches) field.focus({ preventScroll: true });
  }

  /** @param {AbortSignal} signal */
  #fillWritingRow(signal) {
    const voice = chip("voice", t("speak.voice"), openVoices);
    const profile = chip("profile", t("speak.profile"), openProfiles);
    const speed = chip("speed", t("speak.speed"), openSpeed);
    const pitch = chip("pitch", t("speak.pitch"), openPitch);
    const clear = button({ label: t("speak.clear"), icon: "close", look: "quiet", className: "speak-clear", onPress: () => this.#startOver() });
    const generate = button({ label: t("speak.generate"), look: "primary", className: "generate", onPress: () => this.#generate() });
    fill(
      this.#row,
      h("div", { class: "chips" }, voice.element, profile.element, speed.element, pitch.element),
      h("div", { class: "speak-actions" }, clear, generate),
    );
    const update = () => {
      const manner = session.wholeManner;
      const known = voices.value?.find(({ id }) => id === manner.voice);
      voice.show(known?.name ?? (voices.value === null ? "…" : (manner.voice ?? t("speak.voice.no"))));
      profile.show(manner.profile === null ? "…" : profileName(manner.profile) + (manner.isChanged ? "*" : ""));
      profile.element.title = manner.isChanged ? t("speak.profile.changed") : "";
      speed.show(times(manner.speed ?? 1));
      pitch.show(times(manner.pitch ?? 1));
    };
    for (const cell of [session.manner, profiles, voices]) /** @type {typeof profiles} */ (cell).follow(update, signal);
    this.#showGenerate = () => {
      const isAsking = session.stage.value.kind === "asking";
      setAttribute(generate, "aria-busy", isAsking ? "true" : null);
      setText(/** @type {Element} */ (generate.lastElementChild), t(isAsking ? "speak.asking" : "speak.generate"));
      setAttribute(generate, "aria-disabled", this.#words === 0 || this.#isTooLong || isAsking ? "true" : null);
      clear.hidden = session.text === "";
    };
    this.#showGenerate();
  }

  #typed() {
    session.text = this.#field?.value ?? "";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#showCount(), countAfter);
    if (session.problem.value !== null) session.problem.set(null);
  }

  #showCount() {
    const limit = state.value?.wordLimit ?? 10_000;
    this.#words = countWords(session.text);
    const isWriting = session.stage.value.kind === "writing" || session.stage.value.kind === "asking";
    const left = limit - this.#words;
    setText(this.#counter, isWriting ? t("speak.words", { n: this.#words, limit }) : t("unit.words", { n: this.#words }));
    this.#counter.classList.toggle("near", isWriting && this.#words >= limit * nearLimit && left >= 0);
    this.#counter.classList.toggle("over", isWriting && left < 0);
    if (isWriting) this.#showGenerate();
    this.#showBelow(session.problem.value);
  }

  get #isTooLong() {
    return this.#words > (state.value?.wordLimit ?? 10_000);
  }

  #generate() {
    session.text = this.#field?.value ?? session.text;
    this.#showCount();
    if (this.#words === 0) {
      this.#status.textContent = t("speak.nothing");
      this.#field?.focus();
    } else if (!this.#isTooLong) {
      session.generate();
    }
  }

  /** Empties the page; what was written can be had back. */
  #startOver() {
    const text = session.text;
    const wasWriting = session.stage.value.kind === "writing";
    session.begin("");
    this.#refill();
    if (text.trim() === "" || !wasWriting) return;
    showToast({
      text: t("speak.cleared"),
      seconds: 10,
      action: {
        label: t("do.undo"),
        run: () => {
          session.begin(text);
          this.#refill();
        },
      },
    });
  }

  #refill() {
    if (this.#field !== null) {
      this.#field.value = session.text;
      this.#field.focus();
    }
    this.#showCount();
  }

  /** @param {DragEvent} event */
  async #drop(event) {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    if (!/^text\/|^$/.test(file.type) || file.size > largestFile) {
      showToast({ text: t("speak.not-text"), icon: "warning" });
      return;
    }
    session.begin(await file.text());
    this.#refill();
  }

  // Reading

  /**
   * @param {Narration} narration
   * @param {boolean} isFollowing Whether the text was there before, so that the focus stays where it is.
   */
  #showReading(narration, isFollowing) {
    const { signal } = this.#stageLife;
    this.#field = null;
    this.#toldTenth = Math.floor(progressOf(narration) * 10);
    const present = this.querySelector("echo-reading-text");
    const reading = isFollowing && present instanceof ReadingText ? present : new ReadingText();
    if (reading !== present) {
      fill(this.#body, reading);
      reading.show(session.text, []);
    }
    readAlong(reading, signal, narration.id);
    if (session.stage.value.kind === "speaking") this.#fillRunningRow(signal);
    else if (session.stage.value.kind === "saved") this.#fillSavedRow(signal);
    else fill(this.#row);
  }

  /** @param {AbortSignal} signal */
  #fillRunningRow(signal) {
    const plain = /** @type {const} */ ({ look: "quiet", iconOnly: true });
    const stop = button({ ...plain, label: t("speak.stop"), icon: "stop", className: "stop-button", onPress: () => session.stop() });
    const play = button({ ...plain, label: t("do.pause"), icon: "pause", className: "play-pause", onPress: togglePlaying });
    const bar = h(
      "div",
      {
        class: "progress",
        role: "progressbar",
        "aria-label": t("speak.progress"),
        "aria-valuemin": "0",
        "aria-valuemax": "100",
      },
      h("div", { class: "progress-part" }),
    );
    const words = h("p", { class: "progress-words numbers" });
    fill(this.#row, h("div", { class: "running" }, stop, play, muteButton(signal), h("div", { class: "progress-place" }, bar, words)));
    const update = () => {
      const isOn = isPlayingOwn();
      setAttribute(play, "aria-label", t(isOn ? "do.pause" : "do.play"));
      play.title = t(isOn ? "do.pause" : "do.play");
      setIcon(play, isOn ? "pause" : "play");
    };
    player.phase.follow(update, signal);
    player.track.watch(update, signal);
    this.#showProgress = (narration) => {
      const part = progressOf(narration);
      bar.style.setProperty("--part", String(part));
      setAttribute(bar, "aria-valuenow", String(Math.round(part * 100)));
      setText(words, progressWords(narration));
      setAttribute(bar, "aria-valuetext", progressWords(narration));
      this.#announce(part, narration);
    };
    play.focus({ preventScroll: true });
  }

  /**
   * At each tenth, never more often.
   *
   * @param {number} part
   * @param {Narration} narration
   */
  #announce(part, narration) {
    const tenth = Math.floor(part * 10);
    if (tenth <= this.#toldTenth || tenth >= 10) return;
    this.#toldTenth = tenth;
    this.#status.textContent = `${t("speak.percent", { n: tenth * 10 })}, ${progressWords(narration)}`;
  }

  /** @param {AbortSignal} signal */
  #fillSavedRow(signal) {
    const play = button({ label: t("do.play"), icon: "play", onPress: togglePlaying });
    play.dataset.first = "";
    const exporting = button({ label: t("do.export"), icon: "export", opens: true, onPress: () => {
      const { narration } = session.stage.value;
      if (narration !== null) exportRecording(narration.id);
    } });
    const rename = button({ label: t("do.rename"), icon: "edit", onPress: () => this.#rename() });
    const undo = button({ label: t("do.undo"), icon: "undo", look: "quiet", onPress: () => session.undo() });
    const edit = button({ label: t("speak.edit"), look: "quiet", className: "wordy", onPress: () => session.write() });
    const another = button({ label: t("speak.new"), look: "primary", className: "wordy", onPress: () => this.#startOver() });
    const said = h("p", { class: "saved-name", dir: "auto" });
    fill(
      this.#row,
      h(
        "div",
        { class: "saved" },
        h("div", { class: "saved-head" }, icon("check"), said),
        h(
          "div",
          { class: "saved-actions" },
          h("div", { class: "saved-tools" }, rename, play, exporting, undo),
          h("div", { class: "saved-next" }, edit, another),
        ),
      ),
    );
    session.stage.follow(({ narration, isPart }) => {
      if (narration === null) return;
      setText(said, t(isPart ? "speak.saved.part" : "speak.saved", { name: narration.name }));
    }, signal);
    player.phase.follow(() => {
      const isOn = isPlayingOwn();
      setIcon(play, isOn ? "pause" : "play");
      setText(/** @type {Element} */ (play.lastElementChild), t(isOn ? "do.pause" : "do.play"));
    }, signal);
    this.#status.textContent = said.textContent;
  }

  #rename() {
    const { narration } = session.stage.value;
    const head = this.querySelector(".saved-head");
    const said = head?.querySelector(".saved-name");
    if (narration === null || !head || !said) return;
    const field = h("input", { class: "field", value: narration.name, "aria-label": t("speak.name"), autocomplete: "off" });
    let hasEnded = false;
    const end = (/** @type {boolean} */ isKept) => {
      if (hasEnded) return;
      hasEnded = true;
      const name = field.value.trim();
      field.replaceWith(said);
      if (isKept) session.rename(name);
      const again = this.querySelector(".saved-actions button");
      if (again instanceof HTMLElement) again.focus();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault(); // or the button that gets the focus would be pressed by the same key
      end(event.key === "Enter");
    });
    field.addEventListener("blur", () => end(true));
    said.replaceWith(field);
    field.focus();
    field.select();
  }

  // What both have

  /** @param {Stage} stage */
  #showRow({ kind, narration }) {
    if (kind === "writing" || kind === "asking") this.#showGenerate();
    else if (kind === "speaking" && narration !== null) this.#showProgress(narration);
  }

  /**
   * What stands between the text and the row: what is wrong, and what mends it.
   *
   * @param {unknown} problem
   */
  #showBelow(problem) {
    const { kind, narration } = session.stage.value;
    const limit = state.value?.wordLimit ?? 10_000;
    if (problem !== null) {
      fill(this.#below, errorNotice(problem, wayOut(problem)));
    } else if (kind === "unfinished" && narration !== null) {
      fill(this.#below, unfinishedNotice(narration));
    } else if (kind === "writing" && this.#isTooLong) {
      fillOnce(this.#below, "over", t("speak.over", { n: this.#words - limit, limit }), "error");
    } else if (kind === "writing" && this.#words >= limit * nearLimit) {
      fillOnce(this.#below, "near", t("speak.near", { n: limit - this.#words, limit }), "warning");
    } else if (kind === "writing" && this.#words === 0) {
      fill(this.#below, h("p", { class: "speak-private" }, icon("lock"), t("speak.private")));
    } else {
      fill(this.#below);
    }
  }
}

customElements.define("echo-speak-page", SpeakPage);

/**
 * Keeps a notice that is there already, so that typing does not announce it again.
 *
 * @param {HTMLElement} place
 * @param {string} kind
 * @param {string} text
 * @param {"error" | "warning"} look
 */
function fillOnce(place, kind, text, look) {
  const present = place.firstElementChild;
  if (present instanceof HTMLElement && present.dataset.kind === kind) {
    setText(/** @type {Element} */ (present.querySelector("p")), text);
    return;
  }
  const element = notice({ text, kind: look });
  element.dataset.kind = kind;
  element.setAttribute("role", "status");
  fill(place, element);
}

/** @param {unknown} problem */
function wayOut(problem) {
  const code = /** @type {{ code?: string }} */ (problem).code ?? "";
  if (/voice|profile|engine|speech\.unknown/.test(code)) {
    return button({ label: t("speak.mend.voice"), opens: true, onPress: ({ target }) => openVoices(document.querySelector(".chip-voice") ?? /** @type {Element} */ (target)) });
  }
  if (code === "server.unreachable") return button({ label: t("do.again"), onPress: () => session.generate() });
  return null;
}

/** @param {Narration} narration */
function unfinishedNotice(narration) {
  const words = narration.failure === null ? null : wordsFor(narration.failure);
  return notice({
    text: words?.message ?? t("speak.unfinished", { name: narration.name }),
    detail: words?.suggestion ?? t("speak.unfinished.detail", { made: duration(narration.seconds) }),
    kind: words === null ? "info" : "error",
    actions: [
      button({ label: t("speak.continue"), look: "primary", onPress: () => session.continue() }),
      narration.seconds > 0 ? button({ label: t("speak.keep-part"), onPress: () => session.stop() }) : null,
      button({ label: t("speak.discard"), look: "quiet", onPress: () => session.discard() }),
    ],
  });
}

/** @param {Narration} narration */
function progressOf({ characters, position }) {
  return characters === 0 ? 0 : Math.min(1, position / characters);
}

/** @param {Narration} narration */
function progressWords({ state: phase, sentence, sentences, secondsLeft, position }) {
  if (phase === "waiting") return t("speak.waiting");
  if (position === 0 && sentence === 0) return t("speak.starting");
  const count =
    sentences === null
      ? t("speak.sentence", { n: sentence })
      : t("speak.sentence.of", { n: sentence, all: number(Math.max(sentence, sentences)) });
  return secondsLeft === null ? count : `${count} · ${t("speak.left", { time: duration(secondsLeft) })}`;
}

/** @param {string} id */
async function exportRecording(id) {
  const [{ openExportSheet }] = await Promise.all([import("./library/export-sheet.js"), loadStyle("/styles/library.css")]);
  openExportSheet([id]);
}

function isPlayingOwn() {
  const { narration } = session.stage.value;
  return narration !== null && player.isCurrent(narration.id) && player.isPlaying;
}

function togglePlaying() {
  const { narration, kind } = session.stage.value;
  if (narration === null) return;
  if (player.isCurrent(narration.id)) player.toggle();
  else if (kind === "saved") player.playItems([narration.id]);
  else player.playNarration(narration);
}

/**
 * A button that shows a value and opens the sheet that changes it.
 *
 * @param {import("../components/icon.js").IconName} picture
 * @param {string} label
 * @param {(anchor: Element) => void} open
 */
function chip(picture, label, open) {
  const value = h("span", { class: "chip-value numbers" });
  const element = h(
    "button",
    { type: "button", class: `chip chip-${picture}`, "aria-haspopup": "dialog" },
    icon(picture),
    h("span", { class: "chip-label" }, label),
    value,
    icon("chevron-down", { className: "chip-arrow" }),
  );
  element.addEventListener("click", () => open(element));
  return { element, show: (/** @type {string} */ text) => setText(value, text) };
}
