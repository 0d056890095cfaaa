import { showNews, showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { clock, duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { Cell, isConnected, isOpen, state as serverState } from "../../core/store.js";
import { player } from "../../player/player.js";
import { loadItem } from "../../server/library.js";
import {
  beginSession,
  changeSession,
  discardSession,
  finishSession,
  isStartedAgain,
  loadSession,
  markSession,
  resumeSession,
  sendChunk,
} from "../../server/recordings.js";
import { ChunkQueue, chunksASecond, forgetSession, MarkQueue, rememberSession, StoredChunks } from "./chunk-queue.js";
import { Microphone, microphoneOptions, showRecording, WakingScreen } from "./microphone.js";
import {
  atRest,
  codeOf,
  hasMark,
  holdSession,
  isBusy,
  isFinal,
  isLeft,
  isLive,
  isMarkRefused,
  recoverSessions,
  step,
  waitingOf,
} from "./recorder-state.js";
import { restFile } from "./sound-import-queue.js";

/**
 * Has the browser save sound that the server does not have.
 *
 * @param {File} sound
 */
export function downloadSound(sound) {
  const address = URL.createObjectURL(sound);
  h("a", { href: address, download: sound.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * The length of sound that is missing.
 *
 * @param {number} seconds
 */
export function missedTime(seconds) {
  return seconds < 10 ? t("unit.seconds", { n: Math.round(10 * seconds) / 10 }) : duration(seconds);
}

/**
 * Names the marks that are lost, so that they can be made again.
 *
 * @param {readonly LostMark[]} marks
 */
export function lostMarksWords(marks) {
  const places = marks.map(({ name, seconds }) => t("recorder.marks.place", { time: clock(seconds), name }));
  return t("recorder.marks.lost", { places: places.join(", ") });
}

/**
 * The messages about sound that another page's recording did not take.
 *
 * @type {Omit<import("./recorder-state.js").ApartTeller, "markRefused">}
 */
const apartWords = {
  name: (name) => (name === null ? t("recorder.apart.unnamed") : t("recorder.apart.name", { name })),
  kept: ({ id, name }) =>
    showNews({
      icon: "check",
      text: t("recorder.apart.kept", { name }),
      seconds: 12,
      action: { label: t("do.play"), run: () => player.playItem(id) },
    }),
  waits: (sound) =>
    showToast({
      icon: "warning",
      text: t("recorder.apart.waits"),
      seconds: 20,
      action: { label: t("recorder.unsent.save"), run: () => downloadSound(sound) },
    }),
};

/** @typedef {import("./recorder-state.js").RecorderState} RecorderState */
/** @typedef {import("./recorder-state.js").RecorderEvent} RecorderEvent */
/** @typedef {import("./recorder-state.js").LostMark} LostMark */
/** @typedef {import("../../server/recordings.js").Session} Session */
/** @typedef {import("../../server/library.js").Item} Item */

/** Milliseconds between heartbeats of a session that sends no chunks. */
const heartbeat = 10_000;

/**
 * A chunk whose samples all stay below this, −60 dB, is silent; after this many seconds of silence a notice says so.
 */
const quiet = 33;
const longSilence = 6;

/** Milliseconds between attempts to finish a session while the server is unreachable. */
const finishAgain = 2_000;

/**
 * Records a microphone into the library. It lives as long as the document, whatever page is shown, and continues while
 * the server is unreachable or the library is locked.
 */
class Recorder {
  /** @type {Cell<RecorderState>} */
  state = new Cell(/** @type {RecorderState} */ (atRest));
  /** The microphone's level; it is updated only while metered. */
  level = new Cell(/** @type {import("./capture.js").Level} */ ({ peak: 0, rms: 0 }));
  /** @type {Microphone | null} */
  #microphone = null;
  /** @type {ChunkQueue | null} */
  #queue = null;
  /** Whether the session has another page's sound instead of the sound that is pending here. */
  #isRefused = false;
  /** Where that begins, in seconds. */
  #refusedFrom = Infinity;
  /** How many parts of the page show the level. */
  #meters = 0;
  /** Samples recorded since the session was opened here. */
  #samples = 0;
  #silentSamples = 0;
  #rate = 1;
  /** Seconds of the session before it was opened here. */
  #before = 0;
  /** @type {MarkQueue | null} */
  #marks = null;
  #timer = 0;
  /** Releases the session's lock against other tabs. */
  #release = () => {};
  #screen = new WakingScreen();
  #mark = { stop: () => this.stop() };

  /** @param {AbortSignal} life The document's. */
  start(life) {
    addEventListener("beforeunload", (event) => isBusy(this.state.value) && event.preventDefault(), { signal: life });
    document.addEventListener("visibilitychange", () => this.#shown(), { signal: life });
    isConnected.watch((yes) => yes && this.#queue?.retry(), life);
    serverState.watch(() => isOpen() && this.#queue?.retry(), life);
  }

  // Recording

  /**
   * Starts a recording.
   *
   * @param {{ name: string, language?: string }} order
   */
  begin(order) {
    return this.#open(undefined, async ({ rate, device }) => {
      return beginSession({ ...order, sampleRate: rate, device: device ?? undefined });
    });
  }

  /**
   * Continues an interrupted session.
   *
   * @param {Session} session
   */
  resumeSession({ id, sampleRate }) {
    return this.#open(sampleRate, () => resumeSession(id));
  }

  /**
   * @param {number | undefined} rate In hertz.
   * @param {(microphone: Microphone) => Promise<Session>} take Creates the session.
   */
  async #open(rate, take) {
    if (isBusy(this.state.value)) return;
    this.#dispatch({ kind: "ask" });
    const microphone = this.#newMicrophone();
    this.#microphone = microphone;
    try {
      await microphone.open(rate);
      const session = await take(microphone);
      await this.#follow(session, microphone);
    } catch (problem) {
      await microphone.close();
      this.#microphone = null;
      this.#dispatch({ kind: "refused", problem });
    }
  }

  /**
   * @param {Session} session
   * @param {Microphone} microphone
   */
  async #follow(session, microphone) {
    // First: recovery may still be moving what an earlier page left.
    this.#release = await holdSession(session.id);
    await rememberSession(session.id, session.sampleRate).catch(() => {}); // it is listed by the server then
    const kept = await new StoredChunks(session.id).marks().catch(() => []);
    this.#isRefused = false;
    this.#refusedFrom = Infinity;
    this.#rate = session.sampleRate;
    this.#before = session.seconds;
    this.#samples = this.#silentSamples = 0;
    this.#queue = this.#queueOf(session, session.nextChunk);
    this.#marks = this.#marksOf(session);
    for (const mark of kept) if (!hasMark(session, mark)) this.#marks.add(mark);
    this.#dispatch({ kind: "begun", session, device: microphone.device });
    this.#timer = setInterval(() => this.#synchronise(), heartbeat);
    microphone.meter(this.#meters > 0);
    microphone.pause(false);
    this.#screen.keepAwake();
  }

  async pause() {
    if (this.state.value.phase !== "recording") return;
    await this.#microphone?.flush();
    this.#microphone?.pause(true);
    this.#dispatch({ kind: "pause" });
    this.#screen.letSleep();
    await this.#synchronise();
  }

  async resume() {
    if (!isLive(this.state.value)) return;
    try {
      await this.#microphone?.reopen();
    } catch {
      this.#dispatch({ kind: "lost" });
      return;
    }
    this.#microphone?.pause(false);
    this.#dispatch({ kind: "resume" });
    this.#queue?.retry();
    this.#screen.keepAwake();
    await this.#synchronise();
  }

  /** Marks the present moment. */
  async mark() {
    if (!isLive(this.state.value)) return;
    this.#marks?.add({ seconds: this.state.value.seconds });
    await this.#synchronise();
  }

  /**
   * Ends the recording and saves it to the library.
   *
   * @returns {Promise<Item | null>} `null` when there is none: nothing was recorded, it was discarded, or EchoText was
   *   started again, and what waits is for a file.
   */
  async stop() {
    const { session } = this.state.value;
    if (!isLive(this.state.value) || session === null) return null;
    await this.#closeMicrophone();
    this.#dispatch({ kind: "stop" });
    await this.#drained();
    while (this.state.value.session?.id === session.id && !isLeft(this.state.value)) {
      try {
        await this.#marks?.send(this.#refusedFrom);
        const item = await finished(session.id);
        await this.#end({ keepsRefused: true });
        return item;
      } catch (problem) {
        if (isFinal(problem)) return this.#giveUp(session.id, problem);
        await this.#sayWhatWaits(problem, 0);
        if (!isLeft(this.state.value)) await new Promise((resolve) => setTimeout(resolve, finishAgain));
      }
    }
    return null;
  }

  /** Fulfilled when the server has everything, takes no more, or never comes back. */
  async #drained() {
    const queue = this.#queue;
    if (queue === null) return;
    const life = new AbortController();
    const left = new Promise((resolve) => this.state.follow((state) => isLeft(state) && resolve(undefined), life.signal));
    await Promise.race([queue.drained(), left]);
    life.abort();
    // Its last chunk came after what was said before.
    const { problem } = this.state.value;
    if (isLeft(this.state.value)) this.#dispatch({ kind: "waits", waiting: "restarted", unsent: this.#unsent(queue), problem });
  }

  /** How many marks the server does not have. */
  get unsentMarks() {
    return this.#marks?.waiting.length ?? 0;
  }

  /**
   * The sound and the marks that the server does not have, as a file that joins the recording when it is imported.
   *
   * @returns {Promise<File>}
   */
  async unsentSound() {
    const { session } = this.state.value;
    const { start, chunks, lost } = (await this.#queue?.unsent()) ?? { start: 0, chunks: [], lost: 0 };
    const belonging = { session: session?.id ?? "", start, marks: [...(this.#marks?.waiting ?? [])] };
    if (lost > 0) showToast({ icon: "warning", text: t("recorder.missed", { time: missedTime(lost / chunksASecond) }), seconds: 20 });
    return restFile(t("recorder.unsent.file", { name: session?.name ?? "" }), chunks, this.#rate, belonging);
  }

  /** Ends the recording here. What the server has of it stays unfinished there; the rest is discarded. */
  async leave() {
    await this.#closeMicrophone();
    await this.#end();
  }

  /**
   * Measures the level while a part of the page shows it.
   *
   * @param {boolean} isShown
   */
  meter(isShown) {
    this.#meters += isShown ? 1 : -1;
    this.#microphone?.meter(this.#meters > 0);
  }

  // The microphone

  #newMicrophone() {
    return new Microphone(microphoneOptions(), {
      chunk: (chunk) => this.#addChunk(chunk),
      level: (level) => this.level.set(level),
      switched: (device) => this.#dispatch({ kind: "switched", device }),
      lost: () => this.#lost(),
      found: () => this.#dispatch({ kind: "found" }),
      running: (isRunning) => this.#dispatch({ kind: isRunning ? "running" : "suspended" }),
      missed: (seconds, ago) => this.#miss(seconds, ago),
    });
  }

  /** @param {ArrayBuffer} chunk */
  #addChunk(chunk) {
    const samples = new Int16Array(chunk);
    this.#samples += samples.length;
    this.#silentSamples = samples.every((sample) => Math.abs(sample) < quiet) ? this.#silentSamples + samples.length : 0;
    this.#queue?.add(chunk);
    const isSilent = this.#silentSamples >= longSilence * this.#rate;
    this.#dispatch({ kind: "heard", seconds: this.#before + this.#samples / this.#rate, isSilent });
  }

  /**
   * @param {number} seconds Of sound that is missing.
   * @param {number} ago Seconds of sound from there to the end of all.
   */
  #miss(seconds, ago) {
    const place = Math.max(0, this.state.value.seconds - ago);
    this.#marks?.add({ seconds: place, label: t("recorder.missed.mark", { time: missedTime(seconds) }) });
    this.#dispatch({ kind: "missed", seconds });
  }

  #lost() {
    this.#microphone?.pause(true);
    this.#dispatch({ kind: "lost" });
    this.#synchronise();
  }

  async #closeMicrophone() {
    await this.#microphone?.flush();
    await this.#microphone?.close();
    this.#microphone = null;
    this.#screen.letSleep();
  }

  // The server

  /**
   * @param {Session} session
   * @param {number} start
   * @param {number} [end]
   */
  #queueOf({ id }, start, end) {
    /** @type {ChunkQueue} */
    const queue = new ChunkQueue(
      {
        send: (number, bytes) => sendChunk(id, number, bytes),
        askNext: async () => (await loadSession(id)).nextChunk,
        keeper: new StoredChunks(id),
        silence: () => new Int16Array(Math.round(this.#rate / chunksASecond)).buffer,
        lost: (count, ago) => this.#miss(count / chunksASecond, ago / chunksASecond),
        sent: ({ remaining, slept }) => {
          // No clock of the page runs meanwhile.
          if (slept > 0) this.#miss(slept, this.#unsent(queue) + 1 / chunksASecond);
          this.#dispatch({ kind: "sent", unsent: this.#unsent(queue), remaining });
        },
        waits: (problem) => this.#wait(queue, problem),
      },
      { start, end },
    );
    return queue;
  }

  /**
   * @param {ChunkQueue} queue
   * @param {unknown} problem
   */
  #wait(queue, problem) {
    this.#sayWhatWaits(problem, this.#unsent(queue));
    if (codeOf(problem) === "recording.chunk-taken") this.#noteRefusal(this.#unsent(queue));
    const { status = 0 } = /** @type {{ status?: number }} */ (problem ?? {});
    if (status === 401) this.#strand(); // the page shows nothing any more, so nobody would notice an open microphone
  }

  /**
   * @param {unknown} problem
   * @param {number} unsent Seconds of sound.
   */
  async #sayWhatWaits(problem, unsent) {
    this.#dispatch({ kind: "waits", waiting: waitingOf(problem), unsent, problem });
    const { session, waiting } = this.state.value;
    if (waiting !== "server" || !(await isStartedAgain())) return;
    const now = this.state.value;
    if (session !== null && now.session?.id === session.id) this.#dispatch({ kind: "waits", waiting: "restarted", unsent: now.unsent, problem });
  }

  /**
   * Remembers it now, because the page may be left, and the session finished elsewhere, at any time.
   *
   * @param {number} unsent Seconds of sound.
   */
  #noteRefusal(unsent) {
    const { session, seconds } = this.state.value;
    if (session === null || this.#isRefused) return;
    this.#isRefused = true;
    const from = (this.#refusedFrom = Math.max(0, seconds - unsent));
    const { id, sampleRate } = session;
    rememberSession(id, { session: id, sampleRate, from }).catch(() => {}); // the notice offers the sound as a file
  }

  /**
   * Ends the recording here. Sound and marks that the server does not have stay in the browser until the next authorized
   * visit.
   */
  async #strand() {
    await this.#closeMicrophone();
    await this.#queue?.leave();
    await this.#keepMarks(this.#marks, this.state.value.session);
    this.#queue = null;
    this.#marks = null;
    clearInterval(this.#timer);
    this.#dispatch({ kind: "ended" });
    this.#release();
  }

  /**
   * Says which marks are lost, where neither the server has them nor this browser keeps them.
   *
   * @param {MarkQueue | null} marks
   * @param {Session | null} session
   */
  async #keepMarks(marks, session) {
    if (marks === null || (await marks.kept())) return;
    this.#loseMarks(marks.waiting.map(({ seconds }) => ({ name: session?.name ?? "", seconds })));
  }

  /** @param {readonly LostMark[]} marks */
  #loseMarks(marks) {
    this.#dispatch({ kind: "lostMarks", marks });
    if (document.querySelector(".recorder") === null) showToast({ icon: "error", text: lostMarksWords(marks) }); // else its notice says so
  }

  /** The user has seen which marks are lost. */
  forgetLostMarks() {
    this.#dispatch({ kind: "seen" });
  }

  /** @param {ChunkQueue} queue */
  #unsent(queue) {
    return queue.length / chunksASecond;
  }

  /** Reports to the server what it does not know of the session, and that the page is alive. */
  async #synchronise() {
    const { session, phase } = this.state.value;
    if (session === null || !isLive(this.state.value)) return;
    try {
      await this.#marks?.send(this.#refusedFrom);
      const state = phase === "paused" ? "paused" : "recording";
      this.#dispatch({ kind: "changed", session: await changeSession(session.id, { state }) });
    } catch {
      // The next heartbeat reports the same.
    }
  }

  /** @param {Session} session */
  #marksOf({ id, name }) {
    return new MarkQueue(
      async (mark) => {
        try {
          this.#dispatch({ kind: "changed", session: await markSession(id, mark) });
        } catch (problem) {
          // It would hold up all later ones, and the end.
          if (!isMarkRefused(problem)) throw problem;
          this.#loseMarks([{ name, seconds: mark.seconds }]);
        }
      },
      (waiting) => new StoredChunks(id).keepMarks(waiting),
    );
  }

  /**
   * @param {string} id
   * @param {unknown} problem
   */
  async #giveUp(id, problem) {
    if (codeOf(problem) === "recording.empty") await discardSession(id).catch(() => {}); // it is listed as unfinished then
    // Where it was finished elsewhere, later sound is kept apart.
    await this.#end({ keepsRefused: true, isGone: codeOf(problem) === "recording.not-found" });
    this.#dispatch({ kind: "refused", problem });
    return null;
  }

  /**
   * @param {{ keepsRefused?: boolean, isGone?: boolean }} options Whether what the session did not take becomes a recording
   * of its own, and whether there is no such session any more.
   */
  async #end({ keepsRefused = false, isGone = false } = {}) {
    const { session } = this.state.value;
    const isLeft = keepsRefused && (this.#isRefused || isGone);
    clearInterval(this.#timer);
    const [queue, marks] = [this.#queue, this.#marks];
    this.#queue = null;
    this.#marks = null;
    this.#dispatch({ kind: "ended" });
    await (isLeft ? this.#keepMarks(marks, session) : marks?.close());
    if (isLeft) await queue?.leave();
    else await queue?.close().catch(() => {}); // encrypted chunks remain, which the next visit deletes
    if (session !== null && !isLeft) await forgetSession(session.id).catch(() => {});
    this.#release();
    if (isLeft) this.recover().catch(() => {}); // the next visit tries again
  }

  /** Sends the pending chunks of this browser's earlier visits, and keeps apart what another page's recording did not take. */
  recover() {
    const markRefused = (/** @type {LostMark} */ mark) => this.#loseMarks([mark]);
    return recoverSessions((id) => this.state.value.session?.id === id, { ...apartWords, markRefused });
  }

  // Environment

  /** @param {RecorderEvent} event */
  #dispatch(event) {
    this.state.set(step(this.state.value, event));
    showRecording(this.#mark, isLive(this.state.value));
  }

  #shown() {
    if (document.visibilityState !== "visible" || this.state.value.phase !== "recording") return;
    this.#screen.keepAwake();
    this.#microphone?.reopen().catch(() => {}); // the note says that nothing is recorded
  }
}

/**
 * Finishes a session. If it was finished before and the answer was lost, it is already a recording.
 *
 * @param {string} id
 */
async function finished(id) {
  try {
    return await finishSession(id);
  } catch (problem) {
    if (codeOf(problem) !== "recording.not-found") throw problem;
    return loadItem(id).catch(() => {
      throw problem;
    });
  }
}

export const recorder = new Recorder();
