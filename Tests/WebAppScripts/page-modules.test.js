import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { languages } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { lockPage, pages } from "../../Sources/WebApp/Resources/www/pages/registry.js";
import { allModules, cyclesAmong, functionsOf, importsOf, kilobytesSent, sourceOf, withImports } from "./page-modules.js";

/** The maximum number of lines of a function. */
const longest = 60;

/** The maximum kilobytes, as sent, of the first view, and of each further page or part. */
const firstWeight = 160;
const furtherWeight = 60;

const modules = allModules();
const imports = new Map(modules.map((path) => [path, importsOf(path)]));

/** @param {string} path */
const atOnce = (path) => imports.get(path)?.atOnce ?? [];

/** @param {string} path */
const everything = (path) => [...atOnce(path), ...(imports.get(path)?.later ?? [])];

describe("the page's modules", () => {
  test("exist wherever one is imported", () => {
    const missing = modules.flatMap((path) => everything(path).filter((one) => !imports.has(one)).map((one) => `${path}: ${one}`));
    assert.deepEqual(missing, []);
  });

  test("are all reached from app.js", () => {
    const used = withImports(["app.js"], everything);
    assert.deepEqual(modules.filter((path) => !used.has(path)), []);
  });

  test("never import themselves in a circle, nor by import()", () => {
    assert.deepEqual(cyclesAmong(modules, everything), []);
  });

  test("are found in a circle, whichever way leads there", () => {
    /** @type {Record<string, string[]>} */
    const circle = { a: ["b"], b: ["c"], c: ["b", "d"], d: [] };
    assert.deepEqual(cyclesAmong(Object.keys(circle), (path) => circle[path]), [["b", "c"]]);
  });
});

/** The other folders whose modules those of each folder may import, as Documentation/AddingAPage.md says; types are free. */
const layers = /** @type {const} */ ({
  core: [],
  server: [],
  components: ["core", "player"],
  player: ["core", "server", "components"],
  pages: ["core", "server", "components", "player"],
});

/** The parts that a page offers to other pages. */
const offered = [
  "pages/documents/choice/choice-sheet.js",
  "pages/documents/import-queue.js",
  "pages/library/export-sheet.js",
  "pages/library/item-row.js",
  "pages/library/item-sheets.js",
  "pages/library/speech-check-sheet.js",
  "pages/recordings/microphone.js",
  "pages/recordings/sound-import-queue.js",
  "pages/recordings/transcription-jobs.js",
  "pages/speak/session.js",
  "pages/speak/speaking.js",
];

/** @param {string} path @returns {string} The folder, such as `core`; empty for `app.js` and `background.js`. */
const folderOf = (path) => (path.includes("/") ? path.split("/")[0] : "");

/** @param {string} path @returns {string | null} The id of the page that a module belongs to. */
function pageOf(path) {
  const name = /^pages\/([a-z]+)(?:\/|\.js$)/.exec(path)?.[1];
  return name === "lock" || pages.some(({ id }) => id === name) ? (name ?? null) : null;
}

/**
 * Every import of one module by another.
 *
 * @param {(from: string, to: string) => boolean} isWanted
 */
const importsThat = (isWanted) => modules.flatMap((from) => everything(from).filter((to) => isWanted(from, to)).map((to) => ({ from, to })));

describe("the page's folders", () => {
  test("import only from those below them", () => {
    const isRefused = (/** @type {string} */ from, /** @type {string} */ to) => {
      const [own, other] = [folderOf(from), folderOf(to)];
      if (own === "" || own === other) return false;
      return !(/** @type {Record<string, readonly string[]>} */ (layers)[own] ?? []).includes(other);
    };
    assert.deepEqual(importsThat(isRefused), []);
    assert.deepEqual([...new Set(modules.map(folderOf))].sort(), ["", ...Object.keys(layers)].sort());
  });

  test("of one page have no part of another but what that page offers", () => {
    const foreign = importsThat((from, to) => folderOf(from) === "pages" && from !== "pages/registry.js" && pageOf(to) !== null && pageOf(from) !== pageOf(to));
    assert.deepEqual(foreign.filter(({ to }) => !offered.includes(to)), []);
    assert.deepEqual(offered.filter((path) => foreign.every(({ to }) => to !== path)), [], "no page takes these");
  });

  test("never import the list of all pages, which loads them", () => {
    assert.deepEqual(importsThat((from, to) => to === "pages/registry.js" && folderOf(from) !== ""), []);
  });
});

