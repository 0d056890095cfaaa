import { button } from "../../../components/button.js";
import { field } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { SpeakerModels } from "./speaker-models.js";
import { onServer } from "../../../server/events.js";
import { findSpeakers, loadSpeakers } from "../../../server/speakers.js";

/**
 * The sheet shown before the search for a transcript's speakers: it offers the models that are missing, and then asks for the
 * number of speakers, if known.
 */
export class FindSpeakersSheet extends Sheet {
  #transcript;
  #field;
  #place = h("div", {});
  #problem = h("div", {});
  #find = button({ label: t("speakers.find.do"), look: "primary", onPress: () => this.#begin() });

  /**
   * @param {string} transcript The version's id.
   * @param {Element} anchor
   * @param {Pick<import("../../../server/speakers.js").Speakers, "isReady" | "offers">} speakers
   */
  constructor(transcript, anchor, { isReady, offers }) {
    super({ title: t("speakers.find"), anchor, className: "speaker-sheet" });
    this.#transcript = transcript;
    this.#field = field({
      label: t("speakers.count"),
      hint: t("speakers.count.hint"),
      type: "number",
      inputMode: "numeric",
      attributes: { min: 1, max: 20, autofocus: "" },
      onEnter: () => this.#begin(),
    });
    this.build({ content: [this.#place], actions: [this.#find] });
    if (isReady) this.#ask();
    else this.#offer(offers);
  }

  #ask() {
    this.#find.hidden = false;
    fill(this.#place, this.#field.element, this.#problem, h("p", { class: "muted small" }, t("speakers.find.text")));
  }

  /** @param {import("../../../server/speakers.js").SpeakerModelOffer[]} offers */
  #offer(offers) {
    this.#find.hidden = true;
    const models = new SpeakerModels(this.signal);
    models.show(offers);
    fill(this.#place, models.element);
    onServer("voices", () => this.#look(models), this.signal);
    onServer("reset", () => this.#look(models), this.signal);
  }

  /**
   * Asks for the number of speakers once the models are here.
   *
   * @param {SpeakerModels} models
   */
  async #look(models) {
    try {
      const { isReady, offers } = await loadSpeakers(this.signal);
      if (this.signal.aborted || !this.#find.hidden) return;
      if (!isReady) {
        models.show(offers);
      } else {
        this.#ask();
        this.#field.input.focus();
      }
    } catch {
      // The next event brings them.
    }
  }

  async #begin() {
    const { input } = this.#field;
    if (!input.validity.valid) {
      this.#field.fail(t("speakers.count.wrong"));
      return;
    }
    fill(this.#problem);
    try {
      await findSpeakers(this.#transcript, input.value === "" ? null : input.valueAsNumber);
      this.close();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    }
  }
}
