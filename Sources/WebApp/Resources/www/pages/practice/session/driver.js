import { fill, h, setAttribute } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { Cell, profiles } from "../../../core/store.js";

/** @typedef {import("../../../server/practice.js").PracticeAction} PracticeAction */
/** @typedef {import("../../../server/practice.js").PracticeEvent} PracticeEvent */
/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */
/** @typedef {import("../../../server/practice.js").PracticeSettings} PracticeSettings */
/** @typedef {import("../../../server/practice.js").SegmentTiming} SegmentTiming */

/** @typedef {Omit<PracticeEvent, "at">} UntimedEvent An event without its time. */

/**
 * The segment that is playing.
 *
 * @typedef {object} Sounding
 * @property {number} token
 * @property {number} segment
 * @property {number} rate
 * @property {boolean} isHeld Whether it is paused, possibly before its sound has arrived.
 * @property {SegmentTiming | null} timing
 */

/** @typedef {{ token: number, segment: number, isTimed: boolean }} Echoing The running or paused echo pause. */

/**
 * @typedef {object} DriverParts
 * @property {(events: PracticeEvent[]) => Promise<{ session: PracticeSession, actions: PracticeAction[] }>} send
 * @property {() => number} now Seconds of a monotonic clock.
 * @property {{ load: (segment: number, rate: number) => Promise<{ sound: any, timing: Promise<SegmentTiming | null> }> }} sounds
 * @property {{ play: (sound: any, ended: () => void) => void, suspend: () => void, resume: () => void, stop: () => void }} player
 * @property {EchoPart} echo
 * @property {(signal: NonNullable<PracticeAction["signal"]>) => void} signal
 * @property {() => void} summarize
 * @property {(text: string) => void} unspoken Called with what could not be spoken of a segment, each part once.
 * @property {(error: unknown) => void} failed Called when something could not be sent or played; what was not sent is
 * sent later.
 */

/**
 * The echo pause's handler: its length, and what is recorded in it.
 *
 * @typedef {object} EchoPart
 * @property {(pause: EchoPause) => void} start
 * @property {() => void} suspend
 * @property {(remaining: number) => void} resume
 * @property {(keepsTake: boolean) => void} stop
 */

/**
 * @typedef {object} EchoPause
 * @property {number} token
 * @property {number} segment
 * @property {number} repetition
 * @property {number} rate The rate at which the segment was played.
 * @property {PracticeSession["settings"]["granularity"]} [granularity] How the text was cut then.
 * @property {number | null} seconds `null`: until the speaker falls silent.
 * @property {number} longest
 * @property {(kind: "echoElapsed" | "silenceHeard") => void} ended Called once, unless it is stopped first.
 */

/**
 * Plays a session: reports events to the server, in order, and follows its answers. The server knows what comes next;
 * the driver knows what is playing.
 */
export class PracticeDriver {
  #parts;
  session;
  /** @type {Cell<Sounding | null>} */
  sounding = new Cell(/** @type {Sounding | null} */ (null));
  /** @type {Cell<Echoing | null>} */
  echoing = new Cell(/** @type {Echoing | null} */ (null));
  /** Whether it was started here: a session continues after its page was left. */
  isBegun = new Cell(false);
  /** @type {PracticeEvent[]} */
  #waiting = [];
  /** @type {Promise<void> | null} */
  #sending = null;
  #isOver = false;
  /**
   * The sound that rests because nobody answered.
   *
   * @type {{ sounding: Sounding | null, echoing: Echoing | null } | null}
   */
  #resting = null;
  /** How many answers have arrived. */
  #answers = 0;
  /** @type {Set<string>} The parts of segments that were named because they could not be spoken. */
  #named = new Set();
  /** The rate at which the last segment was played. */
  #rate;

  /**
   * @param {PracticeSession} session
   * @param {DriverParts} parts
   */
  constructor(session, parts) {
    this.session = new Cell(session);
    this.#rate = session.settings.rate;
    this.#parts = parts;
  }

  /** Whether something is playing or awaited. */
  get isRunning() {
    const { phase } = this.session.value;
    return this.isBegun.value && (phase === "playing" || phase === "echo");
  }

