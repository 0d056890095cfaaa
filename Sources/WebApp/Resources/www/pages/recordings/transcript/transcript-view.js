import { button } from "../../../components/button.js";
import { copyText, exportWords } from "../../../components/download.js";
import { empty, errorNotice } from "../../../components/notice.js";
import { openMenu } from "../../../components/sheet.js";
import { attempt, DeferredDeletion, showNews, showToast } from "../../../components/toast.js";
import { fill, h, kept, loadStyle, setText, takesText } from "../../../core/dom.js";
import { clock, languageName, paragraphFor, shortDate } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { player } from "../../../player/player.js";
import { onServer } from "../../../server/events.js";
import { loadItem, markFavorites } from "../../../server/library.js";
import { changeMarks, loadMarks } from "../../../server/recordings.js";
import {
  deleteTranscript,
  editTranscript,
  listTranscripts,
  loadTranscript,
  makeTranscriptCurrent,
  startTranscription,
  textAddress,
} from "../../../server/transcriptions.js";
import { deleteRecordings, openSpeechCheck, practiseEntry, takeToSpeak } from "../../list/item-actions.js";
import { sayIfBasic } from "../../recognizers/offers.js";
import { draftBesides, hasDraft, TranscriptEditor } from "./editor.js";
import { FindStrip, makerOf, orderWords, SpeakerSheet, TranscriptHead, VersionsSheet } from "./head.js";
import { ComparisonView, sayIfInstead, SpeakerSearches, TranscriptJobs, TranscriptReader } from "./reader.js";
import { paragraphTexts, shownSpeaker } from "./text.js";

/** @typedef {import("../../../server/library.js").Item} Item */
/** @typedef {import("../../../server/transcriptions.js").Transcript} Transcript */
/** @typedef {import("../../../server/transcriptions.js").TranscriptVersion} TranscriptVersion */
/** @typedef {import("../../../server/transcriptions.js").Segment} Segment */

/** The versions that are deleted or waiting to be; it outlives the view. */
const deletions = new DeferredDeletion({
  delete: async (/** @type {string[]} */ ids, options) => {
    for (const id of ids) await deleteTranscript(id, options);
  },
  failed: (error) => showNews({ icon: "error", text: paragraphFor(error) }),
});

