import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dispatch } from "../../Sources/WebApp/Resources/www/server/events.js";
import { isConnected } from "../../Sources/WebApp/Resources/www/core/store.js";
import { VoiceCollection } from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";
import { json, stubServer } from "./stub-server.js";
import { builtIn, download, ready, voice } from "./voice-fixtures.js";

const lessac = "piper/en_US-lessac-medium";
const entry = "vits-piper-en_US-lessac-medium";

/**
 * A list as the server sends it.
 *
 * @param {Partial<import("../../Sources/WebApp/Resources/www/server/voices.js").VoiceListing>} [more] Fields
 * of Lessac's entry.
 */
const list = (more = {}) => ({
  voices: [voice("en_US-lessac-medium", more), voice("de_DE-thorsten-low", { ...ready, isSelected: true }), builtIn("espeak/et")],
  refreshedAt: null,
  isOffline: false,
  source: "sherpaOnnx",
  losses: [],
});

/** Reports an event of Lessac's download, as the server does. */
const report = (/** @type {Parameters<typeof download>[0]} */ state, /** @type {string} */ id) => dispatch("voice", { entry, ...download(state) }, id);

describe("the collection of voices", () => {
  /**
   * @param {import("node:test").TestContext} context
   * @param {() => Response} answer
   */
  async function filled(context, answer = () => json(list(), 200, { "Last-Event-ID": "a-10" })) {
    const asked = stubServer(context, () => answer());
    /** @type {string[]} */
    const changes = [];
    const life = new AbortController();
    context.after(() => life.abort());
    const collection = new VoiceCollection((before, after) => changes.push(`${after.title} ${before.phase} → ${after.phase}`));
    collection.start(life.signal);
    await collection.load();
    return { collection, changes, asked, phase: () => collection.find(lessac)?.phase };
  }

  test("holds the voices of the server's list", async (context) => {
    const { collection } = await filled(context);
    assert.deepEqual(collection.offers.map(({ title }) => title), ["Lessac", "Thorsten", "Estonian"]);
    assert.equal(collection.active?.title, "Thorsten");
  });

  test("follows the events of a download", async (context) => {
    const { changes, phase } = await filled(context);
    report("downloading", "a-11");
    report("extracting", "a-12");
    assert.deepEqual(changes, ["Lessac absent → downloading", "Lessac downloading → extracting"]);
    assert.equal(phase(), "extracting");
  });

  test("drops an event that the list knows", async (context) => {
    const { changes } = await filled(context);
    report("downloading", "a-9");
    report("downloading", "a-10");
    assert.deepEqual(changes, []);
  });

  test("adds the events that a list does not know, and forgets those it does", async (context) => {
    let [state, last] = [download("waiting"), "a-10"];
    const { collection, phase } = await filled(context, () => json(list({ download: state }), 200, { "Last-Event-ID": last }));
    report("extracting", "a-12");
    [state, last] = [download("downloading"), "a-11"];
    await collection.load();
    assert.equal(phase(), "extracting");
    [state, last] = [download("none"), "a-12"];
    await collection.load();
    assert.equal(phase(), "absent");
  });

  test("keeps the newer list when an older one comes later", async (context) => {
    let last = "a-20";
    const { collection, phase } = await filled(context, () => json(list({ download: download(last === "a-20" ? "validating" : "waiting") }), 200, { "Last-Event-ID": last }));
    last = "a-19";
    await collection.load();
    assert.equal(phase(), "validating");
  });

  test("believes another run of the server, whose numbers begin again", async (context) => {
    let [state, last] = [download("downloading"), "a-500"];
    const { collection, phase } = await filled(context, () => json(list({ download: state }), 200, { "Last-Event-ID": last }));
    report("extracting", "a-501");
    report("waiting", "b-1");
    assert.equal(phase(), "waiting");
    [state, last] = [download("paused"), "b-2"];
    await collection.load();
    assert.equal(phase(), "paused");
    report("downloading", "b-2");
    assert.equal(phase(), "paused");
    report("downloading", "b-3");
    assert.equal(phase(), "downloading");
  });

  test("keeps a refusal, which the server forgets, until there is news of the download", async (context) => {
    let last = "a-10";
    const { collection, phase } = await filled(context, () => json(list(), 200, { "Last-Event-ID": last }));
    collection.change(lessac, "download", download("failed"));
    collection.change(lessac, "isFavorite", true);
    collection.confirm(lessac, "isFavorite");
    await collection.load();
    assert.equal(phase(), "failed");
    assert.equal(collection.find(lessac)?.voice.isFavorite, false, "the list has what was confirmed");
    report("waiting", "a-11");
    assert.equal(phase(), "waiting");
    last = "a-12";
    await collection.load();
    assert.equal(phase(), "absent");
  });

  test("shows a change until a list has it that was requested after the server had confirmed it", async (context) => {
    const { collection } = await filled(context);
    const isFavorite = () => collection.find(lessac)?.voice.isFavorite;
    collection.change(lessac, "isFavorite", true);
    const asked = collection.load();
    collection.confirm(lessac, "isFavorite");
    await asked;
    assert.equal(isFavorite(), true);
    await collection.load();
    assert.equal(isFavorite(), false);
  });

  test("asks again after the events of changed voices", async (context) => {
    const { asked } = await filled(context);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    dispatch("voices", {});
    dispatch("profiles", {});
    dispatch("reset", {});
    context.mock.timers.tick(1_000);
    assert.equal(asked.length, 2);
  });

  test("asks again after a changed setting, which may forbid downloads", async (context) => {
    const { asked } = await filled(context);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    dispatch("settings", {});
    context.mock.timers.tick(1_000);
    assert.equal(asked.length, 2);
  });

  test("asks again once the server's events begin", async (context) => {
    const { asked } = await filled(context);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    isConnected.set(true);
    context.mock.timers.tick(1_000);
    assert.equal(asked.length, 2);
  });

  test("says why there is nothing on it", async (context) => {
    stubServer(context, () => json({ code: "vault.locked", message: "It is locked." }, 423));
    const collection = new VoiceCollection(() => {});
    await collection.load();
    assert.equal(/** @type {{ code: string }} */ (collection.problem.value).code, "vault.locked");
    assert.deepEqual(collection.offers, []);
  });
});
