import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

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

describe("icons", () => {
  test("are all found here", () => assert.ok(drawings.size > 50 && labelled().length > 80));

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

  test("that go on, begin again and take back are three", () => {
    const all = labelled();
    const of = (/** @type {string} */ key) => [...new Set(all.filter((one) => one[1] === key).map(([, , name]) => name))];
    assert.deepEqual(of("speak.continue"), ["resume"]);
    assert.deepEqual(of("voices.refresh"), ["again"]);
    assert.deepEqual(of("practice.again"), ["again"]);
    assert.deepEqual(of("do.undo"), ["undo"]);
    assert.match(read("pages/voices/voice-steps.js"), /again: "again",[^}]*retry: "again"/);
  });
});
