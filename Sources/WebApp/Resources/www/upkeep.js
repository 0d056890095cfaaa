import { loadProfiles } from "./server/profiles.js";
import { loadSettings } from "./server/settings.js";
import { listVoices } from "./server/voices.js";
import { onServer } from "./core/events.js";
import { isOpen, profiles, settings, voices } from "./core/store.js";

/**
 * Keeps settings, profiles and voices of the store as the server has them, until `signal` is aborted.
 *
 * @param {AbortSignal} signal
 */
export function keepStore(signal) {
  onServer("settings", refreshSettings, signal);
  onServer("profiles", refreshProfiles, signal);
  onServer("reset", refreshStore, signal);
}

export async function refreshStore() {
  if (isOpen()) await Promise.all([refreshSettings(), refreshProfiles(), refreshVoices()]);
}

/** Lets go of what is private, now that the library is closed. */
export function emptyStore() {
  voices.set(null);
  profiles.set(null);
}

async function refreshSettings() {
  const all = await asked(loadSettings);
  if (all !== null) settings.set(new Map(all.map((one) => [one.name, one])));
}

async function refreshProfiles() {
  const all = await asked(loadProfiles);
  if (all !== null) profiles.set(all);
}

async function refreshVoices() {
  const all = await asked(listVoices);
  if (all !== null) voices.set(all);
}

/**
 * What the server says, or `null`: the next event or reconnection asks again, and what was shown stays.
 *
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @returns {Promise<Answer | null>}
 */
async function asked(ask) {
  try {
    return await ask();
  } catch {
    return null;
  }
}
