import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { waitWords } from "../../Sources/WebApp/Resources/www/core/format.js";

describe("a wait in words", () => {
  it("takes the largest unit that says it well, and never too little", () => {
    const said = [0, 1, 29.2, 90, 91, 300, 5_400, 5_401, 86_400].map((seconds) => waitWords(seconds).match(/\d+ \w+/)?.[0]);
    assert.deepEqual(said, [
      "1 second",
      "1 second",
      "30 seconds",
      "90 seconds",
      "2 minutes",
      "5 minutes",
      "90 minutes",
      "2 hours",
      "24 hours",
    ]);
  });

  it("is said in the language that is shown", async (context) => {
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.equal(waitWords(30), "Uuesti saab proovida 30 sekundi pärast.");
  });
});
