import { navigate } from "./core/router.js";
import { addShortcuts } from "./core/shortcuts.js";
import { pages } from "./pages/registry.js";

/**
 * The shortcuts that every page has.
 *
 * @param {AbortSignal} signal
 */
export function addPageShortcuts(signal) {
  addShortcuts(
    [
      { keys: "?", label: "shortcut.list", group: "everywhere", run: showShortcuts },
      { keys: "/", label: "shortcut.search", group: "everywhere", run: search },
      { keys: "n", label: "shortcut.new", group: "everywhere", run: newText },
      { keys: "Ctrl+Enter", label: "speak.generate", group: "everywhere" },
      { keys: "Escape", label: "shortcut.close", group: "everywhere" },
      ...pages.map((page) => ({
        keys: `g ${page.key}`,
        label: page.title,
        group: /** @type {const} */ ("pages"),
        run: () => navigate(page.address),
      })),
    ],
    signal,
  );
}

/** Goes to the field that searches: the page's own, else the library's. */
function search() {
  const field = document.querySelector("main input[type=search]");
  if (field instanceof HTMLInputElement) field.focus();
  else navigate("/library?search");
}

function newText() {
  navigate("/speak/new");
}

async function showShortcuts() {
  const { openShortcutList } = await import("./components/shortcut-list.js");
  openShortcutList();
}
