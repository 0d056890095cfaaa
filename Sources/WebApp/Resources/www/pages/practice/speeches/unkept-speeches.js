import { showToast } from "../../../components/toast.js";
import { wordsFor } from "../../../core/error-words.js";
import { t } from "../../../core/i18n.js";
import { isConnected } from "../../../core/store.js";

/** @typedef {import("./speech-saver.js").SpeechSaver} SpeechSaver */
/** @typedef {import("../../../server/speeches.js").SpeechContent} SpeechContent */

/** @type {Set<SpeechSaver>} Those whose page was left before all was saved. */
const left = new Set();
/** @type {Map<string | null, SpeechContent>} Texts too long to be saved whose page was left; `null`: of a new speech. */
const refused = new Map();

let isWatched = false;

function watch() {
  if (isWatched) return;
  isWatched = true;
  const always = new AbortController().signal;
  addEventListener("beforeunload", (event) => left.size + refused.size > 0 && event.preventDefault());
  isConnected.watch((yes) => yes && left.forEach((saver) => saver.flush().then((isKept) => isKept && left.delete(saver))), always);
}

/**
 * Saves the rest of a speech whose page is left. A failure is shown, and the content stays here until it succeeds; what
 * is too long stays until the speech is edited again.
 *
 * @param {SpeechSaver} saver
 */
export async function keepAfterLeaving(saver) {
  if (saver.refused !== null) {
    watch();
    refused.set(saver.id, saver.refused);
    showToast({ icon: "info", text: t("practice.speech.unkept") });
    return;
  }
  if (saver.unkept === null) return;
  watch();
  left.add(saver);
  if (await saver.flush()) {
    left.delete(saver);
    return;
  }
  if (!left.has(saver)) return; // it is being edited again
  const { message } = wordsFor(saver.problem);
  showToast({ icon: "error", text: `${t("practice.speech.unkept")} ${message}`, action: { label: t("do.again"), run: () => keepAfterLeaving(saver) } });
}

/**
 * The content of a speech that was too long when its page was left; the caller takes it over.
 *
 * @param {string | null} id `null` for a new one.
 */
export function takeRefused(id) {
  const content = refused.get(id) ?? null;
  refused.delete(id);
  return content;
}

/**
 * The unsaved content of a speech whose page was left; the caller takes over saving it.
 *
 * @param {string} id
 */
export async function takeUnkept(id) {
  const saver = [...left].find((one) => one.id === id);
  if (saver === undefined) return null;
  const isKept = await saver.flush();
  left.delete(saver);
  return isKept ? null : saver.unkept;
}
