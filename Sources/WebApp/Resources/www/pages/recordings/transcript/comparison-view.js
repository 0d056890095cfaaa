import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { fill, h, setText } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { comparedRow, rowsOf } from "./comparison.js";
import { makerOf, optionRow } from "./sheets.js";
import { compareTranscripts } from "../../../server/transcripts.js";

/** @typedef {import("../../../server/transcripts.js").TranscriptVersion} TranscriptVersion */
/** @typedef {Pick<TranscriptVersion, "id" | "number" | "recognizer" | "recognizerName" | "base">} ComparedVersion */

/**
 * @typedef {object} ComparisonActions
 * @property {(seconds: number) => void} play
 * @property {() => void} leave
 */

/** Two versions side by side; differences are marked, also in words for screen readers. */
export class ComparisonView {
  element;
  #versions;
  #actions;
  #signal;
  #title = h("h2", { tabindex: "-1" }, t("compare.title"));
  #summary = h("p", { class: "muted", role: "status" });
  #rows = h("ol", { class: "compared-rows" });
  #at = -1;

  /**
   * @param {ComparedVersion} first
   * @param {ComparedVersion} second
   * @param {ComparisonActions} actions
   * @param {AbortSignal} signal
   */
  constructor(first, second, actions, signal) {
    this.#versions = [first, second];
    this.#actions = actions;
    this.#signal = signal;
    const step = (/** @type {1 | -1} */ by) => () => this.#step(by);
    this.element = h(
      "section",
      { class: "comparison" },
      h(
        "div",
        { class: "comparison-head" },
        this.#title,
        button({ label: t("compare.previous"), icon: "chevron-up", look: "quiet", iconOnly: true, onPress: step(-1) }),
        button({ label: t("compare.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: step(1) }),
        button({ label: t("compare.leave"), icon: "close", onPress: actions.leave }),
      ),
      this.#summary,
      optionRow("compare.only", false, (isOn) => this.#rows.classList.toggle("only-different", isOn)),
      h("div", { class: "compared-names" }, ...this.#versions.map((one) => h("p", {}, nameOf(one)))),
      this.#rows,
    );
  }

  focus() {
    this.#title.focus();
  }

  async load() {
    try {
      const { missing, added, passages } = await compareTranscripts(this.#versions[0].id, this.#versions[1].id, this.#signal);
      fill(this.#rows, ...rowsOf(passages).map((row) => comparedRow(row, this.#actions.play)));
      const isSame = missing === 0 && added === 0;
      const [first, second] = this.#versions.map(({ number }) => String(number));
      setText(this.#summary, isSame ? t("compare.same") : t("compare.summary", { missing, added, first, second }));
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.load() });
      if (!this.#signal.aborted) fill(this.#rows, h("li", {}, errorNotice(error, again)));
    }
  }

  /** @param {1 | -1} by To the next row with a difference. */
  #step(by) {
    const rows = [...this.#rows.querySelectorAll(".compared-row:not(.same)")];
    if (rows.length === 0) return;
    this.#at = this.#at < 0 && by < 0 ? rows.length - 1 : (this.#at + by + rows.length) % rows.length;
    rows[this.#at].scrollIntoView({ block: "center" });
    /** @type {HTMLElement | null} */ (rows[this.#at].querySelector("button"))?.focus({ preventScroll: true });
  }
}

/** @param {ComparedVersion} version */
function nameOf(version) {
  return `${t("transcript.version", { n: version.number })} · ${makerOf(version)}`;
}
