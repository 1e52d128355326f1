// Shows push messages while no page of the market is looked at, and opens what they are about.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event.data)));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.link));
});

function read(data) {
  try {
    return data.json();
  } catch {
    // A browser that is woken must show something.
    return {};
  }
}

async function show({ title, body, link, tag }) {
  const pages = await self.clients.matchAll({ type: 'window' });
  // Whoever looks at the market has the live page and its bell.
  const isLookedAt = pages.some((page) => page.focused);
  await self.registration.showNotification(title || 'Farmgate', {
    body: body || 'There is news for you.',
    icon: '/favicon.svg',
    data: { link },
    silent: isLookedAt,
    ...(tag ? { tag } : {}),
  });
}

async function open(link) {
  // Only a path of our own is gone to.
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