  /** Starts, continues or pauses. */
  toggle() {
    if (!this.isBegun.value || this.session.value.phase === "finished") return this.begin();
    return this.send({ kind: this.isRunning ? "pause" : "resume" });
  }

  begin() {
    this.isBegun.set(true);
    return this.send({ kind: "begin" });
  }

  /** Pauses, if it is running. */
  rest() {
    return this.isRunning ? this.send({ kind: "pause" }) : Promise.resolve();
  }

  /** @param {"hidden" | "deviceLost" | "locked"} reason */
  interrupt(reason) {
    return this.isRunning ? this.send({ kind: "interrupt", reason }) : Promise.resolve();
  }

  /** Plays the present segment from its start again. */
  again() {
    return this.goTo(this.session.value.position.segment);
  }

  /** @param {number} segment From 1. */
  async goTo(segment) {
    const isFirst = !this.isBegun.value;
    this.isBegun.set(true);
    if (isFirst) return this.send({ kind: "jump", segment }, { kind: "begin" });
    const wasResting = this.session.value.phase === "paused" || this.session.value.phase === "idle";
    return wasResting ? this.send({ kind: "jump", segment }, { kind: "resume" }) : this.send({ kind: "jump", segment });
  }

  /**
   * @param {Partial<PracticeSettings>} settings Only the changes: the others may have changed on the server by now.
   * @param {{ isKept?: boolean }} options Whether later sessions begin with them.
   */
  change(settings, { isKept = true } = {}) {
    return this.send({ kind: "setSettings", settings, ...(isKept ? {} : { isKept }) });
  }

  /**
   * Reports events to the server, and follows its answer.
   *
   * @param {...UntimedEvent} events
   * @returns {Promise<void>} Fulfilled when all events have been sent, or cannot be at the moment.
   */
  send(...events) {
    if (this.#isOver) return Promise.resolve();
    const at = this.#parts.now();
    this.#waiting.push(...events.map((event) => ({ ...event, at })));
    return this.retry();
  }

  /** Sends the events that could not be sent. */
  retry() {
    if (this.#waiting.length === 0 || this.#isOver) return Promise.resolve();
    return (this.#sending ??= this.#sendAll());
  }

  /** How many answers have arrived, for {@link learn}. */
  get answers() {
    return this.#answers;
  }

  /** Fulfilled when no request is pending. */
  get settled() {
    return this.#sending ?? Promise.resolve();
  }

  /**
   * Adopts settings that were changed elsewhere, and, while nothing is heard or repeated here, where the session was
   * left or ended elsewhere.
   *
   * @param {PracticeSession} session As the server has it.
   * @param {number} answers How many answers had arrived when it was requested.
   * @returns {boolean} Whether it was recent enough: no event was sent or answered since.
   */
  learn(session, answers) {
    if (this.#sending !== null || answers !== this.#answers) return false;
    // Pending events may change it again.
    if (!this.#isOver && this.#waiting.length === 0) this.#adopt(session);
    return true;
  }

  /** @param {PracticeSession} session */
  #adopt(session) {
    const { phase, position } = this.session.value;
    const isLeftElsewhere = session.position.segment !== position.segment || session.phase === "finished";
    if (this.isRunning || phase === "finished" || !isLeftElsewhere) {
      this.session.set({ ...this.session.value, settings: session.settings });
      return;
    }
    this.#silence();
    this.isBegun.set(false);
    this.session.set(session);
  }

  /** Ends it here. The session stays as it is, and can continue another time. */
  close() {
    this.#isOver = true;
    this.#silence();
  }

  async #sendAll() {
    while (this.#waiting.length > 0 && !this.#isOver) {
      const events = this.#waiting;
      this.#waiting = [];
      try {
        const { session, actions } = await this.#parts.send(events);
        this.#answers += 1;
        if (this.#isOver) break;
        const before = this.session.value.phase;
        this.session.set(session);
        for (const action of actions) this.#perform(action);
        this.#settle(before, session.phase);
        this.#notice(session.phase);
        this.#goOn(session.phase);
      } catch (error) {
        const { status = 0 } = /** @type {{ status?: number }} */ (error ?? {});
        if (status === 0) this.#waitFor(events);
        else this.#giveUp();
        this.#parts.failed(error);
        break;
      }
    }
    this.#sending = null; // at once: what comes next must be sent again
  }

  /**
   * Ends a pause that the server knows nothing of any more. What was recorded is a take unless the pause was resting.
   *
   * @param {PracticeSession["phase"]} before The phase before the answer.
   * @param {PracticeSession["phase"]} phase
   */
  #settle(before, phase) {
    if (this.echoing.value === null || phase === "echo" || phase === "paused") return;
    this.#parts.echo.stop(before !== "paused");
    this.echoing.set(null);
  }

  /**
   * Notices that nothing plays here although the session continues: it is practiced elsewhere, and must be started
   * again here.
   *
   * @param {PracticeSession["phase"]} phase
   */
  #notice(phase) {
    const goesOn = phase === "playing" || phase === "echo";
    const isSilent = this.sounding.value === null && this.echoing.value === null && this.#waiting.length === 0;
    if (goesOn && isSilent && this.isBegun.value) this.isBegun.set(false);
  }

  /** After an error response: silent, so that the next press starts the segment again. */
  #giveUp() {
    this.#waiting = this.#waiting.filter(({ kind }) => kind === "setSettings");
    this.#silence();
    this.isBegun.set(false);
  }

  /**
   * Nobody answered: playback pauses until the server does.
   *
   * @param {PracticeEvent[]} events
   */
  #waitFor(events) {
    this.#waiting.unshift(...events);
    this.#resting = { sounding: this.sounding.value, echoing: this.echoing.value };
    this.#parts.player.suspend();
    this.#parts.echo.suspend();
  }

