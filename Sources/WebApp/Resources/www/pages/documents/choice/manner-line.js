import { h } from "../../../core/dom.js";
import { t, times } from "../../../core/i18n.js";
import { profiles, voices } from "../../../core/store.js";

/**
 * How it will be spoken: the chosen profile's voice and speed, and the way to change them.
 *
 * @param {() => void} leave Told when the person goes there.
 */
export function mannerLine(leave) {
  const all = profiles.value;
  const profile = all?.profiles.find(({ id }) => id === all.chosen);
  const voice = voices.value?.find(({ id }) => id === profile?.voice);
  if (profile === undefined) return null;
  const manner = [voice?.name ?? profile.voice, times(profile.speed)].join(" · ");
  return h("p", { class: "muted small" }, `${t("choice.manner", { manner })} `, h("a", { href: "/settings/speech", onclick: leave }, t("choice.manner.change")));
}
