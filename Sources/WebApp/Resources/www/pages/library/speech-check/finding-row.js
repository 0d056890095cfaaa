import { button } from "../../../components/button.js";
import { setBusy } from "../../../components/field.js";
import { icon, setIcon } from "../../../components/icon.js";
import { errorNotice, wayToVoices } from "../../../components/notice.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { markedParts } from "./marked-parts.js";

/** @typedef {import("../../../server/speech-check.js").Finding} Finding */

/**
 * @typedef {object} FindingActions
 * @property {(row: FindingRow) => void} hear
 * @property {(row: FindingRow) => void} speak
 */

/** A sentence that does not sound as written, or did not until it was spoken again. */
export class FindingRow {
  element;
  /** Whether it sounds as written since it was spoken again. */
  isMended = false;
  #finding;
  #head = h("p", { class: "finding-head" });
  #words = h("dl", { class: "finding-words" });
  #problem = h("div", {});
  #hear;
  #speak;

  /**
   * @param {Finding} finding
   * @param {FindingActions} actions
   */
  constructor(finding, actions) {
    this.#finding = finding;
    this.#hear = button({ label: "", icon: "play", onPress: () => actions.hear(this) });
    this.#speak = button({ label: t("check.speak"), icon: "again", onPress: () => actions.speak(this) });
    const name = t("check.sentence", { n: String(finding.number) });
    setAttribute(this.#speak, "aria-label", `${t("check.speak")}: ${name}`);
    this.element = h(
      "li",
      { class: "finding" },
      this.#head,
      this.#words,
      this.#problem,
      h("div", { class: "finding-actions" }, this.#hear, this.#speak),
    );
    this.update(finding);
  }

  get number() {
    return this.#finding.number;
  }

  /** Seconds. */
  get start() {
    return this.#finding.start;
  }

  /** Seconds. */
  get length() {
    return this.#finding.end - this.#finding.start;
  }

  /** @param {Finding} finding The present finding. */
  update(finding) {
    this.#finding = finding;
    this.isMended = false;
    const { number, kind, text, heard, differences, isSpokenAnew } = finding;
    const sign = h("span", { class: "finding-kind" }, icon("warning"), t(`check.kind.${kind}`));
    fill(this.#head, sign, ` · ${t("check.sentence", { n: String(number) })}`);
    const said = differences.map(({ heardFrom, heardTo }) => ({ from: heardFrom, to: heardTo }));
    fill(
      this.#words,
      line("check.written", marked(text, differences, "del")),
      line("check.heard", heard === "" ? [h("span", { class: "muted" }, t("check.heard.nothing"))] : marked(heard, said, "ins")),
      isSpokenAnew && line("check.anew", [t("check.anew.still")]),
    );
    this.#show();
  }

  /**
   * Shows that it now sounds as written.
   *
   * @param {{ start: number, end: number }} [times] In seconds, if they have changed.
   */
  mend(times) {
    this.isMended = true;
    this.#finding = { ...this.#finding, ...times };
    const { number, text } = this.#finding;
    const sign = h("span", { class: "finding-kind" }, icon("check"), t("check.mended"));
    fill(this.#head, sign, ` · ${t("check.sentence", { n: String(number) })}`);
    fill(this.#words, line("check.written", [text]));
    this.#show();
  }

  /** @param {number} seconds By how much its sound moved to a later time. */
  move(seconds) {
    this.#finding = { ...this.#finding, start: this.#finding.start + seconds, end: this.#finding.end + seconds };
    this.#show();
  }

  /** @param {boolean} isHeard Whether it is playing. */
  showPlaying(isHeard) {
    setIcon(this.#hear, isHeard ? "pause" : "play");
    setText(/** @type {Element} */ (this.#hear.lastElementChild), isHeard ? t("do.pause") : t("check.hear", { time: clock(this.start) }));
  }

  /** @param {"speaking" | "waiting" | "ready"} state `waiting`: another sentence is being spoken. */
  showSpeaking(state) {
    setBusy(this.#speak, state === "speaking" ? t("check.speaking") : null);
    this.#speak.disabled = state === "waiting";
    if (state === "speaking") fill(this.#problem);
  }

  /** @param {unknown} error Why it was not spoken again. */
  fail(error) {
    fill(this.#problem, errorNotice(error, wayToVoices(error)));
  }

  #show() {
    this.element.classList.toggle("mended", this.isMended);
    this.showPlaying(false);
  }
}

/**
 * @param {string} key
 * @param {(Node | string)[]} words
 */
function line(key, words) {
  return h("div", {}, h("dt", {}, t(key)), h("dd", { dir: "auto" }, ...words));
}

/**
 * A text with its differences marked, also in words for screen readers.
 *
 * @param {string} text
 * @param {{ from: number, to: number }[]} marks
 * @param {"del" | "ins"} tag
 * @returns {(Node | string)[]}
 */
function marked(text, marks, tag) {
  const name = t(tag === "del" ? "check.only.written" : "check.only.heard");
  return markedParts(text, marks).map((part) =>
    part.isMarked ? h(tag, {}, h("span", { class: "visually-hidden" }, `${name}: `), part.text) : part.text,
  );
}
