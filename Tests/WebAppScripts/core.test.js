import "./page-elements.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  clock,
  duration,
  languageName,
  paragraphFor,
  shortDate,
  size,
  wordsFor,
} from "../../Sources/WebApp/Resources/www/core/format.js";
import { chosenLanguage, languages, say, showLanguage, t, times } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { matchRoute, returnIn, setRoutes } from "../../Sources/WebApp/Resources/www/core/router.js";
import { addGeneralShortcuts, addShortcuts, listShortcuts, shortcutFor, strokeName } from "../../Sources/WebApp/Resources/www/core/shortcuts.js";
import { Cell, settings } from "../../Sources/WebApp/Resources/www/core/store.js";
import { problemOf } from "../../Sources/WebApp/Resources/www/server/http.js";
import { soundSwitches } from "../../Sources/WebApp/Resources/www/pages/recordings/microphone.js";
import { countWords } from "../../Sources/WebApp/Resources/www/pages/speak.js";
import { languageTitle, regionName, stemOf } from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";
import { DictionarySaver, entriesOf, mergeDictionaries } from "../../Sources/WebApp/Resources/www/pages/settings/advanced-section.js";

const www = fileURLToPath(new URL("../../Sources/WebApp/Resources/www/", import.meta.url));

/** @type {Record<string, import("../../Sources/WebApp/Resources/www/core/i18n.js").Catalogue>} */
const catalogues = {};
for (const [tag, bring] of Object.entries(languages)) catalogues[tag] = (await bring()).default;

beforeEach(() => showLanguage("en"));

describe("names of languages", () => {
  for (const [tag, name] of /** @type {[string, string][]} */ ([
    ["et", "Estonian"],
    ["en-GB", "British English"],
    ["en-GB-scotland", "Scottish English"],
    ["en-GB-x-gbclan", "English (Lancaster)"],
    ["en-GB-x-other", "British English"],
    ["chr-US-Qaaa-x-west", "Cherokee (United States)"],
    ["tlh-Piqd", "Klingon"],
    ["hyw", "Western Armenian"],
    ["lfn", "Lingua Franca Nova"],
    ["nci", "Classical Nahuatl"],
    ["qya", "Quenya"],
    ["qdb", "Lang Belta"],
    ["sjn", "Sindarin"],
    ["art-x-pyash", "Pyash"],
    ["not a tag", "not a tag"],
  ])) {
    test(`${tag} is ${name}`, () => assert.equal(languageName(tag), name));
  }

  test("have no codes in any language of the page, whichever of espeak-ng's voices it is", async () => {
    const tags = readFileSync(new URL("../Fixtures/espeak-languages.txt", import.meta.url), "utf8").trim().split("\n");
    assert.ok(tags.length > 100);
    for (const shown of Object.keys(languages)) {
      await showLanguage(shown);
      for (const tag of tags) {
        const [known = "", own = ""] = tag.split("-x-");
        const codes = [...known.toLowerCase().split("-"), "x"];
        for (const name of [languageName(tag), languageTitle(stemOf(tag)), regionName(tag) ?? ""]) {
          const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
          assert.ok(!words.some((word) => codes.includes(word.toLowerCase()) || word === own), `${tag} is “${name}” in “${shown}”`);
        }
      }
    }
  });

  test("are the page's own where Chromium has only codes", async (context) => {
    context.mock.method(Intl.DisplayNames.prototype, "of", (/** @type {string} */ code) => code);
    for (const shown of Object.keys(languages)) {
      await showLanguage(shown);
      for (const tag of ["ba", "bpy", "cv", "grc", "hak", "io", "jbo", "kl", "ltg", "nog", "pap", "quc", "shn", "smj", "tlh-Piqd"]) {
        assert.notEqual(languageName(tag).toLowerCase(), tag.toLowerCase(), `${tag} in “${shown}”`);
      }
    }
  });
});

