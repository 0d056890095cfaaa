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

/** What was loaded before the worker was there to see it, one after another: all at once hold up the page. */
async function keepWhatWasLoaded() {
  const cache = await caches.open(cacheName);
  for (const { name } of performance.getEntriesByType("resource")) {
    const { origin, pathname } = new URL(name);
    const isShell = origin === location.origin && !pathname.startsWith("/api/");
    if (isShell && !(await cache.match(name))) await cache.add(name);
  }
}
