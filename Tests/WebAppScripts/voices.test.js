import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { nearestRow } from "../../Sources/WebApp/Resources/www/components/rows/headings.js";
import { tell } from "../../Sources/WebApp/Resources/www/core/events.js";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { returnIn } from "../../Sources/WebApp/Resources/www/core/router.js";
import { voices as installedVoices } from "../../Sources/WebApp/Resources/www/core/store.js";
import { arrange, linesOf } from "../../Sources/WebApp/Resources/www/pages/voices/arrangement.js";
import { languageTitle, regionName, stemOf } from "../../Sources/WebApp/Resources/www/pages/voices/language-names.js";
import { activeNarrowings, everything } from "../../Sources/WebApp/Resources/www/pages/voices/narrowing.js";
import { builtInOffer, canSpeak, offerOf } from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";
import { mainStep } from "../../Sources/WebApp/Resources/www/pages/voices/remedies.js";
import { Shelf } from "../../Sources/WebApp/Resources/www/pages/voices/shelf.js";
import { announcement, sizeWords, speedWords, stateWords } from "../../Sources/WebApp/Resources/www/pages/voices/state-words.js";
import { VoiceUpload } from "../../Sources/WebApp/Resources/www/pages/voices/voice-upload.js";
import * as catalogue from "../../Sources/WebApp/Resources/www/server/voice-catalogue.js";
import { addVoiceFile } from "../../Sources/WebApp/Resources/www/server/voice-files.js";
import { json, nothing, stubServer } from "./stub-server.js";

/**
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voice-catalogue.js").CatalogueVoice} CatalogueVoice
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voice-catalogue.js").DownloadState} DownloadState
 * @typedef {import("../../Sources/WebApp/Resources/www/pages/voices/offers.js").Offer} Offer
 */

/**
 * @param {DownloadState["state"]} state
 * @param {Partial<DownloadState>} more
 * @returns {DownloadState}
 */
const download = (state, more = {}) => ({ state, bytes: null, total: null, rate: null, secondsLeft: null, failure: null, ...more });

const installed = { bytes: 63_000_000, folder: "folder", licence: null, url: null, installedAt: null };

/**
 * @param {string} id Such as `en_US-lessac-medium`.
 * @param {Partial<CatalogueVoice>} more
 * @returns {CatalogueVoice}
 */
function voice(id, more = {}) {
  const [language = "", name = "", quality = ""] = id.split("-");
  return {
    entry: `vits-piper-${id}`,
    voice: `piper/${id}`,
    name,
    language: language.replace("_", "-"),
    quality,
    variant: null,
    speakers: 1,
    sampleRate: 22_050,
    archiveBytes: null,
    expectedBytes: 65_000_000,
    download: download("notDownloaded"),
    installed: null,
    isFavourite: false,
    lastUsed: null,
    speed: null,
    problem: null,
    ...more,
  };
}

/**
 * @param {string} id
 * @param {Partial<CatalogueVoice>} more
 */
const offer = (id, more = {}) => offerOf(voice(id, more), "espeak/en-US");

/** @param {string} code */
const failure = (code) => ({ code, message: `It says ${code}.`, suggestion: null });

afterEach(() => showLanguage("en"));

