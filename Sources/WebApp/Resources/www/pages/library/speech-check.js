import { loadStyle } from "../../core/dom.js";

/** The sheet's styles and those that it shares with others. */
const styles = ["/styles/fields.css", "/styles/transcript.css", "/styles/recognizers.css", "/styles/speech-check.css"];

/**
 * Opens the check of a narration's speech.
 *
 * @param {import("../../server/library.js").Item} item
 */
export async function openSpeechCheck(item) {
  const [{ SpeechCheckSheet }] = await Promise.all([import("./speech-check/check-sheet.js"), ...styles.map(loadStyle)]);
  new SpeechCheckSheet(item).open();
}
