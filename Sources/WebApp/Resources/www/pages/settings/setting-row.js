import { button, icon } from "../../components/button.js";
import { segments, selectField, setSegment, setSwitch, slider, toggleSwitch } from "../../components/field.js";
import { h, newId, setText } from "../../core/dom.js";
import { paragraphFor } from "../../core/format.js";
import { isKnown, number, t } from "../../core/i18n.js";
import { settings } from "../../core/store.js";
import { changeSetting, resetSetting } from "../../server/settings.js";

/** @typedef {import("../../server/settings.js").Setting} Setting */

/** How long a row offers to undo a change, in milliseconds. */
const undoTime = 10_000;

/**
 * A row of the settings: its title, one sentence on what it does, and its control.
 *
 * @param {object} options
 * @param {string} options.title
 * @param {string | HTMLElement} options.text
 * @param {HTMLElement | null} options.control
 * @param {string} [options.textId]
 * @param {boolean} [options.isWide] Whether the control has a line of its own.
 * @returns {HTMLElement}
 */
export function line({ title, text, control, textId, isWide = false }) {
  // “Show” alone does not say what; the sentence is read with the row.
  const titleId = control instanceof HTMLButtonElement ? newId("setting-title") : null;
  if (titleId !== null) control?.setAttribute("aria-describedby", titleId);
  return h(
    "div",
    { class: isWide ? "setting wide" : "setting" },
    h(
      "div",
      { class: "setting-words" },
      h("p", { class: "setting-title", id: titleId }, title),
      typeof text === "string" ? h("p", { class: "setting-text", id: textId }, text) : text,
    ),
    control === null ? null : h("div", { class: "setting-control" }, control),
  );
}

/**
 * A control that shows and edits one kind of value.
 *
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(value: string, isRefused?: boolean) => void} show `isRefused`: what was typed could not be stored.
 */

/**
 * The look of a setting's control, if its kind alone does not determine it.
 *
 * @typedef {object} SettingLook
 * @property {number} [step]
 * @property {(value: number) => string} [format]
 * @property {[number, number]} [range] Narrower than allowed; other values can be typed elsewhere.
 * @property {{ value: string, label: string }[]} [values] Offered in a list.
 * @property {Record<string, import("../../components/button.js").IconName>} [icons] By choice.
 * @property {string} [empty] The meaning of an empty text.
 */

/**
 * A row for a setting; a change applies at once and can be undone in the row.
 *
 * @param {string} name
 * @param {AbortSignal} signal The life of the page.
 * @param {SettingLook} [look]
 * @returns {HTMLElement | null} `null` when the server does not know it.
 */
export function settingRow(name, signal, look = {}) {
  const setting = settings.value.get(name);
  return setting === undefined ? null : new SettingRow(setting, look, signal).element;
}

class SettingRow {
  element;
  #setting;
  #shown;
  #control;
  #after = h("span", { class: "setting-after", role: "status" });
  #timer = 0;
  /** The value whose change can be undone. */
  #chosen = "";
  /** How many changes are not answered yet; the answer to one before the last is not what the user has chosen. */
  #underWay = 0;

  /**
   * @param {Setting} setting
   * @param {SettingLook} look
   * @param {AbortSignal} signal
   */
  constructor(setting, look, signal) {
    const { name, value, choices } = setting;
    const textId = newId("setting-text");
    this.#setting = setting;
    this.#shown = value;
    this.#control = controlFor(setting, { title: this.#title, textId, look, change: (now) => this.#change(now) });
    const { element: control } = this.#control;
    this.element = line({
      title: this.#title,
      text: h("p", { class: "setting-text" }, h("span", { id: textId }, t(`setting.${name}.text`)), " ", this.#after),
      control,
      isWide: (choices !== null && choices.length > 3) || control.dataset.wide !== undefined,
    });
    this.element.dataset.setting = name;
    settings.watch((all) => this.#follow(all.get(name)?.value), signal);
  }

  get #title() {
    return t(`setting.${this.#setting.name}`);
  }

  /** @param {string | undefined} value The setting's, which may have been changed elsewhere. */
  #follow(value) {
    if (value === undefined || value === this.#shown || this.#underWay > 0) return;
    const hadFocus = this.#after.contains(document.activeElement);
    // To undo a change would take back what was chosen elsewhere since.
    this.#after.hidden = !this.#after.classList.contains("wrong") && value !== this.#chosen;
    this.#show(value);
    if (hadFocus && this.#after.hidden) this.#focusControl();
  }

  /** @param {string} value */
  #show(value) {
    this.#shown = value;
    this.#control.show(value);
  }

  /** @param {string} value */
  async #change(value) {
    const before = this.#shown;
    if (value === before) return;
    this.#shown = value;
    if (await this.#send(() => changeSetting(this.#setting.name, value))) this.#offerUndo(before);
  }

  /**
   * @param {() => Promise<Setting>} change
   * @returns {Promise<boolean>} Whether it was stored, and no later change is under way.
   */
  async #send(change) {
    this.#underWay += 1;
    try {
      const changed = await change();
      this.#underWay -= 1;
      keep(changed);
      return this.#underWay === 0;
    } catch (error) {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#refuse(error);
      return false;
    }
  }

