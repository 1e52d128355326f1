import type { Attention } from '#contract/ordering/attention/attention';
import type { EscalationPlan, StepChannel } from '#contract/ordering/attention/constants';
import { NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import type { AttentionKind } from '#contract/people/notifications/constants';
import { room } from '#contract/platform/events/constants';
import { theMarket } from '#contract/platform/market/constants';
import type { FarmRole } from '#contract/platform/session/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Channel } from '../../../prisma/generated/client.ts';
import {
  type Names,
  presentPreferences,
  readNames,
  withNames,
} from '../../people/notifications/present.ts';
import { type PersonRow, presentPerson } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { personOf } from '../model/present-lines.ts';
import { type Course, WITHOUT_STEPS } from './policy.ts';
import {
  isCustomerUnreachable,
  type Reachable,
  reachesNobody,
  ringsOf,
  type Staff,
} from './receivers.ts';

/** An attention with what it is presented from. */
export interface AttentionRow extends Course {
  id: string;
  farmId: string;
  /** The customer who alone is meant. */
  userId: string | null;
  kind: AttentionKind;
  orderId: string | null;
  subjectId: string;
  /** Undefined until it has begun. */
  plan: EscalationPlan | undefined;
  params: Record<string, unknown>;
  link: string;
  key: string;
  createdAt: Date;
  seenAt: Date | null;
  version: number;
  farm: { name: string };
  order: { id: string; consumer: PersonRow; startsAt: string | null } | null;
  user: PersonRow | null;
  acknowledgedBy: PersonRow | null;
  told: { channel: Channel; step: string; to: PersonRow; at: string }[];
}

type Raw = {
  [Key in keyof AttentionRow]: AttentionRow[Key] extends Date | null
    ? string | null
    : AttentionRow[Key];
};

const TIMES = [
  'roundAt',
  'nextAt',
  'begunAt',
  'adminsAt',
  'createdAt',
  'seenAt',
  'acknowledgedAt',
  'exhaustedAt',
  'resolvedAt',
] as const satisfies (keyof AttentionRow)[];

// The key of a delivery names its step, and for a push its browser after that.
const TOLD = `SELECT DISTINCT ON (d.channel, d.user_id, told.step)
    d.channel, told.step, d.user_id, COALESCE(d.sent_at, d.created_at) AS at
  FROM notification_deliveries d
  CROSS JOIN LATERAL (SELECT split_part(d.key, '@', 1) AS step) AS told
  WHERE d.attention_id = a.id AND d.status = 'sent'
  ORDER BY d.channel, d.user_id, told.step, at`;

const ATTENTION_ROW = `json_build_object(
  'id', a.id, 'farmId', a.farm_id, 'userId', a.user_id, 'kind', a.kind, 'orderId', a.order_id,
  'subjectId', a.subject_id, 'state', a.state, 'step', a.step, 'round', a.round, 'roundAt', a.round_at,
  'nextAt', a.next_at, 'plan', NULLIF(a.plan, '{}'), 'params', a.params, 'link', a.link, 'key', a.key,
  'createdAt', a.created_at, 'begunAt', a.begun_at, 'adminsAt', a.admins_at, 'seenAt', a.seen_at,
  'acknowledgedAt', a.acknowledged_at, 'exhaustedAt', a.exhausted_at, 'resolvedAt', a.resolved_at,
  'resolution', a.resolution, 'version', a.version,
  'farm', (SELECT json_build_object('name', COALESCE(NULLIF(f.farm_name, ''), u.name))
    FROM farmer_profiles f JOIN users u ON u.id = f.user_id WHERE f.user_id = a.farm_id),
  'order', (SELECT json_build_object('id', o.id, 'consumer', ${personOf('o.consumer_id')}, 'startsAt', iso_instant(o.starts_at))
    FROM orders o WHERE o.id = a.order_id),
  'user', ${personOf('a.user_id')},
  'acknowledgedBy', ${personOf('a.acknowledged_by_id')},
  'told', (SELECT COALESCE(json_agg(json_build_object(
      'channel', told.channel, 'step', told.step, 'to', ${personOf('told.user_id')}, 'at', iso_instant(told.at))
      ORDER BY told.at, told.channel, told.user_id, told.step), '[]') FROM (${TOLD}) AS told))`;

const fromRaw = (raw: Raw): AttentionRow => ({
  ...raw,
  plan: raw.plan ?? undefined,
  ...(Object.fromEntries(
    TIMES.map((time) => [time, raw[time] === null ? null : new Date(raw[time])]),
  ) as Pick<AttentionRow, (typeof TIMES)[number]>),
});

/** Reads attentions of a condition on `a`, the oldest first. */
export async function readAttentions(
  db: Database | Transaction,
  condition: string,
  ...values: unknown[]
): Promise<AttentionRow[]> {
  const rows = await db.$queryRawUnsafe<{ row: Raw }[]>(
    `SELECT ${ATTENTION_ROW} AS row FROM attentions a WHERE ${condition} ORDER BY a.created_at, a.id`,
    ...values,
  );
  return rows.map(({ row }) => fromRaw(row));
}

/** The people by whom attentions reach somebody: those of farms by farm, and customers. */
export interface People {
  staff: ReadonlyMap<string, readonly Staff[]>;
  customers: ReadonlyMap<string, Reachable>;
  now: Date;
}

const REACHABLE = `'userId', u.id, 'preferences', u.preferences,
  'isMailProven', u.email_verified_at IS NOT NULL, 'isPhoneProven', u.phone_verified_at IS NOT NULL,
  'isRefused', u.email_refused_at IS NOT NULL OR u.unreachable_at IS NOT NULL OR u.email LIKE '%${NO_EMAIL_ENDING}',
  'subscriptionIds', (SELECT COALESCE(json_agg(s.id ORDER BY s.created_at, s.id), '[]')
    FROM push_subscriptions s WHERE s.user_id = u.id)`;
const IS_THERE = 'u.deleted_at IS NULL AND u.suspended_at IS NULL';

interface RawReachable extends Omit<Reachable, 'isMailed' | 'preferences'> {
  preferences: unknown;
  isRefused: boolean;
}

const toReachable = ({ isRefused, preferences, ...raw }: RawReachable): Reachable => ({
  ...raw,
  preferences: presentPreferences(preferences),
  isMailed: !isRefused && (raw.isMailProven || !theMarket().requiresVerifiedEmail),
});

/** Reads who works for farms now, and how they and customers are reached. */
export async function readPeople(
  db: Database | Transaction,
  farmIds: readonly string[],
  customerIds: readonly string[] = [],
): Promise<People> {
  const [row] = await db.$queryRawUnsafe<
    {
      now: Date;
      staff: (RawReachable & {
        farmId: string;
        role: FarmRole;
        hasAlerts: boolean;
        offUntil: string | null;
      })[];
      customers: RawReachable[];
    }[]
  >(
    `SELECT clock_timestamp() AS now,
      (SELECT COALESCE(json_agg(json_build_object('farmId', m.farm_id, 'role', m.role, 'hasAlerts', m.has_alerts,
          'offUntil', m.off_until, ${REACHABLE}) ORDER BY m.created_at, m.id), '[]')
        FROM farm_members m JOIN users u ON u.id = m.user_id
        WHERE m.farm_id = ANY ($1::uuid[]) AND ${IS_THERE}) AS staff,
      (SELECT COALESCE(json_agg(json_build_object(${REACHABLE})), '[]')
        FROM users u WHERE u.id = ANY ($2::uuid[]) AND ${IS_THERE}) AS customers`,
    [...new Set(farmIds)],
    [...new Set(customerIds)],
  );
  const staff = new Map<string, Staff[]>();
  for (const { farmId, role, hasAlerts, offUntil, ...raw } of row?.staff ?? []) {
    const member = {
      ...toReachable(raw),
      role,
      hasAlerts,
      offUntil: offUntil === null ? null : new Date(offUntil),
    };
    staff.set(farmId, [...(staff.get(farmId) ?? []), member]);
  }
  const customers = (row?.customers ?? []).map(toReachable);
  return {
    staff,
    customers: new Map(customers.map((each) => [each.userId, each])),
    now: row?.now ?? new Date(),
  };
}

/** Presents attentions to their farms and to admins. */
export async function presentAttentions(
  db: Database | Transaction,
  rows: readonly AttentionRow[],
): Promise<Attention[]> {
  const people = await readPeople(
    db,
    rows.map(({ farmId }) => farmId),
    rows.flatMap(({ userId }) => userId ?? []),
  );
  const names = await readNames(db, rows);
  return rows.map((row) => presentAttention(row, people, names));
}

const CHANNEL = {
  in_app: 'ring',
  email: 'email',
  push: 'push',
  sms: 'sms',
} as const satisfies Record<Channel, StepChannel>;

function presentAttention(
  row: AttentionRow,
  { staff, customers, now }: People,
  names: Names,
): Attention {
  const { kind, order, user, acknowledgedBy, acknowledgedAt, state } = row;
  const plan = row.plan ?? WITHOUT_STEPS;
  const ofFarm = staff.get(row.farmId) ?? [];
  const customer = row.userId === null ? undefined : customers.get(row.userId);
  const isAcknowledged = state === 'acknowledged' || state === 'resolved';
  return {
    _id: row.id,
    kind,
    ...(order && {
      order: { _id: order.id, consumer: presentPerson(order.consumer), startsAt: order.startsAt },
    }),
    params: withNames(row, names) ?? {},
    link: row.link,
    farm: { _id: row.farmId, name: row.farm.name },
    ...(user && { customer: presentPerson(user) }),
    state,
    step: row.step,
    round: row.round,
    createdAt: row.createdAt.toISOString(),
    nextAt: row.nextAt?.toISOString() ?? null,
    seenAt: row.seenAt?.toISOString() ?? null,
    ...(isAcknowledged &&
      acknowledgedBy &&
      acknowledgedAt && {
        acknowledged: { by: presentPerson(acknowledgedBy), at: acknowledgedAt.toISOString() },
      }),
    rings: row.userId === null ? ringsOf(row, plan, kind, ofFarm, now) : [],
    isUnreachable:
      row.userId === null
        ? row.plan !== undefined && reachesNobody(plan, kind, ofFarm, now)
        : !customer || isCustomerUnreachable(kind, customer),
    told: row.told.map(({ channel, to, at }) => ({
      channel: CHANNEL[channel],
      to: presentPerson(to),
      at,
    })),
    version: row.version,
  };
}

/** Records what attentions have become, as they are now. */
export async function recordChanged(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await readAttentions(tx, 'a.id = ANY ($1::uuid[])', ids);
  const presented = await presentAttentions(tx, rows);
  await record(
    tx,
    ...presented.map((data) => ({
      name: 'attention.changed' as const,
      data,
      rooms: [room.farm(data.farm._id), room.admins],
    })),
  );
}

/** The condition of attentions that are not done, on `a`. */
export const IS_OPEN = `a.state IN (${sqlList(['waiting', 'acknowledged', 'exhausted'])})`;
