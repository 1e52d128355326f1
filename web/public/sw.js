// Keeps the application in the browser, so that it opens without waiting for the network, and shows push messages.
// What people have read is not kept here: see docs/adr/0023-kept-reads.md.

// The build writes here what it has made (vite.offline.ts). In development nothing is kept.
const BUILD = null;

const SHELL = '/index.html';
const FILES_PREFIX = 'farmgate-files-';
const PAGES_PREFIX = 'farmgate-pages-';
const FILES = FILES_PREFIX + BUILD?.id;
const PAGES = PAGES_PREFIX + BUILD?.id;
/** How long a public page waits for the network before it shows what is kept. */
const NETWORK_TIMEOUT_MS = 300;
/** How long it waits before it asks for a file again. */
const REPEAT_DELAY_MS = 300;
/** The most public pages that are kept, the latest. */
const PAGES_MAX = 30;

const CATALOGUES = Object.entries(BUILD?.catalogues ?? {});
const OWN_FILES = new Set(
  BUILD ? [...BUILD.first, ...BUILD.rest, ...Object.values(BUILD.catalogues).flat()] : [],
);

/** Pages that the server alone makes. */
const IS_SERVERS = new RegExp(BUILD?.patterns.servers);
/** Pages that are empty until the application has fetched what they show. */
const IS_SHELL_ALONE = new RegExp(BUILD?.patterns.shellAlone);
/** Pages whose content is everybody's. */
const IS_PUBLIC = new RegExp(BUILD?.patterns.everybodys);

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (!BUILD || request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (IS_SERVERS.test(url.pathname)) return;
    const isShellAlone = IS_SHELL_ALONE.test(url.pathname);
    event.respondWith(isShellAlone ? shell(request) : page(event, url));
  } else if (url.pathname.startsWith('/assets/') || BUILD.fixed.includes(url.pathname)) {
    event.respondWith(file(request, url.pathname));
  }
});

self.addEventListener('message', (event) => {
  if (event.data === 'which build') event.ports[0]?.postMessage(BUILD?.entry ?? null);
  // Pages of a release before do not say their language.
  if (event.data === 'keep everything' && BUILD) event.waitUntil(keepFiles(BUILD.rest));
  const { keep, language } = event.data ?? {};
  if (language !== undefined && BUILD) event.waitUntil(keepCatalogue(language));
  if (keep === 'everything' && BUILD) event.waitUntil(keepFiles(BUILD.rest));
});

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  const { link, token } = notification.data ?? {};
  // An alert has one action. Where its button is not shown, a tap opens the page.
  event.waitUntil(action && token ? acknowledge(notification) : open(link));
});

async function install() {
  if (BUILD) await Promise.all([keepShell(), keepFiles(BUILD.fixed), keepFiles(BUILD.first)]);
  // Pages of the build before go on with its files, and change over when nothing is being written there.
  await self.skipWaiting();
}

/** Keeps the shell. Fails while a release is under way and the shell is another build's. */
async function keepShell() {
  const response = await fetch(SHELL, { cache: 'no-cache' });
  const text = await response.clone().text();
  if (!response.ok || !text.includes(BUILD.entry))
    throw new Error('The shell is of another build.');
  await (await caches.open(FILES)).put(SHELL, response);
}

/** Keeps those of the files that are not kept yet. Names of files in /assets change with their content. */
async function keepFiles(paths) {
  const files = await caches.open(FILES);
  const keep = async (path) => {
    if (await files.match(path)) return;
    const isNamedByContent = path.startsWith('/assets/');
    const known = isNamedByContent ? await caches.match(path, { ignoreVary: true }) : undefined;
    const response = known ?? (await fetch(path, isNamedByContent ? {} : { cache: 'no-cache' }));
    if (!response.ok) throw new Error(`${path} could not be fetched.`);
    await files.put(path, response);
  };
  await Promise.all(paths.map(keep));
}

/** Keeps the translations that the reader needs, and no others. Readers of English need none. */
async function keepCatalogue(language) {
  const files = await caches.open(FILES);
  const others = CATALOGUES.filter(([each]) => each !== language).flatMap(([, paths]) => paths);
  await Promise.all(others.map((path) => files.delete(path, { ignoreVary: true })));
  await keepFiles(BUILD.catalogues[language] ?? []);
}

