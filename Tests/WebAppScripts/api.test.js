import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import * as batch from "../../Sources/WebApp/Resources/www/server/narrations.js";
import * as documents from "../../Sources/WebApp/Resources/www/server/documents.js";
import * as draft from "../../Sources/WebApp/Resources/www/server/narrations.js";
import * as history from "../../Sources/WebApp/Resources/www/server/library.js";
import * as library from "../../Sources/WebApp/Resources/www/server/library.js";
import * as marks from "../../Sources/WebApp/Resources/www/server/recordings.js";
import * as narrations from "../../Sources/WebApp/Resources/www/server/narrations.js";
import * as outbound from "../../Sources/WebApp/Resources/www/server/settings.js";
import * as playback from "../../Sources/WebApp/Resources/www/server/library.js";
import * as practice from "../../Sources/WebApp/Resources/www/server/practice.js";
import * as profiles from "../../Sources/WebApp/Resources/www/server/voices.js";
import * as recordings from "../../Sources/WebApp/Resources/www/server/recordings.js";
import * as settings from "../../Sources/WebApp/Resources/www/server/settings.js";
import * as storage from "../../Sources/WebApp/Resources/www/server/settings.js";
import * as speechCheck from "../../Sources/WebApp/Resources/www/server/transcriptions.js";
import * as state from "../../Sources/WebApp/Resources/www/server/http.js";
import * as vault from "../../Sources/WebApp/Resources/www/server/settings.js";
import * as speakers from "../../Sources/WebApp/Resources/www/server/transcriptions.js";
import * as speeches from "../../Sources/WebApp/Resources/www/server/practice.js";
import * as transcriptions from "../../Sources/WebApp/Resources/www/server/transcriptions.js";
import * as services from "../../Sources/WebApp/Resources/www/server/transcriptions.js";
import * as waveform from "../../Sources/WebApp/Resources/www/server/library.js";
import * as voices from "../../Sources/WebApp/Resources/www/server/voices.js";
import { json, nothing, stubServer } from "./stub-server.js";

const content = { name: "Night", voice: "espeak/et", speaker: 0, speed: 0.9, pitch: 1, liveliness: 0.5, rhythm: 1.2 };

const service = { address: "https://a", allowsPlain: false, model: "m", language: null, prompt: null };

/**
 * Every call, the request it must send and what it must make of the answer.
 *
 * @type {[call: () => Promise<any>, method: string, address: string, body: any, answer: any, result: any][]}
 */
