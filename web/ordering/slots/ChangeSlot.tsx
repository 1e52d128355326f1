import { CalendarClock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { slotOf } from '#contract/farm/slots/constants';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { formatFarmInstant } from '../../farm/model/farm-clock.ts';
import { useNow, useToday } from '../../platform/hooks/use-now.ts';
import { useWatchFarm } from '../../platform/realtime/watch.ts';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ActionDialog, NotLoaded } from '../model/ActionDialog.tsx';
import { fitsGoods, type LastDay, onlyUntil } from '../model/last-day.ts';
import { useMoveOrder } from './commands.ts';
import { farmSlotsQuery, offeredSlotsQuery, useSlotsAhead } from './queries.ts';
import { asTarget, availabilityOf } from './rules.ts';
import { SlotPicker } from './SlotPicker.tsx';

/** The clock by which the button to change the time goes. */
const CLOCK_STEP_MS = 15_000;

export type ChangeSlotProps = {
  order: Order;
  /** Its slot, as {@link movableSlotOf} returns it. */
  slotId: string;
  /** The farm's; undefined until it is known. */
  timeZone: string | undefined;
};

/** Returns from which day on slots are asked for: yesterday, because the farm may be a day behind. */
export const useFirstDay = () => addDays(useToday(), -1);

/** Whether a slot is not one of those: it may be on a later day. */
export const isNotAmong = (slotId: string) => (slots: readonly { _id: string }[]) =>
  !slots.some(({ _id }) => _id === slotId);

/** Returns the id of the slot of an order that can be moved; undefined where there is none. */
export const movableSlotOf = ({ status, pickupDetails }: Order): string | undefined =>
  isOpenStatus(status) ? pickupDetails?.slotId : undefined;

/** Renders something with until when all goods of the order can be had; undefined while that is not known. */
type WithLastDay = (children: (lastDay: LastDay | null | undefined) => ReactNode) => ReactNode;

/** The button with which a consumer changes the time of a pickup, until the farm's cut-off. */
export function ChangeOwnSlot(props: ChangeSlotProps & { withLastDay: WithLastDay }) {
  const { order, slotId, timeZone } = props;
  const nowMs = useNow(CLOCK_STEP_MS);
  const query = useSlotsAhead({
    queryOf: (days) => offeredSlotsQuery(order.farmer._id, days),
    today: useFirstDay(),
    needsLater: isNotAmong(slotId),
  });
  useWatchFarm(order.farmer._id, query.refetch);
  const own = query.slots?.find(({ _id }) => _id === slotId);
  const hasBegun = order.startsAt !== undefined && Date.parse(order.startsAt) <= nowMs;
  if (hasBegun) return null;
  if (own && availabilityOf(own, nowMs) === 'late') {
    return (
      <p className="mt-3 text-sm text-ink-soft">
        {t("The time could be changed until {time}. Write to the farm if you can't come.", {
          time: formatFarmInstant(own.closesAt, timeZone, dayIn(timeZone, nowMs)),
        })}
      </p>
    );
  }
  return <ChangeSlot {...props} slots={query.slots} query={query} />;
}

/** The button with which a farm moves an order to another of its slots, at any time. */
export function ChangeCustomersSlot(props: ChangeSlotProps) {
  const [isOpen, setOpen] = useState(false);
  // Forty orders on a page need no slots until one is to be moved.
  const query = useSlotsAhead({
    queryOf: farmSlotsQuery,
    today: useFirstDay(),
    needsLater: isNotAmong(props.slotId),
    isEnabled: isOpen,
  });
  const slots = query.slots?.map(asTarget);
  return <ChangeSlot {...props} slots={slots} query={query} onOpen={() => setOpen(true)} />;
}

type ChoiceProps = ChangeSlotProps & {
  slots: readonly OfferedSlot[] | undefined;
  query: Omit<ReturnType<typeof useSlotsAhead>, 'slots'>;
  /** For consumers, whom no other day after the last one of a product is offered. */
  withLastDay?: WithLastDay;
};

function ChangeSlot({ onOpen, ...props }: ChoiceProps & { onOpen?: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div data-print="hide" className="mt-3">
      <Button
        variant="secondary"
        size="sm"
        icon={<CalendarClock />}
        onClick={() => {
          onOpen?.();
          setOpen(true);
        }}
      >
        {t('Change the time')}
      </Button>
      {isOpen && <ChangeSlotDialog {...props} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** The dialog in which a pickup gets another of the farm's slots. */
export function ChangeSlotDialog({
  order,
  slotId,
  slots,
  query,
  timeZone,
  withLastDay = (children) => children(null),
  onClose,
}: ChoiceProps & { onClose: () => void }) {
  const [value, setValue] = useState(slotId);
  const move = useMoveOrder();
  const { date } = slotOf(order);
  const save = () => {
    if (value === slotId) return onClose();
    move.mutate({ order, slotId: value }, { onSuccess: onClose });
  };
  return (
    <ActionDialog
      title={t('Change the time')}
      label={t('Save the time')}
      pending={move.isPending}
      onAction={save}
      onClose={onClose}
    >
      {withLastDay((lastDay) =>
        slots && lastDay !== undefined ? (
          <>
            <SlotPicker
              slots={slots.filter((slot) => slot.date === date || fitsGoods(slot.date, lastDay))}
              value={value}
              onChange={({ _id }) => {
                move.reset();
                setValue(_id);
              }}
              timeZone={timeZone}
              own={slotId}
              later={query.later}
            />
            {lastDay && <p className="mt-3 text-sm text-ink-soft">{onlyUntil(lastDay)}</p>}
          </>
        ) : (
          <NotLoaded query={query}>
            <SkeletonRows rows={4} />
          </NotLoaded>
        ),
      )}
      <ErrorAlert error={move.error} className="mt-4" />
    </ActionDialog>
  );
}
