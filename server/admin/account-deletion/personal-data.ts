import { DELETION_MAIL_KIND } from '#contract/people/notifications/constants';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import { room } from '#contract/platform/events/constants';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { answerWithoutPersonalData, withoutPersonalData } from './event-data.ts';

/** Event numbers that one statement scans. */
const SCAN_CHUNK = 5000;

interface EventRow {
  place: bigint;
  name: string;
  data: unknown;
  rooms: string[];
}

interface RewordedNotification {
  id: string;
  title: string;
  body: string;
}

/**
 * Removes the personal data of people from the event log, which is replayed, and from orders and notifications of
 * others, and where a farm closes with them, the addresses to which it does not deliver any more. With `farmName` they
 * are one person who registered a farm that goes on under their id and this name: what concerns the farm stays. Starts
 * with the log's events so far, in statements of bounded size, before products, orders and the log's head are locked.
 * Call `finish` last in the transaction, when the accounts and their orders have their final state. Idempotent.
 */
export async function beginErasure(
  tx: Transaction,
  userIds: readonly string[],
  { farmName, closingFarm = null }: { farmName?: string; closingFarm?: string | null } = {},
) {
  const people = [...userIds];
  // A farm that closes delivers nothing more, also not to customers whose accounts are gone already.
  const former = await findDeletedCustomers(tx, closingFarm);
  const addressees = [...people, ...former];
  const subjects = [...people.map((id) => ({ id, farmName })), ...former.map((id) => ({ id }))];
  const open = await tx.order.findMany({
    where: {
      consumerId: { in: addressees },
      status: 'accepted',
      isPickup: false,
      farmer: { deletedAt: null },
      ...(closingFarm ? { farmerId: { not: closingFarm } } : {}),
    },
    select: { id: true },
  });
  const openOrders = new Set(open.map(({ id }) => id));
  const reword = () =>
    farmName === undefined ? rewordNotifications(tx, people) : renameInTitles(tx, people, farmName);
  let reworded = await reword();
  const [first] = await tx.$queryRaw<{ seq: bigint }[]>`
    SELECT seq FROM event_log ORDER BY seq LIMIT 1`;
  let scanned = first ? first.seq - 1n : 0n;

  /** Returns the event's data without personal data, or undefined when it has none. */
  function cleanedData(row: EventRow): unknown {
    let event: { name: string; data: unknown; rooms: readonly string[] } = row;
    for (const subject of subjects) event = withoutPersonalData(event, subject, openOrders);
    if (row.name === 'notification.created') {
      const { _id } = row.data as { _id: string };
      const texts = reworded.get(_id);
      if (texts) event = { ...event, data: { ...(event.data as object), ...texts } };
    }
    return event === row ? undefined : event.data;
  }

  const mentions = () => addressees.map((id) => `%${id}%`);
  const ownRooms = people.map(room.user);

  /** Cleans the events of a table that a condition selects by their place, its column for their order. */
  async function cleanEvents(table: Prisma.Sql, place: Prisma.Sql, condition = Prisma.sql`true`) {
    const rows = await tx.$queryRaw<EventRow[]>`
      SELECT ${place} AS place, name, data, rooms FROM ${table}
      WHERE ${condition} AND (rooms && ${ownRooms} OR data::text LIKE ANY (${mentions()})
        OR name = 'notification.created' AND data ->> '_id' = ANY (${[...reworded.keys()]}))`;
    const changed = rows.flatMap((row) => {
      const clean = cleanedData(row);
      return clean === undefined ? [] : [{ place: row.place, data: JSON.stringify(clean) }];
    });
    if (changed.length === 0) return;
    await tx.$executeRaw`
      UPDATE ${table} e SET data = c.data::json
      FROM unnest(${changed.map((each) => each.place)}::bigint[],
        ${changed.map(({ data }) => data)}::text[]) AS c (place, data)
      WHERE e.${place} = c.place`;
  }

  async function cleanLog(upTo: bigint): Promise<void> {
    while (scanned < upTo) {
      const end = scanned + BigInt(SCAN_CHUNK) < upTo ? scanned + BigInt(SCAN_CHUNK) : upTo;
      const chunk = Prisma.sql`seq > ${scanned} AND seq <= ${end}`;
      await cleanEvents(Prisma.sql`event_log`, Prisma.sql`seq`, chunk);
      scanned = end;
    }
  }

  /**
   * Cleans what others would be answered who repeat a command: what it says of these people, and the
   * cleared notes. Young rows alone are kept.
   */
  async function cleanStoredAnswers(clearedNotes: readonly string[]): Promise<void> {
    const rows = await tx.$queryRaw<{ userId: string; key: string; body: unknown }[]>`
      SELECT user_id AS "userId", key, body FROM commands
      WHERE body::text LIKE ANY (${mentions()})
        OR body -> 'data' ->> '_id' = ANY (${[...clearedNotes]})`;
    for (const { userId, key, body } of rows) {
      let clean = withoutNote(body, clearedNotes);
      for (const subject of subjects) {
        clean = answerWithoutPersonalData(clean, subject, openOrders);
      }
      if (clean === body) continue;
      await tx.$executeRaw`
        UPDATE commands SET body = ${JSON.stringify(clean)}::json
        WHERE user_id = ${userId}::uuid AND key = ${key}`;
    }
  }

  const [head] = await tx.$queryRaw<{ seq: bigint }[]>`SELECT seq FROM event_log_head`;
  await cleanLog(head?.seq ?? 0n);

  return {
    /** Cleans orders, notifications and the events since the first scan. */
    async finish(): Promise<void> {
      // Wait for concurrent changes of these orders, whose events still name the person.
      await tx.$queryRaw`
        SELECT 1 FROM orders
        WHERE (consumer_id = ANY (${people}::uuid[]) OR farmer_id = ANY (${people}::uuid[]))
          AND status IN (${Prisma.raw(sqlList(OPEN_STATUSES))})
        ORDER BY id FOR NO KEY UPDATE`;
      await clearAddresses(tx, addressees);
      await cleanStoredAnswers([
        ...(farmName === undefined ? await clearAdminTexts(tx, people) : []),
        ...(await clearUserNotes(tx, people)),
      ]);
      await clearReports(tx, people, { isFarmKept: farmName !== undefined });
      reworded = new Map([...reworded, ...(await reword())]);
      // Numbering waits for this lock, so no event moves to the log unscanned. Only the few events
      // since the first scan are left.
      const [last] = await tx.$queryRaw<{ seq: bigint }[]>`
        SELECT seq FROM event_log_head WHERE id = 1 FOR UPDATE`;
      await cleanLog(last?.seq ?? 0n);
      await cleanEvents(Prisma.sql`event_outbox`, Prisma.sql`ordinal`);
    },
  };
}

