/** @typedef {import("../../server/narrations.js").Sentence} Sentence */

/**
 * The sentences that are spoken before the order of their narration is answered: events and answers come by different
 * connections.
 */
export class EarlySentences {
  /** @type {{ narration: string, sentence: Sentence }[] | null} `null` while no answer is waited for. */
  #heard = null;

  /** An order is sent. */
  begin() {
    this.#heard = [];
  }

  /** @param {{ narration: string, sentence: Sentence }} spoken Of any narration. */
  hear(spoken) {
    this.#heard?.push(spoken);
  }

  /**
   * The order is answered.
   *
   * @param {string | null} narration Its id; `null` when it was refused.
   * @returns {Sentence[]} Those of that narration.
   */
  end(narration) {
    const heard = this.#heard ?? [];
    this.#heard = null;
    return heard.filter((one) => one.narration === narration).map((one) => one.sentence);
  }
}
