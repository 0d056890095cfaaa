import assert from "node:assert/strict";
import { describe, it } from "node:test";
import en from "../../Sources/WebApp/Resources/www/core/locales/en.js";
import et from "../../Sources/WebApp/Resources/www/core/locales/et.js";

/** @param {import("../../Sources/WebApp/Resources/www/core/i18n.js").Message} message */
const forms = (message) => (typeof message === "string" ? [message] : Object.values(message));

/** @param {import("../../Sources/WebApp/Resources/www/core/i18n.js").Message} message */
const holes = (message) => [...new Set(forms(message).join().match(/\{\w+\}/g))].sort();

describe("the page's words", () => {
  it("say the same things in every language", () => {
    assert.deepEqual(Object.keys(et).sort(), Object.keys(en).sort());
    const differing = Object.entries(en).filter(
      ([key, message]) => holes(message).join() !== holes(et[/** @type {keyof typeof et} */ (key)]).join(),
    );
    assert.deepEqual(differing.map(([key]) => key), []);
  });

  it("have every plural form that their language has", () => {
    for (const [tag, catalogue] of Object.entries({ en, et })) {
      const wanted = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort();
      for (const [key, message] of Object.entries(catalogue)) {
        if (typeof message !== "string") assert.deepEqual(Object.keys(message).sort(), wanted, `${tag} ${key}`);
      }
    }
  });

  it("shout at nobody", () => {
    const loud = [en, et].flatMap((catalogue) => Object.values(catalogue).flatMap(forms)).filter((text) => /!|\boops\b/i.test(text));
    assert.deepEqual(loud, []);
  });
});