/** `<echo-transcript-view>`: the transcript of a recording, in all its versions, with the player. */
export class TranscriptView extends HTMLElement {
  recordingId = "";
  #life = new AbortController();
  /** @type {Item | null} */
  #item = null;
  /** @type {TranscriptVersion[]} Including those that the user has deleted and may restore. */
  #known = [];
  /** @type {Transcript | null} */
  #shown = null;
  /** @type {string | null} The version that the user selected; the current one when `null`. */
  #chosen = null;
  /** Whether something else than a version stands in its place: what is being written, or a comparison. */
  #isBusy = false;
  /** Counts the versions that were to be shown: only the last one is. */
  #turns = 0;
  #head = new TranscriptHead({
    transcribe: () => this.#openOrder(),
    copy: () => this.#copy(),
    export: () => this.#openExport(),
    openMenu: (anchor) => this.#openMenu(anchor),
  });
  #facts = h("p", { class: "muted small transcript-facts" });
  /** @type {TranscriptJobs | null} */
  #jobs = null;
  #jobPlace = h("div", { class: "transcript-jobs" });
  #searchPlace = h("div", { class: "transcript-jobs" });
  /** @type {readonly import("../../../server/recordings.js").Mark[]} */
  #marks = [];
  /** @type {SpeakerSearches | null} */
  #speakers = null;
  #tools = h("div", { class: "transcript-tools", role: "toolbar", "aria-label": t("transcript.tools") });
  /** @type {Map<string, HTMLButtonElement>} The buttons there, by their icons. */
  #made = new Map();
  /** @type {HTMLElement | null} The words where no text is, with the ways to one. */
  #nothing = null;
  /** The notice about its recognizer. */
  #basic = h("div", {});
  /** The notice that another recognizer made it than the one that was asked. */
  #instead = h("div", { class: "transcript-jobs" });
  #place = h("div", { class: "transcript-place" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /** @type {TranscriptReader | null} */
  #reader = null;
  #find = new FindStrip({ found: (places, current) => this.#reader?.showFound(places, current) });
  /** Whether the player has been given the recording, which it takes unless something plays. */
  #isOffered = false;
  #otherName = h("span", { class: "muted small", dir: "auto" });
  #play = button({ label: t("transcript.play"), icon: "play", onPress: () => this.#playThis() });
  /** While the player has another recording, what that is, and the way to this one; else the player is enough. */
  #other = h("div", { class: "transcript-other", hidden: true }, this.#play, this.#otherName);

  /** Newest first; a restored one appears at once. */
  get #versions() {
    return this.#known.filter(({ id }) => !deletions.isHidden(id));
  }

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    fill(this, this.#head.element, this.#facts, this.#jobPlace, this.#searchPlace, this.#instead, this.#tools, this.#basic, this.#place, this.#status);
    this.#jobs = new TranscriptJobs(this.recordingId, this.#jobPlace, () => this.#jobsChanged(), signal);
    this.#jobs.start();
    this.#speakers = new SpeakerSearches(this.recordingId, this.#searchPlace, {
      ready: () => this.#shown !== null && !this.#isBusy && this.#showTools(this.#shown),
      found: ({ speakers }) => setText(this.#status, t("speakers.found", { n: speakers ?? 0 })),
    }, signal);
    this.#speakers.start();
    onServer("library", (changes) => this.#libraryChanged(changes), signal);
    onServer("reset", () => this.#load(), signal);
    deletions.watch(() => this.#load(), signal);
    player.track.follow(() => this.#showPlayer(), signal);
    this.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.addEventListener("address", () => this.#goToAddress(), { signal });
    this.#load();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  focusTitle() {
    this.#head.focus();
  }

  // Loading

  async #load() {
    const { signal } = this.#life;
    try {
      const id = this.recordingId;
      const [item, versions, marks] = await Promise.all([loadItem(id, signal), listTranscripts(id, signal), loadMarks(id, signal)]);
      if (signal.aborted) return;
      const isFirst = this.#item === null;
      this.#item = item;
      this.#known = versions;
      this.#takeMarks(marks);
      if (isFirst) this.#takeUp(item);
      this.#showHead(item);
      if (!this.#isBusy) await this.#showVersion();
      if (isFirst) this.#goToAddress();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {Item} item Loads it into the player, whose position line shows where something is said. */
  async #takeUp(item) {
    await player.takeUp(item);
    this.#isOffered = true;
    this.#showPlayer();
    if (player.isCurrent(item.id) && (item.isTranscribed || item.origin === "narrated")) player.needTranscript();
  }

  /** @param {import("../../../server/events.js").ServerEvents["library"]} changes */
  #libraryChanged({ changed, deleted }) {
    if (deleted.includes(this.recordingId)) navigate("/recordings", { replace: true });
    else if (changed.includes(this.recordingId)) this.#load();
  }

  /** @param {unknown} error */
  #fail(error) {
    const isGone = /** @type {{ status?: number }} */ (error).status === 404;
    const again = button({ label: t("do.again"), onPress: () => this.#load() });
    const all = h("a", { class: "button", href: "/recordings" }, t("transcript.back"));
    this.#head.fail(t(isGone ? "transcript.gone" : "transcript.closed"));
    fill(this.#tools);
    fill(this.#place, errorNotice(error, isGone ? all : again));
  }

  // Header

  /** @param {Item} item */
  #showHead(item) {
    document.title = `${item.name} · EchoText`;
    this.#head.show(item, this.#versions.length > 0);
    const facts = [shortDate(item.created), clock(item.duration), t(`origin.${item.origin}`)];
    if (item.language !== "und") facts.push(languageName(item.language));
    if (item.isFavorite) facts.push(t("filters.favorite"));
    setText(this.#facts, facts.join(" · "));
  }

  /** @param {Element} anchor */
  #openMenu(anchor) {
    const { name = "", origin, isFavorite = false } = this.#item ?? {};
    const marks = this.#marks.length;
    const order = { label: orderWords(this.#versions.length > 0), icon: /** @type {const} */ ("text"), run: () => this.#openOrder() };
    openMenu(
      [
        ...(this.#shown === null ? [] : this.#textEntries(anchor)),
        ...(origin === "narrated" ? [] : [order]),
        { label: exportWords(origin), icon: "export", run: () => this.#openExport() },
        { label: marks > 0 ? t("marks.count", { n: marks }) : t("marks.title"), icon: "flag", run: () => this.#openMarks() },
        "separator",
        { label: t("library.menu.rename"), icon: "edit", key: "F2", run: () => this.#head.rename() },
        {
          label: t(isFavorite ? "library.favorite.remove" : "library.favorite.add"),
          icon: isFavorite ? "heart-filled" : "heart",
          run: () => attempt(() => markFavorites([this.recordingId], !isFavorite), this.#life.signal),
        },
        { label: t("library.menu.delete"), icon: "trash", isDanger: true, run: () => this.#delete() },
      ],
      { label: t("transcript.more", { name }), anchor },
    );
  }

  /**
   * The actions for a transcript.
   *
   * @param {Element} anchor
   * @returns {import("../../../components/sheet.js").MenuItem[]}
   */
  #textEntries(anchor) {
    const find = { label: t("speakers.find"), icon: /** @type {const} */ ("profile"), run: () => this.#findSpeakers(anchor) };
    return [
      ...(this.#canFindSpeakers ? [find] : []),
      { label: t("text.copy"), icon: "copy", run: () => this.#copy() },
      { label: t("transcript.speak"), icon: "speak", run: () => this.#speak() },
      practiseEntry({ kind: "recording", id: this.recordingId }),
      { label: t("transcript.versions"), icon: "history", run: () => this.#openVersions() },
    ];
  }

  async #copy() {
    if (this.#shown === null) return;
    const isCopied = await copyText(paragraphTexts(this.#shown.segments, (name) => shownSpeaker(name)).join("\n\n"));
    showToast(isCopied ? { icon: "check", text: t("text.copied") } : { icon: "error", text: t("text.notCopied") });
  }

  async #delete() {
    const id = this.recordingId;
    await deleteRecordings([id], this.#item?.name ?? "", () => navigate(`/recordings/${encodeURIComponent(id)}`));
    navigate("/recordings");
  }

  // A version

  async #showVersion() {
    const turn = (this.#turns += 1);
    // An edit whose version is gone, or that changes none, is found nowhere else.
    const lone = draftBesides(this.recordingId, this.#known);
    if (lone !== null) {
      this.#shown = null;
      this.#edit(lone);
      return;
    }
    // Another page, or the recording itself, may have made a version while somebody is in the middle of editing this one.
    const begun = this.#versions.find(({ id }) => hasDraft(id));
    const wanted = this.#versions.find(({ id }) => id === this.#chosen) ?? begun ?? this.#versions.find(({ isCurrent }) => isCurrent) ?? this.#versions[0];
    if (wanted === undefined) {
      this.#shown = null;
      this.#showNothing();
      return;
    }
    // The words of a version never change; which one is current does, and whether its notice was read.
    const version = this.#shown?.id === wanted.id ? this.#shown : await loadTranscript(wanted.id, this.#life.signal);
    // Meanwhile somebody may have begun to write, or chosen another one.
    if (this.#isBusy || turn !== this.#turns) return;
    this.#shown = { ...version, isCurrent: wanted.isCurrent, insteadOf: wanted.insteadOf };
    this.#showText(this.#shown);
  }

  /** While there is no transcript, shows what is heard in its place. */
  #jobsChanged() {
    if (this.#item === null || this.#isBusy || this.#shown !== null) return;
    const isThere = this.#jobs?.text.parentElement === this.#place;
    if (!isThere || !this.#jobs?.hasText) this.#showNothing();
  }

  #showNothing() {
    fill(this.#basic);
    sayIfInstead(this.#instead, { id: "", insteadOf: null });
    fill(this.#tools, this.#other);
    this.#reader = null;
    if (this.#jobs?.hasText || this.#jobs?.isGoing) {
      this.#put(this.#jobs.hasText ? this.#jobs.text : h("p", { class: "muted" }, t("transcript.growing")));
      return;
    }
    this.#put((this.#nothing ??= this.#waysToText(this.#item?.origin === "narrated")));
  }

  /** @param {...import("../../../core/dom.js").Child} children They take the place; the title gets the focus that is lost with others. */
  #put(...children) {
    const hadFocus = this.#place.contains(document.activeElement);
    fill(this.#place, ...children);
    if (hadFocus && !this.#place.contains(document.activeElement)) this.focusTitle();
  }

  /** @param {boolean} isSpoken Whether it was read aloud. */
  #waysToText(isSpoken) {
    const check = button({ label: t("library.menu.check"), icon: "check", opens: true, onPress: () => this.#checkSpeech() });
    const link = h("div", { class: "transcript-ways" }, check, h("a", { class: "button", href: "/library" }, t("library.title")));
    const order = button({ label: t("order.title"), icon: "text", look: "primary", opens: true, onPress: () => this.#openOrder() });
    const text = t(isSpoken ? "transcript.narrated" : "transcript.none");
    const write = button({ label: t("transcript.write"), icon: "edit", look: "quiet", onPress: () => this.#edit() });
    const ways = h("div", { class: "transcript-ways" }, order, write);
    return empty({ icon: "text", text, action: isSpoken ? link : ways });
  }

  /** @param {Transcript} transcript */
  #showText(transcript) {
    this.#reader ??= new TranscriptReader(this.recordingId, {
      play: (seconds) => this.#playFrom(seconds),
      transcribe: (segment) => this.#transcribe(segment),
      nameSpeaker: (stretch, anchor) => this.#nameSpeaker(stretch, anchor),
      nameMarks: () => this.#openMarks(),
    }, this.#life.signal);
    const reader = this.#reader;
    if (reader.transcript?.id !== transcript.id) {
      reader.show(transcript, this.#marks);
      this.#find.take(reader.text);
    }
    this.#showTools(transcript);
    sayIfInstead(this.#instead, transcript);
    sayIfBasic(this.#basic, transcript.recognizer, () => this.#openOrder());
    if (reader.element.parentNode !== this.#place) {
      const isEmpty = reader.text === "" && transcript.segments.every(({ kind }) => kind === "silence");
      this.#put(isEmpty ? h("p", { class: "muted" }, t("transcript.empty")) : null, reader.element);
      reader.mark();
    }
  }

  /** @param {Transcript} transcript */
  #showTools(transcript) {
    const { length } = this.#versions;
    // Once a speaker has a name, only the menu offers it.
    const canFind = this.#canFindSpeakers && transcript.segments.every(({ speaker }) => speaker === null);
    const marks = this.#marks.length;
    const state = `${transcript.id} ${transcript.isCurrent} ${length} ${hasDraft(transcript.id)} ${canFind} ${marks}`;
    // Do not interrupt typing in the field.
    if (this.#find.element.isConnected && this.#tools.dataset.state === state) return;
    this.#tools.dataset.state = state;
    const isOnly = this.#versions.length === 1;
    const name = `${t("transcript.version", { n: transcript.number })} · ${makerOf(transcript)}`;
    const made = this.#made;
    const versions = tool(made, { label: name, icon: "history", opens: true, className: "version-button", onPress: () => this.#openVersions() });
    const edit = tool(made, { label: t(hasDraft(transcript.id) ? "transcript.edit.go-on" : "transcript.edit"), icon: "edit", onPress: () => this.#edit() });
    const find = tool(made, { label: t("speakers.find"), icon: "profile", opens: true, className: "in-menu", onPress: () => this.#findSpeakers(find) });
    const uncertain = this.#reader?.uncertain ?? [];
    const gaps = transcript.segments.filter(({ kind }) => kind === "notUnderstood").length;
    const hadFocus = this.#tools.contains(document.activeElement);
    const visit = () => this.#find.visit(this.#reader?.uncertain ?? []);
    fill(
      this.#tools,
      this.#other,
      edit,
      canFind && find,
      counting(made, uncertain.length, "transcript.uncertain", { icon: "warning", onPress: visit }),
      counting(made, marks, "marks.count", { icon: "flag", opens: true, onPress: () => this.#openMarks() }),
      gaps > 0 && h("span", { class: "small" }, t("transcript.notUnderstood.count", { n: gaps })),
      versions,
      !transcript.isCurrent && !isOnly && h("span", { class: "version-old small" }, t("transcript.version.old")),
      this.#find.element,
    );
    if (hadFocus && !this.#tools.contains(document.activeElement)) edit.focus({ preventScroll: true });
  }

  #openVersions() {
    if (this.#shown === null) return;
    new VersionsSheet(this.#versions, this.#shown.id, {
      show: (id) => this.#choose(id),
      compare: (id) => this.#compare(id),
      makeCurrent: async (id) => {
        this.#known = await makeTranscriptCurrent(id);
        this.#choose(id);
        return this.#versions;
      },
      remove: (id) => {
        if (this.#chosen === id) this.#chosen = null;
        return deletions.hide([id]);
      },
    }).open();
  }

  /** @param {string | null} id */
  #choose(id) {
    this.#chosen = id;
    this.#isBusy = false;
    attempt(() => this.#showVersion(), this.#life.signal);
  }

  // Editing

  #edit(transcript = this.#shown ?? emptyTranscript(this.#item)) {
    if (transcript === null) return;
    this.#isBusy = true;
    const editor = new TranscriptEditor(transcript, {
      play: (seconds) => this.#playFrom(seconds),
      ended: (saved) => this.#edited(saved),
      putBack: () => this.isConnected && this.#choose(null),
    }, this.#life.signal);
    fill(this.#tools, editor.tools);
    fill(this.#place, editor.element);
    editor.focus();
  }

  /** @param {Transcript | null} saved */
  #edited(saved) {
    this.#isBusy = false;
    if (saved !== null) {
      this.#shown = saved;
      this.#chosen = null;
      setText(this.#status, t("transcript.edit.saved", { n: saved.number }));
    }
    this.#load();
    this.focusTitle();
  }

  /**
   * @param {{ first: number, last: number }} stretch
   * @param {Element} anchor
   */
  #nameSpeaker(stretch, anchor) {
    const transcript = this.#shown;
    if (transcript === null) return;
    // The version that is named may take the place of the one with the edit.
    if (hasDraft(transcript.id)) {
      this.#edit();
      return;
    }
    const save = async (/** @type {import("../../../server/transcriptions.js").EditedSegment[]} */ segments) => {
      this.#edited(await editTranscript(transcript.item, transcript.id, segments));
    };
    new SpeakerSheet(transcript, stretch, anchor, { save, lacksModels: this.#speakers?.isReady === false && this.#speakers.canFind }).open();
  }

  get #canFindSpeakers() {
    return this.#speakers?.canFind === true && this.#shown !== null;
  }

  /** @param {Element} anchor */
  async #findSpeakers(anchor) {
    const id = this.#shown?.id;
    const speakers = this.#speakers;
    if (id === undefined || speakers === null) return;
    const [{ FindSpeakersSheet }] = await Promise.all([import("./order-sheet.js"), loadStyle("/styles/fields.css")]);
    new FindSpeakersSheet(id, anchor, { isReady: speakers.isReady === true, offers: speakers.offers }).open();
  }

  /** @param {Segment} segment One without words. */
  #transcribe({ start, end }) {
    const base = this.#shown?.id;
    attempt(() => startTranscription(this.recordingId, { from: start, to: end, base, skipsSilence: false }), this.#life.signal);
  }

  async #openOrder() {
    const item = this.#item;
    if (item === null) return;
    const styles = ["/styles/fields.css", "/styles/recognizers.css"].map(loadStyle);
    const [{ OrderSheet }] = await Promise.all([import("./order-sheet.js"), ...styles]);
    new OrderSheet(item, this.#versions.find(({ isCurrent }) => isCurrent)?.id ?? null, () => {}).open();
  }

  #checkSpeech() {
    const item = this.#item;
    if (item !== null) attempt(() => openSpeechCheck(item), this.#life.signal);
  }

  async #openExport() {
    const [{ ExportSheet }] = await Promise.all([import("../../library/export-sheet.js"), loadStyle("/styles/library.css")]);
    const isNarrated = this.#item?.origin === "narrated";
    const shown = this.#shown;
    const version = shown && { isCurrent: shown.isCurrent, address: textAddress(shown.id) };
    // Narrations have no transcripts.
    new ExportSheet([this.recordingId], isNarrated ? null : { isTranscribed: shown !== null, version, isBeingRead: shown !== null }).open();
  }

  #speak() {
    takeToSpeak(paragraphTexts(this.#shown?.segments ?? []).join("\n\n"));
  }

  /** @param {string} other The version to compare with. */
  async #compare(other) {
    const shown = this.#shown;
    const version = this.#versions.find(({ id }) => id === other);
    if (shown === null || version === undefined) return;
    this.#isBusy = true;
    const [older, newer] = shown.number < version.number ? [shown, version] : [version, shown];
    const view = new ComparisonView(older, newer, {
      play: (seconds) => this.#playFrom(seconds),
      leave: () => this.#choose(this.#chosen),
    }, this.#life.signal);
    fill(this.#tools, this.#other);
    fill(this.#place, view.element);
    view.load();
    view.focus();
  }

  // Marks

  /** @param {readonly import("../../../server/recordings.js").Mark[]} marks */
  #takeMarks(marks) {
    const isOther = JSON.stringify(marks) !== JSON.stringify(this.#marks);
    this.#marks = marks;
    if (isOther && this.#reader?.transcript) this.#reader.show(this.#reader.transcript, marks);
    if (isOther && this.#shown !== null && !this.#isBusy) this.#showTools(this.#shown);
  }

  async #openMarks() {
    const [{ MarksSheet }] = await Promise.all([import("./marks-sheet.js"), loadStyle("/styles/fields.css")]);
    const now = player.isCurrent(this.recordingId) ? player.now() : 0;
    new MarksSheet(this.#marks, now, {
      play: (seconds) => this.#playFrom(seconds),
      change: async (change) => {
        const kept = await changeMarks(this.recordingId, change);
        this.#takeMarks(kept);
        return kept;
      },
    }).open();
  }

  // Playing

  #playThis() {
    this.#playFrom(0);
    // The button goes away with the other recording.
    this.focusTitle();
  }

  /** @param {number} seconds */
  #playFrom(seconds) {
    if (!player.isCurrent(this.recordingId)) {
      player.playItem(this.recordingId, seconds);
      return;
    }
    player.seek(seconds);
    this.#reader?.element.follow();
    if (!player.isPlaying) player.play();
  }

  #showPlayer() {
    const { value: track } = player.track;
    this.#other.hidden = !this.#isOffered || player.isCurrent(this.recordingId);
    setText(this.#otherName, track === null ? "" : t("transcript.other", { name: track.name }));
  }

  /** Goes to the words or the second in the address. */
  #goToAddress() {
    const wanted = new URLSearchParams(location.search);
    const words = wanted.get("words");
    const at = Number(wanted.get("at") ?? NaN);
    if (words) this.#find.search(words);
    if (Number.isFinite(at) && player.isCurrent(this.recordingId)) player.seek(at);
    else if (Number.isFinite(at)) this.#reader?.goToTime(at);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "F2" && !takesText(event.target)) {
      event.preventDefault();
      this.#head.rename();
      return;
    }
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "f" || !this.#find.element.isConnected) return;
    event.preventDefault();
    this.#find.focus();
  }
}

/**
 * A tool of the transcript, which is only its icon on a narrow page.
 *
 * @param {Map<string, HTMLButtonElement>} made Those there have been, which change their words alone.
 * @param {import("../../../components/button.js").ButtonOptions & { icon: string }} options
 */
function tool(made, options) {
  const one = kept(made, options.icon, () => button({ ...options, look: "quiet" }));
  setText(/** @type {Element} */ (one.lastElementChild), options.label);
  one.title = options.label;
  return one;
}

/**
 * A tool that counts something, and shows the number on a narrow page too.
 *
 * @param {Map<string, HTMLButtonElement>} made
 * @param {number} count Without any, there is no tool.
 * @param {string} key The words for the count.
 * @param {Pick<import("../../../components/button.js").ButtonOptions, "opens" | "onPress"> & { icon: "warning" | "flag" }} options
 */
function counting(made, count, key, options) {
  if (count === 0) return null;
  const one = tool(made, { ...options, label: t(key, { n: count }) });
  one.dataset.count = String(count);
  return one;
}

/**
 * The base of a new text: one segment over the whole recording, with an id in place of a version's.
 *
 * @param {Item | null} item
 * @returns {Transcript | null}
 */
function emptyTranscript(item) {
  if (item === null) return null;
  /** @type {Segment} */
  const segment = { kind: "speech", start: 0, end: item.duration, text: "", words: [], timing: "none", speaker: null, remark: null, beginsParagraph: true };
  const { id, created, language } = item;
  const maker = { recognizer: null, recognizerName: null, base: null, speakers: null, changes: null, isDraft: false, insteadOf: null };
  return { id, item: id, number: 0, created, ...maker, language, isCurrent: false, uncertainBelow: 0, text: "", segments: [segment] };
}

customElements.define("echo-transcript-view", TranscriptView);
