import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtom, useAtomValue } from 'jotai';
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { findTransition } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useMarket } from '../../../platform/format/market.ts';
import { useSearchParam } from '../../../platform/hooks/use-search-param.ts';
import { useStableCallback } from '../../../platform/hooks/use-stable-callback.ts';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { orderKeysAtom, useKeys } from '../../model/use-keys.ts';
import { EndOrderDialog, OrderActions, refusalNow, useMayGive } from '../answers/OrderActions.tsx';
import { queueAcceptance, queuedAnswersAtom, takeBack } from '../answers/queued-answers.ts';
import { UpdateStatusButton } from '../answers/StatusDialog.tsx';
import { OrderDetail, OrderHead } from '../detail/OrderDetail.tsx';
import { orderQuery } from '../queries.ts';
import { FarmerOrderRow, type RowProps } from './FarmerOrderRow.tsx';

/** The keys and what they do, in the order in which they are shown. */
const ORDER_KEYS = {
  j: msg('key|next'),
  k: msg('key|previous'),
  a: msg('key|accept'),
  r: msg('key|reject'),
  x: msg('key|select'),
  u: msg('key|undo'),
};
/** With the keys of what waits, which is on all pages: see AttentionSheet.tsx. */
const SHOWN_KEYS = { ...ORDER_KEYS, i: msg("key|I'm on it") };

/** Renders one row from what the list knows of it. */
export type RenderRow = (row: RowProps) => ReactNode;

/** What can be done about the time of an order, and about its lines; the same functions each time. */
type Actions = {
  slotAction: (order: Order) => ReactNode;
  linesAction: (order: Order) => ReactNode;
};

/**
 * The list with the chosen order beside it, and keyboard shortcuts. An answer moves on to the next order
 * that waits. The choice is kept in the URL.
 */
export function FarmerOrderSplit({
  rows,
  queuedOrders,
  onTick,
  slotAction,
  linesAction,
  children,
}: Actions & {
  /** The shown orders, in order. */
  rows: readonly Order[];
  queuedOrders: ReadonlyMap<string, OrderStatus>;
  onTick: (order: Order) => void;
  /** The list, whose rows are rendered by the given function. */
  children: (renderRow: RenderRow) => ReactNode;
}) {
  const cache = useQueryClient();
  const [chosenId, setChosenId] = useChosenOrder();
  const keysOn = useAtomValue(orderKeysAtom);
  const [rejecting, setRejecting] = useState<Order | null>(null);
  const held = useAtomValue(queuedAnswersAtom);

  const listed = chosenId ? rows.find((order) => order._id === chosenId) : rows[0];
  const away = useQuery({
    ...orderQuery(chosenId),
    enabled: chosenId !== '' && listed === undefined,
  });
  const chosen = listed ?? away.data ?? rows[0];
  // A key press marks the row first; the detail follows when there is time.
  const shown = useDeferredValue(chosen);

  const goTo = (order: Pick<Order, '_id'> | undefined) => {
    if (!order) return;
    setChosenId(order._id);
    focusRow(order._id);
  };
  const step = (by: number) => {
    const index = rows.findIndex((order) => order._id === chosen?._id);
    goTo(rows[Math.max(0, Math.min(rows.length - 1, index + by))]);
  };
  const mayAnswer = useMayGive('accepted');
  const mayBecome = (order: Order, to: 'accepted' | 'rejected') =>
    mayAnswer &&
    !queuedOrders.has(order._id) &&
    refusalNow(order, to) === undefined &&
    findTransition(order.status, to, 'farmer') !== undefined;
  // As it was while the order waited: an answered one soon stands elsewhere.
  const waitingIds = useRef<readonly string[]>([]);
  useEffect(() => {
    if (chosen?.status !== 'pending') return;
    waitingIds.current = rows.filter(({ status }) => status === 'pending').map(({ _id }) => _id);
  });
  const moveOn = useStableCallback((order: Order) => {
    const index = waitingIds.current.indexOf(order._id);
    const rowsById = new Map(rows.map((row) => [row._id, row]));
    const waits = (id: string) => {
      const row = rowsById.get(id);
      return id !== order._id && row !== undefined && mayBecome(row, 'accepted');
    };
    // The next one; behind the last, the nearest before it; if none waits, this one stays.
    const next =
      waitingIds.current.slice(index + 1).find(waits) ??
      waitingIds.current.slice(0, Math.max(0, index)).findLast(waits);
    goTo(next === undefined ? order : rowsById.get(next));
  });
  const accept = useStableCallback((order: Order) => {
    if (!mayBecome(order, 'accepted')) return;
    queueAcceptance([order], cache);
    moveOn(order);
  });
  const undo = () => {
    const last = held.findLast(({ state }) => state !== 'sending');
    if (last) goTo(takeBack(last.id)[0]);
  };
  useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      a: () => chosen && accept(chosen),
      r: () => {
        if (chosen && mayBecome(chosen, 'rejected')) setRejecting(chosen);
      },
      x: () => {
        if (chosen && mayBecome(chosen, 'accepted')) onTick(chosen);
      },
      u: undo,
    } satisfies Record<keyof typeof ORDER_KEYS, () => void>,
    keysOn && mayAnswer,
  );
  const choose = useStableCallback((order: Order) => setChosenId(order._id));
  const onArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    if (!(event.target as Element).closest('[data-order]')) return;
    event.preventDefault();
    step(event.key === 'ArrowDown' ? 1 : -1);
  };

  return (
    <>
      <div className="grid grid-cols-[minmax(22rem,27rem)_minmax(0,1fr)] items-start gap-6">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the rows within. */}
        <div onKeyDown={onArrow}>
          {children((row) => (
            <FarmerOrderRow
              key={row.order._id}
              {...row}
              isChosen={row.order._id === chosen?._id}
              onChoose={choose}
            />
          ))}
        </div>
        {shown && (
          <Pane
            order={shown}
            onAccept={accept}
            onEnded={moveOn}
            slotAction={slotAction}
            linesAction={linesAction}
          />
        )}
      </div>
      {rejecting && (
        <EndOrderDialog
          order={rejecting}
          to="rejected"
          party="farmer"
          onClose={() => setRejecting(null)}
          onEnded={moveOn}
        />
      )}
    </>
  );
}

