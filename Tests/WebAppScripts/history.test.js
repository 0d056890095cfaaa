import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { surroundings } from "../../Sources/WebApp/Resources/www/pages/history.js";

describe("words found in a text of the history", () => {
  test("stand with what is around them, on one line", () => {
    const text = "The tide comes in.\n\nBoats lie at the pier. A lamp burns in the\nHarbour until morning.";
    assert.deepEqual(surroundings("the harbour", text), ["…A lamp burns in ", "the Harbour", " until morning."]);
    assert.deepEqual(surroundings("the tide", text)?.slice(0, 2), ["", "The tide"]);
    assert.equal(surroundings("submarine", text), null);
  });

  test("are marked where they stand after a letter that is longer when it is small", () => {
    assert.deepEqual(surroundings("lamp", "İİİ: a LAMP burns"), ["İİİ: a ", "LAMP", " burns"]);
  });

  test("are found as they are written, whatever signs they have", () => {
    for (const words of ["3.50 €", "(see p. 4)", "C:\\new [a-z]+?", "a|b / {c}^$*"]) {
      assert.deepEqual(surroundings(words, `It says ${words} here`), ["It says ", words, " here"]);
    }
    assert.equal(surroundings(".", "No full stop here"), null);
  });
});
