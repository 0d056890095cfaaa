import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";

/**
 * Downloads from an address whose content the server sends as an attachment.
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
 * Copies text to the clipboard.
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
 * Whether the browser lets a page share such a file.
 *
 * @param {string} name Such as `sound.wav`.
 * @param {string} type Its media type.
 */
export function canShareFile(name, type) {
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [new File(["."], name, { type })] });
}

/**
 * The entry that takes something out of the library; where the browser cannot share it, what people said is exported alone.
 *
 * @param {import("../server/library.js").Item["origin"]} [origin]
 */
export function exportWords(origin) {
  return t(origin === "narrated" || canShareFile("sound.wav", "audio/wav") ? "library.menu.share" : "transcript.export");
}
