import { checkExport, exportAddress, exportItem, prepareExport } from "../../server/library.js";
import { button } from "../../components/button.js";
import { canShareFile, download } from "../../components/download.js";
import { isBusy, setBusy } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { fill, h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../../server/library.js").ExportFormat} ExportFormat */

/**
 * The formats of recordings, the best known first.
 *
 * @type {readonly { title: string, formats: readonly ExportFormat[] }[]}
 */
const exportFormats = Object.freeze([
  { title: "export.group.sound", formats: ["mp3", "flac", "wav", "opus", "ogg"] },
  { title: "export.group.book", formats: ["m4b", "epub", "chapters"] },
  { title: "export.group.text", formats: ["txt", "srt", "vtt", "json"] },
]);

/**
 * The format that was chosen last.
 *
 * @type {ExportFormat}
 */
let lastFormat = "mp3";

/** The sheet in which a person chooses a format and takes recordings out of the library: one as a file, several as one zip. */
export class ExportSheet extends Sheet {
  #ids;
  #problem = h("div", { class: "export-problem" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /**
   * A file that has been loaded: the browser lets a page share only right after a press.
   *
   * @type {File | null}
   */
  #ready = null;
  #save;
  #share = button({ label: t("export.share"), icon: "share", onPress: () => this.#attempt(this.#share, () => this.#startSharing()) });

  /** @param {string[]} ids Of recordings. */
  constructor(ids) {
    const isOne = ids.length === 1;
    const title = isOne ? t("export.title.one") : t("export.title.many", { n: ids.length });
    super({ title, kind: "side", className: "export-sheet" });
    this.#ids = ids;
    this.#save = button({
      label: t(isOne ? "export.download" : "export.download.zip"),
      icon: "export",
      look: "primary",
      onPress: () => this.#attempt(this.#save, () => this.#startDownload()),
    });
    if (!this.#isOffered(lastFormat)) lastFormat = "mp3";
    this.build({
      content: [
        formatList(lastFormat, (format) => this.#choose(format), (format) => this.#isOffered(format)),
        this.#problem,
        h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
        this.#status,
      ],
      actions: isOne && canShareFile("sound.wav", "audio/wav") ? [this.#share, this.#save] : [this.#save],
    });
  }

  /** @param {ExportFormat} format Some are zips by themselves. */
  #isOffered(format) {
    return this.#ids.length === 1 || (format !== "epub" && format !== "chapters");
  }

  /** @param {ExportFormat} format */
  #choose(format) {
    lastFormat = format;
    this.#forgetReady();
    fill(this.#problem);
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {() => Promise<void>} work
   */
  async #attempt(pressed, work) {
    if (isBusy(this.#save) || isBusy(this.#share)) return;
    fill(this.#problem);
    setBusy(pressed, t("export.preparing"));
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(pressed, null);
      if (this.#ready !== null) setLabel(this.#share, t("export.share.ready"));
    }
  }

  async #startDownload() {
    const [only] = this.#ids;
    if (this.#ids.length === 1 && only !== undefined) {
      await checkExport(only, lastFormat, this.signal);
      download(exportAddress(only, lastFormat));
    } else {
      download(await prepareExport(this.#ids, lastFormat));
    }
    this.close();
  }

  async #startSharing() {
    const ready = this.#ready ?? (await this.#load());
    if (ready === null) {
      await this.#startDownload();
      return;
    }
    try {
      await navigator.share({ files: [ready] });
      this.close();
    } catch (error) {
      const name = error instanceof DOMException ? error.name : "";
      if (name === "NotAllowedError") this.#status.textContent = t("export.ready"); // it took too long since the press
      else if (name !== "AbortError") throw error;
    }
  }

  /** @returns {Promise<File | null>} `null` when the browser cannot share a file of this kind. */
  async #load() {
    const { name, blob } = await exportItem(this.#ids[0] ?? "", lastFormat, this.signal);
    const file = new File([blob], name, { type: blob.type });
    if (navigator.canShare({ files: [file] })) {
      this.#ready = file;
      return file;
    }
    this.#forgetReady();
    return null;
  }

  #forgetReady() {
    this.#ready = null;
    setLabel(this.#share, t("export.share"));
  }
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
