import { h, setAttribute, setText } from "../../../core/dom.js";
import { number, t } from "../../../core/i18n.js";

/** @typedef {import("../../../server/speech-check.js").SpeechCheckProgress} Progress */

/** The progress of a check. */
export class CheckProgress {
  element;
  #words = h("p", {});
  #found = h("p", { class: "muted small" });
  #announced = h("p", { class: "visually-hidden", role: "status" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("check.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #tenth = 0;

  constructor() {
    this.element = h(
      "div",
      { class: "check-progress" },
      this.#words,
      this.#bar,
      this.#found,
      h("p", { class: "muted small" }, t("check.goes-on")),
      this.#announced,
    );
  }

  /** @param {Progress} check A queued or running check. */
  update({ state, progress, heard, sentences, found, recognizerName }) {
    const percent = number(progress * 100);
    const words = { heard, all: sentences, percent, name: recognizerName ?? "" };
    setText(this.#words, state === "queued" ? t("check.queued") : t("check.running", words));
    setText(this.#found, state === "queued" ? "" : t(found === 0 ? "check.none-so-far" : "check.found-so-far", { n: found }));
    this.#bar.style.setProperty("--part", String(progress));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(progress * 100)));
    const tenth = Math.floor(progress * 10);
    if (tenth > this.#tenth) setText(this.#announced, t("check.percent", { n: tenth * 10 }));
    this.#tenth = tenth;
  }
}
