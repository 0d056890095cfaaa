import { showToast } from "../../../components/toast.js";
import { t } from "../../../core/i18n.js";
import { Cell, isConnected, onReturn, state } from "../../../core/store.js";
import { player } from "../../../player/player.js";
import { NewestState, onServer } from "../../../server/events.js";
import {
  deleteTake,
  hearVoice,
  loadPracticeSession,
  loadSegments,
  loadSegmentSound,
  loadSegmentTiming,
  loadTakeSound,
  scoreTake,
  sendPracticeEvents,
  sendTake,
  streamSegmentSound,
} from "../../../server/practice.js";
import { microphoneOptions, showRecording, WakingScreen } from "../../recordings/microphone.js";
import { TakeList, TakePlayback } from "../takes/take-list.js";
import { PracticeDriver } from "./driver.js";
import { Echo, TakeMicrophone, takeRate, VoiceDetection } from "./echo.js";
import { arrivingSound, forgetWithCut, isOutputLost, SegmentPlayer, SegmentSounds, SegmentTexts, Signals, soundOf } from "./segments.js";


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
function guardTakes(list, signal) {
  watch();
  lists.add(list);
  signal.addEventListener("abort", () => leave(list), { once: true });
}

function watch() {
  if (isWatched) return;
  isWatched = true;
  const always = new AbortController().signal;
  addEventListener("beforeunload", (event) => [...lists].some(({ unsent }) => unsent.length > 0) && event.preventDefault());
  onReturn(() => lists.forEach((list) => (left.has(list) ? send(list) : list.sendAll())), always);
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

/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */
/** @typedef {import("../../../server/practice.js").PracticeSettings} PracticeSettings */

/**
 * @typedef {object} ConnectionListener
 * @property {(error: unknown) => void} failed
 * @property {(error: unknown) => void} unheard The microphone could not be opened; the session continues without it.
 * @property {(signal: import("./segments.js").Signal) => void} pulse
 * @property {(session: PracticeSession) => void} summarized Called with the summary of a finished session, and again
 * when it changes.
 * @property {() => void} segmentsChanged
 */

/** The devices that the browser names; `null` when it lists none to this page. */
async function listDevices() {
  return (await navigator.mediaDevices?.enumerateDevices().catch(() => null)) ?? null;
}

/** Connects a session on the server with the speaker, the microphone and the takes. It shows nothing. */
export class SessionConnection {
  #id;
  #listener;
  #signal;
  /** @type {AudioContext | null} Created on a press: before one, browsers allow no sound. */
  #context = null;
  /** @type {SegmentPlayer | null} */
  #player = null;
  /** @type {Signals | null} */
  #signals = null;
  #screen = new WakingScreen();
  #isAwake = false;
  /** @type {Promise<readonly MediaDeviceInfo[] | null>} The devices when they were listed last. */
  #devices = Promise.resolve(null);
  /** Whether a press is still waiting for its preparation: a second press is ignored. */
  #isPreparing = false;
  /** Whether recording was switched off here, possibly before the server knows. */
  #isRefused = false;
  /** @type {Partial<PracticeSettings>} The person's settings that this session does without. */
  #given = {};
  #newest = new NewestState();
  /** The level of the microphone, from 0 to 1. */
  level = new Cell(0);
  texts;
  sounds;
  /** @type {Echo} */
  echo;
  /** @type {PracticeDriver} */
  driver;
  takes;
  playback = new TakePlayback(() => this.#opened());
  #microphone;
  #detection;

  /**
   * @param {PracticeSession} session
   * @param {ConnectionListener} listener
   * @param {AbortSignal} signal Ends it; a running session then pauses.
   */
  constructor(session, listener, signal) {
    const { id } = session;
    this.#id = id;
    this.#listener = listener;
    this.#signal = signal;
    this.texts = new SegmentTexts((window) => loadSegments(id, window, signal), listener.segmentsChanged);
    this.sounds = new SegmentSounds({
      load: async (segment, rate) =>
        arrivingSound(await streamSegmentSound(id, segment, rate, signal), () => loadSegmentSound(id, segment, rate, signal)),
      loadTiming: (segment, rate) => loadSegmentTiming(id, segment, rate, signal),
    });
    this.#microphone = new TakeMicrophone(microphoneOptions, {
      level: (rms) => this.#addLevel(rms),
      sound: (chunk) => this.echo.addSound(chunk),
      lost: () => this.#lost(),
    });
    this.#detection = new VoiceDetection({ send: (turn, piece) => hearVoice(id, turn, piece, signal), rate: takeRate });
    this.takes = new TakeList({
      send: (place, wave) => sendTake(id, place, wave),
      score: scoreTake,
      remove: deleteTake,
      load: (take) => loadTakeSound(take, signal),
    });
    this.echo = new Echo(this.#microphone, {
      records: () => this.settings.records && !this.#isRefused && this.#microphone.isOpen,
      taken: (take) => this.takes.add(take),
      detection: this.#detection,
      tone: () => this.#signals?.remaining ?? 0,
    });
    this.driver = this.#newDriver(session);
    this.#follow(signal);
  }

  /** @param {PracticeSession} session */
  #newDriver(session) {
    return new PracticeDriver(session, {
      send: (events) => sendPracticeEvents(this.#id, events),
      now: () => (performance.timeOrigin + performance.now()) / 1_000,
      sounds: this.sounds,
      player: {
        play: (sound, ended) => this.#player?.play(sound, ended),
        suspend: () => this.#player?.suspend(),
        resume: () => this.#player?.resume(),
        stop: () => this.#player?.stop(),
      },
      echo: this.echo,
      signal: (signal) => this.#signals?.give(signal),
      summarize: () => this.learn(),
      unspoken: (text) => showToast({ icon: "warning", text: t("speak.unspoken", { text }) }),
      failed: this.#listener.failed,
    });
  }

  /** @returns {PracticeSession} */
  get session() {
    return this.driver.session.value;
  }

  get settings() {
    return this.session.settings;
  }

  /** The settings that the person has chosen, also those that this session does without. */
  get chosenSettings() {
    return { ...this.settings, ...this.#given };
  }

  /** The playback position in the segment, in seconds. */
  get time() {
    return this.#player?.time ?? 0;
  }

  // User actions

  async toggle() {
    if (this.#isPreparing) return;
    this.#isPreparing = true;
    try {
      if (!this.driver.isRunning) await this.#prepare();
    } finally {
      this.#isPreparing = false;
    }
    await this.driver.toggle();
  }

  /** Plays the present segment again. */
  async again() {
    await this.#prepare();
    await this.driver.again();
  }

  /** @param {number} segment */
  async goTo(segment) {
    await this.#prepare();
    await this.driver.goTo(segment);
  }

  /** @param {1 | -1} step */
  async step(step) {
    if (this.driver.isBegun.value) return this.driver.send({ kind: step > 0 ? "next" : "previous" });
    const segment = Math.max(1, this.session.position.segment + step);
    const { known, isComplete } = this.texts.countWith(this.session.segments);
    if (segment <= known || !isComplete) await this.goTo(segment);
  }

  /** Ends the session; its summary follows. */
  end() {
    return this.driver.send({ kind: "end" });
  }

  /** @param {Partial<PracticeSettings>} change */
  async set(change) {
    if (change.records !== undefined) this.#isRefused = !change.records;
    if (this.#isRefused) this.echo.forget();
    // Whoever asks for the microphone again gets all of it back.
    const isAskedFor = change.records === true || change.echo === "wait";
    const whole = isAskedFor ? { ...this.#given, ...change } : change;
    this.#given = Object.fromEntries(Object.entries(this.#given).filter(([name]) => !(name in whole)));
    await this.driver.change(whole);
    if (this.driver.isBegun.value && this.session.phase !== "finished") await this.#useDevices();
  }

  /** Fetches the session's state from the server: it may have been changed elsewhere, or one of its takes scored. */
  async learn() {
    try {
      let session;
      let answers;
      let wasBegun;
      do {
        await this.driver.settled;
        answers = this.driver.answers;
        session = await loadPracticeSession(this.#id, this.#signal);
        if (this.#signal.aborted || !this.#newest.takesAnswer(session)) return;
        wasBegun = this.driver.isBegun.value;
      } while (!this.driver.learn(session, answers));
      if (wasBegun && !this.driver.isBegun.value) this.#release();
      if (this.session.phase === "finished") this.#listener.summarized(session);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#listener.failed(error);
      if (/** @type {{ status?: number }} */ (error).status !== 404) return;
      this.driver.close(); // it was deleted elsewhere
      await this.#microphone.close();
    }
  }

  /**
   * The sound of a segment as spoken by the model.
   *
   * @param {number} segment
   * @param {number} rate
   * @returns {Promise<AudioBuffer>}
   */
  async modelSound(segment, rate) {
    return (await this.sounds.load(segment, rate)).sound.whole();
  }

  /** @param {import("../takes/take-list.js").TakeEntry} take */
  async takeSound(take) {
    return soundOf(await this.takes.sound(take));
  }

  // Sound

  /** The preparation needed before anything can play. */
  async #prepare() {
    player.pause();
    this.playback.stop();
    await this.#opened().resume();
    await this.#useDevices();
  }

  async #useDevices() {
    await this.#useMicrophone();
    this.#devices = listDevices(); // only now may they have names
  }

  #opened() {
    if (this.#context !== null) return this.#context;
    const context = new AudioContext({ latencyHint: "interactive" });
    this.#context = context;
    this.#player = new SegmentPlayer(context);
    this.#signals = new Signals(context, { settings: () => this.settings, pulse: this.#listener.pulse });
    context.onstatechange = () => context.state !== "running" && !this.#signal.aborted && this.driver.interrupt("deviceLost");
    return context;
  }

  get #wantsMicrophone() {
    const { records, echo } = this.settings;
    return echo !== "off" && (records || echo === "wait");
  }

  /** Opens the microphone if wanted, closes it if not; without one, practice continues. */
  async #useMicrophone() {
    const { records, echo } = this.settings;
    if (!this.#wantsMicrophone) return this.#microphone.close();
    try {
      if (echo === "wait") this.#detection.prepare(); // it starts while the segment is played
      await this.#microphone.open();
      if (this.#signal.aborted) await this.#microphone.close();
    } catch (error) {
      this.#listener.unheard(error);
      const waits = echo === "wait";
      this.#given = { records, ...(waits ? { echo } : {}) };
      await this.driver.change({ records: false, ...(waits ? { echo: "timed" } : {}) }, { isKept: false });
    }
  }

  /** Closes the microphone when it is no longer wanted, also because of a change elsewhere. */
  #followMicrophone(/** @type {AbortSignal} */ signal) {
    const now = () => ({ records: this.settings.records, isWanted: this.#wantsMicrophone && this.session.phase !== "finished" });
    let before = now();
    this.driver.session.watch(() => {
      const { records, isWanted } = now();
      const isOver = before.isWanted && !isWanted;
      if (before.records && !records) this.echo.forget();
      before = { records, isWanted };
      if (isOver) this.#release();
    }, signal);
  }

  /** Closes the microphone after the present answer has been carried out, which may save the last take. */
  async #release() {
    await Promise.resolve();
    await this.echo.kept;
    const isElsewhere = !this.driver.isBegun.value && !this.#isPreparing;
    if (!this.#wantsMicrophone || isElsewhere || this.session.phase === "finished") await this.#microphone.close();
  }

  /** @param {number} rms */
  #addLevel(rms) {
    this.level.set(rms);
    this.echo.addLevel(rms);
  }

  async #devicesChanged() {
    const listed = this.#devices;
    this.#devices = listDevices();
    const [before, now] = await Promise.all([listed, this.#devices]);
    if (this.#signal.aborted || before === null || now === null) return;
    if (isOutputLost(before, now)) await this.driver.interrupt("deviceLost");
  }

  async #lost() {
    await this.driver.interrupt("deviceLost");
    await this.#microphone.close(true); // another one continues the take
    this.#listener.failed({ code: "microphone.missing" });
  }

  // Environment

  /** @param {AbortSignal} signal */
  #follow(signal) {
    forgetWithCut(this.driver.session, [this.sounds, this.texts], this.#listener.segmentsChanged, signal);
    guardTakes(this.takes, signal);
    this.#followMicrophone(signal);
    for (const name of /** @type {const} */ (["practice", "reset"])) onServer(name, () => this.#changed(), signal);
    document.addEventListener("visibilitychange", () => this.#seen(), { signal });
    navigator.mediaDevices?.addEventListener("devicechange", () => this.#devicesChanged(), { signal });
    isConnected.watch((yes) => yes && this.driver.retry(), signal);
    player.phase.watch((phase) => phase === "playing" && this.driver.rest(), signal);
    this.echo.isRecording.watch((yes) => this.#mark(yes), signal);
    for (const cell of [this.driver.session, this.driver.isBegun]) cell.watch(() => this.#keepAwake(), signal);
    addEventListener("pagehide", () => this.#leave(), { signal });
    signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  #changed() {
    this.texts.renew(this.session.position.segment).catch(() => {}); // they will be requested again
    return this.learn();
  }

  #seen() {
    if (document.visibilityState !== "visible") this.driver.interrupt("hidden");
  }

  #keepAwake() {
    const { isRunning } = this.driver;
    if (isRunning === this.#isAwake) return;
    this.#isAwake = isRunning;
    if (isRunning) this.#screen.keepAwake();
    else this.#screen.letSleep();
  }

  /** @param {boolean} isRecording */
  #mark(isRecording) {
    showRecording(this.#ownMark, isRecording);
  }

  #ownMark = { stop: () => this.driver.interrupt("locked") };

  /** Reports the state for the last time; nobody waits for the answer. */
  #leave() {
    if (!this.driver.isRunning || state.value === null) return;
    const at = (performance.timeOrigin + performance.now()) / 1_000;
    sendPracticeEvents(this.#id, [{ kind: "pause", at }], { keepalive: true }).catch(() => {}); // restarted then
  }

  #close() {
    this.#leave();
    this.driver.close();
    this.playback.stop();
    this.#mark(false);
    this.#screen.letSleep();
    this.#microphone.close();
    this.#context?.close();
  }
}
