import { button } from "../../../components/button.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { linesOf } from "./text-lines.js";

/**
 * @typedef {import("../../../server/documents.js").Span} Span
 * @typedef {import("../../../server/documents.js").TextPart} TextPart
 * @typedef {import("./text-lines.js").Cut} Cut
 * @typedef {import("./text-lines.js").Line} Line
 */

/** A stretch of a document's text in the page, which knows where each of its words stands. */
export class TextSection {
  /** @type {{ node: Text, from: number, to: number }[]} */
  #pieces = [];

  /**
   * @param {TextPart} part
   * @param {Span} span Within the part.
   * @param {readonly Cut[]} cuts In order, none overlapping.
   */
  constructor(part, span, cuts) {
    this.from = span.from;
    this.to = span.to;
    const lines = linesOf(part, span, cuts);
    const last = lastRuns(lines);
    this.element = h("section", { class: "text-chunk" }, ...lines.map((line) => this.#line(line, last)));
  }

  /**
   * The words of a place that are shown here, for each line by itself.
   *
   * @param {Span} span
   * @returns {Range[]}
   */
  ranges({ from, to }) {
    return this.#pieces
      .filter((piece) => piece.from < to && piece.to > from)
      .map((piece) => {
        const range = document.createRange();
        range.setStart(piece.node, Math.max(0, from - piece.from));
        range.setEnd(piece.node, Math.min(piece.node.length, to - piece.from));
        return range;
      });
  }

  /**
   * The place of the document that a caret of the page stands at.
   *
   * @param {Node} node
   * @param {number} offset
   * @returns {number | null}
   */
  unit(node, offset) {
    const piece = this.#pieces.find((one) => one.node === node);
    return piece === undefined ? null : piece.from + offset;
  }

  /**
   * The place that stands at a height of the view.
   *
   * @param {number} top Pixels of the viewport.
   */
  unitAt(top) {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = document.createRange();
      range.selectNode(this.#pieces[middle].node);
      if (range.getBoundingClientRect().bottom > top) high = middle;
      else low = middle + 1;
    }
    return this.#pieces[low]?.from ?? this.from;
  }

  /**
   * @param {Line} line
   * @param {ReadonlySet<object>} last The last run of each cut.
   */
  #line({ runs, block, isApart }, last) {
    const isHeading = block?.kind === "heading";
    const classes = ["text-line", block === null ? "" : `is-${block.kind}`, isApart ? "apart" : ""];
    return h(
      "p",
      {
        class: classes.filter(Boolean).join(" "),
        dir: "auto",
        role: isHeading ? "heading" : null,
        "aria-level": isHeading ? String(Math.min(6, block.level + 1)) : null,
        "data-level": block === null ? null : String(block.level),
      },
      ...runs.flatMap((run) => {
        const node = document.createTextNode(run.text);
        this.#pieces.push({ node, from: run.from, to: run.to });
        const { cut } = run;
        if (cut === null) return /** @type {Node[]} */ ([node]);
        const shown = h(cut.look === "struck" ? "del" : "span", { class: `cut ${cut.look}`, "data-cut": cut.key, title: cut.label }, node);
        return last.has(run) && cut.look !== "aside" ? [shown, cutButton(cut)] : [shown];
      }),
    );
  }
}

/** @param {readonly Line[]} lines */
function lastRuns(lines) {
  /** @type {Map<string, object>} */
  const last = new Map();
  for (const { runs } of lines) for (const run of runs) if (run.cut !== null) last.set(run.cut.key, run);
  return new Set(last.values());
}

/** @param {Cut} cut */
function cutButton({ look, key, label }) {
  const element = button({
    label: t(look === "struck" ? "preview.putBack" : "preview.leaveOut", { what: label }),
    icon: look === "struck" ? "undo" : "close",
    look: "quiet",
    iconOnly: true,
    className: "cut-button",
  });
  element.dataset.cut = key;
  return element;
}
