/**
 * Holds a session against the other tabs of this browser.
 *
 * @param {string} id
 * @returns {Promise<() => void>} Lets go of it.
 */
export function holdSession(id) {
  return new Promise((resolve) => {
    const held = navigator.locks?.request(`recording ${id}`, () => new Promise((release) => resolve(() => release(undefined))));
    if (held === undefined) resolve(() => {});
  });
}

/**
 * Does something to a session that no other tab of this browser holds.
 *
 * @param {string} id
 * @param {() => Promise<void>} work
 */
export async function withFreeSession(id, work) {
  await navigator.locks?.request(`recording ${id}`, { ifAvailable: true }, (lock) => lock && work());
}
