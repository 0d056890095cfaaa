import { isKnown, t } from "../../core/i18n.js";

/**
 * A notice about a document in the language of the page. The server writes it in English, with the pages or the count
 * that it is about.
 *
 * @param {import("../../server/documents.js").Notice} notice
 */
export function noticeWords({ code, message }) {
  const key = `notice.${code}`;
  if (!isKnown(key)) return message;
  const numbers = message.match(/\d+/g);
  const which = code === "document.guessed-encoding" ? (/ as (.+)\.$/.exec(message)?.[1] ?? "?") : (numbers ?? ["1"]).join(", ");
  return t(key, { which });
}
