import "./page-elements.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, describe, test } from "node:test";
import { languageName, nameOfVoice, speakerName, titled, voiceInFull, voiceTitle } from "../../Sources/WebApp/Resources/www/core/format.js";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import {
  canSpeak,
  languageTitle,
  offerOf,
  regionName,
  stemOf,
  VoiceCollection,
} from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";
import {
  announcement,
  isDownload,
  mainStep,
  sizeWords,
  speedWords,
  stateWords,
  VoiceSteps,
} from "../../Sources/WebApp/Resources/www/pages/voices/voice-steps.js";
import { json, stubServer } from "./stub-server.js";
import { builtIn, download, failure, faulty, installed, offer, ready, voice } from "./voice-fixtures.js";

/**
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voices.js").VoiceListing} VoiceListing
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voices.js").DownloadState} DownloadState
 * @typedef {import("../../Sources/WebApp/Resources/www/pages/voices/offers.js").Offer} Offer
 */

afterEach(() => showLanguage("en"));

describe("languages of voices", () => {
  test("are known without their regions and dialects", () => {
    assert.deepEqual(["en-GB-scotland", "pt-BR", "cmn-Latn-pinyin", "et"].map(stemOf), ["en", "pt", "cmn", "et"]);
  });

  test("are named in the language that is shown", async () => {
    assert.deepEqual([languageTitle("de"), regionName("de-DE")], ["German", "Germany"]);
    assert.equal(languageTitle("hyw"), "Western Armenian");
    await showLanguage("et");
    assert.deepEqual([languageTitle("de"), regionName("de-DE")], ["Saksa keel", "Saksamaa"]);
    assert.deepEqual(["en-US", "pt-BR", "qzz"].map(languageName), ["Ameerika inglise keel", "Brasiilia portugali keel", "Qzz"]);
    assert.equal(voiceInFull({ title: "Joe", language: "en-US", quality: "medium" }), "Joe, inglise keel (USA)");
  });

  test("are named with the regions that browsers show as numbers", async (context) => {
    context.mock.method(Intl.DisplayNames.prototype, "of", (/** @type {string} */ code) => (code === "en-029" ? "English (029)" : code));
    assert.deepEqual([languageName("en-029"), regionName("en-029")], ["English (Caribbean)", "Caribbean"]);
    assert.equal(voiceInFull({ title: "Joe", language: "en-029", quality: "low" }), "Joe, English (Caribbean)");
    await showLanguage("et");
    assert.deepEqual([languageName("en-029"), regionName("en-029")], ["English keel (Kariibi piirkond)", "Kariibi piirkond"]);
  });

  test("stand for themselves when nobody knows them", () => {
    assert.deepEqual([languageTitle("qzz"), regionName("et"), regionName("en-QX")], ["Qzz", null, null]);
  });
});

