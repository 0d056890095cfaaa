import { loadVoiceListings } from "../../server/voice-catalogue.js";
import { Cell, isConnected } from "../../core/store.js";
import { eventOrder, onServer } from "../../server/events.js";
import { lastEventOf } from "../../server/http.js";
import { offerOf } from "./offers.js";

/** @typedef {import("../../server/voice-catalogue.js").VoiceListings} VoiceListings */
/** @typedef {import("../../server/voice-catalogue.js").VoiceListing} VoiceListing */
/** @typedef {import("../../server/voice-catalogue.js").Download} Download */
/** @typedef {import("./offers.js").Offer} Offer */

/** Milliseconds over which server events are collected. */
const changeRest = 150;

/** All voices, updated by the server's events. */
export class VoiceCollection {
  /** The server's last list; `null` until the server has answered. */
  list = new Cell(/** @type {VoiceListings | null} */ (null));
  /** Why the list could not be loaded, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  /** @type {Map<string, Offer>} By the voice's id. */
  #offers = new Map();
  /**
   * By entry, the last state of a download that the list does not have yet, and the event that reported it.
   *
   * @type {Map<string, { download: Download, event: string | null }>}
   */
  #reports = new Map();
  /**
   * The user's latest changes, by voice and property. Each is shown until a list contains it: one requested after the
   * server confirmed the change.
   *
   * @type {Map<string, { change: Partial<VoiceListing>, isConfirmed: boolean }>}
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
    for (const name of /** @type {const} */ (["voices", "profiles", "reset"])) onServer(name, () => this.#loadSoon(), signal);
    isConnected.watch((yes) => yes && this.#loadSoon(), signal); // events start, and earlier ones were missed
    onServer("voice", (download, event) => this.#report(download, event), signal);
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

  /** The default voice. */
  get active() {
    return this.offers.find(({ voice }) => voice.isSelected) ?? null;
  }

  async load() {
    const confirmed = [...this.#changes].filter(([, { isConfirmed }]) => isConfirmed); // the list will have these
    try {
      const list = await loadVoiceListings(this.#life);
      for (const [key, one] of confirmed) if (this.#changes.get(key) === one) this.#changes.delete(key);
      this.#take(list);
    } catch (error) {
      if (!this.#life.aborted) this.problem.set(error);
    }
  }

  /**
   * Adopts a list that the server has just made, without losing anything newer that the page knows.
   *
   * @param {VoiceListings} list
   */
  replace(list) {
    if (this.#isOld(list)) {
      this.load();
      return;
    }
    this.#changes.clear();
    this.#take(list);
  }

  /**
   * Shows a change of a voice before the server has it.
   *
   * @template {"download" | "isFavorite"} Name
   * @param {string} id
   * @param {Name} name
   * @param {VoiceListing[Name]} value
   */
  change(id, name, value) {
    const change = { [name]: value };
    this.#changes.set(changeKey(id, name), { change, isConfirmed: false });
    this.#update(id, change);
  }

  /**
   * Ends a change: the server has it, or never will. The next list shows which.
   *
   * @param {string} id
   * @param {"download" | "isFavorite"} name
   */
  confirm(id, name) {
    const present = this.#changes.get(changeKey(id, name));
    if (present === undefined) return;
    this.#changes.set(changeKey(id, name), { ...present, isConfirmed: true });
    this.#loadSoon();
  }

  #loadSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.load(), changeRest);
  }

  /**
   * Adopts an event's state of a download, unless the list has it.
   *
   * @param {Download} download
   * @param {string | null} event
   */
  #report(download, event) {
    if (eventOrder(event, this.#known) <= 0) return;
    this.#reports.set(download.entry, { download, event });
    const offer = this.offers.find(({ voice }) => voice.entry === download.entry);
    if (offer === undefined) {
      this.#loadSoon();
      return;
    }
    this.#changes.delete(changeKey(offer.id, "download"));
    // It completed or was cancelled: only the list says which.
    if (download.state === "none" && offer.voice.download.state !== "none") this.#loadSoon();
    else this.#update(offer.id, { download });
  }

  /** The last event whose change the list contains. */
  get #known() {
    return this.list.value === null ? null : lastEventOf(this.list.value);
  }

  /**
   * @param {string} id
   * @param {Partial<VoiceListing>} change
   */
  #update(id, change) {
    const before = this.#offers.get(id);
    if (before === undefined) return;
    const after = offerOf({ ...before.voice, ...change });
    this.#offers.set(id, after);
    this.#changed(before, after);
  }

  /**
   * Whether a list made later has arrived before it.
   *
   * @param {VoiceListings} list
   */
  #isOld(list) {
    return eventOrder(lastEventOf(list), this.#known) < 0;
  }

  /** @param {VoiceListings} list */
  #take(list) {
    if (this.#isOld(list)) return;
    const event = lastEventOf(list);
    for (const [entry, report] of this.#reports) if (!(eventOrder(report.event, event) > 0)) this.#reports.delete(entry);
    const before = this.#offers;
    this.#offers = new Map(list.voices.map((voice) => [voice.id, offerOf({ ...voice, ...this.#changesOf(voice) })]));
    for (const offer of this.offers) {
      const earlier = before.get(offer.id);
      if (earlier !== undefined && earlier.phase !== offer.phase) this.#changed(earlier, offer);
    }
    this.problem.set(null);
    this.list.set(list);
  }

  /**
   * A voice's state that the list does not have yet.
   *
   * @param {VoiceListing} voice
   * @returns {Partial<VoiceListing>}
   */
  #changesOf({ id, entry }) {
    const report = this.#reports.get(entry ?? "");
    return {
      ...(report === undefined ? {} : { download: report.download }),
      ...this.#changes.get(changeKey(id, "download"))?.change,
      ...this.#changes.get(changeKey(id, "isFavorite"))?.change,
    };
  }
}

/**
 * @param {string} id
 * @param {"download" | "isFavorite"} name
 */
const changeKey = (id, name) => `${name} ${id}`;