const calls = [
  [() => state.loadState(), "GET", "/api/state", null, { version: "1" }, { version: "1" }],
  [() => state.unlock("2580"), "POST", "/api/unlock", { passcode: "2580" }, { version: "1" }, { version: "1" }],
  [() => state.recover("AB"), "POST", "/api/recover", { code: "AB" }, {}, {}],
  [() => state.recover("AB", "1357"), "POST", "/api/recover", { code: "AB", newPasscode: "1357" }, {}, {}],
  [() => state.lock(), "POST", "/api/lock", {}, {}, {}],
  [() => vault.proposeRecoveryCode(), "POST", "/api/recovery-code/propose", {}, { code: "AB-CD" }, "AB-CD"],
  [() => vault.proposeRecoveryCode("2580"), "POST", "/api/recovery-code/propose", { passcode: "2580" }, { code: "A" }, "A"],
  [() => state.endAllSessions(), "POST", "/api/sessions/end", {}, null, undefined],
  [() => library.prepareExportOfAll("flac", "2580"), "POST", "/api/export-all", { format: "flac", passcode: "2580" }, { id: "i" }, "i"],
  [() => vault.setPasscode("1357", "AB"), "PUT", "/api/passcode", { new: "1357", recoveryCode: "AB" }, {}, {}],
  [() => vault.changePasscode("1", "2"), "PUT", "/api/passcode", { current: "1", new: "2" }, {}, {}],
  [() => vault.removePasscode("1"), "POST", "/api/passcode/remove", { current: "1" }, {}, {}],
  [() => vault.renewRecoveryCode("AB"), "PUT", "/api/recovery-code", { code: "AB" }, {}, {}],
  [() => vault.renewRecoveryCode("AB", "1"), "PUT", "/api/recovery-code", { code: "AB", passcode: "1" }, {}, {}],
  [() => state.loadDiagnostics(), "GET", "/api/diagnostics", null, { text: "all well" }, "all well"],
  [() => vault.eraseEverything(), "POST", "/api/erase", { confirm: "erase everything" }, null, undefined],
  [
    () => vault.eraseEverything("1"),
    "POST",
    "/api/erase",
    { confirm: "erase everything", passcode: "1" },
    null,
    undefined,
  ],

  [() => recordings.listSessions(), "GET", "/api/recordings/sessions", null, { sessions: [] }, { sessions: [] }],
  [() => recordings.beginSession({ sampleRate: 48_000 }), "POST", "/api/recordings/sessions", { sampleRate: 48_000 }, { id: "s" }, { id: "s" }],
  [() => recordings.loadSession("a/b"), "GET", "/api/recordings/sessions/a%2Fb", null, { id: "a/b" }, { id: "a/b" }],
  [() => recordings.changeSession("s", { state: "paused" }), "PATCH", "/api/recordings/sessions/s", { state: "paused" }, { id: "s" }, { id: "s" }],
  [() => recordings.markSession("s", { seconds: 2 }), "POST", "/api/recordings/sessions/s/marks", { seconds: 2 }, { id: "s" }, { id: "s" }],
  [() => recordings.resumeSession("s"), "POST", "/api/recordings/sessions/s/resume", {}, { id: "s" }, { id: "s" }],
  [() => recordings.finishSession("s"), "POST", "/api/recordings/sessions/s/finish", {}, { id: "s" }, { id: "s" }],
  [() => recordings.discardSession("s"), "DELETE", "/api/recordings/sessions/s", {}, null, undefined],

  [() => speeches.listSpeeches(), "GET", "/api/speeches", null, { speeches: [] }, { speeches: [] }],
  [() => speeches.loadSpeech("a/b"), "GET", "/api/speeches/a%2Fb", null, { id: "a/b" }, { id: "a/b" }],
  [() => speeches.createSpeech({ text: "T", language: "et" }), "POST", "/api/speeches", { text: "T", language: "et" }, { id: "s" }, { id: "s" }],
  [
    () => speeches.changeSpeech("s", { title: "N", text: "T", language: "et" }),
    "PUT",
    "/api/speeches/s",
    { title: "N", text: "T", language: "et" },
    { id: "s" },
    { id: "s" },
  ],
  [() => speeches.deleteSpeech("s"), "DELETE", "/api/speeches/s", {}, null, undefined],

  [() => practice.listPracticeSessions(), "GET", "/api/practice/sessions", null, { sessions: [] }, { sessions: [] }],
  [
    () => practice.createPracticeSession({ source: { kind: "speech", id: "s" }, voice: "espeak/et", from: 4 }),
    "POST",
    "/api/practice/sessions",
    { source: { kind: "speech", id: "s" }, voice: "espeak/et", from: 4 },
    { id: "p" },
    { id: "p" },
  ],
  [() => practice.loadPracticeSession("p"), "GET", "/api/practice/sessions/p", null, { id: "p" }, { id: "p" }],
  [() => practice.deletePracticeSession("p"), "DELETE", "/api/practice/sessions/p", {}, null, undefined],
  [
    () => practice.sendPracticeEvents("p", [{ kind: "next", at: 5 }]),
    "POST",
    "/api/practice/sessions/p/events",
    { events: [{ kind: "next", at: 5 }] },
    { session: { id: "p" }, actions: [] },
    { session: { id: "p" }, actions: [] },
  ],
  [
    () => practice.loadSegments("p", { from: 51, count: 50 }),
    "GET",
    "/api/practice/sessions/p/segments?from=51&count=50",
    null,
    { segments: [], known: 50, isComplete: true },
    { segments: [], known: 50, isComplete: true },
  ],
  [() => practice.loadSegmentTiming("p", 3, 0.5), "GET", "/api/practice/sessions/p/segments/3/timing?rate=0.5", null, { seconds: 1, words: [] }, { seconds: 1, words: [] }],
  [() => practice.markHard("p", 3, true), "POST", "/api/practice/sessions/p/segments/3/hard", { isHard: true }, null, undefined],
  [() => practice.listTakes("p"), "GET", "/api/practice/sessions/p/takes", null, { takes: [] }, { takes: [] }],
  [() => practice.scoreTake("t"), "POST", "/api/practice/takes/t/score", {}, { score: 1 }, { score: 1 }],
  [() => practice.deleteTake("t"), "DELETE", "/api/practice/takes/t", {}, null, undefined],
  [() => practice.listHardSegments(), "GET", "/api/practice/hard", null, { due: [], later: 0, upcoming: [] }, { due: [], later: 0, upcoming: [] }],

  [
    () => documents.listDocuments({ words: "meri", kind: ["pdf", "epub"], order: "name", ascending: true, offset: 0, limit: 100 }),
    "GET",
    "/api/documents?words=meri&kind=pdf&kind=epub&order=name&ascending=true&offset=0&limit=100",
    null,
    { documents: [{ id: "d" }], total: 7, unreadable: 1 },
    { items: [{ id: "d" }], total: 7, unreadable: 1 },
  ],
  [() => documents.loadDocument("a/b"), "GET", "/api/documents/a%2Fb", null, { id: "a/b" }, { id: "a/b" }],
  [() => documents.renameDocument("d", "N"), "PATCH", "/api/documents/d", { name: "N" }, { id: "d" }, { id: "d" }],
  [() => documents.deleteDocuments(["d", "e"]), "POST", "/api/documents/delete", { ids: ["d", "e"] }, null, undefined],
  [() => documents.loadStructure("d"), "GET", "/api/documents/d/structure", null, { pages: [] }, { pages: [] }],
  [
    () => documents.loadDocumentText("d", { from: 10, to: 20 }),
    "GET",
    "/api/documents/d/text?from=10&to=20",
    null,
    { text: "sea" },
    { text: "sea" },
  ],
  [
    () => documents.findPlaces("d", "a sea"),
    "GET",
    "/api/documents/d/places?words=a+sea&limit=5000",
    null,
    { places: [], isCut: false },
    { places: [], isCut: false },
  ],
  [() => documents.loadSelection("d"), "GET", "/api/documents/d/selection", null, { pages: "1" }, { pages: "1" }],
  [() => documents.keepSelection("d", { pages: "1" }), "PUT", "/api/documents/d/selection", { pages: "1" }, {}, {}],
  [
    () => documents.previewSelection("d", { chapters: "2" }),
    "POST",
    "/api/documents/d/preview",
    { selection: { chapters: "2" } },
    { words: 3 },
    { words: 3 },
  ],
  [
    () => documents.narrateDocument("d", { putBack: [4] }),
    "POST",
    "/api/documents/d/narrations",
    { selection: { putBack: [4] } },
    { id: "n" },
    { id: "n" },
  ],

  [() => batch.loadBatch(), "GET", "/api/batch", null, { entries: [] }, { entries: [] }],
  [
    () => batch.addToBatch([{ id: "d" }], { byChapter: true }),
    "POST",
    "/api/batch",
    { documents: [{ id: "d" }], byChapter: true },
    { total: 2 },
    { total: 2 },
  ],
  [
    () => batch.addToBatch([{ id: "d" }], { settings: { voice: "en", speed: 1.2, name: "Evening" } }),
    "POST",
    "/api/batch",
    { documents: [{ id: "d" }], byChapter: false, voice: "en", speed: 1.2, name: "Evening" },
    { total: 1 },
    { total: 1 },
  ],
  [() => batch.startBatch(), "POST", "/api/batch/start", {}, { total: 2 }, { total: 2 }],
  [() => batch.cancelBatch(), "POST", "/api/batch/cancel", {}, { total: 0 }, { total: 0 }],
  [() => batch.retryInBatch(7), "POST", "/api/batch/7/retry", {}, { failed: 0 }, { failed: 0 }],
  [() => batch.removeFromBatch(7), "DELETE", "/api/batch/7", {}, { total: 0 }, { total: 0 }],
  [() => batch.dismissBatch(), "POST", "/api/batch/dismiss", {}, { total: 0 }, { total: 0 }],

  [() => voices.listVoices(), "GET", "/api/voices", null, [], []],

  [
    () => draft.loadDrafts(),
    "GET",
    "/api/draft",
    null,
    { text: "Hi", drafts: [{ page: "p", text: "Hi" }] },
    [{ page: "p", text: "Hi" }],
  ],
  [() => draft.keepDraft({ page: "p", text: "Hi" }), "PUT", "/api/draft", { page: "p", text: "Hi" }, null, undefined],
  [() => draft.takeDraft("p", "q"), "POST", "/api/draft/take", { from: "p", page: "q" }, { isTaken: true }, true],

  [() => narrations.startNarration({ text: "Hi" }), "POST", "/api/narrations", { text: "Hi" }, { id: "n" }, { id: "n" }],
  [() => narrations.listNarrations(), "GET", "/api/narrations", null, [], []],
  [() => narrations.loadNarration("a/b"), "GET", "/api/narrations/a%2Fb", null, { id: "a/b" }, { id: "a/b" }],
  [() => narrations.loadNarrationText("n"), "GET", "/api/narrations/n/text", null, { text: "Hi" }, { text: "Hi" }],
  [() => narrations.loadNarrationTimings("n"), "GET", "/api/narrations/n/timings", null, { sentences: [] }, { sentences: [] }],
  [() => narrations.loadNarrationChapters("n"), "GET", "/api/narrations/n/chapters?ahead=true", null, [{ title: "One", start: 0 }], [{ title: "One", start: 0 }]],
  [() => narrations.stopNarration("n", "keep"), "POST", "/api/narrations/n/stop", { keepPart: true, leave: false }, null, undefined],
  [() => narrations.stopNarration("n", "leave"), "POST", "/api/narrations/n/stop", { keepPart: false, leave: true }, null, undefined],
  [() => narrations.loadNarrationPlace("n"), "GET", "/api/narrations/n/place", null, { seconds: 2.5 }, 2.5],
  [() => narrations.keepNarrationPlace("n", 2.5), "PUT", "/api/narrations/n/place", { seconds: 2.5 }, null, undefined],
  [() => narrations.listUnfinished(), "GET", "/api/narrations/unfinished", null, [], []],
  [() => narrations.continueNarration("n"), "POST", "/api/narrations/n/continue", {}, { id: "n" }, { id: "n" }],
  [() => narrations.discardNarration("n"), "DELETE", "/api/narrations/n", {}, null, undefined],

  [
    () => library.listItems({ words: "tere", in: "text", voice: ["a", "b"], favorite: true, offset: 100, limit: 100 }),
    "GET",
    "/api/library?words=tere&in=text&voice=a&voice=b&favorite=true&offset=100&limit=100",
    null,
    { items: [], total: 0 },
    { items: [], total: 0 },
  ],
  [() => library.listLibraryVoices(), "GET", "/api/library/voices", null, [], []],
  [() => library.loadItem("i"), "GET", "/api/library/i", null, { id: "i" }, { id: "i" }],
  [() => library.loadItemText("i"), "GET", "/api/library/i/text", null, { text: "Hi" }, { text: "Hi" }],
  [() => library.loadItemTimings("i"), "GET", "/api/library/i/timings", null, { sentences: [] }, { sentences: [] }],
  [() => library.changeItem("i", { name: "N" }), "PATCH", "/api/library/i", { name: "N" }, { id: "i" }, { id: "i" }],
  [
    () => library.markFavorites(["i"], true),
    "POST",
    "/api/library/favorite",
    { ids: ["i"], isFavorite: true },
    null,
    undefined,
  ],
  [() => library.deleteItems(["i"]), "POST", "/api/library/delete", { ids: ["i"] }, null, undefined],
  [() => library.deleteUnreadable({ origin: ["recorded", "imported"], words: "a b" }), "DELETE", "/api/library/unreadable?origin=recorded&origin=imported&words=a+b", {}, null, undefined],
  [
    () => library.deleteUnreadable({ order: "date", ascending: false, favorite: true, offset: 100, limit: 100 }),
    "DELETE",
    "/api/library/unreadable?favorite=true",
    {},
    null,
    undefined,
  ],
  [
    () => library.prepareExport({ ids: ["i", "j"], format: "m4b", beside: ["vtt"], joined: { author: "A. Writer" } }),
    "POST",
    "/api/exports",
    { ids: ["i", "j"], format: "m4b", beside: ["vtt"], joined: { author: "A. Writer" } },
    { id: "e" },
    "e",
  ],
  [() => library.prepareFiles(["i"]), "POST", "/api/exports", { files: ["i"] }, { id: "e" }, "e"],
  [() => documents.prepareOriginals(["d"]), "POST", "/api/exports", { documents: ["d"] }, { id: "e" }, "e"],
  [() => library.loadChapters("i"), "GET", "/api/library/i/chapters", null, [{ title: "One", start: 0 }], [{ title: "One", start: 0 }]],

  [() => marks.loadMarks("i/j"), "GET", "/api/library/i%2Fj/marks", null, [{ seconds: 1, label: null }], [{ seconds: 1, label: null }]],
  [() => waveform.loadPeaks("i/j"), "GET", "/api/library/i%2Fj/waveform", null, [0, 255], [0, 255]],

  [() => playback.loadPlayback(), "GET", "/api/playback", null, { entries: [] }, { entries: [] }],
  [() => playback.removeBookmark(), "DELETE", "/api/playback/bookmark", {}, null, undefined],
  [() => playback.keepBookmark("i", 1.5), "PUT", "/api/playback/bookmark", { item: "i", position: 1.5 }, null, undefined],

  [() => history.loadHistory(), "GET", "/api/history", null, { entries: [], unreadable: [], limit: 25 }, { entries: [], unreadable: [], limit: 25 }],
  [() => history.deleteHistoryEntry(7), "DELETE", "/api/history/7", {}, null, undefined],
  [() => history.clearHistory(), "DELETE", "/api/history", {}, null, undefined],

  [() => speakers.loadSpeakers(), "GET", "/api/speakers", null, { isReady: true }, { isReady: true }],
  [() => speakers.findSpeakers("a/b", 2), "POST", "/api/transcripts/a%2Fb/speakers", { speakers: 2 }, { state: "queued" }, { state: "queued" }],
  [() => speakers.findSpeakers("a", null), "POST", "/api/transcripts/a/speakers", { speakers: null }, { state: "queued" }, { state: "queued" }],
  [() => speakers.cancelSpeakers("a"), "DELETE", "/api/transcripts/a/speakers", {}, null, undefined],
  [() => transcriptions.forgetInstead("a/b"), "POST", "/api/transcripts/a%2Fb/instead-of/dismiss", {}, null, undefined],
  [() => speechCheck.loadSpeechCheck("a/b"), "GET", "/api/library/a%2Fb/speech-check", null, { state: "none" }, { state: "none" }],
  [() => speechCheck.startSpeechCheck("a"), "POST", "/api/library/a/speech-check", {}, { state: "queued" }, { state: "queued" }],
  [() => speechCheck.startSpeechCheck("a", "s/t"), "POST", "/api/library/a/speech-check", { recognizer: "s/t" }, {}, {}],
  [() => speechCheck.forgetSpeechCheck("a"), "DELETE", "/api/library/a/speech-check", {}, null, undefined],
  [() => speechCheck.speakSentence("a", 2), "POST", "/api/library/a/sentences/2/speak", {}, { number: 2 }, { number: 2 }],

  [
    () => transcriptions.loadRecognizers(),
    "GET",
    "/api/recognizers",
    null,
    { recognizers: [], order: [], offers: [] },
    { recognizers: [], order: [], offers: [] },
  ],
  [() => transcriptions.deleteRecognizer("sherpa/a b"), "DELETE", "/api/recognizers/sherpa/a%20b", {}, null, undefined],
  [() => services.loadServices(), "GET", "/api/transcription-services", null, { services: [] }, { services: [] }],
  [() => services.saveService("a", service), "PUT", "/api/transcription-services/a", service, { name: "a" }, { name: "a" }],
  [() => services.deleteService("a"), "DELETE", "/api/transcription-services/a", {}, null, undefined],
  [() => services.tryService("a"), "POST", "/api/transcription-services/a/try", {}, { text: "" }, { text: "" }],
  [() => settings.loadKeys(), "GET", "/api/keys", null, { keys: [] }, { keys: [] }],
  [() => settings.createKey("Editor"), "POST", "/api/keys", { name: "Editor" }, { key: "et-0" }, { key: "et-0" }],
  [() => settings.revokeKey("../a & b+c"), "DELETE", "/api/keys?name=..%2Fa+%26+b%2Bc", {}, null, undefined],
  [() => outbound.loadConnections(201), "GET", "/api/outbound/records?limit=201", null, { records: [] }, { records: [] }],
  [() => profiles.loadProfiles(), "GET", "/api/profiles", null, { profiles: [] }, { profiles: [] }],
  [() => profiles.createProfile(content), "POST", "/api/profiles", content, { id: "p" }, { id: "p" }],
  [() => profiles.deleteProfile("p"), "DELETE", "/api/profiles/p", {}, null, undefined],
  [() => profiles.chooseProfile("p"), "PUT", "/api/profiles/chosen", { id: "p" }, null, undefined],

  [() => settings.loadSettings(), "GET", "/api/settings", null, [], []],
  [() => settings.resetSetting("playback.step"), "DELETE", "/api/settings/playback.step", {}, { value: "15" }, { value: "15" }],
  [() => settings.resetSettings(), "DELETE", "/api/settings", {}, null, undefined],
  [() => storage.loadStorage(), "GET", "/api/storage", null, { voices: "/v" }, { voices: "/v" }],
  [() => storage.clearSpeech(), "DELETE", "/api/storage/speech", {}, null, undefined],
  [() => storage.deleteImportedFiles(), "DELETE", "/api/storage/files", {}, null, undefined],
  [() => storage.deleteImportedFile("a b"), "DELETE", "/api/library/a%20b/file", {}, null, undefined],
  [() => settings.loadDictionary(), "GET", "/api/dictionary", null, { text: "a = b" }, "a = b"],
  [() => settings.changeDictionary("a = b", ""), "PUT", "/api/dictionary", { text: "a = b", base: "" }, { text: "a = b" }, "a = b"],
];

