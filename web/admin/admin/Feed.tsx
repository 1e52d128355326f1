import { Hourglass, ListChecks, type LucideIcon, ShoppingBasket, UserPlus } from 'lucide-react';
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
function contentOf({ kind, by, order }: FeedItem): Look & { words: ReactNode } {
  const who = by ? (
    <Link href={adminUserHref(by)} className={cn(lineLinkClass, 'font-medium')}>
      {by.name}
    </Link>
  ) : (
    <span className="font-medium">{t('Someone')}</span>
  );
  const theirOrder = order && <OrderLink order={order}>{whose(order, by?._id)}</OrderLink>;
  switch (kind) {
    case 'order.placed': {
      const placed = order && (
        <>
          <OrderLink order={order}>{formatItems(order.items)}</OrderLink> {t('from')}{' '}
          <FarmLink order={order} /> {t('for')} <OrderTotal order={order} />
        </>
      );
      return {
        tone: 'sky',
        icon: ShoppingBasket,
        words: <>{rich('{who} ordered {placed}', { who, placed })}</>,
      };
    }
    case 'order.statusChanged': {
      const status = order?.status ?? 'pending';
      return {
        ...styleOf(status),
        words: (
          <>
            {who} {status} {theirOrder}
          </>
        ),
      };
    }
    case 'order.linesChanged':
      return {
        tone: 'straw',
        icon: ListChecks,
        words: (
          <>
            {who} {order && describeChange(order)} {theirOrder}
          </>
        ),
      };
    case 'order.unanswered':
      return {
        tone: 'straw',
        icon: Hourglass,
        words: order && (
          <>
            <FarmLink order={order} className="font-medium" />{' '}
            {rich("hasn't answered {theirOrder}", { theirOrder })}
          </>
        ),
      };
    case 'user.registered':
      return {
        tone: 'leaf',
        icon: UserPlus,
        words: (
          <>
            {who} joined as {by ? `a ${by.role}` : 'a member'}
          </>
        ),
      };
    default:
      // A newer release has more to report.
      return {
        tone: 'straw',
        icon: ListChecks,
        words: (
          <>
            {who} changed {theirOrder ?? 'something'}
          </>
        ),
      };
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
function describeChange({ timeline }: Order): string {
  const entry = timeline.at(-1);
  if (entry?.kind === 'proposal') return PROPOSAL_WORDS[entry.detail.status] ?? 'changed';
  return entry?.kind === 'lines' && entry.detail.cause === 'wish'
    ? 'said what to do about a shortage in'
    : 'changed';
}

/** Returns whose order somebody changed: 'their order' if it is their own. */
const whose = ({ consumer }: Order, by?: string): string =>
  consumer._id === by ? 'their order' : t("{name}'s order", { name: consumer.name });

const FarmLink = ({ order: { farmer }, className }: { order: Order; className?: string }) => (
  <Link href={adminUserHref(farmer)} className={cn(lineLinkClass, className)}>
    {farmNameOf(farmer)}
  </Link>
);

const OrderLink = ({ order, children }: { order: Order; children: ReactNode }) => (
  <Link href={adminOrderHref(order)} className={cn(lineLinkClass, 'link')}>
    {children} <OrderId order={order} />
  </Link>
);
