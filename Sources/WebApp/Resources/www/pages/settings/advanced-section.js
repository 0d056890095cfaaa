import { button } from "../../components/button.js";
import { download } from "../../components/download.js";
import { field, isBusy, setBusy } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../core/dom.js";
import { number, t, wordsFor } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { formatList } from "../library/export-sheet.js";
import { line, settingGroup, settingRow } from "./setting-row.js";
import { listItems, prepareExportOfAll } from "../../server/library.js";
import { changeDictionary, loadDictionary } from "../../server/settings.js";
import { eraseEverything } from "../../server/state.js";

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function advancedSection(signal) {
  return [
    settingGroup(
      t("settings.group.making"),
      settingRow("speech.lanes", signal, { format: (lanes) => (lanes === 0 ? t("setting.speech.lanes.auto") : number(lanes)) }),
      line({
        title: t("advanced.dictionary"),
        text: t("advanced.dictionary.text"),
        control: button({ label: t("advanced.dictionary.action"), opens: true, onPress: openDictionarySheet }),
      }),
    ),
    settingGroup(
      t("settings.group.data"),
      line({
        title: t("advanced.export"),
        text: t("advanced.export.text"),
        control: button({ label: t("advanced.export.action"), opens: true, onPress: openExportAllSheet }),
      }),
      line({
        title: t("advanced.erase"),
        text: t("advanced.erase.text"),
        control: button({
          label: t("advanced.erase.action"),
          opens: true,
          className: "dangerous",
          onPress: openEraseSheet,
        }),
      }),
    ),
  ];
}

/** What a zip of everything can hold the sound as; texts come with it in any case. */
const wholeFormats = ["mp3", "flac", "wav", "opus", "ogg"];

const hasPasscode = () => (state.value?.vault.protection ?? "device") !== "device";

/** @param {() => void} onEnter */
function passcodeField(onEnter, onInput = () => {}) {
  return field({ label: t("erase.passcode"), type: "password", autocomplete: "current-password", onInput, onEnter });
}

function openExportAllSheet() {
  /** @type {import("../../server/library.js").ExportFormat} */
  let chosen = "flac";
  const passcode = hasPasscode() ? passcodeField(() => go()) : null;
  const problem = h("div", { class: "sheet-problem" });
  const start = button({ label: t("advanced.export.download"), icon: "export", look: "primary", onPress: () => go() });
  const sheet = openSheet({
    title: t("advanced.export"),
    kind: "side",
    className: "export-sheet",
    content: [
      formatList(chosen, (format) => (chosen = format), (format) => wholeFormats.includes(format)),
      h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
      ...(passcode === null ? [] : [passcode.element]),
      problem,
    ],
    actions: [start],
  });

  async function go() {
    if (isBusy(start)) return;
    fill(problem);
    setBusy(start, t("passcode.working"));
    try {
      download(await prepareExportOfAll(chosen, passcode?.input.value));
      sheet.close();
    } catch (error) {
      fill(problem, errorNotice(error));
    } finally {
      setBusy(start, null);
    }
  }
}

/** Erasing cannot be undone, so the words for it have to be typed. */
async function openEraseSheet() {
  const isLocked = hasPasscode();
  const problem = h("div", { class: "sheet-problem" });
  const words = t("erase.words");
  const typed = field({ label: t("erase.typed", { words }), onInput: () => update(), onEnter: () => erase() });
  const passcode = passcodeField(() => erase(), () => update());
  const text = h("p", {});
  const go = button({ label: t("erase.action"), look: "danger", onPress: () => erase() });
  go.disabled = true;
  const sheet = openSheet({
    title: t("erase.title"),
    className: "erase-sheet",
    content: [
      h(
        "div",
        { class: "form" },
        text,
        h(
          "button",
          {
            type: "button",
            class: "link-button",
            onclick: () => {
              sheet.close();
              openExportAllSheet();
            },
          },
          t("erase.export"),
        ),
        typed.element,
        isLocked ? passcode.element : null,
        problem,
      ),
    ],
    actions: [button({ label: t("do.cancel"), onPress: () => sheet.close() }), go],
  });
  typed.input.focus();
  countRecordings();

  async function countRecordings() {
    try {
      const { total } = await listItems({ limit: 1 });
      text.textContent = t("erase.text", { n: total });
    } catch (error) {
      text.textContent = wordsFor(error).message;
    }
  }

  function isSure() {
    const said = typed.input.value.trim().toLocaleLowerCase();
    return said === words && (!isLocked || passcode.input.value !== "");
  }

  function update() {
    go.disabled = !isSure();
  }

  async function erase() {
    if (!isSure() || isBusy(go)) return;
    fill(problem);
    setBusy(go, t("erase.working"));
    try {
      await eraseEverything(isLocked ? passcode.input.value : undefined);
      sheet.close();
      showToast({ text: t("erase.done") });
    } catch (error) {
      fill(problem, errorNotice(error));
    } finally {
      setBusy(go, null);
    }
  }
}

/** Milliseconds that typing rests before it is kept. */
const typingRest = 600;

/** Opens the list of words that are said in a person's own way; what is typed is kept as soon as it is right. */
function openDictionarySheet() {
  const life = new AbortController();
  const id = newId("dictionary");
  const status = h("p", { class: "dictionary-status muted small", role: "status" });
  const problem = h("div", { class: "sheet-problem" });
  const area = h("textarea", {
    id,
    class: "field dictionary-field",
    rows: 14,
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: t("dictionary.example"),
    disabled: true,
  });
  let before = "";
  let kept = "";
  let timer = 0;
  const revert = button({
    label: t("dictionary.revert"),
    icon: "undo",
    look: "quiet",
    onPress: () => {
      area.value = before;
      keep();
    },
  });
  revert.hidden = true;
  const sheet = openSheet({
    title: t("dictionary.title"),
    kind: "side",
    className: "dictionary-sheet",
    content: [
      h("p", { class: "muted" }, t("dictionary.text")),
      h("label", { for: id, class: "visually-hidden" }, t("dictionary.label")),
      area,
      problem,
      status,
    ],
    actions: [revert, button({ label: t("do.done"), look: "primary", onPress: () => sheet.close() })],
    onClose: () => {
      life.abort();
      clearTimeout(timer);
      if (area.value !== kept && !area.disabled) keep();
    },
  });
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, typingRest);
  });
  open();

  async function open() {
    try {
      before = kept = area.value = await loadDictionary(life.signal);
      area.disabled = false;
      area.focus();
    } catch (error) {
      if (!life.signal.aborted) fill(problem, errorNotice(error, button({ label: t("do.again"), onPress: open })));
    }
  }

  async function keep() {
    clearTimeout(timer);
    const text = area.value;
    revert.hidden = text === before;
    if (text === kept) return;
    setText(status, t("dictionary.keeping"));
    try {
      await changeDictionary(text);
      kept = text;
      if (text !== area.value) return;
      fill(problem);
      setAttribute(area, "aria-invalid", null);
      setText(status, t("dictionary.kept"));
    } catch (error) {
      if (text !== area.value) return;
      setText(status, "");
      setAttribute(area, "aria-invalid", "true");
      fill(problem, errorNotice(error));
    }
  }
}
