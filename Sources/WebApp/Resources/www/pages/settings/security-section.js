import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { attempt } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { settings, state } from "../../core/store.js";
import { BackupSheet } from "./backup-sheet.js";
import { ChangePasscodeSheet, RecoveryCodeSheet, RemovePasscodeSheet, SetPasscodeSheet } from "./passcode-sheets.js";
import { line, settingGroup, settingRow } from "./setting-row.js";
import { endAllSessions, lock } from "../../server/state.js";

/** Minutes to choose from; 0 means never. */
const waits = [0, 1, 5, 15, 30, 60, 240];

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function securitySection(signal) {
  const place = h("div", {});
  let shown = "";
  state.follow((now) => {
    const { protection = null, hasRecoveryCode = false } = now?.vault ?? {};
    const key = `${protection} ${hasRecoveryCode}`;
    if (key === shown) return;
    shown = key;
    fill(place, ...protectionGroups(protection, hasRecoveryCode, signal));
  }, signal);
  const leave = line({
    title: t("security.leave"),
    text: t("security.leave.text"),
    control: button({ label: t("security.leave.action"), onPress: leaveEverywhere }),
  });
  return [place, settingGroup(t("settings.group.privacy"), settingRow("history.keep", signal), settingRow("outbound.offline", signal), leave)];
}

/**
 * @param {import("../../server/state.js").VaultStatus["protection"]} protection
 * @param {boolean} hasRecoveryCode
 * @param {AbortSignal} signal
 */
function protectionGroups(protection, hasRecoveryCode, signal) {
  const hasPasscode = protection === "shortPasscode" || protection === "password";
  const words = protection === "password" ? "security.password" : hasPasscode ? "security.short" : "security.device";
  return [
    settingGroup(
      t("settings.group.passcode"),
      h("div", { class: "protection" }, icon(hasPasscode ? "lock" : "key"), h("p", {}, t(words))),
      ...(hasPasscode ? passcodeLines(signal) : [setLine()]),
    ),
    settingGroup(
      t("settings.group.recovery"),
      line({ title: t("security.folder"), text: folderWords(), control: null }),
      line({
        title: t("security.recovery"),
        text: t(hasRecoveryCode ? "security.recovery.have" : "security.recovery.none"),
        control: button({
          label: t(hasRecoveryCode ? "security.recovery.action" : "security.recovery.make"),
          opens: true,
          onPress: () => new RecoveryCodeSheet().open(),
        }),
      }),
      hasRecoveryCode ? null : settingRow("vault.recovery-reminder", signal),
      line({
        title: t("security.backup"),
        text: t("security.backup.text"),
        control: button({ label: t("security.backup.action"), opens: true, onPress: () => new BackupSheet().open() }),
      }),
    ),
  ];
}

function folderWords() {
  const folder = h("code", { class: "path" }, state.value?.vault.folder ?? "");
  return h("p", { class: "setting-text" }, folder, " ", t("security.folder.text"));
}

function setLine() {
  return line({
    title: t("security.set"),
    text: t("security.set.text"),
    control: button({ label: t("security.set.action"), look: "primary", opens: true, onPress: () => new SetPasscodeSheet().open() }),
  });
}

/** @param {AbortSignal} signal */
function passcodeLines(signal) {
  const now = Number(settings.value.get("vault.lock-after")?.value ?? NaN);
  const offered = waits.includes(now) || Number.isNaN(now) ? waits : [...waits, now].sort((one, other) => one - other);
  return [
    settingRow("vault.lock-after", signal, {
      values: offered.map((minutes) => ({ value: String(minutes), label: waitWords(minutes) })),
    }),
    line({
      title: t("security.lock"),
      text: t("security.lock.text"),
      control: button({ label: t("security.lock.action"), icon: "lock", onPress: lockNow }),
    }),
    line({
      title: t("security.change"),
      text: t("security.change.text"),
      control: button({ label: t("security.change.action"), opens: true, onPress: () => new ChangePasscodeSheet().open() }),
    }),
    line({
      title: t("security.remove"),
      text: t("security.remove.text"),
      control: button({ label: t("security.remove.action"), opens: true, onPress: () => new RemovePasscodeSheet().open() }),
    }),
  ];
}

/** @param {number} minutes */
function waitWords(minutes) {
  if (minutes === 0) return t("setting.vault.lock-after.never");
  return minutes % 60 === 0
    ? t("setting.vault.lock-after.hours", { n: minutes / 60 })
    : t("setting.vault.lock-after.minutes", { n: minutes });
}

const lockNow = () => attempt(async () => state.set(await lock()));

const leaveEverywhere = () =>
  attempt(async () => {
    await endAllSessions();
    location.reload();
  });
