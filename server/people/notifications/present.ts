import {
  ALWAYS_MAILED,
  DEFAULT_PREFERENCES,
  NOTIFICATION_KINDS,
  TEXTED_KINDS,
} from '#contract/people/notifications/constants';
import { shownOf } from '#contract/people/notifications/constants/words';
import type { Whom } from '#contract/people/notifications/constants/written';
import {
  type Notification,
  NotificationKind,
  type NotificationSubject,
  Preferences,
} from '#contract/people/notifications/notifications';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Notification as NotificationRow } from '../../../prisma/generated/client.ts';

/** What people are called now, and their farms, by their ids. */
export type Names = ReadonlyMap<string, Record<'name' | 'farmName', string>>;

/** A row of somebody whom notifications name. */
export interface NamedRow {
  id: string;
  name: string;
  farmName: string | null;
  isDeleted: boolean;
}

/** Returns what people are called; all deleted people have the same name. */
export const toNames = (rows: readonly NamedRow[]): Names =>
  new Map(
    rows.map(({ id, isDeleted, farmName, ...row }) => {
      const name = isDeleted ? DELETED_USER_NAME : row.name;
      return [id, { name, farmName: isDeleted ? name : farmName || name }];
    }),
  );

type Told = { kind: string; params?: unknown };

/** Returns the ids of the people whom notifications name. */
export const idsIn = (rows: readonly Told[]): string[] => [
  ...new Set(
    rows.flatMap(({ kind, params }) =>
      shownOf(kind).flatMap(([key]) => (params as Record<string, Whom> | null)?.[key]?._id ?? []),
    ),
  ),
];

/** Reads what the people are called whom notifications name. */
export async function readNames(db: Database | Transaction, rows: readonly Told[]): Promise<Names> {
  const ids = idsIn(rows);
  if (ids.length === 0) return new Map();
  const users = await db.user.findMany({
    where: { id: { in: ids } },
    select: {
      id: true,
      name: true,
      deletedAt: true,
      farm: { select: { farmName: true } },
    },
  });
  return toNames(
    users.map(({ id, name, deletedAt, farm }) => ({
      id,
      name,
      farmName: farm?.farmName ?? null,
      isDeleted: deletedAt !== null,
    })),
  );
}

/** Returns the params of a notification with the present names of the people in them; null of a row from before. */
export function withNames({ kind, params }: Told, names: Names): Record<string, unknown> | null {
  if (!params) return null;
  const named = { ...(params as Record<string, unknown>) };
  for (const [key, shows] of shownOf(kind)) {
    const whom = named[key] as Whom | undefined;
    if (!whom) continue;
    named[key] = { _id: whom._id, name: names.get(whom._id)?.[shows] ?? DELETED_USER_NAME };
  }
  return named;
}

/** Presents a notification to its reader. */
export function presentNotification(row: NotificationRow, names: Names): Notification {
  const { title, body } = row;
  const params = withNames(row, names);
  return {
    _id: row.id,
    kind: NotificationKind.parse(row.kind),
    ...(params ? { params } : { title, body }),
    link: row.link,
    isRead: row.readAt !== null,
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * Returns a person's preferences completed with the defaults; only the defaults if they are invalid. What is always
 * mailed is mailed, whatever is stored, and only what may be texted has a choice of `sms`.
 */
export function presentPreferences(stored: unknown): Preferences {
  const merged = Preferences.safeParse({ ...DEFAULT_PREFERENCES, ...Object(stored) });
  const preferences: Preferences = merged.success ? merged.data : DEFAULT_PREFERENCES;
  const complete = (kind: NotificationKind) => {
    const { email, push, sms = false } = preferences[kind];
    return {
      email: email || ALWAYS_MAILED.includes(kind),
      push,
      ...(TEXTED_KINDS.includes(kind) ? { sms } : {}),
    };
  };
  return Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, complete(kind)]),
  ) as Preferences;
}

/**
 * Returns the name of the lock that serializes adding and reading one person's notifications, so that
 * the unread counts in events match the order of the events.
 */
export const notificationsLock = (userId: string): string => `notifications ${userId}`;

/** Returns the links of the notifications about a subject: a notification leads to what it is about. */
export function linksOf({ kind, _id }: NotificationSubject): string[] {
  switch (kind) {
    case 'order':
      return [`/orders/${_id}`, `/admin/orders/${_id}`];
    case 'conversation':
      return [`/messages/${_id}`, `/admin/messages/${_id}`];
    case 'product':
      return [
        `/products/${_id}`,
        `/farmer/products/edit/${_id}`,
        `/farmer/products?view=stock&product=${_id}`,
      ];
  }
}
