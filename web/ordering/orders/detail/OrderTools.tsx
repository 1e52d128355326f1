import { useAtom, useAtomValue } from 'jotai';
import { CircleCheck, CloudOff, SlidersHorizontal, Undo2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatNearDay } from '#contract/platform/time/constants';
import { connectionAtom } from '../../../platform/api/connection.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { pin } from '../../../platform/ui/feedback/pinned.ts';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { AnyDay, Checkbox, Select } from '../../../platform/ui/fields/controls.tsx';
import { SearchInput } from '../../../platform/ui/fields/SearchInput.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { OrderId } from '../../model/order-parts.tsx';
import { refusedAnswersAtom } from '../answers/answer-toasts.ts';
import { type QueuedAnswer, queuedAnswersAtom } from '../answers/queued-answers.ts';

const DAYS_OFFERED = 7;

/** The days that are listed, beside any other: the coming week, and every other day that a waiting order is for. */
export function daysOffered(waiting: readonly Order[], chosen: string, today: string): string[] {
  const week = Array.from({ length: DAYS_OFFERED }, (_, index) => addDays(today, index));
  const others = waiting.map((order) => slotOf(order).date);
  return [...new Set([...week, ...others, ...(chosen === '' ? [] : [chosen])])].sort();
}

/** Search, day and order of the farmer's orders. */
export function OrderTools({
  text,
  onText,
  date,
  onDate,
  isBySlot,
  onBySlot,
  waiting,
  today,
}: {
  text: string;
  onText: (text: string) => void;
  date: string;
  onDate: (date: string) => void;
  isBySlot: boolean;
  onBySlot: (isBySlot: boolean) => void;
  /** All waiting orders, whatever is searched for. */
  waiting: readonly Order[];
  /** The farm's. */
  today: string;
}) {
  const optionsId = useId();
  // On a phone the choices open below the search, at once if one was made.
  const [isOpen, setOpen] = useState(date !== '' || isBySlot);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <SearchInput
        label={t('Search customer, phone, product or order')}
        placeholder={t('Customer, phone, product')}
        value={text}
        onChange={onText}
      />
      <Button
        size="icon"
        variant="secondary"
        icon={<SlidersHorizontal />}
        aria-label={t('Day and order')}
        aria-expanded={isOpen}
        aria-controls={optionsId}
        onClick={() => setOpen(!isOpen)}
        className="sm:hidden"
      />
      <div
        id={optionsId}
        className={cn('col-span-2 gap-2 sm:contents', isOpen ? 'grid' : 'hidden')}
      >
        <div className="flex min-w-0 gap-2">
          <div className="min-w-0 grow">
            <Select
              aria-label={t('Day')}
              value={date}
              onChange={(event) => onDate(event.target.value)}
            >
              <option value="">{t('Any day')}</option>
              {daysOffered(waiting, date, today).map((day) => (
                <option key={day} value={day}>
                  {formatNearDay(day, today)}
                </option>
              ))}
            </Select>
          </div>
          <AnyDay value={date} onChange={onDate} />
        </div>
        <Select
          aria-label={t('Sort')}
          value={isBySlot ? 'slot' : ''}
          onChange={(event) => onBySlot(event.target.value === 'slot')}
        >
          <option value="">{t('By time placed')}</option>
          <option value="slot">{t('By pickup time')}</option>
        </Select>
      </div>
    </div>
  );
}

/** Ticks all shown orders that can be accepted. */
export function TickAll({
  tickable,
  ticked,
  onTickAll,
}: {
  /** How many shown orders can be ticked, and how many are. */
  tickable: number;
  ticked: number;
  onTickAll: (isTicked: boolean) => void;
}) {
  if (tickable === 0) return null;
  return (
    <Checkbox
      label={t('Select all {count}', { count: tickable })}
      checked={ticked === tickable}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && ticked < tickable;
      }}
      onChange={(event) => onTickAll(event.target.checked)}
      className="whitespace-nowrap"
    />
  );
}

/**
 * The bar at the bottom of the farmer's orders: accepts what is ticked, and for a few seconds takes back
 * what was accepted last. Renders nothing while there is neither.
 */
