import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ItemWindow } from "../../Sources/WebApp/Resources/www/pages/list/item-list.js";

/** A fake library of numbered items that records which pages were requested. */
class NumberedLibrary {
  /** @type {{ offset: number, words: string | undefined, signal: AbortSignal, come: () => void, fail: () => void }[]} */
  asked = [];
  isManual = false;
  /** How many items it reports as unreadable. */
  unreadable = 0;

  /** @param {number} total */
  constructor(total) {
    this.total = total;
  }

  /**
   * @param {any} query
   * @param {AbortSignal} signal
   * @returns {Promise<any>}
   */
  load = ({ offset = 0, limit = 50, words }, signal) =>
    new Promise((resolve, reject) => {
      const come = () => {
        const length = Math.max(0, Math.min(limit, this.total - offset));
        const items = Array.from({ length }, (_, index) => ({ id: `${words ?? ""}${offset + index}` }));
        resolve({ items, total: this.total, unreadable: this.unreadable });
      };
      signal.addEventListener("abort", () => reject(signal.reason));
      this.asked.push({ offset, words, signal, come, fail: () => reject(new Error("refused")) });
      if (!this.isManual) come();
    });
}

/** @param {number} total */
function windowOn(total) {
  const library = new NumberedLibrary(total);
  /** @type {Set<string>} */
  const hidden = new Set();
  const log = { changes: 0, failures: /** @type {unknown[]} */ ([]) };
  const items = new ItemWindow({
    load: library.load,
    changed: () => (log.changes += 1),
    failed: (error) => log.failures.push(error),
    isHidden: (id) => hidden.has(id),
  });
  return { items, library, hidden, log };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the window on a long list", () => {
  it("knows no count before the first answer", async () => {
    const { items } = windowOn(250);
    assert.equal(items.count, null);
    await items.open({});
    assert.equal(items.count, 250);
    assert.equal(items.item(99)?.id, "99");
    assert.equal(items.item(100), undefined);
  });

  it("knows how many items cannot be read, from every answer", async () => {
    const { items, library } = windowOn(250);
    assert.equal(items.unreadable, 0);
    library.unreadable = 2;
    await items.open({});
    assert.equal(items.unreadable, 2);
    library.unreadable = 3;
    items.need(150, 160);
    await turn();
    assert.equal(items.unreadable, 3);
  });

  it("asks once for each page that is looked at", async () => {
    const { items, library } = windowOn(10_000);
    await items.open({});
    items.need(5190, 5230);
    items.need(5195, 5235);
    await turn();
    assert.deepEqual(library.asked.map(({ offset }) => offset), [0, 5100, 5200]);
    assert.equal(items.item(5210)?.id, "5210");
  });

  it("lets go of pages that were scrolled past before they came", async () => {
    const { items, library } = windowOn(10_000);
    await items.open({});
    library.isManual = true;
    items.need(3000, 3010);
    items.need(7000, 7010);
    assert.deepEqual(library.asked.map(({ signal }) => signal.aborted), [false, true, false]);
    await turn();
  });

  it("keeps a bounded number of pages and asks again for the rest", async () => {
    const { items, library } = windowOn(10_000);
    await items.open({});
    for (let page = 1; page <= 12; page += 1) {
      items.need(page * 100, page * 100 + 1);
      await turn();
    }
    assert.equal(items.item(0), undefined);
    assert.equal(items.item(100)?.id, "100");
    items.need(0, 1);
    await turn();
    assert.equal(items.item(0)?.id, "0");
    assert.equal(library.asked.length, 14);
  });

  it("shows the old list until the new one has come, and never an overtaken one", async () => {
    const { items, library } = windowOn(250);
    await items.open({});
    library.isManual = true;
    items.open({ words: "a" });
    const last = items.open({ words: "ab" });
    assert.equal(items.item(0)?.id, "0");
    library.asked[1]?.come();
    library.asked[2]?.come();
    await last;
    assert.equal(items.item(0)?.id, "ab0");
  });

  it("fills the old list by the old query while the new one is on its way", async () => {
    const { items, library } = windowOn(250);
    await items.open({ words: "a" });
    library.isManual = true;
    items.open({ words: "ab" });
    items.need(150, 160);
    library.asked[2]?.come();
    await turn();
    assert.equal(items.item(150)?.id, "a150");
    assert.deepEqual(items.query, { words: "a" });
  });

  it("closes up over hidden items across pages and opens again", async () => {
    const { items, hidden } = windowOn(250);
    await items.open({});
    items.need(90, 110);
    await turn();
    for (const id of ["0", "98", "99", "100"]) hidden.add(id);
    items.hiddenChanged();
    assert.equal(items.count, 246);
    assert.deepEqual([0, 96, 97, 98].map((place) => items.item(place)?.id), ["1", "97", "101", "102"]);
    assert.equal(items.place("101"), 97);
    hidden.clear();
    items.hiddenChanged();
    assert.deepEqual([0, 98, 100].map((place) => items.item(place)?.id), ["0", "98", "100"]);
  });

  it("refreshes what is looked at in one step", async () => {
    const { items, library, log } = windowOn(10_000);
    await items.open({});
    items.need(4990, 5010);
    await turn();
    library.total = 9_999;
    const before = log.changes;
    await items.refresh();
    assert.deepEqual(library.asked.slice(3).map(({ offset }) => offset), [4900, 5000]);
    assert.equal(log.changes, before + 1);
    assert.equal(items.count, 9_999);
  });

  it("changes an item in place", async () => {
    const { items } = windowOn(3);
    await items.open({});
    items.replace([/** @type {any} */ ({ id: "1", name: "New" })]);
    assert.equal(items.item(1)?.name, "New");
    assert.equal(items.find("2")?.id, "2");
    assert.equal(items.find("9"), undefined);
  });

  it("lists the ids of all that is visible", async () => {
    const { items, hidden } = windowOn(1_203);
    await items.open({});
    hidden.add("700");
    const ids = await items.allIds(new AbortController().signal);
    assert.equal(ids.length, 1_202);
    assert.equal(ids[700], "701");
  });

  it("reports a refusal once and no request that it ended itself", async () => {
    const { items, library, log } = windowOn(500);
    await items.open({});
    library.isManual = true;
    items.need(200, 201);
    library.asked[1]?.fail();
    await turn();
    assert.equal(log.failures.length, 1);
    items.need(300, 301);
    items.close();
    await turn();
    assert.equal(log.failures.length, 1);
  });
});
