import { showToast } from "../../../components/toast.js";
import { t } from "../../../core/i18n.js";
import { isConnected } from "../../../core/store.js";

/** @typedef {import("./take-list.js").TakeList} TakeList */

/** @type {Set<TakeList>} The lists that may have takes missing on the server. */
const lists = new Set();
/** @type {Set<TakeList>} Those whose session was left. */
const left = new Set();

let isWatched = false;

/**
 * Protects takes that the server does not have: the browser asks before the page is unloaded, and when only the session
 * is left they are still sent.
 *
 * @param {TakeList} list
 * @param {AbortSignal} signal Aborted when its session is left.
 */
export function guardTakes(list, signal) {
  watch();
  lists.add(list);
  signal.addEventListener("abort", () => leave(list), { once: true });
}

function watch() {
  if (isWatched) return;
  isWatched = true;
  const always = new AbortController().signal;
  addEventListener("beforeunload", (event) => [...lists].some(({ unsent }) => unsent.length > 0) && event.preventDefault());
  isConnected.watch((yes) => yes && lists.forEach((list) => (left.has(list) ? send(list) : list.sendAll())), always);
}

/** @param {TakeList} list */
function leave(list) {
  left.add(list);
  const n = list.unsent.length;
  if (n > 0) showToast({ icon: "info", text: t("practice.takes.leaving", { n }) });
  return send(list);
}

/** @param {TakeList} list */
async function send(list) {
  await list.sendAll();
  const n = list.unsent.length;
  if (n > 0) {
    showToast({ icon: "error", text: t("practice.takes.unsent", { n }), action: { label: t("do.again"), run: () => send(list) } });
    return;
  }
  lists.delete(list);
  left.delete(list);
}
