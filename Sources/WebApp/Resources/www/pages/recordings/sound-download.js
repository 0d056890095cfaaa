import { h } from "../../core/dom.js";

/**
 * Has the browser save sound that the server does not have.
 *
 * @param {File} sound
 */
export function downloadSound(sound) {
  const address = URL.createObjectURL(sound);
  h("a", { href: address, download: sound.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
