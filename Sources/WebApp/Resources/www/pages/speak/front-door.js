import { icon } from "../../components/button.js";
import { attempt } from "../../components/toast.js";
import { fill, h, kept, loadStyle, setText } from "../../core/dom.js";
import { clock, duration, shortDate, voiceInFull } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { listDocuments } from "../../server/documents.js";
import { onServer } from "../../server/events.js";
import { listItems } from "../../server/library.js";
import { listNarrations } from "../../server/narrations.js";
import { listSpeeches } from "../../server/practice.js";
import { listSessions } from "../../server/recordings.js";
import { listTranscriptions, loadRecognizers, loadSpeakers } from "../../server/transcriptions.js";
import { listDownloads, loadVoiceListings } from "../../server/voices.js";
import { imports } from "../documents/import-queue.js";
import { itemDeletion } from "../list/item-actions.js";
import { soundImports } from "../recordings/sound-import-queue.js";
import { jobWords, shareOf, shortJobWords } from "../recordings/transcription-jobs.js";
import { session } from "./session.js";

/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/practice.js").Speech} Speech */
/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */
/** @typedef {import("../../server/recordings.js").Session} Session */
/** @typedef {import("../../server/narrations.js").Narration} Narration */
/** @typedef {import("../../server/voices.js").Download} Download */
/** @typedef {import("../documents/import-queue.js").Import} Import */
/** @typedef {import("../recordings/sound-import-queue.js").SoundImport} SoundImport */

/**
 * Something that a person made, wrote or imported.
 *
 * @typedef {{ kind: "item", date: string, item: Item } | { kind: "document" | "speech", date: string, id: string, name: string }} LastThing
 */

/**
 * The last things of every kind together.
 *
 * @param {{ items: readonly Item[], documents: readonly Document[], speeches: readonly Speech[] }} all
 * @param {number} count How many are wanted at most.
 * @returns {LastThing[]} Newest first; a speech by its last change.
 */
export function lastOf({ items, documents, speeches }, count) {
  /** @type {LastThing[]} */
  const things = [
    ...items.map((item) => ({ kind: /** @type {const} */ ("item"), date: item.created, item })),
    ...documents.map(({ id, name, added }) => ({ kind: /** @type {const} */ ("document"), date: added, id, name })),
    ...speeches.map(({ id, title, updated }) => ({ kind: /** @type {const} */ ("speech"), date: updated, id, name: title })),
  ];
  return things.sort((one, other) => Date.parse(other.date) - Date.parse(one.date)).slice(0, count);
}

/**
 * The narrations among the last things, to play one after another as they are shown.
 *
 * @param {readonly LastThing[]} things Newest first.
 * @returns {{ items: Item[], list: import("../../player/play-queue.js").PlayList }} `items`: those narrations.
 */
export function playListOfLast(things) {
  const items = things.flatMap((thing) => (thing.kind === "item" && thing.item.origin === "narrated" ? [thing.item] : []));
  const query = { origin: [/** @type {const} */ ("narrated")] };
  return {
    items,
    list: {
      query,
      isHidden: (id) => itemDeletion.isHidden(id),
      load: async ({ offset, limit }, signal) => {
        // Oldest first, so that those of the list come before all that were made since.
        const since = { createdFrom: items[items.length - 1]?.created, order: /** @type {const} */ ("date"), ascending: true };
        const now = new Map((await listItems({ ...query, ...since }, signal)).items.map((item) => [item.id, item]));
        const left = items.flatMap(({ id }) => now.get(id) ?? []);
        return { items: left.slice(offset, offset + limit), total: left.length };
      },
    },
  };
}

/** @type {WeakSet<AbortSignal>} The lives of the pages that have one. */
const lives = new WeakSet();

/** How many of the last things are shown. */
const shownThings = 5;

/**
 * Shows the ways to everything else that people come for, and, while nothing is written, what was made last.
 *
 * @param {Element} place Empty.
 * @param {AbortSignal} signal The life of the page.
 */
