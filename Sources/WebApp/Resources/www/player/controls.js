import { button, setIcon } from "../components/button.js";
import { slider } from "../components/field.js";
import { openMenu, Sheet, withdraw } from "../components/sheet.js";
import { h, newId, setAttribute, setText } from "../core/dom.js";
import { clock } from "../core/format.js";
import { number, t, times } from "../core/i18n.js";
import { settings } from "../core/store.js";
import { player, stepSeconds } from "./player.js";
import { fastest, slowest } from "./sound.js";

/** The small sheet in which the user types a time to seek to. */
class GoToSheet extends Sheet {
  #problem = h("p", { class: "field-error", role: "alert", id: newId("time") });
  #field = h("input", {
    class: "field numbers",
    value: clock(player.now()),
    autofocus: true,
    "aria-label": t("player.go"),
    "aria-describedby": this.#problem.id,
    autocomplete: "off",
  });

  /** @param {Element} anchor */
  constructor(anchor) {
    super({ title: t("player.go"), anchor });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // otherwise the same key would press the button that gets the focus
      this.#go();
    });
    this.#field.addEventListener("input", () => this.#complain(null));
    this.build({
      content: [this.#field, this.#problem, h("p", { class: "field-help" }, t("player.go.help", { duration: clock(player.duration) }))],
      actions: [button({ label: t("player.go.do"), look: "primary", onPress: () => this.#go() })],
    });
  }

  open() {
    super.open();
    this.#field.select();
    return this;
  }

  #go() {
    const seconds = secondsOf(this.#field.value);
    if (seconds === null || seconds > player.duration) {
      this.#complain(seconds === null ? t("player.go.wrong") : t("player.go.beyond", { duration: clock(player.duration) }));
      return;
    }
    player.seek(seconds);
    this.close();
  }

  /** @param {string | null} words Why the input is not a time. */
  #complain(words) {
    setText(this.#problem, words ?? "");
    setAttribute(this.#field, "aria-invalid", words === null ? null : "true");
  }
}

/**
 * @param {string} typed For example 3:40 or 1:02:10 or 95.
 * @returns {number | null}
 */
function secondsOf(typed) {
  if (typed.split(":").some((part) => part.trim() === "")) return null;
  const parts = typed.split(":").map((part) => Number(part.replace(",", ".")));
  if (parts.length > 3 || parts.some((part, at) => !(part >= 0 && part < (at === 0 ? Infinity : 60)))) return null;
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}

/** @typedef {import("../components/button.js").IconName} IconName */

/**
 * The player's buttons, each updated until `signal` is aborted; the bar and the full view use them.
 */

/**
 * @param {AbortSignal} signal
 * @returns {HTMLButtonElement}
 */
function playButton(signal) {
  const element = button({ label: t("do.play"), icon: "play", look: "primary", iconOnly: true, className: "play-button", onPress: () => player.toggle() });
  const update = () => {
    const isOn = player.phase.value === "playing" || player.phase.value === "loading";
    name(element, t(isOn ? "do.pause" : "do.play"));
    setIcon(element, isOn ? "pause" : "play");
    setAttribute(element, "aria-busy", player.phase.value === "loading" ? "true" : null);
    const isIdle = player.track.value === null && player.queue.entries.length === 0;
    element.disabled = isIdle && !player.hasRecordings.value;
  };
  player.phase.follow(update, signal);
  player.track.watch(update, signal);
  player.queue.state.watch(update, signal);
  player.hasRecordings.watch(update, signal);
  return element;
}

/**
 * Moves back or forward by the step in the settings, which the icon shows.
 *
 * @param {1 | -1} direction
 * @param {AbortSignal} signal
 */
function stepButton(direction, signal) {
  const element = quiet("", direction > 0 ? "forward" : "back", () => player.skip(direction));
  const count = h("span", { class: "step-count", "aria-hidden": "true" });
  element.append(count);
  element.classList.add("step-button");
  settings.follow(() => {
    name(element, t(direction > 0 ? "player.forward" : "player.back", { n: stepSeconds() }));
    setText(count, number(stepSeconds()));
  }, signal);
  needsTrack(element, signal);
  return element;
}

/**
 * The five main buttons: previous, back, play, forward, next.
 *
 * @param {AbortSignal} signal
 */
export function transport(signal) {
  return h(
    "div",
    { class: "transport" },
    previousButton(signal),
    stepButton(-1, signal),
    playButton(signal),
    stepButton(1, signal),
    nextButton(signal),
  );
}

/** @param {AbortSignal} signal */
function previousButton(signal) {
  const element = quiet(t("player.previous"), "previous", () => player.previous());
  needsTrack(element, signal);
  return element;
}

/** @param {AbortSignal} signal */
function nextButton(signal) {
  const element = quiet(t("player.next"), "next", () => player.next());
  const update = () => withdraw(element, "disabled", !player.hasNext, element.parentElement?.querySelector(".play-button"));
  for (const cell of [player.queue.state, player.neighbours, player.track, settings]) /** @type {typeof player.track} */ (cell).follow(update, signal);
  return element;
}

/** @param {AbortSignal} signal */
export function muteButton(signal) {
  const element = quiet(t("player.mute"), "volume", () => player.setMuted(!player.isMuted.value));
  player.isMuted.follow((isMuted) => {
    name(element, t(isMuted ? "player.unmute" : "player.mute"));
    setIcon(element, isMuted ? "mute" : "volume");
  }, signal);
  return element;
}

/** @param {AbortSignal} signal */
export function rateButton(signal) {
  const element = button({ label: "", look: "quiet", className: "rate-button numbers", opens: true, onPress: () => new RateSheet(element).open() });
  player.rate.follow((rate) => {
    setText(/** @type {Element} */ (element.firstElementChild), times(rate));
    element.setAttribute("aria-label", t("player.rate.now", { rate: times(rate) }));
    element.title = t("player.rate");
  }, signal);
  return element;
}

/** The small sheet that sets the player's speed. */
class RateSheet extends Sheet {
  #control = slider({
    label: t("player.rate"),
    hideLabel: true,
    min: slowest,
    max: fastest,
    step: 0.05,
    value: player.rate.value,
    format: times,
    marks: [0.5, 1, 1.5, 2, 3],
    onInput: (rate) => player.setRate(rate),
  });

  /** @param {Element} anchor */
  constructor(anchor) {
    super({ title: t("player.rate"), anchor });
    this.build({ content: [this.#control] });
  }

  open() {
    super.open();
    this.#control.focus();
    return this;
  }
}

const sleepMinutes = [5, 10, 15, 30, 45, 60];

/** @param {AbortSignal} signal */
export function sleepButton(signal) {
  const element = quiet(t("player.sleep"), "moon", () => openSleep(element));
  element.setAttribute("aria-haspopup", "menu");
  element.classList.add("sleep-button");
  const left = h("span", { class: "sleep-left numbers", "aria-hidden": "true" });
  element.append(h("span", { class: "sleep-word" }, t("player.sleep")), left);
  let timer = 0;
  const update = () => {
    const until = player.sleep.until.value;
    const minutes = typeof until === "number" ? Math.max(1, Math.ceil((until - Date.now()) / 60_000)) : null;
    setText(left, minutes === null ? "" : number(minutes));
    setAttribute(element, "aria-pressed", until === null ? null : "true");
    const state = until === "end" ? t("player.sleep.end") : minutes === null ? null : t("player.sleep.left", { n: minutes });
    name(element, state === null ? t("player.sleep") : `${t("player.sleep")}: ${state}`);
    clearTimeout(timer);
    if (minutes !== null) timer = setTimeout(update, 10_000);
  };
  player.sleep.until.follow(update, signal);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return element;
}

/** @param {Element} anchor */
function openSleep(anchor) {
  const until = player.sleep.until.value;
  openMenu(
    [
      { label: t("player.sleep.off"), isChecked: until === null, run: () => player.sleep.set(null) },
      { label: t("player.sleep.end"), isChecked: until === "end", run: () => player.sleep.set("end") },
      ...sleepMinutes.map((minutes) => ({
        label: t("player.sleep.minutes", { n: minutes }),
        isChecked: false,
        run: () => player.sleep.set(minutes),
      })),
    ],
    { label: t("player.sleep"), anchor },
  );
}

/**
 * Visible when there are several.
 *
 * @param {AbortSignal} signal
 */
export function chaptersButton(signal) {
  const element = quiet(t("player.chapters"), "chapters", () => openChapters(element));
  element.setAttribute("aria-haspopup", "menu");
  element.hidden = true;
  player.chapters.follow((chapters) => (element.hidden = chapters.length < 2), signal);
  return element;
}

/** @param {Element} anchor */
function openChapters(anchor) {
  const chapters = player.chapters.value;
  const now = player.now();
  const at = chapters.reduce((last, { start, ahead }, index) => (ahead === undefined && start <= now + 0.05 ? index : last), 0);
  openMenu(
    chapters.map(({ title, start, ahead }, index) => ({
      label: title,
      hint: ahead === undefined ? clock(start) : "",
      isDisabled: ahead !== undefined,
      isChecked: index === at,
      run: () => player.seek(start),
    })),
    { label: t("player.chapters"), anchor },
  );
}

/**
 * The seek bar, with both times. A press on the first time opens a sheet to type one.
 *
 * @param {AbortSignal} signal
 */
export function seekBar(signal) {
  const range = h("input", { type: "range", class: "range seek-range", min: "0", step: "any", "aria-label": t("player.place") });
  const elapsed = h("button", { type: "button", class: "seek-time numbers", title: t("player.go") });
  elapsed.addEventListener("click", () => new GoToSheet(elapsed).open());
  const total = h("span", { class: "seek-time numbers" });
  const line = h("div", { class: "seek-line" }, range);
  const element = h("div", { class: "seek" }, elapsed, line, total);
  // A position can be chosen without them.
  import("./seek-marks.js").then(({ standMarks }) => standMarks(line, signal), () => {});
  let isHeld = false;

  const show = (/** @type {number} */ time) => {
    const { duration } = player;
    range.max = String(Math.max(duration, 0.001));
    range.value = String(time);
    range.style.setProperty("--part", String(duration > 0 ? Math.min(1, time / duration) : 0));
    setText(elapsed, clock(time));
    elapsed.setAttribute("aria-label", t("player.go.now", { time: clock(time) }));
    setText(total, clock(duration));
    range.setAttribute("aria-valuetext", t("player.place.now", { time: clock(time), duration: clock(duration) }));
  };
  const update = () => {
    const isEmpty = player.track.value === null;
    range.disabled = isEmpty;
    elapsed.disabled = isEmpty;
    if (!isHeld) show(isEmpty ? 0 : player.time.value);
  };
  player.time.follow(update, signal);
  player.track.watch(update, signal);

  range.addEventListener("input", () => {
    isHeld = true;
    show(Number(range.value));
  });
  range.addEventListener("change", () => {
    isHeld = false;
    player.seek(Number(range.value));
  });
  range.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -60, PageUp: 60 };
    const move = moves[/** @type {keyof typeof moves} */ (event.key)];
    if (move === undefined) return;
    event.preventDefault();
    player.seek(player.now() + (event.shiftKey ? move * 2 : move));
  });
  return element;
}

/**
 * @param {string} label
 * @param {IconName} picture
 * @param {() => void} onPress
 */
export function quiet(label, picture, onPress) {
  return button({ label, icon: picture, look: "quiet", iconOnly: true, onPress });
}

/**
 * @param {HTMLElement} element
 * @param {string} label
 */
export function name(element, label) {
  setAttribute(element, "aria-label", label);
  if (element.title !== label) element.title = label;
}

/**
 * @param {HTMLButtonElement} element
 * @param {AbortSignal} signal
 */
function needsTrack(element, signal) {
  player.track.follow((track) => (element.disabled = track === null), signal);
}