  /**
   * The server answers again: what rested continues, unless the answer has paused or replaced it.
   *
   * @param {PracticeSession["phase"]} phase
   */
  #goOn(phase) {
    const { sounding = null, echoing = null } = this.#resting ?? {};
    this.#resting = null;
    if (phase === "playing" && sounding !== null && sounding === this.sounding.value) this.#parts.player.resume();
    if (phase === "echo" && echoing !== null && echoing === this.echoing.value) this.#parts.echo.resume(0);
  }

  #silence() {
    this.#parts.player.stop();
    this.#parts.echo.stop(false);
    this.sounding.set(null);
    this.echoing.set(null);
  }

  /** @param {PracticeAction} action */
  #perform(action) {
    const { kind, token = 0, segment = 0, rate = this.#rate } = action;
    switch (kind) {
      case "prepare":
        this.#parts.sounds.load(segment, rate).catch(() => {}); // it is reported in its turn
        return;
      case "play":
        this.#play({ token, segment, rate, isHeld: false, timing: null });
        return;
      case "startEcho":
        this.#startEcho(action);
        return;
      case "signal":
        this.#parts.signal(action.signal ?? "segmentEnd");
        return;
      case "summarize":
        this.#parts.summarize();
        return;
      default:
        if (kind.endsWith("Playback")) this.#changePlayback(kind, token);
        else this.#changeEcho(action, token);
    }
  }

  /** @param {Sounding} sounding */
  async #play(sounding) {
    const { token, segment, rate } = sounding;
    this.#rate = rate;
    this.#parts.player.stop();
    this.sounding.set(sounding);
    try {
      const { sound, timing } = await this.#parts.sounds.load(segment, rate);
      if (this.sounding.value !== sounding) return;
      this.#parts.player.play(sound, () => this.#heard(sounding, sound.duration));
      if (sounding.isHeld) this.#parts.player.suspend();
      await sound.arrived;
      sounding.timing = await timing;
      this.#name(sounding.timing?.unspoken ?? []);
      if (this.sounding.value === sounding) this.sounding.set(sounding);
    } catch (error) {
      if (this.sounding.value !== sounding) return;
      this.#parts.player.stop(); // the rest of what is played is lost
      this.sounding.set(null);
      this.#parts.failed(error);
      this.send({ kind: "playbackFailed", token });
    }
  }

  /** @param {readonly string[]} parts What could not be spoken of a segment. */
  #name(parts) {
    const unnamed = parts.filter((part) => !this.#named.has(part));
    for (const part of unnamed) this.#named.add(part);
    if (unnamed.length > 0) this.#parts.unspoken(unnamed.join(" · "));
  }

  /**
   * @param {Sounding} sounding
   * @param {number} seconds
   */
  #heard(sounding, seconds) {
    if (this.sounding.value !== sounding) return;
    this.sounding.set(null);
    this.send({ kind: "playbackFinished", token: sounding.token, seconds });
  }

  /**
   * @param {PracticeAction["kind"]} kind
   * @param {number} token
   */
  #changePlayback(kind, token) {
    const sounding = this.sounding.value;
    if (sounding?.token !== token) return;
    if (kind === "stopPlayback") {
      this.#parts.player.stop();
      this.sounding.set(null);
      return;
    }
    sounding.isHeld = kind === "suspendPlayback";
    if (sounding.isHeld) this.#parts.player.suspend();
    else this.#parts.player.resume();
    this.sounding.set(sounding);
  }

  /** @param {PracticeAction} action */
  #startEcho({ token = 0, segment = 0, seconds, longest }) {
    const echoing = { token, segment, isTimed: typeof seconds === "number" };
    this.#parts.echo.start({
      token,
      segment,
      repetition: this.session.value.position.repetition,
      rate: this.#rate,
      granularity: this.session.value.settings.granularity,
      seconds: seconds ?? null,
      longest: longest ?? seconds ?? 0,
      ended: (kind) => this.echoing.value === echoing && this.send({ kind, token }),
    });
    this.echoing.set(echoing);
  }

  /**
   * @param {PracticeAction} action
   * @param {number} token
   */
  #changeEcho({ kind, seconds, keepsTake = false }, token) {
    const echoing = this.echoing.value;
    if (echoing?.token !== token) return;
    if (kind === "stopEcho") {
      this.#parts.echo.stop(keepsTake);
      this.echoing.set(null);
      return;
    }
    if (kind === "suspendEcho") this.#parts.echo.suspend();
    else this.#parts.echo.resume(seconds ?? 0);
    this.echoing.set(echoing);
  }
}

