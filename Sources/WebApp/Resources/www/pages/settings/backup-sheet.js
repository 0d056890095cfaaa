import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice, notice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { watchedDownload } from "../library/watched-download.js";
import { RecoveryCodeSheet } from "./passcode-sheets.js";
import { orderAddress } from "../../server/library.js";
import { prepareBackup } from "../../server/vault.js";

/** The sheet that downloads the encrypted library, and explains how to restore it. */
export class BackupSheet extends Sheet {
  #code = h("div", {});
  #problem = h("div", { class: "sheet-problem" });
  #download = button({ label: t("backup.download"), icon: "export", look: "primary", onPress: () => this.#start() });

  constructor() {
    super({ title: t("backup.title"), kind: "side", className: "backup-sheet" });
    this.build({
      content: [
        h(
          "div",
          { class: "form" },
          h("p", {}, t("backup.text")),
          this.#code,
          h("h3", {}, t("backup.restore")),
          restoreSteps(),
          this.#problem,
        ),
      ],
      actions: [this.#download],
    });
  }

  open() {
    super.open();
    state.follow((now) => fill(this.#code, now?.vault.hasRecoveryCode ? null : codeNotice()), this.signal);
    return this;
  }

  async #start() {
    if (isBusy(this.#download)) return;
    fill(this.#problem);
    setBusy(this.#download, t("passcode.working"));
    try {
      const order = await prepareBackup();
      watchedDownload(orderAddress(order), order);
      this.close();
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#download, null);
    }
  }
}

/** Without a recovery code, a backup opens on this machine only. */
function codeNotice() {
  const make = button({ label: t("backup.code.action"), opens: true, onPress: () => new RecoveryCodeSheet().open() });
  return notice({ text: t("backup.code.none"), kind: "warning", actions: [make] });
}

/** How to move a library to another machine, or restore it on this one, step by step. */
export function restoreSteps() {
  const folder = state.value?.vault.folder ?? "";
  const place = quoted(parentOf(folder));
  const aside = `mv ${quoted(folder)} ${quoted(`${folder}-before`)}`;
  const command = `mkdir -p ${place} && tar --extract --file EchoText-backup.tar --directory ${place}`;
  return h(
    "ol",
    { class: "restore-steps" },
    h("li", {}, t("backup.step.make")),
    h("li", {}, t("backup.step.aside"), h("pre", { tabindex: "0" }, aside)),
    h("li", {}, t("backup.step.unpack"), h("pre", { tabindex: "0" }, command), t("backup.step.folder")),
    h("li", {}, t("backup.step.open")),
  );
}

/** @param {string} path */
function parentOf(path) {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/**
 * A path quoted as one word for a shell.
 *
 * @param {string} path
 */
function quoted(path) {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
