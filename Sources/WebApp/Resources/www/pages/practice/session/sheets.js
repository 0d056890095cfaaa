import { button } from "../../../components/button.js";
import { field, segments, selectField, slider, toggleSwitch } from "../../../components/field.js";
import { Sheet, withdraw } from "../../../components/sheet.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, newId } from "../../../core/dom.js";
import { number, t, times } from "../../../core/i18n.js";
import { numberSetting, voices } from "../../../core/store.js";
import { changeSetting } from "../../../server/settings.js";
import { speakerField } from "../../speaker-choice.js";
import { isBeyond, loopOf, missingVoice, voicesFor } from "./driver.js";

/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */
/** @typedef {import("../../../server/practice.js").PracticeSettings} PracticeSettings */

/** The switches of a session, by the sections of the sheet. */
const switches = /** @type {const} */ ({
  reading: ["faster", "hidesText"],
  echo: ["records", "keepsTakes"],
  signals: ["earcon", "vibration", "pulse"],
});

/** The sizes of reading text, in pixels. */
const smallestText = 18;
const largestText = 32;

/**
 * @typedef {object} SettingsSheetActions
 * @property {() => PracticeSession} session
 * @property {(change: Partial<PracticeSettings>) => Promise<void>} change Asks for consent if needed.
 * @property {(voice: string, speaker: number) => Promise<unknown>} changeVoice
 */

/** How a text is practiced. Each change applies at once, to this session and later ones. */
export class PracticeSettingsSheet extends Sheet {
  #actions;
  #factor;
  /** @type {HTMLInputElement[]} The fields of the range to repeat. */
  #ends = [];

