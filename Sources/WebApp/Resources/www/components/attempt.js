import { wordsFor } from "../core/i18n.js";
import { showToast } from "./toast.js";

/**
 * Does something, and shows in a toast why it failed.
 *
 * @param {() => Promise<unknown>} work
 * @param {AbortSignal} [signal] No toast is shown once it is aborted.
 * @returns {Promise<boolean>} Whether it succeeded.
 */
export async function attempt(work, signal) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!signal?.aborted) showToast({ icon: "error", text: wordsFor(error).message });
    return false;
  }
}
