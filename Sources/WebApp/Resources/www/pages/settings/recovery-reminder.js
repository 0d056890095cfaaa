import { button } from "../../components/button.js";
import { notice } from "../../components/notice.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { settings, state } from "../../core/store.js";
import { onServer } from "../../server/events.js";
import { changeSetting, isRecoveryReminderDue } from "../../server/settings.js";

/**
 * Reminds once, according to the server, that the recordings have no recovery code. It is above the page, on every
 * page, until the user responds: below, it would cover the page's controls.
 *
 * @param {AbortSignal} signal
 */
export function startRecoveryReminder(signal) {
  const place = document.querySelector(".frame-top");
  if (place === null) return;
  const own = h("div", { class: "reminder", role: "status" });
  place.prepend(own);
  signal.addEventListener("abort", () => own.remove(), { once: true });
  onServer("library", () => remind(own), signal);
  onServer("reset", () => remind(own), signal);
  state.follow((now) => now?.vault.hasRecoveryCode && own.replaceChildren(), signal);
  // A reminder in a hidden tab counts once the tab is visible.
  document.addEventListener("visibilitychange", () => noteIfSeen(own), { signal });
  remind(own);
}

/** @param {HTMLElement} place */
async function remind(place) {
  if (place.hasChildNodes() || state.value?.vault.hasRecoveryCode || !isWanted()) return;
  // After a failure, the next change requests it again.
  const isDue = await isRecoveryReminderDue().catch(() => false);
  if (!isDue || place.hasChildNodes()) return;
  const make = button({ label: t("recovery.reminder.action"), onPress: openSheet });
  const dismiss = button({
    label: t("do.dismiss"),
    icon: "close",
    look: "quiet",
    iconOnly: true,
    onPress: () => {
      noteIfSeen(place);
      place.replaceChildren();
      const title = document.querySelector("main h1");
      if (title instanceof HTMLElement) title.focus({ preventScroll: true });
    },
  });
  place.replaceChildren(notice({ text: t("recovery.reminder"), kind: "warning", actions: [make, dismiss] }));
  noteIfSeen(place);
}

function isWanted() {
  return settings.value.get("vault.recovery-reminder")?.value === "on";
}

/**
 * Turns the reminder off once the user can have seen it.
 *
 * @param {HTMLElement} place
 */
function noteIfSeen(place) {
  if (!place.hasChildNodes() || document.visibilityState !== "visible" || !isWanted()) return;
  changeSetting("vault.recovery-reminder", "off").catch(() => {}); // the reminder then appears again
}

async function openSheet() {
  const { RecoveryCodeSheet } = await import("./passcode-sheets.js");
  new RecoveryCodeSheet().open();
}
