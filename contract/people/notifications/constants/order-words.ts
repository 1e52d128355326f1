import {
  atFarm,
  because,
  type Changed,
  type Cost,
  changedInText,
  costOf,
  type Goods,
  goodsOf,
  type Handover,
  handed,
  kind,
  momentOf,
  moreGoods,
  nameOf,
  orderName,
  productOf,
  sentences,
  type Whom,
} from '#contract/people/notifications/constants/written';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { excerpt, nameInText } from '#contract/platform/text/constants/excerpts';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { formatDay } from '#contract/platform/time/constants';

/** 'The total is ₨12.00 now.' */
const totalNow = (cost: Cost): string => t('The total is {total} now.', { total: costOf(cost) });

/** What became of an order: its status where that ended it, else its total. */
export type Outcome = { status: OrderStatus } | { cost: Cost };

/** Says what status an order has now. */
const statusNow = (status: OrderStatus): string =>
  t(
    '{status, select, pending {It is pending now.} accepted {It is accepted now.} rejected {It is rejected now.} completed {It is completed now.} other {It is cancelled now.}}',
    { status },
  );

const outcomeInText = (outcome: Outcome): string =>
  'status' in outcome ? statusNow(outcome.status) : totalNow(outcome.cost);

/** What a farm is told of an order that an answer, or none, has ended or changed. */
const outcomeForFarm = (changed: Changed, outcome: Outcome): string =>
  'status' in outcome
    ? t('What is there of its goods is back on your shelf.')
    : changedTo(changed, outcome.cost);

/** 'Carrots 10 lb → 4 lb. The total is ₨12.00 now.' */
const changedTo = (changed: Changed, cost: Cost): string =>
  changed.lines.length > 0
    ? t('{changes}. The total is {total} now.', {
        changes: changedInText(changed),
        total: costOf(cost),
      })
    : totalNow(cost);

type StatusChange = { order: string } & (
  | { status: OrderStatus; farm: Whom; handover: Handover; reason?: string | undefined }
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
  | { farm: Whom; isDelivery: boolean; reason?: string | undefined }
);

const PLACE_MAX = 120;

/** What a sentence says of a move: from which day and time to which, and where. */
function moveOf({ before, after }: Pick<SlotMove, 'before' | 'after'>) {
  const was = momentOf(before);
  return {
    ...momentOf(after),
    wasDay: was.day,
    wasTime: was.time,
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
      title: t('Order {order} has a new pickup time', { order }),
      body: t(
        '{customer} now picks it up on {day} at {time}{where, select, place {, at {place}} other {}} (it was on {wasDay} at {wasTime}).',
        { customer: nameOf(params.customer), ...move },
      ),
    };
  }
  const { farm, isDelivery, reason } = params;
  return {
    title: isDelivery ? t('Your delivery was moved') : t('Your pickup was moved'),
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
        because(reason),
      ),
    ),
  };
}

/** What a farm asks: about goods it is short of, or about the price of goods that weigh more than expected. */
type Question = { changed: Changed } | { heavier: { first: string; more: number } };

type Asked = { order: string; farm: Whom; minutesLeft: number } & (
  | ({ cost: Cost; costBefore: Cost } & Question)
  | { again: 'weights' | 'goods' }
);

const HOUR_MINUTES = 60;

/** 'Please answer within 2 hours.', '… within 10 minutes.': as long as there is at least. */
const answerWithin = (minutes: number): string =>
  minutes < 2 * HOUR_MINUTES
    ? t('Please answer within {count, plural, one {# minute} other {# minutes}}.', {
        count: minutes,
      })
    : t('Please answer within {count, plural, one {# hour} other {# hours}}.', {
        count: Math.floor(minutes / HOUR_MINUTES),
      });

function questionOf(params: Extract<Asked, { cost: Cost }>, farm: string): string {
  const order = orderName(params.order);
  const total = costOf(params.cost);
  if (!('heavier' in params)) {
    const changes = changedInText(params.changed);
    return sentences(
      t('{farm} is short of something in order {order}: {changes}.', { farm, order, changes }),
      t('The new total would be {total}.', { total }),
    );
  }
  const { first, more } = params.heavier;
  const product = productOf({ name: first });
  return sentences(
    t(
      '{more, plural, =0 {{farm} packed order {order}, and {product} weighs more than expected.} other {{farm} packed order {order}, and {product} and # more weigh more than expected.}}',
      { more, farm, order, product },
    ),
    t('The total would be {total} instead of {before}.', {
      total,
      before: costOf(params.costBefore),
    }),
  );
}

function changeProposed(params: Asked) {
  const isOfWeights = 'again' in params ? params.again === 'weights' : 'heavier' in params;
  const afterwards = isOfWeights
    ? t('Without an answer you pay the smaller total.')
    : t('Without an answer you get less where less is there, and nothing instead.');
  const order = orderName(params.order);
  return {
    title:
      'again' in params
        ? t('Your order still needs your answer')
        : t('Your order needs your answer'),
    body: atFarm(params.farm, params.order, (farm) =>
      sentences(
        'again' in params
          ? t('{farm} waits for your answer about order {order}.', { farm, order })
          : questionOf(params, farm),
        answerWithin(params.minutesLeft),
        afterwards,
      ),
    ),
  };
}