  /** @param {SettingsSheetActions} actions */
  constructor(actions) {
    super({ title: t("practice.settings"), kind: "side", className: "practice-settings" });
    this.#actions = actions;
    const { settings } = actions.session();
    this.#factor = slider({
      label: t("practice.factor"),
      min: 0.5,
      max: 3,
      step: 0.1,
      value: settings.factor,
      format: times,
      marks: [0.5, 1, 2, 3],
      onChange: (factor) => this.#change({ factor }),
    });
    this.#factor.hidden = settings.echo !== "timed";
    this.build({
      content: [
        part("practice.part.reading", this.#voiceField(), this.#granularity(), this.#order(), ...this.#switches("reading"), textSize()),
        part("practice.part.echo", this.#echo(), this.#factor, ...this.#switches("echo")),
        part("practice.part.repeats", this.#repeats(), this.#loop()),
        part("practice.part.signals", ...this.#switches("signals")),
      ],
    });
  }

  /** @param {Partial<PracticeSettings>} change */
  #change(change) {
    return attempt(() => this.#actions.change(change), this.signal);
  }

  #voiceField() {
    const { voice, speaker } = this.#actions.session();
    const take = (/** @type {string} */ chosen, /** @type {number} */ speaker) =>
      attempt(() => this.#actions.changeVoice(chosen, speaker)).then(() => this.close());
    const { element, select } = selectField({ label: t("practice.voice"), groups: [], value: voice, onChange: (chosen) => take(chosen, 0) });
    const speakers = h("div", {});
    // The sheet may be opened before the voices are loaded.
    voices.follow((all) => {
      this.#offerVoices(select, all ?? []);
      const known = all?.find(({ id }) => id === voice);
      speakers.hidden = known === undefined || known.speakers < 2;
      fill(speakers, known === undefined || speakers.hidden ? null : speakerField(known, { value: speaker, onChange: (chosen) => take(voice, chosen) }).element);
    }, this.signal);
    return h("div", { class: "form" }, element, speakers);
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {readonly import("../../../core/store.js").TitledVoice[]} all
   */
  #offerVoices(select, all) {
    const { voice, language } = this.#actions.session();
    const option = (/** @type {string} */ id, /** @type {string} */ words) => h("option", { value: id }, words);
    const isListed = all.length === 0 || all.some(({ id }) => id === voice);
    const [stem = "", variant] = voice.split("+");
    const plain = all.find(({ id }) => id === stem);
    const words = plain === undefined ? missingVoice(voice) : `${plain.title} (${variant})`;
    fill(select, !isListed && option(voice, words), ...voicesFor(all, language, voice).map(({ id, title }) => option(id, title)));
    select.value = voice;
  }

  #granularity() {
    return choice("practice.granularity", ["sentence", "paragraph"], this.#actions.session().settings.granularity, (granularity) => {
      for (const end of this.#ends) end.value = ""; // its numbers are those of other segments
      this.#change({ granularity, loop: null });
    });
  }

  #order() {
    const orders = /** @type {const} */ (["listenAndRepeat", "together", "listenFirst"]);
    return choice("practice.order", orders, this.#actions.session().settings.order, (order) => this.#change({ order }));
  }

  #echo() {
    return choice("practice.echo", /** @type {const} */ (["off", "timed", "wait"]), this.#actions.session().settings.echo, (echo) => {
      this.#factor.hidden = echo !== "timed";
      this.#change({ echo });
    });
  }

  #repeats() {
    return slider({
      label: t("practice.repeats"),
      min: 1,
      max: 10,
      step: 1,
      value: this.#actions.session().settings.repeats,
      format: (count) => number(count),
      onChange: (repeats) => this.#change({ repeats: Math.round(repeats) }),
    });
  }

  /** The two fields of the range to repeat; both empty for none. */
  #loop() {
    const { settings, segments: all } = this.#actions.session();
    const ends = /** @type {const} */ (["first", "last"]).map((end) => {
      return field({
        label: t(`practice.loop.${end}`),
        type: "number",
        inputMode: "numeric",
        value: settings.loop === null ? "" : String(settings.loop[end]),
        attributes: { min: 1, max: all.known },
      });
    });
    const [first, last] = ends;
    const take = () => {
      const loop = loopOf(first?.input.value ?? "", last?.input.value ?? "");
      const { segments } = this.#actions.session();
      const isTooFar = isBeyond(loop, segments);
      last?.fail(loop === undefined ? t("practice.loop.wrong") : isTooFar ? t("practice.loop.tooFar", { n: segments.known }) : null);
      if (loop !== undefined && !isTooFar) this.#change({ loop });
    };
    this.#ends = ends.map(({ input }) => input);
    for (const input of this.#ends) input.addEventListener("change", take);
    return h("fieldset", { class: "practice-loop" }, h("legend", { class: "field-label" }, t("practice.loop")), ...ends.map(({ element }) => element));
  }

  /** @param {keyof typeof switches} of */
  #switches(of) {
    return switches[of].map((name) => {
      const id = newId("practice");
      const title = t(`practice.${name}`);
      const control = toggleSwitch({
        label: title,
        isOn: this.#actions.session().settings[name],
        describedBy: id,
        onChange: (isOn) => this.#switch(name, isOn, control),
      });
      const words = h("div", {}, h("p", {}, title), h("p", { class: "muted small", id }, t(`practice.${name}.text`)));
      return h("div", { class: "practice-switch" }, words, control);
    });
  }

  /**
   * @param {Exclude<keyof PracticeSettings, "rate" | "granularity" | "echo" | "factor" | "repeats" | "loop" | "order">} name
   * @param {boolean} isOn
   * @param {HTMLElement} control
   */
  async #switch(name, isOn, control) {
    await this.#change({ [name]: isOn });
    control.setAttribute("aria-checked", String(this.#actions.session().settings[name]));
  }
}

/**
 * @template {string} Value
 * @param {string} key The catalogue's key; those of the values are below it.
 * @param {readonly Value[]} values
 * @param {Value} value
 * @param {(value: Value) => void} onChange
 */
