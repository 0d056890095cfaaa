import { segments, setSegment } from "../../components/field.js";
import { h, setText } from "../../core/dom.js";
import { habit, keepHabit } from "../../core/habit.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("./offers.js").Engine} Engine */

const name = "page.voices";

/** By what the setting calls their voices, the usual ones first. */
const engines = { natural: /** @type {Engine} */ ("sherpa-onnx"), "built-in": /** @type {Engine} */ ("espeak-ng") };

const kinds = /** @type {(keyof typeof engines)[]} */ (Object.keys(engines));

/** Which engine's voices are shown. A voice brings its engine with it, so that nothing else has to be chosen. */
export class EngineChoice {
  /** @type {Engine} */
  value;
  #about = h("p", { class: "muted small" });

  /** @param {() => void} changed */
  constructor(changed) {
    const show = (/** @type {keyof typeof engines} */ kind) => {
      this.value = engines[kind];
      this.#notify();
      changed();
    };
    const kind = habit(name, kinds, (known) => {
      if (!choice.isConnected) return;
      setSegment(choice, known);
      show(known);
    });
    this.value = engines[kind];
    const choice = segments({
      label: t("voices.engine"),
      options: [
        { value: /** @type {keyof typeof engines} */ ("natural"), label: t("voices.engine.natural") },
        { value: "built-in", label: t("voices.engine.builtIn") },
      ],
      value: kind,
      onChange: (chosen) => {
        keepHabit(name, chosen);
        show(chosen);
      },
    });
    this.element = h("div", { class: "engine-choice" }, choice, this.#about);
    this.#notify();
  }

  #notify() {
    setText(this.#about, t(this.value === "sherpa-onnx" ? "voices.engine.natural.text" : "voices.engine.builtIn.text"));
  }
}
