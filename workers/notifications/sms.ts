import { UnrecoverableError } from 'bullmq';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { Database, Transaction } from '../../prisma/client.ts';
import type { Notification, NotificationDelivery, User } from '../../prisma/generated/client.ts';
import {
  presentPreferences,
  readNames,
  withNames,
} from '../../server/people/notifications/present.ts';
import { canText, isTextingOn } from '../../server/people/phone/policy.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { inLanguageOf } from '../../server/platform/market/readers.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import { OUTDATED } from '../../server/platform/stores/timers.ts';
import type { Exclusive } from '../delivery/exclusive.ts';
import { PostponedError } from '../delivery/postpone.ts';
import { PHONE_CODE_KIND } from './engine/definition.ts';
import {
  type Attempt,
  findOutdated,
  isSettled,
  markFailed,
  markSent,
  markSkipped,
} from './engine/delivery.ts';
import { msUntilText, timesToKeep } from './engine/pace.ts';
import { type SmsClient, SmsRefusedError } from './engine/sms-client.ts';
import { plainNames, textOf } from './engine/sms-text.ts';
import { afterSent, lockAsking } from './ordering/attention/messages.ts';
import { findDigits, textOfCode } from './people/phone-code.ts';

/** What a delivery says: the kind and params of a notification, or its words of before there were params, and its link. */
export type Said = Pick<Notification, 'kind' | 'params' | 'title' | 'body' | 'link'>;

type Receiver = Pick<
  User,
  'id' | 'phone' | 'phoneVerifiedAt' | 'deletedAt' | 'language' | 'preferences' | 'textedAt'
>;

/** Finds what deliveries of notifications say that are unread, and of a kind that the person wants to be texted. */
async function findNotified(
  tx: Transaction,
  rows: readonly NotificationDelivery[],
  { id: userId, preferences }: Receiver,
): Promise<Map<string, Said>> {
  const unread = await tx.notification.findMany({
    where: { userId, key: { in: rows.map(({ key }) => key) }, readAt: null },
  });
  const chosen = presentPreferences(preferences);
  const wanted = new Map(
    unread
      .filter(({ kind }) => chosen[kind as NotificationKind]?.sms)
      .map((notification) => [notification.key, notification]),
  );
  return new Map(
    rows.flatMap(({ id, key }) => {
      const notification = wanted.get(key);
      return notification ? [[id, notification] as const] : [];
    }),
  );
}

/** Finds what deliveries of alerts say that nobody has answered. */
async function findAsking(
  tx: Transaction,
  rows: readonly NotificationDelivery[],
): Promise<Map<string, Said>> {
  const asked = rows.filter(({ attentionId }) => attentionId !== null);
  const asking = await lockAsking(tx, asked);
  const said = await tx.attention.findMany({
    where: { id: { in: asked.flatMap(({ attentionId }) => attentionId ?? []) } },
    select: { id: true, kind: true, params: true, link: true },
  });
  const byId = new Map(said.map(({ id, ...each }) => [id, { ...each, title: '', body: '' }]));
  return new Map(
    asked.flatMap(({ id, attentionId }) => {
      const each = byId.get(attentionId ?? '');
      return each && asking.has(id) ? [[id, each] as const] : [];
    }),
  );
}

/** A message whose deliveries are claimed: to whom, what it says, and when it counts as sent. */
interface Claimed {
  ids: string[];
  /** Whether there are alerts among them. */
  hasAlerts: boolean;
  to: string;
  language: string | null;
  write: () => Promise<string>;
  /** Absent of a code, which does not count. */
  at?: Date;
}

type Claim = { is: 'nothing' } | { is: 'early'; waitMs: number } | ({ is: 'claimed' } & Claimed);

const NOTHING: Claim = { is: 'nothing' };

/**
 * Sends the text message of one delivery, with all others to the same person that are due as one, unless they were read
 * meanwhile, are no longer wanted, or the person cannot be texted any more. Only the job of the oldest one sends it.
 * @throws PostponedError while the person was texted too lately, or is being texted; otherwise when the gateway did not
 * take it, so that the job is retried, unless that is of no use
 */
