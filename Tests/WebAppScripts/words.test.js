import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import en from "../../Sources/WebApp/Resources/www/core/locales/en.js";
import et from "../../Sources/WebApp/Resources/www/core/locales/et.js";

/** @param {import("../../Sources/WebApp/Resources/www/core/i18n.js").Message} message */
const forms = (message) => (typeof message === "string" ? [message] : Object.values(message));

/** @param {import("../../Sources/WebApp/Resources/www/core/i18n.js").Message} message */
const holes = (message) => [...new Set(forms(message).join().match(/\{\w+\}/g))].sort();

const sources = fileURLToPath(new URL("../../Sources/", import.meta.url));

/** The codes of all errors of the program, extracted from its sources. */
function allCodes() {
  const files = readdirSync(sources, { recursive: true }).map(String).filter((path) => path.endsWith(".swift"));
  const text = files.map((path) => readFileSync(join(sources, path), "utf8")).join("\n");
  return new Set([...text.matchAll(/\b(?:Failure|failure)\(\s*(?:\.\w+,\s*)?"([a-z-]+\.[a-z-]+)"/g)].map(([, code]) => code));
}

/**
 * Those that occur only on the command line: its options, files, terminal and microphones, and the start of the server.
 */
const ofCommands = new RegExp(
  [
    "^(age|agent|capture|command|playback|text)\\.",
    "\\.ambiguous$|\\.unknown-format$|\\.unreadable-file$",
    "^web\\.(port-in-use|cannot-listen|page-missing|folder-unusable|disk-full)$",
    "^audio\\.(not-permitted|folder-missing|is-folder|name-too-long|file-missing|not-sound|broken-pipe|no-sound-output|playback-failed)$",
    "^export\\.(audiobook-needs-file|no-room-for-cover|cover-[a-z-]+|folder-[a-z-]+|nothing-to-export)$",
  ].join("|"),
);

/** Those whose own message names the line. */
const ofDictionary = /^dictionary\./;

describe("the page's words", () => {
  it("name every error that a page can meet", () => {
    const codes = allCodes();
    for (const code of ["vault.locked", "web.busy", "sound-file.no-sound", "dictionary.missing-word", "service.bad-name"]) assert.ok(codes.has(code), code);
    const wordless = [...codes].filter((code) => !(`error.${code}` in en) && !ofCommands.test(code) && !ofDictionary.test(code));
    assert.deepEqual(wordless, []);
  });

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
