import { useEffect } from 'react';
import { type ParamsOf, wordsOf } from '#contract/people/notifications/constants/words';
import { nameOf, productOf } from '#contract/people/notifications/constants/written';
import type { Notification, NotificationKind } from '#contract/people/notifications/notifications';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';

/** A row of the bell: one notification, or several unread ones as one. */
export type NotificationRow = {
  /** The newest of them, whose icon and time the row shows. */
  newest: Notification;
  /** All of them, newest first. */
  items: readonly Notification[];
  title: string;
  body: string;
  /** The page it leads to: the subject of one, the list of several. */
  link: string;
};

type Group = { link: string; title: (items: readonly Notification[]) => string };

const isWaiting = ({ kind }: Notification) => kind === 'order.unanswered';

const waitingOrders: Group = {
  link: '/farmer/orders',
  title: (items) =>
    items.every((item) => !isWaiting(item))
      ? t('{count, plural, one {# new order} other {# new orders}}', { count: items.length })
      : t(
          '{count, plural, one {# order is waiting for you} other {# orders are waiting for you}}',
          { count: items.length },
        ),
};

/**
 * The kinds of which many are one row. Those of other kinds are one row if they are about the same order
 * or conversation.
 */
const GROUPS: { readonly [Kind in NotificationKind]?: Group } = {
  'order.placed': waitingOrders,
  'order.unanswered': waitingOrders,
  'order.cancelledByConsumer': {
    link: '/farmer/orders',
    title: ({ length: count }) =>
      t('{count, plural, one {# order was cancelled} other {# orders were cancelled}}', { count }),
  },
  'order.leftUnanswered': {
    link: '/admin/orders?status=pending&sort=oldest',
    title: ({ length: count }) =>
      t(
        '{count, plural, one {# order is waiting for an answer} other {# orders are waiting for an answer}}',
        { count },
      ),
  },
  'report.opened': {
    link: '/admin/reports',
    title: ({ length: count }) =>
      t('{count, plural, one {# open report} other {# open reports}}', { count }),
  },
  'stock.low': {
    link: '/farmer/products?view=stock',
    title: ({ length: count }) =>
      t('{count, plural, one {# product is running low} other {# products are running low}}', {
        count,
      }),
  },
};

/** How many names stand in a row before the rest is counted. */
const NAMES_MAX = 3;

/** Returns whom or what a notification names among others of its group; undefined for nobody. */
function nameIn({ kind, params }: Notification): string | undefined {
  if (!params) return undefined;
  switch (kind) {
    case 'order.placed':
    case 'order.unanswered':
      return nameOf((params as ParamsOf<typeof kind>).customer);
    case 'stock.low':
      return productOf({ name: (params as ParamsOf<typeof kind>).product });
    default:
      return undefined;
  }
}

/** Returns the rows of the bell, the newest first: unread notifications are folded, read ones are not. */
export function foldNotifications(items: readonly Notification[]): NotificationRow[] {
  const folds = new Map<unknown, Notification[]>();
  for (const item of items) {
    const key = item.isRead ? item._id : (GROUPS[item.kind] ?? item.link);
    const fold = folds.get(key);
    if (fold) fold.push(item);
    else folds.set(key, [item]);
  }
  return [...folds.values()].map(toRow);
}

function toRow(all: readonly Notification[]): NotificationRow {
  const [newest] = all as [Notification];
  // A reminder of an order stands for the order's own notification.
  const items = all.filter(
    (item, index) => all.findIndex((other) => other.link === item.link) === index,
  );
  const group = GROUPS[newest.kind];
  if (!group || items.length === 1) {
    return { newest, items: all, ...wordsOf(newest), link: newest.link };
  }
  return {
    newest,
    items: all,
    title: group.title(items),
    body: namesIn(items) || wordsOf(newest).body,
    link: group.link,
  };
}

/** Returns the newest names of a group: 'Asha, Ben and 38 others'. Empty if they name nobody. */
function namesIn(items: readonly Notification[]): string {
  const names = [...new Set(items.flatMap((item) => nameIn(item) ?? []))];
  const first = names.slice(0, NAMES_MAX);
  const count = names.length - first.length;
  return count > 0
    ? t('{names} and {count, plural, one {# other} other {# others}}', {
        names: listOf(first, 'unit'),
        count,
      })
    : listOf(first);
}

/**
 * Returns the number at the bell: how many unread rows there are. `unreadCount` counts notifications,
 * loaded or not; those that are not loaded belong to the folds, if there are any.
 */
export function countUnreadRows(items: readonly Notification[], unreadCount: number): number {
  const loaded = items.filter((item) => !item.isRead).length;
  const rows = foldNotifications(items).filter(({ newest }) => !newest.isRead);
  const hasFold = rows.some((row) => row.items.length > 1);
  return rows.length + (hasFold ? 0 : Math.max(0, unreadCount - loaded));
}

const PREFIX = /^(\(\d+\) )?(🔔 )?/u;

/**
 * Shows a count before the document's title, `(2) Orders · Farmgate`, for who looks at another tab; none for 0. One
 * that `isMarked` has a bell as well.
 */
export function useTitleCount(count: number, isMarked = false): void {
  useEffect(() => {
    if (count === 0 && !isMarked) return;
    const prefix = `${count > 0 ? `(${count}) ` : ''}${isMarked ? '🔔 ' : ''}`;
    const updateTitle = () => {
      const wanted = prefix + document.title.replace(PREFIX, '');
      if (document.title !== wanted) document.title = wanted;
    };
    updateTitle();
    // Pages overwrite the title.
    const observer = new MutationObserver(updateTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(PREFIX, '');
    };
  }, [count, isMarked]);
}
