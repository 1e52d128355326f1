import { useQuery } from '@tanstack/react-query';
import type { Order } from '#contract/ordering/orders/orders';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { FarmChanges } from '../../ordering/changes/proposals/FarmProposal.tsx';
import { isAhead } from '../../ordering/model/order-cache.ts';
import { ChangeCustomersSlot, movableSlotOf } from '../../ordering/slots/ChangeSlot.tsx';

/** The button to change the time of a pickup, for those who answer for the farm. */
export function FarmSlotAction({ order }: { order: Order }) {
  const slotId = movableSlotOf(order);
  const farm = useQuery({ ...farmerQuery(order.farmer._id), enabled: slotId !== undefined });
  if (!slotId) return null;
  return (
    <ChangeCustomersSlot order={order} slotId={slotId} timeZone={farm.data?.profile.timeZone} />
  );
}

/** What to do when the farm is short of something; those who only pack read. */
export function FarmLinesAction({ order, mayAnswer }: { order: Order; mayAnswer: boolean }) {
  const isNeeded = mayAnswer && isAhead(order);
  const farm = useQuery({ ...farmerQuery(order.farmer._id), enabled: isNeeded });
  return (
    <FarmChanges
      order={order}
      reader={mayAnswer ? 'farmer' : 'packer'}
      answerMinutes={farm.data?.profile.answerMinutes}
    />
  );
}
