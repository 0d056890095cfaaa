/** @typedef {import("../../../core/store.js").Cell<import("../../../server/practice.js").PracticeSession>} SessionCell */

/**
 * Forgets what is known of segments when the text is cut in another way, here or elsewhere: other segments have their numbers
 * from then on.
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
