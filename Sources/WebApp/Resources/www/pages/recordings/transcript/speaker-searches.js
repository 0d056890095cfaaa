import { button } from "../../../components/button.js";
import { icon } from "../../../components/icon.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { number, t } from "../../../core/i18n.js";
import { NewestState, onServer } from "../../../server/events.js";
import { cancelSpeakers, loadSpeakers } from "../../../server/speakers.js";

/** @typedef {import("../../../server/speakers.js").SpeakerSearch} SpeakerSearch */

/**
 * @typedef {object} SpeakerSearchActions
 * @property {() => void} ready Called when it is known whether speakers can be detected.
 * @property {(found: SpeakerSearch) => void} found
 */

/** The speaker searches of a recording's transcripts, each with its strip, and whether they are available. */
export class SpeakerSearches {
  /** Whether the models are installed; `null` while unknown. */
  isReady = /** @type {boolean | null} */ (null);
  /** @type {import("../../../server/speakers.js").SpeakerModelOffer[]} The models that are missing, for download. */
  offers = [];
  #item;
  #place;
  #actions;
  #signal;
  #newest = new NewestState();
  /** @type {Map<string, SpeakerStrip>} By the transcript's id. */
  #strips = new Map();

  /**
   * @param {string} item The recording's id.
   * @param {HTMLElement} place
   * @param {SpeakerSearchActions} actions
   * @param {AbortSignal} signal
   */
  constructor(item, place, actions, signal) {
    this.#item = item;
    this.#place = place;
    this.#actions = actions;
    this.#signal = signal;
  }

  /** Whether the speakers can be searched for, perhaps after a download. */
  get canFind() {
    return this.isReady === true || this.offers.length > 0;
  }

  start() {
    onServer("speakers", (search, event) => this.#newest.takesEvent(event) && this.#take(search), this.#signal);
    onServer("voices", () => this.#load(), this.#signal);
    onServer("reset", () => this.#load(), this.#signal);
    this.#load();
  }

  async #load() {
    try {
      const speakers = await loadSpeakers(this.#signal);
      if (!this.#newest.takesAnswer(speakers)) return;
      this.isReady = speakers.isReady;
      this.offers = speakers.offers;
      this.#strips.clear();
      fill(this.#place);
      for (const search of speakers.searches) this.#take(search);
      this.#actions.ready();
    } catch {
      // The page shows the error of the recording itself; without an answer nothing is offered.
    }
  }

  /** @param {SpeakerSearch} search */
  #take(search) {
    if (search.item !== this.#item) return;
    const strip = this.#strips.get(search.transcript);
    if (search.state === "done" || search.state === "cancelled") {
      this.#strips.delete(search.transcript);
      strip?.element.remove();
      if (search.state === "done") this.#actions.found(search);
    } else if (strip !== undefined) {
      strip.update(search);
    } else {
      const made = new SpeakerStrip(search);
      this.#strips.set(search.transcript, made);
      this.#place.append(made.element);
    }
  }
}

/** A search: its progress or why it has failed, and what can be done. */
class SpeakerStrip {
  element;
  #transcript;
  #words = h("p", { class: "job-words" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #stop;
  #forget;
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speakers.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #shownState = "";

  /** @param {SpeakerSearch} search */
  constructor(search) {
    this.#transcript = search.transcript;
    const act = () => attempt(() => cancelSpeakers(this.#transcript));
    this.#stop = button({ label: t("job.cancel"), look: "quiet", onPress: act });
    this.#forget = button({ label: t("job.discard"), look: "quiet", onPress: act });
    const actions = h("div", { class: "job-actions" }, this.#stop, this.#forget);
    this.element = h("div", { class: "job-strip" }, h("div", { class: "job-main" }, this.#words, this.#bar), actions, this.#status);
    this.update(search);
  }

  /** @param {SpeakerSearch} search */
  update({ state, progress, failure }) {
    const hasFailed = state === "failed";
    this.#bar.hidden = hasFailed;
    this.#stop.hidden = hasFailed;
    this.#forget.hidden = !hasFailed;
    this.#bar.style.setProperty("--part", String(progress));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(progress * 100)));
    this.element.classList.toggle("failed", hasFailed);
    const words = hasFailed ? failureWords(failure) : t(`speakers.${state}`, { percent: number(progress * 100) });
    fill(this.#words, hasFailed ? icon("error") : null, words);
    if (state !== this.#shownState) setText(this.#status, words);
    this.#shownState = state;
  }
}

/** @param {SpeakerSearch["failure"]} failure */
function failureWords(failure) {
  const { message, suggestion } = wordsFor(failure);
  return suggestion === null ? message : `${message} ${suggestion}`;
}
