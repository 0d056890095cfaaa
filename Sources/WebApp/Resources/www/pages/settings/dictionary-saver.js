/** Saves the dictionary while it is being written: in order, and one request at a time. It outlives its sheet. */
export class DictionarySaver {
  /** The list on the server, as far as this page knows. */
  kept = "";
  /** @type {string | null} What is written and not saved; a sheet that is opened again shows it. */
  left = null;
  #save;
  /** Whether a failed request may have changed the list on the server. */
  #isDoubted = false;
  /** @type {string | null} What is to be sent next. */
  #next = null;
  /** @type {Promise<void> | null} */
  #sending = null;

  /** @param {(text: string) => Promise<unknown>} save */
  constructor(save) {
    this.#save = save;
  }

  /** @param {string} text The list on the server. */
  loaded(text) {
    this.kept = text;
    this.#isDoubted = false;
    if (this.left === text) this.left = null;
  }

  /** @param {string} text What is written now. */
  write(text) {
    this.left = this.#isKept(text) ? null : text;
  }

  /**
   * Saves a list, after what is under way. Of several that wait only the last is sent.
   *
   * @param {string} text
   * @throws Why the last of them was refused.
   */
  async keep(text) {
    if (this.#sending === null && this.#isKept(text)) return;
    this.#next = text;
    await (this.#sending ??= this.#send());
  }

  async #send() {
    let problem = null;
    for (let text = this.#next; text !== null; text = this.#next) {
      this.#next = problem = null;
      try {
        await this.#save(text);
        this.loaded(text);
      } catch (error) {
        this.#isDoubted = true;
        problem = error;
      }
    }
    this.#sending = null; // at once: what comes next must be sent again
    if (problem !== null) throw problem;
  }

  /** @param {string} text */
  #isKept(text) {
    return text === this.kept && !this.#isDoubted && this.#sending === null;
  }
}
