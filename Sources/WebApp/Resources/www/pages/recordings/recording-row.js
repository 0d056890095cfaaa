import { icon } from "../../components/icon.js";
import { moreButton } from "../../components/menu.js";
import { h } from "../../core/dom.js";
import { clock, shortDate, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { unplayableMark } from "../../player/unplayable-mark.js";
import { isGoing, shortJobWords } from "./transcript/job-words.js";
import { excerpt } from "../library/item-row.js";

/**
 * A recording as a row of the list.
 *
 * @param {import("../../server/library.js").Item} item
 * @param {(anchor: Element) => void} openMenu
 * @param {{ isCurrent: boolean, isMoving: boolean, job: import("../../server/transcriptions.js").Transcription | null }} state
 * @returns {import("../../components/rows/row-content.js").RowContent}
 */
export function recordingRow(item, openMenu, { isCurrent, isMoving, job }) {
  const date = h("time", { datetime: item.created }, shortDate(item.created));
  const present = t(item.isTranscribed ? "recordings.transcribed" : "recordings.untranscribed");
  const mark = unplayableMark(item.id);
  const found = item.place ? [excerpt(item.place)] : [];
  const isSaid = job !== null && (isGoing(job) || !item.isTranscribed);
  const status = isSaid ? shortJobWords(job) : present;
  return {
    title: item.name,
    details: [...(mark === null ? [] : [mark]), clock(item.duration), ...found, date, status, size(item.size), t(`origin.${item.origin}`)],
    actions: [transcriptLink(item), moreButton({ label: t("library.more", { name: item.name }), open: openMenu })],
    isCurrent,
    isMoving,
  };
}

/** @param {import("../../server/library.js").Item} item */
function transcriptLink(item) {
  const label = t(item.isTranscribed ? "recordings.transcript.of" : "recordings.transcribe", { name: item.name });
  return h("a", { class: "button quiet icon-only", href: transcriptAddress(item), "aria-label": label, title: label }, icon("text"));
}

/**
 * The address of a recording's transcript, at the search words.
 *
 * @param {import("../../server/library.js").Item} item
 */
export function transcriptAddress({ id, place }) {
  const path = `/recordings/${encodeURIComponent(id)}`;
  if (!place) return path;
  return `${path}?${new URLSearchParams({ words: place.excerpt.slice(place.from, place.to), at: String(place.seconds) })}`;
}
