// Shows push messages and opens their link on click.

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
    // Browsers require every push to show a notification.
    return {};
  }
}

async function show({ title, body, link, tag }) {
  const pages = await self.clients.matchAll({ type: 'window' });
  // A focused page shows the notification itself.
  const isPageFocused = pages.some((page) => page.focused);
  await self.registration.showNotification(title || 'Farmgate', {
    body: body || 'There is news for you.',
    icon: '/favicon.svg',
    data: { link },
    silent: isPageFocused,
    ...(tag ? { tag } : {}),
  });
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
