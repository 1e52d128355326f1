import { Repeat2 } from 'lucide-react';
import { useState } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { linesByPreference } from '#contract/ordering/changes/constants';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { formatTotal } from '../model/order-items.ts';
import { itemsOfOrder, presentOf, toChangedItems, totalOfItems } from './items.ts';
import { useChangeItems } from './queries.ts';

/** What the consumer can still take out: what was deleted since cannot be named. */
const preferenceLines = ({ items, timeline, status, packing, openChange }: Order): OrderLine[] => {
  if (!isOpenStatus(status) || packing === 'packed' || openChange) return [];
  const byPreference = linesByPreference(timeline);
  return items.filter(
    ({ _id, quantity, product }) => byPreference.has(_id) && quantity > 0 && product._id !== null,
  );
};

/**
 * What came into an order by its consumer's wish for a shortage. They were not asked, so they can take it out again
 * until the order is packed, also after the cut-off.
 */
export function PreferenceLines({ order }: { order: Order }) {
  const [takenId, setTakenId] = useState<string | null>(null);
  const lines = preferenceLines(order);
  const taken = lines.find(({ _id }) => _id === takenId);
  if (lines.length === 0) return null;
  return (
    <div data-print="hide" className="mt-4">
      <ul className="grid gap-2">
        {lines.map((line) => {
          const replaced = order.items.find(({ _id }) => _id === line.replaces)?.product.name;
          return (
            <li
              key={line._id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded border border-hairline px-3 py-2 text-sm"
            >
              <Repeat2 className="size-4 shrink-0 text-ink-soft" />
              <p className="min-w-0 grow basis-48 wrap-anywhere">
                {replaced
                  ? t('{goods} came in the place of {replaced}, as you wished.', {
                      goods: formatLine(line),
                      replaced,
                    })
                  : t('{goods} came, as you wished.', { goods: formatLine(line) })}
              </p>
              <Button variant="secondary" size="sm" onClick={() => setTakenId(line._id)}>
                {rich('Take it out<span> {name}</span>', {
                  name: line.product.name,
                  span: (inner) => <span className="sr-only">{inner}</span>,
                })}
              </Button>
            </li>
          );
        })}
      </ul>
      {taken && <TakeOut order={order} line={taken} onClose={() => setTakenId(null)} />}
    </div>
  );
}

/** Asks before goods are taken out: after the cut-off they cannot be put back. */
function TakeOut({ order, line, onClose }: { order: Order; line: OrderLine; onClose: () => void }) {
  const change = useChangeItems(order._id);
  const items = itemsOfOrder(order).map((item) =>
    item.lines.includes(line)
      ? { ...item, quantity: fromMilli(toMilli(presentOf(item)) - toMilli(line.quantity)) }
      : item,
  );
  const isLast = order.items.every(({ _id, quantity }) => _id === line._id || quantity === 0);
  const total = formatTotal(totalOfItems(order, items, new Map()));
  const takeOut = async () => {
    const body = { items: toChangedItems(items, new Map()), expectedVersion: order.version };
    try {
      // With the goods this dialog goes, so what follows is no callback of it.
      const { data } = await change.mutateAsync(body);
      toast.success(
        data.status === 'cancelled' ? t('Your order is cancelled') : t('Your order is changed'),
      );
    } catch (error) {
      toastError(error);
    }
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('Take out {goods}?', { goods: formatLine(line) })}
      description={[
        isLast
          ? t('Nothing is left then, so your order is cancelled.')
          : t('Your order comes to {total} then.', { total }),
        t('{farm} is told at once.', { farm: farmNameOf(order.farmer) }),
      ].join(' ')}
      confirmLabel={isLast ? t('Cancel order') : t('Take it out')}
      cancelLabel={t('Keep it')}
      danger={isLast}
      pending={change.isPending}
      onConfirm={takeOut}
    />
  );
}
