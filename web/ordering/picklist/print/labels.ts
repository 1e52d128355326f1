import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { initial } from '../../../platform/format/format.ts';
import { formatLine, formatWeight } from '../words.ts';
import { type PickView, pickedOrders } from '../work/fold.ts';

/** One label. */
export type Label = {
  key: string;
  order: PickOrder;
  /** The customer's name, or its initials. */
  name: string;
  /** What is in it, where each line has its own. */
  goods?: string;
  /** Which of its lines: '2 of 6'. */
  part?: string;
};

/** How labels are made. */
export type LabelChoice = { per: 'order' | 'line'; names: 'full' | 'initials' };

const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${initial(word)}.`)
    .join(' ');

/** Returns the labels of the orders that are still to be handed over: one per order, or one per line. */
export function labelsOf(view: PickView, { per, names }: LabelChoice): Label[] {
  return pickedOrders(view).flatMap((order): Label[] => {
    if (order.status === 'completed') return [];
    const name = names === 'full' ? order.customer.name : initialsOf(order.customer.name);
    if (per === 'order') return [{ key: order._id, order, name }];
    const lines = order.lines.filter(({ quantity }) => quantity > 0);
    return lines.map((line, index) => ({
      key: line.lineId,
      order,
      name,
      goods: [
        formatLine(line),
        line.packed !== undefined && formatWeight(line.packed, line.product.unit),
      ]
        .filter(Boolean)
        .join(', '),
      part: `${index + 1} of ${lines.length}`,
    }));
  });
}
