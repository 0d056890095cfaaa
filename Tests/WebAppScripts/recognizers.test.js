import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import {
  adviceOn,
  areShown,
  askedFrom,
  heardByAny,
  isHeardBy,
  languageChoices,
  languageWords,
  movedOrder,
  proposedLanguage,
  recordingLanguages,
} from "../../Sources/WebApp/Resources/www/pages/recognizers/offers.js";
import { firstWrong } from "../../Sources/WebApp/Resources/www/server/transcriptions.js";

describe("the spoken languages in a list", () => {
  it("begin with “Detect automatically”, and are in the order of their names", () => {
    const labels = languageChoices(["fi", "et", "en"], ["de", "und", ""], []).map(({ label }) => label);
    assert.deepEqual(labels, ["Detect automatically", "English", "Estonian", "Finnish", "German"]);
  });

  it("have the person's own before the others, if they are among them", () => {
    const values = languageChoices(["af", "de", "en", "et", "fi"], ["en-US"], ["et-EE", "cy", "en-GB", "et"]).map(({ value }) => value);
    assert.deepEqual(values, ["", "et", "en-US", "en", "af", "fi", "de"]);
  });

  it("are common ones where nobody knows what is heard", () => {
    const values = languageChoices([], ["cy"]).map(({ value }) => value);
    assert.ok(values.includes("cy") && values.includes("en") && values.includes("et"));
    assert.equal(new Set(values).size, values.length);
  });

  it("are the person's own beside common ones where nobody knows what is heard", () => {
    const values = languageChoices([], [], ["hi-IN", "tr", "en-GB"]).map(({ value }) => value);
    assert.deepEqual(values.slice(0, 4), ["", "hi", "tr", "en"]);
    assert.ok(values.includes("et"));
    assert.equal(new Set(values).size, values.length);
  });

  it("begin with the recording's, and with the last one chosen where that is not known", () => {
    assert.equal(proposedLanguage("en", "et"), "en");
    assert.equal(proposedLanguage("en", ""), "en");
    assert.equal(proposedLanguage("und", "et"), "et");
  });

  it("are named in the reader's language", async (context) => {
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.equal(languageChoices(["en"])[0]?.label, "Tuvasta ise");
  });

  it("are those that any recognizer hears", () => {
    assert.deepEqual(heardByAny([{ hears: ["en-US"] }, { hears: ["et", "en"] }, { hears: [] }]), ["en", "et"]);
  });
});

describe("the languages of a recording", () => {
  const values = (/** @type {{ options: { value: string }[] }} */ { options }) => options.map(({ value }) => value);

  it("are those that are heard, and apart from them those that need a recognizer", () => {
    const [heard, unheard, ...more] = recordingLanguages([{ hears: ["en-US"] }, { hears: ["fi"] }], ["en-GB", "et", "cy", ""]);
    assert.ok(heard && unheard);
    assert.equal(values(heard)[0], "");
    assert.deepEqual(new Set(values(heard)), new Set(["", "en", "en-GB", "fi"]));
    assert.equal(unheard.label, "Needs a recogniser first");
    assert.ok(["et", "cy", "de"].every((tag) => values(unheard).includes(tag)));
    assert.ok(!values(unheard).some((tag) => values(heard).includes(tag)));
    assert.deepEqual(more, []);
  });

  it("begin with the one that is heard where there is a single one, as nothing is detected then", () => {
    const first = (/** @type {{ hears: string[] }[]} */ recognizers) => recordingLanguages(recognizers, ["et"])[0]?.options[0];
    assert.deepEqual(first([{ hears: ["en-US"] }]), { value: "", label: "American English only" });
    assert.deepEqual(first([{ hears: ["en"] }, { hears: ["en"] }]), { value: "", label: "English only" });
    for (const several of [[{ hears: ["en-US"] }, { hears: ["fi"] }], [{ hears: ["en-US"] }, { hears: [] }], []]) {
      assert.deepEqual(first(several), { value: "", label: "Detect automatically" });
    }
  });

  it("all need a recognizer where there is none", () => {
    const groups = recordingLanguages([], ["et"]);
    assert.deepEqual(groups.map(({ label }) => label), [undefined, "Needs a recogniser first"]);
    assert.deepEqual(groups[0]?.options.map(({ value }) => value), [""]);
  });

  it("do not stand apart where a recognizer does not say what it hears, or before they are known", () => {
    for (const recognizers of [[{ hears: ["en"] }, { hears: [] }], null]) {
      const [all, ...others] = recordingLanguages(recognizers, ["cy"]);
      assert.ok(all && values(all).includes("cy") && values(all).includes("en"));
      assert.deepEqual(others, []);
    }
  });

  it("are offered for an order if the chosen recognizer hears them, as far as it says so", () => {
    assert.ok(isHeardBy({ hears: ["en"] }, "en-GB"));
    assert.ok(!isHeardBy({ hears: ["en", "de"] }, "et"));
    assert.ok(isHeardBy({ hears: [] }, "et"));
  });
});

