import {
  atFarm,
  becauseOf,
  type Cost,
  costOf,
  type Handover,
  handed,
  kind,
  momentOf,
  nameOf,
  orderName,
  sentences,
  type Whom,
  type Why,
} from '#contract/people/notifications/constants/written';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { excerpt } from '#contract/platform/text/constants/excerpts';
import { t } from '#contract/platform/text/constants/texts';
import { formatDay, formatWallTime } from '#contract/platform/time/constants';

type StatusChange = { order: string } & (
  | ({ status: OrderStatus; farm: Whom; handover: Handover } & Why)
  | { farmIs: 'suspended' | 'back'; handover: Handover }
);

function statusTitle(status: OrderStatus): string {
  switch (status) {
    case 'pending':
      return t('Your order is pending again');
    case 'accepted':
      return t('Your order was accepted');
    case 'rejected':
      return t('Your order was rejected');
    case 'completed':
      return t('Your order is complete');
    case 'cancelled':
      return t('Your order was cancelled');
  }
}

function statusBody(status: OrderStatus, named: { order: string; farm: string }, to: Handover) {
  switch (status) {
    case 'pending':
      return t('Order {order} at {farm} is pending again.', named);
    case 'accepted':
      return t(
        'Order {order} at {farm} was accepted for {way, select, delivery {delivery} other {pickup}} on {day} at {time}.',
        { ...named, ...handed(to) },
      );
    case 'rejected':
      return t('Order {order} at {farm} was rejected.', named);
    case 'completed':
      return t('Order {order} at {farm} is complete.', named);
    case 'cancelled':
      return t('Order {order} at {farm} was cancelled.', named);
  }
}

type Moment = Omit<Handover, 'isDelivery'>;
type SlotMove = { order: string; before: Moment; after: Moment & { place?: string } } & (
  | { customer: Whom }
  | ({ farm: Whom; isDelivery: boolean } & Why)
);

const PLACE_MAX = 120;

/** What a sentence says of a move: what of it changes, from which day and time to which, and where. */
export function moveOf({ before, after }: Pick<SlotMove, 'before' | 'after'>) {
  const [was, is] = [momentOf(before), momentOf(after)];
  const startsAnew = before.time !== after.time;
  return {
    ...is,
    wasDay: was.day,
    wasTime: was.time,
    // In few words: the end matters only where nothing else differs.
    wasAt: startsAnew ? formatWallTime(before.time) : was.time,
    at: startsAnew ? formatWallTime(after.time) : is.time,
    what: was.day !== is.day ? 'day' : was.time !== is.time ? 'time' : 'place',
    // A delivery goes to the consumer, and names no place.
    where: after.place ? 'place' : 'none',
    place: excerpt(after.place ?? '', PLACE_MAX),
  };
}

function slotMoved(params: SlotMove) {
  const order = orderName(params.order);
  const move = moveOf(params);
  if ('customer' in params) {
    return {
      title: t(
        '{what, select, day {Order {order} was moved from {wasDay} to {day}} time {Order {order} on {day} was moved from {wasAt} to {at}} other {Order {order} on {day} is picked up elsewhere}}',
        { order, ...move },
      ),
      body: t(
        '{customer} now picks it up on {day} at {time}{where, select, place {, at {place}} other {}} (it was on {wasDay} at {wasTime}).',
        { customer: nameOf(params.customer), ...move },
      ),
    };
  }
  const { farm, isDelivery } = params;
  return {
    title: isDelivery
      ? t(
          '{what, select, day {Your delivery was moved from {wasDay} to {day}} time {Your delivery on {day} was moved from {wasAt} to {at}} other {Your delivery on {day} was moved}}',
          move,
        )
      : t(
          '{what, select, day {Your pickup was moved from {wasDay} to {day}} time {Your pickup on {day} was moved from {wasAt} to {at}} other {Your pickup on {day} is at another place}}',
          move,
        ),
    body: atFarm(farm, params.order, (name) =>
      sentences(
        isDelivery
          ? t(
              '{farm} delivers order {order} on {day} at {time}{where, select, place {, at {place}} other {}} (it was on {wasDay} at {wasTime}).',
              { farm: name, order, ...move },
            )
          : t(
              'Pick up order {order} at {farm} on {day} at {time}{where, select, place {, at {place}} other {}} (it was on {wasDay} at {wasTime}).',
              { farm: name, order, ...move },
            ),
        becauseOf(params),
      ),
    ),
  };
}

type Kept = { order: string; farm: Whom; handover: Handover; isAgreed: boolean };

/** Says that a farm has closed something that an order needs, and keeps the order. */
const kept = ({ order, farm, handover, isAgreed }: Kept) => ({
  title: isAgreed ? t('Your order stays as agreed') : t('Your order stays as you placed it'),
  body: atFarm(farm, order, (name) =>
    t(
      '{farm} has changed its days, times or goods. Nothing changes for order {order}: {way, select, delivery {delivery} other {pickup}} on {day} at {time}.',
      { farm: name, order: orderName(order), ...handed(handover) },
    ),
  ),
});

function reminder({
  order,
  farm,
  handover,
  place,
}: {
  order: string;
  farm: Whom;
  handover: Handover;
  /** Of a pickup. */
  place?: string;
}) {
  const to = handed(handover);
  const values = {
    order: orderName(order),
    where: place ? 'place' : 'none',
    place: excerpt(place ?? '', PLACE_MAX),
  };
  return {
    title: handover.isDelivery
      ? t('Your delivery is on {day} at {time}', to)
      : t('Your pickup is on {day} at {time}', to),
    body: atFarm(farm, order, (name) =>
      handover.isDelivery
        ? t('{farm} brings you order {order}.', { farm: name, ...values })
        : t('Pick up order {order} at {farm}{where, select, place {: {place}} other {}}.', {
            farm: name,
            ...values,
          }),
    ),
  };
}

