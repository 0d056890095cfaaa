import { icon } from "../../components/icon.js";
import { h, loadStyle, setText } from "../../core/dom.js";
import { t, times } from "../../core/i18n.js";
import { profiles, voices } from "../../core/store.js";
import { session } from "./session.js";

/** @typedef {"voice" | "profile" | "speed" | "pitch"} SheetName */

/**
 * Voice, profile, speed and pitch of what is spoken next.
 *
 * @param {AbortSignal} signal
 */
export function mannerChips(signal) {
  const voice = chip("voice", t("speak.voice"));
  const profile = chip("profile", t("speak.profile"));
  const speed = chip("speed", t("speak.speed"));
  const pitch = chip("pitch", t("speak.pitch"));
  const update = () => {
    const manner = session.wholeManner;
    const known = voices.value?.find(({ id }) => id === manner.voice);
    voice.show(known?.name ?? (voices.value === null ? "…" : (manner.voice ?? t("speak.voice.no"))));
    profile.show(manner.profile === null ? "…" : profileName(manner.profile) + (manner.isChanged ? "*" : ""));
    profile.element.title = manner.isChanged ? t("speak.profile.changed") : "";
    speed.show(factor(manner.speed));
    pitch.show(factor(manner.pitch));
  };
  for (const cell of [session.manner, profiles, voices]) /** @type {typeof profiles} */ (cell).follow(update, signal);
  return h("div", { class: "chips" }, voice.element, profile.element, speed.element, pitch.element);
}

/** @param {number} [value] */
function factor(value) {
  return value === undefined && profiles.value === null ? "…" : times(value ?? 1);
}

/**
 * A button that shows a value and opens the sheet that changes it.
 *
 * @param {SheetName} picture What it shows and changes, which is its icon's name too.
 * @param {string} label
 */
function chip(picture, label) {
  const value = h("span", { class: "chip-value numbers" });
  const element = h(
    "button",
    { type: "button", class: `chip chip-${picture}`, "aria-haspopup": "dialog" },
    icon(picture),
    h("span", { class: "chip-label" }, label),
    value,
    icon("chevron-down", { className: "chip-arrow" }),
  );
  element.addEventListener("click", () => openSheetOf(picture, element));
  return { element, show: (/** @type {string} */ text) => setText(value, text) };
}

/**
 * Opens the small sheet that changes one of the four.
 *
 * @param {SheetName} name
 * @param {Element} anchor
 */
export async function openSheetOf(name, anchor) {
  const styles = ["/styles/sheet.css", "/styles/fields.css", "/styles/slider.css"];
  const [sheets] = await Promise.all([import("./sheets.js"), ...styles.map(loadStyle)]);
  const open = { voice: sheets.openVoices, profile: sheets.openProfiles, speed: sheets.openSpeed, pitch: sheets.openPitch };
  open[name](anchor);
}

/** @param {import("../../server/profiles.js").Profile} profile */
export function profileName({ id, name }) {
  return id === "default" && (name === "" || name === "Default") ? t("speak.profile.default") : name;
}
