import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { languages } from "../../Sources/WebApp/Resources/www/core/i18n.js";

const www = fileURLToPath(new URL("../../Sources/WebApp/Resources/www/", import.meta.url));
const read = (/** @type {string} */ file) => readFileSync(`${www}${file}`, "utf8");
const modules = readdirSync(www, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));

/** Outlines that several icons share as a frame around their meaning. */
const frames = ["${circle}", "circle", "speaker", "heart"];

/** @type {Map<string, string[]>} The strokes of each icon. */
const drawings = new Map();
for (const [, name, strokes] of read("components/button.js").matchAll(/^ {2}"?([a-z-]+)"?: \[(.*)\],$/gm)) {
  drawings.set(name, strokes.split(", ").map((one) => one.replace(/^["`]|["`]$/g, "")));
}

/** @returns {[string, string, string][]} Module, key of the label, icon: wherever the three occur together. */
function labelled() {
  return modules.flatMap((file) =>
    [...read(file).matchAll(/label: t\("([\w.-]+)"[^)]*\),\s+icon: "([a-z-]+)"/g)].map(([, key, name]) => /** @type {[string, string, string]} */ ([file, key, name])),
  );
}

/**
 * @param {string} name
 * @returns {string[]} The modules that use that icon.
 */
function usersOf(name) {
  return modules.filter((file) => new RegExp(`icon(:|\\() ?"${name}"|quiet\\([^)]*"${name}"|\\? "${name}"|: "${name}"\\)`).test(read(file)));
}

/** @returns {string[]} The icons that `text` names: those of buttons and rows, and those that take their place. */
function namedIn(/** @type {string} */ text) {
  const places = text.matchAll(/\bicon(?:s|Of)?(?:: |\()([^,;\n]*)|\bsetIcon\([^,]*, ([^;\n]*)|\bquiet\([^;\n]*?, ("[a-z-]+")/g);
  return [...places].flatMap(([, one, two, three]) => [...(one ?? two ?? three ?? "").matchAll(/(?:^|[^?][?:] )"([a-z-]+)"/g)].map(([, name = ""]) => name));
}

/**
 * @param {string} text
 * @param {number} start Of a call in it.
 */
function callAt(text, start) {
  let depth = 0;
  for (let at = text.indexOf("(", start); at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return text.slice(start);
}

/** @returns {{ file: string, call: string, keys: string[] }[]} The buttons without words, with the messages they may be named by. */
function withoutWords() {
  return modules.filter((file) => file !== "components/button.js").flatMap((file) => {
    const text = read(file);
    const calls = [...text.matchAll(/(?<![\w#])(button|sampleButton|moreButton|quiet)\((?!label|\{ label,)/g)]
      .filter(({ index }) => !/function $/.test(text.slice(0, index)))
      .map(({ 1: made = "", index }) => ({ made, call: callAt(text, index) }))
      .filter(({ made, call }) => made === "moreButton" || made === "quiet" || /iconOnly: true|\.\.\.quiet\b/.test(call));
    return calls.map(({ call }) => {
      const label = /\blabel: (.*?)(?:,\n|, (?:icon|look|open|\.\.\.)|, iconOnly)/.exec(call)?.[1] ?? /^quiet\((.*), "/.exec(call)?.[1] ?? "";
      return { file, call, keys: [...label.matchAll(/"([\w-]+\.[\w.-]+)"/g)].map(([, key = ""]) => key) };
    });
  });
}

describe("icons", () => {
  test("are all found here", () => assert.ok(drawings.size > 50 && labelled().length > 80));

  test("that are used are there, and those that are there are used", () => {
    const used = modules.flatMap((file) => namedIn(read(file)).map((name) => ({ file, name })));
    for (const { file, name } of used) assert.ok(drawings.has(name), `“${name}” in ${file}`);
    assert.ok(used.length > 150);
    const others = modules.filter((file) => file !== "components/button.js").map(read).join("\n");
    assert.deepEqual([...drawings.keys()].filter((name) => !others.includes(`"${name}"`)), []);
  });

  test("that stand without words are named by what they do, in every language", async () => {
    const catalogues = await Promise.all(Object.values(languages).map(async (bring) => (await bring()).default));
    const all = withoutWords();
    assert.ok(all.length > 65);
    for (const { file, call, keys } of all) {
      // Some get their name, and the same tooltip, once it is known what they are about.
      if (keys.length === 0) assert.match(read(file), /\["aria-label", "title"\]\) setAttribute|\bname\(element, t\(/, call);
      for (const message of keys.flatMap((key) => catalogues.map((one) => one[key]))) {
        assert.match(String(message).replace(/\{\w+\}/g, ""), /\p{L}{3}/u, `${keys} in ${file}`);
      }
    }
  });

  test("are drawn differently, each by strokes of its own", () => {
    /** @type {Map<string, string>} */
    const owners = new Map();
    for (const [name, strokes] of drawings) {
      for (const stroke of strokes.filter((one) => one.length > 12 && !frames.includes(one))) {
        assert.equal(owners.get(stroke) ?? name, name, `“${name}” has a stroke of “${owners.get(stroke)}”`);
        owners.set(stroke, name);
      }
    }
  });

  test("are the same wherever the words are the same", () => {
    /** @type {Map<string, string>} */
    const icons = new Map();
    for (const [file, key, name] of labelled()) {
      assert.equal(icons.get(key) ?? name, name, `${key} in ${file}`);
      icons.set(key, name);
    }
  });

  test("of marks are the same for the one that is made while recording and for those that are listed", () => {
    assert.equal(labelled().find(([, key]) => key === "recorder.mark")?.[2], "flag");
    assert.ok(usersOf("flag").includes("pages/recordings/transcript/marks-sheet.js"));
  });

  test("of the player's steps mean nothing else", () => {
    for (const name of ["back", "forward"]) {
      const users = usersOf(name).filter((file) => !file.startsWith("player/"));
      assert.deepEqual(users, [], name);
    }
  });

  test("show a microphone where one is used, and a speaking person for a voice", () => {
    for (const file of usersOf("microphone")) assert.match(file, /^pages\/(recordings|practice)\b/);
    for (const file of usersOf("voice")) assert.match(file, /^pages\/(registry|voices|settings|speak)\b/);
    assert.ok(usersOf("microphone").length >= 4 && usersOf("voice").length >= 4);
  });

  test("of pages are on those pages and on ways to them", () => {
    const ways = { history: /history|later|versions/, practice: /practice/, speak: /speak|generate|batch|strip|documents/ };
    for (const [name, meaning] of Object.entries(ways)) {
      for (const [file, key] of labelled().filter(([, , one]) => one === name)) assert.match(key, meaning, `${name} in ${file}`);
    }
  });

  test("of the settings' sections are none of the settings' own", () => {
    assert.ok(usersOf("settings").includes("pages/registry.js"));
    assert.doesNotMatch(read("pages/settings.js"), /icon: "settings"/);
  });

  test("that continue, begin again and take back are three", () => {
    const all = labelled();
    const of = (/** @type {string} */ key) => [...new Set(all.filter((one) => one[1] === key).map(([, , name]) => name))];
    assert.deepEqual(of("speak.continue"), ["resume"]);
    assert.deepEqual(of("voices.refresh"), ["again"]);
    assert.deepEqual(of("practice.again"), ["again"]);
    assert.deepEqual(of("do.undo"), ["undo"]);
    assert.match(read("pages/voices/voice-steps.js"), /again: "again",[^}]*retry: "again"/);
  });
});
