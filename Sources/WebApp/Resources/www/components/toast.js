import { button } from "./button.js";
import { icon } from "./icon.js";
import { fill, h } from "../core/dom.js";
import { t, wordsFor } from "../core/i18n.js";

/**
 * @typedef {object} Toast
 * @property {string} text
 * @property {import("./icon.js").IconName} [icon]
 * @property {{ label: string, run: () => void }} [action]
 * @property {number} [seconds] 6 when absent; time stands still while a pointer or the focus is on it.
 * @property {(isLeaving: boolean) => void} [gone] Called once when it goes without its action: by time, by its cross,
 *   or because another came. `isLeaving`: the page itself goes, so only requests with `keepalive` will arrive.
 */

/** @type {{ toast: Toast, timer: number, left: number, since: number } | null} */
let shown = null;

/** A polite live region. It is always in the document, since only a region that exists is announced. */
const place = h("div", { class: "toast-place", role: "status", "aria-live": "polite" });

addEventListener("pagehide", () => leave(true));

/**
 * Shows a message that has no place on the page. It replaces the one before.
 *
 * @param {Toast} toast
 * @returns {() => void} Removes it, if it is still shown.
 */
export function showToast(toast) {
  leave(false);
  if (!place.isConnected) document.body.append(place);
  const mine = { toast, timer: 0, left: (toast.seconds ?? 6) * 1_000, since: 0 };
  shown = mine;
  const { action } = toast;
  const act = () => {
    take();
    action?.run();
  };
  const box = h(
    "div",
    {
      class: "toast",
      onpointerenter: hold,
      onpointerleave: go,
      onfocusin: hold,
      onfocusout: go,
    },
    toast.icon ? icon(toast.icon) : null,
    h("p", {}, toast.text),
    action ? button({ label: action.label, look: "quiet", className: "toast-action", onPress: act }) : null,
    button({ label: t("do.dismiss"), icon: "close", look: "quiet", iconOnly: true, onPress: () => leave(false) }),
  );
  fill(place, box);
  go();
  return () => {
    if (shown === mine) leave(false);
  };
}

/**
 * Offers undo for ten seconds, after the caller has hidden the thing.
 *
 * @param {object} change
 * @param {string} change.text What was done.
 * @param {() => void} change.undo Shows the thing again.
 * @param {(isLeaving: boolean) => void} change.commit Does it for good; with `isLeaving` by a request with `keepalive`.
 */
export function showUndo({ text, undo, commit }) {
  return showToast({ text, seconds: 10, action: { label: t("do.undo"), run: undo }, gone: commit });
}

function go() {
  if (shown === null) return;
  clearTimeout(shown.timer);
  shown.since = performance.now();
  shown.timer = setTimeout(() => leave(false), shown.left);
}

function hold() {
  if (shown === null) return;
  clearTimeout(shown.timer);
  shown.left = Math.max(1_500, shown.left - (performance.now() - shown.since));
}

/** Removes it without calling `gone`. */
function take() {
  const was = shown;
  shown = null;
  clearTimeout(was?.timer);
  place.replaceChildren();
  return was;
}

/** @param {boolean} isLeaving */
function leave(isLeaving) {
  take()?.toast.gone?.(isLeaving);
}

/**
 * Does something, and shows in a toast why it failed.
 *
 * @param {() => Promise<unknown>} work
 * @param {AbortSignal} [signal] No toast is shown once it is aborted.
 * @returns {Promise<boolean>} Whether it succeeded.
 */
export async function attempt(work, signal) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!signal?.aborted) showToast({ icon: "error", text: wordsFor(error).message });
    return false;
  }
}
