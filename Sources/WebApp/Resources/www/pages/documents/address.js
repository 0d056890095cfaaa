/** The address of the documents; the part below it is a document's id. */
export const home = "/documents";

/**
 * The document that an address leads to.
 *
 * @param {string} path Such as `/documents/42`.
 * @returns {string | null} `null` when it leads to the list. What is badly escaped is taken as it stands: no document has
 *   such an id, and the server says so.
 */
export function documentIdIn(path) {
  const rest = path.slice(home.length).replace(/^\/+|\/+$/g, "");
  if (rest === "") return null;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
