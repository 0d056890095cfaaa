import { icon } from "../../components/button.js";
import { attempt } from "../../components/toast.js";
import { fill, h, loadStyle } from "../../core/dom.js";
import { clock, shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { onServer } from "../../server/events.js";
import { listItems } from "../../server/library.js";
import { listTranscriptions } from "../../server/transcriptions.js";
import { jobWords } from "../recordings/transcription-jobs.js";
import { session } from "./session.js";

/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** @type {WeakSet<AbortSignal>} The lives of the pages that have one. */
const lives = new WeakSet();

/** How many of the last things are shown. */
const shownItems = 5;

/**
 * Shows, while nothing is written, the ways to everything else that people come for, and what was made last.
 *
 * @param {Element} place Empty.
 * @param {AbortSignal} signal The life of the page.
 */
export async function showFrontDoor(place, signal) {
  await loadStyle("/styles/front-door.css");
  if (signal.aborted || lives.has(signal)) return;
  lives.add(signal);
  const door = new FrontDoor(place, signal);
  session.stage.watch(() => door.update(), signal);
  session.written.watch(() => door.update(), signal);
  for (const event of /** @type {const} */ (["library", "transcription", "reset"])) onServer(event, () => door.load(), signal);
  await door.load();
}

class FrontDoor {
  #place;
  #signal;
  #isShown = false;
  /** How often the contents were asked for; an answer to an earlier question is dropped. */
  #asked = 0;
  #now = h("ul", { class: "door-now", hidden: true });
  #last = h("div", {});
  #element = h(
    "section",
    { class: "front-door", "aria-label": t("door.title") },
    h(
      "div",
      { class: "door-ways" },
      way("/documents", "document", "door.document"),
      way("/recordings", "record", "door.recording"),
      way("/practice", "practice", "door.practice"),
    ),
    h("p", { class: "muted small" }, t("import.drop.here")),
    this.#now,
    this.#last,
  );

  /**
   * @param {Element} place
   * @param {AbortSignal} signal
   */
  constructor(place, signal) {
    this.#place = place;
    this.#signal = signal;
    this.update();
  }

  update() {
    const isShown = session.stage.value.kind === "writing" && session.text.trim() === "";
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    fill(this.#place, isShown && this.#element);
    if (isShown) this.load();
  }

  /** Shows what is under way and the last things, unless a text is being written. */
  async load() {
    if (!this.#isShown) return;
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const [{ items }, jobs] = await Promise.all([
        listItems({ order: "date", ascending: false, limit: shownItems }, this.#signal),
        listTranscriptions(this.#signal),
      ]);
      if (this.#signal.aborted || asked !== this.#asked) return;
      this.#now.hidden = jobs.length === 0;
      fill(this.#now, ...jobs.map(jobRow));
      fill(this.#last, items.length > 0 && h("h2", {}, t("door.last")), items.length > 0 && h("ul", { class: "door-last" }, ...items.map(itemRow)));
    } catch {
      // The ways stay; the next event brings the rest.
    }
  }
}

/**
 * @param {string} address
 * @param {import("../../components/button.js").IconName} picture
 * @param {string} key
 */
function way(address, picture, key) {
  return h("a", { class: "door-way", href: address }, icon(picture), h("span", {}, t(key)));
}

/** @param {Transcription} job */
function jobRow(job) {
  const share = job.to > job.from ? Math.min(1, Math.max(0, (job.position - job.from) / (job.to - job.from))) : 0;
  return h("li", {}, h("a", { href: `/recordings/${encodeURIComponent(job.item)}`, dir: "auto" }, job.name), h("span", { class: "muted small" }, jobWords(job, share)));
}

/** @param {Item} item A narration is played, and what people said is opened. */
function itemRow(item) {
  const { id, name, origin } = item;
  const title =
    origin === "narrated"
      ? h("button", { type: "button", class: "door-item", dir: "auto", onclick: () => attempt(async () => player.playItem(id)) }, icon("play"), name)
      : h("a", { class: "door-item", dir: "auto", href: `/recordings/${encodeURIComponent(id)}` }, icon("text"), name);
  return h("li", {}, title, h("span", { class: "muted small numbers" }, `${clock(item.duration)} · ${shortDate(item.created)}`));
}
