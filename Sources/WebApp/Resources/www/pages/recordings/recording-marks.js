import { recordingMark } from "../../core/store.js";

/** @typedef {{ stop: () => void }} RecordingMark */

/** @type {Set<RecordingMark>} The marks of everything that records now. */
const marks = new Set();

/**
 * Shows that a microphone is recorded, as long as any recorder is active.
 *
 * @param {RecordingMark} mark The recorder's mark, always the same object.
 * @param {boolean} isRecording
 */
export function showRecording(mark, isRecording) {
  if (marks.has(mark) === isRecording) return;
  if (isRecording) marks.add(mark);
  else marks.delete(mark);
  recordingMark.set(marks.size === 0 ? null : { stop: () => [...marks].forEach((one) => one.stop()) });
}
