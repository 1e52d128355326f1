import {
  BellRing,
  CirclePause,
  Hourglass,
  ListChecks,
  type LucideIcon,
  ShoppingBasket,
  UserPlus,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { FeedItem } from '#contract/admin/admin/admin';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { formatItems } from '../../ordering/model/order-items.ts';
import { OrderId, OrderTotal } from '../../ordering/model/order-parts.tsx';
import { rich } from '../../platform/format/rich.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { styleOf, type Tone, toneClass } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { adminOrderHref, adminUserHref } from './AdminFrame.tsx';

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

function FeedLine({ item }: { item: FeedItem }) {
  const { tone, icon: Icon, words } = contentOf(item);
  return (
    <>
      <span
        className={cn(
          'mt-px grid size-6 shrink-0 place-items-center rounded-full [&>svg]:size-3.5',
          toneClass[tone],
        )}
      >
        <Icon aria-hidden="true" />
      </span>
      <p className="min-w-0 grow">
        {words}{' '}
        <Time value={item.at} as="relative" className="whitespace-nowrap text-xs text-ink-soft" />
      </p>
    </>
  );
}

type Look = { tone: Tone; icon: LucideIcon };

/** Returns what a line says, and its look. */
function contentOf({ kind, by, order, farm }: FeedItem): Look & { words: ReactNode } {
  const who = by ? (
    <Link href={adminUserHref(by)} className={cn(lineLinkClass, 'font-medium')}>
      <bdi>{by.name}</bdi>
    </Link>
  ) : (
    <span className="font-medium">{t('feed|Someone')}</span>
  );
  switch (kind) {
    case 'order.placed':
      return {
        tone: 'sky',
        icon: ShoppingBasket,
        words:
          order &&
          rich('{who} ordered <order>{goods}</order> from {farm} for {total}', {
            who,
            goods: formatItems(order.items),
            farm: <FarmLink order={order} />,
            total: <OrderTotal order={order} />,
            order: inLinkTo(order),
          }),
      };
    case 'order.statusChanged': {
      const status = order?.status ?? 'pending';
      return { ...styleOf(status), words: order && describe(status, who, order, by?._id) };
    }
    case 'order.linesChanged':
      return {
        tone: 'straw',
        icon: ListChecks,
        words: order && describe(lastChange(order), who, order, by?._id),
      };
    case 'order.unanswered':
      return {
        tone: 'straw',
        icon: Hourglass,
        words:
          order &&
          rich("{farm} hasn't answered <order>{customer}'s order</order>", {
            farm: <FarmLink order={order} className="font-medium" />,
            customer: order.consumer.name,
            order: inLinkTo(order),
          }),
      };
    case 'attention.waiting':
      return {
        tone: 'tomato',
        icon: BellRing,
        words: order
          ? rich("Nobody at {farm} has reacted to <order>{customer}'s order</order>", {
              farm: <FarmLink order={order} className="font-medium" />,
              customer: order.consumer.name,
              order: inLinkTo(order),
            })
          : rich('Nobody at {who} has reacted to an alert', { who }),
      };
    case 'user.registered':
      return {
        tone: 'leaf',
        icon: UserPlus,
        words: rich(
          '{role, select, consumer {{who} joined as a consumer} farmer {{who} joined as a farmer} admin {{who} joined as an admin} other {{who} joined as a member}}',
          { role: by?.role ?? 'member', who },
        ),
      };
    case 'farm.paused':
      return {
        tone: 'tomato',
        icon: CirclePause,
        words:
          farm &&
          rich("<farm>{name}</farm> didn't answer, so it takes no orders for a while", {
            name: farm.name,
            farm: (inner) => (
              <Link href={adminUserHref(farm)} className={cn(lineLinkClass, 'font-medium')}>
                <bdi>{inner}</bdi>
              </Link>
            ),
          }),
      };
    default:
      // A newer release has more to report.
      return {
        tone: 'straw',
        icon: ListChecks,
        words: order
          ? describe(kind, who, order, by?._id)
          : rich('{who} changed something', { who }),
      };
  }
}

/** Returns what the last entry of an order's timeline says was done to it. */
function lastChange({ timeline }: Order): string {
  const entry = timeline.at(-1);
  if (entry?.kind === 'proposal') return `proposal.${entry.detail.status satisfies ProposalStatus}`;
  return entry?.kind === 'lines' && entry.detail.cause === 'wish' ? 'wish' : 'changed';
}

/** Says what somebody did to an order: 'their order' if it is their own. */
function describe(change: string, who: ReactNode, order: Order, by: string | undefined): ReactNode {
  const { _id, name } = order.consumer;
  const shown = {
    whose: _id === by ? 'own' : 'other',
    who,
    customer: name,
    order: inLinkTo(order),
  };
  switch (change) {
    case 'accepted':
      return rich(
        "{whose, select, own {{who} accepted <order>their order</order>} other {{who} accepted <order>{customer}'s order</order>}}",
        shown,
      );
    case 'rejected':
      return rich(
        "{whose, select, own {{who} rejected <order>their order</order>} other {{who} rejected <order>{customer}'s order</order>}}",
        shown,
      );
    case 'completed':
      return rich(
        "{whose, select, own {{who} completed <order>their order</order>} other {{who} completed <order>{customer}'s order</order>}}",
        shown,
      );
    case 'cancelled':
      return rich(
        "{whose, select, own {{who} cancelled <order>their order</order>} other {{who} cancelled <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.open':
      return rich(
        "{whose, select, own {{who} proposed to change <order>their order</order>} other {{who} proposed to change <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.accepted':
      return rich(
        "{whose, select, own {{who} agreed to a change of <order>their order</order>} other {{who} agreed to a change of <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.answered':
      return rich(
        "{whose, select, own {{who} answered a change of <order>their order</order>} other {{who} answered a change of <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.declined':
      return rich(
        "{whose, select, own {{who} turned down a change of <order>their order</order>} other {{who} turned down a change of <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.expired':
      return rich(
        "{whose, select, own {{who} got no answer about <order>their order</order>} other {{who} got no answer about <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.withdrawn':
      return rich(
        "{whose, select, own {{who} took back a change of <order>their order</order>} other {{who} took back a change of <order>{customer}'s order</order>}}",
        shown,
      );
    case 'proposal.superseded':
      return rich(
        "{whose, select, own {{who} changed a proposal for <order>their order</order>} other {{who} changed a proposal for <order>{customer}'s order</order>}}",
        shown,
      );
    case 'wish':
      return rich(
        "{whose, select, own {{who} said what to do about a shortage in <order>their order</order>} other {{who} said what to do about a shortage in <order>{customer}'s order</order>}}",
        shown,
      );
    default:
      return rich(
        "{whose, select, own {{who} changed <order>their order</order>} other {{who} changed <order>{customer}'s order</order>}}",
        shown,
      );
  }
}

const FarmLink = ({ order: { farmer }, className }: { order: Order; className?: string }) => (
  <Link href={adminUserHref(farmer)} className={cn(lineLinkClass, className)}>
    <bdi>{farmNameOf(farmer)}</bdi>
  </Link>
);

const inLinkTo = (order: Order) => (words: ReactNode) => (
  <Link href={adminOrderHref(order)} className={cn(lineLinkClass, 'link')}>
    {words} <OrderId order={order} />
  </Link>
);
