import { button } from "../../components/button.js";
import { samples } from "../../components/sample.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { paragraphFor } from "../../core/error-words.js";
import { profileName, t } from "../../core/i18n.js";
import { isOpen, profiles, voices } from "../../core/store.js";
import { ProfileForm } from "./profile-form.js";
import { eventOrder } from "../../server/events.js";
import { lastEventOf } from "../../server/http.js";
import { changeProfile } from "../../server/profiles.js";

/** @typedef {import("../../server/profiles.js").Profile} Profile */
/** @typedef {import("../../server/profiles.js").ProfileContent} ProfileContent */

/** Milliseconds after the last change until it is sent. */
const changeRest = 350;

/** The voice, speed and pitch of the chosen profile, editable in place; each change applies at once. */
export class SpeakingNow {
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
