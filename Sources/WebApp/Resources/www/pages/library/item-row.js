import { button, icon } from "../../components/button.js";
import { exportWords } from "../../components/download.js";
import { empty } from "../../components/notice.js";
import { detailOf } from "../../components/row-content.js";
import { confirm, openMenu } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { clock } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { player, unplayableMark } from "../../player/player.js";
import { deleteUnreadable, markFavorites } from "../../server/library.js";
import { deleteRecordings, itemDeletion, practiseEntry } from "../list/item-actions.js";

/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */

/**
 * The marks before the details of a recording: that it cannot be played, and that it is a favorite, where the row has
 * no favorite button or no room for it.
 *
 * @param {Item} item
 */
export function marksOf({ id, isFavorite }) {
  const mark = unplayableMark(id);
  const heart = () => h("span", { class: "favorite-mark", role: "img", "aria-label": t("filters.favorite") }, icon("heart-filled"));
  return [...(mark === null ? [] : [mark]), ...(isFavorite ? [heart()] : [])];
}

/**
 * The words that the search matched, and when they are spoken.
 *
 * @param {import("../../server/library.js").Place} place
 */
export function excerpt({ seconds, excerpt: text, from, to }) {
  return h(
    "span",
    { class: "found", dir: "auto" },
    `${t("library.at", { time: clock(seconds) })}: ${text.slice(0, from)}`,
    h("mark", {}, text.slice(from, to)),
    text.slice(to),
  );
}

/**
 * @typedef {object} ItemMenuActions
 * @property {() => void} play
 * @property {() => void} queue
 * @property {() => void} rename
 * @property {() => void} showText
 * @property {() => void} [transcribe] Offered for what a person said.
 * @property {() => void} [checkSpeech] Offered for a narration.
 * @property {() => void} favorite
 * @property {() => void} export
 * @property {() => void} showInfo
 * @property {() => void} select
 * @property {() => void} remove
 */

/**
 * Opens the menu of a recording.
 *
 * @param {Item} item
 * @param {ItemMenuActions} actions
 * @param {import("../../components/sheet.js").MenuPlace} where
 */
export function openItemMenu(item, actions, { anchor, point }) {
  openMenu(
    [
      { label: t("library.menu.play"), icon: "play", run: actions.play },
      { label: t("library.menu.queue"), icon: "queue", run: actions.queue },
      "separator",
      { label: t("library.menu.rename"), icon: "edit", key: "F2", run: actions.rename },
      { label: t("library.menu.text"), icon: "text", run: actions.showText },
      ...transcriptEntry(item, actions),
      ...documentEntry(item),
      ...practiceEntry(item),
      ...checkEntry(item, actions.checkSpeech),
      {
        label: t(item.isFavorite ? "library.favorite.remove" : "library.favorite.add"),
        icon: item.isFavorite ? "heart-filled" : "heart",
        run: actions.favorite,
      },
      { label: exportWords(item.origin), icon: item.origin === "narrated" ? "share" : "export", run: actions.export },
      { label: t("library.menu.info"), icon: "info", run: actions.showInfo },
      { label: t("library.menu.select"), icon: "select", run: actions.select },
      "separator",
      { label: t("library.menu.delete"), icon: "trash", isDanger: true, run: actions.remove },
    ],
    { label: t("library.more", { name: item.name }), anchor, point },
  );
}

/**
 * The entry that transcribes what a person said.
 *
 * @param {Item} item
 * @param {ItemMenuActions} actions
 * @returns {import("../../components/sheet.js").MenuItem[]}
 */
function transcriptEntry({ isTranscribed }, { transcribe }) {
  if (transcribe === undefined) return [];
  return [{ label: t(isTranscribed ? "order.title.again" : "order.title"), icon: "text", run: transcribe }];
}

/**
 * The entry that opens the recording's document at the spoken passage.
 *
 * @param {Item} item
 * @returns {import("../../components/sheet.js").MenuItem[]}
 */
function documentEntry({ id, narration }) {
  const document = narration?.document ?? null;
  if (document === null) return [];
  const run = () => navigate(`/documents/${encodeURIComponent(document.id)}?recording=${encodeURIComponent(id)}`);
  return [{ label: t("library.menu.document"), icon: "document", run }];
}

/**
 * The entry that practices the recording's text, if it is known.
 *
 * @param {Item} item
 * @returns {import("../../components/sheet.js").MenuItem[]}
 */
function practiceEntry({ id, origin, isTranscribed }) {
  return origin === "narrated" || isTranscribed ? [practiseEntry({ kind: "recording", id })] : [];
}

/**
 * The entry that transcribes a narration and compares it with its text.
 *
 * @param {Item} item
 * @param {(() => void) | undefined} run
 * @returns {import("../../components/sheet.js").MenuItem[]}
 */
function checkEntry({ origin, isTranscribed }, run) {
  if (run === undefined || origin !== "narrated" || isTranscribed) return [];
  return [{ label: t("library.menu.check"), icon: "check", run }];
}

