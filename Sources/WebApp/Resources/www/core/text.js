/**
 * The structure of a text, as the server sees it: paragraphs at blank lines, titles as in the server's
 * `ParagraphReader`. Offsets are in UTF-16 units.
 */

import { t } from "./i18n.js";

/**
 * @typedef {object} Paragraph
 * @property {number} from
 * @property {number} to Exclusive; surrounding white space is not part of it.
 * @property {boolean} isHeading
 */

const block = /^(?:#{1,6}|[*+\-•‣◦⁃]|\d{1,3}[.)])[ \t\u00a0]/;
const hashes = /^#{1,6}[ \t\u00a0]/;
const longestTitle = 80;

/**
 * @param {string} text
 * @returns {Paragraph[]} In text order, without overlaps.
 */
export function paragraphsOf(text) {
  /** @type {Paragraph[]} */
  const paragraphs = [];
  /** @type {{ from: number, to: number, lines: number } | null} */
  let open = null;
  const close = () => {
    if (open !== null) paragraphs.push({ from: open.from, to: open.to, isHeading: isTitle(text, open) });
    open = null;
  };
  for (const { from, to } of linesOf(text)) {
    const line = text.slice(from, to);
    const blank = line.length - line.trimStart().length;
    const trimmed = line.trim();
    if (trimmed === "") {
      close();
      continue;
    }
    if (block.test(trimmed)) close();
    const end = from + blank + trimmed.length;
    if (open === null) open = { from: from + blank, to: end, lines: 1 };
    else open = { from: open.from, to: end, lines: open.lines + 1 };
    if (hashes.test(trimmed)) close();
  }
  close();
  const last = paragraphs[paragraphs.length - 1];
  if (last !== undefined && !hashes.test(text.slice(last.from, last.to))) last.isHeading = false;
  return paragraphs;
}

/** @param {string} text */
function* linesOf(text) {
  let from = 0;
  for (const end of text.matchAll(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g)) {
    const at = /** @type {number} */ (end.index);
    yield { from, to: at };
    from = at + end[0].length;
  }
  yield { from, to: text.length };
}

/**
 * @param {string} text
 * @param {{ from: number, to: number, lines: number }} paragraph
 */
function isTitle(text, { from, to, lines }) {
  const content = text.slice(from, to);
  if (hashes.test(content)) return true;
  if (block.test(content) || lines > 1 || content.length > longestTitle) return false;
  return content.endsWith(")") || !/[\p{Po}\p{Pe}\p{Pf}\p{Pd}\p{Pi}]$/u.test(content);
}

/**
 * A heading's words without its marks.
 *
 * @param {string} text
 * @param {Paragraph} heading
 */
export function titleOf(text, { from, to }) {
  return text.slice(from, to).replace(/^#+/, "").replace(/\s+/g, " ").trim();
}

/** @type {Map<string, Highlight | null>} */
const all = new Map();

/**
 * The highlight with a name, which `::highlight(name)` styles; it marks text without elements.
 *
 * @param {string} name
 * @param {number} [priority] The higher one wins where two overlap.
 * @returns {Highlight | null} `null` if the browser has none.
 */
export function highlight(name, priority = 0) {
  let found = all.get(name);
  if (found === undefined) {
    found = "highlights" in CSS && CSS.highlights !== undefined ? new Highlight() : null;
    if (found !== null) {
      found.priority = priority;
      CSS.highlights?.set(name, found);
    }
    all.set(name, found);
  }
  return found;
}

/** Maximum length of a name in Unicode scalars. */
export const longestName = 200;

/** Control characters, line and paragraph separators, and bidirectional controls. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/**
 * Why something cannot name a recording or document, by the server's rules.
 *
 * @param {string} name
 * @returns {string | null} A message; `null` when it can.
 */
export function nameProblem(name) {
  const trimmed = name.trim();
  if (trimmed === "") return t("name.empty");
  if ([...trimmed].length > longestName) return t("name.long", { n: longestName });
  return forbidden.test(trimmed) ? t("name.control") : null;
}

/**
 * A part of a text, never empty.
 *
 * @typedef {object} MarkedPart
 * @property {string} text
 * @property {boolean} isMarked
 */

/**
 * Splits a text at its marks.
 *
 * @param {string} text
 * @param {readonly { from: number, to: number }[]} marks In UTF-16 units, in text order.
 * @returns {MarkedPart[]} Empty marks are omitted.
 */
export function markedParts(text, marks) {
  /** @type {MarkedPart[]} */
  const parts = [];
  let position = 0;
  for (const { from, to } of marks) {
    const start = Math.max(position, Math.min(from, text.length));
    const end = Math.max(start, Math.min(to, text.length));
    if (start === end) continue;
    if (start > position) parts.push({ text: text.slice(position, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    position = end;
  }
  if (position < text.length) parts.push({ text: text.slice(position), isMarked: false });
  return parts;
}
