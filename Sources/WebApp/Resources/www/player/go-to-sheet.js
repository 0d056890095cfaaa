import { button } from "../components/button.js";
import { Sheet } from "../components/sheet.js";
import { h, setAttribute, setText } from "../core/dom.js";
import { clock } from "../core/format.js";
import { t } from "../core/i18n.js";
import { player } from "./player.js";

/** The small sheet in which the user types a time to seek to. */
export class GoToSheet extends Sheet {
  #field = h("input", {
    class: "field numbers",
    value: clock(player.now()),
    autofocus: true,
    "aria-label": t("player.go"),
    autocomplete: "off",
  });

  #problem = h("p", { class: "field-error", role: "alert" });

  /** @param {Element} anchor */
  constructor(anchor) {
    super({ title: t("player.go"), anchor });
    this.#field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault(); // otherwise the same key would press the button that gets the focus
      this.#go();
    });
    this.#field.addEventListener("input", () => this.#complain(null));
    this.build({
      content: [this.#field, this.#problem, h("p", { class: "field-help" }, t("player.go.help", { duration: clock(player.duration) }))],
      actions: [button({ label: t("player.go.do"), look: "primary", onPress: () => this.#go() })],
    });
  }

  open() {
    super.open();
    this.#field.select();
    return this;
  }

  #go() {
    const seconds = secondsOf(this.#field.value);
    if (seconds === null) {
      this.#complain(t("player.go.wrong"));
      return;
    }
    player.seek(seconds);
    this.close();
  }

  /** @param {string | null} words Why the input is not a time. */
  #complain(words) {
    setText(this.#problem, words ?? "");
    setAttribute(this.#field, "aria-invalid", words === null ? null : "true");
  }
}

/**
 * @param {string} typed For example 3:40 or 1:02:10 or 95.
 * @returns {number | null}
 */
function secondsOf(typed) {
  if (typed.split(":").some((part) => part.trim() === "")) return null;
  const parts = typed.split(":").map((part) => Number(part.replace(",", ".")));
  if (parts.length > 3 || parts.some((part, at) => !(part >= 0 && part < (at === 0 ? Infinity : 60)))) return null;
  return parts.reduce((sum, part) => sum * 60 + part, 0);
}
