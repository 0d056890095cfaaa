import { button, icon } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice, notice } from "../../components/notice.js";
import { confirm, openMenu } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { duration, qualityWords, shortDate, size, wordsFor } from "../../core/format.js";
import { isKnown, number, t } from "../../core/i18n.js";
import { addressWithReturn, navigate } from "../../core/router.js";
import {
  chooseVoice,
  deleteVoice,
  discardDownload,
  markFavoriteVoice,
  refreshCatalogue,
  retryVoice,
  startDownload,
  stopDownload,
} from "../../server/voices.js";
import { canSpeak, upload } from "./offers.js";

/** @typedef {import("./offers.js").Offer} Offer */
/** @typedef {import("../../server/voices.js").DownloadState} DownloadState */
/** @typedef {import("../../server/voices.js").Failure} Failure */

/**
 * @param {DownloadState} download
 * @returns {number | null} The downloaded fraction, from 0 to 1.
 */
export function partOf({ bytes, total }) {
  return bytes === null || total === null || total <= 0 ? null : Math.min(1, bytes / total);
}

/**
 * The description of a voice that is being downloaded, is downloaded in part, or failed; nothing for others.
 *
 * @param {Offer} offer
 * @returns {string[]}
 */
export function stateWords({ phase, voice }) {
  if (phase === "downloading") return progressWords(voice.download);
  if (phase === "waiting" || phase === "extracting" || phase === "validating") return [t(`voices.state.${phase}`)];
  if (phase === "paused") return [t("voices.state.paused", { amount: amount(voice.download) })];
  const failure = failureOf({ phase, voice });
  return failure === null ? [] : [wordsFor(failure).message];
}

/**
 * Why it cannot be installed or used.
 *
 * @param {Pick<Offer, "phase" | "voice">} offer
 * @returns {Failure | null}
 */
export function failureOf({ phase, voice }) {
  if (phase === "failed") return voice.download.failure;
  return phase === "broken" ? voice.problem : null;
}

/**
 * “12 of 63 MB”, “2.1 MB/s”, “20 s left”, as far as known.
 *
 * @param {DownloadState} download
 * @returns {string[]}
 */
function progressWords(download) {
  const { rate, secondsLeft } = download;
  const words = [amount(download)];
  if (rate !== null && rate > 0) words.push(t("voices.rate", { size: size(rate) }));
  if (secondsLeft !== null) words.push(t("voices.left", { time: duration(secondsLeft) }));
  return words;
}

/** @param {DownloadState} download */
function amount({ bytes, total }) {
  if (total === null) return size(bytes ?? 0);
  return t("voices.amount", { done: number((bytes ?? 0) / 1_000_000, total < 10_000_000 ? 1 : 0), all: size(total) });
}

/**
 * A voice's name where it may be ambiguous.
 *
 * @param {Offer} offer
 */
export function fullName({ title, voice: { quality, variant } }) {
  return [title, qualityWords(quality), variant].filter(Boolean).join(", ");
}

/**
 * The size of a voice, or an estimate.
 *
 * @param {Offer} offer
 */
export function sizeWords({ bytes, isGuess }) {
  if (bytes === null) return null;
  return isGuess ? t("voices.about", { size: size(bytes) }) : size(bytes);
}

/**
 * How fast this machine speaks with it.
 *
 * @param {Offer} offer
 */
export function speedWords({ voice: { speed } }) {
  return speed === null ? null : t("voices.speed", { times: number(speed, speed < 10 ? 1 : 0) });
}

/**
 * The announcement of a voice's new state: each tenth of a download, and its end.
 *
 * @param {Offer} before
 * @param {Offer} after
 * @returns {{ text: string, isUrgent: boolean } | null} `null` when there is nothing to announce.
 */
export function announcement(before, after) {
  const { title: name, phase } = after;
  if (phase === "downloading") {
    const tenth = tenthOf(after);
    const isNew = before.phase !== "downloading" || tenth !== tenthOf(before);
    return isNew && tenth !== null ? { text: t("voices.said.downloading", { name, n: tenth * 10 }), isUrgent: false } : null;
  }
  if (before.phase === phase) return null;
  if (before.phase === "active" && phase === "ready") return null; // another voice was chosen
  const failure = failureOf(after);
  if (failure !== null) return { text: t("voices.said.failed", { name, reason: wordsFor(failure).message }), isUrgent: true };
  return isKnown(`voices.said.${phase}`) ? { text: t(`voices.said.${phase}`, { name }), isUrgent: false } : null;
}

