import { loadItemText } from "../../server/library.js";
import { button } from "../../components/button.js";
import { copyText } from "../../components/download.js";
import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { clock } from "../../core/format.js";
import { t } from "../../core/i18n.js";

/** Milliseconds before waiting is worth a word. */
const patience = 200;

/**
 * Shows what a recording says.
 *
 * @param {import("../../server/library.js").Item} item
 * @param {{ play: () => void }} actions
 */
export function openTextSheet(item, { play }) {
  const life = new AbortController();
  const place = h("div", { class: "text-place" });
  let text = "";
  const copy = button({
    label: t("text.copy"),
    icon: "copy",
    onPress: async () => {
      const isCopied = await copyText(text);
      showToast({ text: t(isCopied ? "text.copied" : "text.notCopied") });
    },
  });
  const start = button({
    label: t("text.play"),
    icon: "play",
    look: "primary",
    onPress: () => {
      sheet.close();
      play();
    },
  });
  const sheet = openSheet({
    title: item.name,
    kind: "side",
    className: "text-sheet",
    content: [
      h("p", { class: "muted text-facts" }, [clock(item.duration), t("text.words", { n: item.words }), item.voiceName].join(" · ")),
      place,
    ],
    actions: [copy, start],
    onClose: () => life.abort(),
  });
  show();

  async function show() {
    const waiting = setTimeout(() => fill(place, h("p", { class: "muted", role: "status" }, t("text.loading"))), patience);
    copy.disabled = true;
    try {
      text = await loadItemText(item.id, life.signal);
      fill(place, ...text.split(/\n{2,}/).map((part) => h("p", { class: "recorded-text", dir: "auto" }, part)));
      copy.disabled = false;
    } catch (error) {
      if (!life.signal.aborted) fill(place, errorNotice(error, button({ label: t("do.again"), onPress: show })));
    } finally {
      clearTimeout(waiting);
    }
  }
}
