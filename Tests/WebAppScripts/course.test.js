import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Course, playListOf, queryStringOf } from "../../Sources/WebApp/Resources/www/player/play-queue.js";
import { json, stubServer } from "./stub-server.js";

const names = ["a", "b", "c", "d"];

/** A list of recordings whose requests fail while `isSilent`. */
function list() {
  const state = { isSilent: false };
  const load = async () => {
    if (state.isSilent) throw new Error("no answer");
    return { items: names.map((id) => /** @type {any} */ ({ id })), total: names.length };
  };
  return { state, list: { load } };
}

/** @param {Course} course */
const around = ({ neighbours: { value } }) => [value.before?.item.id, value.after?.item.id];

describe("the way through a list", () => {
  it("leads to the neighbors in its order, past what cannot be played", async () => {
    const course = new Course((id) => id !== "c");
    course.take(list().list, "b", 1);
    await course.known();
    assert.deepEqual(around(course), ["a", "d"]);
  });

  it("has no neighbors of the recording before when a request fails, says why, and asks once more", async () => {
    const { state, list: through } = list();
    const course = new Course(() => true);
    course.take(through, "a", 0);
    await course.known();
    assert.deepEqual(around(course), [undefined, "b"]);
    state.isSilent = true;
    course.move("b", 1);
    await course.known();
    assert.deepEqual(around(course), [undefined, undefined]);
    assert.equal(/** @type {Error} */ (course.problem).message, "no answer");
    state.isSilent = false;
    await course.known();
    assert.deepEqual([around(course), course.problem], [["a", "c"], null]);
  });

  it("outlives the page as a query string", async (/** @type {import("node:test").TestContext} */ context) => {
    const query = /** @type {const} */ ({ order: "name", ascending: true, words: "sea & sky", voice: ["x", "y"], favorite: undefined });
    const course = new Course(() => true);
    course.take({ ...list().list, query: { ...query, voice: [...query.voice] } }, "b", 1);
    await course.known();
    const asked = stubServer(context, () => json({ items: [], total: 0 }));
    const { list: again, at } = await playListOf(/** @type {any} */ ({ id: "b" }), course.queryString);
    await again.load({ offset: 50, limit: 50 }, new AbortController().signal);
    assert.equal(at, 1);
    assert.equal(asked[0]?.address, "/api/library?order=name&ascending=true&words=sea+%26+sky&voice=x&voice=y&offset=50&limit=50");
    assert.equal(queryStringOf(again, 3), "order=name&ascending=true&words=sea+%26+sky&voice=x&voice=y&offset=3");
  });
});
