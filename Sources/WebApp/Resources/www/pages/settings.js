import { button, icon } from "../components/button.js";
import { copyText } from "../components/download.js";
import { isBusy, setBusy } from "../components/field.js";
import { pageHead } from "../components/frame.js";
import { errorNotice, notice } from "../components/notice.js";
import { confirm, Sheet } from "../components/sheet.js";
import { ShortcutSheet } from "../components/shortcut-sheet.js";
import { attempt, settle, showToast } from "../components/toast.js";
import { fill, h, newId, setAttribute } from "../core/dom.js";
import { paragraphFor } from "../core/format.js";
import { t, times } from "../core/i18n.js";
import { addressWithReturn, matchRoute, navigate } from "../core/router.js";
import { settings, state } from "../core/store.js";
import { endAllSessions, loadDiagnostics, lock } from "../server/http.js";
import { orderAddress } from "../server/library.js";
import { prepareBackup, resetSettings } from "../server/settings.js";
import { watchedDownload } from "./item-files.js";
import { advancedSection } from "./settings/advanced-section.js";
import { SpeakingNow } from "./settings/profile-forms.js";
import { profileList } from "./settings/profiles.js";
import { line, settingGroup, settingRow } from "./settings/setting-row.js";
import { transcriptionSection } from "./settings/transcription-section.js";
import {
  ChangePasscodeSheet,
  RecoveryCodeSheet,
  RemovePasscodeSheet,
  SetPasscodeSheet,
  VaultCheckSheet,
} from "./settings/vault-sheets.js";

/** The sheet that downloads the encrypted library, and explains how to restore it. */
class BackupSheet extends Sheet {
  #code = h("div", {});
  #problem = h("div", { class: "sheet-problem" });
  #download = button({ label: t("backup.download"), icon: "export", look: "primary", onPress: () => this.#start() });