const description = JSON.parse(readFileSync(new URL("../../Sources/WebApp/Resources/openapi.json", import.meta.url), "utf8"));

/**
 * The query parameters that the description has of a route.
 *
 * @param {string} method
 * @param {string} path
 * @returns {string[]}
 */
function describedParameters(method, path) {
  const isOf = (/** @type {string} */ route) => new RegExp(`^${route.replaceAll(/{[^}]+}/g, "[^/]+")}$`).test(path);
  const routes = Object.keys(description.paths).filter((route) => route === path || isOf(route));
  const route = routes.includes(path) ? path : routes[0] ?? "";
  const parameters = description.paths[route]?.[method.toLowerCase()]?.parameters ?? [];
  return parameters
    .map((/** @type {any} */ one) => (one.$ref ? description.components.parameters[one.$ref.split("/").at(-1)] : one))
    .filter((/** @type {any} */ one) => one.in === "query")
    .map((/** @type {any} */ one) => one.name);
}

describe("calls to the server", () => {
  it("have no parameter that the description lacks, and a deletion no field, as the server refuses both", () => {
    for (const [, method, address, body] of calls) {
      const { pathname, searchParams } = new URL(address, "http://a");
      const known = describedParameters(method, pathname);
      for (const name of searchParams.keys()) assert.ok(known.includes(name), `${method} ${address}`);
      if (method === "DELETE") assert.deepEqual(body, {}, address);
    }
    assert.ok(describedParameters("DELETE", "/api/library/unreadable").includes("origin"));
  });

  for (const [call, method, address, body, answer, result] of calls) {
    it(`${method} ${address} ${JSON.stringify(body)}`, async (context) => {
      const asked = stubServer(context, () => (answer === null ? nothing() : json(answer)));
      assert.deepEqual(await call(), result);
      assert.deepEqual(asked, [{ method, address, body, keepalive: false }]);
    });
  }

  /** @type {typeof calls} */
  const lastingChanges = [
    [() => profiles.changeProfile("p", content), "PUT", "/api/profiles/p", content, { id: "p" }, { id: "p" }],
    [() => playback.addToQueue(["i"]), "POST", "/api/playback/entries", { items: ["i"] }, {}, {}],
    [() => playback.removeFromQueue(["e"]), "POST", "/api/playback/entries/remove", { ids: ["e"] }, {}, {}],
    [() => playback.moveInQueue("e", 2), "POST", "/api/playback/entries/move", { id: "e", position: 2 }, {}, {}],
    [() => playback.setCurrent(null), "PUT", "/api/playback/current", { id: null }, {}, {}],
    [() => playback.clearQueue(), "POST", "/api/playback/clear", {}, {}, {}],
  ];
  for (const [call, method, address, body, answer, result] of lastingChanges) {
    it(`${method} ${address} outlives the page`, async (context) => {
      const asked = stubServer(context, () => json(answer));
      assert.deepEqual(await call(), result);
      assert.deepEqual(asked, [{ method, address, body, keepalive: true }]);
    });
  }

  it("outlive the page where they must", async (context) => {
    const asked = stubServer(context, nothing);
    await library.deleteItems(["i"], { keepalive: true });
    await playback.keepBookmark("i", 2, { keepalive: true });
    await history.deleteHistoryEntry(1, { keepalive: true });
    await profiles.deleteProfile("p", { keepalive: true });
    assert.deepEqual(asked.map((one) => one.keepalive), [true, true, true, true]);
  });

  it("outlive the page when a setting is changed", async (context) => {
    const asked = stubServer(context, () => json({ value: "20" }));
    assert.deepEqual(await settings.changeSetting("playback.step", "20"), { value: "20" });
    const [address, body] = ["/api/settings/playback.step", { value: "20" }];
    assert.deepEqual(asked, [{ method: "PUT", address, body, keepalive: true }]);
  });

  it("outlive the page with a speech, unless browsers refuse that for its length", async (context) => {
    const asked = stubServer(context, () => json({ id: "s" }));
    for (const text of ["T", "\u{1F44D}\u{1F3FD}".repeat(8_000)]) {
      await speeches.createSpeech({ text, language: "et" }, { keepalive: true });
      await speeches.changeSpeech("s", { text, language: "et" }, { keepalive: true });
    }
    assert.deepEqual(asked.map((one) => one.keepalive), [true, true, false, false]);
  });
});

