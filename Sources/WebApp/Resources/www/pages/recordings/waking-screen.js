/** Keeps the screen on while recording, if the browser can. */
export class WakingScreen {
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #isWanted = false;

  async keepAwake() {
    this.#isWanted = true;
    try {
      if (document.visibilityState !== "visible") return;
      const lock = (await navigator.wakeLock?.request("screen")) ?? null;
      const spare = this.#isWanted ? this.#lock : lock;
      if (this.#isWanted) this.#lock = lock;
      await spare?.release();
    } catch {
      // The screen may turn off as usual.
    }
  }

  letSleep() {
    this.#isWanted = false;
    this.#lock?.release().catch(() => {}); // it was released before
    this.#lock = null;
  }
}
