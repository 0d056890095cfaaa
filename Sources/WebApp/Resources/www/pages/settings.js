import { button } from "../components/button.js";
import { copyText } from "../components/download.js";
import { pageHead } from "../components/frame.js";
import { icon } from "../components/icon.js";
import { errorNotice } from "../components/notice.js";
import { confirm, Sheet } from "../components/sheet.js";
import { ShortcutSheet } from "../components/shortcut-sheet.js";
import { showToast } from "../components/toast.js";
import { fill, h, newId, setAttribute } from "../core/dom.js";
import { wordsFor } from "../core/error-words.js";
import { t } from "../core/i18n.js";
import { matchRoute, navigate } from "../core/router.js";
import { settings, state } from "../core/store.js";
import { advancedSection } from "./settings/advanced-section.js";
import { restoreSteps } from "./settings/backup-sheet.js";
import { securitySection } from "./settings/security-section.js";
import { line, settingGroup, settingRow } from "./settings/setting-row.js";
import { speechSection } from "./settings/speech-section.js";
import { transcriptionSection } from "./settings/transcription-section.js";
import { resetSettings } from "../server/settings.js";
import { loadDiagnostics } from "../server/state.js";

/**
 * The sections in order; the id is the last part of a section's address.
 *
 * @type {readonly { id: string, icon: import("../components/icon.js").IconName, build: (signal: AbortSignal) => HTMLElement[] }[]}
 */
const sections = Object.freeze([
  { id: "speech", icon: "voice", build: speechSection },
  { id: "transcription", icon: "text", build: transcriptionSection },
  { id: "display", icon: "eye", build: displaySection },
  { id: "security", icon: "lock", build: securitySection },
  { id: "advanced", icon: "settings", build: (signal) => [...advancedSection(signal), resetLine()] },
  { id: "support", icon: "info", build: supportSection },
]);

