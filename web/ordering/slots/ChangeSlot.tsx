import { CalendarClock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { formatFarmInstant } from '../../farm/model/farm-clock.ts';
import { useNow, useToday } from '../../platform/hooks/use-now.ts';
import { useWatchFarm } from '../../platform/realtime/watch.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useMoveOrder } from './commands.ts';
import { farmSlotsQuery, offeredSlotsQuery } from './queries.ts';
import { asTarget, availabilityOf } from './rules.ts';
import { SlotPicker } from './SlotPicker.tsx';
import { type LaterDays, useSlotsAhead } from './use-slots-ahead.ts';

/** The clock by which the button to change the time goes. */
const CLOCK_STEP_MS = 15_000;

type Props = {
  order: Order;
  /** The farm's; undefined until it is known. */
  timeZone: string | undefined;
  /** Called with the order as it is after the change. */
  onChanged: (order: Order) => void;
};

/** Returns from which day on slots are asked for: yesterday, because the farm may be a day behind. */
const useFirstDay = () => addDays(useToday(), -1);

/** Whether a slot is not one of those: it may be on a later day. */
const isNotAmong = (slotId: string) => (slots: readonly { _id: string }[]) =>
  !slots.some(({ _id }) => _id === slotId);

const isOpenOrder = ({ status }: Order): boolean => isOpenStatus(status);

/** The button with which a buyer changes the time of a pickup, until the farm's cut-off. */
export function ChangeOwnSlot(props: Props) {
  const { pickupDetails } = props.order;
  if (!isOpenOrder(props.order) || !pickupDetails?.slotId) return null;
  return <OwnSlot {...props} slotId={pickupDetails.slotId} />;
}

function OwnSlot({ slotId, ...props }: Props & { slotId: string }) {
  const { order, timeZone } = props;
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
        The time could be changed until{' '}
        {formatFarmInstant(own.closesAt, timeZone, dayIn(timeZone, nowMs))}. Write to the farm if
        you can't come.
      </p>
    );
  }
  return (
    <ChangeSlot {...props} slotId={slotId} slots={query.slots} later={query.later}>
      {query.error && !query.slots && (
        <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
      )}
    </ChangeSlot>
  );
}

/** The button with which a farm moves an order to another of its slots, at any time. */
export function ChangeCustomersSlot(props: Props) {
  const { pickupDetails } = props.order;
  if (!isOpenOrder(props.order) || !pickupDetails?.slotId) return null;
  return <CustomersSlot {...props} slotId={pickupDetails.slotId} />;
}

function CustomersSlot(props: Props & { slotId: string }) {
  const [isOpen, setOpen] = useState(false);
  // Forty orders on a page need no slots until one is to be moved.
  const query = useSlotsAhead({
    queryOf: farmSlotsQuery,
    today: useFirstDay(),
    needsLater: isNotAmong(props.slotId),
    isEnabled: isOpen,
  });
  return (
    <ChangeSlot
      {...props}
      slots={query.slots?.map(asTarget)}
      later={query.later}
      onOpen={() => setOpen(true)}
    >
      {query.error && !query.slots && (
        <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
      )}
    </ChangeSlot>
  );
}

function ChangeSlot({
  order,
  slotId,
  slots,
  later,
  timeZone,
  onChanged,
  onOpen,
  children,
}: Props & {
  slotId: string;
  slots: readonly OfferedSlot[] | undefined;
  later: LaterDays | undefined;
  onOpen?: () => void;
  /** Shown while there are no slots. */
  children: ReactNode;
}) {
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
        Change the time
      </Button>
      {isOpen && (
        <ChangeSlotDialog
          order={order}
          slotId={slotId}
          slots={slots}
          later={later}
          timeZone={timeZone}
          onChanged={onChanged}
          onClose={() => setOpen(false)}
        >
          {children}
        </ChangeSlotDialog>
      )}
    </div>
  );
}

function ChangeSlotDialog({
  order,
  slotId,
  slots,
  later,
  timeZone,
  onChanged,
  onClose,
  children,
}: Props & {
  slotId: string;
  slots: readonly OfferedSlot[] | undefined;
  later: LaterDays | undefined;
  onClose: () => void;
  children: ReactNode;
}) {
  const [value, setValue] = useState(slotId);
  const move = useMoveOrder();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !move.isPending && onClose()}
      title="Change the time"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            pending={move.isPending}
            onClick={() => {
              if (value === slotId) return onClose();
              move.mutate(
                { order, slotId: value },
                {
                  onSuccess: ({ data }) => {
                    onChanged(data);
                    onClose();
                  },
                },
              );
            }}
          >
            Save the time
          </Button>
        </>
      }
    >
      {slots ? (
        <SlotPicker
          slots={slots}
          value={value}
          onChange={({ _id }) => {
            move.reset();
            setValue(_id);
          }}
          timeZone={timeZone}
          own={slotId}
          later={later}
        />
      ) : (
        children || <SkeletonRows rows={4} />
      )}
      <ErrorAlert error={move.error} className="mt-4" />
    </Dialog>
  );
}
