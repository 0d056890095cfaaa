import { button } from "../../components/button.js";
import { openMenu } from "../../components/menu.js";
import { setAttribute } from "../../core/dom.js";
import { habit, keepHabit } from "../../core/habit.js";
import { t } from "../../core/i18n.js";

/**
 * The button that opens the orders of a list.
 *
 * @template {string} Order
 */
export class SortButton {
  /**
   * The one that holds.
   *
   * @type {Order}
   */
  order;

  /**
   * @param {object} options
   * @param {string} options.list Its name, “library”; the last order is a setting with that name.
   * @param {readonly Order[]} options.orders The usual one first.
   * @param {(order: Order) => string} options.words
   * @param {() => void} options.changed Another order was chosen.
   */
  constructor({ list, orders, words, changed }) {
    const setting = `page.${list}-order`;
    this.order = habit(setting, orders, (order) => {
      if (!this.element.isConnected) return;
      this.order = order;
      changed();
    });
    const open = () => {
      const entries = orders.map((order) => ({
        label: words(order),
        isChecked: order === this.order,
        run: () => {
          this.order = order;
          keepHabit(setting, order);
          changed();
        },
      }));
      openMenu(entries, { label: t("library.sort"), anchor: this.element });
    };
    this.element = button({ label: t("library.sort"), icon: "sort", iconOnly: true, onPress: open });
    setAttribute(this.element, "aria-haspopup", "menu");
  }
}
