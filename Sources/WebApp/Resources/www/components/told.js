import { wordsFor } from "../core/i18n.js";
import { showToast } from "./toast.js";

/**
 * Does something, and says in a toast why it could not.
 *
 * @param {() => Promise<unknown>} work
 * @param {AbortSignal} [signal] Nothing is said once it is aborted.
 * @returns {Promise<boolean>} Whether it was done.
 */
export async function told(work, signal) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!signal?.aborted) showToast({ icon: "error", text: wordsFor(error).message });
    return false;
  }
}
