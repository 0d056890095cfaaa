import { button, icon } from "../../components/button.js";
import { field, isBusy, offer, selectField, setBusy, toggleSwitch } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, focusTitle, Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, newId, setAttribute } from "../../core/dom.js";
import { clock, longDate, paragraphFor, size, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { setting, settings } from "../../core/store.js";
import { NewestState, onServer } from "../../server/events.js";
import { loadConnections } from "../../server/settings.js";
import { deleteService, firstWrong, listRecognizers, loadServices, saveService, tryService } from "../../server/transcriptions.js";
import { heardByAny, languageChoices, offlineNotice } from "../recognizers/offers.js";
import { line, settingGroup, settingRow } from "./setting-row.js";

/**
 * Asks before sound leaves the machine, and names the server, the bytes, the length, and whether others can read it. The focus starts on the button that
 * sends nothing.
 *
 * @param {object} sending
 * @param {string} sending.host
 * @param {number} sending.bytes
 * @param {number} sending.seconds
 * @param {boolean} [sending.isReadable]
 * @param {boolean} [sending.sendsWords]
 * @param {object} options
 * @param {string} [options.what] A sentence that describes the sound.
 * @returns {Promise<boolean>} `false` also when the sheet is dismissed.
 */
async function askConsent({ host, bytes, seconds, isReadable, sendsWords }, { what } = {}) {
  const stay = button({ label: t("consent.refuse"), onPress: () => sheet.close() });
  stay.autofocus = true;
  const go = button({ label: t("consent.allow"), look: "primary", onPress: () => sheet.close("yes") });
  const sheet = new Sheet({
    title: t("consent.title"),
    className: "question consent-sheet",
    content: [
      ...(what === undefined ? [] : [h("p", {}, what)]),
      h(
        "dl",
        { class: "facts" },
        fact(t("consent.host"), host),
        fact(t("consent.size"), size(bytes)),
        fact(t("consent.length"), clock(seconds)),
      ),
      ...(isReadable ? [h("p", {}, icon("warning"), t("consent.readable"))] : []),
      ...(sendsWords ? [h("p", {}, t("consent.words"))] : []),
      h("p", { class: "private-note" }, icon("info"), t("consent.text")),
    ],
    actions: [stay, go],
  }).open();
  stay.focus();
  return (await sheet.closed) === "yes";
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", { class: "numbers", dir: "ltr" }, value));
}

/** @typedef {import("../../server/settings.js").OutboundRecord} OutboundRecord */

/** How many connections are listed at a time. */
const connectionsStep = 200;

/** Every connection that EchoText has made, newest first. */
class ConnectionsSheet extends Sheet {
  #place = h("div", {}, h("p", { class: "muted", role: "status" }, t("settings.loading")));
  #list = h("ul", { class: "connection-rows" });
  #problem = h("div", {});
  #more = button({ label: t("batch.more"), look: "quiet", onPress: () => this.#showMore() });

  constructor() {
    super({ title: t("connections.title"), kind: "side" });
    this.build({ content: [this.#place] });
  }

  open() {
    super.open();
    this.#load();
    return this;
  }

  async #load() {
    try {
      await this.#showNewest(connectionsStep);
      const isNone = this.#list.childElementCount === 0;
      fill(this.#place, ...(isNone ? [h("p", { class: "muted", role: "status" }, t("connections.none"))] : [this.#list, this.#problem, this.#more]));
    } catch (error) {
      if (this.signal.aborted) return;
      fill(this.#place, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }

  /** @param {number} count How many of the newest are shown. */
  async #showNewest(count) {
    // Another one reveals whether there are more.
    const { records } = await loadConnections(count + 1, this.signal);
    fill(this.#list, ...records.slice(0, count).map(row));
    this.#more.hidden = records.length <= count;
  }

  async #showMore() {
    if (isBusy(this.#more)) return;
    const before = this.#list.childElementCount;
    fill(this.#problem);
    setBusy(this.#more, t("state.loading"));
    try {
      await this.#showNewest(before + connectionsStep);
      const first = this.#list.children[before];
      first?.setAttribute("tabindex", "-1");
      if (first instanceof HTMLElement) first.focus();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#more, null);
    }
  }
}

/** @param {OutboundRecord} record */
function row({ time, purpose, host, bytesSent, seconds, bytesReceived, outcome }) {
  const sent = seconds === null ? null : t("connections.sent", { size: size(bytesSent), length: clock(seconds) });
  return h(
    "li",
    { class: "connection-row" },
    h("span", { class: "connection-host", dir: "ltr" }, host),
    h(
      "span",
      { class: "connection-facts numbers" },
      [t(`connections.for.${purpose}`), sent, t("connections.received", { size: size(bytesReceived) }), t(`connections.${outcome}`)]
        .filter((words) => words !== null)
        .join(" · "),
    ),
    h("time", { class: "connection-facts numbers", datetime: time }, longDate(time)),
  );
}

/** @typedef {import("../../server/transcriptions.js").TranscriptionService} TranscriptionService */

/** The sheet that adds or edits a service. Its key goes to the server and never comes back. */
class ServiceSheet extends Sheet {
  #service;
  #options;
  #name;
  #address;
  #model;
  #key;
  #language;
  #languageTag;
  #prompt;
  #allowsPlain;
  #plain = h("div", {});
  #problem = h("div", { class: "sheet-problem" });
  #save = button({ label: t("services.save"), look: "primary", onPress: () => this.#send() });

  /**
   * @param {TranscriptionService | null} service `null` for a new one.
   * @param {object} options
   * @param {string[]} options.taken Names already in use.
   * @param {() => void} options.saved
   */
  constructor(service, options) {
    super({ title: service === null ? t("services.add") : t("services.edit", { name: service.name }), kind: "side" });
    this.#service = service;
    this.#options = options;
    this.#allowsPlain = service?.allowsPlain ?? false;
    const onEnter = () => this.#send();
    const plain = { spellcheck: "false", autocapitalize: "off" };
    this.#name = field({ label: t("services.name"), hint: t("services.name.hint"), attributes: { ...plain, maxlength: 40 }, onEnter });
    this.#address = field({
      label: t("services.address"),
      hint: t("services.address.hint"),
      value: service?.address ?? "",
      inputMode: "url",
      attributes: { ...plain, dir: "ltr", placeholder: "https://" },
      onInput: () => this.#showPlain(),
      onEnter,
    });
    this.#model = field({ label: t("services.model"), hint: t("services.model.hint"), value: service?.model ?? "", attributes: plain, onEnter });
    this.#key = field({
      label: t("services.key"),
      hint: t(service?.hasKey ? "services.key.kept" : "services.key.hint"),
      type: "password",
      onEnter,
    });
    this.#languageTag = service?.language ?? "";
    this.#language = selectField({
      label: t("services.language"),
      groups: [{ options: languageChoices([], [this.#languageTag]) }],
      value: this.#languageTag,
      onChange: (tag) => (this.#languageTag = tag),
    });
    this.#prompt = field({
      label: t("services.prompt"),
      hint: t("services.prompt.hint"),
      value: service?.prompt ?? "",
      attributes: { maxlength: 1_000 },
      onEnter,
    });
    this.build({ content: [this.#form()], actions: [this.#save] });
    this.#showPlain();
    this.#offerLanguages();
  }

  /** Offers also the languages that a recognizer of this machine hears. */
  async #offerLanguages() {
    try {
      const heard = heardByAny(await listRecognizers(this.signal));
      const { select } = this.#language;
      // The user may have it open.
      if (select !== document.activeElement) offer(select, [{ options: languageChoices([], [...heard, this.#languageTag]) }], this.#languageTag);
    } catch {
      // The others are there.
    }
  }

  open() {
    super.open();
    (this.#service === null ? this.#name : this.#address).input.focus();
    return this;
  }

  #form() {
    const fields = [this.#address, this.#model, this.#key, this.#language, this.#prompt].map(({ element }) => element);
    fields.splice(1, 0, this.#plain);
    return h("div", { class: "form" }, this.#service === null ? this.#name.element : null, ...fields, this.#problem);
  }

  /** Shows the permission for http when the address requires it. */
  #showPlain() {
    const isPlain = /^\s*http:/iu.test(this.#address.input.value);
    if (isPlain === (this.#plain.childElementCount > 0)) return;
    const control = toggleSwitch({
      label: t("services.plain"),
      isOn: this.#allowsPlain,
      onChange: (isOn) => (this.#allowsPlain = isOn),
    });
    fill(this.#plain, isPlain ? line({ title: t("services.plain"), text: t("services.plain.text"), control }) : null);
  }

  async #send() {
    if (isBusy(this.#save)) return;
    const name = this.#service?.name ?? this.#name.input.value.trim();
    for (const place of [this.#name, this.#address, this.#model, this.#key, this.#prompt]) place.fail(null);
    fill(this.#problem);
    if (this.#options.taken.includes(name)) return refuse(this.#name, t("services.name.taken"));
    const wrong = firstWrong(name, this.#content());
    if (wrong !== null) return this.#fail({ code: wrong });
    setBusy(this.#save, t("passcode.working"));
    try {
      await saveService(name, this.#content());
      this.#options.saved();
      this.close();
    } catch (error) {
      this.#fail(error);
    } finally {
      setBusy(this.#save, null);
    }
  }

  /** @param {unknown} error Shown at the field that it is about, if it is about one. */
  #fail(error) {
    const code = /** @type {{ code?: unknown } | null} */ (error)?.code;
    const places = new Map([
      ["service.bad-name", this.#name],
      ["service.bad-address", this.#address],
      ["service.plain-address", this.#address],
      ["service.bad-model", this.#model],
      ["service.bad-key", this.#key],
      ["service.prompt-too-long", this.#prompt],
    ]);
    const place = typeof code === "string" ? places.get(code) : undefined;
    if (place === undefined) fill(this.#problem, errorNotice(error));
    else refuse(place, paragraphFor(error));
  }

  #content() {
    const key = this.#key.input.value.trim();
    return {
      address: this.#address.input.value.trim(),
      allowsPlain: this.#allowsPlain,
      model: this.#model.input.value.trim(),
      language: this.#languageTag || null,
      prompt: this.#prompt.input.value.trim() || null,
      ...(key === "" ? {} : { key }),
    };
  }
}

/**
 * @param {import("../../components/field.js").Field} place
 * @param {string} words Why its text cannot be used.
 */
function refuse(place, words) {
  place.fail(words);
  place.input.focus();
}

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function transcriptionSection(signal) {
  return [
    settingGroup(
      t("settings.group.transcripts"),
      line({
        title: t("setting.transcription.recognizers"),
        text: t("setting.transcription.recognizers.text"),
        control: h("a", { class: "button", href: "/recordings/recognizers" }, t("recognizers.open")),
      }),
      settingRow("transcription.live", signal),
      settingRow("transcription.after-recording", signal),
      settingRow("transcription.after-import", signal),
    ),
    settingGroup(t("settings.group.services"), new ServiceList(signal).element, settingRow("transcription.consent", signal)),
    settingGroup(
      t("settings.group.connections"),
      line({
        title: t("connections.title"),
        text: t("connections.text"),
        control: button({ label: t("connections.action"), opens: true, onPress: () => new ConnectionsSheet().open() }),
      }),
    ),
  ];
}

/** The configured services. */
class ServiceList {
  element = h("div", { class: "services" });
  #signal;
  #newest = new NewestState();
  #shown = "";
  #isOffline = false;
  /** Why none can be tried. */
  #refusal = h("div", { id: newId("offline") });
  /** @type {HTMLButtonElement[]} The buttons that try a service. */
  #attempts = [];

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#signal = signal;
    onServer("settings", () => this.#load(), signal);
    onServer("reset", () => this.#load(), signal);
    this.#show({ services: [], unreadable: 0 });
    this.#load();
    settings.follow(() => this.#showOffline(setting("outbound.offline", "off") === "on"), signal);
  }

  async #load() {
    try {
      const answer = await loadServices(this.#signal);
      if (this.#newest.takesAnswer(answer)) this.#show(answer);
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#shown = "";
      fill(this.element, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }

  /** @param {boolean} isOffline Whether nothing may be sent. */
  #showOffline(isOffline) {
    if (isOffline === this.#isOffline) return;
    this.#isOffline = isOffline;
    const hadFocus = this.#refusal.contains(document.activeElement);
    fill(this.#refusal, isOffline && offlineNotice());
    for (const attempt of this.#attempts) this.#refuse(attempt);
    if (hadFocus) focusTitle();
  }

  /** @param {HTMLButtonElement} attempt Is refused while nothing may be sent. */
  #refuse(attempt) {
    setAttribute(attempt, "aria-disabled", this.#isOffline ? "true" : null);
    setAttribute(attempt, "aria-describedby", this.#isOffline ? this.#refusal.id : null);
  }

  /** @param {import("../../server/api.js").TranscriptionServices} answer */
  #show({ services, unreadable }) {
    // Most changes of the settings are not of the services.
    const shown = JSON.stringify([services, unreadable]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const add = () => new ServiceSheet(null, { taken: services.map(({ name }) => name), saved: () => this.#load() }).open();
    const buttons = () => [...this.element.querySelectorAll("button")];
    const focused = buttons().findIndex((one) => one === document.activeElement);
    this.#attempts = [];
    fill(
      this.element,
      h("p", { class: "setting-text" }, t("services.text")),
      services.length === 0 ? null : this.#refusal,
      services.length === 0 ? null : h("ul", { class: "named-rows" }, ...services.map((service) => this.#row(service))),
      unreadable > 0 ? h("p", { class: "muted small" }, t("list.unreadable", { n: unreadable })) : null,
      button({ label: t("services.add"), icon: "plus", opens: true, onPress: add }),
    );
    if (focused >= 0) buttons()[Math.min(focused, buttons().length - 1)].focus({ preventScroll: true });
  }

  /** @param {TranscriptionService} service */
  #row(service) {
    const { name, host, model } = service;
    const attempt = button({ label: t("services.try"), opens: true, onPress: () => this.#try(service, attempt) });
    attempt.setAttribute("aria-label", t("services.try.label", { name }));
    this.#attempts.push(attempt);
    this.#refuse(attempt);
    return h(
      "li",
      { class: "named-row" },
      h(
        "div",
        { class: "named-row-words" },
        h("span", { class: "named-row-name" }, name),
        h("span", { class: "named-row-facts", dir: "ltr" }, t("services.summary", { model, host })),
      ),
      attempt,
      button({
        label: t("services.edit", { name }),
        icon: "edit",
        look: "quiet",
        iconOnly: true,
        opens: true,
        onPress: () => new ServiceSheet(service, { taken: [], saved: () => this.#load() }).open(),
      }),
      button({
        label: t("services.remove", { name }),
        icon: "trash",
        look: "quiet",
        iconOnly: true,
        opens: true,
        onPress: () => this.#remove(service),
      }),
    );
  }

  /**
   * @param {TranscriptionService} service
   * @param {HTMLButtonElement} pressed
   */
  async #try({ name, trial }, pressed) {
    if (this.#isOffline || isBusy(pressed) || !(await askConsent(trial, { what: t("services.try.what") }))) return;
    setBusy(pressed, t("services.try.busy"));
    try {
      const { text } = await tryService(name, this.#signal);
      showToast({ text: text === "" ? t("services.try.done") : t("services.try.heard", { text }) });
    } catch (error) {
      if (this.#signal.aborted) return;
      const { message, suggestion } = wordsFor(error);
      showToast({ icon: "error", text: `${message} ${suggestion ?? ""}`.trim() });
    } finally {
      setBusy(pressed, null);
      this.#refuse(pressed);
    }
  }

  /** @param {TranscriptionService} service */
  async #remove({ name }) {
    const isSure = await confirm({
      title: t("services.remove.title", { name }),
      detail: t("services.remove.detail"),
      action: t("do.delete"),
    });
    if (!isSure) return;
    try {
      await deleteService(name);
      await this.#load();
    } catch (error) {
      showToast({ icon: "error", text: paragraphFor(error) });
    }
  }
}
