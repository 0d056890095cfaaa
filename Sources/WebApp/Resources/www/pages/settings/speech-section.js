import { button } from "../../components/button.js";
import { moreButton, openMenu } from "../../components/menu.js";
import { notice, voicesLink } from "../../components/notice.js";
import { attempt, showToast, showUndo } from "../../components/toast.js";
import { fill, h, newId, setText } from "../../core/dom.js";
import { paragraphFor, speakerName, wordsFor } from "../../core/format.js";
import { number, profileName, t, times } from "../../core/i18n.js";
import { addressWithReturn } from "../../core/router.js";
import { isOpen, profiles, voices } from "../../core/store.js";
import { eventOrder } from "../../server/events.js";
import { lastEventOf } from "../../server/http.js";
import { changeProfile, chooseProfile, deleteProfile } from "../../server/voices.js";
import { DeferredDeletion } from "../deferred-deletion.js";
import { samples } from "../speaker-choice.js";
import { openNewProfile, ProfileForm, ProfileSheet } from "./profile-sheet.js";
import { line, settingGroup, settingRow } from "./setting-row.js";

/** @typedef {import("../../server/voices.js").Profile} Profile */
/** @typedef {import("../../server/voices.js").ProfileContent} ProfileContent */

/** Milliseconds after the last change until it is sent. */
const changeRest = 350;

/** The voice, speed and pitch of the chosen profile, editable in place; each change applies at once. */
class SpeakingNow {
  element = h("div", { class: "speaking-now" });
  #text = h("p", { class: "setting-text" });
  #revert = button({ label: t("profiles.revert"), icon: "undo", look: "quiet", onPress: () => this.#takeBack() });
  /** @type {ProfileForm | null} */
  #form = null;
  /** The profile and voices for which the form was built. */
  #mark = "";
  #id = "";
  /** @type {ProfileContent | null} */
  #content = null;
  /**
   * As on the server.
   *
   * @type {ProfileContent | null}
   */
  #kept = null;
  /**
   * As it was when it appeared.
   *
   * @type {ProfileContent | null}
   */
  #before = null;
  #isChanging = false;
  /**
   * The last event before the newest change was saved. A list of profiles that is not newer may lack the change, and
   * the change's own event loads another.
   *
   * @type {string | null}
   */
  #savedAfter = null;
  #timer = 0;

