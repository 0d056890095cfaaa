import { Sheet } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { JobStrip } from "./transcript/job-strip.js";
import { transcriptionJobs } from "./transcription-jobs.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

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
  }

  /** @param {Transcription} job */
  #add(job) {
    const address = `/recordings/${encodeURIComponent(job.item)}`;
    const open = (/** @type {MouseEvent} */ event) => {
      event.preventDefault();
      this.closed.then(() => navigate(address));
      this.close();
    };
    const strip = new JobStrip(job);
    const row = h("li", {}, h("a", { href: address, class: "job-name", dir: "auto", onclick: open }, job.name), strip.element);
    this.#rows.set(job.id, { strip, row });
    this.#list.append(row);
  }
}
