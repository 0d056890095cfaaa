import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { profiles } from "../../Sources/WebApp/Resources/www/core/store.js";
import { SpeakSession } from "../../Sources/WebApp/Resources/www/pages/speak/session.js";

const calm = { id: "p", name: "Calm", voice: "piper/calm", speaker: 2, speed: 0.9, pitch: 1.1, liveliness: 0, rhythm: 0.5 };

describe("how the next text is spoken", () => {
  afterEach(() => profiles.set(null));

  it("is the chosen profile's, with all that it keeps", () => {
    profiles.set({ profiles: [{ ...calm, id: "default" }, calm], chosen: "p", isStandIn: false, unreadable: 0 });
    assert.deepEqual(new SpeakSession().effectiveSettings, { ...calm, profile: calm, isChanged: false });
  });

  it("is changed by what is chosen beside it, and by nothing else", () => {
    profiles.set({ profiles: [calm], chosen: "p", isStandIn: false, unreadable: 0 });
    const session = new SpeakSession();
    session.choose({ speed: 1.2 });
    assert.deepEqual(session.effectiveSettings, { ...calm, speed: 1.2, profile: calm, isChanged: true });
    assert.deepEqual(session.settings.value, { speed: 1.2 });
  });

  it("is open until the profiles are known", () => {
    const session = new SpeakSession();
    session.choose({ voice: "espeak/et", speaker: 0 });
    assert.deepEqual(session.effectiveSettings, { voice: "espeak/et", speaker: 0, profile: null, isChanged: true });
  });
});
