import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { duration, size } from "../../core/format.js";
import { isKnown, number, t } from "../../core/i18n.js";
import { isOpen, setting, state as serverState } from "../../core/store.js";
import { codeOf } from "./recorder-problem.js";
import { soundImports } from "./sound-import-queue.js";

/** @typedef {import("./sound-import-queue.js").SoundImport} SoundImport */
/** @typedef {import("../../server/library.js").Item} Item */

/** The sound files that are being imported or were refused. */
export class SoundImportList {
  #list = h("ul", { class: "sound-imports", "aria-label": t("recordings.imports") });
  #clear = button({ label: t("import.clear"), look: "quiet", onPress: () => this.#dismissAll() });
  element = h("div", { hidden: true }, this.#clear, this.#list);
  /** @type {Map<number, ImportRow>} */
  #rows = new Map();
  /** @type {Item[]} The recordings that the present files have become, of which a message tells. */
  #become = [];

  /** @param {AbortSignal} signal */
  start(signal) {
    soundImports.all.follow((all) => this.#show(all), signal);
    serverState.watch(() => !isOpen() && soundImports.forget(), signal);
  }

  /** @param {readonly SoundImport[]} all */
  #show(all) {
    for (const one of all) {
      const row = this.#rows.get(one.id) ?? this.#newRow(one);
      row.show(one);
    }
    for (const [id, row] of this.#rows) {
      if (all.some((one) => one.id === id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    this.element.hidden = all.length === 0;
    this.#clear.hidden = all.filter(({ state }) => ["refused", "rest", "done"].includes(state)).length < 2;
    for (const one of all.filter(({ id, state }) => state === "done" && soundImports.report(id))) {
      const { id, rest, notices, twin } = one;
      if (twin !== null) continue; // its row tells of it, and asks
      if (rest === null) this.#tellOf(one);
      else showToast({ icon: "check", text: t("recorder.saved", { name: rest.name }) });
      if (notices.length === 0) queueMicrotask(() => soundImports.drop(id));
    }
    if (all.every(({ state }) => state === "done" || state === "refused")) this.#become = [];
  }

  /** @param {SoundImport} one It has become a recording, which the message offers to transcribe with those before it. */
  #tellOf({ file, item }) {
    if (item !== null) this.#become = [...this.#become, item];
    const become = this.#become;
    const n = become.length;
    const text = n > 1 ? t("recordings.imported.many", { n }) : t("recordings.imported", { name: file.name });
    const isOffered = n > 0 && setting("transcription.after-import", "off") !== "on";
    const action = { label: t(n > 1 ? "recordings.transcribe.all" : "order.title"), run: () => transcribe(become) };
    showToast({ icon: "check", text, seconds: isOffered ? 12 : undefined, action: isOffered ? action : undefined });
  }

  #dismissAll() {
    soundImports.clear();
    /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus({ preventScroll: true });
  }

  /** @param {SoundImport} one */
  #newRow(one) {
    const row = new ImportRow(one);
    this.#rows.set(one.id, row);
    this.#list.append(row.element);
    return row;
  }
}

/** @param {readonly Item[]} items At least one; a sheet asks how a single one is transcribed. */
function transcribe(items) {
  return attempt(async () => {
    const { openOrder, transcribeMany } = await import("./transcript-doors.js");
    const [first] = items;
    if (items.length > 1 || first === undefined) await transcribeMany(items.map(({ id }) => id));
    else await openOrder(first);
  });
}

/** A sound file that is being imported. */
class ImportRow {
  #words = h("p", { class: "muted small" });
  #bar = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, h("div", { class: "progress-part" }));
  #mark = h("span", { class: "sound-import-mark" });
  #again;
  #keep;
  #twin;
  #open = h("a", { class: "button", hidden: true }, t("import.open"));
  #join;
  #apart;
  #tracks = h("div", { class: "sound-import-tracks", hidden: true });
  #id;