describe("the calls for voices", () => {
  const answer = { voices: [] };

  /** @type {[call: () => Promise<any>, method: string, address: string, body: any, answer: any][]} */
  const calls = [
    [() => catalogue.loadCatalogue(), "GET", "/api/voices/catalogue", null, answer],
    [() => catalogue.refreshCatalogue(), "POST", "/api/voices/catalogue/refresh", {}, answer],
    [() => catalogue.startDownload("vits-a"), "POST", "/api/voices/downloads", { entry: "vits-a" }, { entry: "vits-a" }],
    [() => catalogue.stopDownload("a/b"), "POST", "/api/voices/downloads/a%2Fb/cancel", {}, undefined],
    [() => catalogue.discardDownload("vits-a"), "DELETE", "/api/voices/downloads/vits-a", {}, undefined],
    [() => catalogue.chooseVoice("piper/a"), "PUT", "/api/voices/chosen", { voice: "piper/a" }, { id: "default" }],
    [() => catalogue.markFavouriteVoice("piper/a", true), "PUT", "/api/voices/favourites", { voice: "piper/a", isFavourite: true }, undefined],
    [() => catalogue.deleteVoice("piper/en_US-lessac-medium"), "DELETE", "/api/voices/installed/en_US-lessac-medium", {}, undefined],
    [() => catalogue.dismissLosses(), "POST", "/api/voices/losses/dismiss", {}, undefined],
  ];

  for (const [call, method, address, body, result] of calls) {
    test(`ask ${method} ${address}`, async (context) => {
      const asked = stubServer(context, () => (result === undefined ? nothing() : json(result)));
      assert.deepEqual(await call(), result);
      assert.deepEqual(asked.map((one) => [one.method, one.address, one.body]), [[method, address, body]]);
    });
  }

  test("send a voice's file as it is, under its name", async () => {
    /** @type {any} */
    const request = { upload: {}, headers: {}, status: 201, responseText: '{"voice":"piper/x"}' };
    request.open = (/** @type {string} */ method, /** @type {string} */ address) => (request.asked = `${method} ${address}`);
    request.setRequestHeader = (/** @type {string} */ name, /** @type {string} */ value) => (request.headers[name] = value);
    request.send = (/** @type {unknown} */ body) => {
      request.body = body;
      request.upload.onprogress({ loaded: 1, total: 4 });
      request.onload();
    };
    const file = /** @type {File} */ (/** @type {unknown} */ ({ name: "My voice.tar.bz2" }));
    /** @type {number[]} */
    const parts = [];
    const added = await addVoiceFile(file, { progressed: (part) => parts.push(part) }, () => request);
    assert.equal(request.asked, "POST /api/voices/uploads?name=My+voice.tar.bz2");
    assert.equal(request.headers["Content-Type"], "application/octet-stream");
    assert.equal(request.body, file);
    assert.deepEqual(parts, [0.25]);
    assert.equal(added.voice, "piper/x");
  });
});

describe("languages of voices", () => {
  test("are known without their regions and dialects", () => {
    assert.deepEqual(["en-GB-scotland", "pt-BR", "cmn-Latn-pinyin", "et"].map(stemOf), ["en", "pt", "cmn", "et"]);
  });

  test("are named in the language that is shown", async () => {
    assert.deepEqual([languageTitle("de"), regionName("de-DE")], ["German", "Germany"]);
    await showLanguage("et");
    assert.deepEqual([languageTitle("de"), regionName("de-DE")], ["Saksa", "Saksamaa"]);
  });

  test("stand for themselves when nobody knows them", () => {
    assert.deepEqual([languageTitle("qzz"), regionName("et"), regionName("en-QX")], ["Qzz", null, null]);
  });
});

describe("a voice on the page", () => {
  test("has a name as a person writes it", () => {
    const title = (/** @type {string} */ name) => offerOf(voice("en_GB-x-low", { name }), "").title;
    assert.deepEqual(["lessac", "southern_english_female", "en_US-amy-low"].map(title), ["Lessac", "Southern English female", "Amy"]);
  });

  test("is told with what it takes on the disk, or about what comes", () => {
    const size = (/** @type {Partial<CatalogueVoice>} */ more) => sizeWords(offer("en_US-x-low", more));
    assert.equal(size({}), "about 65 MB");
    assert.equal(size({ archiveBytes: 71_200_000, expectedBytes: 71_200_000 }), "71 MB");
    assert.equal(size({ installed, archiveBytes: 71_200_000 }), "63 MB");
    assert.equal(size({ expectedBytes: null }), null);
  });

  test("tells its speed once it is known", () => {
    assert.equal(speedWords(offer("en_US-x-low")), null);
    assert.equal(speedWords(offer("en_US-x-low", { speed: 7.42 })), "7.4× as fast as listening");
    assert.equal(speedWords(offer("en_US-x-low", { speed: 12.4 })), "12× as fast as listening");
  });

  test("can be heard when it is here and whole", () => {
    assert.equal(canSpeak(offer("en_US-x-low")), false);
    assert.equal(canSpeak(offer("en_US-x-low", { installed, download: download("downloaded") })), true);
    assert.equal(canSpeak(offer("en_US-x-low", { installed, download: download("downloaded"), problem: failure("voice.altered") })), false);
    const builtIn = { id: "espeak/et", name: "Estonian", language: "et", engine: /** @type {const} */ ("espeak-ng"), speakers: 1, sampleRate: 22_050 };
    assert.equal(canSpeak(builtInOffer(builtIn, "")), true);
    assert.equal(builtInOffer(builtIn, "espeak/et").phase, "active");
  });

  /** @type {[string, Partial<CatalogueVoice>, Offer["phase"], ReturnType<typeof mainStep>][]} */
  const steps = [
    ["not here", {}, "absent", "download"],
    ["in the queue", { download: download("waiting") }, "waiting", "cancel"],
    ["coming", { download: download("downloading") }, "downloading", "cancel"],
    ["being unpacked", { download: download("extracting") }, "extracting", "cancel"],
    ["stopped", { download: download("paused") }, "paused", "resume"],
    ["here", { download: download("downloaded"), installed }, "ready", "choose"],
    ["speaking", { download: download("active"), installed }, "active", null],
    ["altered", { download: download("active"), installed, problem: failure("voice.altered") }, "broken", "again"],
    ["altered, and the person's own", { entry: null, download: download("downloaded"), installed, problem: failure("voice.altered") }, "broken", "remove"],
    ["cut off", { download: download("failed", { failure: failure("download.interrupted") }) }, "failed", "again"],
    ["kept offline", { download: download("failed", { failure: failure("outbound.offline") }) }, "failed", "settings"],
    ["without a place to come from", { download: download("failed", { failure: failure("catalogue.folder-missing") }) }, "failed", "settings"],
    ["without room", { download: download("failed", { failure: failure("voice.no-space") }) }, "failed", "space"],
    ["coming again while it is here", { download: download("downloading"), installed }, "downloading", "cancel"],
  ];
  for (const [name, more, phase, step] of steps) {
    test(`that is ${name} offers ${step ?? "nothing more"}`, () => {
      const one = offer("en_US-lessac-medium", more);
      assert.deepEqual([one.phase, mainStep(one)], [phase, step]);
    });
  }
});

