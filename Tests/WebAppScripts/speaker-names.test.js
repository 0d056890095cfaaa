import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { keptSpeaker, shownSpeaker } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/text.js";

describe("speakers that were found", () => {
  afterEach(() => showLanguage("en"));

  test("are shown in the person's language, and kept in one", async () => {
    assert.equal(shownSpeaker("Speaker 2"), "Speaker 2");
    await showLanguage("et");
    assert.equal(shownSpeaker("Speaker 2"), "Kõneleja 2");
    assert.equal(keptSpeaker("Kõneleja 2"), "Speaker 2");
  });

  test("leave other names alone", async () => {
    await showLanguage("et");
    for (const name of ["", "Anna", "Speaker", "Speaker 1 (guest)", "Kõneleja"]) {
      assert.equal(shownSpeaker(name), name);
      assert.equal(keptSpeaker(name), name);
    }
  });
});