  /** @param {SoundImport} one */
  constructor({ id, file }) {
    this.#id = id;
    this.#bar.setAttribute("aria-label", t("import.progress", { name: file.name }));
    this.#again = button({ label: t("do.again"), look: "quiet", onPress: () => soundImports.again(id) });
    this.#keep = button({ label: t("import.keepPart"), look: "quiet", onPress: () => soundImports.keepPart(id) });
    this.#twin = button({ label: t("import.keepTwin"), look: "quiet", onPress: () => soundImports.keepTwin(id) });
    this.#join = button({ label: t("recordings.rest.join"), onPress: () => soundImports.join(id) });
    this.#apart = button({ label: t("recordings.rest.apart"), look: "quiet", onPress: () => soundImports.importApart(id) });
    const label = t("import.drop", { name: file.name });
    this.element = h(
      "li",
      { class: "sound-import" },
      this.#mark,
      h("div", { class: "sound-import-main" }, h("p", { class: "sound-import-name", dir: "auto" }, file.name), this.#words, this.#bar, this.#tracks),
      this.#join,
      this.#apart,
      this.#keep,
      this.#again,
      this.#open,
      this.#twin,
      button({ label, icon: "close", look: "quiet", iconOnly: true, onPress: () => soundImports.drop(id) }),
    );
  }

  /** @param {SoundImport} one */
  show({ state, part, problem, rest, notices, twin }) {
    const isAsked = state === "rest";
    const isRefused = state === "refused";
    const isDone = state === "done";
    setAttribute(this.element, "data-state", state);
    fill(this.#mark, icon(isRefused ? "error" : isDone || isAsked ? "info" : "library"));
    setAttribute(this.#words, "role", isRefused || isAsked || twin !== null ? "alert" : null);
    const ended = twin === null ? notices.map(noticeWords).join(" ") : t("recordings.twin", { name: twin.name });
    const stateWords = isDone ? ended : progressWords(state, part);
    setText(this.#words, isRefused ? refusalWords(problem) : isAsked && rest !== null ? restWords(rest, problem) : stateWords);
    this.#bar.hidden = isRefused || isDone || isAsked || state === "waiting";
    this.#bar.style.setProperty("--part", String(part));
    // The server does not say how far it has read.
    setAttribute(this.#bar, "data-endless", state === "reading" ? "" : null);
    setAttribute(this.#bar, "aria-valuenow", state === "reading" ? null : String(Math.round(part * 100)));
    this.#again.hidden = !isRefused;
    this.#keep.hidden = !isRefused || !isDamaged(problem);
    this.#twin.hidden = twin === null;
    const finished = (isAsked ? rest?.finished : undefined) ?? null;
    const recording = twin?.id ?? finished;
    this.#open.hidden = recording === null;
    setAttribute(this.#open, "href", recording === null ? null : `/recordings/${encodeURIComponent(recording)}`);
    this.#apart.hidden = !isAsked;
    this.#join.hidden = !isAsked || finished !== null;
    if (isDone && this.#tracks.hidden) this.#offerTracks(notices);
  }

  /** @param {SoundImport["notices"]} notices */
  #offerTracks(notices) {
    const others = notices.flatMap(({ count = 1, track = 1 }) => range(Math.min(count, mostTracks)).filter((number) => number !== track));
    const press = (/** @type {number} */ number) => soundImports.takeTrack(this.#id, number);
    fill(this.#tracks, ...others.map((n) => button({ label: t("import.track", { n }), look: "quiet", onPress: () => press(n) })));
    this.#tracks.hidden = others.length === 0;
  }
}

/** The most sound tracks of a file that are offered. */
const mostTracks = 8;

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * @param {NonNullable<SoundImport["rest"]>} rest
 * @param {unknown} problem Why the file could not be added to it, or `null`.
 */
function restWords({ name, finished }, problem) {
  if (finished !== undefined) return t("recordings.rest.finished", { name });
  if (problem === null) return t("recordings.rest", { name });
  // The recording went on without this sound, or ended.
  const isOther = ["recording.chunk-missing", "recording.chunk-taken", "recording.not-found"].includes(codeOf(problem));
  return isOther ? t("recordings.rest.other", { name }) : refusalWords(problem);
}

/** @param {unknown} problem */
function isDamaged(problem) {
  return /** @type {{ code?: unknown } | null} */ (problem)?.code === "sound-file.damaged";
}

/** @param {import("../../server/recordings.js").SoundNotice} notice */
function noticeWords({ code, message, count, track, statedSeconds, seconds, limit }) {
  const key = `notice.${code}`;
  if (!isKnown(key)) return message;
  const words = { stated: duration(statedSeconds ?? 0), kept: duration(seconds ?? 0), limit: size(limit ?? 0) };
  return t(key, { n: count ?? 1, track: track ?? 1, ...words });
}

/** @param {unknown} problem */
function refusalWords(problem) {
  const { message, suggestion } = wordsFor(problem);
  return suggestion === null ? message : `${message} ${suggestion}`;
}

/**
 * @param {SoundImport["state"]} state
 * @param {number} part
 */
function progressWords(state, part) {
  if (state === "sending") return t("import.sending", { n: number(part * 100) });
  if (state === "joining") return t("recordings.rest.joining", { n: number(part * 100) });
  return t(state === "waiting" ? "import.waiting" : "recordings.importing");
}

/** The button that opens the picker for sound files. */
export function soundImportButton() {
  const input = h("input", {
    type: "file",
    multiple: true, // of any name: what is sound is known by what is in a file
    class: "visually-hidden",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  input.addEventListener("change", () => {
    soundImports.add(input.files ?? []);
    input.value = "";
  });
  return h("span", { class: "sound-import-button" }, button({ label: t("import.button"), icon: "plus", onPress: () => input.click() }), input);
}