/** The rate of normal speech. */
const normal = 0.5;

/**
 * How many times as fast as normal a segment is read at a rate, as `Prosody(practiceRate:)` has it.
 *
 * @param {number} rate From 0.1 to 1.
 * @returns {number} From 0.5 to 1.5.
 */
export const speedOf = (rate) => (rate < normal ? 1 - 1.25 * (normal - rate) : normal + rate);

/**
 * The rate of a speed.
 *
 * @param {number} speed From 0.5 to 1.5.
 */
export const rateOf = (speed) => Number((speed < 1 ? normal - 0.8 * (1 - speed) : speed - normal).toFixed(3));

/**
 * The range in two fields.
 *
 * @param {string} first
 * @param {string} last
 * @returns {{ first: number, last: number } | null | undefined} `null` for none, `undefined` if invalid.
 */
export function loopOf(first, last) {
  if (first.trim() === "" && last.trim() === "") return null;
  const [from, to] = [Number(first), Number(last)];
  return Number.isInteger(from) && Number.isInteger(to) && from >= 1 && to >= from ? { first: from, last: to } : undefined;
}

/**
 * Whether a range ends after the last segment, as far as is known.
 *
 * @param {{ last: number } | null | undefined} loop
 * @param {{ known: number, isComplete: boolean }} segments
 */
export function isBeyond(loop, { known, isComplete }) {
  return isComplete && (loop?.last ?? 0) > known;
}

/** @typedef {import("../../../server/voices.js").Voice} Voice */

/**
 * The voices for a language, always including the present one. Favorites and installed voices come first, and in both
 * groups those of exactly the language's variant.
 *
 * @template {Voice} Speaking
 * @param {readonly Speaking[]} voices
 * @param {string} language A BCP 47 tag.
 * @param {string} present The id of the present voice.
 * @returns {Speaking[]}
 */