async function activate() {
  const names = await caches.keys();
  // Pages that are still open may need files of the build before.
  const files = names.filter((name) => name.startsWith(FILES_PREFIX) && name !== FILES);
  const pages = names.filter((name) => name.startsWith(PAGES_PREFIX) && name !== PAGES);
  await Promise.all([...files.slice(0, -1), ...pages].map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Returns the empty page of this build, which the application fills. */
async function shell(request) {
  const kept = await (await caches.open(FILES)).match(SHELL, { ignoreVary: true });
  return kept ?? fetch(request);
}

/** Asks the network for a page, but not for long if the page or the shell is kept. */
async function page(event, { pathname }) {
  const { request } = event;
  const isPublic = IS_PUBLIC.test(pathname);
  const answer = fetch(request);
  const settled = answer.then(
    (response) => ({ response }),
    (error) => ({ error }),
  );
  if (isPublic) event.waitUntil(settled.then((outcome) => keepPage(request, outcome.response)));
  // What the server alone may know of, such as a page that does not exist, is waited for.
  const first = await (isPublic ? Promise.race([settled, timeout()]) : settled);
  if (first?.response) return first.response;
  const pages = await caches.open(PAGES);
  const kept = isPublic ? await pages.match(request, { ignoreVary: true }) : undefined;
  return kept ?? (await (await caches.open(FILES)).match(SHELL, { ignoreVary: true })) ?? answer;
}

const timeout = () => new Promise((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS));

/** Keeps a page that anybody may see and that needs the files of this build, and removes one that is there no more. */
async function keepPage(request, response) {
  if (response?.status === 404) {
    await (await caches.open(PAGES)).delete(request, { ignoreVary: true });
    return;
  }
  if (!response?.ok || response.redirected) return;
  if (/no-store|private/.test(response.headers.get('Cache-Control') ?? '')) return;
  const text = await response.clone().text();
  if (!text.includes(BUILD.entry)) return;
  // The page then says of when it is, and asks for what is newer: web/platform/offline/kept-reads.ts.
  const dated = text.replace('<html ', `<html data-as-of="${Date.now()}" `);
  const { status, headers } = response;
  const copy = new Response(dated, { status, headers });
  const pages = await caches.open(PAGES);
  // Put last again, because the first ones are removed.
  await pages.delete(request, { ignoreVary: true });
  await pages.put(request, copy);
  const keys = await pages.keys();
  await Promise.all(keys.slice(0, -PAGES_MAX).map((key) => pages.delete(key)));
}

/** Returns a file of the application, also of the build before. */
async function file(request, path) {
  const files = await caches.open(FILES);
  const own = await files.match(path, { ignoreVary: true });
  if (own) return own;
  const older = await caches.match(path, { ignoreVary: true });
  if (older && path.startsWith('/assets/')) return older;
  const response = await fetchTwice(request);
  // The release of this worker is gone: its pages come from the server.
  if (response.status === 404 && OWN_FILES.has(path))
    await files.delete(SHELL, { ignoreVary: true });
  const isWhole = response.status === 200 && response.type === 'basic';
  if (isWhole && BUILD.rest.includes(path)) await files.put(path, response.clone());
  return response;
}

/** Asks again for what is not there: of several servers another one may have it, or the same in a moment. */
async function fetchTwice(request) {
  const response = await fetch(request);
  if (response.ok) return response;
  await new Promise((resolve) => setTimeout(resolve, REPEAT_DELAY_MS));
  return fetch(request);
}

function read(data) {
  try {
    return data.json();
  } catch {
    // Browsers require every push to show a notification.
    return {};
  }
}

/** Shows a push message. Servers of a release before leave out what is not in all of them. */
async function show(message) {
  const { title, body, link, tag, lang, dir, token, actions, badge, failure } = message;
  const pages = await self.clients.matchAll({ type: 'window' });
  // A focused page shows the notification itself. An alert insists all the same.
  const silent = message.silent ?? pages.some((page) => page.focused);
  await Promise.all([
    self.registration.showNotification(title || self.location.hostname, {
      body: body || '',
      icon: '/favicon.svg',
      data: { link, token, badge, failure, ...(lang ? { lang, dir } : {}) },
      silent,
      ...(tag ? { tag, renotify: message.renotify === true } : {}),
      ...(lang ? { lang, dir } : {}),
      ...(message.requireInteraction ? { requireInteraction: true } : {}),
      ...(Array.isArray(actions) ? { actions } : {}),
      // Browsers refuse a message that is silent and vibrates.
      ...(Array.isArray(message.vibrate) && !silent ? { vibrate: message.vibrate } : {}),
    }),
    showBadge(badge),
  ]);
}

/** Shows how much waits at the installed app's icon. */
async function showBadge(count) {
  if (typeof count !== 'number') return;
  // Missing in browsers that install no apps, and refused where none is installed.
  const change = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  await change?.catch(() => undefined);
}

/** Says "I'm on it" without opening the application. There is no session here: the message brought a token. */
async function acknowledge({ title, tag, data }) {
  try {
    const response = await fetch('/api/attention/acknowledgements', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: data.token }),
    });
    if (!response.ok) throw new Error(`The answer was ${response.status}.`);
    const { data: acknowledged } = await response.json();
    // What asks again since then is not answered by an older message.
    if (acknowledged.some(({ state }) => state === 'waiting' || state === 'exhausted'))
      throw new Error('It still asks.');
    await showBadge(Math.max(0, (data.badge ?? 0) - acknowledged.length));
  } catch {
    await self.registration.showNotification(title, {
      // The worker has no sentences of its own: the message brought this one, too.
      body: data.failure || '',
      icon: '/favicon.svg',
      data,
      ...(tag ? { tag, renotify: true } : {}),
      ...(data.lang ? { lang: data.lang, dir: data.dir } : {}),
    });
  }
}

async function open(link) {
  // Only URLs of this origin are opened.
  const url = new URL(typeof link === 'string' ? link : '/', self.location.origin);
  if (url.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find((one) => one.focused) ?? pages[0];
  if (!page) {
    await self.clients.openWindow(url.href);
    return;
  }
  await page.focus();
  await page.navigate(url.href);
}
