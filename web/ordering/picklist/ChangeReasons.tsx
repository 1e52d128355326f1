import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { picklistApi, SEEN_MAX } from '#contract/ordering/picklist/constants';
import { goodsKeyOf, packKeyOf } from '#contract/ordering/picklist/pick-summary';
import type { PickChange } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { cn } from '../../platform/ui/cn.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { picklistKeys, scopeFields } from './queries.ts';
import { useMayPack, useShownList } from './use-picklist.tsx';
import { ageOf, type ChangeAge, describeChange, formatDelta } from './words.ts';

const CLOCK_STEP_MS = 30_000;

const ageClass: Record<ChangeAge, string> = {
  fresh: 'bg-tomato',
  recent: 'bg-straw',
  old: 'bg-outline',
};
const ageWords: Record<ChangeAge, Message> = {
  fresh: msg('just now'),
  recent: msg('within the hour'),
  old: msg('earlier'),
};

/** Why totals differ from the last print, one row per order and product, each to be marked as seen. */
export function ChangeReasons({
  changes,
  isOfOneProduct = false,
}: {
  changes: readonly PickChange[];
  isOfOneProduct?: boolean;
}) {
  const nowMs = useNow(CLOCK_STEP_MS);
  const mayPack = useMayPack();
  const markSeen = useMarkSeen();
  return (
    <ul className="divide-y divide-hairline border-t border-hairline">
      {changes.map((change) => {
        const { orderId, customer, product, size, delta, at, seen } = change;
        const name = nameWithSize(product.name, size);
        const words = describeChange(change);
        const age = ageOf(change, nowMs);
        return (
          <li
            key={`${orderId}${goodsKeyOf(change)}|${packKeyOf(size)}`}
            className="flex min-h-14 items-center gap-3 px-3 py-2 text-sm"
          >
            <span
              title={writeMessage(ageWords[age])}
              className={cn(
                'size-3 shrink-0 rounded-full border border-transparent',
                ageClass[age],
              )}
            >
              <span className="sr-only">{writeMessage(ageWords[age])}</span>
            </span>
            <span className="tabular w-10 shrink-0 text-end text-base font-semibold">
              {formatDelta(delta)}
            </span>
            <span className="min-w-0 grow">
              {(!isOfOneProduct || size) && (
                <span className="font-medium">{isOfOneProduct ? size?.label : name}: </span>
              )}
              <Link href={`/orders/${orderId}`} className="link">
                <bdi>{customer.name}</bdi> #{shortId(orderId)}
              </Link>{' '}
              {words}
              <span className="block text-ink-soft">
                <Time value={at} as="time" />
                {seen && ` · ${t('seen by {name}', { name: seen.by.name })}`}
              </span>
            </span>
            {!seen && mayPack && (
              <Button
                variant="secondary"
                size="sm"
                pending={markSeen.isPending}
                aria-label={t('Seen: {customer}, {product} {change}', {
                  customer: customer.name,
                  product: name,
                  change: words,
                })}
                onClick={() => markSeen.mutate([change])}
              >
                {t('Seen')}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const ordersIn = (changes: readonly PickChange[]): number =>
  new Set(changes.map(({ orderId }) => orderId)).size;

/** What changed since the last print, over all products; nothing while nothing did. */
export function ChangeNotice() {
  const { changes, print } = useShownList().view;
  const mayPack = useMayPack();
  const markSeen = useMarkSeen();
  const unseen = changes.filter(({ seen }) => !seen);
  if (changes.length === 0 || !print) return null;
  // Orders in both figures: somebody who has seen a change of an order has seen all of them.
  const orders = ordersIn(changes);
  const unseenOrders = ordersIn(unseen);
  const soft = (inner: ReactNode) => <span className="text-ink-soft">{inner}</span>;
  return (
    <details className="group rounded border border-hairline bg-surface" data-print="hide">
      <summary className="flex min-h-14 list-none flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2 focus-visible:outline-offset-[-3px] [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 grow font-medium">
          {unseenOrders === 0
            ? t('{orders, plural, one {# order} other {# orders}} changed since print {number}', {
                orders,
                number: print.number,
              })
            : unseenOrders === orders
              ? rich(
                  '{orders, plural, one {# order} other {# orders}} changed since print {number}<soft>, not seen yet</soft>',
                  { orders, number: print.number, soft },
                )
              : rich(
                  '{orders, plural, one {# order} other {# orders}} changed since print {number}<soft>, {unseen} of them not seen yet</soft>',
                  { orders, number: print.number, unseen: unseenOrders, soft },
                )}
        </span>
        <span className="text-sm text-leaf group-open:hidden">{t('Show')}</span>
        <span className="hidden text-sm text-leaf group-open:inline">{t('Hide')}</span>
      </summary>
      {unseen.length > 0 && mayPack && (
        <div className="px-3 pb-3">
          <Button
            variant="secondary"
            icon={<Check />}
            pending={markSeen.isPending}
            onClick={() => markSeen.mutate(unseen)}
          >
            {t('Mark all as seen')}
          </Button>
        </div>
      )}
      <ChangeReasons changes={changes} />
    </details>
  );
}

/**
 * Marks changes as seen, for everybody of the farm. The event shows it; the refetch is for a page without a connection.
 */
function useMarkSeen() {
  const { view } = useShownList();
  return useCommand(
    async (changes: readonly PickChange[]) => {
      const marks = new Map(changes.map(({ orderId, sequence }) => [orderId, sequence]));
      const all = [...marks].map(([orderId, sequence]) => ({ orderId, sequence }));
      for (let start = 0; start < all.length; start += SEEN_MAX) {
        await call(picklistApi.markSeen, {
          body: { ...scopeFields(view), changes: all.slice(start, start + SEEN_MAX) },
        });
      }
    },
    {
      onError: (error, cache) => {
        toastError(error);
        refetch(cache, picklistKeys.all);
      },
    },
  );
}
