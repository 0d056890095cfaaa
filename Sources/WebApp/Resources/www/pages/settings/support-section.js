import { loadDiagnostics } from "../../server/state.js";
import { button } from "../../components/button.js";
import { copyText } from "../../components/download.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { openShortcutList } from "../../components/shortcut-list.js";
import { showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { line } from "./setting-row.js";

/** The questions of the help, by their part of the catalogue's key. */
const questions = ["start", "where", "word", "share", "forgot", "move"];

/** @returns {HTMLElement[]} */
export function supportSection() {
  return [
    h(
      "div",
      { class: "setting-lines" },
      line({
        title: t("support.help"),
        text: t("support.help.text"),
        control: button({ label: t("support.help.action"), opens: true, onPress: openHelp }),
      }),
      line({
        title: t("support.shortcuts"),
        text: t("support.shortcuts.text"),
        control: button({ label: t("support.shortcuts.action"), opens: true, onPress: openShortcutList }),
      }),
      line({
        title: t("support.diagnostics"),
        text: t("support.diagnostics.text"),
        control: button({ label: t("support.diagnostics.action"), opens: true, onPress: openDiagnostics }),
      }),
      line({
        title: t("support.version"),
        text: t("support.version.text", { version: state.value?.version ?? "" }),
        control: null,
      }),
    ),
  ];
}

function openHelp() {
  openSheet({
    title: t("help.title"),
    kind: "side",
    className: "help-sheet",
    content: questions.map((one) =>
      h(
        "details",
        { class: "question" },
        h("summary", {}, h("span", {}, t(`help.${one}.question`)), icon("chevron-down")),
        h("p", {}, t(`help.${one}.answer`)),
      ),
    ),
  });
}

async function openDiagnostics() {
  const life = new AbortController();
  const place = h("div", {}, h("p", { class: "muted", role: "status" }, t("support.diagnostics.loading")));
  let text = "";
  const copy = button({
    label: t("support.diagnostics.copy"),
    icon: "copy",
    look: "primary",
    onPress: async () => {
      const isCopied = await copyText(text);
      showToast({ text: t(isCopied ? "support.diagnostics.copied" : "text.notCopied") });
    },
  });
  copy.disabled = true;
  openSheet({
    title: t("support.diagnostics"),
    kind: "side",
    content: [place, h("p", { class: "private-note" }, icon("lock"), t("support.diagnostics.text"))],
    actions: [copy],
    onClose: () => life.abort(),
  });
  try {
    text = await loadDiagnostics(life.signal);
    fill(place, h("pre", { class: "diagnostics", tabindex: "0" }, text));
    copy.disabled = false;
  } catch (error) {
    if (!life.signal.aborted) fill(place, errorNotice(error));
  }
}
