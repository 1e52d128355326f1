import {
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { useLocation } from 'wouter';
import { watchOutbox } from '../farm/messages/outbox.ts';
import { conversationsQuery } from '../farm/messages/queries.ts';
import { AddSavedGoods } from '../ordering/cart/OtherFarmDialog.tsx';
import { ANSWERS_KEY, onListQueued, PICK_WORK_KEY } from '../ordering/model/queued-lists.ts';
import { orderNoticesSeen } from '../ordering/news/order-notices.ts';
import { pendingCountQuery } from '../ordering/orders/queries.ts';
import { unreadCountOf } from '../people/model/unread.ts';
import { useSeenNotifications } from '../people/notifications/queries.ts';
import { rememberLanguage } from '../people/users/LanguageChoice.tsx';
import { stopAll } from '../platform/hooks/listen.ts';
import { whenIdle } from '../platform/hooks/when-idle.ts';
import { hasConversations, mayForFarm, store, useAuth } from '../platform/session/session.ts';
import { countsAtom, type NavigationCounts, NO_COUNTS } from './frame/navigation.ts';
import { logOut } from './log-out.ts';
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
    return stopAll(
      onListQueued(PICK_WORK_KEY, async () => {
        const { watchWork } = await import('../ordering/picklist/work/send-work.ts');
        watchWork(cache);
      }),
      onListQueued(ANSWERS_KEY, async () => {
        const { watchAnswers } = await import('../ordering/orders/answers/queued-answers.ts');
        watchAnswers(cache);
      }),
      onListQueued('stock-edits', async () => {
        const { stockSaver } = await import('../catalogue/products/stock/stock-saver.ts');
        stockSaver.watch(cache);
      }),
    );
  }, [cache, userId]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another user was here at another time.
  useEffect(() => whenIdle(pruneLater, IDLE_TIMEOUT_MS), [userId]);
  const language = useAuth().user?.language;
  useEffect(() => {
    // The server then leads this browser there, too.
    if (language) rememberLanguage(language);
  }, [language]);
  useShownCounts();
  useSeenNotifications(path);
  useEffect(() => {
    if (path.startsWith(ORDER_PATH)) orderNoticesSeen(path.slice(ORDER_PATH.length));
  }, [path]);
  const asked = useAtomValue(askedAtom);
  // Here and not with the pages, so that its question outlasts them.
  return (
    <>
      <AddSavedGoods key={userId} />
      {asked && (
        <Suspense fallback={null}>
          <LogoutQuestion client={asked} />
        </Suspense>
      )}
    </>
  );
}

/** Where the file cannot be fetched it is done at the next visit. */
const pruneLater = () =>
  import('../platform/session/owned-upkeep.ts').then(
    ({ pruneOwned }) => pruneOwned(),
    () => undefined,
  );

function LogOutUnasked({ client }: { client: QueryClient }): ReactNode {
  useEffect(() => {
    store.set(askedAtom, null);
    logOut(client);
  }, [client]);
  return null;
}

/** Returns the live badge numbers of the navigation items, by path, and the number of pending orders. */
export function useCounts(): NavigationCounts {
  const { user } = useAuth();
  const conversations = useInfiniteQuery({
    ...conversationsQuery(),
    enabled: hasConversations(user),
  });
  const isOfFarm = mayForFarm(user, 'read');
  const pending = useQuery({ ...pendingCountQuery(), enabled: isOfFarm });
  const unreadMessages = user ? unreadCountOf(conversations.data) : 0;
  const pendingOrders = isOfFarm ? (pending.data ?? 0) : 0;
  return useMemo(
    () => ({
      pendingOrders,
      places: {
        '/messages': unreadMessages,
        '/admin/messages': unreadMessages,
        '/farmer/orders': pendingOrders,
      },
    }),
    [unreadMessages, pendingOrders],
  );
}

/** Keeps {@link countsAtom} up to date while somebody is signed in. */
function useShownCounts(): void {
  const counts = useCounts();
  const show = useSetAtom(countsAtom);
  useEffect(() => show(counts), [counts, show]);
  useEffect(() => () => show(NO_COUNTS), [show]);
}