type ItemsChange = { order: string } & (
  | { unreturned: readonly Goods[] }
  | { customer: Whom; changed: Changed; outcome: Outcome }
  | { farm: Whom; changed: Changed; outcome: Outcome; reason?: string | undefined }
);

function itemsChanged(params: ItemsChange) {
  const order = orderName(params.order);
  if ('unreturned' in params) {
    return {
      title: t('Order {order} put nothing back in stock', { order }),
      body: t(
        'You sell this in another unit now than in that order, so it did not go back: {goods}. Correct your stock if it is there.',
        { goods: listOf(params.unreturned.map(goodsOf), 'unit') },
      ),
    };
  }
  const changes = changedInText(params.changed);
  const outcome = outcomeInText(params.outcome);
  if ('customer' in params) {
    const customer = nameOf(params.customer);
    return {
      title: t('Order {order} has new quantities', { order }),
      body: sentences(t('{customer} changed it: {changes}.', { customer, changes }), outcome),
    };
  }
  return {
    title: t('Your order changed as you wished'),
    body: atFarm(params.farm, params.order, (farm) =>
      sentences(
        t('{farm} is short of something in order {order}: {changes}.', { farm, order, changes }),
        outcome,
        because(params.reason),
      ),
    ),
  };
}

/** The kinds of notifications that are about orders. */
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
      reason,
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
      reason?: string | undefined;
    }) => {
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
          because(reason),
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
    const { status, farm, handover, reason } = params;
    return {
      title: statusTitle(status),
      body: atFarm(farm, params.order, (name) =>
        sentences(statusBody(status, { order, farm: name }, handover), because(reason)),
      ),
    };
  }),
  'order.slotMoved': kind({ customer: 'name', farm: 'farmName' }, slotMoved),
  'order.changeProposed': kind({ farm: 'farmName' }, changeProposed),
  'order.changeAnswered': kind(
    { customer: 'name' },
    ({
      order: id,
      customer,
      answer,
      changed,
      outcome,
    }: {
      order: string;
      customer: Whom;
      answer: 'accepted' | 'answered' | 'declined';
      changed: Changed;
      outcome: Outcome;
    }) => {
      const order = orderName(id);
      return {
        title: t('Order {order} was answered', { order }),
        body: sentences(
          t(
            '{answer, select, accepted {{customer} agreed to your change of order {order}.} answered {{customer} answered your change of order {order}.} other {{customer} cancelled order {order}.}}',
            { answer, customer: nameOf(customer), order },
          ),
          outcomeForFarm(changed, outcome),
        ),
      };
    },
  ),
  'order.changeExpired': kind(
    {},
    ({
      order,
      side,
      changed,
      outcome,
      reason,
    }: {
      order: string;
      side: 'consumer' | 'farmer';
      changed: Changed;
      outcome: Outcome;
      reason?: string | undefined;
    }) => ({
      title: t('Order {order} changed without an answer', { order: orderName(order) }),
      body:
        side === 'farmer'
          ? sentences(
              t('The customer did not answer your change in time.'),
              outcomeForFarm(changed, outcome),
            )
          : sentences(
              t('The time to answer is over.'),
              'cost' in outcome ? changedTo(changed, outcome.cost) : statusNow(outcome.status),
              because(reason),
            ),
    }),
  ),
  'order.itemsChanged': kind({ customer: 'name', farm: 'farmName' }, itemsChanged),
  'order.weighed': kind(
    { farm: 'farmName' },
    ({
      order: id,
      farm,
      minor,
      knownMinor,
    }: {
      order: string;
      farm: Whom;
      minor: number;
      /** The total that the customer knew before. */
      knownMinor: number;
    }) => {
      const [order, total] = [orderName(id), costOf({ minor })];
      return {
        title: t('Your order was weighed'),
        body: atFarm(farm, id, (name) =>
          minor === knownMinor
            ? t('Order {order} at {farm} costs {total}, as expected.', { order, farm: name, total })
            : t('Order {order} at {farm} costs {total} instead of {before}.', {
                order,
                farm: name,
                total,
                before: costOf({ minor: knownMinor }),
              }),
        ),
      };
    },
  ),
  'picklist.changed': kind(
    {},
    ({
      date,
      today,
      count,
      place,
      print,
      goods,
      more,
    }: {
      date: string;
      today: string;
      /** Orders that changed. */
      count: number;
      place?: string | undefined;
      print: number;
      /** How much more, or less, is to be packed. */
      goods: readonly Goods[];
      more: number;
    }) => {
      const named = listOf(goods.map(moreGoods), 'unit');
      const values = {
        count,
        print: `${print}`,
        goods: more > 0 ? t('{goods} and {count} more', { goods: named, count: more }) : named,
      };
      return {
        title: t('The pick list of {day} has changed', { day: formatDay(date, today) }),
        body:
          place === undefined
            ? t(
                '{count, plural, one {# order changed since print {print}, and nobody has marked it as seen: {goods}.} other {# orders changed since print {print}, and nobody has marked it as seen: {goods}.}}',
                values,
              )
            : t(
                '{count, plural, one {# order at {place} changed since print {print}, and nobody has marked it as seen: {goods}.} other {# orders at {place} changed since print {print}, and nobody has marked it as seen: {goods}.}}',
                { ...values, place: nameInText(place, t('a place')) },
              ),
      };
    },
  ),
};
