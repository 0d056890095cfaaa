import { button } from "../../../components/button.js";
import { field } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { findSpeakers } from "../../../server/speakers.js";

/** The sheet shown before the search for a transcript's speakers: it asks for their number, if known. */
export class FindSpeakersSheet extends Sheet {
  #transcript;
  #field;
  #problem = h("div", {});

  /**
   * @param {string} transcript The version's id.
   * @param {Element} anchor
   */
  constructor(transcript, anchor) {
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
    this.build({
      content: [this.#field.element, this.#problem, h("p", { class: "muted small" }, t("speakers.find.text"))],
      actions: [button({ label: t("speakers.find.do"), look: "primary", onPress: () => this.#begin() })],
    });
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
