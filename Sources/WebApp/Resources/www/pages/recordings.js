import { button, icon } from "../components/button.js";
import { empty } from "../components/notice.js";
import { detailOf } from "../components/row-content.js";
import { moreButton, openMenu } from "../components/sheet.js";
import { attempt } from "../components/toast.js";
import { h, loadStyle } from "../core/dom.js";
import { clock, shortDate, size } from "../core/format.js";
import { t } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { addShortcuts } from "../core/shortcuts.js";
import { changeItem, listItems } from "../server/library.js";
import { excerpt, ListedItems, marksOf, nothingFound, openItemMenu } from "./library/item-row.js";
import { itemDeletion } from "./list/item-actions.js";
import { ItemList } from "./list/item-list.js";
import { ListHead, sortOrders } from "./list/list-controls.js";
import { ListPage } from "./list/list-page.js";
import { RecorderCard } from "./recordings/recorder-card.js";
import { recorder } from "./recordings/recorder.js";
import { isGoing, isStopped, shortJobWords, transcriptionJobs } from "./recordings/transcription-jobs.js";
import { soundImportButton, SoundImportList, UnfinishedList } from "./recordings/unfinished-list.js";

/**
 * A recording as a row of the list.
 *
 * @param {Item} item
 * @param {{ openMenu: (anchor: Element) => void, transcribe: () => void }} actions
 * @param {{ isCurrent: boolean, isMoving: boolean, job: import("../server/transcriptions.js").Transcription | null }} state
 * @returns {import("../components/row-content.js").RowContent}
 */
function recordingRow(item, { openMenu, transcribe }, { isCurrent, isMoving, job }) {
  const date = h("time", { datetime: item.created }, shortDate(item.created));
  const present = t(item.isTranscribed ? "recordings.transcribed" : "recordings.untranscribed");
  const found = item.place ? [excerpt(item.place)] : [];
  const isSaid = job !== null && (isGoing(job) || !item.isTranscribed);
  const hasText = item.isTranscribed || (job !== null && (isGoing(job) || isStopped(job)));
  const status = isSaid ? shortJobWords(job) : present;
  return {
    title: item.name,
    details: [...marksOf(item), clock(item.duration), ...found, date, status, size(item.size), t(`origin.${item.origin}`)],
    actions: [
      hasText ? transcriptLink(item) : transcribeButton(item, transcribe),
      moreButton({ label: t("library.more", { name: item.name }), open: openMenu }),
    ],
    isCurrent,
    isMoving,
  };
}

/** @param {Item} item One that is transcribed, or is being transcribed. */
function transcriptLink(item) {
  const label = t(item.isTranscribed ? "recordings.transcript.of" : "recordings.transcription.of", { name: item.name });
  return h("a", { class: "button quiet icon-only", href: transcriptAddress(item), "aria-label": label, title: label }, icon("text"));
}

/**
 * The button that orders a transcript; it is visible without hovering.
 *
 * @param {Item} item
 * @param {() => void} onPress
 */
function transcribeButton({ name }, onPress) {
  const made = button({ label: t("order.title"), icon: "text", look: "quiet", opens: true, className: "stays", onPress });
  made.setAttribute("aria-label", t("recordings.transcribe", { name }));
  return made;
}

/**
 * The address of a recording's transcript, at the search words.
 *
 * @param {Item} item
 */
function transcriptAddress({ id, place }) {
  const path = `/recordings/${encodeURIComponent(id)}`;
  if (!place) return path;
  return `${path}?${new URLSearchParams({ words: place.excerpt.slice(place.from, place.to), at: String(place.seconds) })}`;
}

/** @typedef {import("../server/library.js").Item} Item */
/** @typedef {import("../server/library.js").LibraryQuery} LibraryQuery */

/** The origins listed here; narrations are in the library only. */
const origins = /** @type {const} */ (["recorded", "imported"]);

/** @typedef {(typeof origins)[number]} RecordingOrigin */

/** The sort orders of the list, the default first. */
const orders = /** @type {const} */ ([...sortOrders, "size.down", "size.up"]);

