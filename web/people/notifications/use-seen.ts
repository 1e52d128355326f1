import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { NotificationSubject } from '#contract/people/notifications/notifications';
import { itemsOf } from '../../platform/queries/pages.ts';
import { unreadCountOf } from '../model/unread.ts';
import { notificationsQuery, useMarkSubjectRead } from './queries.ts';

const SUBJECT_PATH =
  /^\/((?:admin\/)?orders|products|farmer\/products\/edit|(?:admin\/)?messages)\/([\w-]+)$/;
const KIND_BY_PLACE: Record<string, NotificationSubject['kind']> = {
  orders: 'order',
  'admin/orders': 'order',
  products: 'product',
  'farmer/products/edit': 'product',
};

/** Returns what the page under this path shows, if notifications can be about it. */
export function subjectOf(path: string): NotificationSubject | undefined {
  const [, place = '', _id] = SUBJECT_PATH.exec(path) ?? [];
  if (_id === undefined) return undefined;
  return { kind: KIND_BY_PLACE[place] ?? 'conversation', _id: _id.toLowerCase() };
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Marks what is about the order, the product or the conversation in view as read, also what arrives meanwhile. */
export function useSeenNotifications(path: string): void {
  const { data } = useInfiniteQuery(notificationsQuery());
  const isVisible = useSyncExternalStore(subscribe, () => !document.hidden);
  const { mutate } = useMarkSubjectRead();
  const asked = useRef('');
  const unread = itemsOf(data).filter((item) => !item.isRead);
  const ids = unread.filter(({ link }) => link === path).map(({ _id }) => _id);
  // Others may be unread further down the list, which is not loaded.
  const hasMore = unreadCountOf(data) > unread.length;
  const question = ids.length > 0 || hasMore ? `${path} ${ids.join()}` : '';

  useEffect(() => {
    const subject = subjectOf(path);
    if (!subject || !isVisible || question === '' || asked.current === question) return;
    const wasAsked = asked.current.startsWith(`${path} `);
    asked.current = question;
    const found = question
      .slice(path.length + 1)
      .split(',')
      .filter(Boolean);
    if (found.length > 0 || !wasAsked) mutate({ subject, ids: found });
  }, [path, isVisible, question, mutate]);
}
