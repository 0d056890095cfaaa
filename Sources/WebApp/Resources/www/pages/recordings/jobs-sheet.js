import { button, icon } from "../../components/button.js";
import { Sheet } from "../../components/sheet.js";
import { attempt } from "../../components/toast.js";
import { fill, h, kept, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import {
  allowTranscription,
  cancelTranscription,
  discardTranscription,
  retryTranscription,
} from "../../server/transcriptions.js";
import { isGoing, isStopped, jobWords, shareOf, spokenWords, transcriptionJobs } from "./transcription-jobs.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** A transcription of this recording: its progress, why it is waiting or has failed, and what can be done. */
export class JobStrip {
  element;
  #job;
  #isNamed;
  #words = h("p", { class: "job-words" });
  #heard = h("p", { class: "job-heard muted", dir: "auto", hidden: true });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #actions = h("div", { class: "job-actions" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("job.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  /** @type {Map<string, HTMLButtonElement>} By what they do. */
  #buttons = new Map();
  #tenth = -1;
  #shownState = "";

  /**
   * @param {Transcription} job
   * @param {boolean} [isNamed] Whether the names of its buttons have the recording's, as among others.
   */
  constructor(job, isNamed = false) {
    this.#job = job;
    this.#isNamed = isNamed;
    this.element = h("div", { class: "job-strip" }, h("div", { class: "job-main" }, this.#words, this.#bar, this.#heard), this.#actions, this.#status);
    this.update(job);
  }

  /** @param {Transcription} job */
  update(job) {
    this.#job = job;
    const share = shareOf(job);
    this.#bar.hidden = !isGoing(job) || job.state === "waiting-for-consent";
    this.#bar.style.setProperty("--part", String(share));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(share * 100)));
    const words = jobWords(job, share);
    fill(this.#words, job.state === "failed" ? icon("error") : null, words);
    this.element.classList.toggle("failed", job.state === "failed");
    const shown = `${job.state} ${job.sending !== null} ${isStopped(job)}`;
    if (shown !== this.#shownState) {
      this.#shownState = shown;
      this.#showActions();
      setText(this.#status, spokenWords(job, share));
    } else if (Math.floor(share * 10) > this.#tenth && this.#tenth >= 0) {
      setText(this.#status, t("job.percent", { n: Math.floor(share * 10) * 10 }));
    }
    this.#tenth = Math.floor(share * 10);
  }

  /** @param {string} text The latest transcribed text. */
  showText(text) {
    this.#heard.hidden = text === "";
    setText(this.#heard, text);
  }

  #showActions() {
    const { id, name, state, sending, recognizer } = this.#job;
    const again = state === "cancelled" && isStopped(this.#job) ? "job.continue" : "job.retry";
    const act = (/** @type {string} */ key, /** @type {() => Promise<unknown>} */ work, look = "plain", what = key) => {
      const one = kept(this.#buttons, what, () => button({ label: "", look: /** @type {"plain" | "quiet" | "primary"} */ (look), onPress: () => attempt(work) }));
      setText(/** @type {Element} */ (one.lastElementChild), t(key));
      setAttribute(one, "aria-label", this.#isNamed ? `${t(key)}: ${name}` : null);
      return one;
    };
    // Without what is to be sent, another program has asked, and takes the answer.
    const isAsked = state === "waiting-for-consent" && sending !== null;
    const isOfService = state === "failed" && recognizer.startsWith("remote/");
    const hadFocus = this.#actions.contains(document.activeElement);
    fill(
      this.#actions,
      isAsked && act("consent.allow", () => allowTranscription(id, this.#job.sending), "primary"),
      ["failed", "cancelled", "retrying", "waiting-for-network"].includes(state) && act(again, () => retryTranscription(id), "plain", "again"),
      isOfService && h("a", { class: "button", href: "/settings/transcription" }, t("job.service")),
      isGoing({ state }) && act(isAsked ? "consent.refuse" : "job.cancel", () => cancelTranscription(id), "quiet", "cancel"),
      ["failed", "cancelled"].includes(state) && act("job.discard", () => discardTranscription(id), "quiet"),
    );
    if (hadFocus && !this.#actions.contains(document.activeElement)) this.#actions.querySelector("button")?.focus({ preventScroll: true });
  }
}

/** The transcriptions that are not done: how each stands, and what can be done with it. */
export class JobsSheet extends Sheet {
  #list = h("ul", { class: "jobs" });
  /** @type {Map<string, { strip: JobStrip, row: HTMLElement }>} By the ids of the transcriptions. */
  #rows = new Map();

  constructor() {
    super({ title: t("jobs.title"), kind: "side", className: "jobs-sheet" });
    this.build({ content: [this.#list] });
    transcriptionJobs.all.follow((jobs) => this.#show(jobs), this.signal);
  }

  /** @param {readonly Transcription[]} jobs */
  #show(jobs) {
    const hadFocus = this.#list.contains(document.activeElement);
    for (const id of this.#rows.keys()) {
      if (jobs.some((job) => job.id === id)) continue;
      this.#rows.get(id)?.row.remove();
      this.#rows.delete(id);
    }
    if (jobs.length === 0) fill(this.#list, h("li", { class: "muted" }, t("jobs.none")));
    else if (this.#rows.size === 0) fill(this.#list);
    for (const job of jobs) {
      const present = this.#rows.get(job.id);
      if (present !== undefined) present.strip.update(job);
      else this.#add(job);
    }
    if (hadFocus && !this.#list.contains(document.activeElement)) this.element.querySelector("h2")?.focus({ preventScroll: true });
  }

  /** @param {Transcription} job */
  #add(job) {
    const address = `/recordings/${encodeURIComponent(job.item)}`;
    const strip = new JobStrip(job, true);
    const row = h("li", {}, h("a", { href: address, class: "job-name", dir: "auto" }, job.name), strip.element);
    this.#rows.set(job.id, { strip, row });
    this.#list.append(row);
  }
}