describe("a voice on the page", () => {
  test("has its quality beside its name only where another of its language has that name", () => {
    const all = [
      { id: "piper/en_US-lessac-low", name: "Lessac", language: "en-US", quality: "low", variant: null },
      { id: "piper/en_US-lessac-medium", name: "Lessac", language: "en-US", quality: "medium", variant: null },
      { id: "piper/en_US-lessac-medium-int8", name: "Lessac", language: "en-US", quality: "medium", variant: "int8" },
      { id: "piper/en_US-joe-medium", name: "Joe", language: "en-US", quality: "medium", variant: null },
      { id: "piper/de_DE-mls-medium", name: "Mls", language: "de-DE", quality: "medium", variant: null },
      { id: "piper/fr_FR-mls-medium", name: "Mls", language: "fr-FR", quality: "medium", variant: null },
    ];
    const titles = ["Lessac (Low)", "Lessac (Medium)", "Lessac (Medium, int8)", "Joe", "Mls", "Mls"];
    assert.deepEqual(all.map((one) => voiceTitle(one, all)), titles);
    const alike = all.map(({ language: _, ...one }) => one);
    assert.equal(voiceTitle(/** @type {typeof alike[0]} */ (alike[5]), alike), "Mls (fr_FR-mls-medium)");
  });

  test("has its language beside its name where it stands alone, unless that is its name", () => {
    const joe = { title: "Joe", language: "en-US", quality: "medium" };
    const built = { title: "English (America)", language: "en-US", quality: null };
    const mls = { title: "Mls (Low)", language: "de-DE", quality: "low" };
    assert.deepEqual([joe, built, mls].map(voiceInFull), ["Joe, English (US)", "English (America)", "Mls (Low), German (Germany)"]);
  });

  test("that is built in has the name of its language in that of the page, each another", async () => {
    const tags = readFileSync(new URL("../Fixtures/espeak-languages.txt", import.meta.url), "utf8").trim().split("\n");
    const all = [...new Set(tags)].map((tag) => builtIn(`espeak/${tag}`, { name: `${tag} in English`, language: tag }));
    assert.ok(titled(all).every(({ title, fullTitle, name }) => title === name && fullTitle === name));
    await showLanguage("et");
    const titles = titled(all).map(({ fullTitle }) => fullTitle);
    assert.deepEqual(titles.filter((title) => /in English|^[a-z]|English/.test(title)), []);
    assert.deepEqual(titles.filter((title, index) => titles.indexOf(title) < index), []);
    const named = ["et", "en-GB-x-rp", "yue-Latn-jyutping"].map((tag) => nameOfVoice({ id: `espeak/${tag}`, name: "in English" }));
    assert.deepEqual(named, ["Eesti keel", "Inglise keel (standardhääldus)", "Kantoni keel (ladina)"]);
    const own = offerOf(builtIn("espeak/et", { name: "Estonian" }));
    assert.deepEqual([own.title, own.fullTitle, own.description.includes("estonian")], ["Eesti keel", "Eesti keel", true]);
    assert.equal(offer("en_US-joe-medium", { name: "Joe" }).title, "Joe");
  });

  test("has people with names, else with the numbers that commands count by", () => {
    assert.deepEqual([speakerName({ speakerNames: ["anna", "bert"] }, 1), speakerName({ speakerNames: null }, 0)], ["bert", "0"]);
  });

  test("is shown with its size on the disk, or about that of the download", () => {
    const size = (/** @type {Partial<VoiceListing>} */ more) => sizeWords(offer("en_US-x-low", more));
    assert.equal(size({}), "about 65\u00a0MB");
    assert.equal(size({ archiveBytes: 71_200_000, expectedBytes: 71_200_000 }), "71\u00a0MB");
    assert.equal(size({ installed, archiveBytes: 71_200_000 }), "63\u00a0MB");
    assert.equal(size({ expectedBytes: null }), null);
  });

  test("shows its speed once it is known", () => {
    assert.equal(speedWords(offer("en_US-x-low")), null);
    assert.equal(speedWords(offer("en_US-x-low", { speed: 7.42 })), "7.4× as fast as listening");
    assert.equal(speedWords(offer("en_US-x-low", { speed: 12.4 })), "12× as fast as listening");
  });

  test("can be heard when it is here and whole", () => {
    assert.equal(canSpeak(offer("en_US-x-low")), false);
    assert.equal(canSpeak(offer("en_US-x-low", ready)), true);
    assert.equal(canSpeak(offer("en_US-x-low", { ...ready, download: download("downloading") })), true);
    assert.equal(canSpeak(offer("en_US-x-low", faulty("voice.altered"))), false);
    assert.equal(canSpeak(offer("en_US-x-low", { ...faulty("voice.altered"), download: download("downloading") })), false);
    assert.equal(canSpeak(offerOf(builtIn("espeak/et"))), true);
  });

  test("that is built in has its own name, no size, and speaks when it is selected", () => {
    const own = offerOf(builtIn("espeak/en-gb-x-rp", { name: "english_rp", isSelected: true }));
    assert.deepEqual([own.title, sizeWords(own), own.phase, mainStep(own)], ["english_rp", null, "active", null]);
  });

  /** @type {[string, Partial<VoiceListing>, Offer["phase"], ReturnType<typeof mainStep>][]} */
  const steps = [
    ["not here", {}, "absent", "download"],
    ["in the queue", { download: download("waiting") }, "waiting", "cancel"],
    ["coming", { download: download("downloading") }, "downloading", "cancel"],
    ["being unpacked", { download: download("extracting") }, "extracting", "cancel"],
    ["stopped", { download: download("paused") }, "paused", "resume"],
    ["here", ready, "ready", "choose"],
    ["speaking", { ...ready, isSelected: true }, "active", null],
    ["altered", { ...faulty("voice.altered"), isSelected: true }, "broken", "again"],
    ["altered, and the person's own", { ...faulty("voice.altered"), entry: null }, "broken", "remove"],
    ["incomplete", faulty("voice.missing-file"), "broken", "again"],
    ["incomplete, and the person's own", { ...faulty("voice.missing-file"), entry: null }, "broken", "remove"],
    ["disabled", faulty("voice.set-aside"), "broken", "retry"],
    ["cut off", { download: download("failed", { failure: failure("download.interrupted") }) }, "failed", "again"],
    ["kept offline", { download: download("failed", { failure: failure("outbound.offline") }) }, "failed", "settings"],
    ["without a place to come from", { download: download("failed", { failure: failure("catalogue.folder-missing") }) }, "failed", "settings"],
    ["without room", { download: download("failed", { failure: failure("voice.no-space") }) }, "failed", "space"],
    ["coming again while it is here", { ...ready, download: download("downloading") }, "downloading", "cancel"],
    ["altered, and did not come again", { ...faulty("voice.altered"), download: download("failed", { failure: failure("outbound.offline") }) }, "failed", "settings"],
    ["here, though a later download of it failed", { ...ready, download: download("failed", { failure: failure("outbound.offline") }) }, "ready", "choose"],
  ];
  for (const [name, more, phase, step] of steps) {
    test(`that is ${name} offers ${step ?? "nothing more"}`, () => {
      const one = offer("en_US-lessac-medium", more);
      assert.deepEqual([one.phase, mainStep(one)], [phase, step]);
    });
  }

  test("is downloaded by three of its actions, and by none while EchoText stays offline", async (context) => {
    const asked = stubServer(context, () => json(download("waiting")));
    const collection = new VoiceCollection(() => {});
    const studio = new VoiceSteps(collection, { showInstalled() {}, chosen() {}, removed() {} });
    const listed = { voices: [], refreshedAt: null, source: /** @type {const} */ ("sherpaOnnx"), losses: [] };
    const all = /** @type {const} */ (["download", "resume", "again", "cancel", "choose", "retry", "settings", "space", "remove"]);
    const loading = all.filter(isDownload);
    assert.deepEqual(loading, ["download", "resume", "again"]);
    collection.list.set({ ...listed, isOffline: true });
    for (const step of loading) await studio.take(step, offer("en_US-lessac-medium"));
    assert.deepEqual([studio.isOffline, asked.length], [true, 0]);
    collection.list.set({ ...listed, isOffline: false });
    for (const step of loading) await studio.take(step, offer("en_US-lessac-medium"));
    assert.deepEqual([studio.isOffline, asked.length], [false, 3]);
  });
});