/** Returns the customers of a farm whose accounts are deleted, and to whom it still had something to deliver. */
async function findDeletedCustomers(tx: Transaction, farmId: string | null): Promise<string[]> {
  if (farmId === null) return [];
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT consumer.id FROM orders o JOIN users consumer ON consumer.id = o.consumer_id
    WHERE o.farmer_id = ${farmId}::uuid AND NOT o.is_pickup AND consumer.deleted_at IS NOT NULL
      AND (o.street, o.city, o.state, o.zip_code) <> ('', '', '', '')`;
  return rows.map(({ id }) => id);
}

/** Clears the delivery address of finished orders; an accepted one still needs it while there is a farm. */
async function clearAddresses(tx: Transaction, consumerIds: string[]): Promise<void> {
  await tx.order.updateMany({
    where: {
      consumerId: { in: consumerIds },
      isPickup: false,
      AND: {
        OR: [{ status: { notIn: [...OPEN_STATUSES] } }, { farmer: { deletedAt: { not: null } } }],
      },
      OR: [
        { street: { not: '' } },
        { city: { not: '' } },
        { state: { not: '' } },
        { zipCode: { not: '' } },
      ],
    },
    data: { street: '', city: '', state: '', zipCode: '' },
  });
}

/**
 * Clears what admins wrote for each other about these people: the notes on their orders, whose author and time stay,
 * and the reasons for hiding their products and suspending them. Such texts can name anybody, and nothing shows which
 * of an order's two parties a note is about.
 * @returns the ids of the cleared notes
 */
async function clearAdminTexts(tx: Transaction, people: string[]): Promise<string[]> {
  const notes = await tx.$queryRaw<{ id: string }[]>`
    UPDATE order_notes n SET content = '' FROM orders o
    WHERE o.id = n.order_id AND n.content <> ''
      AND (o.consumer_id = ANY (${people}::uuid[]) OR o.farmer_id = ANY (${people}::uuid[]))
    RETURNING n.id`;
  await tx.$executeRaw`
    UPDATE audit_entries SET detail = detail - 'reason'
    WHERE (detail ->> 'farmer' = ANY (${people}) OR target_id = ANY (${people})) AND detail ? 'reason'`;
  return notes.map(({ id }) => id);
}

/** Clears the notes about these people, whose author and time stay. @returns the ids of the cleared notes */
async function clearUserNotes(tx: Transaction, people: string[]): Promise<string[]> {
  const notes = await tx.userNote.updateManyAndReturn({
    where: { userId: { in: people }, content: { not: '' } },
    data: { content: '' },
    select: { id: true },
  });
  return notes.map(({ id }) => id);
}

/**
 * Clears what these people reported, and what reports say of them, with the answers that still contain it. A
 * farm that goes on keeps the reports about it.
 */
async function clearReports(
  tx: Transaction,
  people: string[],
  { isFarmKept }: { isFarmKept: boolean },
): Promise<void> {
  const cleared = await tx.$queryRaw<{ id: string }[]>`
    UPDATE reports SET text = '', note = '',
      subject = CASE WHEN about_id = ANY (${people}::uuid[]) AND NOT ${isFarmKept}
        THEN '{"name":"","text":"","image":null,"amount":null}'::jsonb ELSE subject END
    WHERE reporter_id = ANY (${people}::uuid[])
      OR about_id = ANY (${people}::uuid[]) AND NOT ${isFarmKept}
    RETURNING id`;
  await tx.$executeRaw`
    DELETE FROM commands WHERE body -> 'data' ->> '_id' = ANY (${cleared.map(({ id }) => id)})
      OR body -> 'data' ->> '_id' = ANY (${people}) AND body -> 'data' -> 'isSuspended' IS NOT NULL`;
}

/** Copies the answer to a written note without its text, if the note is one of these. */
function withoutNote(body: unknown, notes: readonly string[]): unknown {
  const { data } = body as { data?: { _id?: string } };
  return notes.includes(data?._id ?? '')
    ? { ...(body as object), data: { ...data, content: '' } }
    : body;
}

/**
 * Rewrites the notifications with words, from before there were params, that name these people; others have their ids
 * alone. @returns the new texts by id
 */
async function rewordNotifications(
  tx: Transaction,
  people: string[],
): Promise<Map<string, { title: string; body: string }>> {
  const rows = [
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n SET
        title = CASE n.kind
          WHEN 'order.placed' THEN ${`New order from ${DELETED_USER_NAME}`}
          WHEN 'order.unanswered' THEN ${`${DELETED_USER_NAME} is waiting for your answer`}
          ELSE n.title END,
        body = CASE n.kind
          WHEN 'order.cancelledByConsumer'
            THEN 'The customer closed their account, so the order was cancelled. Its stock is back on your shelf.'
          ELSE n.body END
      FROM orders o
      WHERE n.params IS NULL AND o.consumer_id = ANY (${people}::uuid[]) AND n.user_id <> o.consumer_id
        AND n.key = ANY (ARRAY['order.placed:' || o.id, 'order.unanswered:' || o.id,
                               'order.cancelledByConsumer:' || o.id])
      RETURNING n.id, n.title, n.body`),
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n
      SET body = 'Order #' || left(o.id::text, 8) || ' at a farm that has left the market.'
      FROM orders o JOIN order_timeline t ON t.order_id = o.id
      WHERE n.params IS NULL AND o.farmer_id = ANY (${people}::uuid[]) AND n.user_id = o.consumer_id
        AND n.key = ANY (ARRAY['order.statusChanged:' || o.id || ':' || t.sequence,
                               'order.slotMoved:' || o.id || ':' || t.sequence,
                               'order.changeProposed:' || o.id || ':' || t.sequence,
                               'order.itemsChanged:' || o.id || ':' || t.sequence,
                               'order.weighed:' || o.id || ':' || t.sequence])
      RETURNING n.id, n.title, n.body`),
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n SET body = 'The customer moved the pickup of this order.'
      FROM orders o JOIN order_timeline t ON t.order_id = o.id
      WHERE n.params IS NULL AND o.consumer_id = ANY (${people}::uuid[]) AND n.user_id <> o.consumer_id
        AND n.key = 'order.slotMoved:' || o.id || ':' || t.sequence
      RETURNING n.id, n.title, n.body`),
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n
      SET body = 'Order #' || left(o.id::text, 8) || ' at a farm that has left the market.'
      FROM order_proposals p JOIN orders o ON o.id = p.order_id
      WHERE n.params IS NULL AND o.farmer_id = ANY (${people}::uuid[]) AND n.user_id = o.consumer_id
        AND n.key LIKE 'order.changeReminder:' || p.id || ':%'
      RETURNING n.id, n.title, n.body`),
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n SET body = 'The customer changed this order.'
      FROM orders o JOIN order_timeline t ON t.order_id = o.id
      WHERE n.params IS NULL AND o.consumer_id = ANY (${people}::uuid[]) AND n.user_id <> o.consumer_id
        AND n.key = ANY (ARRAY['order.changeAnswered:' || o.id || ':' || t.sequence,
                               'order.itemsChanged:' || o.id || ':' || t.sequence])
      RETURNING n.id, n.title, n.body`),
  ];
  return new Map([...textsById(rows), ...(await renameInTitles(tx, people, DELETED_USER_NAME))]);
}

