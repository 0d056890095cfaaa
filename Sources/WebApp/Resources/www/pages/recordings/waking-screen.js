/** Keeps the screen from going dark while something is recorded, where the browser can. */
export class WakingScreen {
  /** @type {WakeLockSentinel | null} */
  #lock = null;

  async keepAwake() {
    try {
      if (document.visibilityState === "visible") this.#lock = (await navigator.wakeLock?.request("screen")) ?? null;
    } catch {
      // The screen may go dark, as it does by itself.
    }
  }

  letSleep() {
    this.#lock?.release().catch(() => {}); // it was released before
    this.#lock = null;
  }
}
