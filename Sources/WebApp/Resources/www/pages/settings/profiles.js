import { button } from "../../components/button.js";
import { notice, voicesLink } from "../../components/notice.js";
import { moreButton, openMenu } from "../../components/sheet.js";
import { DeferredDeletion, showNews, showToast, showUndo } from "../../components/toast.js";
import { fill, h, newId } from "../../core/dom.js";
import { paragraphFor, speakerName } from "../../core/format.js";
import { number, profileName, t, times } from "../../core/i18n.js";
import { profiles, voices } from "../../core/store.js";
import { chooseProfile, deleteProfile } from "../../server/voices.js";
import { openNewProfile, ProfileSheet } from "./profile-forms.js";

/** @typedef {import("../../server/voices.js").Profile} Profile */

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
    showNews({ icon: "error", text: `${t("profiles.notDeleted")} ${paragraphFor(error)}` });
  },
});

/**
 * The voice profiles: one is in use, all can be edited.
 *
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
export function profileList(signal) {
  const element = h("div", { class: "profiles" });
  let shown = "";
  const show = () => {
    const all = profiles.value;
    const now = JSON.stringify([all, all?.profiles.map((one) => [summary(one), deletion.isHidden(one.id)])]);
    if (now === shown) return;
    shown = now;
    build(element);
  };
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
  const parts = () => [...element.querySelectorAll("button")];
  const pressed = parts().findIndex((one) => one === document.activeElement);
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
    all.unreadable > 0 ? h("p", { class: "muted small" }, t("list.unreadable", { n: all.unreadable })) : null,
    button({ label: t("profiles.new"), icon: "plus", opens: true, onPress: openNewProfile }),
  );
  if (focused !== undefined) element.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.dispatchEvent(new Event("refocus"));
  if (pressed >= 0) parts()[Math.min(pressed, parts().length - 1)].focus({ preventScroll: true });
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
    showToast({ icon: "error", text: paragraphFor(error) });
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
    voice: known !== undefined ? known.fullTitle : voices.value === null ? voiceName : t("voice.missing", { name: voiceName }),
    speaker: known === undefined ? String(speaker) : speakerName(known, speaker),
    speed: times(speed),
    pitch: number(pitch, 2),
  };
  return t((known?.speakers ?? 1) > 1 ? "profiles.summary.speaker" : "profiles.summary", values);
}
