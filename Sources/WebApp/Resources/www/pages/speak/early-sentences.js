/** @typedef {import("../../server/narrations.js").Sentence} Sentence */

/**
 * The sentences that are spoken before the request for their narration is answered: events and answers use different
 * connections.
 */
export class EarlySentences {
  /** @type {{ narration: string, sentence: Sentence }[] | null} `null` while no answer is pending. */
  #heard = null;

  /** Called when a request is sent. */
  begin() {
    this.#heard = [];
  }

  /** @param {{ narration: string, sentence: Sentence }} spoken Of any narration. */
  hear(spoken) {
    this.#heard?.push(spoken);
  }

  /**
   * Called when the request is answered.
   *
   * @param {string | null} narration Its id; `null` when it was refused.
   * @returns {Sentence[]} The sentences of that narration.
   */
  end(narration) {
    const heard = this.#heard ?? [];
    this.#heard = null;
    return heard.filter((one) => one.narration === narration).map((one) => one.sentence);
  }
}
