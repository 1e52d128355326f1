import type { QueryKey } from '@tanstack/react-query';
import { messagesKeys } from '../../farm/messages/merge.ts';
import { scheduleKeys } from '../../farm/schedule/queries.ts';
import { type OrderFilters, ordersKeys } from '../../ordering/orders/keys.ts';
import { picklistKeys } from '../../ordering/picklist/keys.ts';
import { notificationsKeys } from '../../people/notifications/events.ts';
import { indexedDbStore } from '../../platform/offline/indexed-db.ts';
import type { KeepReads } from '../../platform/offline/KeptReads.tsx';
import { keepReads as keep } from '../../platform/offline/persister.ts';
import type { KeptGroup } from '../../platform/offline/records.ts';
import { KEPT_FORMAT, marketGroups } from './kept-reads.ts';

/** A list of all orders, or of those of one status: searches are not looked at twice. */
function isPlainList([, , filters]: QueryKey): boolean {
  const { status: _, firstDay: __, ...others } = (filters ?? {}) as OrderFilters;
  return Object.values(others).every((value) => value === undefined);
}

/**
 * What is kept for people who are signed in: own orders, the last page of conversations and what surrounds them.
 * What events reach its reader about, whatever page they are on, is covered.
 */
export const signedInGroups: readonly KeptGroup[] = [
  {
    name: 'placed orders',
    prefix: ordersKeys.lists('mine'),
    matches: isPlainList,
    max: 6,
    isCovered: true,
  },
  { name: 'waiting orders', prefix: ordersKeys.waiting(), max: 1, isCovered: true },
  {
    name: 'received orders',
    prefix: ordersKeys.lists('received'),
    matches: isPlainList,
    max: 6,
    isCovered: true,
  },
  {
    name: 'received orders by slot',
    prefix: ordersKeys.lists('receivedBySlot'),
    matches: isPlainList,
    max: 6,
    isCovered: true,
  },
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
export const keepReads: KeepReads = (cache, reader) =>
  keep(cache, { store: indexedDbStore, groups: signedInGroups, format: KEPT_FORMAT, reader });