describe("changes of marks", () => {
  const [one, two, three] = [{ seconds: 1, label: "One" }, { seconds: 2, label: null }, { seconds: 3, label: null }];

  it("name the marks that they are made from, and are made again from those that came meanwhile", async (context) => {
    let [kept, puts] = [[one], 0];
    const asked = stubServer(context, ({ method, body }) => {
      if (method === "GET") return json(kept);
      puts += 1;
      if (puts === 1) {
        kept = [one, three];
        return json({ code: "library.recording-changed", message: "The recording has been changed meanwhile." }, 409);
      }
      return json(body.marks);
    });
    assert.deepEqual(await marks.changeMarks("i/j", (present) => [...present, two]), [one, three, two]);
    assert.deepEqual(asked.filter(({ method }) => method === "PUT").map(({ body }) => body), [
      { marks: [one, two], base: [one] },
      { marks: [one, three, two], base: [one, three] },
    ]);
    assert.ok(asked.every(({ address }) => address === "/api/library/i%2Fj/marks"));
  });

  it("that a recording never takes are returned, but not for one that is gone", async (context) => {
    const answers = [json({ code: "recording.too-many-marks" }, 409), json({ code: "library.item-not-found" }, 404)];
    stubServer(context, ({ method }) => (method === "GET" ? json([]) : answers.shift() ?? json([])));
    assert.deepEqual(await marks.addMarks("i", [one]), [one]);
    assert.deepEqual(await marks.addMarks("i", [one]), []);
    assert.deepEqual(await marks.addMarks("i", [one]), []);
  });

  it("are not sent when nothing changes, and throw what else is refused", async (context) => {
    const asked = stubServer(context, ({ method }) => (method === "GET" ? json([one]) : json({ code: "vault.read-only" }, 507)));
    assert.deepEqual(await marks.changeMarks("i", (present) => present), [one]);
    await marks.addMarks("i", [{ seconds: 1.0004 }]);
    assert.deepEqual(asked.map(({ method }) => method), ["GET", "GET"]);
    await assert.rejects(marks.changeMarks("i", () => []), { code: "vault.read-only", status: 507 });
  });
});

