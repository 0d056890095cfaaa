import "./page-elements.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import en from "../../Sources/WebApp/Resources/www/core/locales/en.js";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { findingWords, summaryOf } from "../../Sources/WebApp/Resources/www/pages/settings/vault-sheets.js";
import { checkLibrary } from "../../Sources/WebApp/Resources/www/server/settings.js";
import { json, stubServer } from "./stub-server.js";

const source = readFileSync(new URL("../../Sources/EchoText/Vault/VaultReport.swift", import.meta.url), "utf8");

/** @param {RegExp} pattern */
const found = (pattern) => [...source.matchAll(pattern)].map(([, code]) => code);

/** The codes that the program writes. */
const codes = [
  ...found(/^        case \.\w+: "(\w+)"$/gm),
  ...found(/^        case .*: \("(\w+)", "/gm).flatMap((one) => [`${one}Missing`, `${one}Damaged`]),
  ...found(/^        case (\w+(?:Rebuilt|Removed|Chosen|SetAside|PutBack))$/gm),
  ...["soundLost", "leftovers", "unassigned"],
];

const order = { readsData: true, repairs: false };

/** @param {string[]} parts The answer as it comes. */
const stream = (...parts) =>
  new Response(new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  }));

describe("the words about a check of the library", () => {
  test("are known for everything that the program finds or does", () => {
    assert.equal(codes.length, 5 + 12 + 9 + 3);
    assert.deepEqual(codes.filter((code) => !(`vaultCheck.finding.${code}` in en)), []);
    const known = Object.keys(en).filter((key) => key.startsWith("vaultCheck.finding."));
    assert.deepEqual(known.map((key) => key.split(".")[2]).sort(), [...codes].sort());
  });

  test("have the names, counts and times in them", async () => {
    const lost = { kind: "fault", code: "soundLost", message: "", name: "Talk", seconds: 30, duration: 62 };
    assert.equal(findingWords(lost), "The unfinished recording “Talk” has lost 0:30 of 1:02.");
    assert.equal(findingWords({ kind: "leftover", code: "leftovers", message: "", count: 1 }), "1 file is left over, which nothing needs.");
    assert.equal(findingWords({ kind: "fault", code: "quiteNew", message: "a new fault" }), "a new fault");
    await showLanguage("et");
    const missing = { kind: "fault", code: "recordingMissing", message: "", name: "Lugu" };
    assert.equal(findingWords(missing), "Salvestise „Lugu“ heli on puudu.");
    await showLanguage("en");
  });

  test("say in one sentence whether all is well", () => {
    const findings = [{ kind: "leftover" }, { kind: "fault" }, { kind: "fault" }];
    assert.equal(summaryOf({ isSound: false, findings }), "2 problems were found.");
    assert.equal(summaryOf({ isSound: true, findings: [] }), "Nothing is damaged.");
  });
});

describe("a check of the library", () => {
  const signal = new AbortController().signal;

  test("says how far it is, and then what it found, however the answer is cut into pieces", async (context) => {
    const asked = stubServer(context, () => stream('{"percent":0}\n{"per', 'cent":50}\n', '{"report":{"isSound":true}}', "\n"));
    const percents = [];
    assert.deepEqual(await checkLibrary(order, (percent) => percents.push(percent), signal), { isSound: true });
    assert.deepEqual(percents, [0, 50]);
    assert.deepEqual([asked[0].method, asked[0].address], ["POST", "/api/vault/check"]);
    assert.deepEqual(asked[0].body, { readData: true, repair: false });
  });

  test("fails with the reason that comes instead of a report", async (context) => {
    stubServer(context, () => stream('{"percent":0}\n', '{"failure":{"code":"vault.locked","message":"Locked."}}\n'));
    await assert.rejects(checkLibrary(order, () => {}, signal), { code: "vault.locked", status: 423 });
  });

  test("fails when the answer breaks off or another one runs", async (context) => {
    const answers = [stream('{"percent":0}\n', '{"rep'), json({ code: "vault.check-in-progress", message: "Busy." }, 409)];
    stubServer(context, () => answers.shift() ?? json({}));
    await assert.rejects(checkLibrary(order, () => {}, signal), { code: "server.unreachable" });
    await assert.rejects(checkLibrary(order, () => {}, signal), { code: "vault.check-in-progress", status: 409 });
  });
});
