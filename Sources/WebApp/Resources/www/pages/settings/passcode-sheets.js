import { button } from "../../components/button.js";
import { field, isBusy, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { t, wordsFor } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { newPasscode } from "./new-passcode.js";
import { ServerProblem } from "../../server/http.js";
import {
  changePasscode,
  proposeRecoveryCode,
  removePasscode,
  renewRecoveryCode,
  setPasscode,
} from "../../server/state.js";

/** @typedef {ReturnType<typeof openStepSheet>} StepSheet */

/** Leads to a first passcode: chosen, its recovery code written down, the code typed back. */
export function openSetPasscodeSheet() {
  const sheet = openStepSheet(t("passcode.set.title"), { count: 3 });
  const passcode = newPasscode({ onEnter: () => go() });
  const next = button({ label: t("passcode.next"), look: "primary", onPress: () => go() });
  choose();

  function choose() {
    sheet.show(
      {
        content: [...passcode.elements, h("p", { class: "muted small" }, t("passcode.forgotten"))],
        actions: [next],
        focus: passcode.first,
      },
      1,
    );
  }

  async function go() {
    const chosen = passcode.read();
    if (chosen === null) return;
    await busily(next, sheet, () =>
      leadThroughRecoveryCode(sheet, { number: 2, action: t("recovery.confirm.set"), confirm: (code) => set(chosen, code) }),
    );
  }

  /**
   * @param {string} chosen
   * @param {string} code
   */
  async function set(chosen, code) {
    try {
      state.set(await setPasscode(chosen, code));
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.code !== "vault.weak-passcode") throw error;
      choose();
      passcode.fail(wordsFor(error).message);
      return;
    }
    sheet.close();
    showToast({ icon: "lock", text: t("passcode.set.done") });
  }
}

export function openChangePasscodeSheet() {
  const sheet = openStepSheet(t("passcode.change.title"));
  const current = currentPasscode(() => passcode.first.focus());
  const passcode = newPasscode({ onEnter: () => go() });
  const change = button({ label: t("passcode.change.action"), look: "primary", onPress: () => go() });
  sheet.show({ content: [current.element, ...passcode.elements], actions: [change], focus: current.input });

  async function go() {
    if (current.input.value === "") {
      current.input.focus();
      return;
    }
    const chosen = passcode.read();
    if (chosen === null) return;
    await busily(change, sheet, async () => {
      state.set(await changePasscode(current.input.value, chosen));
      sheet.close();
      showToast({ icon: "lock", text: t("passcode.change.done") });
    });
  }
}

export function openRemovePasscodeSheet() {
  const sheet = openStepSheet(t("passcode.remove.title"));
  const current = currentPasscode(() => go());
  const remove = button({ label: t("passcode.remove.action"), look: "danger", onPress: () => go() });
  const stay = button({ label: t("do.cancel"), onPress: sheet.close });
  sheet.show({
    content: [h("p", {}, t("passcode.remove.text")), current.element],
    actions: [stay, remove],
    focus: current.input,
  });

  async function go() {
    if (current.input.value === "") {
      current.input.focus();
      return;
    }
    await busily(remove, sheet, async () => {
      state.set(await removePasscode(current.input.value));
      sheet.close();
      showToast({ text: t("passcode.remove.done") });
    });
  }
}

/** Leads to a new recovery code; the old one counts until the new one has been typed back. */
export function openRecoveryCodeSheet() {
  const vault = state.value?.vault;
  const hasPasscode = (vault?.protection ?? "device") !== "device";
  const sheet = openStepSheet(t(vault?.hasRecoveryCode ? "recovery.renew.title" : "recovery.title"), { count: 3 });
  const current = currentPasscode(() => go());
  const next = button({ label: t("passcode.next"), look: "primary", onPress: () => go() });
  sheet.show(
    {
      content: [h("p", {}, t("recovery.renew.text")), hasPasscode ? current.element : null],
      actions: [next],
      focus: hasPasscode ? current.input : next,
    },
    1,
  );

  async function go() {
    if (hasPasscode && current.input.value === "") {
      current.input.focus();
      return;
    }
    await busily(next, sheet, () =>
      leadThroughRecoveryCode(sheet, {
        number: 2,
        action: t("recovery.confirm.action"),
        passcode: hasPasscode ? current.input.value : undefined,
        confirm: async (code) => {
          state.set(await renewRecoveryCode(code, hasPasscode ? current.input.value : undefined));
          sheet.close();
          showToast({ icon: "key", text: t("recovery.renewed") });
        },
      }),
    );
  }
}

/** @param {() => void} onEnter */
function currentPasscode(onEnter) {
  return field({ label: t("passcode.current"), type: "password", autocomplete: "current-password", onEnter });
}

/**
 * @param {HTMLButtonElement} pressed
 * @param {StepSheet} sheet
 * @param {() => Promise<void>} work
 */
async function busily(pressed, sheet, work) {
  if (isBusy(pressed)) return;
  sheet.fail(null);
  setBusy(pressed, t("passcode.working"));
  try {
    await work();
  } catch (error) {
    sheet.fail(error);
  } finally {
    setBusy(pressed, null);
  }
}

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
async function leadThroughRecoveryCode(sheet, { number, action, passcode, confirm }) {
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

/**
 * @typedef {object} Step
 * @property {string} [title]
 * @property {(Node | null)[]} content
 * @property {HTMLElement[]} actions
 * @property {HTMLElement} [focus] What has the focus first.
 */

/**
 * A sheet that leads through some steps.
 *
 * @param {string} title
 * @param {{ count?: number, onClose?: () => void }} options `count`: how many steps there are, when it is said.
 */
function openStepSheet(title, { count = 0, onClose } = {}) {
  const place = h("form", { class: "form steps", novalidate: true, onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
  const problem = h("div", { class: "sheet-problem" });
  const sheet = openSheet({ title, content: [place], className: "step-sheet", onClose });
  return {
    close: () => sheet.close(),
    /**
     * @param {Step} step
     * @param {number} [number] From 1.
     */
    show: ({ title: stepTitle, content, actions, focus }, number) => {
      fill(problem);
      fill(
        place,
        number === undefined ? null : h("p", { class: "muted small step-number" }, t("passcode.step", { number, count })),
        stepTitle === undefined ? null : h("h3", { class: "step-title", tabindex: "-1" }, stepTitle),
        ...content,
        problem,
        h("div", { class: "form-actions" }, ...actions),
      );
      const first = focus ?? place.querySelector("h3");
      if (first instanceof HTMLElement) first.focus();
    },
    /** @param {unknown} error What went wrong in this step; `null` when nothing did. */
    fail: (error) => fill(problem, error === null ? null : errorNotice(error)),
  };
}
