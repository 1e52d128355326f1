import type { BrowserContext, Page, Worker } from 'playwright-core';
import { until } from '../../testing/until.ts';
import type { openPushService, ReceivedPush } from '../../workers/testing/push-service.ts';

// Push messages and system notifications in a full browser.

type PushService = Awaited<ReturnType<typeof openPushService>>;
let subscriptions = 0;

/**
 * Redirects push subscriptions, which a browser requests from its vendor's push service, to the test's own.
 * Everything else of the browser is unchanged.
 */
export async function connectPush(context: BrowserContext, push: PushService) {
  const seen = { permissionRequests: 0, keys: [] as string[], ended: [] as string[] };
  await context.exposeFunction('testAsked', () => {
    seen.permissionRequests += 1;
  });
  await context.exposeFunction('testSubscribe', (key: string) => {
    push.expectSender(key);
    seen.keys.push(key);
    subscriptions += 1;
    return push.subscribe(`browser-${subscriptions}`);
  });
  await context.exposeFunction('testUnsubscribe', (endpoint: string) => {
    push.unsubscribe(endpoint.split('/').at(-1) ?? '');
    seen.ended.push(endpoint);
  });
  await context.addInitScript(() => {
    // about:blank has no push.
    if (!('PushManager' in window)) return;
    type Kept = { endpoint: string; keys: Record<string, string> };
    const { testAsked, testSubscribe, testUnsubscribe } = window as unknown as {
      testAsked: () => Promise<void>;
      testSubscribe: (key: unknown) => Promise<Kept>;
      testUnsubscribe: (endpoint: string) => Promise<void>;
    };
    const storageKey = 'push subscription';
    const current = () => {
      const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Kept | null;
      return (
        kept && {
          endpoint: kept.endpoint,
          toJSON: () => ({ ...kept, expirationTime: null }),
          unsubscribe: async () => {
            localStorage.removeItem(storageKey);
            await testUnsubscribe(kept.endpoint);
            return true;
          },
        }
      );
    };
    PushManager.prototype.getSubscription = async () => current() as PushSubscription | null;
    PushManager.prototype.subscribe = async (options) => {
      const kept = await testSubscribe(options?.applicationServerKey);
      localStorage.setItem(storageKey, JSON.stringify(kept));
      return current() as unknown as PushSubscription;
    };
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = async (...rest) => {
      await testAsked();
      return ask(...rest);
    };
  });
  return seen;
}

/**
 * Delivers a push message to the browser, whatever pages are open, and waits until its worker has shown it: Chromium
 * forgets a notification that somebody asks for while it is being shown.
 */
export async function deliver(
  page: Page,
  origin: string,
  { payload }: ReceivedPush,
): Promise<Worker> {
  const browser = await page.context().newCDPSession(page);
  let registrationId = '';
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations[0]?.registrationId ?? registrationId;
  });
  await browser.send('ServiceWorker.enable');
  await until('the service worker to be registered', () => registrationId !== '');
  await browser.send('ServiceWorker.startWorker', { scopeURL: `${origin}/` });
  const worker = await until('the service worker to run', () => page.context().serviceWorkers()[0]);
  const shownCount = await countShown(worker);
  const data = JSON.stringify(payload);
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await browser.detach();
  await until('the notification', async () => (await countShown(worker)) > shownCount);
  return worker;
}

/** The part of a service worker's scope that is used below. */
interface WorkerScope {
  registration: ServiceWorkerRegistration & { shownCount?: number };
  clients: { openWindow: (url: string) => Promise<null> };
  navigator: { setAppBadge: (count?: number) => Promise<void>; clearAppBadge: () => Promise<void> };
  badges?: number[];
  WindowClient: { prototype: { focus: () => Promise<void> } };
  NotificationEvent: new (
    name: string,
    init: { notification: Notification; action?: string },
  ) => Event & { waitUntil: (work: Promise<unknown>) => void };
  dispatchEvent: (event: Event) => void;
}

/** Returns how many notifications the worker has shown since it was asked first. */
const countShown = (worker: Worker): Promise<number> =>
  worker.evaluate(() => {
    const { registration } = self as unknown as WorkerScope;
    registration.shownCount ??= 0;
    if (Object.hasOwn(registration, 'showNotification')) return registration.shownCount;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (...shown) => {
      await show(...shown);
      registration.shownCount = (registration.shownCount ?? 0) + 1;
    };
    return 0;
  });

/** Returns the system notifications. */
export const systemNotifications = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope;
    const shown = await registration.getNotifications();
    // TypeScript's DOM has no actions.
    return (shown as (Notification & { actions: { action: string; title: string }[] })[]).map(
      ({ title, body, tag, data, silent, requireInteraction, actions }) => ({
        title,
        body,
        tag,
        data,
        silent,
        requireInteraction,
        actions: actions.map(({ action, title: label }) => ({ action, title: label })),
      }),
    );
  });

/** Records what the installed app's icon is to show, which a browser without installed apps does not. */
export const watchBadge = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope;
    const badges: number[] = [];
    scope.badges = badges;
    const show = async (count = 0) => void badges.push(count);
    Object.assign(scope.navigator, { setAppBadge: show, clearAppBadge: show });
  });
export const badgesOf = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as WorkerScope).badges ?? []);

/**
 * Clicks the notification, or one of its buttons. A worker may only focus or open a window after a real click, so those two calls
 * are recorded instead. @returns the recorded calls
 */
export const clickNotification = (worker: Worker, action = ''): Promise<string[]> =>
  worker.evaluate(async (pressed) => {
    const scope = self as unknown as WorkerScope;
    const calls: string[] = [];
    scope.clients.openWindow = async (url) => {
      calls.push(`open ${url}`);
      return null;
    };
    scope.WindowClient.prototype.focus = async () => {
      calls.push('focus');
    };
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('Nothing is shown.');
    const event = new scope.NotificationEvent('notificationclick', {
      notification,
      action: pressed,
    });
    const work: Promise<unknown>[] = [];
    event.waitUntil = (more) => void work.push(more);
    scope.dispatchEvent(event);
    await Promise.all(work);
    return calls;
  }, action);
