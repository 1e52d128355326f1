import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { ClosingQuestion } from '../../ordering/closing/ClosingQuestion.tsx';
import { orderQuery } from '../../ordering/orders/queries.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';

const MoveOrderDialog = lazyWithRetry(() => import('../../ordering/slots/MoveOrderDialog.tsx'));

/**
 * Lets whatever a farm saves within it ask about the open orders that it meets. Most changes meet none: the dialogs are
 * loaded when they are needed.
 */
export const FarmClosingQuestion = ({ children }: { children: ReactNode }) => (
  <ClosingQuestion
    moveOrder={(orderId, onClose) => <MoveMetOrder orderId={orderId} onClose={onClose} />}
  >
    {children}
  </ClosingQuestion>
);

/** The dialog that moves an order which a change meets; it closes where that cannot be moved any more. */
function MoveMetOrder({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const { data: order, error } = useQuery(orderQuery(orderId));
  const farm = useQuery({ ...farmerQuery(order?.farmer._id ?? ''), enabled: order !== undefined });
  const slotId = order && isOpenStatus(order.status) ? order.pickupDetails?.slotId : undefined;
  const isOver = order !== undefined && slotId === undefined;
  const close = useEffectEvent(() => {
    if (error) toastError(error);
    onClose();
  });
  useEffect(() => {
    if (error || isOver) close();
  }, [error, isOver]);
  if (!order || !slotId) return null;
  const { timeZone } = farm.data?.profile ?? {};
  return (
    <Suspense fallback={null}>
      <MoveOrderDialog {...{ order, slotId, timeZone, onClose }} />
    </Suspense>
  );
}
