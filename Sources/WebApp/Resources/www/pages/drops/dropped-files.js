import { button } from "../../components/button.js";
import { Sheet } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { noticeWords } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isOpen, setting, settings, state } from "../../core/store.js";
import { eachOf } from "../../server/library.js";
import { readTextFile } from "../../server/narrations.js";
import { listRecognizers, startTranscription } from "../../server/transcriptions.js";
import { imports, kindOf, looked, mayBeSound } from "../documents/import-queue.js";
import { itemDeletion } from "../list/item-actions.js";
import { soundImports } from "../recordings/sound-import-queue.js";
import { isGoing, transcriptionJobs } from "../recordings/transcription-jobs.js";

/** @typedef {import("../documents/import-queue.js").FileKind} FileKind */

/** @typedef {import("../recordings/sound-import-queue.js").SoundImport} SoundImport */
/** @typedef {import("../../server/library.js").Item} Item */

/** @type {Map<File, boolean>} Those that are transcribed once they are imported; `true` where a recording was found that is of the same file. */
const awaited = new Map();

/** @type {Set<string>} The recordings that such files have become, while the files are listed; they need not be offered to be transcribed. */
const ordered = new Set();

const { signal } = new AbortController();
state.watch(() => !isOpen() && soundImports.forget(), signal);
soundImports.all.watch((all) => transcribeAwaited(all), signal);
soundImports.offered.watch((items) => items.some(({ id }) => ordered.has(id)) && soundImports.withdraw([...ordered]), signal);
soundImports.isDeleted = (id) => itemDeletion.isHidden(id);

/**
 * @typedef {object} Taking
 * @property {boolean} [isForSound] Whether they were chosen to be transcribed; a text with the name of a sound file is then
 * refused as one.
 * @property {boolean} [isAsked] Default: true. Whether it is asked what becomes of texts; otherwise they are read aloud.
 * @property {(texts: readonly File[]) => Promise<void>} [speak] Has texts read aloud.
 */

/**
 * Sorts files by where they go.
 *
 * @template {{ name: string, type: string }} Kind
 * @param {readonly Kind[]} files
 * @param {readonly FileKind[]} kinds Of each.
 * @param {boolean} isForSound
 */
export function sorted(files, kinds, isForSound) {
  const kindAt = (/** @type {number} */ index) => (isForSound && kinds[index] === "text" && mayBeSound(files[index]) ? "sound" : kinds[index]);
  const of = (/** @type {FileKind} */ kind) => files.filter((_, index) => kindAt(index) === kind);
  return { sounds: of("sound"), texts: of("text"), documents: of("document") };
}

/**
 * Imports files that were dropped or chosen somewhere: documents and texts into the documents, sound into the recordings. Texts
 * may be read aloud instead, which is asked once for all of them unless the documents are open.
 *
 * @param {readonly File[]} files
 * @param {Taking} how
 */
export async function takeFiles(files, { isForSound = false, isAsked = true, speak = speakTexts } = {}) {
  const [kinds, isTranscribed] = await Promise.all([Promise.all(files.map(kindOfFile)), isForSound && isRecognizerFit()]);
  const { sounds, texts } = sorted(files, kinds, isForSound);
  const isKept = texts.length === 0 || location.pathname === "/documents";
  const answer = isKept ? "keep" : isAsked ? await askAboutTexts(texts) : "speak";
  const others = files.filter((file) => !sounds.includes(file) && (answer === "keep" || !texts.includes(file)));
  if (others.length + sounds.length > 0) {
    // The files come after their page, which is then the one that shows them.
    const home = answer === "speak" ? "/speak" : others.length > 0 ? "/documents" : "/recordings";
    if (answer !== "speak" && location.pathname !== home) navigate(home);
    if (others.length > 0) imports.add(others);
    if (isTranscribed) transcribeOnceImported(sounds);
    if (sounds.length > 0) soundImports.add(sounds);
    sayWhatIsElsewhere(home === "/documents" ? 0 : others.length, home === "/recordings" ? 0 : sounds.length);
  }
  if (answer === "speak") await attempt(() => speak(texts));
}

/**
 * Whether sound that was chosen to be transcribed is, without a question. Otherwise that is offered, with better recognizers.
 */
async function isRecognizerFit() {
  try {
    return (await listRecognizers()).some(({ engine }) => engine === "sherpaOnnx");
  } catch {
    return false;
  }
}

/**
 * Has files transcribed as the settings say, as soon as they are recordings. The server has done so where the settings say that of
 * all imports, and may have where they are not known yet; but not with a recording that was imported from such a file before.
 *
 * @param {readonly File[]} files They are imported next.
 */
