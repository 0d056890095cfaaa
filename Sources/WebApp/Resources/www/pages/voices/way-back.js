import { icon } from "../../components/icon.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { returnIn } from "../../core/router.js";
import { pages } from "../registry.js";

/** Where the person came from to choose a voice: its name and address, or `null`. */
export function cameFrom() {
  const found = returnIn(location.search, pages);
  return found === null || found.route.id === "voices" ? null : { name: t(found.route.title), path: found.path };
}

/** The way back to where a voice was wanted, when the person came from there. */
export function wayBack() {
  const from = cameFrom();
  if (from === null) return null;
  return h("a", { class: "button quiet way-back", href: from.path }, icon("chevron-left"), t("voices.back", { page: from.name }));
}
