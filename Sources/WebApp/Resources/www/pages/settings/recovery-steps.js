import { proposeRecoveryCode } from "../../server/state.js";
import { button } from "../../components/button.js";
import { field, isBusy, setBusy } from "../../components/field.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** @typedef {ReturnType<typeof import("./step-sheet.js").openStepSheet>} StepSheet */

/**
 * Two steps: a new recovery code is shown, then it is typed back from where it was written down. It is in the document
 * only while it is shown, and is never put on the clipboard.
 *
 * @param {StepSheet} sheet
 * @param {object} options
 * @param {number} options.number Of the first of the two steps, from 1.
 * @param {string} options.action What the last button does.
 * @param {string} [options.passcode] The present one.
 * @param {(code: string) => Promise<void>} options.confirm Takes what was typed; closes the sheet when it counts.
 */
export async function leadThroughRecoveryCode(sheet, { number, action, passcode, confirm }) {
  const code = await proposeRecoveryCode(passcode);
  showCode();

  function showCode() {
    sheet.show(
      {
        title: t("recovery.code.title"),
        content: [
          h("p", {}, t("recovery.code.text")),
          h(
            "p",
            { class: "recovery-code", "aria-label": t("recovery.code.label"), role: "group" },
            ...code.split("-").map((group) => h("span", {}, group)),
          ),
        ],
        actions: [button({ label: t("recovery.written"), look: "primary", onPress: askForCode })],
      },
      number,
    );
  }

  function askForCode() {
    const typed = field({
      label: t("recovery.confirm.label"),
      className: "code-entry",
      attributes: { autocapitalize: "characters", spellcheck: "false" },
      onInput: () => sheet.fail(null),
      onEnter: () => finish(),
    });
    const go = button({ label: action, look: "primary", onPress: () => finish() });
    sheet.show(
      {
        title: t("recovery.confirm.title"),
        content: [h("p", {}, t("recovery.confirm.text")), typed.element],
        actions: [button({ label: t("recovery.again"), look: "quiet", onPress: showCode }), go],
        focus: typed.input,
      },
      number + 1,
    );

    async function finish() {
      if (isBusy(go) || typed.input.value.trim() === "") {
        typed.input.focus();
        return;
      }
      sheet.fail(null);
      setBusy(go, t("passcode.working"));
      try {
        await confirm(typed.input.value);
      } catch (error) {
        sheet.fail(error);
        typed.input.focus();
        typed.input.select();
      } finally {
        setBusy(go, null);
      }
    }
  }
}
