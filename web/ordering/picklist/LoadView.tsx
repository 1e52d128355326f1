import { MapPin, Truck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { shortId } from '#contract/platform/http/constants';
import { plural } from '../../platform/format/format.ts';
import { EmptyState } from '../../platform/ui/feedback/EmptyState.tsx';
import { PackingBadge } from './pack/PackOrders.tsx';
import { isWeighed } from './pack/weighing.ts';
import { timeOf } from './words.ts';
import { type PickView, pickedOrders } from './work/fold.ts';

type Stop = { key: string; orders: PickOrder[] };

/** Returns the orders by time and place, deliveries of a time together. */
function stopsOf(view: PickView): Stop[] {
  const stops = new Map<string, Stop>();
  for (const order of pickedOrders(view)) {
    const key = [timeOf(order), order.place].join('|');
    const stop = stops.get(key) ?? { key, orders: [] };
    stop.orders.push(order);
    stops.set(key, stop);
  }
  return [...stops.values()];
}

const isReady = ({ packing, status }: PickOrder): boolean =>
  packing === 'packed' || status === 'completed';

/** What goes into the van: the orders of each time and place with their crates. */
export function LoadView({
  view,
  renderHandOver,
}: {
  view: PickView;
  /** The button to hand an order over, which is another feature's. */
  renderHandOver: (order: PickOrder) => ReactNode;
}) {
  const stops = stopsOf(view);
  if (stops.length === 0) {
    return (
      <EmptyState
        drawing="parcel"
        title="Nothing to load yet"
        text="Accepted orders appear here by time and place."
      />
    );
  }
  return (
    <section aria-label="Loading" className="grid grid-cols-1 gap-5">
      {stops.map(({ key, orders }) => {
        const [first] = orders;
        if (!first) return null;
        const isDelivery = first.address !== null;
        const ready = orders.filter(isReady);
        const crates = orders.reduce((sum, order) => sum + (order.crates ?? 0), 0);
        const Icon = isDelivery ? Truck : MapPin;
        return (
          <section key={key} className="grid grid-cols-1 gap-2">
            <header className="flex flex-wrap items-baseline gap-x-3 break-after-avoid">
              <h2 className="flex items-center gap-2 text-lg">
                <Icon aria-hidden="true" className="size-5 text-ink-soft" />
                {timeOf(first)} · {isDelivery ? 'Deliveries' : first.place}
              </h2>
              <p className="tabular text-sm text-ink-soft">
                {plural(orders.length, 'order')}, {plural(crates, 'crate')}, {ready.length} packed
              </p>
            </header>
            <ul className="grid grid-cols-1 gap-2 lg:grid-cols-2">
              {orders.map((order) => (
                <li
                  key={order._id}
                  data-print="whole"
                  className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-2 rounded border border-hairline bg-surface px-3 py-2"
                >
                  <span className="grid min-w-0 grow basis-40">
                    <Link
                      href={`/orders/${order._id}`}
                      className="link -my-2.5 w-fit py-2.5 text-base font-semibold print:my-0 print:py-0"
                    >
                      {order.customer.name}
                    </Link>
                    <span className="tabular text-sm text-ink-soft">
                      #{shortId(order._id)}
                      {order.address !== null && ` · ${order.address}`}
                      {!isWeighed(order) && ' · not weighed yet'}
                    </span>
                  </span>
                  <PackingBadge order={order} />
                  {order.status === 'accepted' && renderHandOver(order)}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </section>
  );
}
