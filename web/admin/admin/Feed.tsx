import { Hourglass, ListChecks, ShoppingBasket, UserPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { FeedItem } from '#contract/admin/admin/admin';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { OrderId } from '../../ordering/model/OrderId.tsx';
import { itemsInWords } from '../../ordering/model/order-items.ts';
import { cn } from '../../platform/ui/cn.ts';
import { type Tone, toneClass } from '../../platform/ui/primitives/Badge.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { statusStyle } from '../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { adminOrderHref, adminUserHref } from './links.ts';

// Taller than its text, so that a finger finds a link without the lines being moved apart.
const lineLinkClass =
  'relative hover:underline after:absolute after:inset-x-0 after:-inset-y-1 pointer-coarse:after:-inset-y-2';

/** The live feed of the market, the latest on top; new items slide in. */
export function Feed({ items }: { items: readonly FeedItem[] }) {
  const [known] = useState(() => new Set(items.map((item) => item._id)));
  return (
    <ol className="grid">
      {items.map((item) => (
        <li
          key={item._id}
          className={cn(
            'flex items-start gap-2.5 border-b border-hairline py-2 text-sm last:border-0',
            !known.has(item._id) && 'animate-slide-in',
          )}
        >
          <FeedLine item={item} />
        </li>
      ))}
    </ol>
  );
}

function FeedLine({ item: { kind, by, order, at } }: { item: FeedItem }) {
  const who = by ? (
    <Link href={adminUserHref(by)} className={cn(lineLinkClass, 'font-medium')}>
      {by.name}
    </Link>
  ) : (
    <span className="font-medium">Someone</span>
  );
  switch (kind) {
    case 'order.placed':
      return (
        <Line tone="sky" icon={<ShoppingBasket aria-hidden="true" />} at={at}>
          {who} ordered{' '}
          {order && (
            <>
              <OrderLink order={order}>{itemsInWords(order.items)}</OrderLink> from{' '}
              <Link href={adminUserHref(order.farmer)} className={lineLinkClass}>
                {farmNameOf(order.farmer)}
              </Link>{' '}
              for <Money amount={order.totalAmount} isEstimate={!order.isTotalFinal} />
            </>
          )}
        </Line>
      );
    case 'order.statusChanged': {
      const status = order?.status ?? 'pending';
      const { icon: Icon, tone } = statusStyle[status];
      return (
        <Line tone={tone} icon={<Icon aria-hidden="true" />} at={at}>
          {who} {status} {order && <OrderLink order={order}>{whose(order, by?._id)}</OrderLink>}
        </Line>
      );
    }
    case 'order.linesChanged':
      return (
        <Line tone="straw" icon={<ListChecks aria-hidden="true" />} at={at}>
          {who} {order && changeInWords(order)}{' '}
          {order && <OrderLink order={order}>{whose(order, by?._id)}</OrderLink>}
        </Line>
      );
    case 'order.unanswered':
      return (
        <Line tone="straw" icon={<Hourglass aria-hidden="true" />} at={at}>
          {order && (
            <>
              <Link href={adminUserHref(order.farmer)} className={cn(lineLinkClass, 'font-medium')}>
                {farmNameOf(order.farmer)}
              </Link>{' '}
              hasn't answered <OrderLink order={order}>{whose(order)}</OrderLink>
            </>
          )}
        </Line>
      );
    case 'user.registered':
      return (
        <Line tone="leaf" icon={<UserPlus aria-hidden="true" />} at={at}>
          {who} joined as {by ? `a ${by.role}` : 'a member'}
        </Line>
      );
  }
}

const PROPOSAL_WORDS: Record<ProposalStatus, string> = {
  open: 'proposed to change',
  accepted: 'agreed to a change of',
  answered: 'answered a change of',
  declined: 'turned down a change of',
  expired: 'got no answer about',
  withdrawn: 'took back a change of',
  superseded: 'changed a proposal for',
};

/** Returns what the last entry of an order's timeline says was done to it. */
function changeInWords({ timeline }: Order): string {
  const entry = timeline.at(-1);
  if (entry?.kind === 'proposal') return PROPOSAL_WORDS[entry.detail.status];
  return entry?.kind === 'lines' && entry.detail.cause === 'wish'
    ? 'said what to do about a shortage in'
    : 'changed';
}

function Line({
  tone,
  icon,
  at,
  children,
}: {
  tone: Tone;
  icon: ReactNode;
  at: string;
  children: ReactNode;
}) {
  return (
    <>
      <span
        className={cn(
          'mt-px grid size-6 shrink-0 place-items-center rounded-full [&>svg]:size-3.5',
          toneClass[tone],
        )}
      >
        {icon}
      </span>
      <p className="min-w-0 grow">
        {children}{' '}
        <Time value={at} as="relative" className="whitespace-nowrap text-xs text-ink-soft" />
      </p>
    </>
  );
}

/** Returns whose order somebody changed: 'their order' if it is their own. */
const whose = ({ consumer }: Order, by?: string): string =>
  consumer._id === by ? 'their order' : `${consumer.name}'s order`;

function OrderLink({ order, children }: { order: Order; children: ReactNode }) {
  return (
    <Link href={adminOrderHref(order)} className={cn(lineLinkClass, 'link')}>
      {children} <OrderId order={order} />
    </Link>
  );
}