  constructor() {
    super({ title: t("backup.title"), kind: "side", className: "backup-sheet" });
    this.build({
      content: [
        h(
          "div",
          { class: "form" },
          h("p", {}, t("backup.text")),
          this.#code,
          h("h3", {}, t("backup.restore")),
          restoreSteps(),
          this.#problem,
        ),
      ],
      actions: [this.#download],
    });
  }

  open() {
    super.open();
    state.follow((now) => {
      const isMissing = !now?.vault.hasRecoveryCode;
      if (isMissing !== this.#code.hasChildNodes()) fill(this.#code, isMissing && codeNotice());
    }, this.signal);
    return this;
  }

  async #start() {
    if (isBusy(this.#download)) return;
    fill(this.#problem);
    setBusy(this.#download, t("passcode.working"));
    try {
      const order = await prepareBackup();
      watchedDownload(orderAddress(order), order, { isOrder: true });
      this.close();
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#download, null);
    }
  }
}

/** Without a recovery code, a backup opens on this machine only. */
function codeNotice() {
  const make = button({ label: t("backup.code.action"), opens: true, onPress: () => new RecoveryCodeSheet().open() });
  return notice({ text: t("backup.code.none"), kind: "warning", actions: [make] });
}

/** How to move a library to another machine, or restore it on this one, step by step. */
function restoreSteps() {
  const folder = state.value?.vault.folder ?? "";
  const place = quoted(parentOf(folder));
  const aside = `mv ${quoted(folder)} ${quoted(`${folder}-before`)}`;
  const command = `mkdir -p ${place} && tar --extract --file EchoText-backup.tar --directory ${place}`;
  return h(
    "ol",
    { class: "restore-steps" },
    h("li", {}, t("backup.step.make")),
    h("li", {}, t("backup.step.aside"), h("pre", { tabindex: "0" }, aside)),
    h("li", {}, t("backup.step.unpack"), h("pre", { tabindex: "0" }, command), t("backup.step.folder")),
    h("li", {}, t("backup.step.open")),
  );
}

/** @param {string} path */
function parentOf(path) {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/**
 * A path quoted as one word for a shell.
 *
 * @param {string} path
 */
function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
function speechSection(signal) {
  return [
    settingGroup(t("settings.group.speaking"), new SpeakingNow(signal).element),
    settingGroup(t("settings.group.profiles"), profileList(signal)),
    settingGroup(
      t("settings.group.voices"),
      line({
        title: t("settings.voices.manage"),
        text: t("settings.voices.manage.text"),
        control: h("a", { class: "button", href: addressWithReturn("/voices"), "aria-label": `${t("jobs.open")}: ${t("settings.voices.manage")}` }, t("jobs.open")),
      }),
      settingRow("voices.catalogue", signal, { empty: t("setting.voices.catalogue.empty") }),
      settingRow("outbound.offline", signal),
    ),
    settingGroup(
      t("settings.group.pauses"),
      settingRow("speech.sentence-pause", signal, { range: [0, 5] }),
      settingRow("speech.paragraph-pause", signal, { range: [0, 5] }),
      settingRow("speech.heading-pause", signal, { range: [0, 5] }),
    ),
    settingGroup(
      t("settings.group.playback"),
      settingRow("playback.speed", signal, { step: 0.05, format: times }),
      settingRow("playback.step", signal, { range: [1, 60], step: 1 }),
      settingRow("playback.loop", signal),
    ),
  ];
}

/** Minutes to choose from; 0 means never. */
const waits = [0, 1, 5, 15, 30, 60, 240];

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
function securitySection(signal) {
  const place = h("div", {});
  let shown = "";
  state.follow((now) => {
    const { protection = null, hasRecoveryCode = false } = now?.vault ?? {};
    const key = `${protection} ${hasRecoveryCode}`;
    if (key === shown) return;
    shown = key;
    fill(place, ...protectionGroups(protection, hasRecoveryCode, signal));
  }, signal);
  const leave = line({
    title: t("security.leave"),
    text: t("security.leave.text"),
    control: button({ label: t("security.leave.action"), onPress: leaveEverywhere }),
  });
  return [place, settingGroup(t("settings.group.privacy"), settingRow("history.keep", signal), settingRow("outbound.offline", signal), leave)];
}

/**
 * @param {import("../server/http.js").VaultStatus["protection"]} protection
 * @param {boolean} hasRecoveryCode
 * @param {AbortSignal} signal
 */
function protectionGroups(protection, hasRecoveryCode, signal) {
  const hasPasscode = protection === "shortPasscode" || protection === "password";
  const words = protection === "password" ? "security.password" : hasPasscode ? "security.short" : "security.device";
  return [
    settingGroup(
      t("settings.group.passcode"),
      h("div", { class: "protection" }, icon(hasPasscode ? "lock" : "key"), h("p", {}, t(words))),
      ...(hasPasscode ? passcodeLines(signal) : [setLine()]),
    ),
    settingGroup(
      t("settings.group.recovery"),
      line({ title: t("security.folder"), text: folderWords(), control: null }),
      line({
        title: t("security.recovery"),
        text: t(hasRecoveryCode ? "security.recovery.have" : "security.recovery.none"),
        control: button({
          label: t(hasRecoveryCode ? "security.recovery.action" : "backup.code.action"),
          opens: true,
          onPress: () => new RecoveryCodeSheet().open(),
        }),
      }),
      hasRecoveryCode ? null : settingRow("vault.recovery-reminder", signal),
      line({
        title: t("security.backup"),
        text: t("security.backup.text"),
        control: button({ label: t("security.backup.action"), opens: true, onPress: () => new BackupSheet().open() }),
      }),
      line({
        title: t("security.check"),
        text: t("security.check.text"),
        control: button({ label: t("security.check.action"), opens: true, onPress: () => new VaultCheckSheet().open() }),
      }),
    ),
  ];
}

function folderWords() {
  const folder = h("code", { class: "path" }, state.value?.vault.folder ?? "");
  return h("p", { class: "setting-text" }, folder, " ", t("security.folder.text"));
}

function setLine() {
  return line({
    title: t("security.set"),
    text: t("security.set.text"),
    control: button({ label: t("security.set.action"), look: "primary", opens: true, onPress: () => new SetPasscodeSheet().open() }),
  });
}

/** @param {AbortSignal} signal */
function passcodeLines(signal) {
  const now = Number(settings.value.get("vault.lock-after")?.value ?? NaN);
  const offered = waits.includes(now) || Number.isNaN(now) ? waits : [...waits, now].sort((one, other) => one - other);
  return [
    settingRow("vault.lock-after", signal, {
      values: offered.map((minutes) => ({ value: String(minutes), label: waitWords(minutes) })),
    }),
    line({
      title: t("security.lock"),
      text: t("security.lock.text"),
      control: button({ label: t("security.lock.action"), icon: "lock", onPress: lockNow }),
    }),
    line({
      title: t("security.change"),
      text: t("security.change.text"),
      control: button({ label: t("security.change.action"), opens: true, onPress: () => new ChangePasscodeSheet().open() }),
    }),
    line({
      title: t("security.remove"),
      text: t("security.remove.text"),
      control: button({ label: t("security.remove.action"), opens: true, onPress: () => new RemovePasscodeSheet().open() }),
    }),
  ];
}

/** @param {number} minutes */
function waitWords(minutes) {
  if (minutes === 0) return t("setting.vault.lock-after.never");
  return minutes % 60 === 0
    ? t("setting.vault.lock-after.hours", { n: minutes / 60 })
    : t("setting.vault.lock-after.minutes", { n: minutes });
}

const lockNow = () =>
  attempt(async () => {
    await settle(); // nothing can be deleted in a locked library
    state.set(await lock());
  });

const leaveEverywhere = () =>
  attempt(async () => {
    await endAllSessions();
    location.reload();
  });

/**
 * The sections in order; the id is the last part of a section's address.
 *
 * @type {readonly { id: string, icon: import("../components/button.js").IconName, build: (signal: AbortSignal) => HTMLElement[] }[]}
 */
const sections = Object.freeze([
  { id: "speech", icon: "voice", build: speechSection },
  { id: "transcription", icon: "text", build: transcriptionSection },
  { id: "display", icon: "eye", build: displaySection },
  { id: "security", icon: "lock", build: securitySection },
  { id: "advanced", icon: "tool", build: (signal) => [...advancedSection(signal), resetLine()] },
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
    // With large text the strip of sections fades at its ends, where a browser leaves what gets the focus.
    this.#tabs.addEventListener("focusin", ({ target }) => target instanceof Element && target.scrollIntoView({ block: "nearest", inline: "nearest" }), { signal });
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
    // The same section is shown again once its settings are there: whoever goes through the strip meanwhile is left where they are.
    const isMoved = this.#shown !== section.id || !this.#tabs.contains(document.activeElement);
    for (const link of this.#tabs.querySelectorAll("a")) {
      const isShown = link.dataset.section === section.id;
      setAttribute(link, "aria-current", isShown ? "true" : null);
      // Large text on a narrow page has them in a strip.
      if (isShown && isMoved) this.#tabs.scrollLeft = link.offsetLeft - /** @type {HTMLElement} */ (this.#tabs.firstElementChild).offsetLeft;
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
    // A page that opens gives the focus to its title first.
    queueMicrotask(() => this.#focusNamed());
  }

  /** Focuses the setting that the address names, if it does. */
  #focusNamed() {
    const name = new URLSearchParams(location.search).get("setting") ?? "";
    const control = this.#place.querySelector(`[data-setting="${CSS.escape(name)}"] :is(button, input, select, textarea)`);
    if (!(control instanceof HTMLElement)) return;
    control.scrollIntoView({ block: "center" });
    control.focus({ preventScroll: true });
  }
}

/**
 * @param {string} id
 * @param {import("../components/button.js").IconName} picture
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

/**
 * Asks first, since the old values cannot be restored. When the server refuses, nothing changes; the dictionary, which a
 * person has written, stays in any case.
 */
async function resetAll() {
  const isReset = (/** @type {string} */ name) => name !== "speech.dictionary";
  const changed = [...settings.value].filter(([name, { value, standard }]) => isReset(name) && value !== standard).length;
  if (changed > 0 && !(await isSure(changed))) return;
  try {
    await resetSettings();
    forgetHabits([...settings.value.keys()].filter(isReset));
    settings.set(new Map([...settings.value].map(([name, one]) => [name, isReset(name) ? { ...one, value: one.standard } : one])));
    showToast({ text: t("settings.reset.done") });
  } catch (error) {
    showToast({ icon: "error", text: paragraphFor(error) });
  }
}

/**
 * Clears what the browser remembers of how lists were sorted and recordings exported.
 *
 * @param {readonly string[]} names Of settings.
 */
function forgetHabits(names) {
  for (const name of names) localStorage.removeItem(name);
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
const questions = ["start", "document", "record", "transcribe", "practise", "better", "service", "where", "said", "word", "share", "forgot", "move"];

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
    { class: "help-question" },
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
      const again = button({ label: t("do.again"), onPress: () => this.#load() });
      if (!this.signal.aborted) fill(this.#place, errorNotice(error, again));
    }
  }

  async #copyText() {
    const isCopied = await copyText(this.#text);
    showToast({ text: t(isCopied ? "support.diagnostics.copied" : "text.notCopied") });
  }
}

customElements.define("echo-settings-page", SettingsPage);
