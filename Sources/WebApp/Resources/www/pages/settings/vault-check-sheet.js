import { button } from "../../components/button.js";
import { isBusy, setBusy, toggleSwitch } from "../../components/field.js";
import { errorNotice, notice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { clock } from "../../core/format.js";
import { isKnown, t } from "../../core/i18n.js";
import { checkLibrary } from "../../server/settings.js";

/** @typedef {import("../../server/settings.js").VaultReport} VaultReport */

/**
 * The result, in a sentence.
 *
 * @param {VaultReport} report
 */
export function summaryOf({ isSound, findings }) {
  const faults = findings.filter(({ kind }) => kind === "fault").length;
  return isSound ? t("vaultCheck.sound") : t("vaultCheck.found", { n: faults });
}

/**
 * A line of the report in the person's language; in English when it is new to the page.
 *
 * @param {VaultReport["findings"][number]} finding
 */
export function findingWords({ code, message, name = "", count = 0, seconds = 0, duration = 0 }) {
  const key = `vaultCheck.finding.${code}`;
  return isKnown(key) ? t(key, { name, n: count, lost: clock(seconds), whole: clock(duration) }) : message;
}

/** The sheet that looks for damage in the library, and repairs what can be repaired. Closing it ends a check. */
export class VaultCheckSheet extends Sheet {
  #readsData = false;
  #words = h("p", {});
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("check.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #progress = h("div", { class: "vault-check-progress", hidden: true }, this.#words, this.#bar);
  #result = h("div", { class: "vault-check-result" });
  #announced = h("p", { class: "visually-hidden", role: "status" });
  #check = button({ label: t("vaultCheck.start"), look: "primary", onPress: () => this.#run(this.#check, false) });
  #repair = button({ label: t("vaultCheck.repair"), onPress: () => this.#run(this.#repair, true) });
  #tenth = 0;

  constructor() {
    super({ title: t("vaultCheck.title"), kind: "side", className: "vault-check-sheet" });
    const label = t("vaultCheck.all");
    const all = toggleSwitch({ label, isOn: false, onChange: (isOn) => (this.#readsData = isOn) });
    this.#repair.hidden = true;
    this.build({
      content: [
        h(
          "div",
          { class: "form" },
          h("p", {}, t("vaultCheck.intro")),
          h("div", { class: "export-option" }, h("span", {}, label), all),
          this.#progress,
          this.#result,
          this.#announced,
        ),
      ],
      actions: [this.#repair, this.#check],
    });
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {boolean} repairs
   */
  async #run(pressed, repairs) {
    if (isBusy(this.#check) || isBusy(this.#repair)) return;
    const readsData = this.#readsData;
    fill(this.#result);
    this.#tenth = 0;
    this.#show(0);
    setText(this.#announced, t("vaultCheck.beginning"));
    this.#progress.hidden = false;
    setBusy(pressed, t("vaultCheck.working"));
    try {
      const report = await checkLibrary({ readsData, repairs }, (percent) => this.#show(percent), this.signal);
      const summary = summaryOf(report);
      fill(this.#result, ...resultOf(report, summary, { readsData, repairs }));
      setText(this.#announced, summary);
      this.#offerRepair(report.canBeRepaired && !repairs);
    } catch (error) {
      if (this.signal.aborted) return;
      setText(this.#announced, "");
      fill(this.#result, errorNotice(error));
    } finally {
      setBusy(pressed, null);
      this.#progress.hidden = true;
    }
  }

  /** @param {number} percent */
  #show(percent) {
    setText(this.#words, percent === 0 ? t("vaultCheck.beginning") : t("vaultCheck.percent", { n: percent }));
    this.#bar.style.setProperty("--part", String(percent / 100));
    setAttribute(this.#bar, "aria-valuenow", String(percent));
    const tenth = Math.floor(percent / 10);
    if (tenth > this.#tenth) setText(this.#announced, t("vaultCheck.percent", { n: tenth * 10 }));
    this.#tenth = tenth;
  }

  /** @param {boolean} isOffered */
  #offerRepair(isOffered) {
    const hadFocus = document.activeElement === this.#repair;
    this.#repair.hidden = !isOffered;
    if (hadFocus && !isOffered) this.#check.focus();
  }
}

/**
 * @param {VaultReport} report
 * @param {string} summary
 * @param {{ readsData: boolean, repairs: boolean }} order
 */
function resultOf(report, summary, { readsData, repairs }) {
  const { isSound, canBeRepaired, contents, findings } = report;
  const detail = t("vaultCheck.contents", { n: contents });
  return [
    notice({ text: summary, detail, kind: isSound ? "info" : "warning" }),
    findings.length === 0 ? null : h("ul", { class: "vault-check-findings" }, ...findings.map((one) => h("li", {}, findingWords(one)))),
    isSound && !readsData ? h("p", { class: "muted" }, t("vaultCheck.quick")) : null,
    canBeRepaired && !repairs ? h("p", {}, t("vaultCheck.repair.text")) : null,
    isSound ? null : h("p", {}, t("vaultCheck.lost")),
  ];
}