/** The kinds of notifications that are about orders as a whole. */
export const orderKinds = {
  'order.placed': kind(
    { customer: 'name' },
    ({
      order,
      customer,
      count,
      cost,
      handover,
    }: {
      order: string;
      customer: Whom;
      count: number;
      cost: Cost;
      handover: Handover;
    }) => ({
      title: t('New order from {customer}', { customer: nameOf(customer) }),
      body: t(
        'Order {order}: {count, plural, one {# item} other {# items}}, {total}, {way, select, delivery {delivery} other {pickup}} on {day} at {time}.',
        { order: orderName(order), count, total: costOf(cost), ...handed(handover) },
      ),
    }),
  ),
  'order.unanswered': kind(
    { customer: 'name' },
    ({
      order,
      customer,
      cost,
      handover,
    }: {
      order: string;
      customer: Whom;
      cost: Cost;
      handover: Handover;
    }) => ({
      title: t('{customer} is waiting for your answer', { customer: nameOf(customer) }),
      body: sentences(
        t(
          'Order {order} ({total}, {way, select, delivery {delivery} other {pickup}} on {day} at {time}) is still waiting.',
          { order: orderName(order), total: costOf(cost), ...handed(handover) },
        ),
        t('Accept or reject it so your customer can plan.'),
      ),
    }),
  ),
  // Without names: admins need none.
  'order.leftUnanswered': kind(
    {},
    ({ order, cost, handover }: { order: string; cost: Cost; handover: Handover }) => ({
      title: t('Order {order} is waiting for an answer', { order: orderName(order) }),
      body: t(
        'The farm has left it open for too long ({total}, {way, select, delivery {delivery} other {pickup}} on {day} at {time}).',
        { total: costOf(cost), ...handed(handover) },
      ),
    }),
  ),
  'order.cutoff': kind(
    {},
    ({
      did,
      count,
      date,
      today,
    }: {
      did: 'remind' | 'accept' | 'reject';
      count: number;
      date: string;
      today: string;
    }) => {
      const values = { count, day: formatDay(date, today) };
      if (did === 'remind') {
        return {
          title: t(
            '{count, plural, one {# order for {day} is waiting for your answer} other {# orders for {day} are waiting for your answer}}',
            values,
          ),
          body: t(
            'Orders for that day are closed now. Accept or reject what is waiting, so your customers can plan.',
          ),
        };
      }
      return {
        title:
          did === 'accept'
            ? t(
                '{count, plural, one {# order for {day} was accepted} other {# orders for {day} were accepted}}',
                values,
              )
            : t(
                '{count, plural, one {# order for {day} was rejected} other {# orders for {day} were rejected}}',
                values,
              ),
        body: t(
          'Without an answer when orders for that day closed, as you chose in your settings.',
        ),
      };
    },
  ),
  'order.cancelledByConsumer': kind(
    { customer: 'name' },
    ({
      order,
      customer,
      handover,
      isStanding,
      hasLeft,
      isBack,
      ...why
    }: {
      order: string;
      customer: Whom;
      handover: Handover;
      /** The customer closed their account, and what the farm accepted stands. */
      isStanding?: true;
      /** It was cancelled with the account of the customer. */
      hasLeft?: true;
      /** Whether its stock went back; what could not has a notification of its own. */
      isBack?: boolean;
    } & Why) => {
      if (isStanding) {
        return {
          title: t('The customer of order {order} closed their account', {
            order: orderName(order),
          }),
          body: sentences(
            t(
              'You accepted it ({way, select, delivery {delivery} other {pickup}} on {day} at {time}), so it stands.',
              handed(handover),
            ),
            t('Nobody can answer messages about it; cancel it if it will not be handed over.'),
          ),
        };
      }
      return {
        title: t('Order {order} was cancelled', { order: orderName(order) }),
        body: sentences(
          hasLeft
            ? t('The customer closed their account, so the order was cancelled.')
            : t(
                '{customer} cancelled it ({way, select, delivery {delivery} other {pickup}} on {day} at {time}).',
                { customer: nameOf(customer), ...handed(handover) },
              ),
          isBack && t('Its stock is back on your shelf.'),
          becauseOf(why),
        ),
      };
    },
  ),
  'order.statusChanged': kind({ farm: 'farmName' }, (params: StatusChange) => {
    const order = orderName(params.order);
    if ('farmIs' in params) {
      const isSuspended = params.farmIs === 'suspended';
      const values = { order, ...handed(params.handover) };
      return {
        title: isSuspended
          ? t('The farm of your order is off the market')
          : t('The farm of your order is back'),
        body: isSuspended
          ? sentences(
              t('An admin has taken the farm of order {order} off the market for now.', { order }),
              t(
                'Your order stands ({way, select, delivery {delivery} other {pickup}} on {day} at {time}); you can write to the farm, or cancel the order.',
                values,
              ),
            )
          : sentences(
              t('The farm of order {order} is on the market again.', { order }),
              t(
                'Your order stands: {way, select, delivery {delivery} other {pickup}} on {day} at {time}.',
                values,
              ),
            ),
      };
    }
    const { status, farm, handover } = params;
    return {
      title: statusTitle(status),
      body: atFarm(farm, params.order, (name) =>
        sentences(statusBody(status, { order, farm: name }, handover), becauseOf(params)),
      ),
    };
  }),
  'order.slotMoved': kind({ customer: 'name', farm: 'farmName' }, slotMoved),
  'order.kept': kind({ farm: 'farmName' }, kept),
  'order.reminder': kind({ farm: 'farmName' }, reminder),
};
