/**
 * Locks a session against the other tabs of this browser.
 *
 * @param {string} id
 * @returns {Promise<() => void>} Releases it.
 */
export function holdSession(id) {
  return new Promise((resolve) => {
    const held = navigator.locks?.request(`recording ${id}`, () => new Promise((release) => resolve(() => release(undefined))));
    if (held === undefined) resolve(() => {});
  });
}

/**
 * Runs something on a session that no other tab of this browser has locked.
 *
 * @param {string} id
 * @param {() => Promise<void>} work
 */
export async function withFreeSession(id, work) {
  await navigator.locks?.request(`recording ${id}`, { ifAvailable: true }, (lock) => lock && work());
}
