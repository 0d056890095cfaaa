import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { icon } from "../../components/icon.js";
import { errorNotice, notice } from "../../components/notice.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { shortDate } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { addressWithReturn } from "../../core/router.js";
import { upload } from "./voice-upload.js";
import { refreshCatalogue } from "../../server/voice-catalogue.js";

/** @typedef {import("../../server/voice-catalogue.js").VoiceListings} VoiceListings */
/** @typedef {import("./voice-upload.js").Upload} Upload */
/** @typedef {import("../../server/voice-catalogue.js").Loss} Loss */

/**
 * The notices above the list: voices with missing files, a voice replaced by another, and disabled downloads.
 *
 * @param {object} known
 * @param {readonly Loss[]} known.losses
 * @param {boolean} known.isStandIn
 * @param {boolean} known.isOffline
 * @param {object} actions
 * @param {(loss: Loss) => void} actions.download
 * @param {() => void} actions.dismiss
 * @returns {HTMLElement[]}
 */
export function voiceNotices({ losses, isStandIn, isOffline }, { download, dismiss }) {
  const all = [];
  if (losses.length > 0) all.push(lossNotice(losses, download, dismiss));
  else if (isStandIn) all.push(notice({ kind: "warning", text: t("profiles.standIn"), detail: t("voices.standIn.do") }));
  if (isOffline) {
    const settings = h("a", { class: "button", href: addressWithReturn("/settings/speech") }, t("voices.step.settings"));
    all.push(notice({ text: t("voices.offline"), detail: t("voices.offline.do"), actions: [settings] }));
  }
  return all;
}

/**
 * @param {readonly Loss[]} losses
 * @param {(loss: Loss) => void} download
 * @param {() => void} dismiss
 */
function lossNotice(losses, download, dismiss) {
  const [first] = losses;
  const names = losses.map(({ name }) => name).join(", ");
  const isOne = losses.length === 1 && first !== undefined;
  return notice({
    kind: "warning",
    text: isOne ? t("voices.lost.one", { name: names, reason: wordsFor(first.failure).message }) : t("voices.lost", { names }),
    detail: t("voices.lost.do"),
    actions: [
      ...losses
        .filter(({ entry }) => entry !== null)
        .map((loss) => button({ label: isOne ? t("voices.step.again") : t("voices.step.again.of", { name: loss.name }), onPress: () => download(loss) })),
      button({ label: t("do.dismiss"), look: "quiet", onPress: dismiss }),
    ],
  });
}

/** The date of the catalogue, and the button that refreshes it. */
export class CatalogueNews {
  #words = h("p", { class: "muted small" });
  #refresh = button({ label: t("voices.refresh"), icon: "again", look: "quiet", onPress: () => this.refresh() });
  #known = 0;
  #changed;

  element = h("div", { class: "catalogue-news", hidden: true }, this.#words, this.#refresh);
  /** The notice of a failed refresh. */
  problem = h("div", { class: "news-problem" });

  /** @param {(list: VoiceListings) => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {boolean} isOfUse Whether the visible voices come from the catalogue. */
  set isOfUse(isOfUse) {
    this.element.hidden = !isOfUse;
    this.problem.hidden = !isOfUse;
  }

  /** @param {VoiceListings} list */
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
      const list = await refreshCatalogue();
      this.#changed(list);
      const fresh = Math.max(0, list.voices.length - before);
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

/** The file extension of an archive. */
const archiveEnding = ".tar.bz2";

/** The progress of adding a voice from a file, or why it was refused. */
export class UploadNotice {
  element = h("div", { class: "voice-upload" });
  #part = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, h("div", { class: "progress-part" }));
  #words = h("p", { class: "muted small numbers", role: "status" });
  #state = "";
  #picker = h("input", { type: "file", accept: `${archiveEnding},.bz2`, class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
  #done;

  /** @param {(voice: import("../../server/voice-catalogue.js").VoiceListing) => void} done */
  constructor(done) {
    this.#done = done;
    this.#picker.addEventListener("change", () => {
      const [file] = this.#picker.files ?? [];
      if (file !== undefined) upload.add(file);
      this.#picker.value = "";
    });
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    upload.current.follow((current) => this.#show(current), signal);
  }

  pick() {
    if (!this.#picker.isConnected) this.element.after(this.#picker);
    this.#picker.click();
  }

  /** @param {Upload | null} current */
  #show(current) {
    const state = current === null ? "" : `${current.state} ${current.file.name}`;
    const isNew = state !== this.#state;
    this.#state = state;
    if (current?.state === "done" && current.voice !== null) {
      upload.drop();
      this.#done(current.voice);
    } else if (current === null) {
      if (isNew) fill(this.element);
    } else if (current.state === "refused") {
      if (isNew) fill(this.element, refusal(current, () => this.pick()));
    } else {
      this.#showProgress(current, isNew);
    }
  }

  /**
   * @param {Upload} current
   * @param {boolean} isNew
   */
  #showProgress({ file, state, part }, isNew) {
    setText(this.#words, state === "trying" ? t("voices.upload.trying") : t("voices.upload.sending", { n: number(Math.floor(part * 10) * 10) }));
    this.#part.style.setProperty("--part", String(part));
    setAttribute(this.#part, "aria-valuenow", String(Math.round(part * 100)));
    setAttribute(this.#part, "aria-label", t("voices.progress", { name: file.name }));
    if (!isNew) return;
    const cancel = button({ label: t("do.cancel"), look: "quiet", onPress: () => upload.drop() });
    fill(
      this.element,
      h(
        "div",
        { class: "notice" },
        icon("voice"),
        h("div", { class: "notice-words" }, h("p", { dir: "auto" }, file.name), this.#words, this.#part),
        h("div", { class: "notice-actions" }, cancel),
      ),
    );
  }
}

/**
 * @param {Upload} upload
 * @param {() => void} pick
 */
function refusal({ file, problem }, pick) {
  const another = button({ label: t("voices.upload.another"), onPress: pick });
  const away = button({ label: t("do.dismiss"), look: "quiet", onPress: () => upload.drop() });
  const element = errorNotice(problem, another, away);
  element.querySelector(".notice-words")?.prepend(h("p", { class: "small", dir: "auto" }, file.name));
  return element;
}