/** The actions of a list of recordings: it plays them one after the other, queues, marks and deletes them. */
export class ListedItems {
  #list;
  #wholeQuery;
  /** The life of the page. */
  #signal = new AbortController().signal;

  /**
   * @param {import("../list/item-list.js").ItemList<Item, LibraryQuery>} list
   * @param {(query: LibraryQuery) => LibraryQuery} wholeQuery Adds to a query what restricts the list at all times.
   */
  constructor(list, wholeQuery) {
    this.#list = list;
    this.#wholeQuery = wholeQuery;
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    this.#signal = signal;
    const { rows, items, count, leftOut } = this.#list;
    count.after(leftOut);
    leftOut.addEventListener("click", () => this.#deleteUnreadable(), { signal });
    rows.addEventListener("row-delete", (event) => this.delete(detailOf(event).keys), { signal });
    itemDeletion.watch(() => items.hiddenChanged(), signal);
    player.offerList(() => this.#playList, signal);
    player.track.watch(() => this.#list.refreshRows(), signal);
    player.phase.watch(() => this.#list.refreshRows(), signal);
    player.unplayable.reasons.watch(() => this.#list.refreshRows(), signal);
  }

  /** The present list, for continuous playback. */
  get #playList() {
    const { list } = this.#list.items;
    return { ...list, query: this.#wholeQuery(list.query) };
  }

  /**
   * Whether a recording is in the player, and whether it is being played.
   *
   * @param {Item} item
   */
  playing({ id }) {
    const isCurrent = player.isCurrent(id);
    return { isCurrent, isMoving: isCurrent && player.phase.value === "playing" };
  }

  /**
   * The entries of a recording's menu that every list has.
   *
   * @param {Item} item
   * @returns {Pick<ItemMenuActions, "play" | "queue" | "rename" | "favorite" | "select" | "remove">}
   */
  menuActions(item) {
    const { id } = item;
    return {
      play: () => this.play(id),
      queue: () => this.queue([id]),
      rename: () => this.#list.rename(item),
      favorite: () => this.favorite([id], !item.isFavorite),
      select: () => (this.#list.rows.selectedKeys = [id]),
      remove: () => this.delete([id]),
    };
  }

  /**
   * Plays a recording and then those after it in the list; by default from the words that the search matched.
   *
   * @param {string} id
   * @param {number} [from] Seconds.
   */
  async play(id, from = this.#list.items.find(id)?.place?.seconds ?? 0) {
    await attempt(async () => {
      const stop = this.#list.items.stop(id);
      if (stop === null) await player.playItem(id, from);
      else player.playListed(this.#playList, stop, from);
    }, this.#signal);
  }

  /** @param {string[]} ids */
  async queue(ids) {
    await attempt(async () => {
      await player.queue.add(ids);
      showToast({ icon: "queue", text: t("library.queued", { n: ids.length, name: this.#nameOf(ids) }) });
    }, this.#signal);
    this.#list.stopSelecting();
  }

  /**
   * @param {string[]} ids
   * @param {boolean} isFavorite
   */
  async favorite(ids, isFavorite) {
    const { items } = this.#list;
    const before = ids.flatMap((id) => items.find(id) ?? []);
    items.replace(before.map((item) => ({ ...item, isFavorite })));
    const isDone = await attempt(() => markFavorites(ids, isFavorite), this.#signal);
    if (!isDone) items.replace(before);
    else this.#list.stopSelecting();
  }

  /** @param {string[]} ids */
  async delete(ids) {
    const { items, rows } = this.#list;
    const place = items.place(ids[0] ?? "");
    const hadFocus = rows.contains(document.activeElement) || document.activeElement === document.body;
    if (!(await deleteRecordings(ids, this.#nameOf(ids)))) return;
    this.#list.stopSelecting();
    if (place !== null && hadFocus) rows.focusRow(place);
  }

  /** Deletes what the list leaves out as unreadable, after a question. */
  async #deleteUnreadable() {
    const { unreadable: n, query } = this.#list.items;
    const question = { title: t("list.unreadable.title", { n }), detail: t("list.unreadable.text"), action: t("do.delete") };
    if (await confirm(question)) await attempt(() => deleteUnreadable(this.#wholeQuery(query)), this.#signal);
  }

  /** @param {string[]} ids */
  #nameOf(ids) {
    return this.#list.items.find(ids[0] ?? "")?.name ?? t("library.unnamed");
  }
}

/**
 * The content of a list of recordings without matches.
 *
 * @param {string} words The search words; empty when only filters are active.
 * @param {() => void} showAll
 */
export function nothingFound(words, showAll) {
  return empty({
    icon: "search",
    text: t("library.none.title"),
    detail: words === "" ? t("library.none.filters") : t("library.none.words", { words }),
    action: button({ label: t("library.none.action"), onPress: showAll }),
  });
}