describe("times and sizes", () => {
  for (const [seconds, written] of /** @type {[number, string][]} */ ([[0, "0:00"], [7.9, "0:07"], [220, "3:40"], [3_730, "1:02:10"], [-3, "0:00"], [NaN, "0:00"]])) {
    test(`${seconds} s is ${written} on a clock`, () => assert.equal(clock(seconds), written));
  }

  for (const [seconds, said] of /** @type {[number, string][]} */ ([[0.2, "1\u00a0s"], [40, "40\u00a0s"], [100, "2\u00a0min"], [3_600, "1\u00a0h"], [3_900, "1\u00a0h 5\u00a0min"]])) {
    test(`${seconds} s is said as ${said}`, () => assert.equal(duration(seconds), said));
  }

  test("sizes are in megabytes, small ones with a fraction, very small ones in kilobytes", () => {
    assert.equal(size(12_783), "13\u00a0kB");
    assert.equal(size(0), "1\u00a0kB");
    assert.equal(size(3_440_000), "3.4\u00a0MB");
    assert.equal(size(34_400_000), "34\u00a0MB");
  });

  test("factors follow the language", async () => {
    assert.equal(times(1.25), "1.25×");
    await showLanguage("et");
    assert.equal(times(1.25), "1,25×");
  });

  test("a date is today, yesterday, or itself", () => {
    const now = new Date(2026, 4, 12, 14, 2);
    assert.match(shortDate(new Date(2026, 4, 12, 9, 15).toISOString(), now), /^today 9:15/);
    assert.match(shortDate(new Date(2026, 4, 11, 23, 59).toISOString(), now), /^yesterday 11:59/);
    assert.match(shortDate(new Date(2025, 0, 2, 12).toISOString(), now), /^Jan 2, 2025, 12:00/);
    assert.match(shortDate(new Date(2026, 3, 30, 9, 15).toISOString(), now), /^Apr 30, 9:15/);
  });
});

