import { UnrecoverableError } from 'bullmq';
import { ALWAYS_MAILED } from '#contract/people/notifications/constants';
import { wordsOf } from '#contract/people/notifications/constants/words';
import { sentences, type Whom } from '#contract/people/notifications/constants/written';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import { theMarket } from '#contract/platform/market/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import type { Notification, NotificationDelivery, Prisma } from '../../prisma/generated/client.ts';
import { isUnreachable } from '../../server/people/auth/unreachable.ts';
import { claimUnproven } from '../../server/people/notifications/limited-mails.ts';
import {
  presentNotification,
  presentPreferences,
  readNames,
  withNames,
} from '../../server/people/notifications/present.ts';
import { unsubscribeLink } from '../../server/people/notifications/unsubscribe.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { inLanguageOf } from '../../server/platform/market/readers.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import { OUTDATED } from '../../server/platform/stores/timers.ts';
import { readClock } from '../../server/platform/time/clock.ts';
import type { Exclusive } from '../delivery/exclusive.ts';
import { PostponedError } from '../delivery/postpone.ts';
import { definitionOf, mailOf } from './definitions.ts';
import { compose, greeting, plainName } from './engine/compose.ts';
import {
  type Attempt,
  findOutdated,
  isSettled,
  markFailed,
  markSent,
  markSkipped,
} from './engine/delivery.ts';
import type { Receiver } from './engine/mail.ts';
import {
  markHandedOver,
  OUTCOME_UNKNOWN,
  settleFailure,
  waitLeftMs,
} from './engine/mail-outcome.ts';
import type { Mailer } from './engine/mailer.ts';
import {
  calendarOf,
  factsOf,
  type OrderSummary,
  orderOf,
  readSummaries,
  startOf,
  threadOf,
} from './money/order-summary.ts';
import { afterSent, lockAsking, readTogether } from './ordering/attention/messages.ts';
import { findMailed } from './people/account-mails.ts';

type Row = NotificationDelivery;

/**
 * Sends the mail of one delivery, unless it was read meanwhile or is no longer wanted, or is always mailed. What is
 * held for the same time, and the person's unsent deliveries of a kind with a digest, become one batch before the first
 * attempt, and only the job of the oldest one sends it.
 * @throws as {@link settleFailure}; PostponedError while a next attempt is not due
 */
export async function deliverEmail(
  platform: ProcessPlatform,
  tools: { exclusive: Exclusive; mailer: Pick<Mailer, 'send'> },
  { deliveryId }: Attempt,
): Promise<void> {
  const row = await platform.db.notificationDelivery.findUnique({ where: { id: deliveryId } });
  if (!row) return;
  await tools.exclusive.run(`email ${batchName(row)}`, async () => {
    const { batch, receiver, isGivenUp } = await claim(platform, deliveryId);
    if (isGivenUp) throw new UnrecoverableError(OUTCOME_UNKNOWN);
    const [first] = batch;
    if (!receiver || !first) return;
    const ids = batch.map(({ id }) => id);
    const transactional = mailOf(row.kind);
    const isSent = await (async () => {
      const mail = await inLanguageOf(receiver.language ?? first.language, () =>
        transactional
          ? transactional.compose(platform, first, receiver)
          : composeNotifications(platform, batch, receiver),
      );
      await tools.mailer.send({ id: first.id, to: receiver.email, ...mail }, () =>
        markHandedOver(platform, ids),
      );
      return true;
    })().catch(async (error: Error) => {
      await settleFailure(platform, { batch, to: receiver.email }, error);
      return false;
    });
    // Where this fails the outcome is unknown, as after a crash.
    const isAlert = first.attentionId !== null;
    if (isSent) await markSent(platform, ids, isAlert ? (tx) => afterSent(tx, ids) : undefined);
    await transactional?.afterSent?.(platform, receiver);
  });
}