function focusRow(id: string): void {
  const row = document.querySelector<HTMLElement>(`[data-order="${id}"]`);
  row?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

const Pane = memo(function Pane({
  order,
  slotAction,
  linesAction,
  ...answers
}: Actions & Pick<ComponentProps<typeof OrderActions>, 'order' | 'onAccept' | 'onEnded'>) {
  useMarket();
  const mayAnswer = useMayGive('accepted');
  return (
    <section
      aria-label={t('Order {shortId} of {name}', {
        shortId: shortId(order._id),
        name: order.consumer.name,
      })}
      className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto rounded border border-hairline bg-paper p-5"
    >
      <OrderHead key={order._id} order={order} reader="farmer" level={2}>
        <div className="flex flex-wrap items-start gap-2">
          <UpdateStatusButton order={order} />
          <OrderActions order={order} party="farmer" {...answers} />
        </div>
      </OrderHead>
      {mayAnswer && <KeysHint />}
      <OrderDetail order={order} slotAction={slotAction(order)} linesAction={linesAction(order)}>
        <LinkButton href={`/orders/${order._id}`} variant="secondary">
          {t('Open order page')}
        </LinkButton>
      </OrderDetail>
    </section>
  );
});

function KeysHint() {
  const [on, setOn] = useAtom(orderKeysAtom);
  return (
    <div
      data-print="hide"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 border-y border-hairline py-1.5 text-xs text-ink-soft"
    >
      <Checkbox
        label={t('Keyboard shortcuts')}
        checked={on}
        onChange={(event) => setOn(event.target.checked)}
        className="py-1 text-xs"
      />
      {on &&
        Object.entries(SHOWN_KEYS).map(([key, action]) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <kbd className="rounded-xs border border-outline bg-surface px-1.5 font-sans font-medium uppercase">
              {key}
            </kbd>
            {writeMessage(action)}
          </span>
        ))}
    </div>
  );
}

/** Pages follow each change of the URL, which takes longer than a key press may. */
const URL_DELAY_MS = 300;

/**
 * Returns the id of the chosen order, empty for none, and its setter. It is kept in the URL as
 * `?order=`, where it is written once the choice rests.
 */
function useChosenOrder(): [string, (id: string) => void] {
  const [inUrl, setInUrl] = useSearchParam('order');
  const [chosen, setChosen] = useState(inUrl);
  const [seen, setSeen] = useState(inUrl);
  if (seen !== inUrl) {
    setSeen(inUrl);
    setChosen(inUrl);
  }
  const write = useEffectEvent((id: string) => {
    if (inUrl !== id) setInUrl(id);
  });
  useEffect(() => {
    const timer = setTimeout(() => write(chosen), URL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return [chosen, setChosen];
}
