import { asLanguage, languageNames, nameOfVoice, ownLanguageName, ownRegionName, voiceInFull } from "../../core/format.js";
import { language, remembered, t } from "../../core/i18n.js";
import { Cell, isConnected, profiles } from "../../core/store.js";
import { eventOrder, onServer } from "../../server/events.js";
import { lastEventOf } from "../../server/http.js";
import { addVoiceFile, loadVoiceListings } from "../../server/voices.js";

/** @typedef {Intl.DisplayNames} Names */

const regions = remembered((tag) => new Intl.DisplayNames([tag], { type: "region" }));

/**
 * A language without its regions and dialects, by which voices are grouped.
 *
 * @param {string} tag BCP 47.
 * @returns {string} Its first subtag; the tag itself when it is not valid.
 */
export function stemOf(tag) {
  return /^[a-z]{2,8}(?=-|$)/i.exec(tag)?.[0].toLowerCase() ?? tag;
}

/**
 * @param {string} stem A language without a region.
 * @returns {string} Its name in the page's language, capitalized.
 */
export function languageTitle(stem) {
  const own = ownLanguageName(stem);
  if (own !== null) return own;
  const name = named(languageNames(language.value), stem);
  return name === null ? stem.charAt(0).toUpperCase() + stem.slice(1) : asLanguage(name);
}

/**
 * The name of a language in English and in itself, for searches by those names.
 *
 * @param {string} stem
 */
function otherLanguageNames(stem) {
  return [named(languageNames("en"), stem), named(languageNames(stem), stem)].filter(Boolean).join(" ");
}

/**
 * @param {string} tag BCP 47.
 * @returns {string | null} Where this variant is spoken, in the page's language.
 */
export function regionName(tag) {
  const region = /^[a-z]+(?:-[a-z]{4})?-([a-z]{2}|\d{3})(?=-|$)/i.exec(tag)?.[1];
  return region === undefined ? null : (ownRegionName(region) ?? named(regions(language.value), region.toUpperCase()));
}

/**
 * @param {Names} names
 * @param {string} code
 */
function named(names, code) {
  try {
    const name = names.of(code);
    return name === undefined || name === code ? null : name;
  } catch {
    return null; // an engine's own tag
  }
}

/** @typedef {import("../../server/voices.js").VoiceListing} VoiceListing */

/**
 * The state of a voice for the user.
 *
 * - `absent`: it can be downloaded;
 * - `waiting`, `downloading`, `extracting`, `validating`: it is being installed;
 * - `paused`, `failed`: it was installed in part, or not at all;
 * - `ready`: it can speak; `active`: it is in use;
 * - `broken`: it is installed and cannot speak.
 *
 * @typedef {"absent" | "waiting" | "downloading" | "extracting" | "validating" | "paused" | "failed" | "ready" | "active" | "broken"} Phase
 */

/**
 * A voice of either engine, as the page shows it.
 *
 * @typedef {object} Offer
 * @property {string} id Of the voice.
 * @property {VoiceListing["engine"]} engine
 * @property {string} title Its name.
 * @property {string} fullTitle Its name where it stands under no language.
 * @property {string} stem Its language without a region.
 * @property {string | null} region
 * @property {number | null} bytes On disk when it is installed, else of the download.
 * @property {boolean} isGuess Whether `bytes` is an estimate.
 * @property {Phase} phase
 * @property {VoiceListing} voice
 * @property {string} description The text for the search, in lower case.
 */

/** @param {Offer} offer Whether it can be used now. */
export function canSpeak({ voice }) {
  return voice.availability === "ready";
}

/**
 * @param {VoiceListing} voice
 * @returns {Offer}
 */
export function offerOf(voice) {
  const { id, engine, installed, archiveBytes, expectedBytes } = voice;
  const title = nameOfVoice(voice);
  const stem = stemOf(voice.language);
  const region = regionName(voice.language);
  const fullTitle = voiceInFull({ ...voice, title });
  const names = [fullTitle, voice.name, id, languageTitle(stem), region ?? "", voice.language, otherLanguageNames(stem), voice.quality ?? ""];
  return {
    id,
    engine,
    title,
    fullTitle,
    stem,
    region,
    bytes: installed?.bytes ?? archiveBytes ?? expectedBytes,
    isGuess: installed === null && archiveBytes === null,
    phase: phaseOf(voice),
    voice,
    description: names.join(" ").toLocaleLowerCase(),
  };
}

