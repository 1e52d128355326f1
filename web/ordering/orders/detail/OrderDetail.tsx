import { Mail, Phone, Store, Truck, UserRound } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import type { Order } from '#contract/ordering/orders/orders';
import type { Contact } from '#contract/people/users/users';
import { formatFullDay } from '#contract/platform/time/constants';
import { formatFarmTime } from '../../../farm/model/farm-clock.ts';
import { capitalized, formatAddress, plural, withSpaces } from '../../../platform/format/format.ts';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { presentLines } from '../../model/order-items.ts';
import { OrderLines } from './OrderLines.tsx';
import { OrderTimeline } from './OrderTimeline.tsx';

/** The heading level of the parts of an order. */
const PartLevel = createContext<2 | 3>(3);

/**
 * The details of an order below its header, in two columns from a width of 48 rem. `children` are
 * rendered at the end, or below the first column.
 */
export function OrderDetail({
  order,
  level = 3,
  slotAction,
  linesAction,
  children,
}: {
  order: Order;
  /** A button below the time of a pickup or delivery. */
  slotAction?: ReactNode;
  /** What can be done about its lines, below them. */
  linesAction?: ReactNode;
  /** The heading level of its parts: one below that of the order. */
  level?: 2 | 3;
  children?: ReactNode;
}) {
  return (
    <PartLevel value={level}>
      <div className="@container">
        <div className="grid gap-4 @3xl:grid-cols-[minmax(0,1fr)_20rem] @3xl:grid-rows-[auto_1fr] @3xl:items-start">
          <div className="grid gap-4">
            <Part title={plural(presentLines(order.items).length, 'item')}>
              <OrderLines order={order} />
              {linesAction}
            </Part>
            <div className="grid gap-4 @lg:grid-cols-2">
              <PickupOrDelivery order={order}>{slotAction}</PickupOrDelivery>
              <Part title="Payment">
                <dl className="grid gap-2 text-sm">
                  <Fact name="Payment method">{capitalized(withSpaces(order.paymentMethod))}</Fact>
                  <Fact name="Notes">
                    {order.notes ? (
                      <span className="whitespace-pre-line">{order.notes}</span>
                    ) : (
                      <span className="text-ink-soft">No notes</span>
                    )}
                  </Fact>
                </dl>
              </Part>
            </div>
          </div>
          <div className="grid gap-4 @3xl:col-start-2 @3xl:row-span-2 @3xl:row-start-1">
            <Part title="Timeline">
              <OrderTimeline entries={order.timeline} />
            </Part>
            <div className="grid gap-4 @lg:grid-cols-2 @3xl:grid-cols-1">
              <Person title="Customer" icon={<UserRound />} contact={order.consumer} />
              <Person
                title="Farmer"
                icon={<Store />}
                contact={order.farmer}
                farmName={order.farmer.farmName}
              />
            </div>
          </div>
          {children}
        </div>
      </div>
    </PartLevel>
  );
}

function PickupOrDelivery({
  order: { pickupDetails, deliveryDetails, startsAt, endsAt },
  children,
}: {
  order: Order;
  children: ReactNode;
}) {
  if (deliveryDetails) {
    return (
      <Part title="Delivery" icon={<Truck />}>
        <dl className="grid gap-2 text-sm">
          <Fact name="Address">{formatAddress(deliveryDetails.address)}</Fact>
          <Moment {...deliveryDetails} startsAt={startsAt} endsAt={endsAt} />
          {deliveryDetails.isAreaConfirmed && (
            <Fact name="Delivery area">Confirmed by the customer</Fact>
          )}
        </dl>
        {children}
      </Part>
    );
  }
  if (!pickupDetails) return null;
  return (
    <Part title="Pickup" icon={<Store />}>
      <dl className="grid gap-2 text-sm">
        <Fact name="Location">{pickupDetails.location}</Fact>
        <Moment {...pickupDetails} startsAt={startsAt} endsAt={endsAt} />
        {pickupDetails.place?.directions && (
          <Fact name="Directions">
            <span className="whitespace-pre-line break-words">
              {pickupDetails.place.directions}
            </span>
          </Fact>
        )}
      </dl>
      {children}
    </Part>
  );
}

/** Day and time of the handover by the farm's clock; says so if the day is near. */
function Moment({
  date,
  time,
  endTime,
  startsAt,
  endsAt,
}: {
  date: string;
  time: string;
  endTime?: string | undefined;
  startsAt: string | undefined;
  endsAt: string | undefined;
}) {
  const today = useToday();
  return (
    <>
      <Fact name="Date">{formatFullDay(date, today, 'long')}</Fact>
      <Fact name="Time">{formatFarmTime({ date, time, endTime }, startsAt, endsAt)}</Fact>
    </>
  );
}

function Person({
  title,
  icon,
  contact,
  farmName,
}: {
  title: string;
  icon: ReactNode;
  contact: Contact;
  farmName?: string;
}) {
  return (
    <Part title={title} icon={icon}>
      <p className="font-medium">{contact.name}</p>
      {farmName && farmName !== contact.name && <p className="text-sm text-ink-soft">{farmName}</p>}
      <ul className="mt-1 grid text-sm">
        {contact.email && (
          <li>
            <a href={`mailto:${contact.email}`} className={contactClass}>
              <Mail aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
              <span className="min-w-0 break-all">{contact.email}</span>
            </a>
          </li>
        )}
        {contact.phone && (
          <li>
            <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} className={contactClass}>
              <Phone aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
              {contact.phone}
            </a>
          </li>
        )}
      </ul>
    </Part>
  );
}

const contactClass =
  'flex min-h-8 items-center gap-2 rounded-xs text-leaf hover:text-leaf-strong pointer-coarse:min-h-11';

/** A titled part of the order that is not split across printed pages. */
export function Part({
  title,
  icon,
  children,
}: {
  title: string;
  icon?: ReactNode;
  children: ReactNode;
}) {
  const Heading = `h${useContext(PartLevel)}` as const;
  return (
    <section
      data-print="whole"
      className="min-w-0 rounded border border-hairline bg-surface p-4 @3xl:p-5"
    >
      <Heading className="mb-3 flex items-center gap-2 font-sans text-sm font-semibold tracking-normal text-ink-soft [&>svg]:size-4">
        {icon}
        {title}
      </Heading>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