export async function deliverSms(
  platform: ProcessPlatform,
  tools: { exclusive: Pick<Exclusive, 'run'>; smsClient: SmsClient },
  { deliveryId, isLast }: Attempt,
): Promise<void> {
  const { db } = platform;
  const delivery = await db.notificationDelivery.findUnique({
    where: { id: deliveryId },
    select: { userId: true, kind: true },
  });
  if (!delivery) return;
  // A code waits for nothing else.
  const name = delivery.kind === PHONE_CODE_KIND ? deliveryId : delivery.userId;
  const hasRun = await tools.exclusive.run(`sms ${name}`, async () => {
    const claim = await transact(db, (tx) => claimText(tx, platform.env, deliveryId));
    if (claim.is === 'early') throw new PostponedError(claim.waitMs);
    if (claim.is === 'nothing') return;
    const { ids, hasAlerts, to, language, write, at } = claim;
    try {
      const text = await inLanguageOf(language, write);
      await tools.smsClient.send({ to, text });
    } catch (error) {
      const isRefused = error instanceof SmsRefusedError;
      const isPermanent = isRefused && error.isPermanent;
      // What may have been taken counts as sent.
      if (isRefused && at) await uncount(db, delivery.userId, at);
      await markFailed(platform, ids, error, isLast || isPermanent);
      throw isPermanent ? new UnrecoverableError(error.message) : error;
    }
    await markSent(platform, ids, hasAlerts ? (tx) => afterSent(tx, ids) : undefined);
  });
  if (!hasRun) throw new PostponedError(BUSY_MS);
}

/** How long a job waits while another one texts the same person, in milliseconds. */
const BUSY_MS = 1000;

/** Decides whether a message goes now, of which deliveries, and counts it. */
async function claimText(
  tx: Transaction,
  env: ProcessPlatform['env'],
  deliveryId: string,
): Promise<Claim> {
  const row = await tx.notificationDelivery.findUnique({ where: { id: deliveryId } });
  if (!row || isSettled(row)) return NOTHING;
  const [receiver] = await tx.$queryRaw<(Receiver & { now: Date })[]>`
    SELECT id, phone, phone_verified_at AS "phoneVerifiedAt", deleted_at AS "deletedAt", language, preferences,
           texted_at AS "textedAt", clock_timestamp() AS now
    FROM users WHERE id = ${row.userId}::uuid FOR NO KEY UPDATE`;
  if (!receiver) return NOTHING;
  const { now, phone: to } = receiver;
  const language = receiver.language ?? row.language;
  const claim = async (
    rows: readonly NotificationDelivery[],
    write: Claimed['write'],
  ): Promise<Claimed> => {
    const ids = rows.map(({ id }) => id);
    const hasAlerts = rows.some(({ attentionId }) => attentionId !== null);
    await tx.notificationDelivery.updateMany({
      where: { id: { in: ids } },
      data: { status: 'sending' },
    });
    return { ids, hasAlerts, to, language, write };
  };
  if (row.kind === PHONE_CODE_KIND) {
    const digits =
      isTextingOn(env) &&
      !receiver.deletedAt &&
      (await findDigits(tx, env, { key: row.key, user: receiver, now }));
    if (digits) return { is: 'claimed', ...(await claim([row], async () => textOfCode(digits))) };
    await markSkipped(tx, [row.id]);
    return NOTHING;
  }
  const unsent = await tx.notificationDelivery.findMany({
    where: {
      userId: row.userId,
      channel: 'sms',
      kind: { not: PHONE_CODE_KIND },
      restoredAt: null,
      // One that failed is sent again by itself, by hand.
      ...(row.status === 'failed'
        ? { id: row.id }
        : { status: { in: ['pending', 'sending'] }, dueAt: { lte: now } }),
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  // What is wanted still, by the ids of its deliveries.
  const said = new Map(
    canText(receiver, env)
      ? [...(await findNotified(tx, unsent, receiver)), ...(await findAsking(tx, unsent))]
      : [],
  );
  const outdated = await findOutdated(tx, unsent);
  const wanted = unsent.filter(({ id }) => said.has(id) && !outdated.has(id));
  await markSkipped(tx, [...outdated], OUTDATED);
  await markSkipped(
    tx,
    unsent.filter((each) => !wanted.includes(each) && !outdated.has(each.id)).map(({ id }) => id),
  );
  const first = wanted[0];
  const last = said.get(wanted.at(-1)?.id ?? '');
  if (!first || !last) return NOTHING;
  const waitMs = msUntilText(now, receiver.textedAt);
  if (waitMs > 0) return { is: 'early', waitMs };
  if (first.id !== row.id) return NOTHING;
  const textedAt = [...timesToKeep(now, receiver.textedAt), now];
  await tx.user.update({ where: { id: receiver.id }, data: { textedAt }, select: { id: true } });
  const names = plainNames(await readNames(tx, [last]));
  const write = async () => {
    const params = withNames(last, names) ?? undefined;
    return textOf({ ...last, params, link: env.PUBLIC_URL + last.link }, wanted.length - 1);
  };
  return { is: 'claimed', ...(await claim(wanted, write)), at: now };
}

/** Lets a message that was refused count no more against the person's pace. */
const uncount = (db: Database, userId: string, at: Date): Promise<number> =>
  db.$executeRaw`
    UPDATE users SET texted_at = array_remove(texted_at, ${at}::timestamptz(3)) WHERE id = ${userId}::uuid`;
