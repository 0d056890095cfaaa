import { failureOf } from "./state-words.js";

/**
 * @typedef {import("./offers.js").Offer} Offer
 */

/**
 * What a person would most likely do with a voice, and what its button does:
 *
 * - `download`, `resume`, `again`: it comes;
 * - `cancel`: it does not come further;
 * - `choose`: it speaks from now on;
 * - `retry`: it is tried again, though its engine stopped over it again and again;
 * - `settings`: where a person chooses whether and where EchoText connects;
 * - `space`: the installed voices, the largest first;
 * - `remove`: it is taken away.
 *
 * @typedef {"download" | "resume" | "again" | "cancel" | "choose" | "retry" | "settings" | "space" | "remove"} Step
 */

/**
 * The step that stands in a voice's row.
 *
 * @param {Offer} offer
 * @returns {Step | null} `null` for the voice that speaks.
 */
export function mainStep(offer) {
  switch (offer.phase) {
    case "absent":
      return "download";
    case "paused":
      return "resume";
    case "ready":
      return "choose";
    case "active":
      return null;
    case "failed":
    case "broken":
      return remedy(offer);
    default:
      return "cancel";
  }
}

/**
 * What mends a failure.
 *
 * @param {Offer} offer
 * @returns {Step}
 */
function remedy(offer) {
  const { code = "" } = failureOf(offer) ?? {};
  if (/^(outbound|catalogue)\./.test(code)) return "settings";
  if (code.endsWith(".no-space")) return "space";
  if (code === "voice.set-aside") return "retry";
  return offer.voice.entry === null ? "remove" : "again";
}