describe("addresses for elements", () => {
  it("escape ids and name the format", () => {
    assert.equal(library.soundAddress("a b"), "/api/library/a%20b/sound");
    assert.equal(library.soundAddress("a b", 2), "/api/library/a%20b/sound?revision=2");
    assert.equal(library.exportAddress("i", { format: "m4b" }), "/api/library/i/export?format=m4b");
    assert.equal(
      library.exportAddress("i", { format: "chapters", sound: "flac" }),
      "/api/library/i/export?format=chapters&sound=flac",
    );
    assert.equal(
      voices.sampleAddress({ voice: "espeak/en-US", speed: 1.25, text: "Hi there" }),
      "/api/voices/sample?voice=espeak%2Fen-US&speed=1.25&text=Hi+there",
    );
    assert.equal(
      voices.sampleAddress({ id: "p", ...content }),
      "/api/voices/sample?voice=espeak%2Fet&speaker=0&speed=0.9&pitch=1&liveliness=0.5&rhythm=1.2",
    );
  });
});

describe("sound and files", () => {
  it("load a sample of a voice whole, and throw why there is none", async (context) => {
    const asked = stubServer(context, () => new Response(new Uint8Array([82, 73, 70, 70]), { headers: { "Content-Type": "audio/wav" } }));
    const sound = await voices.loadSample({ voice: "espeak/et", speed: 1.5 });
    assert.deepEqual([sound.size, sound.type], [4, "audio/wav"]);
    assert.deepEqual(asked.map(({ method, address }) => `${method} ${address}`), ["GET /api/voices/sample?voice=espeak%2Fet&speed=1.5"]);
    stubServer(context, () => json({ code: "voice.gone", message: "Gone.", suggestion: null }, 404));
    await assert.rejects(voices.loadSample({ voice: "piper/x" }), { code: "voice.gone", status: 404 });
  });

  it("follows the sound of a narration from a sample on", async (context) => {
    const asked = stubServer(
      context,
      () => new Response(new Uint8Array([1, 0, 2, 0]), { headers: { "X-Sample-Rate": "22050" } }),
    );
    const { sampleRate, stream } = await narrations.openNarrationSound("n", 4410);
    const first = await stream.getReader().read();
    assert.equal(sampleRate, 22050);
    assert.deepEqual([...(first.value ?? [])], [1, 0, 2, 0]);
    assert.equal(asked[0]?.address, "/api/narrations/n/sound?from=4410");
  });

  it("takes an export as a file with its name", async (context) => {
    stubServer(
      context,
      () => new Response("sound", { headers: { "Content-Disposition": 'attachment; filename="Fox.flac"' } }),
    );
    const { name, blob } = await library.loadDownload(library.exportAddress("i", { format: "flac" }), "i.flac");
    assert.equal(name, "Fox.flac");
    assert.equal(await blob.text(), "sound");
  });
});
