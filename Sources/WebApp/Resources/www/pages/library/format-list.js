import { h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { soundFormats } from "../../server/library.js";
import { formatChoice } from "../item-files.js";

/** @typedef {import("../../server/library.js").ExportFormat | "file"} Format `file`: as it was imported. */
/** @typedef {import("../../server/library.js").WordFormat} WordFormat */

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
