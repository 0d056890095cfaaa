import { openMenu } from "./menu.js";
import { duration } from "../core/format.js";
import { t } from "../core/i18n.js";

/**
 * Asks what to do with the spoken part: save it as a recording, or discard it. When nothing was spoken yet, it stops at
 * once.
 *
 * @param {object} choice
 * @param {number} choice.seconds Spoken so far.
 * @param {Element} choice.anchor The button that stops.
 * @param {(keepsPart: boolean) => void} choice.stop
 * @param {() => void} [choice.later] Leaves it unfinished; shown only when given.
 */
export function openStopMenu({ seconds, anchor, stop, later }) {
  if (seconds === 0 && later === undefined) {
    stop(false);
    return;
  }
  const kept = { label: t("stop.keep", { made: duration(seconds) }), icon: /** @type {const} */ ("check"), run: () => stop(true) };
  const left = later === undefined ? [] : [{ label: t("stop.later"), icon: /** @type {const} */ ("history"), run: later }];
  openMenu(
    [
      ...(seconds === 0 ? [] : [kept]),
      ...left,
      { label: t("stop.discard"), icon: "trash", isDanger: true, run: () => stop(false) },
    ],
    { label: t("stop.title"), anchor },
  );
}
