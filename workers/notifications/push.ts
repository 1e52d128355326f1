import { lookup } from 'node:dns';
import { Agent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import webPush, { WebPushError } from 'web-push';
import type { NotificationKind } from '#contract/notifications';
import { presentPreferences } from '../../server/notifications/present.ts';
import type { Env } from '../../server/platform/env.ts';
import type { Platform } from '../../server/platform/platform.ts';
import { isPublicAddress } from '../../server/platform/public-address.ts';
import { readVapid } from '../../server/platform/vapid.ts';
import type { Exclusive } from '../exclusive.ts';
import { partsOfKey } from '../ledger.ts';
import { markFailed, markSent, markSkipped, type Try } from './delivery.ts';

/** What the browser's service worker gets. */
export interface PushPayload {
  title: string;
  body: string;
  /** A path of the web client. */
  link: string;
  /** Notifications of one tag replace each other on the screen. */
  tag: string;
}

const TIMEOUT_MS = 10_000;
/** How long a push service keeps a message for a browser that is away, in seconds. */
const KEPT_SECONDS = 24 * 60 * 60;
/** The subscription is over: the browser took it back, or forgot it. */
const GONE = new Set([404, 410]);

type Send = (
  subscription: { endpoint: string; p256dh: string; auth: string },
  payload: PushPayload,
) => Promise<void>;

/**
 * Sends one push message. Its topic lets the push service replace a repeat that still waits, its tag
 * lets the browser replace one that is shown.
 */
export function createPusher(env: Env): { send: Send; close: () => void } {
  const vapidDetails = readVapid(env);
  const agent = createOuterAgent({ isLoopbackAllowed: env.NODE_ENV === 'test' });
  return {
    send: async ({ endpoint, p256dh, auth }, payload) => {
      await webPush.sendNotification(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(payload),
        {
          vapidDetails,
          agent,
          timeout: TIMEOUT_MS,
          TTL: KEPT_SECONDS,
          topic: payload.tag.replaceAll('-', ''),
        },
      );
    },
    close: () => agent.destroy(),
  };
}

/** Connects to the open internet alone, whatever a name turns out to lead to. */
function createOuterAgent({ isLoopbackAllowed }: { isLoopbackAllowed: boolean }): Agent {
  const isAllowed = (address: string) =>
    isPublicAddress(address) || (isLoopbackAllowed && address === '127.0.0.1');
  const refusal = () => new Error('The push endpoint is not on the open internet.');
  const guardedLookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '');
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first) return done(refusal(), '');
      if (options.all) return done(null, allowed);
      done(null, first.address, first.family);
    });
  };
  const agent = new Agent({ keepAlive: true, lookup: guardedLookup, maxSockets: 20 });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    // An address in figures is not looked up.
    const host = (options as { host?: string }).host ?? '';
    if (isIP(host) && !isAllowed(host)) throw refusal();
    return connect(options, done);
  };
  return agent;
}

/**
 * Sends the push message that a row of the ledger asks for, unless it was read meanwhile, is no
 * longer wanted or the browser has gone.
 * @throws when the push service did not take it, for the job to be tried again
 */
export async function deliverPush(
  platform: Platform,
  tools: { exclusive: Exclusive; pusher: { send: Send } },
  { deliveryId, isLast }: Try,
): Promise<void> {
  const { db, log } = platform;
  await tools.exclusive.run(`push ${deliveryId}`, async () => {
    const row = await db.notificationDelivery.findUnique({
      where: { id: deliveryId },
      include: { user: { select: { preferences: true, deletedAt: true } } },
    });
    if (!row || row.status === 'sent' || row.status === 'skipped') return;
    const { notificationKey, subscriptionId } = partsOfKey(row.key);
    const [notification, subscription] = await Promise.all([
      db.notification.findUnique({
        where: { userId_key: { userId: row.userId, key: notificationKey } },
      }),
      // The browser may have another person's by now.
      db.pushSubscription.findUnique({ where: { id: subscriptionId, userId: row.userId } }),
    ]);
    const kind = row.kind as NotificationKind;
    const isWanted = !row.user.deletedAt && presentPreferences(row.user.preferences)[kind].push;
    if (!notification || notification.readAt || !subscription || !isWanted) {
      await markSkipped(db, [row.id]);
      return;
    }
    await db.notificationDelivery.update({ where: { id: row.id }, data: { status: 'sending' } });
    try {
      const { id, title, body, link } = notification;
      await tools.pusher.send(subscription, { title, body, link, tag: id });
    } catch (error) {
      if (error instanceof WebPushError && GONE.has(error.statusCode)) {
        await db.pushSubscription.deleteMany({ where: { id: subscription.id } });
        await markSkipped(db, [row.id]);
        log.info({ status: error.statusCode }, 'A push subscription is over');
        return;
      }
      await markFailed(platform, [row.id], error, isLast);
      throw error;
    }
    await markSent(platform, [row.id]);
  });
}
