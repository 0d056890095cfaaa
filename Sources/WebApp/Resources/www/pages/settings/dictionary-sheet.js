import { changeDictionary, loadDictionary } from "../../server/settings.js";
import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { fill, h, newId, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** Milliseconds that typing rests before it is kept. */
const typingRest = 600;

/** Opens the list of words that are said in a person's own way; what is typed is kept as soon as it is right. */
export function openDictionarySheet() {
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
