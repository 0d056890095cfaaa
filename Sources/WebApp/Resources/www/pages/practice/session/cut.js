/** @typedef {import("../../../core/store.js").Cell<import("../../../server/practice.js").PracticeSession>} SessionCell */

/**
 * Drops what is known of segments when the text is segmented differently, here or elsewhere: their numbers then mean
 * other segments.
 *
 * @param {SessionCell} session
 * @param {readonly { forget: () => void }[]} known
 * @param {() => void} changed Called after that.
 * @param {AbortSignal} signal Ends it.
 */
export function forgetWithCut(session, known, changed, signal) {
  let { granularity } = session.value.settings;
  session.watch(({ settings }) => {
    if (settings.granularity === granularity) return;
    granularity = settings.granularity;
    for (const one of known) one.forget();
    changed();
  }, signal);
}