function choice(key, values, value, onChange) {
  const options = values.map((one) => ({ value: one, label: t(`${key}.${one}`) }));
  const control = segments({ label: t(key), options, value, onChange, look: "loose" });
  return h("div", { class: "practice-choice" }, h("p", { class: "field-label" }, t(key)), control);
}

function textSize() {
  return slider({
    label: t("practice.textSize"),
    min: smallestText,
    max: largestText,
    step: 1,
    value: numberSetting("page.reading-size", 20),
    format: (size) => number(size),
    onChange: (size) => attempt(() => changeSetting("page.reading-size", String(Math.round(size)))),
  });
}

/**
 * @param {string} title The catalogue's key.
 * @param {...Node} content
 */
function part(title, ...content) {
  return h("section", { class: "practice-part" }, h("h3", {}, t(title)), ...content);
}

/** How many segments are listed at a time; a book has thousands. */
const step = 100;

/** All segments, with a button to go to each; hard ones are marked. */
export class SegmentsSheet extends Sheet {
  #session;
  #texts;
  #goTo;
  #list = h("ol", { class: "segment-list" });
  #first;
  #last;
  #before = button({ label: t("practice.segments.before"), look: "quiet", onPress: () => this.#widen(-1) });
  #after = button({ label: t("practice.segments.after"), look: "quiet", onPress: () => this.#widen(1) });

  /**
   * @param {() => import("../../../server/practice.js").PracticeSession} session
   * @param {import("./segments.js").SegmentTexts} texts
   * @param {(segment: number) => void} goTo
   */
  constructor(session, texts, goTo) {
    super({ title: t("practice.segments"), kind: "side", className: "segments-sheet" });
    this.#session = session;
    this.#texts = texts;
    this.#goTo = goTo;
    const { segment } = session().position;
    this.#first = Math.max(1, segment - step / 2);
    this.#last = this.#first + step - 1;
    this.build({ content: [this.#before, this.#list, this.#after] });
  }

  open() {
    super.open();
    this.#load(true);
    return this;
  }

  /** @param {1 | -1} side */
  #widen(side) {
    if (side < 0) this.#first = Math.max(1, this.#first - step);
    else this.#last += step;
    this.#load(false);
  }

  /** @param {boolean} isFirst Whether to scroll to the present segment. */
  async #load(isFirst) {
    const windows = [];
    for (let number = this.#first; number <= this.#last; number += 50) windows.push(this.#texts.need(number));
    await Promise.allSettled(windows);
    if (this.signal.aborted) return;
    const present = this.#session().position.segment;
    const rows = [];
    for (let number = this.#first; number <= this.#last; number += 1) {
      const segment = this.#texts.at(number);
      if (segment !== null) rows.push(this.#row(segment, number === present));
    }
    fill(this.#list, ...rows);
    withdraw(this.#before, "hidden", this.#first === 1, this.#list.querySelector("button"));
    const { known, isComplete } = this.#texts.countWith(this.#session().segments);
    const isWhole = isComplete ? this.#last >= known : rows.length < this.#last - this.#first + 1;
    withdraw(this.#after, "hidden", isWhole, this.#list.querySelector("li:last-child button"));
    const current = this.#list.querySelector("[aria-current]");
    if (!isFirst || !(current instanceof HTMLElement)) return;
    current.scrollIntoView({ block: "center" });
    current.focus({ preventScroll: true });
  }

  /**
   * @param {import("../../../server/practice.js").PracticeSegment} segment
   * @param {boolean} isPresent
   */
  #row({ number, text, isHeading, isHard }, isPresent) {
    const onclick = () => {
      this.close();
      this.#goTo(number);
    };
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: isHeading ? "segment-entry heading" : "segment-entry", "aria-current": isPresent ? "true" : null, onclick },
        h("span", { class: "segment-number muted small numbers" }, String(number)),
        h("span", { dir: "auto" }, text),
        isHard ? h("span", { class: "practice-hard small" }, t("practice.hard")) : null,
      ),
    );
  }
}
