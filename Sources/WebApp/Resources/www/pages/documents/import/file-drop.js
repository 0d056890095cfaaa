import { icon } from "../../../components/icon.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";

/**
 * Takes files that are dropped anywhere, unless the page that is shown has taken them itself, and goes to where they are
 * imported.
 *
 * @param {(files: readonly File[]) => void} taken
 * @param {AbortSignal} signal
 */
export function takeDrops(taken, signal) {
  const veil = h("div", { class: "drop-veil", hidden: true }, h("p", {}, icon("document"), t("import.drop.here")));
  document.body.append(veil);
  signal.addEventListener("abort", () => veil.remove(), { once: true });
  const end = () => (veil.hidden = true);
  addEventListener(
    "dragover",
    (event) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      veil.hidden = false;
    },
    { signal },
  );
  addEventListener("dragleave", (event) => event.relatedTarget === null && end(), { signal });
  addEventListener(
    "drop",
    (event) => {
      end();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (event.defaultPrevented || files.length === 0) return;
      event.preventDefault();
      document.querySelector("dialog[open]")?.dispatchEvent(new Event("cancel", { cancelable: true }));
      if (location.pathname !== "/documents") navigate("/documents");
      taken(files);
    },
    { signal },
  );
}
