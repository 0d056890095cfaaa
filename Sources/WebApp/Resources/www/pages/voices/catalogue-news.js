import { refreshCatalogue } from "../../server/voice-catalogue.js";
import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { addressWithReturn } from "../../core/router.js";

/** @typedef {import("../../server/voice-catalogue.js").Catalogue} Catalogue */

/** How new the list of voices is, and the way to a newer one. */
export class CatalogueNews {
  #words = h("p", { class: "muted small" });
  #refresh = button({ label: t("voices.refresh"), icon: "forward", look: "quiet", onPress: () => this.refresh() });
  #known = 0;
  #changed;

  element = h("div", { class: "catalogue-news", hidden: true }, this.#words, this.#refresh);
  /** Where it says why there is no newer list. */
  problem = h("div", { class: "news-problem" });

  /** @param {(catalogue: Catalogue) => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {boolean} isOfUse Whether the voices that are shown come from the list. */
  set isOfUse(isOfUse) {
    this.element.hidden = !isOfUse;
    this.problem.hidden = !isOfUse;
  }

  /** @param {Catalogue} catalogue */
  show({ voices, refreshedAt, source }) {
    this.#known = voices.length;
    const where = source === "sherpaOnnx" ? "" : ` ${t(`voices.catalogue.${source}`)}`;
    setText(this.#words, (refreshedAt === null ? t("voices.catalogue.bundled") : t("voices.catalogue.of", { date: shortDate(refreshedAt) })) + where);
  }

  async refresh() {
    if (isBusy(this.#refresh)) return;
    setBusy(this.#refresh, t("voices.refreshing"));
    fill(this.problem);
    const before = this.#known;
    try {
      const catalogue = await refreshCatalogue();
      this.#changed(catalogue);
      const fresh = Math.max(0, catalogue.voices.length - before);
      showToast({ icon: "check", text: fresh === 0 ? t("voices.refreshed") : t("voices.refreshed.new", { n: fresh }) });
    } catch (error) {
      const settings = h("a", { class: "button", href: addressWithReturn("/settings/speech") }, t("voices.step.settings"));
      const again = button({ label: t("do.again"), onPress: () => this.refresh() });
      const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
      fill(this.problem, errorNotice(error, /^(outbound|catalogue)\./.test(code) ? settings : again));
    } finally {
      setBusy(this.#refresh, null);
    }
  }
}