describe("the page's functions", () => {
  test(`have ${longest} lines at most`, () => {
    const long = modules.flatMap((path) =>
      functionsOf(sourceOf(path))
        .filter(({ lines }) => lines > longest)
        .map(({ name, line, lines }) => `${path}:${line} ${name} has ${lines} lines`),
    );
    assert.deepEqual(long, []);
  });

  test("are counted with inner ones and methods, without the comment above", () => {
    const source = "/** A comment. */\nfunction outer() {\n  const inner = () => {\n    run();\n  };\n}\nclass One {\n  #two() {\n    run();\n  }\n}\n";
    const found = functionsOf(source).map(({ name, line, lines }) => [name, line, lines]);
    assert.deepEqual(found, [["outer", 2, 5], ["a function without a name", 3, 3], ["#two", 8, 3]]);
  });
});

/**
 * The addresses of the page's `<link>` elements, without the leading slash.
 *
 * @param {RegExp} kind
 */
function linked(kind) {
  const links = [...sourceOf("index.html").matchAll(/<link [^>]*>/g)].map(([link]) => link);
  return links.filter((link) => kind.test(link)).map((link) => /href="\/([^"]+)"/.exec(link)?.[1] ?? "");
}

/** @param {readonly string[]} styles */
const withoutSlash = (styles) => styles.map((one) => one.slice(1));

/** The files that are loaded after the first paint: background.js, and the styles that `index.html` disables. */
const behind = [...withImports(["background.js"], atOnce), ...linked(/ disabled>/)];

/**
 * The files of a first view, including those loaded after the first paint.
 *
 * @param {string} module
 * @param {readonly string[]} styles
 */
function firstView(module, styles) {
  const page = ["index.html", ...linked(/rel="(stylesheet|icon|apple-touch-icon)"/), ...withoutSlash(styles)];
  return new Set([...page, ...withImports(["app.js", module], atOnce), ...behind]);
}

const [speakPage] = pages;
const known = firstView("pages/speak.js", speakPage.styles);

/** @param {Iterable<string>} paths */
const furtherThanFirst = (paths) => kilobytesSent([...paths].filter((path) => !known.has(path)));

describe("the weight as sent", () => {
  for (const tag of Object.keys(languages)) {
    test(`of the first view is ${firstWeight} kB at most in “${tag}”`, () => {
      const weight = kilobytesSent([...known, `core/locales/${tag}.js`]);
      assert.ok(weight > 20 && weight <= firstWeight, `${weight} kB`);
    });
  }

  test(`of the closed library's view is ${firstWeight} kB at most`, () => {
    const weight = kilobytesSent(firstView("pages/lock.js", lockPage.styles));
    assert.ok(weight > 20 && weight <= firstWeight, `${weight} kB`);
  });

  // These weigh more than their own module: a lower weight means that their imports are not counted.
  const heavy = new Set(["library", "documents", "history", "voices", "settings"]);
  for (const { id, styles } of pages.slice(1)) {
    test(`of ${id}, once the first view is there, is ${furtherWeight} kB at most`, () => {
      const weight = furtherThanFirst([...withImports([`pages/${id}.js`], atOnce), ...withoutSlash(styles)]);
      assert.ok(weight > (heavy.has(id) ? 5 : 0) && weight <= furtherWeight, `${weight} kB`);
    });
  }

  test(`of each part that is loaded later is ${furtherWeight} kB at most`, () => {
    const parts = new Set(modules.flatMap((path) => imports.get(path)?.later ?? []));
    assert.ok(parts.has("pages/documents/viewer/document-viewer.js"));
    const heavy = [...parts]
      .map((path) => ({ path, weight: furtherThanFirst(withImports([path], atOnce)) }))
      .filter(({ weight }) => weight > furtherWeight);
    assert.deepEqual(heavy, []);
  });
});
