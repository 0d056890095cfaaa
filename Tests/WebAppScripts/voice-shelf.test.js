import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tell } from "../../Sources/WebApp/Resources/www/core/events.js";
import { isConnected, voices as installedVoices } from "../../Sources/WebApp/Resources/www/core/store.js";
import { Shelf } from "../../Sources/WebApp/Resources/www/pages/voices/shelf.js";
import { json, stubServer } from "./stub-server.js";
import { download, installed, voice } from "./voice-fixtures.js";

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

  test("keeps what it was told when the voices that are installed come later, and when an older answer does", async (context) => {
    const { shelf } = await filled(context);
    tell("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("waiting") });
    const asked = shelf.load();
    installedVoices.set([]);
    context.after(() => installedVoices.set(null));
    assert.equal(shelf.find("piper/en_US-lessac-medium")?.phase, "waiting");
    tell("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("downloading") });
    await asked;
    assert.equal(shelf.find("piper/en_US-lessac-medium")?.phase, "downloading");
    await shelf.load();
    assert.equal(shelf.find("piper/en_US-lessac-medium")?.phase, "absent");
  });

  test("keeps a refusal, which the server forgets, until there is news of the download", async (context) => {
    const { shelf } = await filled(context);
    shelf.change("piper/en_US-lessac-medium", { download: download("failed") }, Infinity);
    await shelf.load();
    assert.equal(shelf.find("piper/en_US-lessac-medium")?.phase, "failed");
    tell("voice", { entry: "vits-piper-en_US-lessac-medium", ...download("waiting") });
    await shelf.load();
    assert.equal(shelf.find("piper/en_US-lessac-medium")?.phase, "absent");
  });

  test("asks anew when it is told that voices have come or gone", async (context) => {
    const { asked } = await filled(context);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    tell("voices", {});
    tell("profiles", {});
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
    const shelf = new Shelf(() => {});
    await shelf.load();
    assert.equal(/** @type {{ code: string }} */ (shelf.problem.value).code, "vault.locked");
    assert.deepEqual(shelf.offers, []);
  });
});