/**
 * Rewrites the notifications with words whose titles name these people: of messages that they sent, and of their farms that asked
 * to join. No matter who they went to: a farm's people have them too, and admins. @returns the new texts by id
 */
async function renameInTitles(tx: Transaction, people: string[], name: string) {
  const links = people.map((id) => `/admin/farms?farm=${id}`);
  return textsById([
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n SET title = ${`Unread message from ${name}`}
      FROM messages m
      WHERE n.params IS NULL AND m.sender_id = ANY (${people}::uuid[]) AND n.user_id <> m.sender_id
        AND n.key = 'message.unread:' || m.id
      RETURNING n.id, n.title, n.body`),
    ...(await tx.$queryRaw<RewordedNotification[]>`
      UPDATE notifications n SET title = ${`${name} asks to join`}
      WHERE n.params IS NULL AND n.kind = 'farm.waiting' AND n.link = ANY (${links})
      RETURNING n.id, n.title, n.body`),
  ]);
}

const textsById = (rows: readonly RewordedNotification[]) =>
  new Map(rows.map(({ id, title, body }) => [id, { title, body }]));

/** Tables whose rows belong to one person alone. */
const OWN_TABLES = [
  ...['password_resets', 'email_verifications', 'email_changes', 'user_addresses', 'follows'],
  ...['sign_in_sources', 'sessions', 'push_subscriptions', 'authenticator_apps', 'recovery_codes'],
  ...['passkeys', 'passkey_challenges', 'phone_codes', 'commands'],
];

/** Deletes the records that belong only to this person, and their farm if it ends with the account. */
export async function deleteOwnRecords(
  tx: Transaction,
  userId: string,
  { keepsFarm = false } = {},
): Promise<void> {
  if (!keepsFarm) await tx.farmerProfile.deleteMany({ where: { userId } });
  await tx.notification.deleteMany({ where: { userId } });
  await tx.attention.deleteMany({ where: { userId } });
  // Pending mails and pushes are not sent; stored errors of a mail server can hold the address. What is marked
  // in the app is about the farm's products.
  await tx.notificationDelivery.deleteMany({
    where: {
      userId,
      kind: { not: DELETION_MAIL_KIND },
      ...(keepsFarm ? { channel: { not: 'in_app' } } : {}),
    },
  });
  for (const table of OWN_TABLES) {
    await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE user_id = $1::uuid`, userId);
  }
}
