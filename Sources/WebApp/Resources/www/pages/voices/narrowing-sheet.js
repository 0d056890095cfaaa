import { button } from "../../components/button.js";
import { selectField } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { openSheet } from "../../components/sheet.js";
import { h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { qualities } from "./arrangement.js";
import { everything } from "./narrowing.js";
import { qualityWords } from "./state-words.js";

/** @typedef {import("./narrowing.js").Narrowing} Narrowing */

/**
 * @typedef {object} NarrowingSheet
 * @property {(count: number) => void} showCount How many voices pass.
 */

/**
 * Opens the sheet in which the voices are narrowed; the list behind follows at once.
 *
 * @param {object} options
 * @param {Narrowing} options.narrowing
 * @param {readonly { stem: string, title: string }[]} options.languages Those to choose from.
 * @param {(narrowing: Narrowing) => void} options.onChange
 * @returns {NarrowingSheet}
 */
export function openNarrowingSheet({ narrowing: before, languages, onChange }) {
  let narrowing = before;
  const content = h("div", { class: "filters" });
  const close = button({ label: t("do.done"), look: "primary", className: "filters-show", onPress: () => sheet.close() });
  const clear = button({
    label: t("filters.clear"),
    look: "quiet",
    onPress: () => {
      apply(everything);
      build();
    },
  });

  /** @param {Partial<Narrowing>} change */
  function apply(change) {
    narrowing = { ...narrowing, ...change };
    onChange(narrowing);
  }

  function build() {
    const { installed, favourite, language } = narrowing;
    content.replaceChildren(
      group(
        t("voices.filter.show"),
        chip(t("voices.filter.installed"), installed, (isOn) => apply({ installed: isOn }), "check"),
        chip(t("voices.filter.favourite"), favourite, (isOn) => apply({ favourite: isOn }), "heart"),
      ),
      group(t("voices.fact.quality"), ...qualities.map(qualityChip)),
      group(t("voices.filter.language"), languageField(languages, language ?? "", (stem) => apply({ language: stem === "" ? null : stem }))),
    );
  }

  /** @param {string} quality */
  function qualityChip(quality) {
    return chip(qualityWords(quality) ?? quality, narrowing.qualities.includes(quality), (isOn) => {
      const others = narrowing.qualities.filter((one) => one !== quality);
      apply({ qualities: isOn ? [...others, quality] : others });
    });
  }

  build();
  const sheet = openSheet({
    title: t("voices.filter.title"),
    kind: "side",
    className: "filter-sheet",
    content: [content],
    actions: [clear, close],
  });
  return {
    showCount: (count) => {
      const label = close.querySelector(".button-label");
      if (label !== null) label.textContent = t("voices.filter.result", { n: count });
    },
  };
}

/**
 * @param {string} title
 * @param {...HTMLElement} content
 */
function group(title, ...content) {
  const id = newId("filter");
  return h("section", { class: "filter-group", role: "group", "aria-labelledby": id }, h("h3", { id }, title), ...content);
}

/**
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onChange
 * @param {import("../../components/icon.js").IconName} [picture]
 */
function chip(label, isOn, onChange, picture) {
  const input = h("input", { type: "checkbox", class: "choice-input segment-input" });
  input.checked = isOn;
  input.addEventListener("change", () => onChange(input.checked));
  return h("label", { class: "segment loose" }, input, h("span", { class: "segment-label" }, picture ? icon(picture) : null, label));
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
