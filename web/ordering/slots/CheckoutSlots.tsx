import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { BOOKABLE_DAYS } from '#contract/farm/schedule/constants';
import { SLOT_DAYS_AHEAD, SLOT_RANGE_MAX_DAYS } from '#contract/farm/slots/constants';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, clockMs, dayIn } from '#contract/platform/time/constants';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useWatchFarm } from '../../platform/realtime/watch.ts';
import { Alert, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { NotLoaded } from '../model/ActionDialog.tsx';
import { fitsGoods, type LastDay, noDayLeft } from '../model/last-day.ts';
import { offeredSlotsQuery, useSlotsAhead } from './queries.ts';
import { availabilityOf, byStart, firstChoice, usualSlotOf, whyNotUsual } from './rules.ts';
import { SlotPicker } from './SlotPicker.tsx';

const CLOCK_STEP_MS = 60_000;

/**
 * The choice of a slot at checkout, live. It begins with the first sensible one: like the consumer's last time
 * at the farm, or the first that is free, on a day on which the whole cart can be had.
 */
export function CheckoutSlots({
  farmId,
  timeZone,
  bookableDays = BOOKABLE_DAYS,
  lastOrder,
  lastDay,
  value,
  onChange,
  error,
}: {
  farmId: string;
  timeZone: string | undefined;
  /** How many days ahead the farm takes orders; what farms begin with where it is not known. */
  bookableDays?: number | undefined;
  /** The consumer's last order of the farm, null for none; undefined while it is not known. */
  lastOrder: Order | null | undefined;
  /** Until when all of the cart can be had, null for no end; undefined while it is not known. */
  lastDay: LastDay | null | undefined;
  /** The id of the chosen slot, or empty. */
  value: string;
  onChange: (slotId: string) => void;
  error: string | undefined;
}) {
  const farmToday = dayIn(timeZone, useNow(CLOCK_STEP_MS));
  const [chosen, setChosen] = useState<OfferedSlot>();
  const query = useSlotsAhead({
    queryOf: (days) => offeredSlotsQuery(farmId, days),
    today: farmToday,
    ahead: Math.min(bookableDays, SLOT_DAYS_AHEAD),
    needsLater: (nearer) =>
      (value !== '' && value !== chosen?._id && !nearer.some(({ _id }) => _id === value)) ||
      !nearer.some((slot) => availabilityOf(slot, clockMs()) === 'free'),
  });
  const found = query.slots?.find(({ _id }) => _id === value);
  if (found && found !== chosen) setChosen(found);
  const slots = useMemo(
    () =>
      withChosen(
        query.slots?.filter(({ date }) => fitsGoods(date, lastDay)),
        value,
        chosen,
      ),
    [query.slots, value, chosen, lastDay],
  );
  useWatchFarm(farmId, query.refetch);

  const isKnown = slots?.some(({ _id }) => _id === value) ?? false;
  const choose = useEffectEvent(onChange);
  useEffect(() => {
    if (!slots || lastOrder === undefined || lastDay === undefined || isKnown) return;
    const usual = usualSlotOf(lastOrder ?? undefined, slots);
    choose(firstChoice(slots, clockMs(), usual)?._id ?? '');
  }, [isKnown, slots, lastOrder, lastDay]);

  // Why the order was refused is seen in the slots themselves, with what is free instead.
  const refetch = useEffectEvent(query.refetch);
  useEffect(() => {
    if (error) refetch();
  }, [error]);

  if (!slots) {
    return (
      <NotLoaded query={query}>
        <SlotsSkeleton />
      </NotLoaded>
    );
  }
  if (slots.length === 0) {
    return (
      <Alert kind="warning">
        {lastDay && query.slots?.length
          ? noDayLeft(lastDay)
          : t(
              'This farm has no pickup times at the moment. Your cart is kept; look again later, or write to the farm.',
            )}
      </Alert>
    );
  }
  const lastLoaded = addDays(farmToday, SLOT_RANGE_MAX_DAYS - 1);
  const whyNot =
    lastOrder && query.slots && whyNotUsual(lastOrder, query.slots, { nowMs: clockMs(), lastDay });
  return (
    <div className="grid gap-5">
      {whyNot && <Alert kind="info">{whyNot}</Alert>}
      <SlotPicker
        slots={slots}
        value={value}
        onChange={({ _id }) => onChange(_id)}
        timeZone={timeZone}
        later={lastDay && lastDay.day < lastLoaded ? undefined : query.later}
        lastDay={lastDay}
        error={error}
      />
    </div>
  );
}

/**
 * Returns the slots with the chosen one. It stays in its place, closed, when the farm no longer offers it (a closed
 * day, a place that is gone): nobody is moved to another time without a word.
 */
function withChosen(
  slots: OfferedSlot[] | undefined,
  value: string,
  chosen: OfferedSlot | undefined,
): OfferedSlot[] | undefined {
  const isThere = slots?.some(({ _id }) => _id === value);
  if (!slots || isThere || chosen?._id !== value) return slots;
  return [...slots, { ...chosen, state: 'closed' as const }].sort(byStart);
}

function SlotsSkeleton() {
  return (
    <Loading className="grid gap-3">
      <Skeleton className="h-4 w-24" />
      <div className="grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3">
        {[1, 2, 3, 4, 5, 6].map((day) => (
          <Skeleton key={day} className="h-14" />
        ))}
      </div>
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-24" />
    </Loading>
  );
}
