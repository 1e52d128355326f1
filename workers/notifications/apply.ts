import { group } from 'd3-array';
import { theMarket } from '#contract/platform/market/constants';
import type { Transaction } from '../../prisma/client.ts';
import { endWaits, IS_AWAITED } from '../../server/catalogue/follows/wave.ts';
import {
  idsIn,
  type NamedRow,
  notificationsLock,
  presentPreferences,
  toNames,
} from '../../server/people/notifications/present.ts';
import { settleNotifications } from '../../server/people/notifications/service.ts';
import { canText } from '../../server/people/phone/policy.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { currentRequestId } from '../../server/platform/process/request-context.ts';
import { retryConflicts, transact } from '../../server/platform/stores/postgres.ts';
import type { DelayedTimerKind } from '../../server/platform/stores/timers.ts';
import type { EventHandler, Handled } from '../delivery/dispatch.ts';
import type { DueTimes, Planned } from '../delivery/schedule.ts';
import {
  concernsOf,
  definitionOf,
  effectsOf,
  hasPlan,
  isOfInterest,
  isPaced,
} from './definitions.ts';
import { WRITE_ATTENTIONS } from './engine/attentions.ts';
import { ADMINS, type Effect } from './engine/definition.ts';
import {
  type CausedEffect,
  type NotificationState,
  type Plan,
  planEffects,
  type SentMessage,
  type StaffMember,
  type UnreadNotification,
} from './engine/plan.ts';

/** Creates the handler that applies the effects of the notifications' definitions. */
export const createEventHandler = (platform: ProcessPlatform): EventHandler => ({
  isOfInterest,
  handleEvents: (follower, last, events) => {
    const effects = events.flatMap((event) =>
      effectsOf(event).map((effect) => ({
        ...effect,
        seq: event.seq,
        requestId: event.requestId,
        at: new Date(event.at),
      })),
    );
    return handleEvents(platform, follower, last, effects);
  },
});

/** Runs one statement: on the pool, or within a transaction. */
type Run = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

/**
 * Applies the effects of the events up to number `last` and moves the follower's cursor there, in one
 * statement. Events that the cursor has passed were handled by another process.
 *
 * The state and the cursor are read in one statement, and the plan is written in one statement that
 * writes only if the cursor has not moved. So no lock is held between the two, and a process that
 * hangs there blocks nobody. What is settled are the notifications that were there while the cursor stood before
 * these events, never one that another process has made of a later event since.
 */
export async function handleEvents(
  { db, env, pool }: ProcessPlatform,
  follower: string,
  last: number,
  effects: readonly (CausedEffect & { seq: number })[],
): Promise<Handled> {
  // Unnamed statements are planned for the present size of the tables: a plan cached while they were
  // almost empty would scan them.
  const run: Run = async (text, values) => (await pool.query(text, values)).rows;
  for (;;) {
    const { passed, state } = await readState(run, env, effects, follower);
    if (passed === null) throw new Error(`There is no cursor named ${follower}.`);
    if (passed >= last) return { passed, planned: [], timersDueAt: null };
    const rest = effects.filter(({ seq }) => seq > passed);
    const plan = planEffects(state, rest, rulesOf(env));
    // Before the cursor moves: after a crash in between it is done again, which changes nothing.
    for (const [userId, ids] of plan.settled) {
      await transact(db, (tx) => settleNotifications(tx, userId, { ids }));
    }
    if (plan.bought.length > 0) await transact(db, (tx) => endWaits(tx, plan.bought));
    const cursor = { follower, from: passed, to: last };
    const planned = await retryConflicts(() => writePlan(run, plan, cursor));
    if (planned) return { passed, planned, timersDueAt: earliest(timersOf(plan)) };
  }
}

/**
 * Applies effects inside a transaction, on behalf of the current request.
 * @returns the deliveries that need a job after the commit
 */
export async function applyEffects(
  tx: Transaction,
  env: ProcessPlatform['env'],
  effects: readonly Effect[],
): Promise<Planned[]> {
  if (effects.length === 0) return [];
  const requestId = currentRequestId() ?? null;
  const run: Run = (text, values) => tx.$queryRawUnsafe(text, ...values);
  const caused = effects.map((effect) => ({ ...effect, requestId }));
  const { state } = await readState(run, env, caused, null);
  const plan = planEffects(state, caused, rulesOf(env));
  for (const [userId, ids] of plan.settled) await settleNotifications(tx, userId, { ids });
  return (await writePlan(run, plan, null)) ?? [];
}

