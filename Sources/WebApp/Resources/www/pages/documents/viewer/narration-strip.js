import { listNarrations, stopNarration } from "../../../server/narrations.js";
import { button } from "../../../components/button.js";
import { confirm } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { actionToVoices } from "../../../components/notice.js";
import { h, setAttribute, setText } from "../../../core/dom.js";
import { onServer } from "../../../server/events.js";
import { duration } from "../../../core/format.js";
import { t, wordsFor } from "../../../core/i18n.js";
import { player } from "../../../player/player.js";

/** @typedef {import("../../../server/narrations.js").Narration} Narration */

/** What is being spoken of a document just now: how far it is, to listen, to stop. */
export class NarrationStrip {
  #document;
  /** @type {Narration | null} */
  #narration = null;
  #tenth = -1;
  #words = h("p", { class: "strip-words numbers" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speak.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );

  /** @param {string} document Its id. */
  constructor(document) {
    this.#document = document;
    const listen = button({ label: t("strip.listen"), icon: "play", look: "quiet", onPress: () => this.#narration !== null && player.playNarration(this.#narration) });
    const stop = button({ label: t("strip.stop"), icon: "stop", look: "quiet", onPress: () => this.#stop() });
    this.#box = h("div", { class: "narration-strip", hidden: true }, h("div", { class: "strip-main" }, this.#words, this.#bar), listen, stop);
    this.element = h("div", {}, this.#box, this.#status);
  }

  #box;

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("narration", (narration) => this.#take(narration), signal);
    onServer("reset", () => this.#look(signal), signal);
    this.#look(signal);
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    try {
      for (const narration of await listNarrations(signal)) this.#take(narration);
    } catch {
      // The next event brings the state.
    }
  }

  /** @param {Narration} narration */
  #take(narration) {
    if (narration.document?.id !== this.#document) return;
    const isGoing = narration.state === "speaking" || narration.state === "waiting";
    if (!isGoing && narration.id !== this.#narration?.id) return;
    this.#narration = isGoing ? narration : null;
    this.#box.hidden = !isGoing;
    if (isGoing) this.#show(narration);
    else this.#ended(narration);
  }

  /** @param {Narration} narration */
  #show({ name, state: phase, characters, position, secondsLeft }) {
    const part = characters === 0 ? 0 : Math.min(1, position / characters);
    const left = phase === "speaking" && secondsLeft !== null ? ` · ${t("speak.left", { time: duration(secondsLeft) })}` : "";
    const words = `${t(phase === "waiting" ? "strip.waiting" : "strip.speaking", { name })}${left}`;
    setText(this.#words, words);
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(part * 100)));
    const tenth = Math.floor(part * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    setText(this.#status, t("speak.percent", { n: tenth * 10 }));
  }

  /** @param {Narration} narration */
  #ended({ state, name, failure }) {
    this.#tenth = -1;
    if (state === "finished") showToast({ icon: "check", text: t("strip.saved", { name }) });
    if (state === "failed") showToast({ icon: "error", text: `${t("strip.failed", { name })} ${wordsFor(failure).message}`, action: actionToVoices(failure) });
  }

  async #stop() {
    const narration = this.#narration;
    if (narration === null) return;
    const isSure = await confirm({ title: t("strip.stop.title"), detail: t("strip.stop.text"), action: t("strip.stop"), isDanger: false });
    if (!isSure) return;
    try {
      await stopNarration(narration.id, narration.seconds > 0);
    } catch (error) {
      showToast({ icon: "error", text: wordsFor(error).message, action: actionToVoices(error) });
    }
  }
}
