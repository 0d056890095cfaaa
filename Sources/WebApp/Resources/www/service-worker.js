/**
 * Keeps the shell of the page, so that it opens at once and can say that EchoText is not running. Nothing of a person's is
 * kept: what lies below /api and /open goes to the server, always.
 *
 * Each answer is taken from the server while it can be reached; the kept one is for when it cannot.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const cacheName = "shell";
const start = "/";

worker.addEventListener("install", (event) => {
  event.waitUntil(keepStart().then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(worker.clients.claim());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith("/api/") || pathname.startsWith("/open/")) return;
  event.respondWith(answer(request));
});

async function keepStart() {
  const cache = await caches.open(cacheName);
  await cache.add(start);
}

/** @param {Request} request */
async function answer(request) {
  const key = request.mode === "navigate" ? start : request;
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    const isShell = response.ok && response.type === "basic" && !response.redirected;
    if (isShell) await cache.put(key, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept !== undefined) return kept;
    throw error;
  }
}
