import { button } from "../../components/button.js";
import { Sheet } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isOpen, state } from "../../core/store.js";
import { readTextFile } from "../../server/narrations.js";
import { imports, kindOf, looked } from "../documents/import-queue.js";
import { soundImports } from "../recordings/sound-import-queue.js";

/** @typedef {import("../documents/import-queue.js").FileKind} FileKind */

state.watch(() => !isOpen() && soundImports.forget(), new AbortController().signal);

/**
 * Imports files that were dropped somewhere: documents and texts into the documents, sound into the recordings. A text alone may be
 * read aloud instead, which is asked unless the documents are open.
 *
 * @param {readonly File[]} files
 */
export async function takeFiles(files) {
  const kinds = await Promise.all(files.map(kindOfFile));
  const sounds = files.filter((_, index) => kinds[index] === "sound");
  const others = files.filter((_, index) => kinds[index] !== "sound");
  const [first] = others;
  if (files.length === 1 && kinds[0] === "text" && first !== undefined && location.pathname !== "/documents") {
    const answer = await askAboutText(first);
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
  const keep = button({ label: t("drop.text.keep"), icon: "document", onPress: () => sheet.close("keep") });
  const speak = button({ label: t("drop.text.speak"), icon: "speak", look: "primary", onPress: () => sheet.close("speak") });
  const sheet = new Sheet({
    title: t("drop.text.title"),
    className: "question",
    content: [h("p", {}, t("drop.text", { name }))],
    actions: [keep, speak],
  }).open();
  speak.focus();
  return sheet.closed;
}

/** @param {File} file */
async function speak(file) {
  const [{ session }, { text }] = await Promise.all([import("../speak/session.js"), readTextFile(file)]);
  if (session.isBusy) {
    showToast({ text: t("speak.dropped.not") });
  } else {
    session.begin(text);
    navigate("/speak");
  }
}
