import { button, icon } from "../components/button.js";
import { empty, errorNotice, wayToVoices } from "../components/notice.js";
import { readAlong, ReadingText } from "../components/reading-text.js";
import { dragRow, playingBars } from "../components/row-content.js";
import { confirm, openMenu, Sheet, withdraw } from "../components/sheet.js";
import { attempt, showNews, showUndo } from "../components/toast.js";
import { fill, find, h, kept, setAttribute, setText } from "../core/dom.js";
import { clock, duration, paragraphFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { chaptersButton, muteButton, quiet, rateButton, seekBar, sleepButton, transport } from "./controls.js";
import { player, unplayableMark } from "./player.js";
import { trackMarks } from "./seek-marks.js";
import { voiceOf } from "./track.js";

/** @typedef {import("../server/library.js").QueueEntry} QueueEntry */

/** The maximum number of entries shown; the rest follow when earlier ones are gone. */
const most = 400;

/** Opens the queue. */
export function openQueue() {
  new QueueSheet().open();
}

/** Empties a queue of which nothing can be shown, nor put back. */
async function clearUnreadable() {
  const isSure = await confirm({ title: t("queue.clear"), detail: t("queue.unreadable"), action: t("queue.clear") });
  // Meanwhile another program may have emptied it, so that what is in it now can be seen.
  if (isSure && player.queue.state.value.isUnreadable) await attempt(() => player.queue.clear());
}

/** @param {unknown} error */
function failureRow(error) {
  return h("li", {}, errorNotice(error, button({ label: t("do.again"), onPress: () => player.queue.refresh() })));
}

/** The recordings that come next: play, reorder (drag, Alt+↑↓, menu), remove one or many. */
class QueueSheet extends Sheet {
  #footer = h("div", { class: "queue-footer" });
  #select = button({ label: t("queue.select"), look: "quiet", onPress: () => this.#setSelecting(!this.#isSelecting) });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /** Why the player does not play; its bar is behind the sheet. */
  #problem = h("div", { class: "player-problem" });
  #list = h("ol", { class: "queue-list" });
  #isSelecting = false;
  /** @type {Set<string>} */
  #selected = new Set();
  /** @type {string | null} An entry whose row gets the focus at the next rendering. */
  #focus = null;
  /** @type {Map<string, { row: HTMLElement, main: HTMLElement, more: HTMLElement }>} The rows by their entries. */
  #rows = new Map();
  /** @type {{ error: unknown, row: HTMLElement } | null} Kept, so that it is announced once and its button keeps the focus. */
  #failure = null;
  #clear = button({ label: t("queue.clear"), look: "quiet", onPress: () => this.#takeOut(player.queue.state.value.entries.map(({ id }) => id)) });
  #takeSelected = button({ label: "", icon: "minus", onPress: () => this.#removeSelected() });

  constructor() {
    super({ title: t("queue.title"), kind: "side", className: "queue-sheet" });
    const { signal } = this;
    player.queue.state.follow(() => this.#show(), signal);
    player.queue.failure.watch(() => this.#show(), signal);
    player.track.watch(() => this.#show(), signal);
    player.phase.watch(() => this.#show(), signal);
    player.unplayable.reasons.watch(() => this.#show(), signal);
    player.problem.follow((error) => fill(this.#problem, error === null ? null : errorNotice(error, wayToVoices(error))), signal);
    this.#list.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#list.addEventListener("pointerdown", (event) => this.#drag(event), { signal });
    this.build({
      content: [h("div", { class: "queue" }, this.#status, this.#problem, this.#list)],
      headActions: [this.#select],
      actions: [this.#footer],
    });
  }

  /** @param {boolean} isSelecting */
  #setSelecting(isSelecting) {
    this.#isSelecting = isSelecting;
    this.#selected.clear();
    setText(/** @type {Element} */ (this.#select.firstElementChild), t(isSelecting ? "do.done" : "queue.select"));
    this.#show();
  }

  #show() {
    // Changes are shown once the row is dropped.
    if (this.#list.querySelector(".carried")) return;
    const hadFocus = this.element.contains(document.activeElement);
    this.#showEntries();
    if (hadFocus && !this.element.contains(document.activeElement)) this.element.querySelector("h2")?.focus({ preventScroll: true });
  }

  #showEntries() {
    const { entries, isUnreadable, unreadable: n } = player.queue.state.value;
    const had = document.activeElement instanceof HTMLElement ? document.activeElement.closest("li")?.dataset.id : undefined;
    const part = focusedPart();
    // Another page or a command may have taken them out.
    for (const id of this.#selected) if (player.queue.entry(id) === undefined) this.#selected.delete(id);
    this.#select.hidden = entries.length === 0;
    const { failure } = player.queue;
    if (entries.length === 0 && failure.value !== null) {
      const { value: error } = failure;
      const before = this.#failure?.error === error ? this.#failure : null;
      const { row } = (this.#failure = before ?? { error, row: failureRow(error) });
      fill(this.#list, row);
      fill(this.#footer);
      return;
    }
    if (entries.length === 0) {
      const action = isUnreadable ? button({ label: t("queue.clear"), onPress: clearUnreadable }) : undefined;
      const detail = n > 0 ? t("list.unreadable", { n }) : t("queue.empty.do");
      const words = isUnreadable ? { text: t("queue.unreadable") } : { text: t("queue.empty"), detail };
      fill(this.#list, h("li", {}, empty({ icon: "queue", ...words, action })));
      fill(this.#footer);
      return;
    }
    fill(this.#list, ...entries.slice(0, most).map((entry, index) => this.#row(entry, index)));
    if (entries.length > most) this.#list.append(h("li", { class: "muted small" }, t("queue.more", { n: entries.length - most })));
    const target = this.#focus ?? had;
    this.#focus = null;
    if (target !== undefined) this.#focusRow(target, part);
    this.#showFooter(entries);
  }

  /** @param {QueueEntry[]} entries */
  #showFooter(entries) {
    if (this.#isSelecting) {
      setText(/** @type {Element} */ (this.#takeSelected.lastElementChild), t("queue.remove.many", { n: this.#selected.size }));
      this.#takeSelected.disabled = this.#selected.size === 0;
      fill(this.#footer, this.#takeSelected);
      return;
    }
    const whole = entries.reduce((sum, { item }) => sum + item.duration, 0);
    const { unreadable: n } = player.queue.state.value;
    const leftOut = n > 0 ? ` · ${t("list.unreadable", { n })}` : "";
    fill(
      this.#footer,
      h("span", { class: "muted small" }, `${t("queue.count", { n: entries.length })} · ${duration(whole)}${leftOut}`),
      this.#clear,
    );
  }

  /**
   * The row of an entry; its buttons stay, whatever else changes.
   *
   * @param {QueueEntry} entry
   * @param {number} index
   */
  #row({ id, item }, index) {
    const { row, main, more } = kept(this.#rows, id, () => this.#newRow(id));
    for (const name of ["aria-label", "title"]) setAttribute(more, name, t("queue.more.about", { name: item.name }));
    const isCurrent = player.track.value?.entry === id;
    const isSelected = this.#selected.has(id);
    setAttribute(main, "role", this.#isSelecting ? "checkbox" : null);
    setAttribute(main, "aria-checked", this.#isSelecting ? String(isSelected) : null);
    setAttribute(main, "aria-current", isCurrent ? "true" : null);
    fill(
      main,
      this.#isSelecting ? h("span", { class: isSelected ? "row-check on" : "row-check" }, icon("check")) : null,
      isCurrent && !this.#isSelecting ? playingBars(player.phase.value === "playing") : null,
      h(
        "span",
        { class: "queue-words" },
        h("span", { class: "row-title" }, item.name),
        h(
          "span",
          { class: "row-details" },
          unplayableMark(item.id),
          h("span", {}, [clock(item.duration), item.narration && voiceOf(item.narration)].filter(Boolean).join(" · ")),
        ),
      ),
    );
    row.classList.toggle("current", isCurrent);
    row.dataset.index = String(index);
    const handle = row.querySelector(".queue-handle") ?? h("span", { class: "queue-handle", "aria-hidden": "true" }, icon("drag"));
    fill(row, this.#isSelecting ? null : handle, main, this.#isSelecting ? null : more);
    return row;
  }

  /** @param {string} id */
  #newRow(id) {
    const onclick = () => (this.#isSelecting ? this.#toggle(id) : player.playEntry(id));
    const main = h("button", { type: "button", class: "queue-main", onclick });
    const more = button({ label: "", icon: "more", look: "quiet", iconOnly: true, onPress: () => this.#menu(id, more) });
    return { row: h("li", { class: "queue-row", "data-id": id }), main, more };
  }

  /**
   * @param {string} id
   * @param {Element} anchor
   */
  #menu(id, anchor) {
    const { entries } = player.queue.state.value;
    const at = entries.findIndex((one) => one.id === id);
    openMenu(
      [
        { label: t("do.play"), icon: "play", run: () => player.playEntry(id) },
        { label: t("queue.up"), icon: "arrow-up", key: "Alt ↑", isDisabled: at === 0, run: () => this.#move(id, at - 1) },
        { label: t("queue.down"), icon: "arrow-down", key: "Alt ↓", isDisabled: at === entries.length - 1, run: () => this.#move(id, at + 1) },
        { label: t("queue.first"), icon: "arrow-up", isDisabled: at === 0, run: () => this.#move(id, 0) },
        "separator",
        { label: t("queue.remove"), icon: "minus", run: () => this.#remove(id) },
      ],
      { label: t("do.more"), anchor },
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const row = event.target instanceof Element ? event.target.closest("li") : null;
    const id = row?.dataset.id;
    if (!row || id === undefined) return;
    const at = Number(row.dataset.index);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && event.altKey) this.#move(id, at + step);
    else if (step !== 0) this.#focusRow(player.queue.state.value.entries[at + step]?.id, "main");
    else if (event.key === "Delete" && !this.#isSelecting) this.#remove(id);
    else return;
    event.preventDefault();
  }

  /**
   * @param {string} id
   * @param {number} position
   */
  async #move(id, position) {
    const { entries } = player.queue.state.value;
    if (position < 0 || position >= entries.length) return;
    this.#focus = id;
    const name = entries.find((one) => one.id === id)?.item.name ?? "";
    const isMoved = await attempt(() => player.queue.move(id, position), this.signal);
    if (isMoved) this.#status.textContent = t("queue.moved", { name, place: position + 1, n: entries.length });
  }

  /** @param {string} id */
  #remove(id) {
    const { entries } = player.queue.state.value;
    const at = entries.findIndex((one) => one.id === id);
    this.#focus = (entries[at + 1] ?? entries[at - 1])?.id ?? null;
    this.#takeOut([id]);
  }

  #removeSelected() {
    const ids = [...this.#selected];
    this.#setSelecting(false);
    this.#takeOut(ids);
  }

  /** @param {string[]} ids */
  #takeOut(ids) {
    const { undo, finish } = player.queue.takeOut(ids);
    const failed = (/** @type {unknown} */ error) => showNews({ icon: "error", text: paragraphFor(error) });
    showUndo({ text: t("queue.removed", { n: ids.length }), undo, commit: (isLeaving) => finish(isLeaving).catch(failed) });
  }

  /** @param {string} id */
  #toggle(id) {
    if (!this.#selected.delete(id)) this.#selected.add(id);
    this.#show();
  }

  /**
   * @param {string | undefined} id
   * @param {"main" | "more"} part
   */
  #focusRow(id, part) {
    const row = [...this.#list.children].find((one) => one instanceof HTMLElement && one.dataset.id === id);
    const target = row?.querySelector(part === "more" ? ".button" : ".queue-main");
    if (target instanceof HTMLElement) target.focus();
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    dragRow(event, this.#list, ".queue-handle", (id, position) => {
      this.#show();
      if (position !== null) this.#move(id, position);
    });
  }
}

function focusedPart() {
  return document.activeElement?.classList.contains("icon-only") ? "more" : "main";
}

/** @typedef {import("./track.js").Track} Track */

/** The player over the page: the text to read along, and all controls. */
class PlayerView extends Sheet {
  #reading = new ReadingText();
  #problem = h("div", { class: "player-problem" });

  /** @param {Track} track */
  constructor(track) {
    super({ title: track.name, kind: "full", className: "player-view" });
    const { signal } = this;
    this.build({
      content: [this.#problem, this.#reading],
      headActions: [chaptersButton(signal), quiet(t("queue.title"), "queue", openQueue)],
      actions: [
        seekBar(signal),
        h(
          "div",
          { class: "view-controls" },
          h("div", { class: "view-side" }, rateButton(signal), sleepButton(signal)),
          transport(signal),
          h("div", { class: "view-side" }, markButtons(signal), muteButton(signal)),
        ),
      ],
    });
    this.element.dataset.shortcuts = "";
  }

  open() {
    super.open();
    const { element, signal } = this;
    const voice = h("span", { class: "bar-voice" });
    const title = find(element, "h2", HTMLElement);
    title.after(voice);
    player.track.follow((track) => {
      if (track === null) {
        this.close();
        return;
      }
      setText(title, track.name);
      setText(voice, voiceOf(track));
      player.needTranscript();
    }, signal);
    player.problem.follow((error) => this.#showProblem(error), signal);
    readAlong(this.#reading, signal);
    find(element, ".play-button", HTMLElement).focus();
    return this;
  }

  /** @param {unknown} error */
  #showProblem(error) {
    fill(this.#problem, error === null ? null : errorNotice(error, wayToVoices(error)));
  }
}

/**
 * Two buttons that lead to the previous and the next mark; hidden where there is none.
 *
 * @param {AbortSignal} signal
 */
function markButtons(signal) {
  const element = h(
    "div",
    { class: "view-marks" },
    quiet(t("shortcut.mark.previous"), "chevron-left", () => trackMarks.go(-1)),
    icon("flag"),
    quiet(t("shortcut.mark.next"), "chevron-right", () => trackMarks.go(1)),
  );
  const heir = () => element.closest("dialog")?.querySelector(".play-button");
  trackMarks.state.follow((marks) => withdraw(element, "hidden", marks.length === 0, heir()), signal);
  return element;
}

/** Opens the player's view, unless it is open or the player is empty. */
export function openPlayerView() {
  const track = player.track.value;
  if (track !== null && document.querySelector("dialog.player-view") === null) new PlayerView(track).open();
}
