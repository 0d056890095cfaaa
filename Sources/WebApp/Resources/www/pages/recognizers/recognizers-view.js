import { button, icon } from "../../components/button.js";
import { offer, selectField } from "../../components/field.js";
import { pageHead } from "../../components/frame.js";
import { errorNotice } from "../../components/notice.js";
import { dragRow } from "../../components/row-content.js";
import { confirm, openMenu } from "../../components/sheet.js";
import { attempt } from "../../components/toast.js";
import { fill, h, kept, setAttribute, setText } from "../../core/dom.js";
import { languageName, size } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { NewestState, onServer } from "../../server/events.js";
import { changeSetting } from "../../server/settings.js";
import { deleteRecognizer, loadRecognizers } from "../../server/transcriptions.js";
import { loadVoiceListings } from "../../server/voices.js";
import { areShown, heardByAny, languageChoices, languageWords, movedOrder, offerCards, offlineNotice } from "./offers.js";

/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/** `<echo-recognizers-view>`: the recognizers in the order in which they are asked, and those that can be downloaded. */
export class RecognizersView extends HTMLElement {
  #life = new AbortController();
  #newest = new NewestState();
  #newestListings = new NewestState();
  #newestOffers = new NewestState();
  /** @type {Recognizer[]} */
  #recognizers = [];
  /** @type {string[]} The IDs that the user has put first. */
  #order = [];
  /** The last change of the order; the next one begins with what it gives. */
  #moving = Promise.resolve();
  /** @type {string | null} The recognizer whose row gets the focus at the next rendering. */
  #focus = null;
  /** @type {Map<string, { row: HTMLElement, more: HTMLElement }>} The rows by their recognizers. */
  #rows = new Map();
  #language = language.value;
  /** @type {HTMLSelectElement | null} */
  #select = null;
  #list = h("ol", { class: "recognizer-rows", "aria-labelledby": "recognizers-here" });
  #problem = h("div", {});
  /** Says that nothing can be downloaded, before somebody tries to. */
  #offline = h("div", { class: "recognizers-offline", id: "recognizers-offline" });
  #isOffline = false;
  #offers = h("div", {});
  #status = h("p", { class: "visually-hidden", role: "status" });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    const label = t("transcript.back");
    const head = pageHead(t("recognizers.title"));
    head.classList.add("transcript-head");
    head.prepend(h("a", { class: "button quiet icon-only", href: "/recordings", "aria-label": label, title: label }, icon("chevron-left")));
    document.title = `${t("recognizers.title")} · EchoText`;
    fill(
      this,
      head,
      h("p", { class: "muted" }, t("recognizers.text")),
      h("h2", { id: "recognizers-here" }, t("recognizers.here")),
      this.#problem,
      this.#list,
      h("h2", {}, t("recognizers.offers")),
      this.#offline,
      this.#languages(),
      this.#offers,
      h("p", { class: "private-note" }, icon("lock"), t("order.private")),
      this.#status,
    );
    this.#list.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#list.addEventListener("pointerdown", (event) => this.#drag(event), { signal });
    for (const event of /** @type {const} */ (["voices", "settings", "reset"])) onServer(event, () => this.#load(), signal);
    for (const event of /** @type {const} */ (["voices", "reset"])) onServer(event, () => this.#loadOffers(), signal);
    for (const event of /** @type {const} */ (["settings", "reset"])) onServer(event, () => this.#lookWhetherOffline(), signal);
    this.#load();
    this.#loadOffers();
    this.#lookWhetherOffline();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  focusTitle() {
    this.querySelector("h1")?.focus({ preventScroll: true });
  }

  // Installed ones

  async #load() {
    const { signal } = this.#life;
    try {
      const answer = await loadRecognizers(signal);
      if (signal.aborted || !this.#newest.takesAnswer(answer)) return;
      this.#recognizers = answer.recognizers;
      this.#order = answer.order;
      fill(this.#problem);
      this.#offerLanguages();
      // While a row is dragged, changes wait until it is dropped.
      if (!this.#list.querySelector(".carried")) this.#show();
    } catch (error) {
      if (!signal.aborted) fill(this.#problem, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }

  #show() {
    const active = document.activeElement instanceof HTMLElement ? document.activeElement.closest("li") : null;
    const focus = this.#focus ?? (active !== null && this.#list.contains(active) ? active.dataset.id : null);
    this.#focus = null;
    fill(this.#list, ...this.#recognizers.map((one, index) => this.#row(one, index)));
    if (this.#recognizers.length === 0) fill(this.#list, h("li", { class: "muted" }, t("order.none")));
    if (focus === null) return;
    const rows = [...this.#list.children];
    const row = rows.find((one) => one instanceof HTMLElement && one.dataset.id === focus) ?? rows[Math.min(Number(active?.dataset.index ?? 0), rows.length - 1)];
    const more = row?.querySelector("button") ?? null;
    if (more === null) this.focusTitle();
    else more.focus();
  }

  /**
   * @param {Recognizer} recognizer
   * @param {number} index
   */
  #row(recognizer, index) {
    const { id, name, engine, isDefault } = recognizer;
    const isRemote = engine === "remote";
    const facts = [
      isRemote ? t("recognizers.service") : languageWords(recognizer),
      recognizer.size !== null && size(recognizer.size),
      engine === "pocketSphinx" && t("recognizers.basic"),
      isRemote && !this.#order.includes(id) && t("recognizers.chosen"),
    ];
    const { row, more } = kept(this.#rows, id, () => this.#newRow(id));
    for (const attribute of ["aria-label", "title"]) setAttribute(more, attribute, t("recognizers.more", { name }));
    row.dataset.index = String(index);
    fill(
      row,
      row.querySelector(".recognizer-handle") ?? h("span", { class: "recognizer-handle", "aria-hidden": "true" }, icon("drag")),
      h(
        "div",
        { class: "recognizer-main" },
        h("p", { class: "recognizer-name", title: id }, name, isDefault && " ", isDefault && h("span", { class: "recognizer-first" }, t("recognizers.first"))),
        h("p", { class: "muted small" }, facts.filter(Boolean).join(" · ")),
      ),
      more,
    );
    return row;
  }

  /** @param {string} id */
  #newRow(id) {
    const more = button({ label: "", icon: "more", look: "quiet", iconOnly: true, onPress: () => this.#menu(id, more) });
    return { row: h("li", { class: "recognizer-row", "data-id": id }), more };
  }

  /**
   * @param {string} id
   * @param {Element} anchor
   */
  #menu(id, anchor) {
    const index = this.#recognizers.findIndex((one) => one.id === id);
    const recognizer = this.#recognizers[index];
    const { name, engine } = recognizer;
    const last = this.#recognizers.length - 1;
    openMenu(
      [
        { label: t("recognizers.do.first"), icon: "arrow-up", isDisabled: index === 0, run: () => this.#move(id, () => 0) },
        { label: t("queue.up"), icon: "arrow-up", key: "Alt ↑", isDisabled: index === 0, run: () => this.#move(id, (now) => now - 1) },
        { label: t("queue.down"), icon: "arrow-down", key: "Alt ↓", isDisabled: index === last, run: () => this.#move(id, (now) => now + 1) },
        ...(engine === "sherpaOnnx" ? [{ label: t("do.delete"), icon: /** @type {const} */ ("trash"), run: () => this.#remove(recognizer) }] : []),
        ...(engine === "remote"
          ? [{ label: t("recognizers.service.change"), icon: /** @type {const} */ ("settings"), run: () => navigate("/settings/transcription") }]
          : []),
      ],
      { label: t("recognizers.more", { name }), anchor },
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const row = event.target instanceof Element ? event.target.closest("li") : null;
    const recognizer = this.#recognizers.find(({ id }) => id === row?.dataset.id);
    if (!row || recognizer === undefined) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && event.altKey) this.#move(recognizer.id, (now) => now + step);
    else if (event.key === "Delete" && recognizer.engine === "sherpaOnnx") this.#remove(recognizer);
    else return;
    event.preventDefault();
  }

  /**
   * @param {string} id
   * @param {(now: number) => number} target The new position, for the present one.
   */
  #move(id, target) {
    this.#moving = this.#moving.then(() => this.#moveNow(id, target));
  }

  /**
   * @param {string} id
   * @param {(now: number) => number} target
   */
  async #moveNow(id, target) {
    const all = this.#recognizers;
    const now = all.findIndex((one) => one.id === id);
    const position = target(now);
    if (now < 0 || position < 0 || position >= all.length) return;
    const { name } = all[now];
    const order = movedOrder(all, this.#order, id, position);
    this.#focus = id;
    const isMoved = await attempt(() => changeSetting("transcription.recognizers", order.join(" ")), this.#life.signal);
    if (!isMoved) {
      this.#focus = null;
      return;
    }
    setText(this.#status, t("queue.moved", { name, place: position + 1, n: all.length }));
    await this.#load();
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    dragRow(event, this.#list, ".recognizer-handle", (id, position) => {
      this.#show();
      if (position !== null) this.#move(id, () => position);
    });
  }

  /** @param {Recognizer} recognizer */
  async #remove({ id, name, size: bytes }) {
    const detail = t("recognizers.remove.detail", { size: size(bytes ?? 0) });
    if (!(await confirm({ title: t("recognizers.remove.title", { name }), detail, action: t("do.delete") }))) return;
    if (await attempt(() => deleteRecognizer(id), this.#life.signal)) await this.#load();
  }

  // Those for download

  /** The languages that recognizers can be sought for, also those of the installed ones. */
  get #choices() {
    const heard = heardByAny(this.#recognizers);
    return languageChoices([], [...heard, this.#language]).map((one) => (one.value === "" ? { value: "", label: t("recognizers.any") } : one));
  }

  #languages() {
    const { element, select } = selectField({
      label: t("recognizers.language"),
      groups: [{ options: this.#choices }],
      value: this.#language,
      onChange: (tag) => {
        this.#language = tag;
        this.#loadOffers();
      },
    });
    this.#select = select;
    return element;
  }

  /** Offers further languages once they are known. */
  #offerLanguages() {
    const select = this.#select;
    const options = this.#choices;
    // The user may have it open; the next answer brings them.
    if (select === null || select === document.activeElement) return;
    offer(select, [{ options }], this.#language);
  }

  async #lookWhetherOffline() {
    const { signal } = this.#life;
    const list = await loadVoiceListings(signal).catch(() => null); // a press on a download says the same
    if (list === null || signal.aborted || !this.#newestListings.takesAnswer(list)) return;
    if (list.isOffline === this.#isOffline) return;
    this.#isOffline = list.isOffline;
    const hadFocus = this.#offline.contains(document.activeElement);
    fill(this.#offline, list.isOffline && offlineNotice());
    if (hadFocus) this.focusTitle();
    this.#loadOffers();
  }

  /** @param {string | undefined} entry If its row is gone, the title gets the focus. */
  #focusOffer(entry) {
    const row = [...this.#offers.querySelectorAll("li")].find(({ dataset }) => dataset.entry === entry);
    const target = row?.querySelector("button:not([hidden])");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    else this.focusTitle();
  }

  async #loadOffers() {
    const { signal } = this.#life;
    const wanted = this.#language;
    try {
      const answer = await loadRecognizers(signal, wanted === "" ? "und" : wanted);
      if (signal.aborted || wanted !== this.#language || !this.#newestOffers.takesAnswer(answer)) return;
      const { offers } = answer;
      if (areShown(this.#offers, offers, `${wanted} ${this.#isOffline}`)) return;
      const none = wanted === "" ? t("recognizers.none") : t("recognizers.none.language", { language: languageName(wanted) });
      const focused = this.#offers.contains(document.activeElement) ? document.activeElement?.closest("li") : undefined;
      const context = { language: wanted === "" ? "und" : wanted, refusal: this.#isOffline ? this.#offline.id : undefined };
      fill(this.#offers, offers.length === 0 ? h("p", { class: "muted" }, none) : offerCards(offers, context, signal));
      if (focused !== undefined) this.#focusOffer(focused?.dataset.entry);
    } catch (error) {
      if (signal.aborted || wanted !== this.#language) return;
      delete this.#offers.dataset.offers;
      fill(this.#offers, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#loadOffers() })));
    }
  }
}

customElements.define("echo-recognizers-view", RecognizersView);
