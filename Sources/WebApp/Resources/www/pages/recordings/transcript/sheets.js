import { button, icon } from "../../../components/button.js";
import { field, toggleSwitch } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showUndo } from "../../../components/toast.js";
import { fill, h, newId } from "../../../core/dom.js";
import { longDate } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { keptSpeaker, renamed, shownSpeaker, speakersIn } from "./text.js";

/** @typedef {import("../../../server/transcripts.js").Transcript} Transcript */
/** @typedef {import("../../../server/transcripts.js").TranscriptVersion} TranscriptVersion */
/** @typedef {import("../../../server/transcripts.js").EditedSegment} EditedSegment */

/**
 * The origin of a version in words.
 *
 * @param {Pick<TranscriptVersion, "recognizer" | "recognizerName" | "base"> & Partial<Pick<TranscriptVersion, "speakers" | "changes" | "isDraft">>} version
 */
export function makerOf(version) {
  if (!version.speakers) return writerOf(version);
  const found = t("speakers.found", { n: version.speakers });
  return version.recognizer === null ? found : `${writerOf(version)}, ${found}`;
}

/** @param {Pick<TranscriptVersion, "recognizer" | "recognizerName" | "base"> & Partial<Pick<TranscriptVersion, "changes" | "isDraft">>} version */
function writerOf({ recognizer, recognizerName, base, changes, isDraft }) {
  if (recognizer !== null) {
    const name = recognizerName ?? recognizer;
    return isDraft ? t("transcript.by.draft", { name }) : name;
  }
  if (base !== null && changes) {
    const words = changes.words === 0 ? [] : [t("transcript.changed", { n: changes.words })];
    const all = [...words, ...changes.speakers.map(shownSpeaker)];
    if (all.length > 0) return all.join(", ");
  }
  return t(base === null ? "transcript.by.writer" : "transcript.by.person");
}

/**
 * @typedef {object} VersionActions
 * @property {(id: string) => void} show
 * @property {(id: string) => void} compare
 * @property {(id: string) => Promise<TranscriptVersion[]>} makeCurrent
 * @property {(id: string) => { undo: () => void, finish: (options?: { keepalive?: boolean }) => Promise<void> }} remove
 */

/** The versions of a transcript: each can be shown, compared, made current or deleted. */
export class VersionsSheet extends Sheet {
  #actions;
  #shown;
  /** @type {readonly TranscriptVersion[]} */
  #versions;
  #list = h("ul", { class: "versions" });
  #problem = h("div", {});

  /**
   * @param {readonly TranscriptVersion[]} versions Newest first.
   * @param {string} shown The id of the one on screen.
   * @param {VersionActions} actions
   */
  constructor(versions, shown, actions) {
    super({ title: t("transcript.versions"), kind: "side", className: "versions-sheet" });
    this.#versions = versions;
    this.#shown = shown;
    this.#actions = actions;
    this.build({ content: [this.#problem, this.#list] });
    this.#fill();
  }

  #fill() {
    fill(this.#list, ...this.#versions.map((version) => this.#row(version)));
  }

  /** @param {TranscriptVersion} version */
  #row(version) {
    const { id, number, created, words, isCurrent, range } = version;
    const isShown = id === this.#shown;
    const name = t("transcript.version", { n: number });
    const facts = [longDate(created), t("unit.words", { n: words }), range === null ? null : t("transcript.version.part")];
    const act = (/** @type {string} */ key, /** @type {() => void} */ onPress) => {
      const one = button({ label: t(key), onPress });
      one.setAttribute("aria-label", t("transcript.version.do", { action: t(key), name }));
      return one;
    };
    return h(
      "li",
      { class: isShown ? "version shown" : "version" },
      h("p", { class: "version-name" }, `${name} · ${makerOf(version)}`),
      h("p", { class: "muted small" }, facts.filter((fact) => fact !== null).join(" · ")),
      isCurrent ? h("p", { class: "version-current small" }, icon("check"), t("transcript.version.current")) : null,
      h(
        "div",
        { class: "version-actions" },
        isShown ? null : act("transcript.version.show", () => this.#leave(() => this.#actions.show(id))),
        isShown ? null : act("transcript.version.compare", () => this.#leave(() => this.#actions.compare(id))),
        isCurrent ? null : act("transcript.version.choose", () => this.#choose(id)),
        act("do.delete", () => this.#remove(version)),
      ),
    );
  }

  /** @param {() => void} then Called after the focus has returned, and may move it. */
  #leave(then) {
    this.closed.then(then);
    this.close();
  }

  /** @param {string} id */
  async #choose(id) {
    fill(this.#problem);
    try {
      this.#versions = await this.#actions.makeCurrent(id);
      this.#fill();
      this.#list.querySelector("button")?.focus();
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    }
  }

  /** @param {TranscriptVersion} version */
  #remove({ id, number }) {
    const pending = this.#actions.remove(id);
    this.close();
    showUndo({
      text: t("transcript.version.deleted", { n: number }),
      undo: pending.undo,
      commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
    });
  }
}

/**
 * @param {string} key
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onChange
 */
export function optionRow(key, isOn, onChange) {
  const label = t(key);
  return h("div", { class: "transcript-option" }, h("span", {}, label), toggleSwitch({ label, isOn, onChange }));
}

/** The name of the speaker, here or everywhere. */
export class SpeakerSheet extends Sheet {
  #transcript;
  #stretch;
  #save;
  #field;
  #problem = h("div", {});

  /**
   * @param {Transcript} transcript
   * @param {{ first: number, last: number }} stretch The indices of its segments.
   * @param {Element} anchor
   * @param {object} options
   * @param {(segments: EditedSegment[]) => Promise<void>} options.save Saves them as a new version.
   * @param {boolean} options.lacksModels Whether the models for finding speakers are missing.
   */
  constructor(transcript, stretch, anchor, { save, lacksModels }) {
    super({ title: t("transcript.speaker.title"), anchor, className: "speaker-sheet" });
    this.#transcript = transcript;
    this.#stretch = stretch;
    this.#save = save;
    const names = h("datalist", { id: newId("speakers") }, ...speakersIn(transcript.segments).map((name) => h("option", { value: shownSpeaker(name) })));
    const { speaker } = transcript.segments[stretch.first];
    const shown = shownSpeaker(speaker ?? "");
    const everywhere = speaker === null ? t("transcript.speaker.all") : t("transcript.speaker.everywhere", { name: shown });
    this.#field = field({
      label: t("transcript.speaker"),
      value: shown,
      attributes: { list: names.id, maxlength: 80, autofocus: "" },
      onEnter: () => this.#take(false),
    });
    this.build({
      content: [
        this.#field.element,
        names,
        this.#problem,
        h("p", { class: "muted small" }, t("transcript.speaker.hint")),
        ...(lacksModels ? [h("p", { class: "muted small" }, t("speakers.missing"))] : []),
      ],
      actions: [
        button({ label: everywhere, onPress: () => this.#take(true) }),
        button({ label: t("transcript.speaker.here"), look: "primary", onPress: () => this.#take(false) }),
      ],
    });
  }

  /** @param {boolean} isEverywhere */
  async #take(isEverywhere) {
    const name = keptSpeaker(this.#field.input.value.trim());
    fill(this.#problem);
    try {
      await this.#save(renamed(this.#transcript.segments, this.#stretch, name, isEverywhere));
      this.close();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    }
  }
}
