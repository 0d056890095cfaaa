import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { clock, longDate, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { loadConnections } from "../../server/outbound.js";

/** @typedef {import("../../server/outbound.js").OutboundRecord} OutboundRecord */

/** Every connection that EchoText has made, newest first. */
export class ConnectionsSheet extends Sheet {
  #place = h("div", {}, h("p", { class: "muted", role: "status" }, t("settings.loading")));

  constructor() {
    super({ title: t("connections.title"), kind: "side" });
    this.build({ content: [this.#place] });
  }

  open() {
    super.open();
    this.#load();
    return this;
  }

  async #load() {
    try {
      const { records } = await loadConnections(this.signal);
      fill(
        this.#place,
        records.length === 0
          ? h("p", { class: "muted", role: "status" }, t("connections.none"))
          : h("ul", { class: "connection-rows" }, ...records.map(row)),
      );
    } catch (error) {
      if (this.signal.aborted) return;
      fill(this.#place, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
  }
}

/** @param {OutboundRecord} record */
function row({ time, purpose, host, bytesSent, seconds, bytesReceived, outcome }) {
  const sent = seconds === null ? null : t("connections.sent", { size: size(bytesSent), length: clock(seconds) });
  return h(
    "li",
    { class: "connection-row" },
    h("span", { class: "connection-host", dir: "ltr" }, host),
    h(
      "span",
      { class: "connection-facts numbers" },
      [t(`connections.for.${purpose}`), sent, t("connections.received", { size: size(bytesReceived) }), t(`connections.${outcome}`)]
        .filter((words) => words !== null)
        .join(" · "),
    ),
    h("time", { class: "connection-facts numbers", datetime: time }, longDate(time)),
  );
}
