import { button } from "../../../components/button.js";
import { actionToVoices } from "../../../components/notice.js";
import { withdraw } from "../../../components/sheet.js";
import { showNews, showToast } from "../../../components/toast.js";
import { h, setAttribute, setText } from "../../../core/dom.js";
import { duration, paragraphFor } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";
import { player } from "../../../player/player.js";
import { NewestState, onServer } from "../../../server/events.js";
import { listNarrations } from "../../../server/narrations.js";
import { openStopMenu, saySaved, stopAndDiscard, stopAndKeep, stopAndLeave } from "../../list/item-actions.js";
import { sayLeft } from "../batch.js";

/** @typedef {import("../../../server/narrations.js").Narration} Narration */

/** The running narration of a document: its progress, with buttons to listen and to stop. */
export class NarrationStrip {
  #document;
  /** @type {Narration | null} */
  #narration = null;
  #tenth = -1;
  #newest = new NewestState();
  #words = h("p", { class: "strip-words numbers" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speak.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );

  /** Visible while something else is in the player, which has buttons of its own for what it plays. */
  #listen = button({ label: t("strip.listen"), icon: "play", look: "quiet", onPress: () => this.#narration !== null && player.resumeNarration(this.#narration) });
  #stop = button({ label: t("strip.stop"), icon: "stop", look: "quiet", opens: true, onPress: () => this.#askToStop(this.#stop) });

  /** @param {string} document Its id. */
  constructor(document) {
    this.#document = document;
    const main = h("div", { class: "strip-main" }, this.#words, this.#bar);
    this.#box = h("div", { class: "narration-strip", hidden: true }, main, h("div", { class: "strip-actions" }, this.#listen, this.#stop));
    this.element = h("div", {}, this.#box, this.#status);
  }

  #box;

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("narration", (narration, event) => this.#isOf(narration) && this.#newest.takesEvent(event) && this.#take(narration), signal);
    onServer("reset", () => this.#look(signal), signal);
    player.track.watch(() => this.#offerToListen(), signal);
    this.#look(signal);
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    try {
      const narrations = await listNarrations(signal);
      if (!this.#newest.takesAnswer(narrations)) return;
      narrations.filter((one) => this.#isOf(one)).forEach((one) => this.#take(one));
      if (this.#narration !== null && !narrations.some(({ id }) => id === this.#narration?.id)) this.#hide();
    } catch {
      // The next event brings the state.
    }
  }

  /** @param {Narration} narration */
  #isOf(narration) {
    return narration.document?.id === this.#document;
  }

  /** @param {Narration} narration One of the document. */
  #take(narration) {
    const isGoing = narration.state === "speaking" || narration.state === "waiting";
    if (!isGoing && narration.id !== this.#narration?.id) return;
    this.#narration = isGoing ? narration : null;
    withdraw(this.#box, "hidden", !isGoing);
    if (isGoing) this.#show(narration);
    else this.#ended(narration);
  }

  /** @param {Narration} narration */
  #show({ name, state: phase, characters, position, secondsLeft }) {
    const part = characters === 0 ? 0 : Math.min(1, position / characters);
    const left = phase === "speaking" && secondsLeft !== null ? ` · ${t("speak.left", { time: duration(secondsLeft) })}` : "";
    this.#offerToListen();
    const words = `${t(phase === "waiting" ? "strip.waiting" : "strip.speaking", { name })}${left}`;
    setText(this.#words, words);
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(part * 100)));
    const tenth = Math.floor(part * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    setText(this.#status, t("speak.percent", { n: tenth * 10 }));
  }

  #offerToListen() {
    withdraw(this.#listen, "hidden", this.#narration !== null && player.isCurrent(this.#narration.id), this.#stop);
  }

  /** It ended without reporting anything. */
  #hide() {
    this.#narration = null;
    this.#tenth = -1;
    withdraw(this.#box, "hidden", true);
  }

  /** @param {Narration} narration */
  #ended({ id, state, name, failure, times }) {
    this.#tenth = -1;
    if (state === "finished" && times !== null && times.late > 0) {
      const { captions, late, seconds } = times;
      saySaved({ id, name }, t("strip.late", { n: late, all: number(captions), seconds: number(seconds, 1) }));
    } else if (state === "finished") saySaved({ id, name });
    if (state === "failed") showNews({ icon: "error", text: `${t("strip.failed", { name })} ${paragraphFor(failure)}`, action: actionToVoices(failure) });
  }

  /** @param {Element} anchor */
  #askToStop(anchor) {
    const narration = this.#narration;
    if (narration === null) return;
    const undone = (/** @type {boolean} */ isRecording) => isRecording || this.#sayLeft(narration);
    const stop = (/** @type {boolean} */ keepsPart) => this.#end(() => (keepsPart ? stopAndKeep(narration.id) : stopAndDiscard(narration, undone)));
    openStopMenu({ seconds: narration.seconds, anchor, stop, later: () => this.#leave(narration) });
  }

  /** @param {Narration} narration */
  async #leave(narration) {
    await this.#end(async () => (await stopAndLeave(narration.id)) && this.#sayLeft(narration));
  }

  /** @param {Narration} narration */
  #sayLeft(narration) {
    sayLeft(narration, async () => (await import("../../speak/speaking.js")).speaking.resume(narration.id));
  }

  /** @param {() => Promise<unknown>} stop */
  async #end(stop) {
    try {
      await stop();
    } catch (error) {
      showToast({ icon: "error", text: paragraphFor(error), action: actionToVoices(error) });
    }
  }
}
