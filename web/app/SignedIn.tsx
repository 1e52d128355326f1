import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { watchOutbox } from '../farm/messages/outbox.ts';
import { AddKeptGoods } from '../ordering/cart/AddKeptGoods.tsx';
import { ANSWERS_KEY, onListQueued, PICK_WORK_KEY } from '../ordering/model/queued-lists.ts';
import { orderNewsSeen } from '../ordering/news/order-news.ts';
import { useSeenNotifications } from '../people/notifications/queries.ts';
import { whenIdle } from '../platform/hooks/when-idle.ts';
import { store } from '../platform/session/store.ts';
import { logOut } from './log-out.ts';
import { useShownCounts } from './use-counts.ts';
import { askedAtom } from './use-logout.ts';

// Where its file cannot be fetched nobody is asked: nothing is lost without the question either.
const LogoutQuestion = lazy(() =>
  import('./frame/LogoutQuestion.tsx').catch(() => ({ default: LogOutUnasked })),
);

const ORDER_PATH = '/orders/';
/** What people left behind long ago is looked for after this time even if the page is not idle. */
const IDLE_TIMEOUT_MS = 10_000;

/**
 * What runs on every page of a signed-in user: counts what waits, sends the messages and answers that found no line,
 * takes back the news of what is opened, and adds to the cart what was chosen before signing in.
 */
export default function SignedIn({ userId }: { userId: string }) {
  const cache = useQueryClient();
  const [path] = useLocation();
  useEffect(() => watchOutbox(cache), [cache]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user has other lists.
  useEffect(() => {
    // Few people have any, so what sends them is loaded for them alone. What another tab leaves is sent here, too.
    const stops = [
      onListQueued(PICK_WORK_KEY, () => {
        void import('../ordering/picklist/work/send-work.ts').then(({ watchWork }) =>
          watchWork(cache),
        );
      }),
      onListQueued(ANSWERS_KEY, () => {
        void import('../ordering/orders/answers/queued-answers.ts').then(({ watchAnswers }) =>
          watchAnswers(cache),
        );
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [cache, userId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user was here at another time.
  useEffect(
    () =>
      whenIdle(() => {
        void import('../platform/session/owned-upkeep.ts').then(
          ({ pruneOwned }) => pruneOwned(),
          () => undefined,
        );
      }, IDLE_TIMEOUT_MS),
    [userId],
  );
  useShownCounts();
  useSeenNotifications(path);
  useEffect(() => {
    if (path.startsWith(ORDER_PATH)) orderNewsSeen(path.slice(ORDER_PATH.length));
  }, [path]);
  const asked = useAtomValue(askedAtom);
  // Here and not with the pages, so that its question outlasts them.
  return (
    <>
      <AddKeptGoods key={userId} />
      {asked && (
        <Suspense fallback={null}>
          <LogoutQuestion client={asked} />
        </Suspense>
      )}
    </>
  );
}

function LogOutUnasked({ client }: { client: QueryClient }): ReactNode {
  useEffect(() => {
    store.set(askedAtom, null);
    logOut(client);
  }, [client]);
  return null;
}
