/** The ways from a list of recordings to the sheets for their transcripts and exports. */

import { button } from "../../../components/button.js";
import { Sheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { h, loadStyle } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { loadItem } from "../../../server/library.js";
import { listRecognizers, listTranscripts, startTranscription, textAddress } from "../../../server/transcriptions.js";
import { adviceOn } from "../../recognizers/offers.js";
import { isGoing, transcriptionJobs } from "../transcription-jobs.js";

/** @typedef {import("../../../server/library.js").Item} Item */

/**
 * Opens the sheet that orders a transcription.
 *
 * @param {Item} item
 */
export async function openOrder(item) {
  const [{ OrderSheet }, version] = await Promise.all([
    import("./order-sheet.js"),
    currentVersion(item),
    loadStyle("/styles/fields.css"),
    loadStyle("/styles/transcript.css"),
    loadStyle("/styles/recognizers.css"),
  ]);
  new OrderSheet(item, version, () => {}).open();
}

/**
 * Opens the sheet that exports recordings: their transcripts, their sound or both.
 *
 * @param {readonly string[]} ids
 * @param {(id: string) => Item | undefined} find Finds one that is loaded.
 */
export async function openExport(ids, find) {
  const items = ids.map(find);
  const [only = ""] = ids.length === 1 ? ids : [];
  // It is not known of those that are not loaded.
  const isTranscribed = items.some((item) => item?.isTranscribed !== false);
  const [{ ExportSheet }, id] = await Promise.all([
    import("../../library/export-sheet.js"),
    only === "" ? null : currentVersion({ id: only, isTranscribed }),
    loadStyle("/styles/library.css"),
  ]);
  new ExportSheet([...ids], {
    isTranscribed: only === "" ? isTranscribed : id !== null,
    hasFiles: items.some((item) => item?.fileSize !== null),
    version: id === null ? null : { isCurrent: true, address: textAddress(id) },
  }).open();
}

/**
 * @param {Pick<Item, "id" | "isTranscribed">} item
 * @returns {Promise<string | null>} The id of the transcript's current version.
 */
async function currentVersion({ id, isTranscribed }) {
  if (!isTranscribed) return null;
  return (await listTranscripts(id)).find(({ isCurrent }) => isCurrent)?.id ?? null;
}

/**
 * Has recordings transcribed as the settings say, one after the other; those that are being transcribed, and those that have a
 * transcript, stay as they are. Where there is no recognizer, or only the basic one, it asks first.
 *
 * For a single recording that has a transcript, it opens the sheet that orders another.
 *
 * @param {readonly string[]} ids
 * @returns {Promise<boolean>} Whether they are transcribed.
 * @throws {import("../../../server/http.js").ServerProblem} The first failure; those before it are begun.
 */
export async function transcribeMany(ids) {
  let [begun, going, left] = [0, 0, 0];
  // Each one's turn comes late where there are hundreds: it may be transcribed by then.
  for (const id of ids) {
    if (transcriptionJobs.all.value.some((job) => job.item === id && isGoing(job))) {
      going += 1;
      continue;
    }
    if ((await listTranscripts(id)).length > 0) {
      left += 1;
      continue;
    }
    if (begun === 0 && !(await isRecognizerFit())) return false;
    await startTranscription(id, {});
    begun += 1;
  }
  const [only] = ids.length === 1 && left > 0 ? ids : [];
  if (only !== undefined) {
    await openOrder(await loadItem(only));
    return false;
  }
  showToast({ icon: "text", text: begunWords(begun + going, left) });
  return true;
}

/**
 * How many recordings are transcribed, and how many are not.
 *
 * @param {number} begun Those that were begun now or before.
 * @param {number} left Those that have a transcript.
 */
export function begunWords(begun, left) {
  const words = begun > 0 || left === 0 ? [t("jobs.begun", { n: begun })] : [];
  return (left > 0 ? [...words, t("jobs.left", { n: left })] : words).join(" · ");
}

/** @returns {Promise<boolean>} Whether there is a good recognizer, or a person wants the basic one; otherwise it leads to others. */
async function isRecognizerFit() {
  const advice = adviceOn(await listRecognizers());
  if (advice === null) return true;
  const get = button({ label: t(`recognizers.${advice}.action`), look: "primary", onPress: () => sheet.close("get") });
  const use = button({ label: t("order.start.basic"), onPress: () => sheet.close("use") });
  const sheet = new Sheet({
    title: t("order.title"),
    className: "question",
    content: ["notice", "do"].map((part) => h("p", {}, t(`recognizers.${advice}.${part}`))),
    actions: advice === "basic" ? [use, get] : [get],
  }).open();
  get.focus();
  const answer = await sheet.closed;
  if (answer === "get") navigate("/recordings/recognizers");
  return answer === "use";
}
