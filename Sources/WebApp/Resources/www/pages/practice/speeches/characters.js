const letters = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The number of characters as a reader counts them: accents and flags do not count separately. The server counts the
 * same.
 *
 * @param {string} text
 */
export function characterCount(text) {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of letters.segment(text)) count += 1;
  return count;
}
