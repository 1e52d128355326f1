import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowLeft } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Correspondent, Message } from '#contract/farm/messages/messages';
import { t } from '#contract/platform/text/constants/texts';
import { firstWord, roleName } from '../../../platform/format/format.ts';
import { useTitle } from '../../../platform/format/market.ts';
import { formatNearDate, formatRelative } from '../../../platform/format/near-day.ts';
import { useNow, useToday } from '../../../platform/hooks/use-now.ts';
import { itemsOf } from '../../../platform/queries/pages.ts';
import { usePresence } from '../../../platform/realtime/watch.ts';
import { senderIdOf, useAuth } from '../../../platform/session/session.ts';
import { Drawing } from '../../../platform/ui/art/Drawing.tsx';
import { ErrorState, Loading, Skeleton } from '../../../platform/ui/feedback/states.tsx';
import { type PagedQuery, useNearEnd } from '../../../platform/ui/lists/LoadMore.tsx';
import { Button, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Avatar } from '../../../platform/ui/primitives/Picture.tsx';
import { useMessagesPath } from '../MessagesFrame.tsx';
import { correspondentName } from '../merge.ts';
import { useOutbox } from '../outbox.ts';
import { type ThreadPage, threadQuery, useMarkRead } from '../queries.ts';
import { MessageBubble, threadRows } from './MessageBubble.tsx';
import { ThreadInput } from './ThreadInput.tsx';
import { describeTyping, useTyping } from './typing.ts';
import { useAttention, useEndOfList } from './use-end-of-list.ts';

/** The conversation with one person: header, messages and input. */
export function Thread({
  userId,
  onReport,
}: {
  userId: string;
  /** Reports a message that was received; absent for those to whom reports go. */
  onReport?: ((messageId: string) => void) | undefined;
}) {
  const { user } = useAuth();
  const path = useMessagesPath();
  const thread = useInfiniteQuery(threadQuery(userId));
  const newest = thread.data?.pages[0];
  useTitle(newest && correspondentName(newest.user));

  if (!user) return null;
  if (!thread.data || !newest) {
    return thread.isError ? (
      <ErrorState error={thread.error} onRetry={thread.refetch} pending={thread.isFetching}>
        <LinkButton href={path} variant="quiet">
          {t('Back to Messages')}
        </LinkButton>
      </ErrorState>
    ) : (
      <ThreadSkeleton />
    );
  }
  return (
    <OpenThread
      me={senderIdOf(user) ?? user._id}
      newest={newest}
      messages={itemsOf(thread.data)}
      older={thread}
      onReport={onReport}
    />
  );
}