/**
 * @param {VoiceListing} voice
 * @returns {Phase}
 */
function phaseOf({ availability, isSelected, download: { state } }) {
  const isStill = state === "none" || state === "paused" || state === "failed";
  if (!isStill) return state;
  if (availability === "ready") return isSelected ? "active" : "ready";
  if (state !== "none") return state;
  return availability === "faulty" ? "broken" : "absent";
}

/**
 * The speaker of a voice in the chosen profile; the first when the profile has another voice.
 *
 * @param {Offer} offer
 */
export function chosenSpeaker({ id }) {
  const profile = profiles.value?.profiles.find((one) => one.id === profiles.value?.chosen);
  return profile?.voice === id ? profile.speaker : 0;
}

/** The orders within a language, the default first; the names are the catalogue's. */
export const voiceOrders = /** @type {const} */ (["name", "small", "large", "quality"]);

/** @typedef {(typeof voiceOrders)[number]} VoiceOrder */

/** @typedef {{ stem: string, title: string, offers: Offer[] }} Group The voices of one language; those installed, and favorites, have an empty stem. */

/** From best to worst; others come after. */
export const qualities = /** @type {const} */ (["high", "medium", "low", "x_low"]);

/**
 * The matching voices: those installed, then favorites, then the others by language. The user's own languages come first,
 * then those with an installed voice, then the rest by name.
 *
 * @param {readonly Offer[]} offers
 * @param {object} wanted
 * @param {VoiceOrder} wanted.order
 * @param {Narrowing} wanted.narrowing
 * @param {string} wanted.words The search words; a voice must contain all of them.
 * @param {readonly string[]} wanted.preferred The user's languages, best first.
 * @returns {Group[]}
 */
export function arrange(offers, { order, narrowing, words, preferred }) {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Offer[]} */
  const installed = [];
  /** @type {Offer[]} */
  const favorites = [];
  /** @type {Map<string, Offer[]>} */
  const byStem = new Map();
  for (const offer of offers) {
    if (!passes(offer, narrowing) || !wanted.every((word) => offer.description.includes(word))) continue;
    const others = byStem.get(offer.stem);
    if (isInstalled(offer)) installed.push(offer);
    else if (offer.voice.isFavorite) favorites.push(offer);
    else if (others === undefined) byStem.set(offer.stem, [offer]);
    else others.push(offer);
  }
  const { compare } = new Intl.Collator(language.value, { numeric: true });
  const own = preferred.map(stemOf);
  const rank = (/** @type {Group} */ { stem }) => {
    if (own.includes(stem)) return own.indexOf(stem);
    return own.length + (installed.some((one) => one.stem === stem) ? 0 : 1);
  };
  const sorted = (/** @type {Offer[]} */ all) => all.sort(comparison(order, compare));
  const groups = [...byStem]
    .map(([stem, all]) => ({ stem, title: languageTitle(stem), offers: sorted(all) }))
    .sort((one, other) => rank(one) - rank(other) || compare(one.title, other.title));
  const first = [
    { stem: "", title: t("voices.group.installed"), offers: sorted(installed) },
    { stem: "", title: t("voices.group.favorites"), offers: sorted(favorites) },
  ];
  return [...first.filter(({ offers }) => offers.length > 0), ...groups];
}

/** @param {Offer} offer */
export function isInstalled({ voice }) {
  return voice.installed !== null;
}

/** @typedef {Group | Offer} Line A row of the list: a language, or a voice of it. */

/**
 * @param {readonly Group[]} groups
 * @returns {Line[]}
 */
export function linesOf(groups) {
  return groups.flatMap((group) => [group, ...group.offers]);
}

/**
 * @param {Line} line
 * @returns {line is Group}
 */
export function isGroup(line) {
  return "offers" in line;
}

/**
 * @param {VoiceOrder} order
 * @param {(one: string, other: string) => number} compare
 * @returns {(one: Offer, other: Offer) => number}
 */
function comparison(order, compare) {
  const byName = (/** @type {Offer} */ one, /** @type {Offer} */ other) =>
    compare(one.title, other.title) || rankOf(one) - rankOf(other) || compare(one.id, other.id);
  if (order === "quality") return (one, other) => rankOf(one) - rankOf(other) || byName(one, other);
  if (order === "name") return byName;
  const sign = order === "small" ? 1 : -1;
  return (one, other) => {
    if (one.bytes === null || other.bytes === null) return Number(one.bytes === null) - Number(other.bytes === null) || byName(one, other);
    return sign * (one.bytes - other.bytes) || byName(one, other);
  };
}

