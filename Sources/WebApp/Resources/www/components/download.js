import { h } from "../core/dom.js";

/**
 * Downloads the content of an address, which the server must send as an attachment.
 *
 * @param {string} address
 */
export function download(address) {
  const link = h("a", { href: address, download: "", hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * Puts text on the clipboard.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether the browser allowed it.
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the browser lets a page share a file of a kind.
 *
 * @param {string} name Such as `sound.wav`.
 * @param {string} type Its media type.
 */
export function canShareFile(name, type) {
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [new File(["."], name, { type })] });
}