export function transcribeOnceImported(files) {
  for (const file of files) awaited.set(file, false);
}

/** @param {readonly SoundImport[]} all */
function transcribeAwaited(all) {
  for (const { file, item, twin } of all) {
    if (item !== null) {
      const isLeft = settings.value.size === 0 || setting("transcription.after-import", "off") === "on";
      if (awaited.delete(file) && !isLeft) order(item);
    } else if (twin !== null && awaited.get(file) === false) {
      awaited.set(file, true);
      if (isWithoutText(twin)) attempt(() => startTranscription(twin.id, {}));
    }
  }
  for (const file of awaited.keys()) if (all.every((one) => one.file !== file)) awaited.delete(file);
  for (const id of ordered) if (all.every(({ item }) => item?.id !== id)) ordered.delete(id);
}

/** @param {Item} item */
async function order(item) {
  ordered.add(item.id);
  soundImports.withdraw([item.id]); // a list of imports that was there earlier has offered it
  if (await attempt(() => startTranscription(item.id, {}))) return;
  ordered.delete(item.id);
  // A file that is still listed is offered by the page that reports it.
  if (isOpen() && soundImports.all.value.every((one) => one.item?.id !== item.id)) soundImports.offer(item);
}

/**
 * Whether a recording has no transcript, and none is coming.
 *
 * @param {Item} item
 */
function isWithoutText({ id, isTranscribed }) {
  return !isTranscribed && !transcriptionJobs.all.value.some((job) => job.item === id && isGoing(job));
}

/**
 * Says that files are imported whose page is not shown, and leads there.
 *
 * @param {number} documents How many.
 * @param {number} sounds How many.
 */
function sayWhatIsElsewhere(documents, sounds) {
  if (documents + sounds === 0) return;
  const words = [documents > 0 && t("import.left", { n: 1, all: documents }), sounds > 0 && t("drop.sounds", { n: sounds })];
  const run = () => navigate(documents > 0 ? "/documents" : "/recordings");
  showToast({ icon: "info", text: words.filter(Boolean).join(" · "), action: { label: t("drop.sounds.show"), run } });
}

/**
 * Imports files that were dropped on no page's own place; an open dialog gives way to them.
 *
 * @param {readonly File[]} files
 */
export async function takeDropped(files) {
  if (files.length === 0) return;
  document.querySelector("dialog[open]")?.dispatchEvent(new Event("cancel", { cancelable: true }));
  await takeFiles(files);
}

/**
 * @param {File} file
 * @returns {Promise<FileKind>}
 */
async function kindOfFile(file) {
  try {
    return kindOf(new Uint8Array(await file.slice(0, looked).arrayBuffer()), file);
  } catch {
    return "document"; // A folder, or a file that cannot be read, which importing reports.
  }
}

/**
 * @param {readonly File[]} texts
 * @returns {Promise<string>} `speak`, `keep`, or nothing when the user has dismissed it.
 */
async function askAboutTexts(texts) {
  const { session } = await import("../speak/session.js");
  const [n, name] = [texts.length, texts[0].name];
  const keep = button({ label: t("drop.text.keep", { n }), icon: "document", onPress: () => sheet.close("keep") });
  const speak = button({ label: t("drop.text.speak"), icon: "speak", look: "primary", onPress: () => sheet.close("speak") });
  const sheet = new Sheet({
    title: t("drop.text.title", { n }),
    className: "question",
    content: [t("drop.text", { n, name }), ...(session.text.trim() === "" ? [] : [t("drop.text.replaces", { n })])].map((words) => h("p", {}, words)),
    actions: [keep, speak],
  }).open();
  speak.focus();
  return sheet.closed;
}

/** @param {readonly File[]} texts They become one, in their order. */
async function speakTexts(texts) {
  const [{ session }, read] = await Promise.all([import("../speak/session.js"), eachOf(texts, readTextFile)]);
  if (session.isBusy) {
    showToast({ text: t("speak.dropped.not") });
    return;
  }
  const before = session.text;
  session.begin(read.length === 1 ? read[0].text : read.map(({ text }) => text.trim()).join("\n\n"));
  navigate("/speak");
  const run = () => (session.isBusy ? t("speak.busy") : session.begin(before));
  const action = before.trim() === "" ? undefined : { label: t("do.undo"), run };
  const notices = new Set(read.flatMap(({ notices }) => notices.map(noticeWords)));
  if (action === undefined && notices.size === 0) return;
  showToast({ text: [t("speak.dropped"), ...notices].join(" "), seconds: 10, action });
}