describe("the words for a download", () => {
  test("say how much, how fast and how long, as far as it is known", () => {
    const state = (/** @type {Partial<DownloadState>} */ more) => stateWords(offer("en_US-x-low", { download: download("downloading", more) }));
    assert.deepEqual(state({ bytes: 12_300_000, total: 63_400_000, rate: 2_100_000, secondsLeft: 24.4 }), ["12 of 63\u00a0MB", "2.1\u00a0MB/s", "24\u00a0s left"]);
    assert.deepEqual(state({ bytes: 400_000, total: 6_000_000 }), ["0.4 of 6\u00a0MB"]);
    assert.deepEqual(state({ bytes: 12_300_000 }), ["12\u00a0MB"]);
  });

  test("say why it failed", () => {
    const state = (/** @type {string} */ code) => stateWords(offer("en_US-x-low", { download: download("failed", { failure: failure(code) }) }));
    assert.deepEqual(state("download.stalled"), ["It says download.stalled."]);
  });

  /** @param {number} bytes */
  const at = (bytes) => offer("en_US-lessac-low", { download: download("downloading", { bytes, total: 100 }) });

  test("are said aloud at each tenth and no oftener", () => {
    const said = [at(0), at(4), at(9), at(10), at(19), at(55)];
    const texts = said.slice(1).map((after, index) => announcement(/** @type {Offer} */ (said[index]), after)?.text ?? null);
    assert.deepEqual(texts, [null, null, "Lessac: 10\u00a0%", null, "Lessac: 50\u00a0%"]);
  });

  test("are said aloud when something else begins, and at once when it fails", () => {
    const extracting = offer("en_US-lessac-low", { download: download("extracting") });
    const here = offer("en_US-lessac-low", ready);
    const failed = offer("en_US-lessac-low", { download: download("failed", { failure: failure("download.stalled") }) });
    assert.deepEqual(announcement(at(99), extracting), { text: "Lessac is being unpacked.", isUrgent: false });
    assert.equal(announcement(extracting, extracting), null);
    assert.deepEqual(announcement(extracting, here), { text: "Lessac is installed.", isUrgent: false });
    assert.deepEqual(announcement(at(50), failed), { text: "Lessac: It says download.stalled.", isUrgent: true });
  });
});