describe("what is said before a recording", () => {
  it("is that there is no recognizer, or only the basic one", () => {
    assert.equal(adviceOn([]), "missing");
    assert.equal(adviceOn([{ engine: "pocketSphinx" }]), "basic");
    assert.equal(adviceOn([{ engine: "pocketSphinx" }, { engine: "remote" }]), null);
    assert.equal(adviceOn([{ engine: "sherpaOnnx" }]), null);
  });
});

describe("what a recognizer hears", () => {
  it("is named where it is little, and counted where it is much", () => {
    assert.equal(languageWords({ hears: ["en"], languages: ["en"] }), "English");
    const many = { hears: ["de", "en", "et", "fi"], languages: ["mul"] };
    assert.equal(languageWords(many), "4 languages");
    assert.equal(languageWords(many, "et-EE"), "4 languages, with Estonian");
    assert.equal(languageWords(many, "zh"), "4 languages");
    assert.equal(languageWords({ hears: [], languages: ["mul"] }), "Several languages");
  });

  it("begins with the wanted language where names of languages have small letters within a text", async (context) => {
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.equal(languageWords({ hears: ["de", "en", "et", "fi"], languages: ["mul"] }, "et"), "Eesti keel ja muud, 4 keelt");
  });
});

describe("the recognizers that are asked", () => {
  const all = /** @type {const} */ ([
    { id: "sherpa/a", engine: "sherpaOnnx" },
    { id: "remote/office", engine: "remote" },
    { id: "pocketsphinx/en-US", engine: "pocketSphinx" },
  ]);

  it("are the first one, and then the others in their order", () => {
    assert.deepEqual(askedFrom("pocketsphinx/en-US", all, []), ["pocketsphinx/en-US", "sherpa/a"]);
  });

  it("have a service only if it is the first or a person has put it in order", () => {
    assert.deepEqual(askedFrom("remote/office", all, []), ["remote/office", "sherpa/a", "pocketsphinx/en-US"]);
    assert.deepEqual(askedFrom("sherpa/a", all, ["remote/office"]), ["sherpa/a", "remote/office", "pocketsphinx/en-US"]);
  });
});

describe("the order of recognizers", () => {
  const all = /** @type {const} */ ([
    { id: "sherpa/a", engine: "sherpaOnnx" },
    { id: "pocketsphinx/en-US", engine: "pocketSphinx" },
    { id: "remote/office", engine: "remote" },
  ]);

  it("follows a move, and makes no service one that is asked by itself", () => {
    assert.deepEqual(movedOrder(all, [], "pocketsphinx/en-US", 0), ["pocketsphinx/en-US", "sherpa/a"]);
    assert.deepEqual(movedOrder(all, ["remote/office"], "sherpa/a", 1), ["pocketsphinx/en-US", "sherpa/a", "remote/office"]);
  });

  it("has a service that was itself moved", () => {
    assert.deepEqual(movedOrder(all, [], "remote/office", 0), ["remote/office", "sherpa/a", "pocketsphinx/en-US"]);
  });

  it("stays as it is when the recognizer is gone meanwhile", () => {
    assert.deepEqual(movedOrder(all, ["sherpa/a"], "sherpa/b", 0), ["sherpa/a"]);
  });
});

describe("the offers of recognizers in a place", () => {
  const none = { state: "none", bytes: null, total: null, rate: null, secondsLeft: null, failure: null };
  const offer = { entry: "small", name: "Whisper small", reason: null, download: none };

  it("stay while only their downloads change, also those that get a row later", () => {
    const place = /** @type {any} */ ({ dataset: {}, hasChildNodes: () => true, querySelectorAll: () => [] });
    const shown = /** @type {any[]} */ ([{ ...offer }]);
    assert.equal(areShown(place, shown, "et"), false);
    const paused = { ...none, state: "paused", bytes: 5, total: 20 };
    assert.equal(areShown(place, /** @type {any[]} */ ([{ ...offer, download: paused }]), "et"), true);
    assert.deepEqual(shown[0].download, paused);
    assert.equal(areShown(place, shown, "en"), false);
    assert.equal(areShown(place, /** @type {any[]} */ ([{ ...offer, name: "Small" }]), "en"), false);
  });
});

describe("a service", () => {
  it("is checked field by field before it is sent", () => {
    const content = { address: "https://speech.example", model: "whisper-1" };
    assert.equal(firstWrong("office", content), null);
    assert.equal(firstWrong("", content), "service.bad-name");
    assert.equal(firstWrong("My Office", content), "service.bad-name");
    assert.equal(firstWrong("o".repeat(41), content), "service.bad-name");
    assert.equal(firstWrong("office", { ...content, address: "speech.example" }), "service.bad-address");
    assert.equal(firstWrong("office", { ...content, model: "" }), "service.bad-model");
  });
});