export async function showFrontDoor(place, signal) {
  await loadStyle("/styles/front-door.css");
  if (signal.aborted || lives.has(signal)) return;
  lives.add(signal);
  const door = new FrontDoor(place, signal);
  session.stage.watch(() => door.update(), signal);
  session.written.watch(() => door.update(), signal);
  onServer("reset", () => door.loadNow(), signal);
  onServer("transcription", (job) => door.jobChanged(job), signal);
  onServer("narration", (narration) => door.narrationChanged(narration), signal);
  onServer("voice", (download) => door.downloadChanged(download), signal);
  imports.all.watch(() => door.showNow(), signal);
  soundImports.all.watch(() => door.showNow(), signal);
  for (const event of /** @type {const} */ (["library", "documents", "speeches", "reset"])) onServer(event, () => door.loadLast(), signal);
  onServer("recording", ({ id, session }) => door.sessionChanged(id, session), signal);
  await Promise.all([door.loadNow(), door.loadLast()]);
}

class FrontDoor {
  #place;
  #signal;
  /** @type {"none" | "small" | "whole"} While a text is written, the ways alone. */
  #shape = "none";
  /** How often each part was asked for; an answer to an earlier question is dropped. */
  #asked = { now: 0, last: 0 };
  /** Whether no answer about what is under way is awaited. */
  #isKnown = false;
  /** @type {Map<string, string>} The states that were reported, by what they are of, and led to a question. */
  #reported = new Map();
  /** The work of the server, and the recordings that were cut off. */
  #server = {
    jobs: /** @type {readonly Transcription[]} */ ([]),
    sessions: /** @type {readonly Session[]} */ ([]),
    narrations: /** @type {readonly Narration[]} */ ([]),
    downloads: /** @type {readonly Download[]} */ ([]),
  };
  /** @type {ReadonlyMap<string, Downloaded>} What the downloads bring. */
  #downloaded = new Map();
  #now = h("ul", { class: "door-now", hidden: true });
  #last = h("div", {});
  #lastTitle = h("h2", {}, t("door.last"));
  #lastRows = h("ul", { class: "door-last" });
  /** @type {readonly LastThing[]} */
  #things = [];
  /** @type {Map<string, HTMLElement>} The rows by what they show and where they lead. */
  #rows = new Map();
  #rest = [h("p", { class: "muted small" }, t("import.drop.here"), " · ", h("a", { href: "/recordings/recognizers" }, t("door.better"))), this.#now, this.#last];
  #element = h(
    "section",
    { class: "front-door", "aria-label": t("door.title") },
    h(
      "div",
      { class: "door-ways" },
      way("/documents", "document", "door.document"),
      way("/recordings", "record", "door.recording"),
      way("/practice", "practice", "door.practice"),
    ),
    ...this.#rest,
  );

  /**
   * @param {Element} place
   * @param {AbortSignal} signal
   */
  constructor(place, signal) {
    this.#place = place;
    this.#signal = signal;
    this.update();
  }

  update() {
    const shape = shapeOf(session.stage.value, session.text);
    if (shape === this.#shape) return;
    if (shape === "none" || this.#shape === "none") fill(this.#place, shape !== "none" && this.#element);
    this.#shape = shape;
    this.#element.classList.toggle("door-small", shape === "small");
    if (shape === "small") for (const part of this.#rest) part.remove();
    if (shape !== "whole") return;
    this.#element.append(...this.#rest);
    this.loadNow();
    this.loadLast();
  }

  /**
   * @param {string} id A recording's.
   * @param {Session | null} session Changes often while it grows.
   */
  sessionChanged(id, session) {
    const isCutOff = session?.state === "interrupted";
    // The answer on its way may be older than the change.
    const isMissed = !this.#isKnown && session?.state !== "recording";
    if (isMissed || isCutOff !== this.#server.sessions.some((one) => one.id === id)) this.loadNow();
  }

  /** @param {Transcription} job */
  jobChanged(job) {
    this.#server.jobs = this.#changed(`job ${job.id}`, this.#server.jobs, job, ({ id }) => id === job.id);
    this.showNow();
  }

  /** @param {Narration} narration */
  narrationChanged(narration) {
    this.#server.narrations = this.#changed(`narration ${narration.id}`, this.#server.narrations, narration, ({ id }) => id === narration.id);
    this.showNow();
  }

  /** @param {Download} download */
  downloadChanged(download) {
    this.#server.downloads = this.#changed(`download ${download.entry}`, this.#server.downloads, download, ({ entry }) => entry === download.entry);
    this.showNow();
  }

  /**
   * Takes over how far something is; what is new, or is in another state, is asked for, as an answer on its way may be older.
   *
   * @template {{ state: string }} One
   * @param {string} name Of what is reported.
   * @param {readonly One[]} all
   * @param {One} one
   * @param {(other: One) => boolean} isSame
   */
  #changed(name, all, one, isSame) {
    const before = all.find(isSame);
    if (before?.state === one.state) return all.map((other) => (other === before ? one : other));
    // It is reported several times a second: what was asked since its first report has the answer.
    const isAsked = this.#reported.get(name) === one.state && (before === undefined || !this.#isKnown);
    this.#reported.set(name, one.state);
    if (!isAsked) this.loadNow();
    return this.#shape === "whole" ? all : all.filter((other) => other !== before);
  }

  /** Shows what is under way or was cut off, unless a text is being written. */
  loadNow() {
    this.#isKnown = false;
    return this.#load("now", async () => {
      const signal = this.#signal;
      const [{ jobs }, { sessions }, narrations, downloads] = await Promise.all([
        listTranscriptions(signal),
        listSessions(signal),
        listNarrations(signal),
        listDownloads(signal),
      ]);
      const isNameless = downloads.some((one) => isComing(one) && !this.#downloaded.has(one.entry));
      const downloaded = isNameless ? await loadDownloaded(signal).catch(() => this.#downloaded) : this.#downloaded;
      return () => {
        this.#isKnown = true;
        this.#downloaded = downloaded;
        this.#server = { jobs, sessions: sessions.filter(({ state }) => state === "interrupted"), narrations, downloads };
        this.showNow();
      };
    });
  }

  showNow() {
    const { jobs, sessions, narrations, downloads } = this.#server;
    const others = [
      ...narrationsUnderWay(narrations),
      ...importsUnderWay(imports.all.value),
      ...soundsUnderWay(soundImports.all.value),
      ...downloadsUnderWay(downloads, this.#downloaded),
    ];
    const rows = [...sessions.map(sessionRow), ...jobs.map(jobRow), ...others.map((one) => this.#underWayRow(one))];
    this.#now.hidden = rows.length === 0;
    fill(this.#now, ...rows.map((row) => this.#elementOf(row)));
  }

  /**
   * @param {UnderWay} one
   * @returns {DoorRow}
   */
  #underWayRow({ id, name, address, words }) {
    const show = () => attempt(async () => {
      const narration = this.#server.narrations.find((one) => id === `narration ${one.id}`);
      if (narration !== undefined) await (await import("./speaking.js")).speaking.showMade(narration);
    }, this.#signal);
    const link = () =>
      address === null
        ? h("button", { type: "button", class: "door-item", dir: "auto", onclick: show }, name)
        : h("a", { href: address, dir: "auto" }, name);
    return { key: `${id} ${name} ${address}`, link, words };
  }

  /** Shows the last things, unless a text is being written. */
  loadLast() {
    return this.#load("last", async () => {
      const newest = { order: /** @type {const} */ ("date"), ascending: false, limit: shownThings };
      const [{ items }, { items: documents }, { speeches }] = await Promise.all([
        listItems(newest, this.#signal),
        listDocuments(newest, this.#signal),
        listSpeeches(this.#signal),
      ]);
      const last = lastOf({ items, documents, speeches }, shownThings);
      return () => {
        this.#things = last;
        fill(this.#lastRows, ...last.map((thing) => this.#elementOf(rowOf(thing, (id) => this.#play(id)))));
        fill(this.#last, last.length > 0 && this.#lastTitle, last.length > 0 && this.#lastRows);
      };
    });
  }

  /** @param {string} id Of a narration, which is played and then those below it. */
  #play(id) {
    const { items, list } = playListOfLast(this.#things);
    const at = items.findIndex((item) => item.id === id);
    if (at >= 0) player.playListed(list, { item: items[at], at });
  }

  /** @param {DoorRow} row Its element stays while the words behind the name change. */
  #elementOf({ key, link, words }) {
    const element = kept(this.#rows, key, () => h("li", {}, link(), h("span", { class: "muted small numbers" })));
    setText(/** @type {Element} */ (element.lastElementChild), words);
    return element;
  }

  /**
   * @param {"now" | "last"} part
   * @param {() => Promise<() => void>} ask Returns what shows the answer.
   */
  async #load(part, ask) {
    if (this.#shape !== "whole") return;
    this.#asked[part] += 1;
    const asked = this.#asked[part];
    try {
      const show = await ask();
      if (!this.#signal.aborted && asked === this.#asked[part]) show();
    } catch {
      this.#reported.clear(); // The ways stay; the next event brings the rest.
    }
  }
}

/**
 * @param {import("./session.js").Stage} stage
 * @param {string} text What is written.
 */
function shapeOf({ kind }, text) {
  if (kind !== "writing" && kind !== "asking") return "none";
  return text.trim() === "" ? "whole" : "small";
}

/**
 * @param {string} address
 * @param {import("../../components/button.js").IconName} picture
 * @param {string} key
 */
function way(address, picture, key) {
  return h("a", { class: "door-way", href: address }, icon(picture), h("span", {}, t(key)));
}

/**
 * @typedef {object} DoorRow
 * @property {string} key Changes with what it leads to, and with its name.
 * @property {() => HTMLElement} link Makes it.
 * @property {string} words
 */

/**
 * @param {Transcription} job The page that it leads to asks what it waits for.
 * @returns {DoorRow}
 */
function jobRow(job) {
  const words = job.state === "waiting-for-consent" ? shortJobWords(job) : jobWords(job, shareOf(job));
  const link = () => h("a", { href: `/recordings/${encodeURIComponent(job.item)}`, dir: "auto" }, job.name);
  return { key: `job ${job.id} ${job.name}`, link, words };
}

/**
 * @param {Session} session A recording that waits to be continued, kept or discarded.
 * @returns {DoorRow}
 */
function sessionRow({ id, name, seconds }) {
  const link = () => h("a", { href: "/recordings", dir: "auto" }, name);
  return { key: `session ${id} ${name}`, link, words: `${t("unfinished.interrupted")} · ${clock(seconds)}` };
}

/**
 * @param {LastThing} thing
 * @param {(id: string) => void} play
 * @returns {DoorRow}
 */
function rowOf(thing, play) {
  if (thing.kind === "item") return itemRow(thing.item, play);
  const { kind, id, name } = thing;
  const isDocument = kind === "document";
  const [address, picture] = isDocument ? ["/documents/", "document"] : ["/practice/speeches/", "practice"];
  const link = () => h("a", { class: "door-item", dir: "auto", href: address + encodeURIComponent(id) }, icon(/** @type {"document" | "practice"} */ (picture)), name);
  return { key: `${kind} ${id} ${name}`, link, words: `${t(isDocument ? "door.a.document" : "door.a.speech")} · ${shortDate(thing.date)}` };
}

/**
 * @param {Item} item A narration is played, and what people said is opened.
 * @param {(id: string) => void} play
 * @returns {DoorRow}
 */
function itemRow({ id, name, origin, duration, created }, play) {
  const link = () =>
    origin === "narrated"
      ? h("button", { type: "button", class: "door-item", dir: "auto", onclick: () => play(id) }, icon("play"), name)
      : h("a", { class: "door-item", dir: "auto", href: `/recordings/${encodeURIComponent(id)}` }, icon("text"), name);
  return { key: `item ${id} ${name}`, link, words: `${clock(duration)} · ${shortDate(created)}` };
}

/**
 * Something that continues by itself, or waits for an answer.
 *
 * @typedef {object} UnderWay
 * @property {string} id
 * @property {string} name
 * @property {string | null} address Where it is shown; `null` for a narration, which is shown on the page that made it.
 * @property {string} words How far it is, or what it waits for.
 */

/**
 * @param {readonly Narration[]} narrations Oldest first; those that were stopped or have failed are listed elsewhere.
 * @returns {UnderWay[]}
 */
export function narrationsUnderWay(narrations) {
  const waiting = narrations.filter(({ state }) => state === "waiting");
  return narrations
    .filter(({ state }) => state === "speaking" || state === "waiting")
    .map((one) => ({
      id: `narration ${one.id}`,
      name: one.name,
      address: one.document === null ? null : `/documents/${encodeURIComponent(one.document.id)}`,
      words: one.state === "waiting" ? placeIn(waiting, one) : spokenWords(one),
    }));
}

/** @param {Narration} narration */
function spokenWords({ characters, position, secondsLeft }) {
  const words = t("left.part", { n: characters === 0 ? 0 : Math.floor((100 * position) / characters) });
  return secondsLeft === null ? words : `${words} · ${t("speak.left", { time: duration(secondsLeft) })}`;
}

/**
 * @template One
 * @param {readonly One[]} waiting
 * @param {One} one
 */
function placeIn(waiting, one) {
  return t("jobs.queued", { n: waiting.indexOf(one) + 1 });
}

/**
 * @param {readonly Import[]} imports Those that are done are documents.
 * @returns {UnderWay[]}
 */
export function importsUnderWay(imports) {
  const waiting = imports.filter(({ state }) => state === "waiting");
  return imports
    .filter(({ state }) => state !== "done")
    .map((one) => ({ id: `import ${one.id}`, name: one.file.name, address: "/documents", words: importWords(one, waiting) }));
}

/**
 * @param {Import} one
 * @param {readonly Import[]} waiting
 */
function importWords(one, waiting) {
  if (one.state === "waiting") return placeIn(waiting, one);
  if (one.state === "sending") return t("import.sending", { n: number(one.part * 100) });
  if (one.state === "refused") return t("import.refused", { n: 1 });
  return t(one.state === "asking" ? "jobs.waiting-for-consent" : "import.reading");
}

/**
 * @param {readonly SoundImport[]} sounds Those that are done are recordings, but for a twin, about which is asked.
 * @returns {UnderWay[]}
 */
export function soundsUnderWay(sounds) {
  const waiting = sounds.filter(({ state }) => state === "waiting");
  return sounds
    .filter(({ state, twin }) => state !== "done" || twin !== null)
    .map((one) => ({ id: `sound ${one.id}`, name: one.file.name, address: "/recordings", words: soundWords(one, waiting) }));
}

/**
 * @param {SoundImport} one
 * @param {readonly SoundImport[]} waiting
 */
function soundWords(one, waiting) {
  const n = number(one.part * 100);
  if (one.state === "waiting") return placeIn(waiting, one);
  if (one.state === "sending") return t("import.sending", { n });
  if (one.state === "joining") return t("recordings.rest.joining", { n });
  if (one.state === "refused") return t("import.refused", { n: 1 });
  return t(one.state === "reading" ? "recordings.importing" : "jobs.waiting-for-consent");
}

/** @typedef {{ name: string, address: string }} Downloaded What a download brings, and where it is listed. */

/**
 * @param {readonly Pick<Download, "entry" | "state" | "bytes" | "total">[]} downloads
 * @param {ReadonlyMap<string, Downloaded>} known By their entries.
 * @returns {UnderWay[]}
 */
export function downloadsUnderWay(downloads, known) {
  return downloads.filter(isComing).map((one) => {
    const { name, address } = known.get(one.entry) ?? { name: one.entry, address: "/voices" };
    return { id: `download ${one.entry}`, name, address, words: downloadWords(one) };
  });
}

/**
 * Whether something is being downloaded, or waits for that.
 *
 * @param {Pick<Download, "state">} download
 */
function isComing({ state }) {
  return !["none", "paused", "failed"].includes(state);
}

/** @param {Pick<Download, "state" | "bytes" | "total">} download */
function downloadWords({ state, bytes, total }) {
  if (state === "waiting") return t("voices.state.waiting");
  if (state === "extracting") return t("voices.state.extracting");
  if (state !== "downloading" || bytes === null || total === null || total <= 0) return t("order.coming");
  return t("door.downloading", { n: Math.floor(Math.min(1, bytes / total) * 100) });
}

/**
 * Finds what downloads bring, by their entries.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Downloaded>>}
 */
export async function loadDownloaded(signal) {
  const [{ offers }, speakers, { voices }] = await Promise.all([loadRecognizers(signal), loadSpeakers(signal), loadVoiceListings(signal)]);
  const heard = offers.map(({ entry, name }) => ({ entry, name, address: "/recordings/recognizers" }));
  const forSpeakers = speakers.offers.map(({ entry }) => ({ entry, name: t("speakers.find"), address: "/recordings" }));
  const spoken = voices.map((voice) => ({ entry: voice.entry ?? "", name: voiceInFull({ ...voice, title: voice.name }), address: "/voices" }));
  return new Map([...spoken, ...heard, ...forSpeakers].map(({ entry, ...one }) => [entry, one]));
}