describe("the words for a download", () => {
  test("tell how much, how fast and how long, as far as it is known", () => {
    const state = (/** @type {Partial<DownloadState>} */ more) => stateWords(offer("en_US-x-low", { download: download("downloading", more) }));
    assert.deepEqual(state({ bytes: 12_300_000, total: 63_400_000, rate: 2_100_000, secondsLeft: 24.4 }), ["12 of 63 MB", "2.1 MB/s", "24 s left"]);
    assert.deepEqual(state({ bytes: 400_000, total: 6_000_000 }), ["0.4 of 6 MB"]);
    assert.deepEqual(state({ bytes: 12_300_000 }), ["12 MB"]);
  });

  test("tell why it did not come", () => {
    const state = (/** @type {string} */ code) => stateWords(offer("en_US-x-low", { download: download("failed", { failure: failure(code) }) }));
    assert.deepEqual(state("download.stalled"), ["Nothing more comes from the server."]);
    assert.deepEqual(state("download.brand-new"), ["It says download.brand-new."]);
  });

  /** @param {number} bytes */
  const at = (bytes) => offer("en_US-lessac-low", { download: download("downloading", { bytes, total: 100 }) });

  test("are said aloud at each tenth and no oftener", () => {
    const said = [at(0), at(4), at(9), at(10), at(19), at(55)];
    const texts = said.slice(1).map((after, index) => announcement(/** @type {Offer} */ (said[index]), after)?.text ?? null);
    assert.deepEqual(texts, [null, null, "Lessac: 10 %", null, "Lessac: 50 %"]);
  });

  test("are said aloud when something else begins, and at once when it fails", () => {
    const extracting = offer("en_US-lessac-low", { download: download("extracting") });
    const ready = offer("en_US-lessac-low", { download: download("downloaded"), installed });
    const failed = offer("en_US-lessac-low", { download: download("failed", { failure: failure("download.stalled") }) });
    assert.deepEqual(announcement(at(99), extracting), { text: "Lessac is being unpacked.", isUrgent: false });
    assert.equal(announcement(extracting, extracting), null);
    assert.deepEqual(announcement(extracting, ready), { text: "Lessac is installed.", isUrgent: false });
    assert.deepEqual(announcement(at(50), failed), { text: "Lessac: Nothing more comes from the server.", isUrgent: true });
  });
});

