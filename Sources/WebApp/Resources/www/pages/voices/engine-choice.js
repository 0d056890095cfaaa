import { segments } from "../../components/segments.js";
import { h, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("./offers.js").Engine} Engine */

/** Where the browser remembers which voices were looked at; it tells nothing about a person. */
const engineKey = "voices-engine";

/** Which engine's voices are shown. A voice brings its engine with it, so that nothing else has to be chosen. */
export class EngineChoice {
  /** @type {Engine} */
  value = localStorage.getItem(engineKey) === "espeak-ng" ? "espeak-ng" : "sherpa-onnx";
  #about = h("p", { class: "muted small" });

  /** @param {() => void} changed */
  constructor(changed) {
    const choice = segments({
      label: t("voices.engine"),
      options: [
        { value: /** @type {Engine} */ ("sherpa-onnx"), label: t("voices.engine.natural") },
        { value: "espeak-ng", label: t("voices.engine.builtIn") },
      ],
      value: this.value,
      onChange: (value) => {
        this.value = value;
        localStorage.setItem(engineKey, value);
        this.#tell();
        changed();
      },
    });
    this.element = h("div", { class: "engine-choice" }, choice, this.#about);
    this.#tell();
  }

  #tell() {
    setText(this.#about, t(this.value === "sherpa-onnx" ? "voices.engine.natural.text" : "voices.engine.builtIn.text"));
  }
}
