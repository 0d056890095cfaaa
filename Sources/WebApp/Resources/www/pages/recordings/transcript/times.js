/**
 * Parses a time as users write it: “90”, “1:30”, “1:02:10.5”.
 *
 * @param {string} text
 * @returns {number | null} Seconds; `null` when it is not a time.
 */
export function secondsIn(text) {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,6}(?:[.,]\d+)?)$/.exec(text.trim());
  if (parts === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = parts;
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}
