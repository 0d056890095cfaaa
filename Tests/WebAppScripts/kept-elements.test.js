import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fill, kept } from "../../Sources/WebApp/Resources/www/core/dom.js";

/** A node with just what `fill` uses; it counts how often it was moved or removed. */
class Part {
  /** @type {(Part | string)[]} */
  childNodes = [];
  /** @type {Part | null} */
  parent = null;
  moves = 0;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get nextSibling() {
    const { childNodes } = /** @type {Part} */ (this.parent);
    return childNodes[childNodes.indexOf(this) + 1] ?? null;
  }

  remove() {
    if (this.parent === null) return;
    this.parent.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
    this.parent = null;
    this.moves += 1;
  }

  /** @param {Part | string} child */
  append(child) {
    this.insert(child, this.childNodes.length);
  }

  /** @param {Part | string} other */
  before(other) {
    if (other instanceof Part) other.remove();
    const parent = /** @type {Part} */ (this.parent);
    parent.insert(other, parent.childNodes.indexOf(this));
  }

  /**
   * @param {Part | string} child
   * @param {number} at
   */
  insert(child, at) {
    const part = child instanceof Part ? child : new Part(child);
    part.parent = this;
    this.childNodes.splice(at, 0, part);
  }
}

/** @param {...string} names */
const parts = (...names) => names.map((name) => new Part(name));

/** @param {Part} place */
const namesIn = (place) => place.childNodes.map((one) => /** @type {Part} */ (one).name);

/**
 * @param {Part} place
 * @param {...any} children
 */
const show = (place, ...children) => fill(/** @type {any} */ (place), ...children);

describe("what is shown again", () => {
  test("stays where it is, whatever comes and goes around it", () => {
    const [place, words, stop, others] = parts("place", "words", "stop", "others");
    show(place, words, stop);
    show(place, "a note", "waits", stop, others);
    assert.deepEqual(namesIn(place), ["a note", "waits", "stop", "others"]);
    show(place, stop, null, false, undefined, "done");
    assert.deepEqual(namesIn(place), ["stop", "done"]);
    assert.equal(stop.moves, 0, "a press on it, and the focus, are not lost");
    assert.equal(words.moves, 1);
  });

  test("comes in the order that is wanted", () => {
    const [place, one, two, three] = parts("place", "one", "two", "three");
    show(place, one, two, three);
    show(place, three, one, two);
    assert.deepEqual(namesIn(place), ["three", "one", "two"]);
    assert.deepEqual([one.moves, two.moves], [0, 0]);
    show(place, two, three);
    assert.deepEqual(namesIn(place), ["two", "three"]);
    show(place);
    assert.deepEqual(namesIn(place), []);
  });

  test("is made once for each key", () => {
    const all = new Map();
    const make = (/** @type {string} */ key) => kept(all, key, () => new Part(key));
    assert.equal(make("play"), make("play"));
    assert.notEqual(make("play"), make("stop"));
  });
});
