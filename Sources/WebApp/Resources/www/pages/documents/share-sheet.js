import { button } from "../../components/button.js";
import { download } from "../../components/download.js";
import { setBusy } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { clock, shortDate, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { openExportSheet } from "../library/export-sheet.js";
import { loadOriginal, originalAddress } from "../../server/documents.js";
import { listItems } from "../../server/library.js";

/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/library.js").Item} Item */

/**
 * Takes a document out of the library: the file as it was given, or what was spoken of it as files and books of sound.
 *
 * @param {Document} document
 */
export function openShareSheet(document) {
  const life = new AbortController();
  const { signal } = life;
  const problem = h("div", { class: "export-problem" });
  const recordings = h("div", { class: "share-recordings" }, h("p", { class: "muted", role: "status" }, t("state.loading")));
  const save = button({
    label: t("share.original.save"),
    icon: "export",
    look: "primary",
    onPress: () => {
      download(originalAddress(document.id));
      sheet.close();
    },
  });
  /** @type {File | null} */
  let ready = null;
  const share = button({ label: t("export.share"), icon: "share", onPress: () => sendOriginal() });
  const sheet = openSheet({
    title: t("share.title"),
    kind: "side",
    className: "share-sheet",
    content: [
      h("h3", {}, t("share.original")),
      h("p", { class: "share-file" }, h("span", { dir: "auto" }, document.fileName), h("span", { class: "muted numbers" }, size(document.size))),
      h("div", { class: "share-actions" }, save, canShareFiles() ? share : null),
      problem,
      h("h3", {}, t("share.recordings")),
      recordings,
      h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
    ],
    onClose: () => life.abort(),
  });
  showRecordings();

  async function showRecordings() {
    try {
      const items = await recordingsOf(document.id, signal);
      fill(recordings, ...(items.length === 0 ? nothingSpoken() : [listOf(items)]));
    } catch (error) {
      if (!signal.aborted) fill(recordings, errorNotice(error, button({ label: t("do.again"), onPress: showRecordings })));
    }
  }

  function nothingSpoken() {
    const generate = async () => {
      sheet.close();
      const { openChoiceSheet } = await import("./choice/choice-sheet.js");
      openChoiceSheet(document);
    };
    return [h("p", { class: "muted" }, t("share.recordings.none")), button({ label: t("documents.generate"), icon: "speak", onPress: generate })];
  }

  async function sendOriginal() {
    fill(problem);
    setBusy(share, t("export.preparing"));
    try {
      ready ??= new File([await loadOriginal(document.id, signal)], document.fileName);
      await navigator.share({ files: [ready] });
      sheet.close();
    } catch (error) {
      // The person thought better of it, or it took too long since the press: then another press shares at once.
      const isLeft = error instanceof DOMException && ["AbortError", "NotAllowedError"].includes(error.name);
      if (!isLeft && !signal.aborted) fill(problem, errorNotice(error));
    } finally {
      setBusy(share, null);
    }
  }
}

/** @param {Item[]} items */
function listOf(items) {
  return h(
    "ul",
    { class: "share-list" },
    ...items.map((item) =>
      h(
        "li",
        {},
        h("div", { class: "share-item" }, h("p", { dir: "auto" }, item.name), h("p", { class: "muted small numbers" }, `${clock(item.duration)} · ${shortDate(item.created)}`)),
        button({ label: t("do.export"), opens: true, className: "share-export", onPress: () => openExportSheet([item.id]) }),
      ),
    ),
  );
}

/**
 * @param {string} id The document's.
 * @param {AbortSignal} signal
 */
async function recordingsOf(id, signal) {
  const { items } = await listItems({ document: id, order: "date", limit: 500 }, signal);
  return items;
}

function canShareFiles() {
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [new File(["."], "text.txt", { type: "text/plain" })] });
}
