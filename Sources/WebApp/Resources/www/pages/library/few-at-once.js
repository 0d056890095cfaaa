/** Maximum number of concurrent requests; a browser opens six connections per server, for all tabs together. */
const few = 3;

/**
 * Runs work on many things, a few at a time.
 *
 * @template Thing
 * @template Result
 * @param {readonly Thing[]} things
 * @param {(thing: Thing) => Promise<Result>} work
 * @returns {Promise<Result[]>} In the order of the things; rejected with the first failure, after which no more work
 * starts.
 */
export async function eachOf(things, work) {
  /** @type {Result[]} */
  const results = new Array(things.length);
  let next = 0;
  let hasFailed = false;
  const takeNext = async () => {
    while (next < things.length && !hasFailed) {
      const at = next++;
      try {
        results[at] = await work(things[at]);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: few }, takeNext));
  return results;
}
