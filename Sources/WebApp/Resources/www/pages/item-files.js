import { button, icon } from "../components/button.js";
import { download } from "../components/download.js";
import { isBusy, setBusy } from "../components/field.js";
import { confirm } from "../components/sheet.js";
import { attempt, showNews, showToast, whenFree } from "../components/toast.js";
import { h, newId, setText } from "../core/dom.js";
import { paragraphFor, size, wordsFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { onServer } from "../server/events.js";
import { soundFormats, stopExport } from "../server/library.js";
import { deleteImportedFile } from "../server/settings.js";

/** @typedef {import("../server/library.js").ExportFormat | "file"} Format `file`: as it was imported. */
/** @typedef {import("../server/library.js").WordFormat} WordFormat */

/** Milliseconds after which a download that comes at once is worth a message. */
const patience = 1_000;

/**
 * Downloads a file that is generated while it is sent, shows how much is made, and reports how that ended: a browser does
 * not say why a download was cut short.
 *
 * @param {string} address
 * @param {string} id The id in the events that report it.
 * @param {{ isMadeFirst?: boolean, isOrder?: boolean }} options `isMadeFirst`: no byte arrives until all is generated, and
 * browsers do not show that they wait. `isOrder`: it can be stopped.
 */
export function watchedDownload(address, id, { isMadeFirst = false, isOrder = false } = {}) {
  const end = new AbortController();
  const wait = new AbortController();
  const begun = performance.now();
  /** @type {MakingNotice | null} */
  let notice = null;
  const stop = () => {
    end.abort();
    wait.abort();
    stopMaking(id);
  };
  let isWanted = false;
  const show = () => (notice = new MakingNotice(isOrder ? stop : null));
  if (isMadeFirst) show();
  onServer("export", (outcome) => {
    if (outcome.id !== id) return;
    end.abort();
    wait.abort();
    notice?.remove();
    showOutcome(outcome, isMadeFirst);
  }, end.signal);
  onServer("exportProgress", ({ id: made, percent }) => {
    if (made !== id) return;
    if (notice === null && !isWanted && performance.now() - begun > patience) {
      isWanted = true;
      // A message that nobody has asked for does not make final what can still be undone.
      whenFree(() => {
        if (isWanted && !end.signal.aborted) show();
      });
    }
    notice?.update(percent);
  }, end.signal);
  // The end may have been reported while no events arrived. If it was not, it is still to come.
  const giveUp = () => {
    wait.abort();
    notice?.remove();
    showNews({ icon: "warning", text: t("export.unknownEnd"), seconds: 30 });
  };
  // The browser itself shows the progress of a download whose bytes arrive.
  const forget = () => {
    notice?.remove();
    notice = null;
    isWanted = false;
  };
  onServer("reset", isMadeFirst ? giveUp : forget, wait.signal);
  download(address);
}

/** @param {string} id Of an order. */
async function stopMaking(id) {
  if (await attempt(() => stopExport(id))) showToast({ icon: "check", text: t("export.stopped") });
}

/** The message while a file is made, with how much of it is. */
class MakingNotice {
  /** For the eyes; it changes often. */
  #shown = h("span", { class: "numbers", "aria-hidden": "true" });
  /** For screen readers, which read every change; it changes at every tenth. */
  #said = h("span", { class: "visually-hidden" });
  #dismiss;

  /** @param {(() => void) | null} stop */
  constructor(stop) {
    const text = h("span", {}, t("export.making"), this.#shown, this.#said);
    const action = stop === null ? undefined : { label: t("job.cancel"), run: stop };
    this.#dismiss = showToast({ icon: "export", text, action, seconds: 3_600 });
  }

  /** @param {number} percent */
  update(percent) {
    setText(this.#shown, ` ${t("speak.percent", { n: percent })}`);
    const tenth = Math.floor(percent / 10) * 10;
    if (tenth > 0) setText(this.#said, ` ${t("speak.percent", { n: tenth })}`);
  }

  remove() {
    this.#dismiss();
  }
}

/**
 * @param {import("../server/events.js").ServerEvents["export"]} outcome
 * @param {boolean} isMadeFirst Then nothing was saved.
 */
function showOutcome({ failure, leftOut, lacksParts }, isMadeFirst) {
  if (failure !== null) {
    const text = isMadeFirst ? paragraphFor(failure) : t("export.failed", { why: wordsFor(failure).message });
    showNews({ icon: "error", text, seconds: 30 });
  } else if (leftOut > 0 || lacksParts) {
    const text = [leftOut > 0 ? t("export.leftOut", { n: leftOut }) : [], lacksParts ? t("export.lacksParts") : []].flat().join(" ");
    showNews({ icon: "warning", text, seconds: 30 });
  }
}

/**
 * A button that deletes the file that a recording was imported from, once a person has confirmed it; the recording stays.
 *
 * @param {string} id The recording's.
 * @param {number} bytes Of the file.
 * @param {{ deleted: () => void, failed: (error: unknown) => void }} listener
 */
export function fileDeletion(id, bytes, { deleted, failed }) {
  const words = { size: size(bytes) };
  const press = async () => {
    if (isBusy(element)) return;
    const question = { title: t("storage.file.delete.title", words), detail: t("storage.file.delete.text"), action: t("do.delete") };
    if (!(await confirm(question))) return;
    setBusy(element, t("passcode.working"));
    try {
      await deleteImportedFile(id);
      deleted();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(element, null);
    }
  };
  const element = button({ label: t("storage.file.delete", words), icon: "trash", look: "quiet", onPress: press });
  return element;
}

/** @type {readonly WordFormat[]} */
export const wordFormats = ["txt", "md", "docx", "srt", "vtt", "csv", "json"];

/** @type {readonly Format[]} */
export const bookFormats = ["m4b", "epub", "chapters"];

/**
 * The formats, the best known first.
 *
 * @type {readonly { title: string, formats: readonly Format[] }[]}
 */
const exportFormats = Object.freeze([
  { title: "export.group.sound", formats: ["file", ...soundFormats] },
  { title: "export.group.book", formats: bookFormats },
  { title: "export.group.text", formats: wordFormats },
]);

/**
 * @param {Format} format
 * @returns {format is WordFormat}
 */
export const isText = (format) => wordFormats.some((one) => one === format);

/** @param {Format} format */
export const isSound = (format) => format === "m4b" || soundFormats.some((one) => one === format);

/**
 * A download.
 *
 * @typedef {{ format: Format, beside: readonly WordFormat[] }} Part
 */

/**
 * The downloads of a format with texts beside it: one, if it is a sound and every export has these texts.
 *
 * @param {Format} format
 * @param {readonly WordFormat[]} beside
 * @param {{ isCurrent: boolean } | null} version The transcript of the only recording that is exported.
 * @returns {Part[]}
 */
export function partsOf(format, beside, version) {
  // JSON beside a sound has the times alone.
  const isApart = !isSound(format) || (version !== null && (!version.isCurrent || beside.includes("json")));
  return isApart ? [...beside, format].map((one) => ({ format: one, beside: [] })) : [{ format, beside }];
}

/**
 * @param {Format | "files"} format `files`: those that several were imported from.
 * @param {string} [fileSize] Of the file that it was imported from.
 * @returns {[name: string, detail: string]}
 */
export function formatWords(format, fileSize = "") {
  return [t(`export.${format}`), t(`export.${format}.text`, { size: fileSize })];
}

/**
 * The choice of a format.
 *
 * @template {Format} Offered
 * @param {Offered} chosen
 * @param {(format: Offered) => void} onChange
 * @param {(format: Format) => boolean} isOffered
 * @param {(format: Offered) => [name: string, detail: string]} words
 * @returns {HTMLElement}
 */
export function formatList(chosen, onChange, isOffered, words = formatWords) {
  const group = newId("format");
  return h(
    "div",
    { class: "formats", role: "radiogroup", "aria-label": t("export.format") },
    ...exportFormats.flatMap(({ title, formats }) => {
      const offered = /** @type {Offered[]} */ (formats.filter(isOffered));
      if (offered.length === 0) return [];
      return [
        h("h3", { class: "formats-title" }, t(title)),
        ...offered.map((format) => {
          const [name, detail] = words(format);
          return formatChoice({ group, format, name, detail, isChosen: format === chosen, onChange });
        }),
      ];
    }),
  );
}

/**
 * A format in a radio group: its name, and what it is for.
 *
 * @template {string} Format
 * @param {{ group: string, format: Format, name: string, detail: string, isChosen: boolean, onChange: (format: Format) => void }} options
 * `group`: the radio group's name.
 * @returns {HTMLElement}
 */
function formatChoice({ group, format, name, detail, isChosen, onChange }) {
  const input = h("input", { type: "radio", name: group, value: format, class: "choice-input" });
  input.checked = isChosen;
  input.addEventListener("change", () => onChange(format));
  return h(
    "label",
    { class: "format" },
    input,
    h("span", { class: "format-name" }, name),
    h("span", { class: "format-text" }, detail),
    icon("check", { className: "format-mark" }),
  );
}