/** @param {Offer} offer */
function tenthOf({ voice }) {
  const part = partOf(voice.download);
  return part === null ? null : Math.floor(part * 10);
}

/**
 * The main action for a voice, on its button:
 *
 * - `download`, `resume`, `again`: downloads it;
 * - `cancel`: stops the download;
 * - `choose`: starts using it;
 * - `retry`: tries a disabled voice again;
 * - `settings`: opens the settings of connections;
 * - `space`: shows the installed voices, the largest first;
 * - `remove`: deletes it.
 *
 * @typedef {"download" | "resume" | "again" | "cancel" | "choose" | "retry" | "settings" | "space" | "remove"} Step
 */

/**
 * The action in a voice's row.
 *
 * @param {Offer} offer
 * @returns {Step | null} `null` for the voice in use.
 */
export function mainStep(offer) {
  switch (offer.phase) {
    case "absent":
      return "download";
    case "paused":
      return "resume";
    case "ready":
      return "choose";
    case "active":
      return null;
    case "failed":
    case "broken":
      return remedy(offer);
    default:
      return "cancel";
  }
}

/**
 * The action that resolves a failure.
 *
 * @param {Offer} offer
 * @returns {Step}
 */
function remedy(offer) {
  const { code = "" } = failureOf(offer) ?? {};
  if (/^(outbound|catalogue)\./.test(code)) return "settings";
  if (code.endsWith(".no-space")) return "space";
  if (code === "voice.set-aside") return "retry";
  return offer.voice.entry === null ? "remove" : "again";
}

/**
 * Whether an action downloads, which it cannot while EchoText stays offline.
 *
 * @param {Step} step
 */
export const isDownload = (step) => step === "download" || step === "resume" || step === "again";

/** @typedef {import("../../components/sheet.js").MenuItem} MenuItem */

/** The id of the notice that says why nothing can be downloaded. */
const offlineText = "voices-offline";

/** The id of the element that says which profile a choice changes. */
export const chosenProfileText = "voices-chosen-profile";

/** @type {DownloadState} */
const nothing = { state: "none", bytes: null, total: null, rate: null, secondsLeft: null, failure: null };

/** The actions for a voice. Each reports its failure. */
export class VoiceSteps {
  #collection;
  #more;

  /**
   * @param {import("./offers.js").VoiceCollection} collection
   * @param {object} more
   * @param {() => void} more.showInstalled Shows the voices that use disk space.
   * @param {(offer: Offer, profile: import("../../server/voices.js").Profile) => void} more.chosen A voice is now in
   * use, in this profile.
   * @param {(offer: Offer) => void} more.removed Its files are deleted, or never existed.
   */
  constructor(collection, more) {
    this.#collection = collection;
    this.#more = more;
  }

  /** Whether nothing can be downloaded, since EchoText stays offline. */
  get isOffline() {
    return this.#collection.list.value?.isOffline ?? false;
  }

  /**
   * @param {Step} step
   * @param {Offer} offer
   */
  async take(step, offer) {
    const steps = {
      download: () => this.download(offer),
      resume: () => this.download(offer),
      again: () => this.download(offer),
      cancel: () => this.stop(offer),
      choose: () => this.choose(offer),
      retry: () => this.retry(offer),
      settings: async () => navigate(addressWithReturn("/settings/speech")),
      space: async () => this.#more.showInstalled(),
      remove: () => this.remove(offer),
    };
    await steps[step]();
  }

