import { button } from "../../components/button.js";
import { askConsent } from "../../components/consent-sheet.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { confirm } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { t } from "../../core/i18n.js";
import { ConnectionsSheet } from "./connections-sheet.js";
import { ServiceSheet } from "./service-sheet.js";
import { line, settingGroup, settingRow } from "./setting-row.js";
import { NewestState, onServer } from "../../server/events.js";
import { deleteService, loadServices, tryService } from "../../server/transcription-services.js";

/** @typedef {import("../../server/transcription-services.js").TranscriptionService} TranscriptionService */

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function transcriptionSection(signal) {
  return [
    settingGroup(
      t("settings.group.services"),
      new ServiceList(signal).element,
      line({
        title: t("setting.transcription.recognizers"),
        text: t("setting.transcription.recognizers.text"),
        control: h("a", { class: "button", href: "/recordings/recognizers" }, t("recognizers.open")),
      }),
      settingRow("transcription.consent", signal),
      settingRow("transcription.live", signal),
      settingRow("transcription.after-recording", signal),
      settingRow("transcription.after-import", signal),
    ),
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

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#signal = signal;
    onServer("settings", () => this.#load(), signal);
    onServer("reset", () => this.#load(), signal);
    this.#show([]);
    this.#load();
  }

  async #load() {
    try {
      const answer = await loadServices(this.#signal);
      if (this.#newest.takesAnswer(answer)) this.#show(answer.services);
    } catch (error) {
      if (this.#signal.aborted) return;
      fill(this.element, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }

  /** @param {TranscriptionService[]} services */
  #show(services) {
    const add = () => new ServiceSheet(null, { taken: services.map(({ name }) => name), saved: () => this.#load() }).open();
    fill(
      this.element,
      h("p", { class: "setting-text" }, t("services.text")),
      services.length === 0 ? null : h("ul", { class: "service-rows" }, ...services.map((service) => this.#row(service))),
      button({ label: t("services.add"), icon: "plus", opens: true, onPress: add }),
    );
  }

  /** @param {TranscriptionService} service */
  #row(service) {
    const { name, host, model } = service;
    const attempt = button({ label: t("services.try"), opens: true, onPress: () => this.#try(service, attempt) });
    attempt.setAttribute("aria-label", t("services.try.label", { name }));
    return h(
      "li",
      { class: "service-row" },
      h(
        "div",
        { class: "service-words" },
        h("span", { class: "service-name" }, name),
        h("span", { class: "service-summary", dir: "ltr" }, t("services.summary", { model, host })),
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
    if (isBusy(pressed) || !(await askConsent(trial, { what: t("services.try.what") }))) return;
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
      showToast({ icon: "error", text: wordsFor(error).message });
    }
  }
}
