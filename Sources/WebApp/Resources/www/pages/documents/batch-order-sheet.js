import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { Sheet } from "../../components/sheet.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { beginBatch } from "./batch-sheet.js";
import { chapterSwitch, SpokenAs } from "./choice/spoken-as.js";

/** The sheet for choosing how several documents are spoken before they join the batch. */
export class BatchOrderSheet extends Sheet {
  #ids;
  #begun;
  #byChapter = chapterSwitch(icon("check"));
  #spokenAs;
  #generate = button({ label: t("speak.generate"), look: "primary", onPress: () => this.#begin() });

  /**
   * @param {string[]} ids Of the documents.
   * @param {() => void} begun Called once they are in the batch.
   */
  constructor(ids, begun) {
    super({ title: t("batch.order.title", { n: ids.length }), kind: "side", className: "choice-sheet" });
    this.#ids = ids;
    this.#begun = begun;
    this.#spokenAs = new SpokenAs(t(ids.length > 1 ? "choice.name.batch" : "choice.name.text"));
    const how = h("div", { class: "choice-how" }, this.#byChapter.element, this.#spokenAs.element);
    const cancel = button({ label: t("do.cancel"), onPress: () => this.close() });
    this.build({ content: [h("p", { class: "muted" }, t("batch.order.text")), how], actions: [cancel, this.#generate] });
  }

  open() {
    super.open();
    this.#spokenAs.start(this.signal);
    return this;
  }

  async #begin() {
    if (isBusy(this.#generate) || !this.#spokenAs.check()) return;
    setBusy(this.#generate, t("speak.asking"));
    const options = { byChapter: this.#byChapter.input.checked, settings: this.#spokenAs.settings };
    if (await beginBatch(this.#ids.map((id) => ({ id })), options)) {
      this.#begun();
      this.close();
    }
    setBusy(this.#generate, null);
  }
}
