import { button } from "../../components/button.js";
import { copyText } from "../../components/download.js";
import { icon, setIcon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { ReadingText } from "../../components/reading-text.js";
import { openSheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { clock, languageName, longDate, size } from "../../core/format.js";
import { number, t, times } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { loadItemText, loadItemTimings } from "../../server/library.js";

/** Milliseconds before waiting is worth a word. */
const patience = 200;

/**
 * Shows what a recording says, reads along while it plays, and plays from the words that are pressed.
 *
 * @param {import("../../server/library.js").Item} item
 * @param {{ play: (seconds: number) => void }} actions
 */
export function openTextSheet(item, { play }) {
  const life = new AbortController();
  const { signal } = life;
  const place = h("div", { class: "text-place" });
  const reading = new ReadingText();
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
    label: t("do.play"),
    icon: "play",
    look: "primary",
    onPress: () => (isCurrent() ? player.toggle() : play(item.place?.seconds ?? 0)),
  });
  const sheet = openSheet({
    title: item.name,
    kind: "side",
    className: "text-sheet",
    content: [
      h("p", { class: "muted text-facts" }, [clock(item.duration), t("unit.words", { n: item.words }), item.voiceName].join(" · ")),
      place,
    ],
    actions: [copy, start],
    onClose: () => life.abort(),
  });
  sheet.element.dataset.shortcuts = "";
  reading.addEventListener("text-seek", (event) => {
    const { seconds } = /** @type {CustomEvent} */ (event).detail;
    if (!isCurrent()) {
      play(seconds);
      return;
    }
    player.seek(seconds);
    player.play();
  });
  player.phase.follow(showButton, signal);
  player.track.watch(showButton, signal);
  player.time.watch(() => isCurrent() && reading.setTime(player.now()), signal);
  show();

  function isCurrent() {
    return player.isCurrent(item.id);
  }

  function showButton() {
    const isPlaying = isCurrent() && player.isPlaying;
    const label = start.querySelector(".button-label");
    setIcon(start, isPlaying ? "pause" : "play");
    if (label !== null) setText(label, t(isPlaying ? "do.pause" : "do.play"));
  }

  async function show() {
    const waiting = setTimeout(() => fill(place, h("p", { class: "muted", role: "status" }, t("text.loading"))), patience);
    copy.disabled = true;
    try {
      const [words, timings] = await Promise.all([loadItemText(item.id, signal), timesOf(item.id, signal)]);
      text = words;
      reading.show(text, timings);
      fill(place, reading);
      if (isCurrent()) reading.setTime(player.now());
      copy.disabled = false;
    } catch (error) {
      if (!signal.aborted) fill(place, errorNotice(error, button({ label: t("do.again"), onPress: show })));
    } finally {
      clearTimeout(waiting);
    }
  }
}

/**
 * When each sentence is said; none when that cannot be had, since the text can be read without.
 *
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function timesOf(id, signal) {
  try {
    return (await loadItemTimings(id, signal)).sentences;
  } catch {
    return [];
  }
}

/**
 * Shows everything that is known of a recording.
 *
 * @param {import("../../server/library.js").Item} item
 */
export function openInfoSheet(item) {
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.name", item.name],
    ["info.length", clock(item.duration)],
    ["info.words", number(item.words)],
    ["info.made", longDate(item.created)],
    ["info.voice", item.voiceName],
    ["info.speaker", item.speaker > 0 ? String(item.speaker) : null],
    ["info.language", languageName(item.language)],
    ["info.speed", times(item.speed)],
    ["info.pitch", times(item.pitch)],
    ["info.engine", item.engine],
    ["info.document", item.document?.part == null ? null : String(item.document.part)],
    ["info.size", size(item.size)],
    ["info.sound", t("info.sound.value", { rate: number(item.sampleRate) })],
  ];
  openSheet({
    title: t("info.title"),
    kind: "side",
    className: "info-sheet",
    content: [
      h(
        "dl",
        { class: "facts" },
        ...facts.flatMap(([key, value]) =>
          value === null ? [] : [h("div", { class: "fact" }, h("dt", {}, t(key)), h("dd", { dir: "auto" }, value))],
        ),
      ),
      h("p", { class: "private-note" }, icon("lock"), t("info.private")),
    ],
  });
}
