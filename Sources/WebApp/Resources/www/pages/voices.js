import { button, icon } from "../components/button.js";
import { segments, selectField, setSegment } from "../components/field.js";
import { pageHead } from "../components/frame.js";
import { empty, errorNotice } from "../components/notice.js";
import { detailOf } from "../components/row-content.js";
import { attempt, showNews, showToast } from "../components/toast.js";
import { fill, h, setAttribute, setText } from "../core/dom.js";
import { ownLanguages, paragraphFor, qualityWords } from "../core/format.js";
import { profileName, t } from "../core/i18n.js";
import { navigate, returnIn } from "../core/router.js";
import { addShortcuts } from "../core/shortcuts.js";
import { isOpen, profiles } from "../core/store.js";
import { dismissLosses } from "../server/voices.js";
import { filterChip, filterGroup, FilterSheet } from "./list/filters.js";
import { FilterButton, habit, keepHabit, SearchField, SortButton } from "./list/list-controls.js";
import { languageBeside, sampleButton, samples } from "./speaker-choice.js";
import {
  activeNarrowings,
  arrange,
  canSpeak,
  everything,
  languageTitle,
  qualities,
  upload,
  VoiceCollection,
  voiceOrders,
} from "./voices/offers.js";
import { VoiceList, VoiceSheet } from "./voices/voice-list.js";
import {
  announcement,
  CatalogueNews,
  chosenProfileText,
  openVoiceMenu,
  UploadNotice,
  voiceNotices,
  VoiceSteps,
} from "./voices/voice-steps.js";

/** @typedef {import("./voices/offers.js").Offer["engine"]} Engine */
/** @typedef {import("./voices/offers.js").Narrowing} Narrowing */
/** @typedef {import("./voices/offers.js").VoiceOrder} VoiceOrder */

/**
 * @typedef {object} VoicesHeadActions
 * @property {() => void} changed The search, the filters or the order has changed.
 * @property {() => void} goToList Moves the focus to the list.
 * @property {() => void} add Adds a voice from a file.
 * @property {() => readonly { stem: string, title: string }[]} languages The languages that have voices.
 */

/** The top of the voices: search, order and filters. */
class VoicesHead {
  /** @type {Narrowing} */
  narrowing = everything;
  #actions;
  /** @type {NarrowingSheet | null} */
  #sheet = null;
  #search;
  #sort;
  #filter = new FilterButton({ opens: "dialog", open: () => this.#openFilter() });

  /** @param {VoicesHeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
    const { changed, goToList } = actions;
    this.#search = new SearchField({ label: t("voices.search"), rest: 0, changed, goToList });
    this.#sort = new SortButton({ list: "voices", orders: voiceOrders, words: (order) => t(`voices.sort.${order}`), changed });
    this.#filter.element.disabled = true; // until the languages are loaded
    const add = button({ label: t("voices.add"), icon: "plus", iconOnly: true, onPress: actions.add });
    this.element = pageHead(t("voices.title"), this.#search.element, this.#sort.element, this.#filter.element, add);
  }

  /** The active filters, which are shown above the list. */
  get chips() {
    return this.#filter.chips;
  }

  /** @returns {VoiceOrder} */
  get order() {
    return this.#sort.order;
  }

  /** The search words; may be empty. */
  get words() {
    return this.#search.words;
  }

  /** Whether the list is searched or filtered. */
  get isNarrowed() {
    return this.words !== "" || activeNarrowings(this.narrowing).length > 0;
  }

  /** @param {boolean} has Whether the present voices can be sorted and filtered. */
  set hasChoice(has) {
    for (const one of [this.#sort.element, this.#filter.element, this.chips]) one.hidden = !has;
  }

  /** @param {number} count How many voices match. */
  showCount(count) {
    this.#filter.element.disabled = false;
    this.#sheet?.showCount(count);
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Clears the search and the filters. */
  showAll() {
    this.#search.clear();
    this.narrow(everything);
  }

  /**
   * @param {Narrowing} narrowing
   * @param {VoiceOrder} [order]
   */
  narrow(narrowing, order = this.order) {
    this.narrowing = narrowing;
    this.#sort.order = order;
    const active = activeNarrowings(narrowing).map((one) => ({ words: narrowingWords(one), without: one.without }));
    this.#filter.show(active, { none: everything, apply: (fewer) => this.narrow(fewer) });
    this.#actions.changed();
  }

  #openFilter() {
    this.#sheet = new NarrowingSheet({
      narrowing: this.narrowing,
      languages: this.#actions.languages(),
      onChange: (narrowing) => this.narrow(narrowing),
    });
    this.#sheet.open();
    this.#actions.changed();
  }
}

