import { h } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";

/** @typedef {import("../../../server/transcripts.js").ComparedPassage} Passage */

/**
 * Passages side by side: the equal parts, and the differences within them.
 *
 * @typedef {{ start: number, passages: Passage[], isSame: boolean }} ComparedRow
 */

/**
 * @param {readonly Passage[]} passages
 * @returns {ComparedRow[]} A row ends where an equal passage was split at the end of a segment.
 */
export function rowsOf(passages) {
  /** @type {ComparedRow[]} */
  const rows = [];
  let wasEqual = true;
  for (const passage of passages) {
    const isEqual = passage.kind === "equal";
    if (rows.length === 0 || (isEqual && wasEqual)) {
      rows.push({ start: (passage.first ?? passage.second)?.start ?? 0, passages: [], isSame: true });
    }
    const row = rows[rows.length - 1];
    row.passages.push(passage);
    row.isSame &&= isEqual;
    wasEqual = isEqual;
  }
  return rows;
}

/**
 * A row of two versions, with its differences in words too.
 *
 * @param {ComparedRow} row
 * @param {(seconds: number) => void} play
 */
export function comparedRow(row, play) {
  const time = h("button", {
    type: "button",
    class: "segment-time numbers",
    "aria-label": t("transcript.play.at", { time: clock(row.start) }),
    onclick: () => play(row.start),
  }, clock(row.start));
  return h(
    "li",
    { class: row.isSame ? "compared-row same" : "compared-row" },
    time,
    h("p", { class: "compared-side", dir: "auto" }, ...row.passages.flatMap((passage) => sideOf(passage, "first"))),
    h("p", { class: "compared-side", dir: "auto" }, ...row.passages.flatMap((passage) => sideOf(passage, "second"))),
  );
}

/**
 * @param {Passage} passage
 * @param {"first" | "second"} side
 */
function sideOf(passage, side) {
  const said = passage[side];
  if (said === null) return [];
  if (passage.kind === "equal") return [`${said.text} `];
  const tag = side === "first" ? "del" : "ins";
  const words = t(passage.kind === "replaced" ? "compare.replaced" : side === "first" ? "compare.missing" : "compare.added");
  return [h(tag, {}, h("span", { class: "visually-hidden" }, `${words}: `), said.text), " "];
}