  /** @param {AbortSignal} signal The life of the page. */
  constructor(signal) {
    profiles.follow(() => this.#follow(), signal);
    voices.watch(() => this.#follow(), signal);
    signal.addEventListener("abort", () => {
      samples.stop();
      this.#send();
    });
  }

  #follow() {
    const all = profiles.value;
    const profile = all?.profiles.find(({ id }) => id === all.chosen);
    if (all === null || profile === undefined) return;
    setText(this.#text, t("settings.speaking.text", { profile: profileName(profile) }));
    const mark = JSON.stringify([profile.id, voices.value?.map(({ id }) => id)]);
    const { id, voiceName: _name, ...content } = profile;
    if (mark !== this.#mark) {
      this.#send();
      this.#mark = mark;
      this.#id = id;
      this.#build(content);
    } else if (!this.#isChanging && !this.#mayBeOlder(all) && !isSame(content, this.#content)) {
      this.#show(content);
      this.#kept = content;
    }
  }

  /** @param {object} all The profiles as loaded. */
  #mayBeOlder(all) {
    return eventOrder(lastEventOf(all), this.#savedAfter) <= 0;
  }

  /** @param {ProfileContent} content */
  #build(content) {
    this.#content = this.#kept = this.#before = content;
    this.#isChanging = false;
    this.#form = new ProfileForm(content, (changed) => this.#change(changed), { isBrief: true });
    this.#revert.hidden = true;
    fill(this.element, this.#text, this.#form.element, this.#revert);
  }

  /** @param {ProfileContent} content */
  #show(content) {
    this.#content = content;
    this.#form?.show(content);
    this.#revert.hidden = isSame(content, this.#before);
  }

  /** @param {Partial<ProfileContent>} changed */
  #change(changed) {
    if (this.#content === null) return;
    this.#content = { ...this.#content, ...changed };
    this.#revert.hidden = isSame(this.#content, this.#before);
    this.#isChanging = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), changeRest);
  }

  #takeBack() {
    if (this.#before === null) return;
    this.#show(this.#before);
    this.#isChanging = true;
    this.#send();
  }

  /** Sends the changes; on an error, shows the old values again. */
  async #send() {
    clearTimeout(this.#timer);
    const [content, form] = [this.#content, this.#form];
    if (!this.#isChanging || content === null) return;
    try {
      const saved = await changeProfile(this.#id, content);
      if (form !== this.#form) return;
      this.#savedAfter = lastEventOf(saved);
      this.#kept = content;
      form?.fail(null);
    } catch (error) {
      if (content === this.#content && this.#kept !== null) this.#show(this.#kept);
      form?.fail(paragraphFor(error));
      if (!this.element.isConnected && isOpen()) this.#offerAgain(content, error);
    }
    if (isSame(this.#content, this.#kept)) this.#isChanging = false;
  }

  /**
   * @param {ProfileContent} content What was changed on the page, which has been left.
   * @param {unknown} error Why it was not saved.
   */
  #offerAgain(content, error) {
    const id = this.#id;
    const text = `${t("profiles.notKept", { name: profileName({ ...content, id }) })} ${paragraphFor(error)}`;
    showToast({ icon: "error", text, action: { label: t("do.again"), run: () => attempt(() => changeProfile(id, content)) } });
  }
}

/**
 * @param {ProfileContent | null} one
 * @param {ProfileContent | null} other
 */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function speechSection(signal) {
  return [
    settingGroup(t("settings.group.speaking"), new SpeakingNow(signal).element),
    settingGroup(t("settings.group.profiles"), profileList(signal)),
    settingGroup(
      t("settings.group.voices"),
      line({
        title: t("settings.voices.manage"),
        text: t("settings.voices.manage.text"),
        control: h("a", { class: "button", href: addressWithReturn("/voices"), "aria-label": `${t("jobs.open")}: ${t("settings.voices.manage")}` }, t("jobs.open")),
      }),
      settingRow("voices.catalogue", signal, { empty: t("setting.voices.catalogue.empty") }),
      settingRow("outbound.offline", signal),
    ),
    settingGroup(
      t("settings.group.pauses"),
      settingRow("speech.sentence-pause", signal, { range: [0, 5] }),
      settingRow("speech.paragraph-pause", signal, { range: [0, 5] }),
      settingRow("speech.heading-pause", signal, { range: [0, 5] }),
    ),
    settingGroup(
      t("settings.group.playback"),
      settingRow("playback.speed", signal, { step: 0.05, format: times }),
      settingRow("playback.step", signal, { range: [1, 60], step: 1 }),
      settingRow("playback.loop", signal),
    ),
  ];
}

/**
 * The profiles that are deleted or waiting to be; it outlives the page, as their undo does.
 *
 * @type {DeferredDeletion<string>}
 */
const deletion = new DeferredDeletion({
  delete: async (ids, options) => {
    await Promise.all(ids.map((id) => deleteProfile(id, options)));
  },
  failed: (error) => {
    showToast({ icon: "error", text: `${t("profiles.notDeleted")} ${wordsFor(error).message}` });
  },
});

/**
 * The voice profiles: one is in use, all can be edited.
 *
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
function profileList(signal) {
  const element = h("div", { class: "profiles" });
  const show = () => build(element);
  profiles.follow(show, signal);
  voices.watch(show, signal);
  deletion.watch(show, signal);
  return element;
}

/** @param {HTMLElement} element */
function build(element) {
  const all = profiles.value;
  if (all === null) return;
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : undefined;
  const name = newId("profile");
  fill(
    element,
    h("p", { class: "setting-text" }, t("settings.group.profiles.text")),
    all.isStandIn ? notice({ kind: "warning", text: t("profiles.standIn"), actions: [voicesLink()] }) : null,
    h(
      "ul",
      { class: "profile-rows" },
      ...all.profiles
        .filter(({ id }) => !deletion.isHidden(id))
        .map((profile) => row(profile, { name, isChosen: profile.id === all.chosen })),
    ),
    button({ label: t("profiles.new"), icon: "plus", opens: true, onPress: openNewProfile }),
  );
  if (focused !== undefined) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.dispatchEvent(new Event("refocus"));
}

/**
 * @param {Profile} profile
 * @param {{ name: string, isChosen: boolean }} options
 */
function row(profile, { name, isChosen }) {
  const title = profileName(profile);
  const input = h("input", { type: "radio", name, class: "choice-input profile-radio", "aria-label": t("profiles.choose", { name: title }) });
  input.checked = isChosen;
  input.dataset.focus = `choose-${profile.id}`;
  input.addEventListener("refocus", () => input.focus());
  input.addEventListener("change", () => choose(profile.id));
  const edit = button({
    label: t("profiles.edit", { name: title }),
    icon: "edit",
    look: "quiet",
    iconOnly: true,
    opens: true,
    onPress: () => new ProfileSheet(profile).open(),
  });
  const more = moreButton({ label: t("profiles.more", { name: title }), open: (anchor) => openProfileMenu(profile, anchor) });
  return h(
    "li",
    { class: isChosen ? "profile-row chosen" : "profile-row" },
    h(
      "label",
      { class: "profile-choice" },
      input,
      h("span", { class: "profile-mark" }),
      h(
        "span",
        { class: "profile-words" },
        h("span", { class: "profile-name", dir: "auto" }, title),
        h("span", { class: "profile-summary" }, summary(profile)),
      ),
      isChosen ? h("span", { class: "profile-badge" }, t("profiles.chosen")) : null,
    ),
    edit,
    more,
  );
}

/**
 * @param {Profile} profile
 * @param {Element} anchor
 */
function openProfileMenu(profile, anchor) {
  openMenu(
    [
      { label: t("profiles.edit.short"), icon: "edit", run: () => new ProfileSheet(profile).open() },
      { label: t("do.rename"), icon: "edit", run: () => new ProfileSheet(profile, { isNaming: true }).open() },
      ...(profile.id === "default"
        ? []
        : [
            /** @type {const} */ ("separator"),
            {
              label: t("do.delete"),
              icon: /** @type {const} */ ("trash"),
              isDanger: true,
              run: () => remove(profile),
            },
          ]),
    ],
    { label: t("profiles.more", { name: profileName(profile) }), anchor },
  );
}

/** @param {string} id */
async function choose(id) {
  const before = profiles.value;
  if (before !== null) profiles.set({ ...before, chosen: id });
  try {
    await chooseProfile(id);
  } catch (error) {
    if (before !== null) profiles.set(before);
    showToast({ icon: "error", text: wordsFor(error).message });
  }
}

/** @param {Profile} profile */
function remove({ id, name }) {
  const shown = (profiles.value?.profiles ?? []).filter((one) => !deletion.isHidden(one.id));
  const at = shown.findIndex((one) => one.id === id);
  const pending = deletion.hide([id]);
  showUndo({
    text: t("profiles.deleted", { name }),
    undo: () => {
      pending.undo();
      focusOn(id);
    },
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
  focusOn((shown[at + 1] ?? shown[at - 1])?.id);
}

/** @param {string | undefined} id Of a profile. */
function focusOn(id) {
  if (id !== undefined) document.querySelector(`[data-focus="choose-${CSS.escape(id)}"]`)?.dispatchEvent(new Event("refocus"));
}

/** @param {Profile} profile */
function summary({ voice, voiceName, speaker, speed, pitch }) {
  const known = voices.value?.find(({ id }) => id === voice);
  const values = {
    voice: known !== undefined ? known.title : voices.value === null ? voiceName : t("voice.missing", { name: voiceName }),
    speaker: known === undefined ? String(speaker) : speakerName(known, speaker),
    speed: times(speed),
    pitch: number(pitch, 2),
  };
  return t((known?.speakers ?? 1) > 1 ? "profiles.summary.speaker" : "profiles.summary", values);
}
