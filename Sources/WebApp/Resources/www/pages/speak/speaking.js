import { showToast } from "../../components/toast.js";
import { loadStyle } from "../../core/dom.js";
import { noticeWords, paragraphFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { Cell, isConnected, isOpen, state } from "../../core/store.js";
import { player } from "../../player/player.js";
import { Transcript } from "../../player/track.js";
import { onServer } from "../../server/events.js";
import { ServerProblem } from "../../server/http.js";
import { changeItem, loadItem } from "../../server/library.js";
import {
  continueNarration,
  EarlySentences,
  keepDraft,
  listNarrations,
  loadDrafts,
  loadNarrationText,
  readTextFile,
  startNarration,
  takeDraft,
} from "../../server/narrations.js";
import { discard, narrationDeletion, stopAndDiscard, stopAndKeep, stopAndLeave, undoSaved } from "../list/item-actions.js";
import { session } from "./session.js";

/** Milliseconds after the last change until the text is sent. */
const keepAfter = 600;

/** Milliseconds after a failure until the text is sent again. */
const sendAgainAfter = 3_000;

/** From this many failures in a row on, the user sees why the text is not saved. */
const firstShown = 2;

/** Milliseconds within which the other tabs answer; what one that answers later writes is offered until then. */
const answerWithin = 300;

/** UTF-8 bytes of text that fit into a request which outlives its page. */
const maximumOnLeaving = 60_000;

/** @typedef {import("../../server/narrations.js").Draft} WrittenDraft */

/** The key under which a tab remembers its name among those that write, across reloads. */
const nameOfTab = "draft";

/**
 * Saves the text being written in the library until it is spoken, so that a reload does not lose it. Lives as long as
 * the document. Each tab has a draft of its own, under a name that no other has; one that takes up another's gives it its own
 * name, and the other, if it is still there in this or another browser, keeps its text under a new one.
 */
class Draft {
  #page = sessionStorage.getItem(nameOfTab) ?? newName();
  /** Whether what the library has under the name was written or shown here, so that it may be replaced. */
  #isSeen = false;
  /** Between the tabs: a name that one has taken, `null` to ask for the names of all, and an answer. */
  #tabs = new BroadcastChannel("echotext-drafts");
  /** The names that the other tabs have said since they were asked last. */
  #open = new Set();
  /** The texts of tabs that are closed by now, or of another browser; the one saved last first. */
  left = new Cell(/** @type {WrittenDraft[]} */ ([]));
  /**
   * The text in the library; `null` while unknown.
   *
   * @type {string | null}
   */
  #kept = null;
  #timer = 0;
  /** The last request; the next one waits for it, so that an older text never replaces a newer one. */
  #sending = Promise.resolve();
  /** How many requests have failed since the last one that succeeded. */
  #failures = 0;
  /** @type {Promise<WrittenDraft | null> | null} */
  #loading = null;

  constructor() {
    const { signal } = new AbortController();
    session.written.watch(() => this.#changed(), signal);
    session.stage.watch(() => this.#changed(), signal);
    isConnected.watch((yes) => yes && this.#changed(), signal);
    addEventListener("pagehide", () => this.#leave());
    onServer("draft", ({ taken }) => this.#hearTaken(taken), signal);
    onServer("reset", () => this.#lookForOwn(), signal);
    this.#tabs.addEventListener("message", ({ data }) => this.#hear(data));
  }

  /** Whether the library has the present text. */
  get isKept() {
    return this.#kept === wanted();
  }

  /** Whether leaving the page now loses the text, as it cannot be saved at the moment. */
  get wouldLose() {
    return wanted() !== "" && !this.isKept && (session.unkept.value !== null || !isConnected.value);
  }

  /**
   * @returns {Promise<WrittenDraft | null>} The text that was being written before the page was loaded, which is this
   * tab's from now on; `null` when there is none, when it is already known, or when another was begun meanwhile.
   */
  load() {
    // A page that is shown and a server that answers again may both ask for it.
    return (this.#loading ??= this.#load().finally(() => (this.#loading = null)));
  }

  async #load() {
    if (this.#kept !== null) return null;
    const own = this.#page;
    const drafts = (await loadDrafts()).filter(({ page }) => page === own || page !== this.#page);
    const found = drafts.find(({ page }) => page === own) ?? drafts[0] ?? null;
    if (found !== null && ["", found.text].includes(session.text)) {
      this.take(found);
      return found;
    }
    // Text typed before this module was loaded does not replace what was written before.
    this.#name(found?.page === this.#page && !this.#isSeen ? newName() : this.#page);
    this.#kept ??= "";
    this.#changed();
    return null;
  }

  /** @param {WrittenDraft} draft It becomes this tab's. */
  take({ page, text }) {
    const name = page === this.#page ? page : newName();
    this.#name(name);
    this.#kept = text;
    if (name === page) return;
    this.#leaveOut((one) => one.page === page);
    this.#tabs.postMessage(page);
    // Another browser may take it up at the same moment; both then keep it.
    this.#sending = this.#sending.then(() => takeDraft(page, name)).catch(() => false).then((isTaken) => {
      if (!isTaken && this.#page === name) this.#keepAgain(text);
    });
  }

  /** The server's events were missed, perhaps that another browser has taken this tab's draft. */
  async #lookForOwn() {
    const [kept, page] = [this.#kept, this.#page];
    if (!kept) return;
    const drafts = await loadDrafts().catch(() => null);
    if (drafts !== null && this.#page === page && !drafts.some((one) => one.page === page)) this.#keepAgain(kept);
  }

  /** @param {string} kept What the library had under this tab's name, and has no more. */
  #keepAgain(kept) {
    if (this.#kept !== kept) return;
    this.#kept = "";
    this.#changed();
  }

  /** @param {string} page */
  #name(page) {
    this.#page = page;
    this.#isSeen = true;
    sessionStorage.setItem(nameOfTab, page);
    this.#tabs.postMessage(page);
  }

  /** @param {string | null | { page: string }} said Between the tabs, by another one. */
  #hear(said) {
    if (said === null) {
      this.#tabs.postMessage({ page: this.#page });
      return;
    }
    const page = typeof said === "string" ? said : said.page;
    this.#open.add(page);
    if (typeof said === "string") this.#hearTaken(page);
    else this.#leaveOut((one) => one.page === page);
  }

  /** @param {(draft: WrittenDraft) => boolean} isLeftNoMore */
  #leaveOut(isLeftNoMore) {
    this.left.set(this.left.value.filter((one) => !isLeftNoMore(one)));
  }

  /** Finds the texts of tabs that are closed by now. */
  async look() {
    this.#open.clear();
    this.#tabs.postMessage(null);
    await new Promise((resolve) => setTimeout(resolve, answerWithin));
    await this.#sending;
    if (!isOpen()) return;
    const drafts = await loadDrafts();
    if (isOpen()) this.left.set(drafts.filter(({ page, text }) => page !== this.#page && !this.#open.has(page) && text !== session.text));
  }

  /**
   * Has the library keep the text being written now, so that another can take its place.
   *
   * @returns {Promise<boolean>} Whether it does.
   */
  async keepNow() {
    /** @type {string | null} */
    let sent = null;
    while (wanted() !== "" && !this.isKept) {
      if (sent === wanted()) return false;
      sent = wanted();
      clearTimeout(this.#timer);
      this.#keep();
      await this.#sending;
    }
    return true;
  }

  /** @param {string} page The name that another tab has taken, perhaps this one's. */
  #hearTaken(page) {
    this.#leaveOut((one) => one.page === page);
    if (page !== this.#page) return;
    this.#name(newName());
    if (this.#kept === null) return;
    this.#kept = "";
    this.#changed();
  }

  /** The name to save under. A text that the library has, and that was not seen here, is left under its own. */
  #nameToSaveUnder() {
    if (this.#kept === null && !this.#isSeen) this.#name(newName());
    return this.#page;
  }

  /** Drops the library's text when the library closes. */
  forget() {
    clearTimeout(this.#timer);
    this.#kept = null;
    this.left.set([]);
    this.#succeeded();
  }

  #changed() {
    clearTimeout(this.#timer);
    if (this.isKept) this.#succeeded();
    if (!isOpen() || this.isKept || (this.#kept === null && wanted() === "" && session.text === "")) return;
    // A spoken text is in the history, and must not come back as a draft.
    this.#timer = setTimeout(() => this.#keep(), wanted() === "" ? 0 : keepAfter);
  }

  #keep() {
    this.#sending = this.#sending.then(() => this.#send());
  }

  async #send() {
    const text = wanted();
    if (text === this.#kept || !isOpen()) return;
    const spoken = text === "" ? session.text : "";
    const page = this.#nameToSaveUnder();
    try {
      await keepDraft({ page, text });
      if (spoken !== "") await forgetCopies(spoken);
      if (spoken !== "") this.#leaveOut((one) => one.text === spoken);
      if (page !== this.#page) return;
      this.#kept = text;
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  #succeeded() {
    this.#failures = 0;
    if (session.unkept.value !== null) session.unkept.set(null);
  }

  /** @param {unknown} error A permanent one is shown at once; the text is sent again with the next change. */
  #failed(error) {
    const passes = canPass(error);
    this.#failures += 1;
    const isShown = session.unkept.value !== null || wanted() === "";
    if (!isShown && (!passes || this.#failures >= firstShown)) session.unkept.set(error);
    // A silent server is asked when it is back.
    clearTimeout(this.#timer);
    if (passes && isConnected.value) this.#timer = setTimeout(() => this.#keep(), sendAgainAfter);
  }

  /** The page is unloading, perhaps for good. */
  #leave() {
    const text = wanted();
    clearTimeout(this.#timer);
    if (this.isKept || !isOpen() || (this.#kept === null && text === "")) return;
    const fits = new TextEncoder().encode(JSON.stringify({ text })).length <= maximumOnLeaving;
    const page = this.#nameToSaveUnder();
    keepDraft({ page, text }, { keepalive: fits }).then(() => page === this.#page && (this.#kept = text), () => {});
  }
}

/**
 * Deletes the drafts of a text that was spoken, which tabs that it was taken over from have left.
 *
 * @param {string} spoken
 */
async function forgetCopies(spoken) {
  for (const { page, text } of await loadDrafts()) if (text === spoken) await keepDraft({ page, text: "" });
}

/** A name that no other tab has. */
function newName() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((number) => number.toString(36)).join("-");
}

/**
 * Whether a retry may succeed later: the server was silent, broken or too busy.
 *
 * @param {unknown} error
 */
function canPass(error) {
  return !(error instanceof ServerProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** The text to save, unless it is already a narration. */
function wanted() {
  return ["writing", "asking"].includes(session.stage.value.kind) ? session.text : "";
}

const draft = new Draft();

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** Speaks the session's text, and follows its narration whatever page is shown. Lives as long as the document. */
class Speaking {
  /** @type {import("../../server/api.js").Paragraph[]} Those of the session's text, as long as it has a narration. */
  paragraphs = [];

  /** Whether the user stopped the narration, so that the recording is partial. */
  #wasStopped = false;

  /**
   * The last event of any narration; its request may not be answered yet.
   *
   * @type {Narration | null}
   */
  #heard = null;
  #early = new EarlySentences();

  /** Retries the last failure. */
  #again = () => this.generate();
  #isMakingDocument = false;
  /** The last text to be restored; the next one waits for it, so that a second press does not restore it again. */
  #restoring = Promise.resolve();

  constructor() {
    const { signal } = new AbortController();
    onServer("narration", (narration) => this.#changed(narration), signal);
    onServer("sentence", (spoken) => this.#early.add(spoken), signal);
    // Set when the event stream starts, initially and after an interruption; a narration may have ended meanwhile.
    isConnected.watch((yes) => yes && this.#lookAgain(), signal);
    state.watch(() => !isOpen() && this.#forgetSpoken(), signal);
    addEventListener("beforeunload", (event) => (session.isBusy || draft.wouldLose) && event.preventDefault());
  }

  /**
   * Shows the text that was being written before the page was loaded, or else a narration that is running or was
   * interrupted.
   *
   * @param {() => Promise<unknown>} bringReading Loads what shows a narration.
   * @returns {Promise<boolean>} Whether no request failed.
   */
  async takeUp(bringReading) {
    if (session.stage.value.kind !== "writing") return true;
    try {
      const written = await draft.load();
      if (written !== null) {
        if (!session.isBusy && session.text === "") session.begin(written.text);
        return true;
      }
      if (session.stage.value.kind !== "writing" || session.text !== "") return true;
      const all = (await listNarrations()).filter(({ id }) => !narrationDeletion.isHidden(id));
      const narration = all.find(({ state }) => state === "speaking") ?? all[all.length - 1];
      if (narration !== undefined) await this.showMade(narration, bringReading);
      return true;
    } catch {
      return false; // the page stays empty
    }
  }

  /**
   * Shows a narration that is being made, if nothing is written.
   *
   * @param {Narration} narration
   * @param {() => Promise<unknown>} [bringReading] Loads what shows it.
   */
  async showMade(narration, bringReading = async () => {}) {
    const isFree = () => session.stage.value.kind === "writing" && session.text.trim() === "";
    if (!isFree()) return;
    const before = this.#heard;
    // The field stays until then, and what is typed into it counts.
    const [{ text, paragraphs }] = await Promise.all([loadNarrationText(narration.id), bringReading()]);
    if (!isFree()) return;
    [session.text, this.paragraphs] = [text, paragraphs];
    this.#wasStopped = false;
    // It may have ended while its text was asked for.
    const heard = this.#heard !== before && this.#heard?.id === narration.id ? this.#heard : null;
    this.#show(heard ?? narration);
    player.takeUpNarration(heard ?? narration);
  }

  /** The texts of tabs that are closed by now. */
  get draftsLeft() {
    return draft.left;
  }

  /** Finds the texts of tabs that are closed by now. */
  lookForDrafts() {
    return draft.look();
  }

  /**
   * Shows a text that a closed tab was writing. The one in its place is then among those that are left.
   *
   * @param {WrittenDraft} written
   */
  async restoreDraft(written) {
    const restored = this.#restoring.then(() => this.#restore(written));
    this.#restoring = restored.catch(() => {});
    await restored;
  }

  /** @param {WrittenDraft} written */
  async #restore(written) {
    // Another browser may have written on, spoken or taken it since it was listed.
    const now = (await loadDrafts()).find(({ page }) => page === written.page);
    if (now === undefined) await draft.look();
    else if (!(await draft.keepNow())) showToast({ icon: "warning", text: t("speak.draft.unkept") });
    else if (session.isBusy) showToast({ text: t("speak.busy") });
    else {
      draft.take(now);
      session.begin(now.text);
      await draft.look();
    }
  }

  /**
   * Reads a text file, and says why one is refused.
   *
   * @param {File} file
   * @returns {Promise<{ text: string, message: string, isRemarkable: boolean } | null>} `message` says what happened;
   * `isRemarkable`: whether to say so even if nothing is lost. `null` when the file was refused.
   */
  async read(file) {
    try {
      const { text, notices } = await readTextFile(file);
      return { text, message: [t("speak.dropped"), ...notices.map(noticeWords)].join(" "), isRemarkable: notices.length > 0 };
    } catch (error) {
      showToast({ text: paragraphFor(error), icon: "warning" });
      return null;
    }
  }

  /**
   * Makes a document of a text that is too long for one recording, and opens the choice of what to speak. The field is
   * then empty.
   */
  async makeDocument() {
    if (this.#isMakingDocument) return;
    this.#isMakingDocument = true;
    await this.#try(() => this.#importText(), () => this.makeDocument());
    this.#isMakingDocument = false;
  }

  async #importText() {
    const { text } = session;
    const file = new File([text], "", { type: "text/plain" });
    const [{ importDocument }, { ChoiceSheet }] = await Promise.all([
      import("../../server/documents.js"),
      import("../documents/choice/choice-sheet.js"),
      ...["sheet", "fields", "slider", "documents"].map((name) => loadStyle(`/styles/${name}.css`)),
    ]);
    const { document: made } = await importDocument(file, { reuseTwin: true });
    if (session.text === text) session.begin("");
    if (document.querySelector("echo-speak-page") === null) {
      showToast({ icon: "document", text: t("speak.over.made") });
      return;
    }
    navigate(`/documents/${encodeURIComponent(made.id)}`);
    new ChoiceSheet(made).open();
  }

  /** Retries the last failure. */
  async again() {
    await this.#again();
  }

  /** Speaks the text from the start. */
  async generate() {
    if (session.isBusy) return;
    this.#again = () => this.generate();
    session.problem.set(null);
    this.#wasStopped = false;
    session.stage.set({ kind: "asking", narration: null });
    this.#early.begin();
    try {
      const narration = await startNarration({ text: session.text, ...session.settings.value });
      this.paragraphs = narration.paragraphs ?? [];
      session.stage.set({ kind: "speaking", narration });
      const heard = this.#heard?.id === narration.id ? this.#heard : null;
      playSound(heard ?? narration, { text: session.text, paragraphs: this.paragraphs }, this.#early.end(narration.id));
      if (heard !== null) this.#changed(heard);
    } catch (error) {
      this.#early.end(null);
      session.stage.set({ kind: "writing", narration: null });
      session.problem.set(error);
    }
  }

  /**
   * Ends the narration.
   *
   * @param {boolean} keepsPart Whether the spoken part becomes a recording; else it is discarded.
   */
  async stop(keepsPart) {
    const { narration } = session.stage.value;
    if (narration === null) return;
    this.#wasStopped = true;
    await this.#try(async () => {
      try {
        await this.#end(narration, keepsPart);
      } catch (error) {
        this.#wasStopped = false;
        if (this.#heard?.id === narration.id) this.#changed(this.#heard);
        throw error;
      }
    });
  }

  /**
   * @param {Narration} narration
   * @param {boolean} keepsPart
   */
  async #end(narration, keepsPart) {
    if (keepsPart) {
      this.#wasStopped = await stopAndKeep(narration.id);
      await this.#saved(narration);
      return;
    }
    await stopAndDiscard(narration, this.#restoration(narration));
    session.write();
  }

  /** Ends the narration so that it can be continued later. */
  async leave() {
    const { narration } = session.stage.value;
    if (narration === null) return;
    await this.#try(async () => {
      if (!(await stopAndLeave(narration.id))) await this.#lookAgain();
    });
  }

  /** Resumes the interrupted narration. */
  async continue() {
    const { narration } = session.stage.value;
    if (narration !== null) await this.#try(() => this.resume(narration.id));
  }

  /**
   * Resumes an unfinished narration, and plays it from where listening stopped. Its text is shown unless another one is
   * being written or spoken.
   *
   * @param {string} id
   */
  async resume(id) {
    const narration = await continueNarration(id);
    this.#wasStopped = false;
    if (session.stage.value.narration?.id !== id) {
      const { text, paragraphs } = await loadNarrationText(id);
      const isFree = !session.isBusy && (session.stage.value.kind !== "writing" || session.text.trim() === "");
      if (isFree) [session.text, this.paragraphs] = [text, paragraphs];
      if (isFree) this.#show(narration);
    } else this.#show(narration);
    await player.resumeNarration(narration);
  }

  /** Discards an interrupted narration, with undo for a while; its text stays in the field. */
  async discardUnfinished() {
    const { narration } = session.stage.value;
    if (narration === null) return;
    const showAgain = this.#restoration(narration);
    discard({ id: narration.id, entry: null, name: narration.name }, () => showAgain(false));
    session.write();
  }

  /**
   * Makes a function that restores a discarded narration, unless its text has been changed since.
   *
   * @param {Narration} narration
   * @returns {(isRecording: boolean) => void} `isRecording`: it has become a recording meanwhile.
   */
  #restoration(narration) {
    const { text } = session;
    return (isRecording) => {
      if (session.stage.value.kind !== "writing" || session.text !== text) return;
      this.#wasStopped = false;
      if (isRecording) this.#saved(narration);
      else session.stage.set({ kind: "unfinished", narration });
    };
  }

  /** Deletes the saved recording, with undo for a while; its text stays in the field. */
  async undo() {
    const saved = session.stage.value;
    const { text } = session;
    const { narration } = saved;
    if (narration === null) return;
    const showAgain = () => {
      if (session.stage.value.kind === "writing" && session.text === text) session.stage.set(saved);
    };
    await this.#try(async () => {
      if (await undoSaved(narration, showAgain)) session.write();
    });
  }

  /** @param {string} name */
  async rename(name) {
    const { narration, isPart } = session.stage.value;
    if (narration === null || name === "" || name === narration.name) return;
    await this.#try(async () => {
      const item = await changeItem(narration.id, { name });
      session.stage.set({ kind: "saved", narration: { ...narration, name: item.name }, isPart });
    });
  }

  /**
   * @param {() => Promise<void>} change
   * @param {() => Promise<void>} [again] The action of “Try again”; default: the same.
   */
  async #try(change, again = () => this.#try(change)) {
    this.#again = again;
    session.problem.set(null);
    try {
      await change();
    } catch (error) {
      session.problem.set(error);
    }
  }

  /** @param {Narration} narration */
  #changed(narration) {
    this.#heard = narration;
    if (session.stage.value.narration?.id !== narration.id || session.stage.value.kind === "saved") return;
    this.#show(narration);
  }

  /** @param {Narration} narration */
  #show(narration) {
    // A problem with speaking ends with it.
    if (session.stage.value.kind === "speaking" && narration.state !== "speaking") session.problem.set(null);
    switch (narration.state) {
      case "finished":
        this.#saved(narration);
        break;
      case "stopped":
      case "failed":
        if (!this.#wasStopped) session.stage.set({ kind: "unfinished", narration });
        break;
      default:
        session.stage.set({ kind: "speaking", narration });
    }
  }

  /**
   * Shows the recording's name in the library.
   *
   * @param {Narration} narration
   */
  async #saved(narration) {
    const isPart = this.#wasStopped;
    session.stage.set({ kind: "saved", narration: { ...narration, state: "finished" }, isPart });
    try {
      const { name, duration } = await loadItem(narration.id);
      if (session.stage.value.kind !== "saved" || session.stage.value.narration?.id !== narration.id) return;
      session.stage.set({ kind: "saved", narration: { ...narration, name, seconds: duration, state: "finished" }, isPart });
    } catch {
      // The narration's name stays.
    }
  }

  /**
   * Drops the library's content when the library closes. A text that the library does not have yet stays.
   */
  #forgetSpoken() {
    this.#heard = null;
    if (session.stage.value.kind !== "writing" || draft.isKept) session.text = "";
    session.write();
    draft.forget();
  }

  /** Updates the narration after the server was silent. */
  async #lookAgain() {
    const { narration, kind } = session.stage.value;
    if (narration === null || kind === "saved") return;
    try {
      const now = (await listNarrations()).find(({ id }) => id === narration.id);
      if (now === undefined) await this.#findSaved(narration);
      else this.#changed(now);
    } catch {
      // The server is silent again; the next reconnection requests the state again.
    }
  }

  /** @param {Narration} narration */
  async #findSaved(narration) {
    try {
      await loadItem(narration.id);
      await this.#saved(narration);
    } catch {
      session.write();
    }
  }
}

export const speaking = new Speaking();

/**
 * Plays a narration that is starting.
 *
 * @param {Narration} narration
 * @param {import("../../server/api.js").ItemText} words
 * @param {import("../../server/narrations.js").Sentence[]} sentences Those that have already been spoken.
 */
function playSound(narration, words, sentences) {
  player.playNarration(narration);
  player.transcript.set(new Transcript(narration.id, words, sentences));
}
