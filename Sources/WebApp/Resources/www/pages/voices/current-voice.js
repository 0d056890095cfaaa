import { icon } from "../../components/icon.js";
import { sampleButton } from "../../components/sample.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { languageTitle } from "./language-names.js";
import { canSpeak } from "./offers.js";
import { qualityWords } from "./state-words.js";

/** @typedef {import("./offers.js").Offer} Offer */

/** The voice that speaks now, always in view above the others. */
export class CurrentVoice {
  element = h("section", { class: "current-voice", "aria-label": t("voices.current"), hidden: true });
  #shown = "";

  /** @param {Offer | null} offer */
  show(offer) {
    this.element.hidden = offer === null;
    if (offer === null) return;
    const { id, title, stem, region, engine, voice } = offer;
    const engineName = t(engine === "espeak-ng" ? "voices.engine.builtIn" : "voices.engine.natural");
    const language = region === null ? languageTitle(stem) : `${languageTitle(stem)}, ${region}`;
    const details = [language, qualityWords(voice.quality), engineName].filter(Boolean).join(" · ");
    const mark = `${id} ${canSpeak(offer)} ${details}`;
    if (mark === this.#shown) return;
    this.#shown = mark;
    const lead = canSpeak(offer)
      ? sampleButton(() => ({ voice: id }), { label: t("sample.of", { name: title }), iconOnly: true }).element
      : h("span", { class: "voice-lead" }, icon("voice"));
    fill(
      this.element,
      lead,
      h(
        "div",
        { class: "current-voice-words" },
        h("p", { class: "muted small" }, t("voices.current")),
        h("p", { class: "current-voice-name", dir: "auto" }, title),
        h("p", { class: "muted small" }, details),
      ),
    );
  }
}
