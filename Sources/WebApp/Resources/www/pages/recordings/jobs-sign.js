import { showToast, whenFree } from "../../components/toast.js";
import { icon } from "../../components/icon.js";
import { h, loadStyle, setText } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isGoing, isInstead, signWords } from "./transcript/job-words.js";
import { transcriptionJobs } from "./transcription-jobs.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** @param {{ item: string }} job */
const addressOf = ({ item }) => `/recordings/${encodeURIComponent(item)}`;

/** Shows on every page what is being transcribed, and leads to the list of it. */
export class JobsSign {
  #words = h("span", { class: "numbers" });
  element = h(
    "section",
    { class: "recorder-sign jobs-sign", "aria-label": t("jobs.title"), hidden: true },
    h("button", { type: "button", class: "recorder-sign-link", "aria-haspopup": "dialog", onclick: openJobs }, icon("text"), this.#words, icon("chevron-right")),
  );

  /** @param {AbortSignal} signal */
  start(signal) {
    transcriptionJobs.all.follow(() => this.show(), signal);
    transcriptionJobs.ended.watch((job) => job !== null && sayEnd(job), signal);
  }

  show() {
    const going = transcriptionJobs.all.value.filter(isGoing);
    // Its own page says more.
    this.element.hidden = going.every((job) => location.pathname === addressOf(job));
    setText(this.#words, this.element.hidden ? "" : signWords(going));
  }
}

async function openJobs() {
  const [{ JobsSheet }] = await Promise.all([import("./jobs-sheet.js"), loadStyle("/styles/transcript.css")]);
  new JobsSheet().open();
}

/** @param {Transcription} job */
function sayEnd(job) {
  if (location.pathname === addressOf(job)) return;
  const isElse = job.state === "done" && isInstead(job);
  const key = isElse ? "jobs.done.instead" : job.state === "done" ? "jobs.done" : "jobs.failed";
  whenFree(() => showToast({
    icon: isElse ? "warning" : job.state === "done" ? "check" : "error",
    text: t(key, { name: job.name, why: isElse ? wordsFor(job.failure).message : "" }),
    seconds: isElse ? 12 : undefined,
    action: { label: t("jobs.open"), run: () => navigate(addressOf(job)) },
  }));
}