  /**
   * Shows an error in the voice's row, like a failed download. Without effect while EchoText stays offline, which the
   * button says.
   *
   * @param {Offer} offer
   */
  async download({ id, voice: { entry, download: before } }) {
    if (entry === null || this.isOffline) return;
    this.#collection.change(id, "download", { ...before, state: "waiting", rate: null, secondsLeft: null, failure: null });
    try {
      const download = await startDownload(entry);
      if (this.#collection.find(id)?.phase === "waiting") this.#collection.change(id, "download", download);
      this.#collection.confirm(id, "download");
    } catch (error) {
      const { code = "", message = "", suggestion = null } = /** @type {Partial<Failure>} */ (error ?? {});
      this.#collection.change(id, "download", { ...nothing, state: "failed", failure: { code, message, suggestion } });
    }
  }

  /** @param {Offer} offer */
  async stop({ voice: { entry } }) {
    if (entry !== null) await attempt(() => stopDownload(entry));
  }

  /**
   * Deletes a partial download, or dismisses a failed one.
   *
   * @param {Offer} offer
   */
  async discard(offer) {
    const { id } = offer;
    const { entry } = offer.voice;
    if (entry === null) return;
    const isDone = await attempt(() => discardDownload(entry));
    if (!isDone) return;
    this.#collection.change(id, "download", nothing);
    this.#collection.confirm(id, "download");
  }

  /**
   * @param {Offer} offer
   * @param {number} [speaker] One of its speakers, from 0; default: the first.
   */
  async choose(offer, speaker) {
    /** @type {import("../../server/voices.js").Profile | null} */
    let profile = null;
    await attempt(async () => (profile = await chooseVoice(offer.id, speaker)));
    if (profile === null) return;
    await this.#collection.load();
    this.#more.chosen(offer, profile);
  }

  /** @param {Offer} offer */
  async retry({ id }) {
    const isDone = await attempt(() => retryVoice(id));
    if (isDone) await this.#collection.load();
  }

  /**
   * @param {Offer} offer
   */
  async markFavorite({ id, voice: { isFavorite } }) {
    this.#collection.change(id, "isFavorite", !isFavorite);
    const isDone = await attempt(() => markFavoriteVoice(id, !isFavorite));
    if (!isDone) this.#collection.change(id, "isFavorite", isFavorite);
    this.#collection.confirm(id, "isFavorite");
  }

  /**
   * Asks first: the voice would have to be downloaded again.
   *
   * @param {Offer} offer
   */
  async remove(offer) {
    const { installed, entry } = offer.voice;
    if (installed === null) return;
    const isSure = await confirm({
      title: t("voices.delete.title", { name: fullName(offer) }),
      detail: `${t("voices.delete.frees", { size: size(installed.bytes) })} ${t(entry === null ? "voices.delete.own" : "voices.delete.again")}`,
      action: t("do.delete"),
    });
    if (!isSure) return;
    const isDone = await attempt(() => deleteVoice(offer.id));
    if (!isDone) return;
    await this.#collection.load();
    this.#more.removed(offer);
  }

  /**
   * Whether there is a partial or failed download to discard.
   *
   * @param {Offer} offer
   */
  canDiscard(offer) {
    return offer.voice.entry !== null && (offer.phase === "paused" || (offer.phase === "failed" && failureOf(offer) !== null));
  }
}

/** @type {Readonly<Record<Step, import("../../components/button.js").IconName>>} */
const stepIcons = {
  download: "export",
  resume: "export",
  again: "again",
  cancel: "close",
  choose: "check",
  retry: "again",
  settings: "settings",
  space: "trash",
  remove: "trash",
};

/**
 * A button for one action on a voice; its accessible name contains the voice's.
 *
 * @param {Step} step
 * @param {Offer} offer
 * @param {object} options
 * @param {() => void} options.onPress
 * @param {import("../../components/button.js").ButtonOptions["look"]} [options.look]
 */
export function stepButton(step, { title }, { onPress, look = "plain" }) {
  const element = button({ label: t(`voices.step.${step}`), icon: stepIcons[step], look, className: `voice-step ${step}`, onPress });
  setAttribute(element, "aria-label", t(`voices.step.${step}.of`, { name: title }));
  if (step === "choose") setAttribute(element, "aria-describedby", chosenProfileText);
  return element;
}

/**
 * Shows whether a button is refused because EchoText stays offline. It can have the focus all the same, and the notice
 * above the list describes it.
 *
 * @param {Element} element
 * @param {boolean} isRefused
 */
export function showRefusal(element, isRefused) {
  setAttribute(element, "aria-disabled", isRefused ? "true" : null);
  if (isRefused || element.getAttribute("aria-describedby") === offlineText) setAttribute(element, "aria-describedby", isRefused ? offlineText : null);
}

/**
 * Opens the menu of a voice.
 *
 * @param {Offer} offer
 * @param {object} doing
 * @param {VoiceSteps} doing.steps
 * @param {(offer: Offer) => void} doing.listen
 * @param {(offer: Offer) => void} doing.showInfo
 * @param {import("../../components/sheet.js").MenuPlace} where
 */
export function openVoiceMenu(offer, { steps, listen, showInfo }, { anchor, point }) {
  const { voice, title, phase } = offer;
  const step = mainStep(offer);
  /** @type {(MenuItem | "separator" | null)[]} */
  const items = [
    step === null || step === "remove"
      ? null
      : { label: t(`voices.step.${step}`), icon: stepIcons[step], isDisabled: steps.isOffline && isDownload(step), run: () => steps.take(step, offer) },
    canSpeak(offer) && step !== "choose" && phase !== "active" ? { label: t("voices.step.choose"), icon: "check", run: () => steps.choose(offer) } : null,
    canSpeak(offer) ? { label: t("sample.play"), icon: "play", run: () => listen(offer) } : null,
    {
      label: t(voice.isFavorite ? "voices.menu.favorite.remove" : "voices.menu.favorite.add"),
      icon: voice.isFavorite ? "heart-filled" : "heart",
      run: () => steps.markFavorite(offer),
    },
    { label: t("voices.menu.info"), icon: "info", run: () => showInfo(offer) },
    steps.canDiscard(offer) ? { label: t(`voices.menu.discard.${phase}`), icon: "close", run: () => steps.discard(offer) } : null,
    ...(voice.installed === null
      ? []
      : [/** @type {const} */ ("separator"), { label: t("voices.menu.delete"), icon: /** @type {const} */ ("trash"), isDanger: true, run: () => steps.remove(offer) }]),
  ];
  openMenu(
    items.flatMap((item) => item ?? []),
    { label: t("voices.more", { name: title }), anchor, point },
  );
}

/** @typedef {import("../../server/voices.js").VoiceListings} VoiceListings */
/** @typedef {import("./offers.js").Upload} Upload */
/** @typedef {import("../../server/voices.js").Loss} Loss */

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
  if (losses.length > 0) all.push(lossNotice(losses, isOffline, download, dismiss));
  else if (isStandIn) all.push(notice({ kind: "warning", text: t("profiles.standIn"), detail: t("voices.standIn.do") }));
  if (isOffline) {
    const why = offlineNotice();
    why.id = offlineText;
    all.push(why);
  }
  return all;
}