function OpenThread({
  me,
  newest: { user: person, mayWrite },
  messages,
  older,
  onReport,
}: {
  me: string;
  newest: Pick<ThreadPage, 'user' | 'mayWrite'>;
  /** The latest first. */
  messages: Message[];
  /** Has the older messages. */
  older: PagedQuery;
  onReport: ((messageId: string) => void) | undefined;
}) {
  const arrived = useMemo(() => new Set(messages.map(({ _id }) => _id)), [messages]);
  const name = correspondentName(person);
  const outbox = useOutbox({ _id: person._id, name }, arrived);
  const oldest = messages.at(-1)?._id;
  const last = outbox.entries.at(-1)?._id ?? messages[0]?._id;
  const { box, content, onScroll, isAtEnd, toEnd } = useEndOfList(oldest, last);
  const unreadFrom = useMarkViewedAsRead(person._id, messages, isAtEnd);
  const newBelow = useNewBelow(person._id, messages, isAtEnd);
  const typist = useTyping(person._id);
  const today = useToday();
  const rows = threadRows(messages, outbox.entries, me, unreadFrom);

  return (
    <>
      <ThreadHeader person={person} />
      <div className="relative min-h-0 grow">
        <div
          ref={box}
          onScroll={onScroll}
          role="log"
          aria-label={t('Messages with {name}', { name })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
          tabIndex={0}
          className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:outline-offset-[-2px]"
        >
          <div ref={content} className="flex min-h-full flex-col justify-end px-4 pb-4">
            <OlderMessages older={older} box={box} />
            {rows.length === 0 && (
              <div className="grid grow place-content-center justify-items-center gap-3 py-8 text-center">
                <Drawing name="letter" />
                <p className="text-ink-soft">{t('No messages yet. Start the conversation!')}</p>
              </div>
            )}
            <ul>
              {rows.map((row) =>
                row.kind === 'message' ? (
                  <MessageBubble
                    key={row.key}
                    bubble={row.bubble}
                    otherName={name}
                    isFirstOfGroup={row.isFirstOfGroup}
                    onRetry={outbox.retry}
                    onDiscard={outbox.discard}
                    onReport={onReport}
                  />
                ) : row.kind === 'day' ? (
                  <li key={row.key} className="pb-1 pt-5 text-center text-xs text-ink-soft">
                    {formatNearDate(row.at, today)}
                  </li>
                ) : (
                  <li
                    key={row.key}
                    className="mt-4 flex items-center gap-3 text-xs font-medium text-tomato before:h-px before:grow before:bg-tomato after:h-px after:grow after:bg-tomato"
                  >
                    {t('New')}
                  </li>
                ),
              )}
            </ul>
            {typist !== undefined && <TypingDots name={typist || person.name} />}
          </div>
        </div>
        {!isAtEnd && (
          <Button
            variant="secondary"
            icon={<ArrowDown />}
            onClick={toEnd}
            className="absolute inset-x-0 bottom-3 mx-auto w-fit rounded-full shadow-float"
          >
            {newBelow > 0 ? t('{count, number} new', { count: newBelow }) : t('Latest')}
          </Button>
        )}
      </div>
      {mayWrite ? (
        <ThreadInput
          me={me}
          receiver={person._id}
          name={name}
          onSend={(words) => {
            outbox.send(words);
            toEnd();
          }}
        />
      ) : (
        <p className="border-t border-hairline px-4 py-4 text-center text-sm text-ink-soft">
          {t('You cannot write to {name}.', { name })}
        </p>
      )}
    </>
  );
}

/**
 * Marks messages as read while the page has the focus and the end of the thread is visible. Returns
 * the id of the message before which the line for new messages is shown.
 */
function useMarkViewedAsRead(
  userId: string,
  messages: readonly Message[],
  isAtEnd: boolean,
): string | undefined {
  const isViewed = useAttention() && isAtEnd;
  const { mutate: markRead } = useMarkRead(userId);
  const unread = messages.filter(({ sender, isRead }) => sender._id === userId && !isRead);
  const latest = unread[0];
  const first = unread.at(-1)?._id;

  const [unreadFrom, setUnreadFrom] = useState(first);
  const [wasViewed, setWasViewed] = useState(isViewed);
  if (wasViewed !== isViewed) setWasViewed(isViewed);
  // A message that arrives while the thread is not viewed moves the line.
  if (!isViewed && first !== undefined && unreadFrom !== first) setUnreadFrom(first);

  const requestedFor = useRef<string>(undefined);
  useEffect(() => {
    if (!isViewed || !latest || requestedFor.current === latest._id) return;
    requestedFor.current = latest._id;
    markRead(latest);
  }, [isViewed, latest, markRead]);
  return unreadFrom;
}

/** Returns the number of new messages below the visible part. */
function useNewBelow(userId: string, messages: readonly Message[], isAtEnd: boolean): number {
  const newest = messages[0]?._id;
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  const from = messages.findIndex(({ _id }) => _id === seen);
  return messages.slice(0, Math.max(0, from)).filter(({ sender }) => sender._id === userId).length;
}

/** The header of the thread: the person and their presence; of a farm its name, and the person below. */
function ThreadHeader({ person }: { person: Correspondent }) {
  const path = useMessagesPath();
  const name = correspondentName(person);
  return (
    <header className="flex min-h-17 items-center gap-3 border-b border-hairline px-3 py-2 md:px-4">
      <Link
        href={path}
        aria-label={t('Back to Messages')}
        className="grid size-11 shrink-0 place-items-center rounded text-ink hover:bg-sunken md:hidden"
      >
        <ArrowLeft className="size-5" />
      </Link>
      <Avatar name={name} />
      <div className="min-w-0">
        <h1 dir="auto" className="font-sans text-base font-semibold tracking-normal">
          {person.role === 'farmer' ? (
            <Link href={`/farmers/${person._id}`} className="block rounded hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </h1>
        <p className="flex items-center gap-1.5 text-xs text-ink-soft">
          {name === person.name ? roleName(person.role) : <bdi>{person.name}</bdi>}
          <PresenceText userId={person._id} />
        </p>
      </div>
    </header>
  );
}

function PresenceText({ userId }: { userId: string }) {
  const presence = usePresence(userId);
  const typist = useTyping(userId);
  const now = useNow(30_000);
  if (typist !== undefined) return <span className="text-leaf">· {describeTyping(typist)}</span>;
  if (presence?.online) {
    return (
      <span className="inline-flex items-center gap-1.5">
        · <span aria-hidden="true" className="size-2 rounded-full bg-leaf" />
        {t('Online')}
      </span>
    );
  }
  if (!presence?.lastSeenAt) return null;
  return <span>· {t('Last seen {time}', { time: formatRelative(presence.lastSeenAt, now) })}</span>;
}

/** The top of the thread: loads older messages when scrolled near. */
function OlderMessages({ older, box }: { older: PagedQuery; box: RefObject<Element | null> }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = older;
  const isWaiting = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const sentinel = useNearEnd(isWaiting, fetchNextPage, box);
  if (!hasNextPage) return null;
  return (
    <div ref={sentinel} className="flex min-h-14 shrink-0 items-center justify-center">
      <Button
        variant="quiet"
        size="sm"
        pending={isFetchingNextPage}
        onClick={() => fetchNextPage()}
      >
        {isFetchNextPageError ? t('Try again') : t('Older messages')}
      </Button>
    </div>
  );
}

function TypingDots({ name }: { name: string }) {
  return (
    <p className="mt-3 flex w-fit items-center gap-1 rounded bg-sunken px-3.5 py-3 animate-fade-in">
      <span className="sr-only">{t('{name} is typing', { name: firstWord(name) })}</span>
      {['0ms', '200ms', '400ms'].map((delay) => (
        <span
          key={delay}
          aria-hidden="true"
          style={{ animationDelay: delay }}
          className="size-2 rounded-full bg-ink-faint animate-breathe"
        />
      ))}
    </p>
  );
}

function ThreadSkeleton() {
  return (
    <Loading label={t('Loading messages')} className="flex grow flex-col">
      <div className="flex min-h-17 items-center gap-3 border-b border-hairline px-4 py-2">
        <Skeleton className="size-10 rounded-full" />
        <span className="grid grow gap-2">
          <Skeleton className="w-40" />
          <Skeleton className="h-3 w-24" />
        </span>
      </div>
      <div className="flex grow flex-col justify-end gap-3 p-4">
        <Skeleton className="h-12 w-2/5" />
        <Skeleton className="h-12 ms-auto w-1/2" />
        <Skeleton className="h-12 w-3/5" />
        <Skeleton className="h-12 ms-auto w-1/3" />
        <Skeleton className="h-12 ms-auto w-2/5" />
        <Skeleton className="h-12 w-1/2" />
      </div>
      <div className="border-t border-hairline p-3">
        <Skeleton className="h-11" />
      </div>
    </Loading>
  );
}