/** Returns what the jobs of one batch share. */
const batchName = ({ id, userId, kind, about, isHeld, dueAt, attentionId }: Row): string => {
  if (isHeld) return `${userId} ${about} ${dueAt.toISOString()}`;
  return attentionId === null && definitionOf(kind)?.digest ? `${userId} ${kind}` : id;
};

/** Selects what goes in the same mail. */
const goesWith = ({ id, userId, kind, about, isHeld, dueAt, attentionId }: Row) => {
  if (isHeld) return { userId, about, isHeld, dueAt };
  return attentionId === null && definitionOf(kind)?.digest
    ? { userId, kind, isHeld, attentionId }
    : { id };
};

/** Of a mail that failed before and is retried by hand nothing counts any more. */
const FIRST_ATTEMPT = { attempts: 0, isRepeat: false, retryAt: null, outcomeUnknownAt: null };

/**
 * Marks the deliveries of the mail as `sending`. An unfinished batch stays the same on the next
 * attempt.
 */
async function claim(
  { db, env }: ProcessPlatform,
  deliveryId: string,
): Promise<{ batch: Row[]; receiver: Receiver | null; isGivenUp?: true }> {
  const nothing = { batch: [], receiver: null };
  return transact(db, async (tx) => {
    const row = await tx.notificationDelivery.findUnique({ where: { id: deliveryId } });
    if (!row || isSettled(row)) return nothing;
    const transactional = mailOf(row.kind);
    const receiver = await (transactional
      ? transactional.findReceiver(tx, row)
      : findMailed(tx, row.userId));
    const isRefused =
      receiver && !transactional?.provesAddress && (await isUnreachable(tx, receiver.email));
    if (!receiver || isRefused) {
      await markSkipped(tx, [row.id], isRefused ? 'The address cannot be reached' : null);
      return nothing;
    }
    const unsent = await tx.notificationDelivery.findMany({
      where: {
        ...goesWith(row),
        channel: 'email',
        restoredAt: null,
        // A manual retry includes the deliveries that failed with this one.
        status: {
          in: ['pending', 'sending', ...(row.status === 'failed' ? ['failed' as const] : [])],
        },
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const asking = await lockAsking(
      tx,
      unsent.filter(({ attentionId }) => attentionId !== null),
    );
    const asks = ({ id, attentionId }: Row) => attentionId === null || asking.has(id);
    const begun = unsent.filter(({ status }) => status === 'sending');
    // A server may have taken it: then it stays what it was.
    const fixed = begun.filter((each) => each.outcomeUnknownAt !== null || asks(each));
    const answered = begun.filter((each) => !fixed.includes(each)).map(({ id }) => id);
    await markSkipped(tx, answered);
    if (answered.includes(row.id)) return nothing;
    const [oldest] = fixed;
    if (oldest) {
      const waitMs = waitLeftMs(oldest, await readClock(tx));
      // Others wait with it: without a job the sweep would look at them every few seconds.
      if (waitMs > 0) throw new PostponedError(waitMs);
      if (oldest.id !== row.id) return nothing;
      const ids = fixed.map(({ id }) => id);
      if (oldest.outcomeUnknownAt && oldest.isRepeat) {
        await markFailed({ db: tx }, ids, new Error(OUTCOME_UNKNOWN), true);
        return { ...nothing, isGivenUp: true };
      }
      if (oldest.outcomeUnknownAt) {
        await tx.notificationDelivery.updateMany({
          where: { id: { in: ids } },
          data: { isRepeat: true, outcomeUnknownAt: null },
        });
      }
      const isRepeat = oldest.isRepeat || oldest.outcomeUnknownAt !== null;
      return { batch: fixed.map((each) => ({ ...each, isRepeat })), receiver };
    }

    const unread = await tx.notification.findMany({
      where: { userId: row.userId, key: { in: unsent.map(({ key }) => key) }, readAt: null },
      select: { key: true },
    });
    const unreadKeys = new Set(unread.map(({ key }) => key));
    const preferences = presentPreferences(receiver.preferences);
    const isWanted = ({ kind, key, attentionId }: Row): boolean => {
      const definition = definitionOf(kind);
      if (!definition) return !transactional?.needsVerifiedEmail || mayMail(receiver);
      const isUnread =
        attentionId !== null || ALWAYS_MAILED.includes(definition.kind) || unreadKeys.has(key);
      return isUnread && preferences[definition.kind].email && mayMail(receiver);
    };
    const { reach } = transactional ?? definitionOf(row.kind) ?? {};
    // Somebody else may have opened an account with an address that nobody has proved.
    const isUnproven = reach === 'account' && receiver.emailVerifiedAt === null;
    const isLimited = transactional?.isBeyondLimit
      ? await transactional.isBeyondLimit(tx, row)
      : isUnproven && !(await claimUnproven(tx, env, receiver.email));
    const outdated = await findOutdated(tx, unsent);
    const batch = isLimited
      ? []
      : unsent.filter((each) => isWanted(each) && asks(each) && !outdated.has(each.id));
    await markSkipped(tx, [...outdated], OUTDATED);
    await markSkipped(
      tx,
      unsent.filter((each) => !batch.includes(each) && !outdated.has(each.id)).map(({ id }) => id),
    );
    await tx.notificationDelivery.updateMany({
      where: { id: { in: batch.map(({ id }) => id) } },
      data: { status: 'sending', ...FIRST_ATTEMPT },
    });
    return { batch: batch.map((each) => ({ ...each, ...FIRST_ATTEMPT })), receiver };
  });
}

/** Whether the market mails what is not needed to verify an email or to sign in to this address. */
const mayMail = ({ emailVerifiedAt, emailRefusedAt }: Receiver): boolean =>
  emailRefusedAt === null && (emailVerifiedAt !== null || !theMarket().requiresVerifiedEmail);

/** Notifications that one mail shows; of more it shows the last ones and counts the others. */
const SHOWN_MAX = 10;

/** What a mail says of one thing: a notification, or what asks by its words. */
type Content = Pick<Notification, 'id' | 'kind' | 'key' | 'link' | 'params' | 'createdAt'> &
  Pick<Notification, 'userId' | 'title' | 'body' | 'readAt'>;

/** Reads what a batch is about, the oldest first. An alert's mail has all that goes together with it. */
async function readContent(
  db: ProcessPlatform['db'],
  batch: readonly Row[],
  userId: string,
): Promise<Content[]> {
  const [first] = batch;
  if (!first?.attentionId) {
    return db.notification.findMany({
      where: { userId, key: { in: batch.map(({ key }) => key) } },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }
  const asking = await readTogether(db, first, batch);
  return asking.map(({ params, ...row }) => ({
    ...row,
    params: params as Prisma.JsonObject,
    ...{ userId, title: '', body: '', readAt: null },
  }));
}

/** Composes the mail of the notifications of a batch, for the present reader. */
async function composeNotifications(
  { db, env }: Pick<ProcessPlatform, 'db' | 'env'>,
  batch: readonly Row[],
  receiver: Pick<Receiver, 'id' | 'name' | 'emailVerifiedAt'>,
) {
  const notifications = await readContent(db, batch, receiver.id);
  const shown = notifications.slice(-SHOWN_MAX);
  const earlierCount = notifications.length - shown.length;
  const names = await readNames(db, shown);
  const summaries = await readSummaries(db, shown, receiver.id);
  const parts = await Promise.all(
    shown.map(async (row, index) => {
      const { kind, key, link } = row;
      const definition = definitionOf(kind);
      const table = await definition?.table?.(db, key);
      const summary = summaries.get(orderOf(row) ?? '');
      // Of one order once, with what was last.
      const isLast = shown.findLastIndex((each) => each.link === link) === index;
      return {
        ...wordsOf(presentNotification(row, names)),
        table,
        facts: summary && isLast ? factsOf(summary, table !== undefined) : [],
        link: env.PUBLIC_URL + link,
        action: writeMessage(definition?.action ?? msg('Take a look')),
      };
    }),
  );
  const [definition, ...others] = [...new Set(batch.map(({ kind }) => definitionOf(kind)))];
  const market = theMarket().name;
  const [orderId, ...otherOrders] = new Set(notifications.map((row) => orderOf(row)));
  const thread =
    orderId && otherOrders.length === 0 ? { thread: threadOf(orderId, receiver.id) } : {};
  const summary = 'thread' in thread ? summaries.get(orderId ?? '') : undefined;
  const hasCalendar = batch.some(({ kind }) => definitionOf(kind)?.hasCalendar);
  const last = notifications.at(-1);
  // Where a mail has several kinds there is no one thing to turn off.
  const productIds = [...new Set(shown.flatMap((row) => endedBy(row) ?? []))];
  const unsubscribe =
    definition && others.length === 0
      ? {
          unsubscribeUrl: unsubscribeLink(env, {
            ...{ userId: receiver.id, kind: definition.kind },
            productIds,
          }),
        }
      : {};
  const mail = compose({
    subject: subjectOf(notifications, {
      title: parts.at(-1)?.title ?? '',
      params: last ? withNames(last, names) : null,
      summary,
      isHeld: batch[0]?.isHeld ?? false,
      isProven: receiver.emailVerifiedAt !== null,
    }),
    greeting: greeting(receiver.name),
    parts,
    footer: sentences(
      earlierCount > 0 &&
        t(
          '{count, plural, one {# earlier notification of the last hour is on {market}.} other {# earlier notifications of the last hour are on {market}.}}',
          { count: earlierCount, market },
        ),
      t(
        'You get this email because you have a {market} account. Choose what we email you in your profile.',
        { market },
      ),
    ),
    ...unsubscribe,
    unsubscribeLabel:
      productIds.length > 0
        ? t(
            '{count, plural, one {Take this product off my favorites} other {Take these products off my favorites}}',
            { count: productIds.length },
          )
        : undefined,
  });
  const attachments = summary && hasCalendar ? calendarOf(summary) : [];
  return { ...mail, ...unsubscribe, ...thread, attachments };
}

/** Returns the product that the mail's link ends the favourite of; undefined where it ends all mails of the kind. */
const endedBy = ({ kind, params }: { kind: string; params: unknown }): string | undefined =>
  params ? definitionOf(kind)?.endsFollows?.(params as never) : undefined;

interface SubjectContext {
  /** Of the last notification, with its params as they are shown; null of a row from before. */
  title: string;
  params: object | null;
  /** Of the one order that all are about. */
  summary: OrderSummary | undefined;
  /** Whether the notifications waited for each other: then they may all be about one thing. */
  isHeld: boolean;
  /** Whether the address is known to be the receiver's. */
  isProven: boolean;
}

/** Returns the subject of a mail. That about one order says when it is handed over. */
function subjectOf(
  notifications: readonly { kind: string; link: string }[],
  { title, params, summary, isHeld, isProven }: SubjectContext,
): string {
  const last = notifications.at(-1);
  const definition = last && definitionOf(last.kind);
  const isMixed = !summary && notifications.some(({ kind }) => kind !== last?.kind);
  if (!definition || isMixed) return t('News from {market}', { market: theMarket().name });
  const isOfOneThing = summary || (isHeld && notifications.every(({ link }) => link === last.link));
  if (definition.digest && notifications.length > 1 && !isOfOneThing) {
    return definition.digest(notifications.length);
  }
  const nameOf = ({ name }: Whom) =>
    isProven && name && name !== DELETED_USER_NAME ? plainName(name) : undefined;
  const what = (params && definition.subject?.(params as never, nameOf)) ?? title;
  return summary && !definition.namesMoment
    ? t('{subject}: {when}', { subject: what, when: startOf(summary) })
    : what;
}
