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
    await keepWhatIsLoaded();
  } catch {
    // A browser that refuses (a private window, a rule of its owner) leaves the page as it is, only not installable.
  }
}

/** What is loaded before the worker is there to see it: each file by itself, as all at once hold up the page. */
async function keepWhatIsLoaded() {
  const cache = await caches.open(cacheName);
  const own = `${location.origin}/`;
  new PerformanceObserver(async (list) => {
    for (const { name } of list.getEntries()) {
      const isShell = name.startsWith(own) && !name.startsWith(`${own}api/`);
      // One that cannot be kept now is kept when it is loaded again.
      if (isShell && !(await cache.match(name))) await cache.add(name).catch(() => {});
    }
  }).observe({ type: "resource", buffered: true });
}
