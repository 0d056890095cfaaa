import { checkExport, exportAddress, exportItem, prepareExport } from "../../server/library.js";
import { button } from "../../components/button.js";
import { download } from "../../components/download.js";
import { isBusy, setBusy } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { fill, h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../../server/library.js").ExportFormat} ExportFormat */

/**
 * What recordings can be stored as, the best known first.
 *
 * @type {readonly { title: string, formats: readonly ExportFormat[] }[]}
 */
const exportFormats = Object.freeze([
  { title: "export.group.sound", formats: ["mp3", "flac", "wav", "opus", "ogg"] },
  { title: "export.group.book", formats: ["m4b", "epub", "chapters"] },
  { title: "export.group.text", formats: ["txt", "srt", "vtt", "json"] },
]);

/**
 * What was chosen last; it is likely to be wanted again.
 *
 * @type {ExportFormat}
 */
let lastFormat = "mp3";

/**
 * Lets a person choose a format and takes recordings out of the library: one as a file, several as one zip.
 *
 * @param {string[]} ids
 */
export function openExportSheet(ids) {
  const life = new AbortController();
  const problem = h("div", { class: "export-problem" });
  /**
   * What is here already: the browser lets a page share only right after a press.
   *
   * @type {File | null}
   */
  let ready = null;

  const save = button({
    label: t(ids.length === 1 ? "export.download" : "export.download.zip"),
    icon: "export",
    look: "primary",
    onPress: () => attempt(save, startDownload),
  });
  const share = button({ label: t("export.share"), icon: "share", onPress: () => attempt(share, startSharing) });
  const status = h("p", { class: "visually-hidden", role: "status" });
  const sheet = openSheet({
    title: ids.length === 1 ? t("export.title.one") : t("export.title.many", { n: ids.length }),
    kind: "side",
    className: "export-sheet",
    content: [
      formatList(
        isOffered(lastFormat) ? lastFormat : (lastFormat = "mp3"),
        (format) => {
          lastFormat = format;
          forgetReady();
          fill(problem);
        },
        isOffered,
      ),
      problem,
      h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
      status,
    ],
    actions: ids.length === 1 && canShareFiles() ? [share, save] : [save],
    onClose: () => life.abort(),
  });

  /** @param {ExportFormat} format Some are zips by themselves. */
  function isOffered(format) {
    return ids.length === 1 || (format !== "epub" && format !== "chapters");
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {() => Promise<void>} work
   */
  async function attempt(pressed, work) {
    if (isBusy(save) || isBusy(share)) return;
    fill(problem);
    setBusy(pressed, t("export.preparing"));
    try {
      await work();
    } catch (error) {
      if (!life.signal.aborted) fill(problem, errorNotice(error));
    } finally {
      setBusy(pressed, null);
      if (ready !== null) setLabel(share, t("export.share.ready"));
    }
  }

  async function startDownload() {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      await checkExport(only, lastFormat, life.signal);
      download(exportAddress(only, lastFormat));
    } else {
      download(await prepareExport(ids, lastFormat));
    }
    sheet.close();
  }

  async function startSharing() {
    if (ready === null) {
      const { name, blob } = await exportItem(ids[0] ?? "", lastFormat, life.signal);
      ready = new File([blob], name, { type: blob.type });
      if (!navigator.canShare({ files: [ready] })) {
        forgetReady();
        await startDownload();
        return;
      }
    }
    try {
      await navigator.share({ files: [ready] });
      sheet.close();
    } catch (error) {
      const name = error instanceof DOMException ? error.name : "";
      if (name === "NotAllowedError") status.textContent = t("export.ready"); // it took too long since the press
      else if (name !== "AbortError") throw error;
    }
  }

  function forgetReady() {
    ready = null;
    setLabel(share, t("export.share"));
  }
}

function canShareFiles() {
  if (typeof navigator.canShare !== "function") return false;
  return navigator.canShare({ files: [new File(["."], "sound.wav", { type: "audio/wav" })] });
}

/**
 * @param {HTMLButtonElement} element
 * @param {string} label
 */
function setLabel(element, label) {
  const place = element.querySelector(".button-label");
  if (place !== null) place.textContent = label;
}

/**
 * @param {ExportFormat} chosen
 * @param {(format: ExportFormat) => void} onChange
 * @param {(format: ExportFormat) => boolean} [isOffered]
 * @returns {HTMLElement}
 */
export function formatList(chosen, onChange, isOffered = () => true) {
  const name = newId("format");
  return h(
    "div",
    { class: "formats", role: "radiogroup", "aria-label": t("export.format") },
    ...exportFormats.flatMap(({ title, formats }) => {
      const offered = formats.filter(isOffered);
      if (offered.length === 0) return [];
      return [
        h("h3", { class: "formats-title" }, t(title)),
        ...offered.map((format) => {
          const input = h("input", { type: "radio", name, value: format, class: "choice-input" });
          input.checked = format === chosen;
          input.addEventListener("change", () => onChange(format));
          return h(
            "label",
            { class: "format" },
            input,
            h("span", { class: "format-name" }, t(`export.${format}`)),
            h("span", { class: "format-text" }, t(`export.${format}.text`)),
            icon("check", { className: "format-mark" }),
          );
        }),
      ];
    }),
  );
}
