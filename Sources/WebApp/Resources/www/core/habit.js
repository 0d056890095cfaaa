import { setting, settings } from "./store.js";
import { changeSetting } from "../server/settings.js";

/**
 * How a person last looked at something, a setting of the library: the browser, which remembers it for the next sight,
 * forgets it with each start of the server.
 *
 * @template {string} Choice
 * @param {string} name The setting's.
 * @param {readonly Choice[]} choices The usual one first; at least one.
 * @param {(choice: Choice) => void} [learn] Called with another choice when the settings arrive later.
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
  // Where the library cannot be written to, the browser remembers it for a time.
  changeSetting(name, choice).catch(() => {});
}
