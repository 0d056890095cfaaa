import { button } from "../../../components/button.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { imports } from "./import-queue.js";

/** The types that the picker offers first; the kind of a file is detected from its content. */
const endings = ".pdf,.epub,.txt,.md,.markdown,.text,application/pdf,application/epub+zip,text/plain,text/markdown";

/** The button that lets a person pick files. */
export function importButton() {
  const input = h("input", { type: "file", multiple: true, accept: endings, class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
  input.addEventListener("change", () => {
    imports.add(input.files ?? []);
    input.value = "";
  });
  return h(
    "span",
    { class: "import-button" },
    button({ label: t("import.button"), icon: "plus", look: "primary", onPress: () => input.click() }),
    input,
  );
}
