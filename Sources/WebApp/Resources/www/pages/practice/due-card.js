import { button } from "../../components/button.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { practise } from "./practise-this.js";

/** How many hard sentences are listed. */
const maximumNamed = 3;

/** How many of the later ones are listed. */
const maximumUpcoming = 100;

/** The sentences that were hard to say: those that are due again, and those that wait for their day. */
export class DueCard {
  #words = h("div", { class: "practice-due-words" });
  #go = button({ label: t("practice.due.go"), icon: "practice", onPress: () => practise({ kind: "hard" }) });
  #count = h("summary", { class: "muted small" });
  #upcoming = h("div", {});
  #later = h("details", { class: "practice-due-later" }, this.#count, this.#upcoming);
  element = h("section", { class: "practice-due", hidden: true }, this.#words, this.#go, this.#later);

  /** @param {import("../../server/practice.js").HardSegments} hard */
  show({ due, upcoming }) {
    this.element.hidden = due.length + upcoming.length === 0;
    this.#words.hidden = this.#go.hidden = due.length === 0;
    this.#later.hidden = upcoming.length === 0;
    const later = t("practice.due.later", { n: upcoming.length });
    setAttribute(this.element, "aria-label", due.length === 0 ? later : t("practice.due", { n: due.length }));
    fill(
      this.#words,
      h("h2", {}, t("practice.due", { n: due.length })),
      h("ul", { class: "practice-due-list" }, ...due.slice(0, maximumNamed).map((one) => row(one))),
      andMore(due.length - maximumNamed),
    );
    setText(this.#count, later);
    fill(
      this.#upcoming,
      h("ul", { class: "practice-due-list" }, ...upcoming.slice(0, maximumUpcoming).map((one) => row(one, shortDate(one.next)))),
      andMore(upcoming.length - maximumUpcoming),
    );
  }
}

/**
 * @param {import("../../server/practice.js").HardSegment} segment
 * @param {string} [when]
 */
function row({ text, language }, when) {
  return h("li", {}, h("span", { dir: "auto", lang: language }, text), when ? h("span", { class: "muted small numbers" }, ` · ${when}`) : null);
}

/** @param {number} more */
function andMore(more) {
  return more > 0 ? h("p", { class: "muted small" }, t("practice.due.more", { n: more })) : null;
}