const earliest = (timers: readonly { dueAt: Date }[]): Date | null =>
  timers.reduce<Date | null>((first, { dueAt }) => (first && first <= dueAt ? first : dueAt), null);

/** An attention begins at once. */
const timersOf = ({ timers, attentions }: Plan): readonly { dueAt: Date }[] => [
  ...timers,
  ...attentions.map(({ createdAt }) => ({ dueAt: createdAt })),
];

const rulesOf = (env: ProcessPlatform['env']) => ({
  delaySeconds: createDueTimes(env).longestDelay,
  reminderSeconds: reminderSecondsOf(env),
  concernsOf,
  isPaced,
  hasPlan,
});

/** The ids of the effects' people, of who works for their farms, and of their admins; found by indexes. */
const CONCERNED_IDS = `SELECT unnest($1::uuid[])
  UNION SELECT user_id FROM farm_members WHERE farm_id = ANY($1::uuid[])
  UNION SELECT id FROM users WHERE role = 'admin' AND '${ADMINS}' = ANY($1::uuid[])`;

const READ_STATE = `
  SELECT json_build_object(
    'now', clock_timestamp(),
    'passed', (SELECT seq FROM followers WHERE name = $3),
    'flags', (SELECT COALESCE(json_agg(DISTINCT key), '[]') FROM notification_deliveries
              WHERE key = ANY($2::text[])),
    'people', (
      SELECT COALESCE(json_agg(json_build_object(
        'id', u.id,
        'preferences', u.preferences,
        'phoneVerifiedAt', u.phone_verified_at,
        'newestNotificationAt',
          (SELECT max(n.created_at) FROM notifications n WHERE n.user_id = u.id),
        'pushSubscriptionIds',
          (SELECT COALESCE(json_agg(s.id ORDER BY s.created_at, s.id), '[]')
           FROM push_subscriptions s WHERE s.user_id = u.id)
      )), '[]')
      FROM users u
      WHERE u.deleted_at IS NULL AND u.id IN (${CONCERNED_IDS})),
    'printingFarms', (
      SELECT COALESCE(json_agg(DISTINCT farm_id), '[]') FROM pick_prints
      WHERE farm_id = ANY($4::uuid[]) AND date >= (clock_timestamp() - interval '1 day')::date),
    'awaited', (
      SELECT COALESCE(json_agg(DISTINCT awaited.id), '[]')
      FROM products p, unnest(ARRAY[p.id, p.farmer_id]) AS awaited(id)
      WHERE (p.id = ANY($5::uuid[]) OR p.farmer_id = ANY($5::uuid[])) AND ${IS_AWAITED}
        AND awaited.id = ANY($5::uuid[])),
    'unread', (
      SELECT COALESCE(json_agg(json_build_object(
        'id', n.id, 'userId', n.user_id, 'link', n.link, 'kind', n.kind)), '[]')
      FROM notifications n
      WHERE n.read_at IS NULL AND n.link = ANY($6::text[]) AND n.user_id IN (${CONCERNED_IDS})),
    'messages', (
      SELECT COALESCE(json_agg(m), '[]')
      FROM (
        SELECT DISTINCT d.user_id AS "userId", d.about, d.channel, d.kind, d.is_held AS "isHeld",
          CASE WHEN d.is_held THEN d.due_at ELSE d.created_at END AS at
        FROM notification_deliveries d
        -- What waits does so for an hour at most.
        WHERE d.about = ANY($7::text[]) AND d.user_id IN (${CONCERNED_IDS})
          AND d.created_at > clock_timestamp() - interval '2 hours'
      ) AS m
      WHERE m.at > clock_timestamp() - interval '1 hour'),
    'names', (
      SELECT COALESCE(json_agg(json_build_object(
        'id', u.id, 'name', u.name, 'farmName', f.farm_name, 'isDeleted', u.deleted_at IS NOT NULL)), '[]')
      FROM users u LEFT JOIN farmer_profiles f ON f.user_id = u.id WHERE u.id = ANY($8::uuid[])),
    'staff', (
      SELECT COALESCE(json_agg(json_build_object(
        'farmId', farm_id, 'userId', user_id, 'role', role, 'hasAlerts', has_alerts
      ) ORDER BY created_at, id), '[]')
      FROM (
        SELECT m.farm_id, m.user_id, m.role::text, m.created_at, m.id,
               m.has_alerts AND u.suspended_at IS NULL AS has_alerts
        FROM farm_members m JOIN users u ON u.id = m.user_id WHERE m.farm_id = ANY($1::uuid[])
        UNION ALL
        SELECT '${ADMINS}'::uuid, id, 'owner', created_at, id, true FROM users
        WHERE role = 'admin' AND deleted_at IS NULL AND '${ADMINS}' = ANY($1::uuid[])
      ) AS staff)
  ) AS state`;

