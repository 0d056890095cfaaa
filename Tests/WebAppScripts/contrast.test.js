import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

const style = (/** @type {string} */ file) => readFileSync(new URL(`../../Sources/WebApp/Resources/www/${file}`, import.meta.url), "utf8");

/**
 * The tokens of a theme: those of the root, and the theme's own over them.
 *
 * @param {readonly string[]} selectors
 */
function tokens(selectors) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const selector of selectors) {
    const [, block = ""] = style("app.css").split(`\n${selector} {`);
    for (const [, name, color] of block.slice(0, block.indexOf("}")).matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)) found.set(name, color);
  }
  return found;
}

const themes = { light: tokens([":root"]), dark: tokens([":root", '[data-theme="dark"]']) };

/**
 * The relative luminance of a color.
 *
 * - SeeAlso: WCAG 2.2, “relative luminance”.
 *
 * @param {string} color
 */
function luminance(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @param {string} one
 * @param {string} other
 */
function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/**
 * The declarations of a style sheet for a selector.
 *
 * @param {string} file
 * @param {string} selector
 */
function declared(file, selector) {
  const [, block = ""] = style(file).split(`\n${selector} {`);
  return block.slice(0, block.indexOf("}"));
}

/** @param {string} block */
const tokenOf = (block, property = "color") => new RegExp(`(?:^|[ ;])${property}: var\\(--([a-z-]+)\\)`, "m").exec(block)?.[1] ?? "";

describe("colors", () => {
  test("of black and white are as far apart as can be", () => assert.equal(contrast("#000000", "#ffffff"), 21));

  for (const [name, colors] of Object.entries(themes)) {
    const between = (/** @type {string} */ one, /** @type {string} */ other) => contrast(colors.get(one) ?? "", colors.get(other) ?? "");

    test(`of a main button that cannot be pressed let it be read in the ${name} theme`, () => {
      const block = declared("app.css", '.button.primary:is(:disabled, [aria-disabled="true"])');
      assert.match(block, /opacity: 1;/);
      const ratio = between(tokenOf(block), tokenOf(block, "background"));
      assert.ok(ratio >= 4.5, `${ratio}`);
    });

    test(`of the lines of an echo stand out in the ${name} theme`, () => {
      assert.doesNotMatch(declared("styles/practice-session.css", ".take-drawing .loudness"), /opacity/);
      for (const whose of ["take", "model"]) {
        const token = tokenOf(declared("styles/practice-session.css", `.take-drawing .${whose}`), "stroke");
        const ratio = between(token, "sunken");
        assert.ok(ratio >= 3, `${whose}: ${ratio}`);
      }
    });
  }

  test("and strokes of an echo's lines are in the key as they are drawn", () => {
    const drawn = (/** @type {string} */ selector) => declared("styles/practice-session.css", selector);
    const key = (/** @type {string} */ lines) => drawn(`.drawing-key ${lines}::before`);
    const width = (/** @type {string} */ block) => /stroke-width: ([\d.]+);/.exec(block)?.[1];
    assert.match(key("li"), new RegExp(`border-top: ${width(drawn(".take-drawing .line"))}px solid var\\(--${tokenOf(drawn(".take-drawing .take"), "stroke")}\\)`));
    assert.match(key(".loudness"), new RegExp(`border-top-width: ${width(drawn(".take-drawing .loudness"))}px`));
    assert.match(drawn(".take-drawing .model"), /stroke-dasharray/);
    assert.match(key(".model"), /border-top-style: dashed/);
    assert.equal(tokenOf(key(".model"), "border-top-color"), tokenOf(drawn(".take-drawing .model"), "stroke"));
  });
});
