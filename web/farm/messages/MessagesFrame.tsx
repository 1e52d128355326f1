import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect } from 'react';
import { Link } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { formatInstant, roleName } from '../../platform/format/format.ts';
import { formatConversationTime } from '../../platform/format/near-day.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { hasConversations, senderIdOf, useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { EmptyState, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { Badge, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Avatar } from '../../platform/ui/primitives/Picture.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { type ConversationItem, correspondentName } from './merge.ts';
import { conversationsQuery } from './queries.ts';
import { describeTyping, useTyping } from './thread/typing.ts';
import { UnsentMessages } from './UnsentMessages.tsx';

/**
 * The conversation list and the open conversation: side by side on wide screens, one of them on
 * phones. Fills the page, which fills the window, so that only the lists scroll. Who has no conversations
 * any more finds what they could not send.
 */
export function MessagesFrame({
  openWith,
  children,
}: {
  /** The id of the person whose conversation is open. */
  openWith?: string;
  children: ReactNode;
}) {
  const isOpen = openWith !== undefined;
  const { user } = useAuth();
  useLayoutEffect(() => {
    // The text input is at the bottom of the window. With the scroll padding that other pages need
    // for the bar, the browser would scroll the page on every key.
    const { style } = document.documentElement;
    style.scrollPaddingBlock = '0';
    return () => {
      style.scrollPaddingBlock = '';
    };
  }, []);
  if (!hasConversations(user)) {
    return (
      <div className="wrap py-6 sm:py-8">
        <PageHeader
          title={t('Messages')}
          text={t("You don't write messages for a farm at the moment.")}
        />
        <UnsentMessages />
      </div>
    );
  }
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-[76rem] grow md:px-[clamp(1rem,4vw,2rem)] md:py-6">
      <div className="flex min-w-0 grow overflow-hidden border-hairline bg-surface md:rounded md:border">
        <section
          aria-label={t('Conversations')}
          className={cn(
            'flex w-full min-w-0 flex-col border-hairline md:w-80 md:shrink-0 md:border-e lg:w-88',
            isOpen && 'max-md:hidden',
          )}
        >
          <ConversationList openWith={openWith} />
        </section>
        <section
          aria-label={t('Conversation')}
          className={cn('flex min-w-0 grow flex-col', !isOpen && 'max-md:hidden')}
        >
          {children}
        </section>
      </div>
    </div>
  );
}

/** All conversations, the latest first. `openWith` is the id of the person whose conversation is open. */
function ConversationList({ openWith }: { openWith: string | undefined }) {
  const query = useInfiniteQuery(conversationsQuery());
  const Heading = openWith === undefined ? 'h1' : 'h2';
  return (
    <>
      <Heading className="border-b border-hairline px-4 py-4 text-xl">{t('Messages')}</Heading>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain">
        <PagedList
          query={query}
          items={itemsOf(query.data)}
          skeleton={<SkeletonRows rows={6} className="px-4" />}
          empty={<NoConversations />}
        >
          {(items) => (
            <ul className="divide-y divide-hairline">
              {items.map((item) => (
                <li key={item._id}>
                  <ConversationRow item={item} isOpen={item._id === openWith} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </>
  );
}

function NoConversations() {
  const isConsumer = useAuth().user?.role === 'consumer';
  const text = isConsumer
    ? t('Ask a farmer what is ripe this week.')
    : t('What people write to you shows up here.');
  return (
    <EmptyState drawing="letter" title={t('No Messages Yet')} text={text}>
      {isConsumer && <LinkButton href="/farmers">{t('Meet Our Farmers')}</LinkButton>}
    </EmptyState>
  );
}

function ConversationRow({ item, isOpen }: { item: ConversationItem; isOpen: boolean }) {
  const path = useMessagesPath();
  const { user } = useAuth();
  const typist = useTyping(item._id);
  const { lastMessage, unreadCount } = item;
  const name = correspondentName(item.user);
  // Updates the date labels at midnight.
  const now = useNow(60_000);
  return (
    <Link
      href={`${path}/${item._id}`}
      aria-current={isOpen ? 'page' : undefined}
      className="flex min-h-18 items-center gap-3 px-4 py-3 hover:bg-sunken focus-visible:outline-offset-[-2px] aria-[current=page]:bg-leaf-soft"
    >
      <Avatar name={name} className="size-11" />
      <span className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-0.5">
        <span className="flex items-baseline justify-between gap-3">
          <span dir="auto" className="min-w-0 truncate">
            <span className={cn('font-medium', unreadCount > 0 && 'font-semibold')}>{name}</span>{' '}
            <span className="text-xs text-ink-soft">{roleName(item.user.role)}</span>
          </span>
          <time
            dateTime={lastMessage.createdAt}
            title={formatInstant(lastMessage.createdAt)}
            className="tabular shrink-0 text-xs text-ink-soft"
          >
            {formatConversationTime(lastMessage.createdAt, new Date(now))}
          </time>
        </span>
        <span className="flex min-h-6 items-center justify-between gap-3 text-sm">
          {typist !== undefined ? (
            <span dir="auto" className="truncate text-leaf">
              {describeTyping(typist)}
            </span>
          ) : (
            <span
              dir="auto"
              className={cn('truncate', unreadCount > 0 ? 'font-medium text-ink' : 'text-ink-soft')}
            >
              {lastMessage.sender === senderIdOf(user)
                ? t('You: {message}', { message: lastMessage.content })
                : lastMessage.content}
            </span>
          )}
          {unreadCount > 0 && (
            <Badge tone="tomato" className="tabular shrink-0">
              {t('{count, number} new', { count: unreadCount })}
            </Badge>
          )}
        </span>
      </span>
    </Link>
  );
}

/** Returns the path of the messages page, which differs for admins. */
export function useMessagesPath(): string {
  return useAuth().user?.role === 'admin' ? '/admin/messages' : '/messages';
}