describe("languages", () => {
  test("plural forms follow the count and the language", async () => {
    await showLanguage("et");
    await showLanguage("en");
    assert.equal(t("unit.words", { n: 1 }), "1 word");
    assert.equal(t("unit.words", { n: 1_200 }), "1,200 words");
    assert.equal(say("unit.words", { n: 2 }, "et"), "2 sõna");
  });

  test("what was asked for counts first, then what the person prefers, then English", () => {
    assert.equal(chosenLanguage("et", ["en"]), "et");
    assert.equal(chosenLanguage("system", ["fi-FI", "et-EE", "en"]), "et");
    assert.equal(chosenLanguage("system", ["fi"]), "en");
  });

  test("a refusal is said in the page's words, or in the server's", () => {
    assert.equal(wordsFor({ code: "server.unreachable", message: "x" }).message, t("error.server.unreachable"));
    assert.deepEqual(wordsFor({ code: "vault.system", message: "Said.", suggestion: "Do." }), { message: "Said.", suggestion: "Do." });
    assert.deepEqual(wordsFor({ code: "new.code", message: "Said.", suggestion: "Do." }), { message: "Said.", suggestion: "Do." });
    assert.equal(wordsFor(new TypeError("internal")).message, t("error.unknown"));
    assert.equal(wordsFor(problemOf(502, null, null)).message, t("error.http"));
  });

  test("a refusal whose code is unknown is said in the person's language where the subject is known", async () => {
    await showLanguage("et");
    assert.equal(wordsFor({ code: "voice.new", message: "English words." }).message, t("error.voice"));
    assert.equal(wordsFor({ code: "new.code", message: "English words." }).message, "English words.");
  });

  test("a refusal whose code only another language words is said in that language", async () => {
    const gone = { code: "document.not-found", message: "English words.", suggestion: "English way." };
    assert.equal(wordsFor(gone).message, "English words.");
    await showLanguage("et");
    const said = { message: catalogues.et["error.document.not-found"], suggestion: catalogues.et["error.document.not-found.do"] };
    assert.deepEqual(wordsFor(gone), said);
    await showLanguage("en");
    assert.deepEqual(wordsFor(gone), { message: "English words.", suggestion: "English way." });
  });

  test("a browser's own error is not said in its words, whose code is a number", () => {
    for (const error of [new DOMException("Internal words", "NotAllowedError"), { code: 4, message: "MEDIA_ELEMENT_ERROR: Format error" }]) {
      assert.deepEqual(wordsFor(error), { message: t("error.unknown"), suggestion: null });
    }
  });

  test("a refusal and what to do about it are one paragraph", () => {
    assert.equal(paragraphFor({ code: "new.code", message: "Refused.", suggestion: "Wait." }), "Refused. Wait.");
    assert.equal(paragraphFor({ code: "new.code", message: "Refused.", suggestion: null }), "Refused.");
  });

  test("a failure of which only the code was kept is said in the words for its subject", () => {
    const left = (/** @type {string} */ code) => wordsFor({ code, message: "", suggestion: null });
    assert.deepEqual(left("voice.of-old"), { message: t("error.voice"), suggestion: t("error.voice.do") });
    assert.equal(left("speech.timed-out").message, t("error.speech"));
    assert.equal(left("nobody.knows").message, t("error.unknown"));
  });

  for (const [tag, catalogue] of Object.entries(catalogues)) {
    test(`${tag} says everything that English says, with the same values`, () => {
      assert.deepEqual(Object.keys(catalogues.en).filter((key) => !(key in catalogue)), []);
      for (const [key, message] of Object.entries(catalogue)) {
        assert.deepEqual(valuesIn(message), valuesIn(catalogues.en[key] ?? ""), key);
        if (typeof message === "string") continue;
        const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
        assert.deepEqual(forms.filter((form) => !(form in message)), [], `${key} lacks a form`);
      }
    });
  }

  test("a number and its unit stay on one line", () => {
    const apart = /(?:\}|\d) (?:%|kB|MB|GB|Hz|px|min|h|s)(?![\p{L}\p{N}])/u;
    for (const message of Object.values(catalogues).flatMap((catalogue) => Object.values(catalogue))) {
      for (const form of typeof message === "string" ? [message] : Object.values(message)) assert.doesNotMatch(form, apart);
    }
  });

  test("the page's modules leave units to the catalogues", () => {
    const own = /["'`}]\s(?:%|kB|MB|GB|Hz|px|min|h|s)["'`]/u;
    const found = sources(www).filter((path) => !path.includes("locales") && own.test(readFileSync(path, "utf8")));
    assert.deepEqual(found, []);
  });

  test("every message that the page asks for is there, and none is idle", () => {
    const code = sources(www).filter((path) => !path.includes("locales")).map((path) => readFileSync(path, "utf8")).join("\n");
    const asked = new Set([...code.matchAll(/\bt\(\s*"([^"]+)"/g)].map(([, key]) => key));
    const missing = [...asked].filter((key) => !(key in catalogues.en));
    assert.deepEqual(missing, []);
    const named = new Set([...code.matchAll(/["'`]([a-z][\w-]*(?:\.[\w-]+)+)["'`]/g)].map(([, key]) => key));
    const built = [...code.matchAll(/`([a-z][\w-]*\.(?:[\w-]+\.)*)\$\{/g)].map(([, stem]) => stem);
    const idle = Object.keys(catalogues.en).filter((key) => !named.has(key) && !built.some((stem) => key.startsWith(stem)));
    assert.deepEqual(idle, []);
  });
});

/** @param {import("../../Sources/WebApp/Resources/www/core/i18n.js").Message} message */
function valuesIn(message) {
  const text = typeof message === "string" ? message : message.other;
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
}

/** @param {string} folder @returns {string[]} */
function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    return entry.isDirectory() ? sources(`${path}/`) : path.endsWith(".js") ? [path] : [];
  });
}

describe("addresses", () => {
  const routes = [{ address: "/speak" }, { address: "/library" }];

  test("a page is found by its address and by what is below", () => {
    assert.deepEqual(matchRoute("/library", routes), { route: routes[1], rest: "" });
    assert.deepEqual(matchRoute("/library/42/text", routes), { route: routes[1], rest: "42/text" });
    assert.deepEqual(matchRoute("/speak/", routes), { route: routes[0], rest: "" });
  });

  test("what only begins alike is another page", () => {
    assert.equal(matchRoute("/libraryx", routes), null);
    assert.equal(matchRoute("/", routes), null);
  });
});

describe("the way back to where one came from", () => {
  const pages = [{ address: "/speak" }, { address: "/documents" }];

  test("leads to where one came from, within the app", () => {
    assert.deepEqual(returnIn("?from=%2Fdocuments%2F42", pages), { route: pages[1], path: "/documents/42" });
  });

  test("leads to the pages that the app has made known", () => {
    assert.equal(returnIn("?from=%2Fdocuments"), null);
    setRoutes(pages);
    assert.deepEqual(returnIn("?from=%2Fdocuments"), { route: pages[1], path: "/documents" });
  });

  for (const search of ["", "?from=", "?from=https%3A%2F%2Felsewhere", "?from=%2F%2Felsewhere", "?from=%2Fnowhere"]) {
    test(`is not there for “${search}”`, () => assert.equal(returnIn(search, pages), null));
  }
});

describe("shortcuts", () => {
  const all = /** @type {import("../../Sources/WebApp/Resources/www/core/shortcuts.js").Shortcut[]} */ ([
    { keys: "g l", label: "a", group: "pages", run() {} },
    { keys: "n", label: "b", group: "everywhere", run() {} },
    { keys: "Enter", label: "c", group: "lists" },
  ]);

  test("a key alone does its thing", () => assert.equal(shortcutFor(null, "n", all).found, all[1]));

  test("two in a row do theirs", () => {
    const first = shortcutFor(null, "g", all);
    assert.deepEqual(first, { found: null, before: "g" });
    assert.equal(shortcutFor(first.before, "l", all).found, all[0]);
  });

  test("a wrong second key is taken for itself", () => assert.equal(shortcutFor("g", "n", all).found, all[1]));

  test("of two for the same key the shown page's counts, whichever came first", () => {
    const life = new AbortController();
    const mark = { keys: "m", label: "mark", group: /** @type {const} */ ("everywhere"), run: () => {} };
    const mute = { keys: "m", label: "mute", group: /** @type {const} */ ("playing"), run: () => {} };
    addShortcuts([mark], life.signal);
    addGeneralShortcuts([mute], life.signal);
    assert.equal(shortcutFor(null, "m", listShortcuts()).found, mark);
    life.abort();
    assert.deepEqual(listShortcuts(), []);
  });

  test("what an element does by itself is only listed", () => assert.equal(shortcutFor(null, "Enter", all).found, null));

  test("strokes have one name each", () => {
    assert.equal(strokeName({ key: " ", shiftKey: false }), "Space");
    assert.equal(strokeName({ key: "ArrowLeft", shiftKey: true }), "Shift+ArrowLeft");
    assert.equal(strokeName({ key: "N", shiftKey: true }), "n");
    assert.equal(strokeName({ key: "?", shiftKey: true }), "?");
    assert.equal(strokeName({ key: "n", shiftKey: false, ctrlKey: true, altKey: true }), "Ctrl+Alt+n");
    assert.equal(strokeName({ key: "€", code: "KeyE", shiftKey: false, ctrlKey: true, altKey: true }), "Ctrl+Alt+e");
    assert.equal(strokeName({ key: "n", shiftKey: false, ctrlKey: true }), "");
    assert.equal(strokeName({ key: "Control", shiftKey: false, ctrlKey: true, altKey: true }), "");
    assert.equal(strokeName({ key: "Alt", shiftKey: false, ctrlKey: true, altKey: true }), "");
    assert.equal(strokeName({ key: "Shift", shiftKey: true }), "");
  });

  for (const [use, keys] of /** @type {const} */ ([
    ["alone", ["g l", "n", "Enter"]],
    ["ctrl-alt", ["Ctrl+Alt+g Ctrl+Alt+l", "Ctrl+Alt+n", "Enter"]],
    ["off", ["Enter"]],
  ])) {
    test(`letters count as the person set it: ${use}`, () => {
      const life = new AbortController();
      addGeneralShortcuts(all, life.signal);
      const kept = /** @type {import("../../Sources/WebApp/Resources/www/server/settings.js").Setting} */ ({ value: use });
      settings.set(new Map([["page.character-keys", kept]]));
      assert.deepEqual(listShortcuts().map((one) => one.keys), keys);
      settings.set(new Map());
      life.abort();
    });
  }
});

describe("texts", () => {
  /** @type {{ text: string, words: number }[]} */
  const examples = JSON.parse(readFileSync(new URL("../Fixtures/word-counts.json", import.meta.url), "utf8"));
  for (const { text, words } of examples) {
    test(`“${text.trim()}” has ${words} words, as the server counts them`, () => assert.equal(countWords(text), words));
  }
});

describe("a cell", () => {
  test("reports changes until the life ends", () => {
    const cell = new Cell(1);
    const life = new AbortController();
    /** @type {number[]} */
    const heard = [];
    cell.follow((value) => heard.push(value), life.signal);
    cell.set(2);
    life.abort();
    cell.set(3);
    assert.deepEqual(heard, [1, 2]);
    assert.equal(cell.value, 3);
  });
});

describe("a setting that is not loaded yet", () => {
  test("has the default of the program", () => {
    const table = readFileSync(new URL("../../Documentation/Settings.md", import.meta.url), "utf8");
    const rows = [...table.matchAll(/^\| `([\w.-]+)` \|.*\| (?:`(.*)`|nothing) \|$/gm)];
    const defaults = new Map(rows.map(([, name, value = ""]) => [name, value]));
    const scripts = readdirSync(www, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
    const assumed = scripts.flatMap((name) => [...readFileSync(`${www}${name}`, "utf8").matchAll(/\bsetting\("([\w.-]+)", "([^"]*)"\)/g)]);
    const all = [...assumed.map(([, name, value]) => [name, value]), ...soundSwitches];
    assert.ok(all.length >= 10, String(all.length));
    assert.deepEqual(all.filter(([name, value]) => defaults.get(name) !== value), []);
  });
});

describe("the dictionary", () => {
  /** A server that answers when the test lets it. */
  const slow = () => {
    /** @type {{ text: string, take: () => void, refuse: () => void }[]} */
    const asked = [];
    const saver = new DictionarySaver(
      (text) => new Promise((resolve, reject) => asked.push({ text, take: () => resolve(text), refuse: () => reject(new Error("refused")) })),
      async () => "a = b",
    );
    saver.loaded("a = b");
    return { saver, asked };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test("is saved in order, so that an older list never replaces a newer one", async () => {
    const { saver, asked } = slow();
    const tries = ["1", "2", "3"].map((text) => (saver.write(text), saver.keep(text)));
    assert.deepEqual(asked.map(({ text }) => text), ["1"]);
    asked[0]?.take();
    await settled();
    assert.deepEqual([asked.map(({ text }) => text), saver.left], [["1", "3"], "3"]);
    asked[1]?.take();
    await Promise.all(tries);
    assert.deepEqual([saver.kept, saver.left], ["3", null]);
  });

  test("stays for the next sheet when it is refused, and is sent even as it was before", async () => {
    const { saver, asked } = slow();
    saver.write("wrong");
    const refused = saver.keep("wrong");
    asked[0]?.refuse();
    await assert.rejects(refused);
    saver.loaded("a = b");
    assert.equal(saver.left, "wrong");
    saver.write("worse");
    const again = saver.keep("worse");
    asked[1]?.refuse();
    await assert.rejects(again);
    saver.write("a = b");
    const back = saver.keep("a = b");
    asked[2]?.take();
    await back;
    assert.deepEqual([asked[2]?.text, saver.left], ["a = b", null]);
    await saver.keep("a = b");
    assert.equal(asked.length, 3);
  });

  /** A server that refuses a change of another list than it has; `answers` is whether its answers arrive. */
  const shared = () => {
    const server = { list: "a = b", answers: true };
    const saver = new DictionarySaver(
      async (text, base) => {
        if (base !== server.list) throw Object.assign(new Error("changed"), { code: "settings.changed" });
        server.list = text;
        if (!server.answers) throw new Error("no answer");
      },
      async () => server.list,
    );
    saver.loaded("a = b");
    return { saver, server };
  };

  test("is not remembered where the server has refused it, so that the same from elsewhere is not taken for it", async () => {
    const locked = Object.assign(new Error("locked"), { code: "vault.locked", status: 423 });
    const saver = new DictionarySaver(() => Promise.reject(locked), async () => "a = b");
    saver.loaded("a = b");
    saver.write("a = b\nc = d");
    await assert.rejects(saver.keep("a = b\nc = d"), locked);
    // Sent even as it was, so that the message about the refused one goes.
    saver.write("a = b");
    assert.equal(saver.left, "a = b");
    saver.write("a = b\ne = f");
    saver.loaded("a = b\nc = d");
    assert.equal(saver.left, "a = b\ne = f\nc = d");
  });

  test("has what is written elsewhere meanwhile, also in what is typed while it is saved", async () => {
    const { saver, server } = shared();
    /** @type {string[][]} */
    const reported = [];
    saver.merged = (sent, kept) => reported.push([sent, kept]);
    server.list = "a = b\nelse = where";
    saver.write("a = b\nc = d");
    const saved = saver.keep("a = b\nc = d");
    saver.write("a = b\nc = de");
    await saved;
    assert.equal(server.list, "a = b\nc = d\nelse = where");
    assert.deepEqual(reported, [["a = b\nc = d", server.list]]);
    assert.equal(saver.left, "a = b\nc = de\nelse = where");
    await saver.keep(saver.left);
    assert.deepEqual([server.list, saver.left], ["a = b\nc = de\nelse = where", null]);
  });

  test("that waits for its next sheet loses nothing of what is written elsewhere until then", async () => {
    const { saver, server } = shared();
    saver.write("a = b\nwrong");
    server.list = "a = b\nelse = where";
    saver.loaded(server.list);
    assert.equal(saver.left, "a = b\nwrong\nelse = where");
    saver.write("a = b\nc = d\nelse = where");
    await saver.keep("a = b\nc = d\nelse = where");
    assert.deepEqual([server.list, saver.left], ["a = b\nc = d\nelse = where", null]);
  });

  test("takes what it has sent itself for its own, though no answer came", async () => {
    const { saver, server } = shared();
    server.answers = false;
    saver.write("a = b\nc = d");
    await assert.rejects(saver.keep("a = b\nc = d"));
    server.answers = true;
    saver.write("a = b\nc = de");
    await saver.keep("a = b\nc = de");
    assert.equal(server.list, "a = b\nc = de");
  });

  test("loses nothing of what is written elsewhere when no answer comes to both together", async () => {
    const { saver, server } = shared();
    server.list = "a = b\nelse = where";
    server.answers = false;
    saver.write("a = b\nc = d");
    await assert.rejects(saver.keep("a = b\nc = d"));
    assert.equal(server.list, "a = b\nc = d\nelse = where");
    server.answers = true;
    saver.write("a = b\nc = de");
    await saver.keep("a = b\nc = de");
    assert.equal(server.list, "a = b\nc = de\nelse = where");
  });

  test("has as many entries as lines that are neither blank nor comments", () => {
    assert.equal(entriesOf(""), 0);
    assert.equal(entriesOf("# mine\n\n  \nGIF = jif\r\n  SQL = sequel\n  # theirs\n"), 2);
  });

  test("is merged by lines: what one removes is gone, and what both add is there", () => {
    assert.equal(mergeDictionaries("a = 1\nb = 2\nc = 3", "a = 1\nc = 3\nd = 4\n", "b = 2\nc = 3\ne = 5"), "c = 3\nd = 4\ne = 5\n");
    assert.equal(mergeDictionaries("a = 1", "a = 1", ""), "");
    assert.equal(mergeDictionaries("a = 1", "a = 2", "a = 3"), "a = 2\na = 3");
    assert.equal(mergeDictionaries("", "# mine\n\nb = 2", "\n\nc = 3\n"), "# mine\n\nb = 2\nc = 3");
  });
});
