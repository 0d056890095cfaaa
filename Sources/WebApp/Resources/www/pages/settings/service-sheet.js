import { button } from "../../components/button.js";
import { field, isBusy, selectField, setBusy, toggleSwitch } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { paragraphFor } from "../../core/error-words.js";
import { t } from "../../core/i18n.js";
import { languageChoices } from "../recognizers/spoken-languages.js";
import { firstWrong } from "./service-check.js";
import { line } from "./setting-row.js";
import { saveService } from "../../server/transcription-services.js";

/** @typedef {import("../../server/transcription-services.js").TranscriptionService} TranscriptionService */

/** The sheet that adds or edits a service. Its key goes to the server and never comes back. */
export class ServiceSheet extends Sheet {
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