/** `<echo-recording-list>`: the recorder, unfinished recordings, and all recordings. */
class RecordingList extends HTMLElement {
  #life = new AbortController();
  #head = new RecordingListHead({
    changed: () => this.#list.open(),
    select: () => this.#list.beginSelecting(),
    goToList: () => this.#list.rows.focusRow(0),
  });
  #recorder = new RecorderCard();
  #unfinished = new UnfinishedList();
  #imports = new SoundImportList();
  /** The state of transcriptions that the rows show. */
  #shownJobs = "";
  /** @type {ItemList<Item, LibraryQuery>} */
  #list = new ItemList(this, {
    label: t("recordings.list"),
    event: "library",
    load: (query, signal) => listItems(wholeQuery(query), signal),
    isHidden: (id) => itemDeletion.isHidden(id),
    query: () => this.#head.query,
    content: (item) => this.#rowOf(item),
    countWords: (count, isNarrowed) => t(isNarrowed ? "library.found" : "library.count", { n: count }),
    nothing: (isNarrowed) => (isNarrowed ? nothingFound(this.#head.words, () => this.#head.showAll()) : nothingYet()),
    nameLabel: t("library.rename.label"),
    rename: ({ id }, name) => changeItem(id, { name }),
    actions: [
      { label: t("library.select.favorite"), icon: "heart", run: (ids) => this.#listed.favorite(ids, true) },
      { label: t("library.select.queue"), icon: "queue", run: (ids) => this.#listed.queue(ids) },
      { label: t("order.title"), icon: "text", run: (ids) => this.#transcribeMany(ids) },
      { label: t("transcript.export"), icon: "export", run: (ids) => this.#export(ids) },
      { label: t("library.select.delete"), icon: "trash", run: (ids) => this.#listed.delete(ids) },
    ],
  });
  #listed = new ListedItems(this.#list, wholeQuery);

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page", "recordings-list");
    const { selection, count, place } = this.#list;
    this.replaceChildren(
      this.#head.element,
      this.#recorder.element,
      this.#unfinished.element,
      this.#imports.element,
      selection.element,
      this.#head.chips,
      count,
      place,
    );
    this.#head.start(signal);
    this.#recorder.start(signal);
    this.#unfinished.start(signal);
    this.#imports.start(signal);
    transcriptionJobs.all.watch((jobs) => this.#jobsChanged(jobs), signal);
    this.#listen(signal);
    this.#list.start(signal);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /**
   * @param {string} id
   * @returns {boolean} Whether it is in the list, and has the focus now.
   */
  focusRecording(id) {
    return this.#list.focus(id);
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { rows } = this.#list;
    this.#listed.start(signal);
    rows.addEventListener("row-open", (event) => this.#open(detailOf(event).key), { signal });
    rows.addEventListener("row-menu", (event) => this.#openItemMenu(detailOf(event)), { signal });
    addShortcuts(
      [
        { keys: "r", label: "shortcut.recorder.record", group: "everywhere", run: () => this.#recorder.toggle() },
        { keys: "m", label: "shortcut.recorder.mark", group: "everywhere", run: () => recorder.mark() },
        { keys: "f2", label: "shortcut.library.rename", group: "lists" },
        { keys: "Delete", label: "shortcut.library.delete", group: "lists" },
      ],
      signal,
    );
  }

  /** @param {Item} item */
  #rowOf(item) {
    const actions = {
      openMenu: (/** @type {Element} */ anchor) => this.#openItemMenu({ key: item.id, anchor }),
      transcribe: () => this.#throughDoor(({ openOrder }) => openOrder(item)),
    };
    return recordingRow(item, actions, { ...this.#listed.playing(item), job: transcriptionJobs.of(item.id) });
  }

  /** @param {readonly import("../server/transcriptions.js").Transcription[]} jobs */
  #jobsChanged(jobs) {
    const shown = jobs.map((job) => `${job.item} ${shortJobWords(job)}`).join("\n");
    if (shown === this.#shownJobs) return;
    this.#shownJobs = shown;
    this.#list.refreshRows();
  }

  /**
   * @param {(doors: typeof import("./recordings/transcript/doors.js")) => Promise<void>} pass
   * @returns {Promise<boolean>} Whether it succeeded.
   */
  #throughDoor(pass) {
    return attempt(async () => pass(await import("./recordings/transcript/doors.js")), this.#life.signal);
  }

  /** @param {Item} item */
  #showInfo(item) {
    return attempt(async () => {
      const { InfoSheet } = await import("./library/item-sheets.js");
      new InfoSheet(item).open();
    }, this.#life.signal);
  }

  /** @param {string[]} ids */
  async #transcribeMany(ids) {
    let isBegun = false;
    await this.#throughDoor(async ({ transcribeMany }) => {
      isBegun = await transcribeMany(ids);
    });
    if (isBegun) this.#list.stopSelecting();
  }

  /** @param {string} id */
  #open(id) {
    const item = this.#list.items.find(id);
    if (item !== undefined) navigate(transcriptAddress(item));
  }

  /** @param {{ key: string } & import("../components/sheet.js").MenuPlace} where */
  #openItemMenu({ key, anchor, point }) {
    const item = this.#list.items.find(key);
    if (item === undefined) return;
    openItemMenu(
      item,
      {
        ...this.#listed.menuActions(item),
        showText: () => this.#open(key),
        transcribe: () => this.#throughDoor(({ openOrder }) => openOrder(item)),
        export: () => this.#export([key]),
        showInfo: () => this.#showInfo(item),
      },
      { anchor, point },
    );
  }

  /** @param {string[]} ids */
  #export(ids) {
    return this.#throughDoor(({ openExport }) => openExport(ids, (id) => this.#list.items.find(id)));
  }
}

/**
 * @param {LibraryQuery} query
 * @returns {LibraryQuery} The same, restricted to recorded and imported sound.
 */
function wholeQuery(query) {
  return { ...query, origin: query.origin ?? [...origins] };
}

/** The content of the list before anything is recorded; files are imported from the top of the page. */
function nothingYet() {
  return empty({
    icon: "microphone",
    text: t("recordings.empty.title"),
    detail: t("recordings.empty.text"),
  });
}

/** The way to the recognizers, which is there before anything is recorded. */
function recognizersLink() {
  return h("a", { class: "button recognizers-link", href: "/recordings/recognizers" }, t("recognizers.title"));
}

/** The filters: an origin, favorites, or those with or without a transcript. */
const narrowings = /** @type {const} */ (["recorded", "imported", "favorite", "transcribed", "untranscribed"]);

/** @typedef {(typeof narrowings)[number] | null} Narrowing `null` for all. */

/**
 * The top of the recordings: search, order, filter, recognizers and import. Its title has two lines, as in the navigation.
 *
 * @extends {ListHead<Narrowing, (typeof orders)[number]>}
 */
class RecordingListHead extends ListHead {
  /** @param {import("./list/list-controls.js").ListHeadActions} actions */
  constructor(actions) {
    super(actions, {
      name: "recordings",
      title: t("recordings.title"),
      searchLabel: t("recordings.search"),
      orders,
      none: null,
      opens: "menu",
      actions: [recognizersLink(), soundImportButton()],
    });
  }

  /** @returns {LibraryQuery} */
  get query() {
    const [order, direction] = /** @type {["date" | "length" | "name" | "size", string]} */ (this.order.split("."));
    const narrowing = this.filters;
    const isOfTranscript = narrowing === "transcribed" || narrowing === "untranscribed";
    return {
      order,
      ascending: direction === "up",
      origin: narrowing === "recorded" || narrowing === "imported" ? [narrowing] : undefined,
      favorite: narrowing === "favorite" ? true : undefined,
      transcribed: isOfTranscript ? narrowing === "transcribed" : undefined,
      words: this.words === "" ? undefined : this.words,
    };
  }

  /** @param {Narrowing} narrowing */
  active(narrowing) {
    return narrowing === null ? [] : [{ words: t(`recordings.filter.${narrowing}`), without: null }];
  }

  /** @param {HTMLElement} anchor */
  openFilters(anchor) {
    const entries = [null, ...narrowings].map((narrowing) => ({
      label: t(narrowing === null ? "recordings.filter.all" : `recordings.filter.${narrowing}`),
      isChecked: narrowing === this.filters,
      run: () => this.narrow(narrowing),
    }));
    openMenu(entries, { label: t("library.filter"), anchor });
  }
}

customElements.define("echo-recording-list", RecordingList);

/** The part of the address that belongs to the recognizers, as no recording's id does. */
const recognizers = "recognizers";

/** `<echo-recordings-page>`: the recorder, and the recorded and imported sound; or the transcript of one, or the recognizers. */
export class RecordingsPage extends ListPage {
  constructor() {
    const list = new RecordingList();
    super({
      address: "/recordings",
      list,
      view: (part) => (part === recognizers ? recognizersView() : transcriptView(part)),
      back: t("transcript.back"),
      focus: (id) => list.focusRecording(id),
    });
  }
}

async function recognizersView() {
  const styles = ["/styles/transcript.css", "/styles/recognizers.css"].map(loadStyle);
  const [{ RecognizersView }] = await Promise.all([import("./recognizers/recognizers-view.js"), ...styles]);
  return new RecognizersView();
}

/** @param {string} id */
async function transcriptView(id) {
  const styles = ["/styles/reading-text.css", "/styles/transcript.css"].map(loadStyle);
  const [{ TranscriptView }] = await Promise.all([import("./recordings/transcript/transcript-view.js"), ...styles]);
  const view = new TranscriptView();
  view.recordingId = id;
  return view;
}

customElements.define("echo-recordings-page", RecordingsPage);
