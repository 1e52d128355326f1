import { useInfiniteQuery } from '@tanstack/react-query';
import type { Message } from '#contract/farm/messages/messages';
import type { Order } from '#contract/ordering/orders/orders';
import { cn } from '../../platform/ui/cn.ts';
import { SkeletonText } from '../../platform/ui/feedback/Skeleton.tsx';
import { PagedList } from '../../platform/ui/lists/LoadMore.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { conversationQuery } from './case-queries.ts';

/** Returns the loaded messages in time order; each page is in time order, the newest page first. */
export function inTimeOrder(pages: readonly { data: readonly Message[] }[]): Message[] {
  const messages = pages.toReversed().flatMap((page) => page.data);
  return [...new Map(messages.map((message) => [message._id, message])).values()];
}

/** What the two parties of an order wrote to each other, to read only. */
export function OrderConversation({ order }: { order: Order }) {
  const query = useInfiniteQuery(conversationQuery(order._id));
  return (
    <Card as="section" aria-labelledby="conversation" className="min-w-0">
      <CardHeader id="conversation" title="Conversation">
        <span className="text-xs text-ink-soft">The audit notes that you read it</span>
      </CardHeader>
      <PagedList
        query={query}
        items={inTimeOrder(query.data?.pages ?? [])}
        skeleton={<SkeletonText lines={4} />}
        empty={<p className="text-sm text-ink-soft">They haven't written to each other.</p>}
        // Older messages stand above.
        more={null}
      >
        {(messages) => (
          <div
            role="log"
            aria-label={`Messages between ${order.consumer.name} and ${order.farmer.name}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
            tabIndex={0}
            className="max-h-[32rem] overflow-y-auto overscroll-contain pr-1"
          >
            {query.hasNextPage && (
              <Button
                variant="quiet"
                size="sm"
                pending={query.isFetchingNextPage}
                onClick={() => query.fetchNextPage()}
                className="mx-auto mb-2 flex"
              >
                {query.isFetchNextPageError ? 'Try again' : 'Earlier messages'}
              </Button>
            )}
            <ol className="grid gap-3">
              {messages.map((message) => (
                <Words key={message._id} message={message} order={order} />
              ))}
            </ol>
          </div>
        )}
      </PagedList>
    </Card>
  );
}

function Words({ message, order }: { message: Message; order: Order }) {
  const isFarmer = message.sender._id === order.farmer._id;
  return (
    <li className={cn('flex flex-col', isFarmer ? 'items-end' : 'items-start')}>
      <div
        className={cn(
          'max-w-[min(34rem,90%)] rounded border border-transparent px-3.5 py-2 text-sm',
          isFarmer ? 'bg-leaf-soft' : 'bg-sunken',
        )}
      >
        <p className="mb-0.5 flex flex-wrap items-center gap-x-2 text-xs">
          <span className="font-medium">{message.sender.name}</span>
          <Time value={message.createdAt} className="text-ink-soft" />
          {message.relatedOrder === order._id && (
            <Badge className="bg-surface">About this order</Badge>
          )}
        </p>
        <p className="whitespace-pre-wrap wrap-anywhere">{message.content}</p>
      </div>
    </li>
  );
}
