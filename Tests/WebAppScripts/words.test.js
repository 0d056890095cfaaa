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

/**
 * The codes of all errors of the program, extracted from its sources, each with what it suggests to every reader, and
 * whether a terminal shows that too.
 */
function allErrors() {
  const files = readdirSync(sources, { recursive: true }).map(String).filter((path) => path.endsWith(".swift"));
  const text = files.map((path) => readFileSync(join(sources, path), "utf8")).join("\n");
  /** @type {Map<string, { way: string, isInTerminal: boolean }[]>} */
  const errors = new Map();
  for (const { 1: code, index, 0: start } of text.matchAll(/(?:\b[Ff]ailure\(\s*(?:[^",()]+,\s*)?|\blet code = )"([a-z-]+\.[a-z-]+)"/g)) {
    const [rest = ""] = text.slice(Number(index) + start.length).split(/\b[Ff]ailure\(|\n {8}case |\n {4}\}/, 1);
    const [, way = ""] = /\.suggesting\(\s*"((?:[^"\\]|\\.)*)"/.exec(rest) ?? [];
    errors.set(code, [...(errors.get(code) ?? []), { way, isInTerminal: !rest.includes("inTerminal:") }]);
  }
  return errors;
}

const errors = allErrors();
const codes = new Set(errors.keys());

/**
 * Those that occur only on the command line: its options, files, terminal and microphones, and the start of the server; and
 * those of the API for developers, but not of its keys.
 */
const ofCommands = new RegExp(
  [
    "^(age|agent|capture|command|playback|text)\\.",
    "^api\\.(?!key-|too-many-keys$)",
    "\\.ambiguous$|\\.unknown-format$|\\.unreadable-file$",
    "^web\\.(port-in-use|cannot-listen|page-missing|folder-unusable|disk-full)$",
    "^audio\\.(not-permitted|folder-missing|is-folder|link-to-nothing|name-too-long|file-missing|not-sound|broken-pipe|no-sound-output|playback-failed)$",
    "^export\\.(audiobook-needs-file|no-room-for-cover|cover-[a-z-]+|folder-[a-z-]+|note-not-removed|nothing-to-export)$",
  ].join("|"),
);

/** Those whose own message names the line. */
const ofDictionary = /^dictionary\./;

/**
 * The codes that the program and the page both give words to in English: the page finds the fault itself, repeats one
 * that it remembers, or counts the wait.
 */
const shared = [
  "export.cover-too-large",
  "recording.busy",
  "recording.chunk-taken",
  "recording.not-found",
  "service.bad-address",
  "service.bad-model",
  "service.bad-name",
  "vault.locked-out",
  "vault.weak-passcode",
  "vault.wrong-passcode",
];

/** @param {object} catalogue */
const codesIn = (catalogue) =>
  Object.keys(catalogue).flatMap((key) => (key.startsWith("error.") && !key.endsWith(".do") ? [key.slice("error.".length)] : []));

describe("the page's words", () => {
  it("name every error that a page can meet, in each language but that of the program", () => {
    for (const code of ["vault.locked", "web.busy", "sound-file.no-such-track", "dictionary.missing-word", "service.bad-name"]) assert.ok(codes.has(code), code);
    const wordless = [...codes].filter((code) => !(`error.${code}` in et) && !ofCommands.test(code) && !ofDictionary.test(code));
    assert.deepEqual(wordless, []);
    assert.deepEqual(codesIn(et).filter((code) => !codes.has(code) && !(`error.${code}` in en)), [], "nobody reports these");
    const ownerless = Object.keys(et).filter((key) => /^error\..*\.do$/.test(key) && !(key.slice(0, -".do".length) in et));
    assert.deepEqual(ownerless, []);
  });

  it("leave the errors of the program to its own words in English", () => {
    assert.deepEqual(codesIn(en).filter((code) => codes.has(code)).sort(), shared);
  });

  it("name no option or list of the command line, which those of the program keep for a terminal", () => {
    const ofTerminal = /--[a-z]|“(?:outbound\.|voices\.)|“echotext (?!serve|vault (?:agent|check”|doctor)|voices add|recognizers download)/;
    const strange = [...errors].filter(([code, ways]) => !ofCommands.test(code) && ways.some(({ way }) => ofTerminal.test(way)));
    assert.deepEqual(strange, []);
    assert.equal(errors.get("service.key-refused")?.[0]?.way, "Enter the service's key again, and see that it may transcribe.");
  });

  it("are named in no terminal, where there are no buttons, nor are the page's places", () => {
    const labels = new Set(Object.values(en).flatMap(forms));
    const places = /\b(?:in the settings|[A-Z]\w+ page|under Security)\b/;
    const isOfPage = (/** @type {string} */ way) => places.test(way) || [...way.matchAll(/“([^”]+)”/g)].some(([, name]) => labels.has(name));
    const strange = [...errors].filter(([, ways]) => ways.some(({ way, isInTerminal }) => isInTerminal && isOfPage(way)));
    assert.deepEqual(strange.map(([code]) => code), []);
    assert.ok(errors.get("outbound.offline")?.some(({ way }) => isOfPage(way)));
  });

  it("say the same things in every language", () => {
    const missing = Object.keys(en).filter((key) => !(key in et));
    assert.deepEqual(missing, []);
    const idle = Object.keys(et).filter((key) => !(key in en) && !key.startsWith("error."));
    assert.deepEqual(idle, []);
    const differing = Object.entries(et).filter(
      ([key, message]) => holes(message).join() !== holes(en[/** @type {keyof typeof en} */ (key)] ?? "").join(),
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

  it("that are seen on a button are in its name for screen readers, by which a voice presses it", () => {
    for (const [tag, catalogue] of Object.entries({ en, et })) {
      const named = Object.entries(catalogue).filter(([key]) => /^voices\.step\.\w+\.of$/.test(key));
      assert.ok(named.length >= 9, tag);
      for (const [key, name] of named) {
        const seen = catalogue[/** @type {keyof typeof catalogue} */ (key.slice(0, -".of".length))];
        assert.ok(String(name).toLowerCase().includes(String(seen).toLowerCase()), `${tag} ${key}: “${name}” lacks “${seen}”`);
      }
    }
    const pairs = /** @type {const} */ ([
      ["order.title", "recordings.transcribe"],
      ["practice.go", "practice.this.of"],
      ["services.try", "services.try.label"],
      ["do.undo", "settings.undo.label"],
      ["keys.revoke", "keys.revoke.label"],
      ["transcript.speaker.none", "transcript.speaker.name"],
      ["transcript.silence.transcribe", "transcript.silence.label"],
      ["transcript.notUnderstood.again", "transcript.notUnderstood.label"],
    ]);
    for (const catalogue of [en, et]) {
      for (const [seen, name] of pairs) assert.ok(String(catalogue[name]).startsWith(String(catalogue[seen])), `${catalogue[name]}: ${catalogue[seen]}`);
    }
  });

  it("have one name for one kind of file, whether one recording is exported or several", () => {
    for (const catalogue of [en, et]) {
      assert.equal(catalogue["transcript.format.srt"], catalogue["export.srt"]);
      assert.equal(catalogue["transcript.format.vtt"], catalogue["export.vtt"]);
    }
  });

  it("tell what a voice reads aloud from what people say", () => {
    for (const catalogue of [en, et]) assert.notEqual(catalogue["library.search"], catalogue["recordings.search"]);
    const ofHistory = Object.entries(en).filter(([key]) => /^(setting\.)?history\./.test(key));
    assert.ok(ofHistory.length > 10);
    assert.deepEqual(ofHistory.filter(([, message]) => /\b(?:you sp(?:eak|oke)|spoken)\b/i.test(forms(message).join(" "))).map(([key]) => key), []);
  });

  it("call what a voice reads aloud a narration, and only what people said a recording", () => {
    const ofNarrations = /^(speak|left|choice|preview|batch|strip|filters|info|help\.start|share\.recordings|documents)\./;
    const ofBoth = /^(library\.(queued|deleted|delete|notDeleted|unnamed)|list\.unreadable|recovery\.reminder|setting\.vault\.recovery|vaultCheck\.finding\.unreadableR|queue\.(count|removed)|player\.|export\.(book|order|leftOut))/;
    for (const [tag, catalogue] of Object.entries({ en, et })) {
      const wrong = Object.entries(catalogue)
        .filter(([key]) => ofNarrations.test(key) || ofBoth.test(key))
        .filter(([, message]) => /recording|salvestis/i.test(forms(message).join(" ")));
      assert.deepEqual(wrong, [], tag);
    }
    const ofAll = /^(backup\.text|advanced\.export\.text|settings\.reset\.(text|detail)|vaultCheck\.repair\.text|count\.narrations)$/;
    for (const [tag, catalogue] of Object.entries({ en, et })) {
      const named = Object.entries(catalogue).filter(([key, message]) => ofAll.test(key) && /narration|ettelugemi/i.test(forms(message).join(" ")));
      assert.equal(named.length, 6, `${tag}: what holds both names both`);
    }
    const ofDocuments = Object.entries(en).filter(([key]) => /^(choice|preview|batch|strip)\.|^documents\.speaking$/.test(key));
    assert.deepEqual(ofDocuments.filter(([, message]) => /\b(?:speak|spoken)\b/i.test(forms(message).join(" "))), [], "“Read aloud” is its name");
  });

  it("are those that people use, in each language", () => {
    const odd = {
      en: /Nothing of them|\bsealed\b|\banew\b|Not said|usual one|heard otherwise|written otherwise|Small letters|nothing of you|^Else\b|passes these|So many|off the list|Forget it|Sound on|Who speaks|Speaks now|changed by you|very file|or the like|^Waits\b|: waits\b|\bis tried again\b(?= in)|^Is tried|heads and|takes room|three notes|lets one in|change becomes a new version|import a sound or video/,
      et: /Midagi neist|pitseeri|Pole öeldud|Nagu saadud|nooti\b|transkri|Praegu kõneleb|sinu muudetud|need midagi ei ütle|(?:^|[.:] )Muidu peegli|Muudatusest saab uus|mis tahes lehel lahti|impordi üleskirjutamiseks/i,
    };
    for (const [tag, catalogue] of Object.entries({ en, et })) {
      const wrong = Object.entries(catalogue).filter(([, message]) => forms(message).some((text) => odd[/** @type {"en" | "et"} */ (tag)].test(text)));
      assert.deepEqual(wrong, [], tag);
    }
    const one = /** @type {const} */ ({ "order.language.auto": "Tuvasta ise", "recorder.pause": "Paus", "do.pause": "Paus", "jobs.title": "Üleskirjutused" });
    for (const [key, words] of Object.entries(one)) assert.equal(et[/** @type {keyof typeof one} */ (key)], words);
  });

  it("name the two kinds of voices alike in every list of voices", () => {
    for (const catalogue of [en, et]) {
      for (const kind of /** @type {const} */ (["natural", "builtIn"])) {
        const [onSpeak, onVoices] = /** @type {const} */ (["speak", "voices"]).map((page) => String(catalogue[`${page}.engine.${kind}`]).toLowerCase());
        assert.ok(onVoices?.startsWith(String(onSpeak)), `${onSpeak}, ${onVoices}`);
      }
    }
  });

  it("name the button that transcribes a file as it is called", () => {
    for (const catalogue of [en, et]) {
      for (const key of /** @type {const} */ (["recordings.empty.text", "help.transcribe.answer", "setting.transcription.after-import.text"])) {
        assert.ok(String(catalogue[key]).includes(String(catalogue["recordings.file"])), key);
      }
    }
  });

  it("shout at nobody", () => {
    const loud = [en, et].flatMap((catalogue) => Object.values(catalogue).flatMap(forms)).filter((text) => /!|\boops\b/i.test(text));
    assert.deepEqual(loud, []);
  });
});
