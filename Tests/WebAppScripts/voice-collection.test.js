import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dispatch } from "../../Sources/WebApp/Resources/www/server/events.js";
import { isConnected, voices as installedVoices } from "../../Sources/WebApp/Resources/www/core/store.js";
import { VoiceCollection } from "../../Sources/WebApp/Resources/www/pages/voices/voice-collection.js";
import { json, stubServer } from "./stub-server.js";
import { download, installed, voice } from "./voice-fixtures.js";

describe("the collection of voices", () => {
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
    const collection = new VoiceCollection((before, after) => changes.push(`${after.title} ${before.phase} → ${after.phase}`));
    collection.start(life.signal);
    await collection.load();
    return { collection, changes, asked };
  }

  test("holds the voices of the catalogue and those that are built in", async (context) => {
    installedVoices.set([{ id: "espeak/et", name: "Estonian", language: "et", engine: "espeak-ng", speakers: 1, sampleRate: 22_050 }]);
    context.after(() => installedVoices.set(null));
    const { collection } = await filled(context);
    assert.deepEqual(collection.offers.map(({ title }) => title), ["Lessac", "Thorsten", "Estonian"]);
    assert.equal(collection.active?.title, "Thorsten");
  });

  test("follows the events of a download", async (context) => {
    const { collection, changes } = await filled(context);
    dispatch("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("downloading", { bytes: 1, total: 4 }) });
    dispatch("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("extracting") });
    assert.deepEqual(changes, ["Lessac absent → downloading", "Lessac downloading → extracting"]);
    assert.equal(collection.find("piper/en_US-lessac-medium")?.phase, "extracting");
  });

  test("keeps the events' state when the installed voices come later, and when an older answer does", async (context) => {
    const { collection } = await filled(context);
    dispatch("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("waiting") });
    const asked = collection.load();
    installedVoices.set([]);
    context.after(() => installedVoices.set(null));
    assert.equal(collection.find("piper/en_US-lessac-medium")?.phase, "waiting");
    dispatch("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("downloading") });
    await asked;
    assert.equal(collection.find("piper/en_US-lessac-medium")?.phase, "downloading");
    await collection.load();
    assert.equal(collection.find("piper/en_US-lessac-medium")?.phase, "absent");
  });

  test("keeps a refusal, which the server forgets, until there is news of the download", async (context) => {
    const { collection } = await filled(context);
    collection.change("piper/en_US-lessac-medium", { download: download("failed") }, Infinity);
    await collection.load();
    assert.equal(collection.find("piper/en_US-lessac-medium")?.phase, "failed");
    dispatch("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("waiting") });
    await collection.load();
    assert.equal(collection.find("piper/en_US-lessac-medium")?.phase, "absent");
  });

  test("asks anew after the events of changed voices", async (context) => {
    const { asked } = await filled(context);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    dispatch("voices", {});
    dispatch("profiles", {});
    context.mock.timers.tick(1_000);
    assert.equal(asked.length, 2);
  });

  test("asks anew once the server's events begin", async (context) => {
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
