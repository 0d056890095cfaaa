/** The cache in which `service-worker.js` looks. */
const cacheName = "shell";

/**
 * Lets the browser keep the shell, so that the page can be installed, and opens to say so when EchoText is not running.
 * Nothing below /api is kept.
 */
export async function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  const policy = window.trustedTypes?.createPolicy("echotext-worker", { createScriptURL: (address) => address });
  const address = "/service-worker.js";
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(address) ?? address);
    await keepWhatWasLoaded();
  } catch {
    // A browser that refuses (a private window, a rule of its owner) leaves the page as it is, only not installable.
  }
}

/** What was loaded before the worker was there to see it. */
async function keepWhatWasLoaded() {
  const cache = await caches.open(cacheName);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const shell = loaded.filter(({ origin, pathname }) => origin === location.origin && !pathname.startsWith("/api/"));
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  await cache.addAll(shell.map(({ href }) => href).filter((href, at, all) => !kept.has(href) && all.indexOf(href) === at));
}
