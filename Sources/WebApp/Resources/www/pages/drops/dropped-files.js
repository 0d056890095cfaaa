import { button } from "../../components/button.js";
import { Sheet } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isOpen, state } from "../../core/store.js";
import { readTextFile } from "../../server/narrations.js";
import { imports, kindOf, looked, mayBeSound } from "../documents/import-queue.js";
import { itemDeletion } from "../list/item-actions.js";
import { soundImports } from "../recordings/sound-import-queue.js";

/** @typedef {import("../documents/import-queue.js").FileKind} FileKind */

state.watch(() => !isOpen() && soundImports.forget(), new AbortController().signal);
soundImports.isDeleted = (id) => itemDeletion.isHidden(id);

/**
 * @typedef {object} Taking
 * @property {boolean} [isForSound] Whether they were chosen as sound: a text with the name of a sound file is then refused as one.
 * @property {boolean} [isAsked] Default: true. Whether it is asked what becomes of a text; otherwise it is read aloud.
 * @property {(file: File) => Promise<void>} [speak] Has a text read aloud.
 */

/**
 * Imports files that were dropped or chosen somewhere: documents and texts into the documents, sound into the recordings. A text
 * alone may be read aloud instead, which is asked unless the documents are open.
 *
 * @param {readonly File[]} files
 * @param {Taking} how
 */
export async function takeFiles(files, { isForSound = false, isAsked = true, speak = speakText } = {}) {
  const kinds = await Promise.all(files.map(kindOfFile));
  const areSounds = files.map((file, index) => kinds[index] === "sound" || (isForSound && kinds[index] === "text" && mayBeSound(file)));
  const sounds = files.filter((_, index) => areSounds[index]);
  const others = files.filter((_, index) => !areSounds[index]);
  const [first] = others;
  if (files.length === 1 && kinds[0] === "text" && first !== undefined && location.pathname !== "/documents") {
    const answer = isAsked ? await askAboutText(first) : "speak";
    if (answer === "speak") await attempt(() => speak(first));
    if (answer !== "keep") return;
  }
  // The files come after their page, which is then the one that shows them.
  const home = others.length > 0 ? "/documents" : "/recordings";
  if (location.pathname !== home) navigate(home);
  if (others.length > 0) imports.add(others);
  if (sounds.length > 0) soundImports.add(sounds);
  if (others.length === 0 || sounds.length === 0) return;
  showToast({ icon: "info", text: t("drop.sounds", { n: sounds.length }), action: { label: t("drop.sounds.show"), run: () => navigate("/recordings") } });
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
 * @param {File} file
 * @returns {Promise<string>} `speak`, `keep`, or nothing when the user has dismissed it.
 */
async function askAboutText({ name }) {
  const { session } = await import("../speak/session.js");
  const keep = button({ label: t("drop.text.keep"), icon: "document", onPress: () => sheet.close("keep") });
  const speak = button({ label: t("drop.text.speak"), icon: "speak", look: "primary", onPress: () => sheet.close("speak") });
  const sheet = new Sheet({
    title: t("drop.text.title"),
    className: "question",
    content: [t("drop.text", { name }), ...(session.text.trim() === "" ? [] : [t("drop.text.replaces")])].map((words) => h("p", {}, words)),
    actions: [keep, speak],
  }).open();
  speak.focus();
  return sheet.closed;
}

/** @param {File} file */
async function speakText(file) {
  const [{ session }, { text }] = await Promise.all([import("../speak/session.js"), readTextFile(file)]);
  if (session.isBusy) {
    showToast({ text: t("speak.dropped.not") });
    return;
  }
  const before = session.text;
  session.begin(text);
  navigate("/speak");
  const run = () => session.begin(before);
  if (before.trim() !== "") showToast({ text: t("speak.dropped"), seconds: 10, action: { label: t("do.undo"), run } });
}