  /** @param {unknown} error Why the setting stays as it is. */
  #refuse(error) {
    const { name, value } = this.#setting;
    this.#shown = settings.value.get(name)?.value ?? value;
    this.#control.show(this.#shown, true);
    this.#say(icon("error"), paragraphFor(error));
    this.#after.classList.add("wrong");
  }

  /** @param {string} before */
  #offerUndo(before) {
    const undo = button({ label: t("do.undo"), look: "quiet", className: "setting-undo", onPress: () => this.#undo(before) });
    undo.setAttribute("aria-label", t("settings.undo.label", { name: this.#title }));
    this.#chosen = this.#shown;
    this.#say(t("settings.changed"), " ", undo);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#after.contains(document.activeElement)) this.#say();
    }, undoTime);
  }

  /** @param {string} before */
  async #undo(before) {
    const { name, standard } = this.#setting;
    const hadFocus = this.#after.contains(document.activeElement);
    this.#say();
    this.#show(before);
    if (hadFocus) this.#focusControl();
    await this.#send(() => (before === standard ? resetSetting(name) : changeSetting(name, before)));
  }

  /** The button that undid the change is gone. */
  #focusControl() {
    const { element } = this.#control;
    const parts = "button, input, select, textarea";
    const part = element.matches(parts) ? element : (element.querySelector("input:checked") ?? element.querySelector(parts));
    if (part instanceof HTMLElement) part.focus({ preventScroll: true });
  }

  /** @param {...(Node | string)} words */
  #say(...words) {
    this.#after.hidden = false;
    this.#after.classList.remove("wrong");
    this.#after.replaceChildren(...words);
  }
}

/**
 * Updates the store with a changed setting without waiting for the server's event.
 *
 * @param {Setting} changed
 */
function keep(changed) {
  settings.set(new Map([...settings.value, [changed.name, changed]]));
}

/**
 * @param {Setting} setting
 * @param {{ title: string, textId: string, look: SettingLook, change: (value: string) => void }} options
 * @returns {Control}
 */
function controlFor(setting, { title, textId, look, change }) {
  const { name, value, kind, choices } = setting;
  if (kind === "switch") {
    const element = toggleSwitch({
      label: title,
      isOn: value === "on",
      describedBy: textId,
      onChange: (isOn) => change(isOn ? "on" : "off"),
    });
    return { element, show: (now) => setSwitch(element, now === "on") };
  }
  if (look.values !== undefined) return listControl(setting, title, textId, look.values, change);
  if (choices !== null) {
    const element = segments({
      label: title,
      options: choices.map((one) => ({ value: one, label: t(`setting.${name}.${one}`), icon: look.icons?.[one] })),
      value,
      onChange: change,
      describedBy: textId,
    });
    return { element, show: (now) => setSegment(element, now) };
  }
  return kind === "text" ? textControl(setting, { title, textId, look, change }) : numberControl(setting, { title, textId, look, change });
}

/**
 * @param {Setting} setting
 * @param {string} title
 * @param {string} textId
 * @param {{ value: string, label: string }[]} values
 * @param {(value: string) => void} change
 * @returns {Control}
 */
