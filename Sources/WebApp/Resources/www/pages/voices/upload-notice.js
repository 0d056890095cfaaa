import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { number, t } from "../../core/i18n.js";
import { upload } from "./voice-upload.js";

/** @typedef {import("./voice-upload.js").Upload} Upload */

/** What an archive of a voice ends in. */
const ending = ".tar.bz2";

/** How far the voice is that is added from a file, or why it was refused. */
export class UploadNotice {
  element = h("div", { class: "voice-upload" });
  #part = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, h("div", { class: "progress-part" }));
  #words = h("p", { class: "muted small numbers", role: "status" });
  #state = "";
  #picker = h("input", { type: "file", accept: `${ending},.bz2`, class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
  #done;

  /** @param {(voice: import("../../server/voice-catalogue.js").CatalogueVoice) => void} done */
  constructor(done) {
    this.#done = done;
    this.#picker.addEventListener("change", () => {
      const [file] = this.#picker.files ?? [];
      if (file !== undefined) upload.add(file);
      this.#picker.value = "";
    });
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    upload.current.follow((current) => this.#show(current), signal);
  }

  pick() {
    if (!this.#picker.isConnected) this.element.after(this.#picker);
    this.#picker.click();
  }

  /** @param {Upload | null} current */
  #show(current) {
    const state = current === null ? "" : `${current.state} ${current.file.name}`;
    const isNew = state !== this.#state;
    this.#state = state;
    if (current?.state === "done" && current.voice !== null) {
      upload.drop();
      this.#done(current.voice);
    } else if (current === null) {
      if (isNew) fill(this.element);
    } else if (current.state === "refused") {
      if (isNew) fill(this.element, refusal(current, () => this.pick()));
    } else {
      this.#showProgress(current, isNew);
    }
  }

  /**
   * @param {Upload} current
   * @param {boolean} isNew
   */
  #showProgress({ file, state, part }, isNew) {
    setText(this.#words, state === "trying" ? t("voices.upload.trying") : t("voices.upload.sending", { n: number(Math.floor(part * 10) * 10) }));
    this.#part.style.setProperty("--part", String(part));
    setAttribute(this.#part, "aria-valuenow", String(Math.round(part * 100)));
    setAttribute(this.#part, "aria-label", t("voices.progress", { name: file.name }));
    if (!isNew) return;
    const cancel = button({ label: t("do.cancel"), look: "quiet", onPress: () => upload.drop() });
    fill(
      this.element,
      h(
        "div",
        { class: "notice" },
        icon("voice"),
        h("div", { class: "notice-words" }, h("p", { dir: "auto" }, file.name), this.#words, this.#part),
        h("div", { class: "notice-actions" }, cancel),
      ),
    );
  }
}

/**
 * @param {Upload} upload
 * @param {() => void} pick
 */
function refusal({ file, problem }, pick) {
  const another = button({ label: t("voices.upload.another"), onPress: pick });
  const away = button({ label: t("do.dismiss"), look: "quiet", onPress: () => upload.drop() });
  const element = errorNotice(problem, another, away);
  element.querySelector(".notice-words")?.prepend(h("p", { class: "small", dir: "auto" }, file.name));
  return element;
}
