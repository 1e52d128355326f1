import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { AddKeptGoods } from '../cart/AddKeptGoods.tsx';
import { onListKept } from '../lib/is-list-kept.ts';
import { watchOutbox } from '../messages/outbox.ts';
import { orderNewsSeen } from '../notifications/order-news.ts';
import { useSeenNotifications } from '../notifications/use-seen.ts';
import { KEPT_ANSWERS_KEY } from '../orders/kept-answers-key.ts';
import { isWorkKept } from '../picklist/is-work-kept.ts';
import { useShownCounts } from './use-counts.ts';

const ORDER_PATH = '/orders/';

/**
 * What runs on every page of a signed-in user: counts what waits, sends the messages and answers that found no line,
 * takes back the news of what is opened, and adds to the cart what was chosen before signing in.
 */
export default function SignedIn({ userId }: { userId: string }) {
  const cache = useQueryClient();
  const [path] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has other messages.
  useEffect(() => watchOutbox(cache), [cache, userId]);
  useEffect(() => {
    // Few people have any, so what sends it is loaded for them alone.
    if (isWorkKept()) {
      void import('../picklist/send-work.ts').then(({ watchWork }) => watchWork(cache));
    }
  }, [cache]);
  useEffect(
    () =>
      // What another tab leaves behind is sent here.
      onListKept(KEPT_ANSWERS_KEY, () => {
        void import('../orders/held-answers.ts').then(({ watchAnswers }) => watchAnswers(cache));
      }),
    [cache],
  );
  useShownCounts();
  useSeenNotifications(path);
  useEffect(() => {
    if (path.startsWith(ORDER_PATH)) orderNewsSeen(path.slice(ORDER_PATH.length));
  }, [path]);
  // Here and not with the pages, so that its question outlasts them.
  return <AddKeptGoods key={userId} />;
}
