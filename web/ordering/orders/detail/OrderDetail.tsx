import { Mail, MessageCircleQuestion, Phone, Store, Truck, UserRound } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { slotOf, wayOf } from '#contract/farm/slots/constants';
import type { Party } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { Contact } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { readableEmail } from '#contract/platform/http/email';
import { addressLines } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { formatFarmTime } from '../../../farm/model/farm-clock.ts';
import { rich } from '../../../platform/format/rich.tsx';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Badge, StatusBadge } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { presentLines, withWhom } from '../../model/order-items.ts';
import { OrderTotal, Waiting } from '../../model/order-parts.tsx';
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
            <Part
              title={t('{count, plural, one {# item} other {# items}}', {
                count: presentLines(order.items).length,
              })}
            >
              <OrderLines order={order} />
              {linesAction}
            </Part>
            <div className="grid gap-4 @lg:grid-cols-2">
              <PickupOrDelivery order={order}>{slotAction}</PickupOrDelivery>
              <Part title={t('Payment')}>
                <dl className="grid gap-2 text-sm">
                  <Fact name={t('Payment method')}>
                    {t(
                      '{method, select, cash {Cash} bank_transfer {Bank transfer} other {Other}}',
                      { method: order.paymentMethod },
                    )}
                  </Fact>
                  <Fact name={t('Notes')}>
                    {order.notes ? (
                      <span dir="auto" className="whitespace-pre-line">
                        {order.notes}
                      </span>
                    ) : (
                      <span className="text-ink-soft">{t('No notes')}</span>
                    )}
                  </Fact>
                </dl>
              </Part>
            </div>
          </div>
          <div className="grid gap-4 @3xl:col-start-2 @3xl:row-span-2 @3xl:row-start-1">
            <Part title={t('Timeline')}>
              <OrderTimeline entries={order.timeline} />
            </Part>
            <div className="grid gap-4 @lg:grid-cols-2 @3xl:grid-cols-1">
              <Person title={t('Customer')} icon={<UserRound />} contact={order.consumer} />
              <Person
                title={t('Farmer')}
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

function PickupOrDelivery({ order, children }: { order: Order; children: ReactNode }) {
  const { pickupDetails: pickup, deliveryDetails: delivery, startsAt, endsAt, toCheck } = order;
  const today = useDayAtFarm(order);
  if (!pickup && !delivery) return null;
  const slot = slotOf(order);
  return (
    <Part title={wayOf(slot)} icon={delivery ? <Truck /> : <Store />}>
      <dl className="grid gap-2 text-sm">
        {delivery && (
          <Fact name={t('Address')}>
            {addressLines(delivery.address).map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </Fact>
        )}
        {!delivery && (
          <Fact name={t('Location')}>
            <bdi>{pickup?.location}</bdi>
          </Fact>
        )}
        <Fact name={t('Date')}>{formatFullDay(slot.date, today, 'long')}</Fact>
        <Fact name={t('Time')}>{formatFarmTime(slot, startsAt, endsAt)}</Fact>
        {delivery?.isAreaConfirmed && (
          <Fact name={t('Delivery area')}>{t('Confirmed by the customer')}</Fact>
        )}
        {toCheck?.includes('area') && (
          <Fact name={t('Delivery area')}>{t('Not confirmed by the customer')}</Fact>
        )}
        {!delivery && pickup?.place?.directions && (
          <Fact name={t('Directions')}>
            <span dir="auto" className="whitespace-pre-line wrap-anywhere">
              {pickup.place.directions}
            </span>
          </Fact>
        )}
      </dl>
      {children}
    </Part>
  );
}

function Person({
  title,
  icon,
  contact: { name, email, phone },
  farmName,
}: {
  title: string;
  icon: ReactNode;
  contact: Contact;
  farmName?: string;
}) {
  return (
    <Part title={title} icon={icon}>
      <p className="font-medium">
        <bdi>{name}</bdi>
      </p>
      {farmName && farmName !== name && (
        <p className="text-sm text-ink-soft">
          <bdi>{farmName}</bdi>
        </p>
      )}
      <ul className="mt-1 grid text-sm">
        {email && (
          <li>
            <a href={`mailto:${email}`} className={contactClass}>
              <Mail className="size-4 shrink-0 text-ink-soft" />
              <bdi dir="ltr" className="min-w-0 break-all">
                {readableEmail(email)}
              </bdi>
            </a>
          </li>
        )}
        {phone && (
          <li>
            <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={contactClass}>
              <Phone className="size-4 shrink-0 text-ink-soft" />
              <bdi dir="ltr">{phone}</bdi>
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

/** The header of an order: who it is with, live status, time and total. */
export function OrderHead({
  order,
  reader,
  level = 1,
  children,
}: {
  order: Order;
  reader: Party;
  /** The level of its heading; null where the title stands elsewhere. */
  level?: 1 | 2 | null;
  /** Actions. */
  children?: ReactNode;
}) {
  const Heading = `h${level ?? 2}` as const;
  const isHighlighted = useHighlight(order.status, order._id);
  return (
    <header
      className={cn(
        'mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 rounded',
        isHighlighted && 'animate-highlight',
      )}
    >
      <div className="grid gap-2">
        {level && (
          <Heading className={level === 1 ? 'text-2xl' : 'text-xl'}>
            <OrderTitle order={order} reader={reader} />
          </Heading>
        )}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-soft">
          <span aria-live="polite">
            <StatusBadge status={order.status} />
          </span>
          {/* Not for the customer, who can do nothing about it, or has the question in full. */}
          {reader !== 'consumer' &&
            (order.openChange ? (
              <Badge tone="straw" icon={<MessageCircleQuestion />}>
                {t("Waiting for {name}'s answer", { name: order.consumer.name })}
              </Badge>
            ) : (
              order.status === 'pending' && <Waiting since={order.createdAt} />
            ))}
          <span>
            {rich('Placed on {time}', { time: <Time value={order.createdAt} inSentence /> })}
          </span>
          <OrderTotal order={order} className="font-semibold text-ink" />
        </p>
      </div>
      {children}
    </header>
  );
}

/** The title of an order: who it is with, and its shortened id beside. */
export function OrderTitle({ order, reader }: { order: Order; reader: Party }) {
  return (
    <>
      <span className="wrap-anywhere">{withWhom(order, reader)}</span>{' '}
      <span className="tabular ms-1 whitespace-nowrap font-sans text-base font-normal tracking-normal text-ink-soft">
        {t('Order #{shortId}', { shortId: shortId(order._id) })}
      </span>
    </>
  );
}