/**
 * The label of an active filter.
 *
 * @param {import("./voices/offers.js").ActiveNarrowing} narrowing
 */
function narrowingWords({ kind, value }) {
  if (kind === "quality") return qualityWords(value) ?? value;
  return kind === "language" ? languageTitle(value) : t(`voices.filter.${kind}`);
}

/** The setting that stores the choice of engine. */
const engineSetting = "page.voices";

/** The engines by the setting's value, the default first. */
const engines = { natural: /** @type {Engine} */ ("sherpa-onnx"), "built-in": /** @type {Engine} */ ("espeak-ng") };

const kinds = /** @type {(keyof typeof engines)[]} */ (Object.keys(engines));

/** A filter by the engine of the voices. A voice implies its engine, so nothing else must be chosen. */
class EngineChoice {
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
    const kind = habit(engineSetting, kinds, (known) => {
      if (!choice.isConnected) return;
      setSegment(choice, known);
      show(known);
    });
    this.value = engines[kind];
    const choice = segments({
      label: t("voices.engine"),
      look: "loose",
      options: [
        { value: /** @type {keyof typeof engines} */ ("natural"), label: t("voices.engine.natural") },
        { value: "built-in", label: t("voices.engine.builtIn") },
      ],
      value: kind,
      onChange: (chosen) => {
        keepHabit(engineSetting, chosen);
        show(chosen);
      },
    });
    const title = h("span", { class: "engine-title", "aria-hidden": "true" }, t("voices.engine"));
    this.element = h("div", { class: "engine-choice" }, title, choice, this.#about);
    this.#notify();
  }

  #notify() {
    setText(this.#about, t(this.value === "sherpa-onnx" ? "voices.engine.natural.text" : "voices.engine.builtIn.text"));
  }
}

/**
 * The sheet that filters the voices; the list behind follows at once.
 *
 * @extends {FilterSheet<Narrowing>}
 */
class NarrowingSheet extends FilterSheet {
  /**
   * @param {object} options
   * @param {Narrowing} options.narrowing
   * @param {readonly { stem: string, title: string }[]} options.languages The languages to choose from.
   * @param {(narrowing: Narrowing) => void} options.onChange
   */
  constructor({ narrowing, languages, onChange }) {
    super({
      title: t("filters.title"),
      filters: narrowing,
      none: everything,
      content: (choosing) => {
        const { filters: now, change } = choosing;
        return [
          filterGroup(
            t("filters.kind"),
            filterChip(t("voices.filter.installed"), now.installed, (installed) => change({ installed }), "check"),
            filterChip(t("voices.filter.favorite"), now.favorite, (favorite) => change({ favorite }), "heart"),
          ),
          qualityGroup(choosing),
          filterGroup(
            t("voices.filter.language"),
            languageField(languages, now.language ?? "", (stem) => change({ language: stem === "" ? null : stem })),
          ),
        ];
      },
      result: (count) => t("voices.filter.result", { n: count }),
      onChange,
    });
  }
}

/** @param {import("./list/filters.js").Choosing<Narrowing>} choosing */
function qualityGroup(choosing) {
  const chips = qualities.map((quality) =>
    filterChip(qualityWords(quality) ?? quality, choosing.filters.qualities.includes(quality), (isOn) => {
      const others = choosing.filters.qualities.filter((one) => one !== quality);
      choosing.change({ qualities: isOn ? [...others, quality] : others });
    }),
  );
  return filterGroup(t("voices.fact.quality"), ...chips);
}

