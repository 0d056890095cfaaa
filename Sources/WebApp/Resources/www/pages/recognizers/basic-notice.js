import { button } from "../../components/button.js";
import { notice } from "../../components/notice.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { onServer } from "../../server/events.js";
import { listRecognizers } from "../../server/transcriptions.js";

/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/**
 * Says of a transcript by the basic recogniser that it is one, with the way to a better one; nothing of others.
 *
 * @param {HTMLElement} place
 * @param {string | null} recognizer The ID of the one that wrote it.
 * @param {() => void} transcribe Opens what transcribes again, which offers better ones.
 */
export function sayIfBasic(place, recognizer, transcribe) {
  const isBasic = recognizer !== null && recognizer.startsWith("pocketsphinx/");
  if (isBasic === (place.childElementCount > 0)) return;
  const action = button({ label: t("recognizers.basic.action"), opens: true, onPress: transcribe });
  fill(place, isBasic ? notice({ text: t("recognizers.basic.transcript"), detail: t("recognizers.basic.do"), actions: [action] }) : null);
}

/** Says before a recording that only the basic recogniser would write it down. */
export function basicNotice() {
  const go = h("a", { class: "button", href: "/recordings/recognizers" }, t("recognizers.basic.action"));
  return notice({ text: t("recognizers.basic.notice"), detail: t("recognizers.basic.do"), actions: [go] });
}

/** @param {readonly Pick<Recognizer, "engine">[]} recognizers */
export function hasOnlyBasic(recognizers) {
  return recognizers.length > 0 && recognizers.every(({ engine }) => engine === "pocketSphinx");
}

/**
 * Follows which recognisers there are.
 *
 * @param {(recognizers: Recognizer[]) => void} changed
 * @param {AbortSignal} signal
 */
export function followRecognizers(changed, signal) {
  const load = async () => {
    try {
      const recognizers = await listRecognizers(signal);
      if (!signal.aborted) changed(recognizers);
    } catch {
      // Only advice depends on them; the next event brings them.
    }
  };
  onServer("voices", load, signal);
  onServer("reset", load, signal);
  load();
}
