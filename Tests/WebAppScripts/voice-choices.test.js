import "./page-elements.js";
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { voices } from "../../Sources/WebApp/Resources/www/core/store.js";
import { groupVoices, voiceGroups } from "../../Sources/WebApp/Resources/www/pages/speaker-choice.js";

afterEach(() => {
  voices.set(null);
  return showLanguage("en");
});

/**
 * @param {string} id
 * @param {object} [more]
 */
const voice = (id, more = {}) => /** @type {any} */ ({ id, language: id, engine: "espeak-ng", isFavorite: false, ...more });

describe("the voices to choose from", () => {
  const all = [voice("af"), voice("de"), voice("en-GB"), voice("en-US"), voice("et"), voice("sv")];

  /** @param {readonly string[]} own */
  const titles = (own) => groupVoices(all, own).map(({ title }) => title);

  test("begin with the person's languages, best first, and then go by their names", () => {
    assert.deepEqual(titles(["et-EE", "en-GB", "et", "en"]), ["Estonian", "English", "Afrikaans", "German", "Swedish"]);
    assert.deepEqual(titles(["zz"]), ["Afrikaans", "English", "Estonian", "German", "Swedish"]);
  });

  test("go by the names that the page's language has for the others", async () => {
    await showLanguage("et");
    assert.deepEqual(titles(["de"]), ["Saksa keel", "Afrikaani keel", "Eesti keel", "Inglise keel", "Rootsi keel"]);
  });

  test("have favourites and natural voices first, whatever their languages are", () => {
    const more = [...all, voice("sv-SE", { engine: "sherpa-onnx" }), voice("cy", { isFavorite: true })];
    const groups = groupVoices(more, ["et"]).map(({ title, voices }) => `${title}: ${voices.map(({ id }) => id).join(" ")}`);
    assert.deepEqual(groups.slice(0, 3), ["Favourites: cy", "Installed: sv-SE", "Estonian: et"]);
  });

  test("have one name each: a built-in voice that of its language", () => {
    const named = (/** @type {string} */ id, /** @type {string} */ title, /** @type {object} */ more) => voice(id, { title, fullTitle: title, isFavorite: true, ...more });
    voices.set([
      named("en-US", "English (America)", {}),
      named("en-GB", "Alan", { engine: "sherpa-onnx", fullTitle: "Alan, English (UK)" }),
      named("et", "Mari", { engine: "sherpa-onnx" }),
    ]);
    const [favorites] = voiceGroups("en-US");
    assert.deepEqual(favorites?.options.map(({ label }) => label), ["English (America)", "Alan, English (UK)", "Mari – Estonian"]);
  });
});