interface StateRow {
  state: {
    now: string;
    passed: number | null;
    flags: string[];
    people: {
      id: string;
      preferences: unknown;
      phoneVerifiedAt: string | null;
      newestNotificationAt: string | null;
      pushSubscriptionIds: string[];
    }[];
    staff: (StaffMember & { farmId: string })[];
    names: NamedRow[];
    printingFarms: string[];
    awaited: string[];
    unread: UnreadNotification[];
    messages: (Omit<SentMessage, 'at'> & { at: string })[];
  };
}

async function readState(
  run: Run,
  env: ProcessPlatform['env'],
  effects: readonly CausedEffect[],
  follower: string | null,
): Promise<{ passed: number | null; state: NotificationState }> {
  const all = (pick: (effect: CausedEffect) => string | readonly string[] | undefined) =>
    unique(effects.flatMap((effect) => pick(effect) ?? []));
  const values = [
    all((effect) => ('userId' in effect ? effect.userId : undefined)),
    all(flagOf),
    follower,
    all((effect) => (effect.do === 'schedule' && effect.needsPrint ? effect.userId : undefined)),
    all((effect) => (effect.do === 'schedule' ? effect.needsFollowers : undefined)),
    all((effect) => (effect.do === 'settle' ? effect.links : undefined)),
    all((effect) => (effect.do === 'notify' ? (effect.about ?? effect.link) : undefined)),
    all((effect) => (effect.do === 'notify' ? idsIn([effect]) : undefined)),
  ];
  const [row] = await run<StateRow>(READ_STATE, values);
  if (!row) throw new Error('Reading the state of notifications had no answer.');
  const { passed, ...state } = row.state;
  return {
    passed,
    state: {
      ...state,
      now: new Date(state.now),
      flags: new Set(state.flags),
      names: toNames(state.names),
      printingFarms: new Set(state.printingFarms),
      awaited: new Set(state.awaited),
      messages: state.messages.map((message) => ({ ...message, at: new Date(message.at) })),
      staff: group(state.staff, ({ farmId }) => farmId),
      people: new Map(
        state.people.map(({ id, preferences, newestNotificationAt, ...person }) => [
          id,
          {
            preferences: presentPreferences(preferences),
            newestNotificationAt: newestNotificationAt ? new Date(newestNotificationAt) : null,
            pushSubscriptionIds: person.pushSubscriptionIds,
            canBeTexted: canText(person, env),
          },
        ]),
      ),
    },
  };
}

