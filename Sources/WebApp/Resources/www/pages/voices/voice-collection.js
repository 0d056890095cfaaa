import { loadCatalogue } from "../../server/voice-catalogue.js";
import { Cell, isConnected, voices } from "../../core/store.js";
import { onServer } from "../../server/events.js";
import { builtInOffer, offerOf } from "./offers.js";

/** @typedef {import("../../server/voice-catalogue.js").Catalogue} Catalogue */
/** @typedef {import("../../server/voice-catalogue.js").CatalogueVoice} CatalogueVoice */
/** @typedef {import("../../server/voice-catalogue.js").Download} Download */
/** @typedef {import("./offers.js").Offer} Offer */

/** Milliseconds over which the server's events are gathered. */
const changeRest = 150;

/** All voices, kept true by the server's events. */
export class VoiceCollection {
  /** `null` until the server has answered. */
  catalogue = new Cell(/** @type {Catalogue | null} */ (null));
  /** Why the catalogue could not be had, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  /** @type {Map<string, Offer>} By the voice's id: those of the catalogue, then those built in. */
  #offers = new Map();
  /**
   * The changes since the catalogue was requested, which its answer may not have; a refusal, which the server forgets, never
   * expires.
   *
   * @type {Map<string, { change: Partial<CatalogueVoice>, time: number }>}
   */
  #changes = new Map();
  #changed;
  #life = new AbortController().signal;
  #timer = 0;

  /** @param {(before: Offer, after: Offer) => void} changed Called when the state of a voice has changed. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#life = signal;
    for (const name of /** @type {const} */ (["voices", "profiles"])) onServer(name, () => this.#loadSoon(), signal);
    isConnected.watch((yes) => yes && this.#loadSoon(), signal); // the events begin, and earlier ones were missed
    onServer("voice", (download) => this.#notify(download), signal);
    voices.watch(() => this.#show(this.catalogue.value), signal);
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** @returns {Offer[]} */
  get offers() {
    return [...this.#offers.values()];
  }

  /** @param {string} id */
  find(id) {
    return this.#offers.get(id);
  }

  /** The voice that speaks when none is named. */
  get active() {
    return this.#offers.get(this.catalogue.value?.active ?? "") ?? null;
  }

  async load() {
    const asked = performance.now();
    try {
      const catalogue = await loadCatalogue(this.#life);
      for (const [id, { time }] of this.#changes) if (time < asked) this.#changes.delete(id);
      this.#show(catalogue);
    } catch (error) {
      if (!this.#life.aborted) this.problem.set(error);
    }
  }

  /**
   * Takes over an answer of the server.
   *
   * @param {Catalogue} catalogue
   */
  replace(catalogue) {
    this.#changes.clear();
    this.#show(catalogue);
  }

  /**
   * Shows a change of a voice before the server confirms it.
   *
   * @param {string} id
   * @param {Partial<CatalogueVoice>} change
   * @param {number} [time] Answers to requests before this time do not have the change.
   */
  change(id, change, time = performance.now()) {
    const catalogue = this.catalogue.value;
    const before = this.#offers.get(id);
    if (catalogue === null || before === undefined || before.engine !== "sherpa-onnx") return;
    this.#changes.set(id, { change: { ...this.#changes.get(id)?.change, ...change }, time });
    const after = offerOf({ ...before.voice, ...change }, catalogue.active);
    this.#offers.set(id, after);
    this.#changed(before, after);
  }

  #loadSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), changeRest);
  }

  /** @param {Download} download */
  #notify(download) {
    const offer = this.offers.find(({ voice }) => voice.entry === download.entry);
    if (offer === undefined) this.#loadSoon();
    else this.change(offer.id, { download });
  }

  /** @param {Catalogue | null} catalogue */
  #show(catalogue) {
    if (catalogue === null) return;
    const before = this.#offers;
    const builtIn = (voices.value ?? []).filter(({ engine }) => engine === "espeak-ng");
    const all = [
      ...catalogue.voices.map((voice) => offerOf({ ...voice, ...this.#changes.get(voice.voice)?.change }, catalogue.active)),
      ...builtIn.map((voice) => builtInOffer(voice, catalogue.active)),
    ];
    this.#offers = new Map(all.map((offer) => [offer.id, offer]));
    for (const offer of all) {
      const earlier = before.get(offer.id);
      if (earlier !== undefined && earlier.phase !== offer.phase) this.#changed(earlier, offer);
    }
    this.problem.set(null);
    this.catalogue.set(catalogue);
  }
}
