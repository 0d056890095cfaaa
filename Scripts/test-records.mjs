// A reporter for node's tests: one line of JSON for each, with its file, so that a failed test can be run again.
import { relative } from "node:path";

/** @param {AsyncIterable<any>} events */
export default async function* records(events) {
  /** @type {Map<string, Set<string>>} The names of the running tests and suites, by file. */
  const running = new Map();
  for await (const { type, data } of events) {
    if (!data.name) continue;
    const file = relative(process.cwd(), data.file ?? data.name);
    // Node reports a file as a test too, and a suite together with its tests.
    const isFile = relative(process.cwd(), data.name) === file;
    const names = running.get(file) ?? new Set();
    running.set(file, names);
    if (type === "test:dequeue" && !isFile) names.add(data.name);
    if (type === "test:complete") names.delete(data.name);
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue;
    const error = data.details?.error;
    if (type === "test:pass") {
      const skipped = data.skip === true ? "no reason given" : data.skip;
      yield line({ file, name: data.name, ...(skipped === undefined ? { passed: true } : { skipped }) });
    } else if (error?.failureType !== "subtestsFailed") {
      const why = String(error?.cause?.message ?? error?.cause ?? error).split("\n")[0];
      for (const name of isFile && names.size > 0 ? names : [data.name]) yield line({ file, name, why });
    }
  }
}

/** @param {object} record */
const line = (record) => JSON.stringify(record) + "\n";
