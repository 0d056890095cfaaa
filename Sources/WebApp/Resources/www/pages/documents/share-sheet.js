import { button, icon } from "../../components/button.js";
import { canShareFile, download } from "../../components/download.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { attempt } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { clock, shortDate, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { loadOriginal, originalAddress } from "../../server/documents.js";
import { checkDownload, listItems } from "../../server/library.js";

/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/library.js").Item} Item */

/** How many recordings are listed at a time; a book of which each chapter was spoken has hundreds. */
const step = 200;

/** The sheet that exports a document: its original file, or its recordings as audio files or books. */
export class ShareSheet extends Sheet {
  #document;
  #problem = h("div", { class: "export-problem" });
  #recordings = h("div", { class: "share-recordings" }, h("p", { class: "muted", role: "status" }, t("state.loading")));
  #list = h("ul", { class: "share-list" });
  #more = button({ label: t("batch.more"), look: "quiet", onPress: () => this.#showMore() });
  #save = button({ label: t("share.original.save"), icon: "export", look: "primary", onPress: () => this.#saveOriginal() });
  #share = button({ label: t("export.share"), icon: "share", onPress: () => this.#sendOriginal() });
  /** @type {File | null} */
  #ready = null;

  /** @param {Document} document */
  constructor(document) {
    super({ title: t("share.title"), kind: "side", className: "share-sheet" });
    this.#document = document;
    const { fileName, size: bytes } = document;
    this.build({
      content: [
        h("h3", {}, t("share.original")),
        h("p", { class: "share-file" }, h("span", { dir: "auto" }, fileName), h("span", { class: "muted numbers" }, size(bytes))),
        h("div", { class: "share-actions" }, this.#save, canShareFile("text.txt", "text/plain") ? this.#share : null),
        this.#problem,
        h("h3", {}, t("share.recordings")),
        this.#recordings,
        h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
      ],
    });
  }

  open() {
    super.open();
    this.#showRecordings();
    return this;
  }

  async #saveOriginal() {
    if (isBusy(this.#save)) return;
    fill(this.#problem);
    setBusy(this.#save, t("export.preparing"));
    try {
      await checkDownload(originalAddress(this.#document.id), this.signal);
      download(originalAddress(this.#document.id));
      this.close();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#save, null);
    }
  }

  async #showRecordings() {
    try {
      await this.#loadMore();
      fill(this.#recordings, ...(this.#list.childElementCount === 0 ? this.#nothingSpoken() : [this.#list, this.#more]));
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#showRecordings() });
      if (!this.signal.aborted) fill(this.#recordings, errorNotice(error, again));
    }
  }

  /** Lists the next recordings, newest first. */
  async #loadMore() {
    const offset = this.#list.childElementCount;
    const { items, total } = await listItems({ document: this.#document.id, order: "date", offset, limit: step }, this.signal);
    this.#list.append(...items.map(rowOf));
    this.#more.hidden = items.length === 0 || offset + items.length >= total;
  }

  async #showMore() {
    if (isBusy(this.#more)) return;
    const before = this.#list.childElementCount;
    fill(this.#problem);
    setBusy(this.#more, t("state.loading"));
    try {
      await this.#loadMore();
      this.#list.children[before]?.querySelector("button")?.focus();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#more, null);
    }
  }

  #nothingSpoken() {
    const generate = async () => {
      this.close();
      const { ChoiceSheet } = await import("./choice/choice-sheet.js");
      new ChoiceSheet(this.#document).open();
    };
    return [h("p", { class: "muted" }, t("share.recordings.none")), button({ label: t("documents.generate"), icon: "speak", onPress: generate })];
  }

  async #sendOriginal() {
    fill(this.#problem);
    setBusy(this.#share, t("export.preparing"));
    try {
      const { id, fileName } = this.#document;
      this.#ready ??= new File([await loadOriginal(id, this.signal)], fileName);
      await navigator.share({ files: [this.#ready] });
      this.close();
    } catch (error) {
      // The user cancelled, or it took too long since the press; then another press shares at once.
      const isLeft = error instanceof DOMException && ["AbortError", "NotAllowedError"].includes(error.name);
      if (!isLeft && !this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#share, null);
    }
  }
}

/** @param {Item} item */
function rowOf(item) {
  return h(
    "li",
    {},
    h("div", { class: "share-item" }, h("p", { dir: "auto" }, item.name), h("p", { class: "muted small numbers" }, `${clock(item.duration)} · ${shortDate(item.created)}`)),
    button({ label: t("do.export"), opens: true, className: "share-export", onPress: () => attempt(() => exportNarration(item.id)) }),
  );
}

/** @param {string} id */
async function exportNarration(id) {
  const { ExportSheet } = await import("../library/export-sheet.js");
  new ExportSheet([id]).open();
}