/** @param {Offer} offer */
function rankOf({ voice: { quality } }) {
  const rank = qualities.findIndex((one) => one === quality);
  return rank < 0 ? qualities.length : rank;
}

/**
 * The filters of the list of voices.
 *
 * @typedef {object} Narrowing
 * @property {boolean} installed
 * @property {boolean} favorite
 * @property {readonly string[]} qualities Any of these; all when empty.
 * @property {string | null} language Without a region.
 */

/** @type {Readonly<Narrowing>} */
export const everything = Object.freeze({ installed: false, favorite: false, qualities: [], language: null });

/**
 * @param {Offer} offer
 * @param {Narrowing} narrowing
 */
function passes({ voice, stem }, { installed, favorite, qualities, language }) {
  if (installed && voice.installed === null) return false;
  if (favorite && !voice.isFavorite) return false;
  if (qualities.length > 0 && !qualities.includes(voice.quality ?? "")) return false;
  return language === null || language === stem;
}

/**
 * An active filter, and the filters without it.
 *
 * @typedef {object} ActiveNarrowing
 * @property {"installed" | "favorite" | "quality" | "language"} kind
 * @property {string} value The quality or the language; else empty.
 * @property {Narrowing} without
 */

/**
 * @param {Narrowing} narrowing
 * @returns {ActiveNarrowing[]}
 */
export function activeNarrowings(narrowing) {
  /** @type {ActiveNarrowing[]} */
  const active = [];
  if (narrowing.installed) active.push({ kind: "installed", value: "", without: { ...narrowing, installed: false } });
  if (narrowing.favorite) active.push({ kind: "favorite", value: "", without: { ...narrowing, favorite: false } });
  for (const quality of narrowing.qualities) {
    const qualities = narrowing.qualities.filter((one) => one !== quality);
    active.push({ kind: "quality", value: quality, without: { ...narrowing, qualities } });
  }
  if (narrowing.language !== null) active.push({ kind: "language", value: narrowing.language, without: { ...narrowing, language: null } });
  return active;
}

/** @typedef {import("../../server/voices.js").VoiceListings} VoiceListings */
/** @typedef {import("../../server/voices.js").Download} Download */

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
   * The last state, by entry, of a download that the list does not have yet, and the event that reported it.
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
    for (const name of /** @type {const} */ (["voices", "profiles", "settings", "reset"])) onServer(name, () => this.#loadSoon(), signal);
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

/**
 * A voice that is being added from a file.
 *
 * - `sending`, then `trying` when the server has all of it: it unpacks the voice and speaks a word with it;
 * - `refused`; `done`.
 *
 * @typedef {object} Upload
 * @property {File} file
 * @property {"sending" | "trying" | "refused" | "done"} state
 * @property {number} part The uploaded fraction, from 0 to 1.
 * @property {unknown} problem Why it was refused, or `null`.
 * @property {VoiceListing | null} voice Set when it is done.
 */

/** The voice that is being added from a file, one at a time; it outlives the page. */
export class VoiceUpload {
  /** `null` when there is none. */
  current = new Cell(/** @type {Upload | null} */ (null));
  #send;
  #request = new AbortController();

  /** @param {(file: File, options: { progressed: (part: number) => void, signal: AbortSignal }) => Promise<VoiceListing>} send */
  constructor(send = addVoiceFile) {
    this.#send = send;
  }

  /** @param {File} file Replaces the previous one. */
  async add(file) {
    this.drop();
    const request = (this.#request = new AbortController());
    this.current.set({ file, state: "sending", part: 0, problem: null, voice: null });
    try {
      const voice = await this.#send(file, {
        signal: request.signal,
        progressed: (part) => this.#change(request, { part, state: part < 1 ? "sending" : "trying" }),
      });
      this.#change(request, { state: "done", voice });
    } catch (problem) {
      this.#change(request, { state: "refused", problem });
    }
  }

  /** Removes it; a file that is still being uploaded is not added. */
  drop() {
    this.#request.abort();
    if (this.current.value !== null) this.current.set(null);
  }

  /**
   * @param {AbortController} request The request of the upload; another upload may have replaced it.
   * @param {Partial<Upload>} change
   */
  #change(request, change) {
    const { value } = this.current;
    if (!request.signal.aborted && value !== null) this.current.set({ ...value, ...change });
  }
}

export const upload = new VoiceUpload();