export function AnswerBar({
  ticked,
  onAccept,
  onClear,
  onUndo,
}: {
  ticked: number;
  onAccept: () => void;
  onClear: () => void;
  onUndo: (held: QueuedAnswer) => void;
}) {
  const held = useAtomValue(queuedAnswersAtom);
  const { state } = useAtomValue(connectionAtom);
  const last = held.findLast((answer) => answer.state !== 'sending');
  const isUnsent = held.some((answer) => answer.state === 'unsent');
  const isOffline = isUnsent || (last !== undefined && state === 'offline');
  const count = held.reduce((sum, { orders }) => sum + orders.length, 0);
  return (
    <div
      ref={pin}
      data-print="hide"
      className="pointer-events-none pinned mt-4 grid justify-items-center gap-2 *:last:mb-3"
    >
      <div role="status" className={last ? boxClass : 'sr-only'}>
        {last && (
          <>
            {isOffline ? (
              <CloudOff className="size-5 shrink-0 text-orange-ink" />
            ) : (
              <CircleCheck className="size-5 shrink-0 text-leaf" />
            )}
            <span className="min-w-0 grow">
              {isOffline
                ? t(
                    "{count, plural, one {# order not sent yet. We'll send it when you're back.} other {# orders not sent yet. We'll send them when you're back.}}",
                    { count },
                  )
                : heldWords(last)}
            </span>
            <Button size="sm" variant="quiet" icon={<Undo2 />} onClick={() => onUndo(last)}>
              {isUnsent ? t('Take back') : t('Undo')}
            </Button>
          </>
        )}
      </div>
      {ticked > 0 && (
        <div className={boxClass}>
          <span className="min-w-0 grow font-medium">
            {t('{count} selected', { count: ticked })}
          </span>
          <Button size="sm" variant="quiet" onClick={onClear}>
            {t('Clear')}
          </Button>
          <Button icon={<CircleCheck />} onClick={onAccept}>
            {t('Accept {count}', { count: ticked })}
          </Button>
        </div>
      )}
    </div>
  );
}

const boxClass =
  'pointer-events-auto flex w-full max-w-lg animate-fade-in items-center gap-3 rounded border border-outline bg-raised px-3 py-2 text-sm shadow-float';

function heldWords({ orders, status }: QueuedAnswer): string {
  const [order] = orders;
  return orders.length === 1 && order
    ? t(
        "{status, select, accepted {{name}'s order accepted.} rejected {{name}'s order rejected.} completed {{name}'s order completed.} cancelled {{name}'s order cancelled.} other {{name}'s order pending.}}",
        { name: order.consumer.name, status },
      )
    : t(
        '{status, select, accepted {{count, plural, one {# order accepted.} other {# orders accepted.}}} rejected {{count, plural, one {# order rejected.} other {# orders rejected.}}} completed {{count, plural, one {# order completed.} other {# orders completed.}}} cancelled {{count, plural, one {# order cancelled.} other {# orders cancelled.}}} other {{count, plural, one {# order pending.} other {# orders pending.}}}}',
        { count: orders.length, status },
      );
}

/** Says line by line which orders could not be accepted, until that is dismissed or left. */
export function RefusedOrders() {
  const [refused, setRefused] = useAtom(refusedAnswersAtom);
  useEffect(() => () => setRefused([]), [setRefused]);
  if (refused.length === 0) return null;
  return (
    <Alert kind="warning" className="mt-2">
      <p className="font-medium">
        {t('{count, plural, one {# order} other {# orders}} could not be accepted.', {
          count: refused.length,
        })}
      </p>
      <ul className="mt-1 grid gap-1">
        {refused.map(({ order, message }) => (
          <li key={order._id}>
            <bdi>{order.consumer.name}</bdi> <OrderId order={order} />: {message}
          </li>
        ))}
      </ul>
      <Button size="sm" variant="secondary" onClick={() => setRefused([])} className="mt-2">
        {t('Got it')}
      </Button>
    </Alert>
  );
}
