import { setting, settings } from "./store.js";
import { changeSetting } from "../server/settings.js";

/**
 * The user's last way of viewing something, a setting of the library: the browser's storage, which remembers it
 * meanwhile, is lost with each start of the server.
 *
 * @template {string} Choice
 * @param {string} name The setting's.
 * @param {readonly Choice[]} choices The default first; at least one.
 * @param {(choice: Choice) => void} [learn] Called with another choice if the settings arrive later.
 * @returns {Choice}
 */
export function habit(name, choices, learn = () => {}) {
  const usual = /** @type {Choice} */ (choices[0]);
  const choice = (/** @type {string | null} */ kept) => choices.find((one) => one === kept) ?? usual;
  const remembered = localStorage.getItem(name);
  if (remembered === null && settings.value.size === 0) {
    const once = new AbortController();
    const take = () => {
      once.abort();
      const known = choice(setting(name, usual));
      if (known !== usual && localStorage.getItem(name) === null) learn(known);
    };
    settings.watch(take, once.signal);
  }
  return choice(remembered ?? setting(name, usual));
}

/**
 * @param {string} name
 * @param {string} choice
 */
export function keepHabit(name, choice) {
  localStorage.setItem(name, choice);
  // If the library is read-only, the browser remembers it for a while.
  changeSetting(name, choice).catch(() => {});
}
