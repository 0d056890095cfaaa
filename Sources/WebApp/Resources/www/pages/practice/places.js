import { matchRoute } from "../../core/router.js";

/**
 * What an address below the page's own leads to.
 *
 * @typedef {{ kind: "speech" | "session", id: string }} PracticePlace
 */

/**
 * @param {string} path
 * @returns {PracticePlace | null} `null` for the list.
 */
export function placeIn(path) {
  const [folder = "", id = ""] = (matchRoute(path, [{ address: "/practice" }])?.rest ?? "").split("/");
  const kind = folder === "speeches" ? "speech" : folder === "sessions" ? "session" : null;
  return kind === null || id === "" ? null : { kind, id: decoded(id) };
}

/** @param {string} id As in the address; nothing has a badly escaped id, and the server reports that. */
function decoded(id) {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
