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
  const tried = new Set(); // each once, for asking is loading again
  const watcher = new PerformanceObserver(async (list) => {
    try {
      for (const { name } of list.getEntries()) {
        if (tried.has(name) || !name.startsWith(own) || name.startsWith(`${own}api/`)) continue;
        tried.add(name);
        if (await cache.match(name)) continue;
        const answer = await fetch(name);
        if (answer.ok) await cache.put(name, answer);
      }
    } catch {
      watcher.disconnect(); // the server has gone: the worker keeps what is loaded when it is back
    }
  });
  watcher.observe({ type: "resource", buffered: true });
}
