import { useEffect } from 'react';
import type { Notification, NotificationKind } from '#contract/people/notifications/notifications';
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
      ? t('{count} new orders', { count: items.length })
      : t('{count} orders are waiting for you', { count: items.length }),
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
    title: ({ length }) => t('{length} orders were cancelled', { length }),
  },
  'order.leftUnanswered': {
    link: '/admin/orders?status=pending&sort=oldest',
    title: ({ length }) => t('{length} orders are waiting for an answer', { length }),
  },
  'report.opened': {
    link: '/admin/reports',
    title: ({ length }) => t('{length} open reports', { length }),
  },
  'stock.low': {
    link: '/farmer/products?view=stock',
    title: ({ length }) => t('{length} products are running low', { length }),
  },
};

/** How many names stand in a row before the rest is counted. */
const NAMES_MAX = 3;
const NAME_IN_TITLE =
  /^New order from (.+)$|^(.+) is waiting for your answer$|^(.+) is (?:running low|sold out)$/;

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
    return { newest, items: all, title: newest.title, body: newest.body, link: newest.link };
  }
  return {
    newest,
    items: all,
    title: group.title(items),
    body: namesIn(items) || newest.body,
    link: group.link,
  };
}

/** Returns the newest names in the titles: 'Asha, Ben and 38 others'. Empty if they name nobody. */
function namesIn(items: readonly Notification[]): string {
  const named = items.map(({ title }) => NAME_IN_TITLE.exec(title)?.slice(1).find(Boolean) ?? '');
  const names = [...new Set(named.filter(Boolean))];
  const first = names.slice(0, NAMES_MAX);
  if (first.length === 0) return '';
  const others = names.length - first.length;
  if (others > 0)
    return t('{join} and {others, plural, one {# other} other {# others}}', {
      join: first.join(', '),
      others,
    });
  return [first.slice(0, -1).join(', '), first.at(-1)].filter(Boolean).join(' and ');
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

const COUNT_PREFIX = /^\(\d+\) /;

/** Shows a count before the document's title, `(2) Orders · Farmgate`, for who looks at another tab. None for 0. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const updateTitle = () => {
      const wanted = `(${count}) ${document.title.replace(COUNT_PREFIX, '')}`;
      if (document.title !== wanted) document.title = wanted;
    };
    updateTitle();
    // Pages overwrite the title.
    const observer = new MutationObserver(updateTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(COUNT_PREFIX, '');
    };
  }, [count]);
}
