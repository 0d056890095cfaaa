import { button, icon } from "../../components/button.js";
import { attempt, showNews } from "../../components/toast.js";
import { h, loadStyle, setAttribute, setText } from "../../core/dom.js";
import { clock, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isLeft, isLive } from "./recorder-state.js";
import { recorder } from "./recorder.js";
import { soundImports } from "./sound-import-queue.js";
import { isGoing, isInstead, signWords, transcriptionJobs } from "./transcription-jobs.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** @param {{ item: string }} job */
const addressOf = ({ item }) => `/recordings/${encodeURIComponent(item)}`;

/** Shows on every page what is being transcribed, and leads to the list of it. */
class JobsSign {
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
  showNews({
    icon: isElse ? "warning" : job.state === "done" ? "check" : "error",
    text: t(key, { name: job.name, why: isElse ? wordsFor(job.failure).message : "" }),
    seconds: isElse ? 12 : undefined,
    action: { label: t("jobs.open"), run: () => navigate(addressOf(job)) },
  });
}

/** The prefix of the document's title while a microphone is recorded. */
const titleMark = "● ";

/** Whether the recorder was started, which happens once per document. */
let isStarted = false;

/**
 * The recordings' part on every page: the recorder, which continues whatever page is shown, and its indicator.
 *
 * @param {HTMLElement} top The slot above the page.
 * @param {AbortSignal} signal
 */
export async function stand(top, signal) {
  await loadStyle("/styles/recorder-sign.css");
  if (signal.aborted) return;
  if (!isStarted) {
    isStarted = true;
    recorder.start(new AbortController().signal);
    markTitle();
  }
  const sign = new RecorderSign();
  const jobs = new JobsSign();
  top.replaceChildren(sign.element, jobs.element);
  transcriptionJobs.start();
  jobs.start(signal);
  recorder.state.follow((state) => sign.show(state), signal);
  const n = soundImports.takeForgotten();
  if (n > 0) showNews({ icon: "warning", text: t("import.forgotten.sound", { n }), seconds: 20 });
  onTitle(() => {
    // Another page is shown.
    sign.show(recorder.state.value);
    jobs.show();
  }, signal);
  await recorder.recover();
}

/** Shows on every other page that a microphone is recorded, and links to the recorder. */
class RecorderSign {
  #words = h("span", { class: "numbers" });
  #stop = button({ label: t("recorder.stop"), icon: "stop", look: "quiet", onPress: endHere });
  element = h(
    "section",
    { class: "recorder-sign", "aria-label": t("recorder.title"), hidden: true },
    h("a", { class: "recorder-sign-link", href: "/recordings" }, h("span", { class: "record-dot", "aria-hidden": "true" }), this.#words, icon("chevron-right")),
    this.#stop,
  );

  /** @param {import("./recorder-state.js").RecorderState} state */
  show(state) {
    const isGoing = isLive(state);
    this.element.hidden = !(isGoing || state.phase === "saving") || location.pathname === "/recordings";
    setAttribute(this.element, "data-phase", state.phase);
    if (this.element.hidden) return;
    this.#stop.hidden = !isGoing;
    const time = clock(state.seconds);
    if (isLeft(state)) setText(this.#words, t("recorder.words.left"));
    else if (isGoing) setText(this.#words, t(state.phase === "paused" ? "recorder.sign.paused" : "recorder.sign", { time }));
    else setText(this.#words, t("recorder.words.saving"));
  }
}

async function endHere() {
  await attempt(async () => {
    const { endRecording } = await import("./recorder-card.js");
    await endRecording();
  });
  /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus({ preventScroll: true });
}

/** Puts the mark back at the start of the title, which every page rewrites. */
function markTitle() {
  const show = () => {
    const plain = document.title.replace(titleMark, "");
    const title = isLive(recorder.state.value) ? titleMark + plain : plain;
    if (document.title !== title) document.title = title;
  };
  const { signal } = new AbortController();
  onTitle(show, signal);
  recorder.state.watch(show, signal);
}

/**
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
function onTitle(changed, signal) {
  const title = document.querySelector("title");
  if (title === null) return;
  const observer = new MutationObserver(changed);
  observer.observe(title, { childList: true });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