/** `<echo-settings-page>`: all settings, one section at a time. Changes apply at once. */
export class SettingsPage extends HTMLElement {
  #life = new AbortController();
  /** Ends the listeners of the current section. */
  #sectionLife = new AbortController();
  #place = h("div", { class: "settings-section" });
  #tabs = h("nav", { class: "settings-sections", "aria-label": t("settings.sections") });
  #shown = "";

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("settings-page");
    fill(this.#tabs, ...sections.map(({ id, icon: picture }) => sectionLink(id, picture)));
    this.replaceChildren(
      pageHead(t("settings.title")),
      h("div", { class: "settings-body" }, this.#tabs, this.#place),
    );
    this.addEventListener("address", () => this.#showSection(), { signal });
    settings.watch(() => this.#place.dataset.waiting !== undefined && this.#showSection(), signal);
    this.#showSection();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#sectionLife.abort();
  }

  #showSection() {
    const rest = matchRoute(location.pathname, [{ address: "/settings" }])?.rest;
    const section = sections.find(({ id }) => id === rest) ?? sections[0];
    if (section === undefined) return;
    for (const link of this.#tabs.querySelectorAll("a")) {
      const isShown = link.dataset.section === section.id;
      setAttribute(link, "aria-current", isShown ? "true" : null);
      if (isShown) this.#tabs.scrollLeft = link.offsetLeft - 16; // a narrow page shows them in a strip
    }
    const isWaiting = settings.value.size === 0;
    setAttribute(this.#place, "data-waiting", isWaiting);
    this.#sectionLife.abort();
    this.#sectionLife = new AbortController();
    const id = newId("section");
    setAttribute(this.#place, "aria-labelledby", id);
    fill(
      this.#place,
      h("h2", { id, class: "settings-title", tabindex: "-1" }, t(`settings.${section.id}`)),
      ...(isWaiting
        ? [h("p", { class: "muted waiting", role: "status" }, t("settings.loading"))]
        : section.build(this.#sectionLife.signal)),
    );
    const hasChanged = this.#shown !== "" && this.#shown !== section.id;
    this.#shown = section.id;
    if (hasChanged) scrollTo(0, 0);
  }
}

/**
 * @param {string} id
 * @param {import("../components/icon.js").IconName} picture
 */
function sectionLink(id, picture) {
  const link = h("a", { href: `/settings/${id}`, class: "settings-link", "data-section": id }, icon(picture), t(`settings.${id}`));
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(`/settings/${id}`, { replace: true });
  });
  return link;
}

function resetLine() {
  return h(
    "div",
    { class: "setting-lines setting-reset" },
    line({
      title: t("settings.reset"),
      text: t("settings.reset.text"),
      control: button({ label: t("settings.reset.action"), icon: "undo", opens: true, onPress: resetAll }),
    }),
  );
}

/** Asks first, since the old values cannot be restored. When the server refuses, nothing changes. */
async function resetAll() {
  const changed = [...settings.value.values()].filter(({ value, standard }) => value !== standard).length;
  if (changed > 0 && !(await isSure(changed))) return;
  try {
    await resetSettings();
    settings.set(new Map([...settings.value].map(([name, one]) => [name, { ...one, value: one.standard }])));
    showToast({ text: t("settings.reset.done") });
  } catch (error) {
    showToast({ icon: "error", text: wordsFor(error).message });
  }
}

/** @param {number} changed How many settings differ from their defaults. */
function isSure(changed) {
  return confirm({
    title: t("settings.reset.title", { n: changed }),
    detail: t("settings.reset.detail"),
    action: t("settings.reset.action"),
  });
}

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
function displaySection(signal) {
  return [
    settingGroup(
      t("settings.group.look"),
      settingRow("page.theme", signal),
      settingRow("page.language", signal),
      settingRow("page.text-size", signal, { step: 5 }),
    ),
    settingGroup(
      t("settings.group.reading"),
      h("p", { class: "reading-sample", lang: null }, sample()),
      settingRow("page.reading-font", signal),
      settingRow("page.reading-size", signal),
      settingRow("page.spacing", signal),
      settingRow("page.highlight", signal),
    ),
    settingGroup(t("settings.group.keyboard"), settingRow("page.character-keys", signal)),
  ];
}

/** A sample sentence in the style of the reading text. */
function sample() {
  const [first = "", ...rest] = t("setting.sample").split(" ");
  return h("span", { class: "sample-sentence" }, h("span", { class: "sample-word" }, first), ` ${rest.join(" ")}`);
}

/** The help's questions, by their part of the catalogue's key. */
const questions = ["start", "record", "transcribe", "better", "service", "where", "said", "word", "share", "forgot", "move"];

/** @returns {HTMLElement[]} */
function supportSection() {
  return [
    h(
      "div",
      { class: "setting-lines" },
      line({
        title: t("support.help"),
        text: t("support.help.text"),
        control: button({ label: t("support.help.action"), opens: true, onPress: () => new HelpSheet().open() }),
      }),
      line({
        title: t("support.shortcuts"),
        text: t("support.shortcuts.text"),
        control: button({ label: t("support.shortcuts.action"), opens: true, onPress: () => new ShortcutSheet().open() }),
      }),
      line({
        title: t("support.diagnostics"),
        text: t("support.diagnostics.text"),
        control: button({ label: t("support.diagnostics.action"), opens: true, onPress: () => new DiagnosticsSheet().open() }),
      }),
      line({
        title: t("support.version"),
        text: t("support.version.text", { version: state.value?.version ?? "" }),
        control: null,
      }),
    ),
  ];
}

/** The sheet of frequently asked questions. */
class HelpSheet extends Sheet {
  constructor() {
    super({ title: t("help.title"), kind: "side", className: "help-sheet", content: questions.map(answered) });
  }
}

/** @param {string} question The question's part of the catalogue's key. */
function answered(question) {
  return h(
    "details",
    { class: "question" },
    h("summary", {}, h("span", {}, t(`help.${question}.question`)), icon("chevron-down")),
    h("p", {}, t(`help.${question}.answer`)),
    question === "move" ? restoreSteps() : null,
  );
}

/** The report that a user can send to someone who helps. */
class DiagnosticsSheet extends Sheet {
  #place = h("div", {}, h("p", { class: "muted", role: "status" }, t("support.diagnostics.loading")));
  #text = "";
  #copy = button({ label: t("support.diagnostics.copy"), icon: "copy", look: "primary", onPress: () => this.#copyText() });

  constructor() {
    super({ title: t("support.diagnostics"), kind: "side" });
    this.#copy.disabled = true;
    this.build({
      content: [this.#place, h("p", { class: "private-note" }, icon("lock"), t("support.diagnostics.text"))],
      actions: [this.#copy],
    });
  }

  open() {
    super.open();
    this.#load();
    return this;
  }

  async #load() {
    try {
      this.#text = await loadDiagnostics(this.signal);
      fill(this.#place, h("pre", { class: "diagnostics", tabindex: "0" }, this.#text));
      this.#copy.disabled = false;
    } catch (error) {
      if (!this.signal.aborted) fill(this.#place, errorNotice(error));
    }
  }

  async #copyText() {
    const isCopied = await copyText(this.#text);
    showToast({ text: t(isCopied ? "support.diagnostics.copied" : "text.notCopied") });
  }
}

customElements.define("echo-settings-page", SettingsPage);
