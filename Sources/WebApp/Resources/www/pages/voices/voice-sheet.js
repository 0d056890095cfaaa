import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { sampleButton, samples } from "../../components/sample.js";
import { openSheet } from "../../components/sheet.js";
import { fill, h, setText } from "../../core/dom.js";
import { longDate } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { languageTitle } from "./language-names.js";
import { canSpeak } from "./offers.js";
import { failureOf, fullName, mainStep, qualityWords, sizeWords, speedWords, stateWords } from "./state-words.js";
import { stepButton } from "./voice-steps.js";

/** @typedef {import("./offers.js").Offer} Offer */

/**
 * @typedef {object} VoiceSheet
 * @property {string} id Of the voice that it shows.
 * @property {(offer: Offer) => void} show Shows how it stands with the voice now.
 * @property {() => void} close
 */

/**
 * Opens everything that is known of a voice, and what can be done with it.
 *
 * @param {Offer} first
 * @param {import("./voice-steps.js").VoiceSteps} steps
 * @param {() => void} onClose
 * @returns {VoiceSheet}
 */
export function openVoiceSheet(first, steps, onClose) {
  const problem = h("div", { class: "voice-sheet-problem" });
  const state = h("dd", { class: "numbers" });
  const facts = h("dl", { class: "facts" });
  const actions = h("div", { class: "voice-sheet-actions" });
  let shape = "";

  /** @param {Offer} offer */
  function show(offer) {
    const failure = failureOf(offer);
    const words = failure === null ? stateWords(offer) : [];
    setText(state, words.length > 0 ? words.join(" · ") : t(`voices.phase.${offer.phase}`));
    const now = [offer.phase, failure?.message].join();
    if (now === shape) return;
    shape = now;
    fill(problem, failure === null ? null : errorNotice(failure));
    fill(facts, h("div", { class: "fact" }, h("dt", {}, t("voices.fact.state")), state), ...factsOf(offer));
    const focused = [...actions.children].findIndex((one) => one === document.activeElement);
    fill(actions, ...buttons(offer));
    if (focused >= 0) /** @type {HTMLElement | undefined} */ (actions.children[Math.min(focused, actions.children.length - 1)])?.focus();
  }

  /** @param {Offer} offer */
  function buttons(offer) {
    const step = mainStep(offer);
    const hasMain = step !== null && step !== "remove";
    return [
      hasMain
        ? stepButton(step, offer, {
            look: step === "cancel" ? "plain" : "primary",
            onPress: () => {
              if (step === "settings" || step === "space") sheet.close();
              steps.take(step, offer);
            },
          })
        : null,
      canSpeak(offer) ? sampleButton(() => ({ voice: offer.id, speaker: 0 })).element : null,
      offer.voice.installed === null
        ? null
        : button({
            label: t("do.delete"),
            icon: "trash",
            look: "quiet",
            onPress: () => {
              sheet.close();
              sheet.closed.then(() => steps.remove(offer));
            },
          }),
    ];
  }

  show(first);
  const sheet = openSheet({
    title: fullName(first),
    kind: "side",
    className: "voice-sheet",
    content: [problem, facts],
    actions: [actions],
    onClose: () => {
      samples.stop();
      onClose();
    },
  });
  return { id: first.id, show, close: () => sheet.close() };
}

/** @param {Offer} offer */
function factsOf(offer) {
  const { voice, stem, region } = offer;
  const { installed, quality, speakers, sampleRate, lastUsed } = voice;
  const language = languageTitle(stem);
  const licence = installed?.licence ?? null;
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.language", region === null ? language : `${language}, ${region}`],
    ["voices.fact.quality", qualityWords(quality)],
    [installed === null ? "voices.fact.download" : "voices.fact.disk", sizeWords(offer)],
    ["voices.fact.checksum", installed === null && !voice.hasChecksum ? t("voices.checksum.unknown") : null],
    ["voices.fact.licence", licence === null ? (installed === null ? null : t("voices.licence.unknown")) : licenceWords(licence)],
    ["voices.fact.speakers", speakers === null ? null : number(speakers)],
    ["info.sound", sampleRate === null ? null : t("info.sound.value", { rate: number(sampleRate) })],
    ["voices.fact.speed", speedWords(offer) ?? (installed === null ? null : t("voices.speed.unknown"))],
    ["voices.fact.used", lastUsed === null ? null : longDate(lastUsed)],
    ["voices.fact.installed", installed?.installedAt ? longDate(installed.installedAt) : null],
    ["voices.fact.from", installed?.url ?? null],
    ["voices.fact.id", voice.voice],
  ];
  return facts.flatMap(([key, value]) =>
    value === null ? [] : [h("div", { class: "fact" }, h("dt", {}, t(key)), h("dd", { dir: "auto" }, value))],
  );
}

/** @param {{ name: string, isCommercial: boolean | null }} licence */
function licenceWords({ name, isCommercial }) {
  if (isCommercial === null) return name;
  return t(isCommercial ? "voices.licence.trade" : "voices.licence.private", { name });
}
