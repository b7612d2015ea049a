// The page without a network: the rules and the table companion work on a train, too.
//
// The build puts the list of its files here and a version made of their contents
// (src/sw.ts). A new version waits until the old one's last tab is closed, so that nobody's
// page loses the files that belong to it.

const VERSION = "__VERSION__";
const FILES = ["__FILES__"];

const PREFIX = "five211-";
const CACHE = PREFIX + VERSION;
const INDEX = "/index.html";
const PATIENCE = 4000; // a bad network is given this long before the kept page is shown
const LIVE = /^\/(api|socket)(\/|$)/; // never kept, never answered from here

self.addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin || LIVE.test(url.pathname))
    return;
  if (request.mode === "navigate") event.respondWith(screen(request));
  else if (FILES.includes(url.pathname)) event.respondWith(file(request, url.pathname));
});

async function tidy() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function kept(path) {
  const cache = await caches.open(CACHE);
  return cache.match(path, { ignoreVary: true });
}

/** The network first, so that a new version is seen; the kept page if it does not answer. */
async function screen(request) {
  const asked = fetch(request);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
  try {
    const answer = await Promise.race([asked, late]);
    if (answer && answer.status < 500) return answer;
  } catch {
    // No network.
  }
  return (await kept(INDEX)) ?? asked;
}

/** Files that belong to this version. */
async function file(request, path) {
  return (await kept(path)) ?? fetch(request);
}