function listControl({ value }, title, textId, values, change) {
  const { element, select } = selectField({
    label: title,
    hideLabel: true,
    describedBy: textId,
    groups: [{ options: values }],
    value,
    onChange: change,
  });
  return { element, show: (now) => (select.value = now) };
}

/**
 * @param {Setting} setting
 * @param {{ title: string, textId: string, look: SettingLook, change: (value: string) => void }} options
 * @returns {Control}
 */
function numberControl({ value, range, kind, unit }, { title, textId, look, change }) {
  const [min, max] = look.range ?? range ?? [0, 100];
  const step = look.step ?? (kind === "integer" ? 1 : 0.1);
  if (kind === "integer" && max - min <= 8) return stepper(title, Number(value), [min, max], change);
  const said = look.format ?? ((/** @type {number} */ one) => withUnit(one, unit));
  const element = slider({
    label: title,
    hideLabel: true,
    describedBy: textId,
    min,
    max,
    step,
    isWhole: kind === "integer",
    value: Number(value),
    format: said,
    onChange: (now) => change(String(Math.round(now * 1_000) / 1_000)),
  });
  return { element, show: (now) => (element.value = Number(now)) };
}

/**
 * @param {number} value
 * @param {string | null} unit As the server names it.
 */
function withUnit(value, unit) {
  const key = `settings.unit.${unit}`;
  return isKnown(key) ? t(key, { n: value }) : number(value, 2);
}

/**
 * A small whole number with buttons to decrease and increase it.
 *
 * @param {string} title
 * @param {number} value
 * @param {[number, number]} range
 * @param {(value: string) => void} change
 * @returns {Control}
 */
function stepper(title, value, [min, max], change) {
  let now = value;
  const shown = h("output", { class: "stepper-value numbers", role: "status" });
  const less = button({ label: t("settings.less", { name: title }), icon: "minus", iconOnly: true, onPress: () => go(-1) });
  const more = button({ label: t("settings.more", { name: title }), icon: "plus", iconOnly: true, onPress: () => go(1) });
  const element = h("div", { class: "stepper", role: "group", "aria-label": title }, less, shown, more);

  /** @param {number} by */
  function go(by) {
    const next = Math.max(min, Math.min(max, now + by));
    if (next === now) return;
    show(String(next));
    change(String(next));
  }

  /** @param {string} text */
  function show(text) {
    now = Number(text);
    setText(shown, number(now));
    less.setAttribute("aria-disabled", String(now <= min));
    more.setAttribute("aria-disabled", String(now >= max));
  }

  show(String(value));
  return { element, show };
}

/**
 * A group of rows.
 *
 * @param {string} title
 * @param {...(HTMLElement | null)} lines
 * @returns {HTMLElement}
 */
export function settingGroup(title, ...lines) {
  const id = newId("group");
  return h(
    "section",
    { class: "setting-group", "aria-labelledby": id },
    h("h3", { id, class: "setting-group-title" }, title),
    h("div", { class: "setting-lines" }, ...lines),
  );
}

/**
 * A text field that applies on leaving or Enter; Escape restores it.
 *
 * @param {import("../../server/settings.js").Setting} setting
 * @param {{ title: string, textId: string, look: SettingLook, change: (value: string) => void }} options
 * @returns {Control}
 */
function textControl({ value }, { title, textId, look, change }) {
  let shown = value;
  const element = h("input", {
    type: "text",
    class: "field",
    value,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: look.empty ?? "",
    "aria-label": title,
    "aria-describedby": textId,
    "data-wide": true,
  });
  const take = () => {
    shown = element.value.trim();
    change(shown);
  };
  element.addEventListener("change", take);
  element.addEventListener("keydown", (event) => {
    // A refused value stays in the field, and is sent again.
    if (event.key === "Enter" && element.value.trim() !== shown) take();
    if (event.key !== "Escape" || element.value === shown) return;
    element.value = shown;
    event.stopPropagation();
  });
  return {
    element,
    show: (now, isRefused = false) => {
      const isTyping = element === document.activeElement && element.value.trim() !== shown;
      shown = now;
      if (!isRefused && !isTyping) element.value = now;
    },
  };
}
