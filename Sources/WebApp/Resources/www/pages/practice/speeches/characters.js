const letters = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * How many characters a text has, as a reader counts them: an accent or a flag is no character of its own. The server
 * counts the same.
 *
 * @param {string} text
 */
export function characterCount(text) {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of letters.segment(text)) count += 1;
  return count;
}