/**
 * @param {readonly { stem: string, title: string }[]} languages
 * @param {string} value
 * @param {(stem: string) => void} onChange
 */
function languageField(languages, value, onChange) {
  const options = languages.map(({ stem, title }) => ({ value: stem, label: title }));
  const { element } = selectField({
    label: t("voices.filter.language"),
    hideLabel: true,
    groups: [{ options: [{ value: "", label: t("voices.filter.language.all") }, ...options] }],
    value,
    onChange,
  });
  return element;
}

/** @typedef {import("./voices/offers.js").Offer} Offer */

/** `<echo-voices-page>`: all voices: samples, downloads, choice and removal. */
export class VoicesPage extends HTMLElement {
  #life = new AbortController();
  /** @type {VoiceSheet | null} */
  #sheet = null;

  #collection = new VoiceCollection((before, after) => this.#changed(before, after));
  #steps = new VoiceSteps(this.#collection, {
    showInstalled: () => this.#showInstalled(),
    chosen: (offer, profile) => this.#chosen(offer, profile),
    removed: (offer) => this.#removed(offer),
  });
  #list = new VoiceList({
    take: (step, offer) => this.#steps.take(step, offer),
    markFavorite: (offer) => this.#steps.markFavorite(offer),
    openMenu: (offer, anchor) => this.#openMenu({ key: offer.id, anchor }),
    isOffline: () => this.#steps.isOffline,
  });
  #head = new VoicesHead({
    changed: () => this.#arrange(),
    goToList: () => this.#list.focus(),
    add: () => this.#upload.pick(),
    languages: () => this.#languages(),
  });
  #upload = new UploadNotice((voice) => this.#added(voice));
  #engine = new EngineChoice(() => this.#arrange());
  #news = new CatalogueNews((list) => this.#collection.replace(list));
  #current = new CurrentVoice();
  #back = h("div", { class: "voices-back" });
  #notices = h("div", { class: "voices-notices" });
  #count = h("p", { class: "list-count muted small", role: "status" });
  #place = h("div", { class: "list-place" });
  #said = h("p", { class: "visually-hidden", role: "status" });
  #alarm = h("p", { class: "visually-hidden", role: "alert" });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page", "voices-page");
    fill(
      this,
      this.#back,
      this.#head.element,
      this.#notices,
      this.#upload.element,
      this.#current.element,
      this.#engine.element,
      this.#head.chips,
      h("div", { class: "voices-line" }, this.#count, this.#news.element),
      this.#news.problem,
      this.#place,
      this.#said,
      this.#alarm,
    );
    this.#listen(signal);
    this.#showWayBack();
    this.#showWaiting();
    this.#collection.load();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#sheet?.close();
    samples.stop();
    if (!isOpen()) upload.drop();
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.addEventListener("address", () => this.#showWayBack(), { signal });
    this.#list.rows.addEventListener("row-open", (event) => this.#showInfo(detailOf(event).key), { signal });
    this.#list.rows.addEventListener("row-menu", (event) => this.#openMenu(detailOf(event)), { signal });
    this.#list.rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys[0]), { signal });
    this.#collection.start(signal);
    this.#collection.list.watch(() => this.#show(), signal);
    this.#collection.problem.watch((error) => error !== null && this.#showFailure(error), signal);
    profiles.follow(() => {
      this.#showNotices();
      this.#current.showProfile();
    }, signal);
    this.#upload.start(signal);
    addShortcuts(
      [
        { keys: "Enter", label: "shortcut.voices.open", group: "lists" },
        { keys: "Delete", label: "shortcut.voices.delete", group: "lists" },
      ],
      signal,
    );
  }

  #showWayBack() {
    fill(this.#back, wayBack());
  }

  /** Shows the collection. */
  #show() {
    this.#showNotices();
    this.#current.show(this.#collection.active);
    const list = this.#collection.list.value;
    if (list !== null) this.#news.show(list);
    const looked = this.#collection.find(this.#sheet?.id ?? "");
    if (looked !== undefined) this.#sheet?.show(looked);
    this.#arrange();
  }

  #showNotices() {
    const list = this.#collection.list.value;
    if (list === null) return;
    const { losses, isOffline } = list;
    const isStandIn = profiles.value?.isStandIn ?? false;
    const mark = JSON.stringify([losses, isOffline, isStandIn]);
    if (this.#notices.dataset.mark === mark) return; // to avoid a second announcement
    this.#notices.dataset.mark = mark;
    const hadFocus = this.#notices.contains(document.activeElement);
    fill(this.#notices, ...voiceNotices({ losses, isOffline, isStandIn }, { download: (loss) => this.#bringBack(loss), dismiss: () => this.#dismiss() }));
    if (hadFocus) this.querySelector("h1")?.focus({ preventScroll: true });
  }

  /** Shows the voices that match the search and the filters, or that none does. */
  #arrange() {
    if (this.#collection.list.value === null) return;
    setAttribute(this.#place, "aria-busy", null);
    const isNatural = this.#engine.value === "sherpa-onnx";
    this.#head.hasChoice = isNatural;
    this.#news.isOfUse = isNatural;
    const offers = this.#collection.offers.filter(({ engine }) => engine === this.#engine.value);
    const { order, words } = this.#head;
    const narrowing = isNatural ? this.#head.narrowing : everything;
    const groups = arrange(offers, { order, words, narrowing, preferred: ownLanguages() });
    const count = groups.reduce((sum, group) => sum + group.offers.length, 0);
    setText(this.#count, t(this.#head.isNarrowed ? "voices.found" : "voices.count", { n: count }));
    this.#head.showCount(count);
    if (count === 0) {
      fill(this.#place, this.#nothing());
      return;
    }
    if (this.#list.rows.parentNode !== this.#place) fill(this.#place, this.#list.rows);
    this.#list.show(groups);
  }

  #nothing() {
    const { words } = this.#head;
    const detail = words === "" ? t("voices.none.filters") : t("voices.none.words", { words });
    const showAll = () => {
      this.#head.showAll();
      this.#head.focusSearch();
    };
    return empty({ icon: "voice", text: t("voices.none"), detail, action: button({ label: t("voices.none.action"), onPress: showAll }) });
  }

  /**
   * Shows the new state of one voice.
   *
   * @param {Offer} before
   * @param {Offer} after
   */
  #changed(before, after) {
    const said = announcement(before, after);
    if (said !== null) setText(said.isUrgent ? this.#alarm : this.#said, said.text);
    this.#list.change(before, after);
    if (this.#sheet?.id === after.id) this.#sheet.show(after);
  }

  #showWaiting() {
    setAttribute(this.#place, "aria-busy", "true");
    this.#list.showWaiting();
    fill(this.#place, this.#list.rows);
  }

  /** @param {unknown} error */
  #showFailure(error) {
    const again = button({ label: t("do.again"), onPress: () => this.#collection.load() });
    setAttribute(this.#place, "aria-busy", null);
    if (this.#collection.list.value === null) fill(this.#place, errorNotice(error, again));
    else showToast({ icon: "error", text: paragraphFor(error) });
  }

  /** @param {string} id */
  #showInfo(id) {
    const offer = this.#collection.find(id);
    if (offer === undefined) return;
    const sheet = new VoiceSheet(offer, this.#steps).open();
    this.#sheet = sheet;
    sheet.signal.addEventListener("abort", () => (this.#sheet = null));
  }

  /** @param {{ key: string } & import("../components/sheet.js").MenuPlace} where */
  #openMenu({ key, anchor, point }) {
    const offer = this.#collection.find(key);
    if (offer === undefined) return;
    openVoiceMenu(
      offer,
      { steps: this.#steps, listen: (one) => samples.play({ voice: one.id }, () => {}), showInfo: ({ id }) => this.#showInfo(id) },
      { anchor, point },
    );
  }

  /** @param {string | undefined} id */
  #delete(id) {
    const offer = this.#collection.find(id ?? "");
    if (offer !== undefined) this.#steps.remove(offer);
  }

  #showInstalled() {
    this.#head.narrow({ ...everything, installed: true }, "large");
    this.#list.focus();
  }

  /**
   * @param {Offer} offer The voice that is now in use,
   * @param {import("../server/voices.js").Profile} profile in this profile.
   */
  #chosen({ fullTitle }, profile) {
    const from = cameFrom();
    const back = from === null ? undefined : { label: t("voices.back", { page: from.name }), run: () => navigate(from.path) };
    showToast({ icon: "check", text: t("voices.chosen", { name: fullTitle, profile: profileName(profile) }), action: back });
  }

  /** @param {Offer} offer Its files are deleted. */
  #removed({ id, title }) {
    showToast({ icon: "trash", text: t("voices.deleted", { name: title }) });
    this.#list.focus(id);
  }

  /** @param {import("../server/voices.js").VoiceListing} voice It was added from a file. */
  async #added({ id, name }) {
    await this.#collection.load();
    const offer = this.#collection.find(id);
    const choose = offer === undefined ? undefined : { label: t("voices.step.choose"), run: () => this.#steps.choose(offer) };
    showNews({ icon: "check", text: t("voices.upload.done", { name: offer?.title ?? name }), action: choose });
  }

  /** @param {import("../server/voices.js").Loss} loss */
  async #bringBack({ voice: id }) {
    const offer = this.#collection.find(id);
    if (offer !== undefined) await this.#steps.download(offer);
  }

  async #dismiss() {
    await attempt(async () => {
      await dismissLosses();
      await this.#collection.load();
    });
  }

  #languages() {
    const stems = new Set(this.#collection.offers.filter(({ engine }) => engine === "sherpa-onnx").map(({ stem }) => stem));
    return [...stems].map((stem) => ({ stem, title: languageTitle(stem) })).sort((one, other) => one.title.localeCompare(other.title));
  }
}

/** The voice in use, always visible above the others. */
class CurrentVoice {
  element = h("section", { class: "current-voice", "aria-label": t("voices.current"), hidden: true });
  #shown = "";
  #profile = h("p", { class: "muted small", id: chosenProfileText });

  /** Says which profile it belongs to, and that a choice changes it. */
  showProfile() {
    const all = profiles.value;
    const chosen = all?.profiles.find(({ id }) => id === all.chosen);
    setText(this.#profile, chosen === undefined ? "" : t("voices.current.profile", { profile: profileName(chosen) }));
  }

  /** @param {Offer | null} offer */
  show(offer) {
    this.element.hidden = offer === null;
    if (offer === null) return;
    const { id, title, fullTitle, engine, voice } = offer;
    const engineName = t(engine === "espeak-ng" ? "voices.engine.builtIn" : "voices.engine.natural");
    const details = [languageBeside({ engine, title, language: voice.language }, fullTitle), qualityWords(voice.quality), engineName].filter(Boolean).join(" · ");
    const mark = `${fullTitle} ${id} ${canSpeak(offer)} ${details}`;
    if (mark === this.#shown) return;
    this.#shown = mark;
    const lead = canSpeak(offer)
      ? sampleButton(() => ({ voice: id }), { label: t("sample.of", { name: title }), iconOnly: true }).element
      : h("span", { class: "voice-lead" }, icon("voice"));
    fill(
      this.element,
      lead,
      h(
        "div",
        { class: "current-voice-words" },
        h("p", { class: "muted small" }, t("voices.current")),
        h("p", { class: "current-voice-name", dir: "auto" }, fullTitle),
        h("p", { class: "muted small" }, details),
        this.#profile,
      ),
    );
  }
}

/** The page from which the user came to choose a voice, or `null`. */
function cameFrom() {
  const found = returnIn(location.search);
  return found === null || found.route.id === "voices" ? null : { name: t(found.route.title), path: found.path };
}

/** A link back to the page that needed a voice, if the user came from there. */
function wayBack() {
  const from = cameFrom();
  if (from === null) return null;
  return h("a", { class: "button quiet way-back", href: from.path }, icon("chevron-left"), t("voices.back", { page: from.name }));
}

customElements.define("echo-voices-page", VoicesPage);
