import { showToast } from "../../components/toast.js";
import { loadStyle } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { startTranscription } from "../../server/transcriptions.js";
import { listTranscripts } from "../../server/transcripts.js";
import { isGoing, transcriptionJobs } from "./transcription-jobs.js";

/** @typedef {import("../../server/library.js").Item} Item */

/**
 * Opens the sheet that orders a transcription.
 *
 * @param {Item} item
 */
export async function openOrder(item) {
  const [{ OrderSheet }, version] = await Promise.all([
    import("./transcript/order-sheet.js"),
    currentVersion(item),
    loadStyle("/styles/fields.css"),
    loadStyle("/styles/transcript.css"),
    loadStyle("/styles/recognizers.css"),
  ]);
  new OrderSheet(item, version, () => {}).open();
}

/**
 * Opens the sheet that exports a recording and its transcript.
 *
 * @param {Item} item
 */
export async function openExport(item) {
  const [{ RecordingExportSheet }, version] = await Promise.all([
    import("./transcript/export-sheet.js"),
    currentVersion(item),
    loadStyle("/styles/library.css"),
    loadStyle("/styles/transcript.css"),
  ]);
  new RecordingExportSheet(item.id, version).open();
}

/**
 * @param {Item} item
 * @returns {Promise<string | null>} The id of the transcript's current version.
 */
async function currentVersion({ id, isTranscribed }) {
  if (!isTranscribed) return null;
  return (await listTranscripts(id)).find(({ isCurrent }) => isCurrent)?.id ?? null;
}

/**
 * Has recordings transcribed as the settings say, one after the other; those that are being transcribed stay as they are.
 *
 * @param {readonly string[]} ids
 * @throws {import("../../server/http.js").ServerProblem} The first failure; those before it are begun.
 */
export async function transcribeMany(ids) {
  const present = new Set(transcriptionJobs.all.value.filter(isGoing).map(({ item }) => item));
  const wanted = ids.filter((id) => !present.has(id));
  for (const id of wanted) await startTranscription(id, {});
  showToast({ icon: "text", text: t("jobs.begun", { n: wanted.length }) });
}
