import { actionToVoices } from "../../components/notice.js";
import { showToast } from "../../components/toast.js";
import { loadStyle } from "../../core/dom.js";
import { wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { session } from "../speak/session.js";

/** @typedef {import("../../server/practice.js").PracticeSource} PracticeSource */

/**
 * Creates a session and opens it; a toast says why it failed.
 *
 * @param {PracticeSource} source
 * @param {Omit<import("../../server/practice.js").SessionOrder, "source">} [options]
 * @returns {Promise<boolean>} Whether it was created.
 */
export async function practise(source, options = {}) {
  try {
    const { createPracticeSession } = await import("../../server/practice.js");
    const { id } = await createPracticeSession({ source, ...options });
    navigate(sessionAddress(id));
    return true;
  } catch (error) {
    const { message, suggestion } = wordsFor(error);
    showToast({ icon: "error", text: [message, suggestion].filter(Boolean).join(" "), action: wayOut(error) });
    return false;
  }
}

/** @param {unknown} error */
function wayOut(error) {
  const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
  return actionToVoices(code === "practice.no-voice" ? { code: "voice.missing" } : error);
}

/**
 * The menu entry that practises something.
 *
 * @param {PracticeSource} source
 * @returns {import("../../components/sheet.js").MenuItem}
 */
export function practiseEntry(source) {
  return { label: t("practice.this"), icon: "practice", run: () => practise(source) };
}

/**
 * Opens a text on the Speak page; the text being written there can be restored.
 *
 * @param {string} text
 */
export function takeToSpeak(text) {
  if (session.isBusy) {
    showToast({ text: t("speak.busy") });
    return;
  }
  const before = session.stage.value.kind === "writing" ? session.text : "";
  const show = (/** @type {string} */ shown) => {
    session.begin(shown);
    navigate("/speak");
  };
  show(text);
  if (before.trim() === "" || before === text) return;
  showToast({ text: t("history.replaced"), seconds: 10, action: { label: t("do.undo"), run: () => show(before) } });
}

/** @param {string} id */
export const sessionAddress = (id) => `/practice/sessions/${encodeURIComponent(id)}`;

/** @param {string} id `new` for one not written yet. */
export const speechAddress = (id) => `/practice/speeches/${encodeURIComponent(id)}`;

/** The sheet's styles and those that it shares with others. */
const styles = ["/styles/fields.css", "/styles/transcript.css", "/styles/recognizers.css", "/styles/speech-check.css"];

/**
 * Opens the check of a narration's speech.
 *
 * @param {import("../../server/library.js").Item} item
 */
export async function openSpeechCheck(item) {
  const [{ SpeechCheckSheet }] = await Promise.all([import("../library/speech-check-sheet.js"), ...styles.map(loadStyle)]);
  new SpeechCheckSheet(item).open();
}
