import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatEstimate } from '#contract/platform/money/constants';
import { ConfirmDialog } from '../../../platform/ui/dialogs/ConfirmDialog.tsx';
import { useUpdateOrderStatus } from '../queries.ts';

/** Returns the names of what is priced by weight in an order and was not weighed, each once. */
export const unweighedNames = ({ items }: Pick<Order, 'items'>): string[] => [
  ...new Set(items.filter(({ isFinal }) => !isFinal).map(({ product }) => product.name)),
];

/** Asks whether an order is completed with estimated prices, since something in it was not weighed. */
export function UseEstimatesDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const update = useUpdateOrderStatus();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Complete with estimated prices?"
      description={`Not weighed yet in order #${shortId(order._id)}: ${unweighedNames(order).join(', ')}. Your customer then pays the estimate, ${formatEstimate(order.totalAmount)}, for good.`}
      confirmLabel="Use the estimates"
      cancelLabel="Weigh it first"
      pending={update.isPending}
      onConfirm={() =>
        update.mutate(
          { order, status: 'completed', usesEstimates: true },
          { onSuccess: onClose, onError: onClose },
        )
      }
    />
  );
}
