import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { h } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { t } from "../../../core/i18n.js";

/** @typedef {import("./take-list.js").TakeEntry} TakeEntry */

/**
 * The state of a take without a score.
 *
 * @param {TakeEntry} take
 */
export function stateWords({ state }) {
  return state === "sending" || state === "scoring" ? t("practice.take.scoring") : state === "failed" ? t("practice.take.failed") : "";
}

/**
 * Why a take has no score, and what can be done.
 *
 * @param {TakeEntry} take
 * @param {() => void} again
 */
export function problemOf(take, again) {
  if (take.state === "failed") return errorNotice(take.problem, button({ label: t("do.again"), onPress: again }));
  const reason = take.score?.reason ?? null;
  if (take.score === null || take.score.score !== null || reason === null) return null;
  const { message, suggestion } = wordsFor({ code: `practice.score.${reason}` });
  return h("p", { class: "take-reason muted" }, [message, suggestion].filter(Boolean).join(" "));
}