function flagOf(effect: CausedEffect): string | undefined {
  if (effect.do === 'setFlag' || effect.do === 'clearFlag') return effect.key;
  return effect.do === 'notify' ? effect.unlessFlag : undefined;
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/**
 * Returns the statement that writes a plan if the guard yields a row. One person's notifications are
 * written under that person's lock, so that unread counts match the order of the events; locks are
 * taken in sorted order. The event and the deliveries of a notification are written only if the
 * notification is new.
 */
const writeStatement = (guard: string) => `
  WITH guard AS (${guard}),
  locked AS MATERIALIZED (
    SELECT count(pg_advisory_xact_lock(hashtextextended(name, 0))::text)
    FROM guard, unnest($2::text[]) AS name
  ),
  notified AS (
    INSERT INTO notifications (id, user_id, kind, key, params, title, body, link, created_at, read_at)
      SELECT n.id, n."userId", n.kind, n.key, n.params, n.title, n.body, n.link, n."createdAt", n."readAt"
      FROM guard, locked, json_to_recordset($1::json -> 'notifications') AS n(
        id uuid, "userId" uuid, kind text, key text, params jsonb, title text, body text, link text,
        "createdAt" timestamptz, "readAt" timestamptz)
      ON CONFLICT DO NOTHING
      RETURNING id
  ),
  recorded AS (
    INSERT INTO event_outbox (id, name, data, rooms, request_id)
      SELECT e.id, e.name, e.data, e.rooms, e."requestId"
      FROM ROWS FROM (json_to_recordset($1::json -> 'events') AS (
        id uuid, name text, data json, rooms text[], "notificationId" uuid, "requestId" text
      )) WITH ORDINALITY AS e
      JOIN notified ON notified.id = e."notificationId"
      ORDER BY e.ordinality
  ),
  cleared AS (
    DELETE FROM notification_deliveries USING guard WHERE key = ANY($3::text[])
  ),
  timed AS (
    INSERT INTO timers (key, kind, due_at, request_id)
      SELECT t.key, t.kind, t."dueAt", t."requestId"
      FROM guard, json_to_recordset($1::json -> 'timers') AS t(
        key text, kind text, "dueAt" timestamptz, "requestId" text)
      ON CONFLICT DO NOTHING
  ),
  ${WRITE_ATTENTIONS},
  added AS (
    INSERT INTO notification_deliveries
        (id, user_id, kind, key, channel, status, created_at, due_at, about, is_held, language)
      SELECT d.id, d."userId", d.kind, d.key, d.channel, d.status, d."createdAt", d."dueAt", d.about, d."isHeld",
        d.language
      FROM guard, json_to_recordset($1::json -> 'deliveries') AS d(
        id uuid, "userId" uuid, kind text, key text, channel "Channel", status "DeliveryStatus",
        "createdAt" timestamptz, "dueAt" timestamptz, about text, "isHeld" boolean, language text, "notificationId" uuid)
      WHERE d."notificationId" IS NULL OR d."notificationId" IN (SELECT id FROM notified)
      ON CONFLICT DO NOTHING
      RETURNING id
  )
  SELECT json_build_object(
    'isWritten', EXISTS (SELECT FROM guard),
    'added', (SELECT COALESCE(json_agg(id), '[]') FROM added)
  ) AS written`;

const WRITE_ALWAYS = writeStatement('SELECT 1');
const WRITE_IF_CURSOR_UNMOVED = writeStatement(`
  UPDATE followers SET seq = $6, updated_at = now() WHERE name = $4 AND seq = $5 RETURNING seq`);

/** Writes a plan and moves the cursor. @returns what needs a job; undefined if the cursor has moved */
async function writePlan(
  run: Run,
  plan: Plan,
  cursor: { follower: string; from: number; to: number } | null,
): Promise<Planned[] | undefined> {
  const { clearedFlags, settled: _, bought: __, ...rows } = plan;
  const locks = unique(plan.notifications.map(({ userId }) => notificationsLock(userId))).sort();
  const values = [JSON.stringify(rows), locks, clearedFlags];
  const [row] = await run<{ written: { isWritten: boolean; added: string[] } }>(
    cursor ? WRITE_IF_CURSOR_UNMOVED : WRITE_ALWAYS,
    cursor ? [...values, cursor.follower, cursor.from, cursor.to] : values,
  );
  if (!row?.written.isWritten) return undefined;
  const added = new Set(row.written.added);
  return plan.deliveries
    .filter(({ id, status }) => added.has(id) && status === 'pending')
    .map(({ isHeld, dueAt, createdAt, ...row }) => ({
      ...row,
      ...(isHeld ? { heldMs: dueAt.getTime() - createdAt.getTime() } : {}),
    }));
}

/** So long changes of a pick list are gathered, and may be seen, before the farm is notified. */
const PICKLIST_SECONDS = 60;

/** Returns how long each reminder waits, in seconds. */
const reminderSecondsOf = (env: ProcessPlatform['env']): Record<DelayedTimerKind, number> => ({
  'order.unanswered': theMarket().unansweredMinutes * 60,
  // It has a time of its own.
  'order.reminder': 0,
  'message.unread': env.UNREAD_EMAIL_AFTER_SECONDS,
  'picklist.changed': PICKLIST_SECONDS,
  'stock.back': 0,
  'stock.wave': env.STOCK_WAVE_AFTER_SECONDS,
  // It has a time of its own.
  'farm.newProducts': 0,
});

/** Creates the rules for when mails and push messages are due. */
export const createDueTimes = (env: ProcessPlatform['env']): DueTimes => ({
  longestDelay: ({ channel, kind }) => {
    if (channel !== 'email') return 0;
    const definition = definitionOf(kind);
    return !definition || definition.isUrgent ? 0 : env.UNREAD_EMAIL_AFTER_SECONDS;
  },
  isDueAtOnceWhenAway: ({ channel, kind }) =>
    channel === 'email' && definitionOf(kind)?.digest === undefined,
});