/** Says that nothing can be downloaded, with the way to the setting. */
export function offlineNotice() {
  const change = h("a", { class: "button", href: "/settings/speech?setting=outbound.offline" }, t("voices.offline.change"));
  return notice({ text: t("voices.offline"), detail: t("voices.offline.do"), actions: [change] });
}

/**
 * @param {readonly Loss[]} losses
 * @param {boolean} isOffline
 * @param {(loss: Loss) => void} download
 * @param {() => void} dismiss
 */
function lossNotice(losses, isOffline, download, dismiss) {
  const again = (/** @type {Loss} */ loss) => {
    const label = isOne ? t("voices.step.again") : t("voices.step.again.of", { name: loss.name });
    const element = button({ label, onPress: () => download(loss) });
    showRefusal(element, isOffline);
    return element;
  };
  const [first] = losses;
  const names = losses.map(({ name }) => name).join(", ");
  const isOne = losses.length === 1 && first !== undefined;
  return notice({
    kind: "warning",
    text: isOne ? t("voices.lost.one", { name: names, reason: wordsFor(first.failure).message }) : t("voices.lost", { names }),
    detail: t("voices.lost.do"),
    actions: [
      ...losses.filter(({ entry }) => entry !== null).map(again),
      button({ label: t("do.dismiss"), look: "quiet", onPress: dismiss }),
    ],
  });
}

/** The date of the catalogue, and the button that refreshes it. */
export class CatalogueNews {
  #words = h("p", { class: "muted small" });
  #refresh = button({ label: t("voices.refresh"), icon: "again", look: "quiet", onPress: () => this.refresh() });
  #known = 0;
  #isOffline = false;
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
  show({ voices, refreshedAt, source, isOffline }) {
    this.#known = voices.length;
    this.#isOffline = isOffline;
    showRefusal(this.#refresh, isOffline);
    const where = source === "sherpaOnnx" ? "" : ` ${t(`voices.catalogue.${source}`)}`;
    setText(this.#words, (refreshedAt === null ? t("voices.catalogue.bundled") : t("voices.catalogue.of", { date: shortDate(refreshedAt) })) + where);
  }

  async refresh() {
    if (this.#isOffline || isBusy(this.#refresh)) return;
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

  /** @param {(voice: import("../../server/voices.js").VoiceListing) => void} done */
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