export function voicesFor(voices, language, present) {
  const wanted = language.toLowerCase();
  const stem = wanted.split("-")[0];
  const own = voices.filter((voice) => voice.id === present || voice.language.toLowerCase().split("-")[0] === stem);
  const isLiked = (/** @type {Voice} */ { isFavorite, engine }) => isFavorite || engine === "sherpa-onnx";
  const rank = (/** @type {Voice} */ voice) => (isLiked(voice) ? 0 : 2) + (voice.language.toLowerCase() === wanted ? 0 : 1);
  return own.sort((one, other) => rank(one) - rank(other));
}

/**
 * The name of a session's voice, or that another speaks for one that was removed.
 *
 * @param {readonly import("../../../core/store.js").TitledVoice[] | null} voices `null` while they are unknown.
 * @param {string} id Of the session's voice, which may be a variant, such as `espeak/en-US+f3`.
 */
export function voiceName(voices, id) {
  if (voices === null) return "";
  const own = voices.find((one) => one.id === id);
  if (own !== undefined) return own.title;
  return voices.some((one) => one.id === id.split("+")[0]) ? "" : `${missingVoice(id)}: ${t("voices.lost.do")}`;
}

/**
 * The name of a voice that is not installed: that in a profile, else the one within the voice's id.
 *
 * @param {string} id Such as `piper/en_US-lessac-medium`.
 */
export function missingVoice(id) {
  const given = profiles.value?.profiles.find(({ voice }) => voice === id)?.voiceName;
  const name = given ?? /^piper\/[^-]+-([^-]+)/.exec(id)?.[1]?.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
  return name === undefined ? t("profiles.missing") : t("voice.missing", { name });
}

/** With more segments than this, a bar is shown. */
const maximumDots = 60;

/**
 * The position among the segments.
 *
 * @param {{ known: number, isComplete: boolean }} segments
 * @returns {"dots" | "bar"}
 */
export function progressKind({ known, isComplete }) {
  return isComplete && known <= maximumDots ? "dots" : "bar";
}

/**
 * The segment at a fraction of the width.
 *
 * @param {number} part From 0 to 1.
 * @param {number} count
 */
export function segmentAt(part, count) {
  return Math.max(1, Math.min(count, Math.floor(part * count) + 1));
}

/** The position of the present segment in the text: a dot per segment, or a bar. A press goes there. */
export class ProgressDots {
  #dots = h("div", { class: "progress-dots" });
  #count = 0;
  #kind = "";
  element = h("div", { class: "practice-progress", role: "progressbar", "aria-label": t("practice.progress"), "aria-valuemin": "1" }, this.#dots);

  /** @param {{ goTo: (segment: number) => void }} actions */
  constructor({ goTo }) {
    this.element.addEventListener("click", (event) => {
      const box = this.#dots.getBoundingClientRect();
      if (box.width > 0 && this.#count > 0) goTo(segmentAt((event.clientX - box.left) / box.width, this.#count));
    });
  }

  /**
   * @param {number} present
   * @param {{ known: number, isComplete: boolean }} segments
   * @param {(number: number) => boolean} isHard
   */
  show(present, segments, isHard) {
    const kind = progressKind(segments);
    if (kind !== this.#kind || segments.known !== this.#count) this.#build(kind, segments.known);
    const text = t(segments.isComplete ? "practice.place" : "practice.place.open", { at: present, n: segments.known });
    setAttribute(this.element, "aria-valuenow", String(present));
    setAttribute(this.element, "aria-valuemax", String(Math.max(present, segments.known)));
    setAttribute(this.element, "aria-valuetext", text);
    if (kind === "bar") {
      this.#dots.style.setProperty("--part", String(segments.known === 0 ? 0 : present / segments.known));
      return;
    }
    [...this.#dots.children].forEach((dot, index) => {
      setAttribute(dot, "class", index + 1 === present ? "dot now" : index + 1 < present ? "dot past" : "dot");
      setAttribute(dot, "data-hard", isHard(index + 1));
    });
  }

  /**
   * @param {"dots" | "bar"} kind
   * @param {number} count
   */
  #build(kind, count) {
    this.#kind = kind;
    this.#count = count;
    setAttribute(this.#dots, "data-kind", kind);
    fill(this.#dots, ...(kind === "bar" ? [] : Array.from({ length: count }, () => h("span", { class: "dot" }))));
  }
}
