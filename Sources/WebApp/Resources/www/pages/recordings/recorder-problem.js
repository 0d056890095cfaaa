/**
 * The catalogue's code for a problem, if any.
 *
 * @param {unknown} problem
 */
export function codeOf(problem) {
  return /** @type {{ code?: string }} */ (problem ?? {}).code ?? "";
}

/**
 * What a problem makes the recorder wait for.
 *
 * @param {unknown} problem
 */
export function waitingOf(problem) {
  const { status = 0 } = /** @type {{ status?: number }} */ (problem ?? {});
  if (status === 423) return "locked";
  if (status === 421) return "restarted";
  return status === 0 || status === 401 ? "server" : "refused";
}

/**
 * Whether retrying to finish cannot succeed either.
 *
 * @param {unknown} problem
 */
export function isFinal(problem) {
  return ["recording.empty", "recording.not-found"].includes(codeOf(problem));
}
