import { showToast } from "../../components/toast.js";
import { t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { downloadSound } from "./sound-download.js";

/**
 * Tells a person of sound that another page's recording did not take.
 *
 * @type {import("./session-recovery.js").ApartTeller}
 */
export const apartWords = {
  name: (name) => (name === null ? t("recorder.apart.unnamed") : t("recorder.apart.name", { name })),
  kept: ({ id, name }) =>
    showToast({
      icon: "check",
      text: t("recorder.apart.kept", { name }),
      seconds: 12,
      action: { label: t("do.play"), run: () => player.playItem(id) },
    }),
  waits: (sound) =>
    showToast({
      icon: "warning",
      text: t("recorder.apart.waits"),
      seconds: 20,
      action: { label: t("recorder.unsent.save"), run: () => downloadSound(sound) },
    }),
};
