import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { begunWords } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/doors.js";

describe("the words for several recordings that are transcribed", () => {
  it("count those that are, and those that have a transcript", () => {
    assert.equal(begunWords(2, 0), "2 recordings are being transcribed");
    assert.equal(begunWords(1, 2), "1 recording is being transcribed · 2 have transcripts already, which stay");
    assert.equal(begunWords(0, 1), "1 has a transcript already, which stays");
    assert.equal(begunWords(0, 0), "0 recordings are being transcribed");
  });

  it("are in the reader's language", async (context) => {
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.equal(begunWords(1, 2), "1 salvestist kirjutatakse üles · 2 salvestisel on üleskirjutus juba olemas");
  });
});
