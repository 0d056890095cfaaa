import { button } from "./button.js";

/**
 * The button that opens the menu of everything that can be done with a thing.
 *
 * @param {object} options
 * @param {string} options.label Names the thing.
 * @param {"plain" | "quiet"} [options.look] `quiet`, as in a row, when absent.
 * @param {(anchor: HTMLButtonElement) => void} options.open
 */
export function moreButton({ label, look = "quiet", open }) {
  const more = button({ label, icon: "more", look, iconOnly: true, onPress: () => open(more) });
  more.setAttribute("aria-haspopup", "menu");
  return more;
}
