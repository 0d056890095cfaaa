import { selectField } from "../../../components/field.js";
import { icon } from "../../../components/icon.js";
import { errorNotice } from "../../../components/notice.js";
import { fill, h } from "../../../core/dom.js";
import { languageName } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { isFit } from "./recognizer-fit.js";
import { offerCards } from "../../recognizers/offer-row.js";
import { onServer } from "../../../server/events.js";
import { listRecognizerOffers, listRecognizers } from "../../../server/transcriptions.js";

/** @typedef {import("../../../server/library.js").Item} Item */
/** @typedef {import("../../../server/transcriptions.js").Recognizer} Recognizer */

/**
 * @typedef {object} StartListener
 * @property {(canStart: boolean) => void} ready Whether a recogniser for the language is installed.
 * @property {() => void} come Called when the recogniser downloaded here is installed.
 */

/** The introduction to a check: what it does and which recogniser it uses, or which ones can be downloaded. */
export class CheckStart {
  element = h("div", { class: "check-start" });
  /** @type {string | undefined} The id of the recogniser to use. */
  recognizer;
  #item;
  #listener;
  #signal;
  #choice = h("div", {});
  #offers = h("div", {});
  /** Whether a download was started here. */
  #isAwaiting = false;
  /** @type {Set<string> | null} The recognisers installed before it. */
  #known = null;

  /**
   * @param {Item} item
   * @param {StartListener} listener
   * @param {AbortSignal} signal
   */
  constructor(item, listener, signal) {
    this.#item = item;
    this.#listener = listener;
    this.#signal = signal;
    fill(
      this.element,
      h("p", {}, t("check.intro")),
      this.#choice,
      this.#offers,
      h("p", { class: "private-note" }, icon("lock"), t("order.private")),
    );
    onServer("voices", () => this.element.isConnected && this.load(), signal);
  }

  async load() {
    try {
      const known = (await listRecognizers(this.#signal)).filter((one) => isFit(one, this.#item.language));
      if (this.#signal.aborted) return;
      const come = this.#isAwaiting ? known.find(({ id }) => !this.#known?.has(id)) : undefined;
      this.#known ??= new Set(known.map(({ id }) => id));
      this.recognizer = come?.id ?? this.recognizer ?? known[0]?.id;
      this.#show(known);
      this.#listener.ready(known.length > 0);
      if (come !== undefined) {
        this.#isAwaiting = false;
        this.#listener.come();
      } else if (known.some(({ engine }) => engine !== "pocketSphinx")) {
        fill(this.#offers);
      } else if (!this.#isAwaiting) {
        await this.#offer(known.length === 0);
      }
    } catch (error) {
      if (!this.#signal.aborted) fill(this.#choice, errorNotice(error));
    }
  }

  /** @param {Recognizer[]} known */
  #show(known) {
    const options = known.map(({ id, name }) => ({ value: id, label: name }));
    const value = this.recognizer ?? "";
    const onChange = (/** @type {string} */ id) => (this.recognizer = id);
    const choice = known.length > 1 ? selectField({ label: t("order.recognizer"), groups: [{ options }], value, onChange }).element : null;
    const { language } = this.#item;
    const none = language === "und" ? t("order.none") : t("check.none", { language: languageName(language) });
    fill(this.#choice, known.length === 0 ? h("p", { class: "check-none" }, none) : choice);
  }

  /** @param {boolean} isBare Whether there is none for the language. */
  async #offer(isBare) {
    const offers = await listRecognizerOffers(this.#item.language, this.#signal);
    if (this.#signal.aborted || this.#isAwaiting) return;
    const begun = () => (this.#isAwaiting = true);
    const { language, duration: seconds } = this.#item;
    const all = h("a", { class: "button", href: "/recordings/recognizers" }, t("recognizers.title"));
    fill(
      this.#offers,
      offers.length > 0 && h("p", { class: "muted" }, t(isBare ? "order.none.detail" : "order.better")),
      offerCards(offers, { language, seconds, begun }, this.#signal),
      isBare && offers.length === 0 && all,
    );
  }
}