describe("the list of voices", () => {
  const all = [
    offer("en_US-ryan-high", { expectedBytes: 115_000_000 }),
    offer("de_DE-thorsten-low", { installed, download: download("downloaded") }),
    offer("en_GB-alan-medium", { isFavourite: true }),
    offer("en_US-ryan-low", { expectedBytes: 25_000_000 }),
    offer("sv_SE-nst-medium"),
  ];
  const wanted = { order: /** @type {const} */ ("name"), narrowing: everything, words: "", preferred: /** @type {string[]} */ ([]) };

  /** @param {Partial<Parameters<typeof arrange>[1]>} change */
  const shown = (change) => arrange(all, { ...wanted, ...change }).map(({ title, offers }) => `${title}: ${offers.map(({ id }) => id.slice(6)).join(" ")}`);

  test("is grouped by language and sorted by name", () => {
    assert.deepEqual(shown({}), ["English: en_GB-alan-medium en_US-ryan-high en_US-ryan-low", "German: de_DE-thorsten-low", "Swedish: sv_SE-nst-medium"]);
  });

  test("begins with the person's languages", () => {
    const order = arrange(all, { ...wanted, preferred: ["sv-FI", "de"] }).map(({ stem }) => stem);
    assert.deepEqual(order, ["sv", "de", "en"]);
  });

  test("is sorted by size or quality within each language", () => {
    assert.equal(shown({ order: "small" })[0], "English: en_US-ryan-low en_GB-alan-medium en_US-ryan-high");
    assert.equal(shown({ order: "large" })[0], "English: en_US-ryan-high en_GB-alan-medium en_US-ryan-low");
    assert.equal(shown({ order: "quality" })[0], "English: en_US-ryan-high en_GB-alan-medium en_US-ryan-low");
  });

  test("puts a voice of unknown size last, either way", () => {
    const unknown = [offer("en_US-a-low", { expectedBytes: null }), offer("en_US-b-low")];
    for (const order of /** @type {const} */ (["small", "large"])) {
      assert.deepEqual(arrange(unknown, { ...wanted, order })[0]?.offers.map(({ title }) => title), ["B", "A"]);
    }
  });

  test("is narrowed by words for names, languages and places", () => {
    assert.deepEqual(shown({ words: "RYAN high" }), ["English: en_US-ryan-high"]);
    assert.deepEqual(shown({ words: "kingdom" }), ["English: en_GB-alan-medium"]);
    assert.deepEqual(shown({ words: "deutsch" }), ["German: de_DE-thorsten-low"]);
    assert.deepEqual(shown({ words: "nobody" }), []);
  });

  test("is narrowed to what is here, is liked, is of a quality or speaks a language", () => {
    assert.deepEqual(shown({ narrowing: { ...everything, installed: true } }), ["German: de_DE-thorsten-low"]);
    assert.deepEqual(shown({ narrowing: { ...everything, favourite: true } }), ["English: en_GB-alan-medium"]);
    assert.deepEqual(shown({ narrowing: { ...everything, qualities: ["high", "low"], language: "en" } }), ["English: en_US-ryan-high en_US-ryan-low"]);
  });

  test("names what narrows it, each with the rest", () => {
    const active = activeNarrowings({ installed: true, favourite: false, qualities: ["low", "high"], language: "et" });
    assert.deepEqual(active.map(({ kind, value }) => `${kind} ${value}`), ["installed ", "quality low", "quality high", "language et"]);
    assert.deepEqual(active[1]?.without.qualities, ["high"]);
    assert.equal(active[3]?.without.language, null);
    assert.deepEqual(activeNarrowings(everything), []);
  });

  test("has a line for each language above its voices, where the focus does not rest", () => {
    const lines = linesOf(arrange(all, wanted));
    const isHeading = (/** @type {number} */ index) => "offers" in /** @type {object} */ (lines[index]);
    assert.equal(lines.length, 8);
    assert.deepEqual([0, 4, 6].map(isHeading), [true, true, true]);
    const land = (/** @type {number} */ index, /** @type {1 | -1} */ step) => nearestRow(index, step, lines.length, isHeading);
    assert.deepEqual([land(0, 1), land(-5, -1), land(4, 1), land(4, -1), land(99, 1)], [1, 1, 5, 3, 7]);
    assert.equal(nearestRow(0, 1, 1, () => true), 0);
  });
});

