import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Order } from '#contract/ordering/orders/orders';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { ChangeOrder } from '../../ordering/changes/ChangeOrder.tsx';
import { changeTermsOf } from '../../ordering/changes/items.ts';
import { LineWishes } from '../../ordering/changes/LineWishes.tsx';
import { FarmChanges } from '../../ordering/changes/proposals/FarmProposal.tsx';
import { WishedLines } from '../../ordering/changes/WishedLines.tsx';
import { isAhead } from '../../ordering/orders/detail/next-steps.ts';
import { mergeOrder } from '../../ordering/orders/merge.ts';
import { ChangeCustomersSlot, ChangeOwnSlot } from '../../ordering/slots/ChangeSlot.tsx';
import { farmIdOf, mayForFarm } from '../../platform/session/farm-work.ts';
import { useAuth } from '../../platform/session/use-auth.ts';

/** The button to change the time of a pickup, for its buyer and for those who answer for the farm. */
export function SlotAction({ order }: { order: Order }) {
  const { user } = useAuth();
  const cache = useQueryClient();
  const isFarms = mayForFarm(user, 'answerOrders');
  const hasSlot = order.pickupDetails?.slotId !== undefined;
  const farm = useQuery({ ...farmerQuery(order.farmer._id), enabled: isAhead(order) && hasSlot });
  const props = {
    order,
    timeZone: farm.data?.profile.timeZone,
    onChanged: (changed: Order) => mergeOrder(cache, changed),
  };
  if (isFarms) return <ChangeCustomersSlot {...props} />;
  // While a farm is off the market it offers no slots.
  const isOffered = user?._id === order.consumer._id && !farm.data?.isSuspended;
  return isOffered ? <ChangeOwnSlot {...props} /> : null;
}

/** What can be done about the lines, by their buyer and by those who answer for the farm; its other people read. */
export function LinesAction({ order }: { order: Order }) {
  const { user } = useAuth();
  const cache = useQueryClient();
  const isBuyers = user?._id === order.consumer._id;
  const isFarms = mayForFarm(user, 'answerOrders');
  const farm = useQuery({
    ...farmerQuery(order.farmer._id),
    enabled: isAhead(order) && (isBuyers || isFarms),
  });
  const onChanged = (changed: Order) => mergeOrder(cache, changed);
  if (farmIdOf(user) === order.farmer._id) {
    return (
      <FarmChanges
        order={order}
        reader={isFarms ? 'farmer' : 'packer'}
        answerMinutes={farm.data?.profile.answerMinutes}
        onChanged={onChanged}
      />
    );
  }
  if (!isBuyers) return null;
  return (
    <>
      <WishedLines order={order} onChanged={onChanged} />
      <ChangeOrder
        order={order}
        handoff={farm.data && changeTermsOf(farm.data)}
        onChanged={onChanged}
      />
      <LineWishes order={order} onChanged={onChanged} />
    </>
  );
}
