import { fill, h, takesText } from "../core/dom.js";
import { paragraphFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { isOpen, state } from "../core/store.js";
import { button, icon } from "./button.js";

/**
 * @typedef {object} Toast
 * @property {string | Node} text
 * @property {import("./button.js").IconName} [icon]
 * @property {{ label: string, run: () => unknown }} [action] Where `run` returns words, it cannot be done yet: they say why,
 * and it is offered again.
 * @property {boolean} [isUndo] Whether Ctrl+Z runs the action too.
 * @property {number} [seconds] Default: 6; the timer pauses while a pointer or the focus is on it.
 * @property {(isLeaving: boolean) => unknown} [gone] Called once when it disappears without its action: by time, by its
 * cross, or because another came. `isLeaving`: the page is unloading, so only requests with `keepalive` will arrive.
 */

/** @type {{ toast: Toast, timer: number, left: number, since: number } | null} */
let shown = null;

/**
 * A polite live region. It is always in the document, since only an existing region is announced; it moves into an open
 * dialog, since nothing outside one can be pressed.
 */
const place = h("div", { class: "toast-place", role: "status", "aria-live": "polite" });

addEventListener("pagehide", () => leave(true));

/** @type {(() => void)[]} What waits until the library is open again. */
let waiting = [];
let wasOpen = isOpen();
state.watch(() => {
  const closes = wasOpen && !isOpen();
  wasOpen = isOpen();
  // It may name what the library has.
  if (closes) leave(false);
  if (!wasOpen) return;
  const due = waiting;
  waiting = [];
  due.forEach(whenFree);
}, new AbortController().signal);

addEventListener("keydown", (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
  if (!isUndo || !shown?.toast.isUndo || event.defaultPrevented || takesText(event.target)) return;
  event.preventDefault();
  act();
});

/**
 * Shows a message that belongs nowhere on the page. It replaces the previous one.
 *
 * @param {Toast} toast
 * @returns {() => void} Removes it, if it is still shown.
 */
export function showToast(toast) {
  leave(false);
  focusedBefore = null;
  standOnTop();
  const mine = { toast, timer: 0, left: (toast.seconds ?? 6) * 1_000, since: 0 };
  shown = mine;
  const { action } = toast;
  const box = h(
    "div",
    {
      class: "toast",
      onpointerenter: hold,
      onpointerleave: go,
      onfocusin: (/** @type {FocusEvent} */ event) => {
        rememberFocus(event.relatedTarget);
        hold();
      },
      onfocusout: go,
    },
    toast.icon ? icon(toast.icon) : null,
    h("p", {}, toast.text),
    h(
      "div",
      { class: "toast-tools" },
      action ? button({ label: action.label, look: "quiet", className: "toast-action", onPress: act }) : null,
      button({ label: t("do.dismiss"), icon: "close", look: "quiet", iconOnly: true, onPress: () => leave(false) }),
    ),
  );
  fill(place, box);
  go();
  return () => {
    if (shown === mine) leave(false);
  };
}

function standOnTop() {
  const dialog = [...document.querySelectorAll("dialog:modal")].pop();
  const host = dialog ?? document.body;
  if (place.parentElement === host && place.isConnected) return;
  host.append(place);
  dialog?.addEventListener("close", standOnTop, { once: true });
}

/** @type {HTMLElement | null} What had the focus before a message took it. */
let focusedBefore = null;

/** @param {EventTarget | null} from */
function rememberFocus(from) {
  if (from instanceof HTMLElement && !place.contains(from)) focusedBefore = from;
}

/** Returns the focus when its message disappears. */
function giveFocusBack() {
  const lists = place.closest("dialog") ?? document;
  const ofList = () => lists.querySelector("[role=row][tabindex='0']") ?? lists.querySelector(":is(h1, h2)[tabindex]");
  const target = focusedBefore?.isConnected ? focusedBefore : ofList();
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** Runs the action of the current message, or shows why that has to wait. */
function act() {
  const toast = take()?.toast;
  const hindrance = toast?.action?.run();
  if (toast && typeof hindrance === "string") showToast({ ...toast, text: hindrance, seconds: 60 });
}

/**
 * Offers undo for ten seconds, after the caller has hidden the thing.
 *
 * @param {object} change
 * @param {string} change.text What was done.
 * @param {() => unknown} change.undo Shows the thing again; may return words like the action of a {@link Toast}.
 * @param {(isLeaving: boolean) => unknown} [change.commit] Makes it final; with `isLeaving` by a request with `keepalive`.
 */
export function showUndo({ text, undo, commit }) {
  return showToast({ text, seconds: 10, action: { label: t("do.undo"), run: undo }, isUndo: true, gone: commit });
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
  const hadFocus = place.contains(document.activeElement);
  shown = null;
  clearTimeout(was?.timer);
  place.replaceChildren();
  if (hadFocus) giveFocusBack();
  return was;
}

/** @param {boolean} isLeaving */
function leave(isLeaving) {
  return take()?.toast.gone?.(isLeaving);
}

/** Removes the present message as its time would, and waits for what that makes final, but not longer than 2 s. */
export async function settle() {
  await Promise.race([leave(false), new Promise((resolve) => setTimeout(resolve, 2_000))]);
}

/**
 * Runs something when no undo is offered any more and the library is open, at once if that is so.
 *
 * @param {() => void} work
 */
export function whenFree(work) {
  if (shown?.toast.isUndo) setTimeout(() => whenFree(work), Math.max(500, shown.left));
  else if (isOpen()) work();
  else waiting.push(work);
}

/**
 * Runs something once the library is open, and again when a lock has overtaken it. Nothing speaks against the first time
 * before the server has answered.
 *
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function onceOpen(work) {
  for (let isRefused = false; ; isRefused = true) {
    if (isRefused || (state.value !== null && !isOpen())) await opened();
    try {
      return await work();
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code !== "vault.locked") throw error;
    }
  }
}

/** @returns {Promise<void>} Fulfilled when the server says next that the library is open. */
function opened() {
  const wait = new AbortController();
  return new Promise((resolve) => state.watch(() => isOpen() && resolve(wait.abort()), wait.signal));
}

/**
 * Shows a message that nobody has asked for: it does not make final what can be undone still.
 *
 * @param {Toast} toast
 * @param {() => boolean} [isTrue] Whether it is still so when it can be shown.
 */
export function showNews(toast, isTrue = () => true) {
  whenFree(() => isTrue() && showToast(toast));
}

/**
 * Runs something, and shows a failure in a toast.
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
    if (!signal?.aborted) showToast({ icon: "error", text: paragraphFor(error) });
    return false;
  }
}

/**
 * A deletion that waits until undo is no longer offered.
 *
 * @typedef {object} Pending
 * @property {() => void} undo Shows the hidden things again.
 * @property {(options?: { keepalive?: boolean }) => Promise<void>} finish Deletes them; with `keepalive` when the page
 * is unloading.
 */

/**
 * Hides things at once and deletes them later, so that it can be undone. The caller, who shows the undo, decides when
 * it is too late. What a lock has overtaken is deleted when the library is open again: the user has seen it go.
 *
 * @template Id
 */
export class DeferredDeletion {
  /** @type {(ids: Id[], options: { keepalive: boolean }) => Promise<void>} */
  #delete;
  /** @type {(error: unknown, ids: Id[], name: string) => void} */
  #failed;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /**
   * The ids that are waiting or deleted: a list requested earlier may still contain them.
   *
   * @type {Set<Id>}
   */
  #hidden = new Set();

  /**
   * @param {object} parts
   * @param {(ids: Id[], options: { keepalive: boolean }) => Promise<void>} parts.delete
   * @param {(error: unknown, ids: Id[], name: string) => void} parts.failed Called with the ids that are visible again.
   */
  constructor({ delete: remove, failed }) {
    this.#delete = remove;
    this.#failed = failed;
  }

  /** @param {Id} id */
  isHidden(id) {
    return this.#hidden.has(id);
  }

  /**
   * @param {() => void} watcher Called whenever the hidden ids have changed.
   * @param {AbortSignal} signal Ends it.
   */
  watch(watcher, signal) {
    this.#watchers.add(watcher);
    signal.addEventListener("abort", () => this.#watchers.delete(watcher), { once: true });
  }

  /**
   * @param {Id[]} ids
   * @param {string} [name] For `failed`; it is forgotten with the deletion.
   * @returns {Pending} Only the first call of either counts.
   */
  hide(ids, name = "") {
    let isDecided = false;
    for (const id of ids) this.#hidden.add(id);
    this.#notify();
    return {
      undo: () => {
        if (isDecided) return;
        isDecided = true;
        this.#show(ids);
      },
      finish: async ({ keepalive = false } = {}) => {
        if (isDecided) return;
        isDecided = true;
        try {
          if (keepalive) await this.#delete(ids, { keepalive });
          else await onceOpen(() => this.#delete(ids, { keepalive }));
        } catch (error) {
          this.#show(ids);
          this.#failed(error, ids, name);
        }
      },
    };
  }

  /** @param {Id[]} ids */
  #show(ids) {
    for (const id of ids) this.#hidden.delete(id);
    this.#notify();
  }

  #notify() {
    for (const watcher of this.#watchers) watcher();
  }
}
