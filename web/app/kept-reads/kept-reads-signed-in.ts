import { messagesKeys } from '../../farm/messages/merge.ts';
import { scheduleKeys } from '../../farm/schedule/queries.ts';
import { type OrderFilters, ordersKeys } from '../../ordering/model/order-cache.ts';
import { picklistKeys } from '../../ordering/picklist/queries.ts';
import { notificationsKeys } from '../../people/notifications/events.ts';
import type { KeptGroup } from '../../platform/offline/records.ts';
import { keeping, marketGroups } from './kept-reads.ts';

/** The lists of all orders, or of those of one status: searches are not looked at twice. */
const ordersGroup = (name: string, list: Parameters<typeof ordersKeys.lists>[0]): KeptGroup => ({
  name,
  prefix: ordersKeys.lists(list),
  matches: ([, , filters]) => {
    const { status: _, firstDay: __, ...others } = (filters ?? {}) as OrderFilters;
    return Object.values(others).every((value) => value === undefined);
  },
  max: 6,
  isCovered: true,
});

/**
 * What is kept for people who are signed in: own orders, the last page of conversations and what surrounds them.
 * What events reach its reader about, whatever page they are on, is covered.
 */
export const signedInGroups: readonly KeptGroup[] = [
  ordersGroup('placed orders', 'mine'),
  { name: 'waiting orders', prefix: ordersKeys.waiting(), max: 1, isCovered: true },
  ordersGroup('received orders', 'received'),
  ordersGroup('received orders by slot', 'receivedBySlot'),
  { name: 'orders', prefix: ordersKeys.details(), max: 60, isCovered: true },
  { name: 'conversations', prefix: messagesKeys.conversations(), max: 1, isCovered: true },
  { name: 'threads', prefix: messagesKeys.threads(), max: 30, isCovered: true },
  { name: 'notifications', prefix: notificationsKeys.list(), max: 1, isCovered: true },
  // Prints and ticks of other people at the farm, and the clock, change it too.
  { name: 'pick lists', prefix: picklistKeys.lists(), max: 6, isCovered: false },
  { name: 'pick days', prefix: picklistKeys.allDays(), max: 2, isCovered: false },
  { name: 'possible days', prefix: scheduleKeys.allDays(), max: 6, isCovered: false },
  ...marketGroups,
];

/** Keeps the reads of a signed-in person. */
export const keepReads = keeping(signedInGroups);
