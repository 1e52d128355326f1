import {
  atFarm,
  becauseOf,
  type Changed,
  type Cost,
  changedInText,
  costOf,
  type Goods,
  goodsOf,
  kind,
  moreGoods,
  nameOf,
  orderName,
  productOf,
  sentences,
  type Whom,
  type Why,
} from '#contract/people/notifications/constants/written';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { nameInText } from '#contract/platform/text/constants/excerpts';
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
  | ({ farm: Whom; changed: Changed; outcome: Outcome } & Why)
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
        becauseOf(params),
      ),
    ),
  };
}

/** The kinds of notifications that are about the lines of orders, and what is packed of them. */
export const lineKinds = {
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
      ...why
    }: {
      order: string;
      side: 'consumer' | 'farmer';
      changed: Changed;
      outcome: Outcome;
    } & Why) => ({
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
              becauseOf(why),
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
