import { MessageCircleQuestion } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { announce } from '../../../platform/ui/feedback/announce.ts';
import { pin } from '../../../platform/ui/feedback/pinned.ts';
import { LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Countdown } from './Countdown.tsx';

/**
 * Says on every page of a consumer that a farm waits for an answer, the most urgent first. It stands at the end of the
 * page and sticks to the window's edge, so that nothing moves when it comes. Not on the page of that order itself.
 */
export function ProposalBanner({ orders, path }: { orders: readonly Order[]; path: string }) {
  const waiting = orders
    .flatMap((order) => (order.openChange ? [{ order, proposal: order.openChange }] : []))
    .filter(({ order }) => path !== `/orders/${order._id}`)
    .toSorted((one, other) => (one.proposal.answerBy < other.proposal.answerBy ? -1 : 1));
  useAnnounced(orders);
  const [first] = waiting;
  if (!first) return null;
  const { order, proposal } = first;
  const more = waiting.length - 1;
  return (
    <aside
      ref={pin}
      aria-label={t('Questions about your orders')}
      data-print="hide"
      className="pointer-events-none pinned mx-auto mt-4 grid w-full max-w-xl px-3 pb-3"
    >
      <div className="pointer-events-auto flex animate-fade-in flex-wrap items-center gap-x-3 gap-y-1 rounded border border-straw bg-raised py-2 ps-3 pe-2 text-sm shadow-float">
        <MessageCircleQuestion className="size-5 shrink-0 text-straw-ink" />
        <p className="min-w-0 grow basis-32">
          <span className="line-clamp-2 font-semibold">
            {t('{farm} asks about your order', { farm: farmNameOf(order.farmer) })}
          </span>
          <Countdown until={proposal.answerBy} />
          {more > 0 && (
            <span className="ms-2 text-ink-soft">{t('and {count} more', { count: more })}</span>
          )}
        </p>
        <LinkButton href={`/orders/${order._id}`} className="min-h-11">
          {t('Answer')}
        </LinkButton>
      </div>
    </aside>
  );
}

/** Has screen readers read that a farm asks, once for each question that comes while the page is open. */
function useAnnounced(orders: readonly Order[]): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const open = orders.flatMap(({ openChange, farmer }) =>
      openChange ? [{ id: openChange._id, farm: farmNameOf(farmer) }] : [],
    );
    for (const { id, farm } of open) {
      if (known.current && !known.current.has(id))
        announce(t('{farm} asks about your order.', { farm }));
    }
    known.current = new Set(open.map(({ id }) => id));
  }, [orders]);
}
