import { useInfiniteQuery } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { Bell as BellIcon, CheckCheck, Volume2, VolumeX } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { MARK_READ_MAX } from '#contract/people/notifications/constants';
import { t } from '#contract/platform/text/constants/texts';
import { dismissOrderNotice } from '../../ordering/news/order-notices.ts';
import { unreadCountOf } from '../../people/model/unread.ts';
import {
  countUnreadRows,
  foldNotifications,
  type NotificationRow,
  useTitleCount,
} from '../../people/notifications/fold.ts';
import { KINDS } from '../../people/notifications/kinds.ts';
import { useOwnPush } from '../../people/notifications/push.ts';
import {
  notificationsQuery,
  useMarkNotificationsRead,
} from '../../people/notifications/queries.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { useAuth } from '../../platform/session/session.ts';
import { cn } from '../../platform/ui/cn.ts';
import { soundAtom } from '../../platform/ui/feedback/sound.ts';
import { EmptyState, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { LoadMore, PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { Button, CountBadge } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

/** The bell in the navigation bar: the unread count and the list of notifications. */
export default function Bell() {
  const [isOpen, setOpen] = useState(false);
  const list = useInfiniteQuery(notificationsQuery());
  const unread = countUnreadRows(itemsOf(list.data), unreadCountOf(list.data));
  useOwnPush();
  const { user } = useAuth();
  // A farmer's title counts the orders to answer: see `PendingSign.tsx`.
  useTitleCount(user?.role === 'farmer' ? 0 : unread);
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(opens) => {
        // The toast would lie on the panel, which says the same.
        if (opens) dismissOrderNotice();
        setOpen(opens);
      }}
    >
      <Popover.Trigger asChild>
        <Button
          variant="quiet"
          size="icon"
          className="relative size-11 text-ink hover:bg-sunken hover:text-ink"
        >
          <BellIcon className="size-6" />
          <span className="sr-only">{t('Notifications')}</span>
          <CountBadge value={unread} className="absolute inset-e-0 top-0.5" />
          {unread > 0 && <span className="sr-only">{t('unread')}</span>}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label={t('Notifications')}
          className="z-50 flex max-h-[min(36rem,calc(100dvh-6rem))] w-[min(24rem,calc(100vw-1rem))] flex-col rounded border border-hairline bg-raised text-ink shadow-float animate-pop-in outline-none"
        >
          <Panel unread={unread} onLeave={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Panel({ unread, onLeave }: { unread: number; onLeave: () => void }) {
  const { user } = useAuth();
  const list = useInfiniteQuery(notificationsQuery());
  const markRead = useMarkNotificationsRead();
  const items = itemsOf(list.data);
  const rows = foldNotifications(items);
  return (
    <>
      <div className="flex min-h-14 items-center justify-between gap-3 border-b border-hairline py-2 ps-4 pe-2">
        <h2 className="text-lg">{t('Notifications')}</h2>
        {unread > 0 && (
          <Button
            variant="quiet"
            size="sm"
            icon={<CheckCheck />}
            onClick={() => markRead.mutate(null)}
          >
            {t('Mark all as read')}
          </Button>
        )}
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain">
        <PagedList
          query={list}
          items={rows}
          skeleton={<SkeletonRows rows={4} className="px-4" />}
          empty={
            <EmptyState
              drawing="letter"
              title={t('Nothing new')}
              text={t('What happens with your orders and messages shows up here.')}
            />
          }
          more={
            <LoadMore
              // Folded rows do not fill the panel, so without a limit pages would be loaded without end.
              hasMore={list.hasNextPage && items.length < MARK_READ_MAX}
              pending={list.isFetchingNextPage}
              failed={list.isFetchNextPageError}
              onMore={list.fetchNextPage}
            />
          }
        >
          {(shown) => (
            <ul className="divide-y divide-hairline">
              {shown.map((row) => (
                <li key={row.newest._id}>
                  <Item
                    row={row}
                    onOpen={() => {
                      if (!row.newest.isRead) markRead.mutate(row.items.map(({ _id }) => _id));
                      onLeave();
                    }}
                  />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </div>
      {user && user.role !== 'admin' && (
        <div className="flex items-center justify-between gap-2 border-t border-hairline p-2">
          <Link
            href="/profile"
            onClick={onLeave}
            className="inline-flex min-h-10 items-center rounded px-2 text-sm font-medium text-leaf hover:text-leaf-strong pointer-coarse:min-h-11"
          >
            {t('Notification settings')}
          </Link>
          {user.role === 'farmer' && <SoundSwitch />}
        </div>
      )}
    </>
  );
}

/** Returns the link if it is a path of this site, else '/'. */
function safePath(link: string): string {
  return /^\/(?!\/)/.test(link) ? link : '/';
}

function Item({ row, onOpen }: { row: NotificationRow; onOpen: () => void }) {
  const item = row.newest;
  // A newer release has more kinds.
  const Icon = KINDS[item.kind]?.icon ?? BellIcon;
  return (
    <Link
      href={safePath(row.link)}
      onClick={onOpen}
      className={cn(
        'grid grid-cols-[auto_1fr_auto] items-start gap-3 px-4 py-3 text-sm hover:bg-sunken focus-visible:outline-offset-[-2px]',
        !item.isRead && 'bg-leaf-soft/40',
      )}
    >
      <Icon className="mt-0.5 size-5 text-leaf" />
      <span className="grid min-w-0 gap-0.5">
        <span className={cn('text-ink', !item.isRead && 'font-semibold')}>{row.title}</span>
        <span dir="auto" className="line-clamp-2 text-ink-soft">
          {row.body}
        </span>
        <Time value={item.createdAt} as="relative" className="text-xs text-ink-faint" />
      </span>
      {!item.isRead && (
        <span className="mt-1.5 size-2.5 rounded-full bg-tomato">
          <span className="sr-only">{t('Unread')}</span>
        </span>
      )}
    </Link>
  );
}

/** Toggles the sound for new orders in this browser. */
function SoundSwitch() {
  const [isOn, setOn] = useAtom(soundAtom);
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={isOn}
      icon={isOn ? <Volume2 /> : <VolumeX />}
      onClick={() => setOn(!isOn)}
    >
      {isOn ? t('Order sound on') : t('Order sound off')}
    </Button>
  );
}