describe("the shelf of voices", () => {
  /** @param {import("node:test").TestContext} context */
  async function filled(context) {
    const content = {
      voices: [voice("en_US-lessac-medium"), voice("de_DE-thorsten-low", { installed, download: download("active") })],
      active: "piper/de_DE-thorsten-low",
      refreshedAt: null,
      isOffline: false,
      source: "sherpaOnnx",
      losses: [],
    };
    const asked = stubServer(context, () => json(content));
    /** @type {string[]} */
    const changes = [];
    const life = new AbortController();
    context.after(() => life.abort());
    const shelf = new Shelf((before, after) => changes.push(`${after.title} ${before.phase} → ${after.phase}`));
    shelf.start(life.signal);
    await shelf.load();
    return { shelf, changes, asked };
  }

  test("holds the voices of the catalogue and those that are built in", async (context) => {
    installedVoices.set([{ id: "espeak/et", name: "Estonian", language: "et", engine: "espeak-ng", speakers: 1, sampleRate: 22_050 }]);
    context.after(() => installedVoices.set(null));
    const { shelf } = await filled(context);
    assert.deepEqual(shelf.offers.map(({ title }) => title), ["Lessac", "Thorsten", "Estonian"]);
    assert.equal(shelf.active?.title, "Thorsten");
  });

  test("follows a download that the server tells of", async (context) => {
    const { shelf, changes } = await filled(context);
    tell("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("downloading", { bytes: 1, total: 4 }) });
    tell("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("extracting") });
    assert.deepEqual(changes, ["Lessac absent → downloading", "Lessac downloading → extracting"]);
    assert.equal(shelf.find("piper/en_US-lessac-medium")?.phase, "extracting");
  });

  test("asks anew when it is told that voices have come or gone", async (context) => {
    const { asked } = await filled(context);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    tell("voices", {});
    tell("profiles", {});
    context.mock.timers.tick(1_000);
    assert.equal(asked.length, 2);
  });

  test("says why there is nothing on it", async (context) => {
    stubServer(context, () => json({ code: "vault.locked", message: "It is locked." }, 423));
    const shelf = new Shelf(() => {});
    await shelf.load();
    assert.equal(/** @type {{ code: string }} */ (shelf.problem.value).code, "vault.locked");
    assert.deepEqual(shelf.offers, []);
  });
});

describe("a voice that is added from a file", () => {
  const file = /** @type {File} */ (/** @type {unknown} */ ({ name: "voice.tar.bz2" }));

  test("is sent, then tried, then there", async () => {
    /** @type {string[]} */
    const states = [];
    const upload = new VoiceUpload(async (_, { progressed }) => {
      progressed(0.5);
      progressed(1);
      return voice("en_US-own-low");
    });
    upload.current.watch((current) => states.push(`${current?.state} ${current?.part}`), new AbortController().signal);
    await upload.add(file);
    assert.deepEqual(states, ["sending 0", "sending 0.5", "trying 1", "done 1"]);
    assert.equal(upload.current.value?.voice?.voice, "piper/en_US-own-low");
  });

  test("is told with why it was refused, until it is taken away", async () => {
    const upload = new VoiceUpload(() => Promise.reject(failure("voice.damaged-archive")));
    await upload.add(file);
    assert.deepEqual([upload.current.value?.state, upload.current.value?.problem], ["refused", failure("voice.damaged-archive")]);
    upload.drop();
    assert.equal(upload.current.value, null);
  });

  test("gives way to another, and does not come back", async () => {
    /** @type {((voice: CatalogueVoice) => void)[]} */
    const answers = [];
    /** @type {AbortSignal[]} */
    const signals = [];
    const upload = new VoiceUpload((_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    });
    const first = upload.add(file);
    const second = upload.add(/** @type {File} */ (/** @type {unknown} */ ({ name: "other.tar.bz2" })));
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true, false]);
    answers[0]?.(voice("en_US-first-low"));
    await first;
    assert.deepEqual([upload.current.value?.file.name, upload.current.value?.state], ["other.tar.bz2", "sending"]);
    answers[1]?.(voice("en_US-second-low"));
    await second;
    assert.equal(upload.current.value?.voice?.voice, "piper/en_US-second-low");
  });
});

describe("the way back from the voices", () => {
  const pages = [{ address: "/speak" }, { address: "/documents" }];

  test("leads to where one came from, within the app", () => {
    assert.deepEqual(returnIn("?from=%2Fdocuments%2F42", pages), { route: pages[1], path: "/documents/42" });
  });

  for (const search of ["", "?from=", "?from=https%3A%2F%2Felsewhere", "?from=%2F%2Felsewhere", "?from=%2Fnowhere"]) {
    test(`is not there for “${search}”`, () => assert.equal(returnIn(search, pages), null));
  }
});
