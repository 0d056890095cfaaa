import { button } from "../../components/button.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { practise } from "./practise-this.js";

/** How many hard sentences are listed. */
const maximumNamed = 3;

/** The sentences that were hard to say and are due again. */
export class DueCard {
  element = h("section", { class: "practice-due", "aria-labelledby": "practice-due-title", hidden: true });

  /** @param {import("../../server/practice.js").HardSegments} hard */
  show({ due, later }) {
    this.element.hidden = due.length === 0;
    if (due.length === 0) return;
    const more = due.length - maximumNamed;
    fill(
      this.element,
      h(
        "div",
        { class: "practice-due-words" },
        h("h2", { id: "practice-due-title" }, t("practice.due", { n: due.length })),
        h("ul", { class: "practice-due-list" }, ...due.slice(0, maximumNamed).map(({ text, language }) => h("li", { dir: "auto", lang: language }, text))),
        more > 0 ? h("p", { class: "muted small" }, t("practice.due.more", { n: more })) : null,
        later > 0 ? h("p", { class: "muted small" }, t("practice.due.later", { n: later })) : null,
      ),
      button({ label: t("practice.due.go"), icon: "practice", onPress: () => practise({ kind: "hard" }) }),
    );
  }
}
