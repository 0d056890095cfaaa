import { icon } from "../../components/icon.js";
import { moreButton } from "../../components/menu.js";
import { h } from "../../core/dom.js";
import { clock, shortDate, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";

/**
 * A recording as a row of the list.
 *
 * @param {import("../../server/library.js").Item} item
 * @param {(anchor: Element) => void} openMenu
 * @param {{ isCurrent: boolean, isMoving: boolean, isBeingTranscribed: boolean }} state
 * @returns {import("../../components/rows/row-content.js").RowContent}
 */
export function recordingRow(item, openMenu, { isCurrent, isMoving, isBeingTranscribed }) {
  const date = h("time", { datetime: item.created }, shortDate(item.created));
  const present = t(item.isTranscribed ? "recordings.transcribed" : "recordings.untranscribed");
  const status = isBeingTranscribed ? t("recordings.transcribing") : present;
  return {
    title: item.name,
    details: [clock(item.duration), date, status, size(item.size), t(`origin.${item.origin}`)],
    actions: [transcriptLink(item), moreButton({ label: t("library.more", { name: item.name }), open: openMenu })],
    isCurrent,
    isMoving,
  };
}

/** @param {import("../../server/library.js").Item} item */
function transcriptLink({ id, name, isTranscribed }) {
  const label = t(isTranscribed ? "recordings.transcript.of" : "recordings.transcribe", { name });
  const href = `/recordings/${encodeURIComponent(id)}`;
  return h("a", { class: "button quiet icon-only", href, "aria-label": label, title: label }, icon("text"));
}
