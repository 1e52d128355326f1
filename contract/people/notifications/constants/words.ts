import type { NotificationKind } from '#contract/people/notifications/constants';
import { lineKinds } from '#contract/people/notifications/constants/line-words';
import { orderKinds } from '#contract/people/notifications/constants/order-words';
import { securityWords } from '#contract/people/notifications/constants/security-words';
import {
  because,
  kind,
  momentOf,
  nameOf,
  productOf,
  sentences,
  type Whom,
  type Words,
} from '#contract/people/notifications/constants/written';
import { formatQuantity, fromMilli } from '#contract/platform/quantities/constants/quantities';
import type { Unit, UnitLabel } from '#contract/platform/quantities/constants/units';
import { excerpt, singleLine } from '#contract/platform/text/constants/excerpts';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';

type Stock = {
  product: string;
  unit: Unit;
  unitLabel?: UnitLabel | undefined;
  leftMilli: number;
  /** The smallest order, where there is less than that. */
  minimumMilli?: number | undefined;
  /** The size of the smallest order, where there are sizes, and how many pieces of it are left. */
  size?: { label: string; pieces: number } | undefined;
};

/** Says how much is left, and that nobody can order it where it is less than the smallest order. */
function leftOf({ unit, unitLabel, leftMilli, minimumMilli, size }: Stock): string {
  const counted = unitLabel ?? unit;
  const left = formatQuantity(fromMilli(leftMilli), counted);
  if (minimumMilli !== undefined) {
    return t('Only {left} left, less than the smallest order of {minimum}.', {
      left,
      minimum: formatQuantity(fromMilli(minimumMilli), counted),
    });
  }
  return size
    ? t('Only {left} left: {pieces, number} × {size}.', {
        left,
        pieces: size.pieces,
        size: size.label,
      })
    : t('Only {left} left.', { left });
}

function stockLow(params: Stock): Words {
  const product = productOf({ name: params.product });
  return params.leftMilli === 0
    ? {
        title: t('{product} is sold out', { product }),
        body: t("There's none left. Restock it so customers can order again."),
      }
    : { title: t('{product} is running low', { product }), body: leftOf(params) };
}

interface StockBack {
  product: string;
  /** These are absent in rows of the release before. */
  productId?: string;
  unit?: Unit;
  unitLabel?: UnitLabel | undefined;
  /** Absent of what is always available from now on. */
  leftMilli?: number | undefined;
  isAlways?: true | undefined;
  /** How many people are notified. */
  peopleCount?: number;
}

const stockBack = ({ product, ...back }: StockBack): Words => ({
  title: t('{product} is back in stock', { product: productOf({ name: product }) }),
  body: backOf(back),
});

function backOf({
  unit,
  unitLabel,
  leftMilli,
  isAlways,
  peopleCount,
}: Omit<StockBack, 'product'>): string {
  if (isAlways) return t("You asked to be told. It's always available from now on.");
  if (unit === undefined || leftMilli === undefined || peopleCount === undefined) {
    return t('You asked to be told. Order while there is some.');
  }
  return t('{left}; {count, plural, one {# person was told} other {# people were told}}.', {
    left: formatQuantity(fromMilli(leftMilli), unitLabel ?? unit),
    count: peopleCount,
  });
}

interface NewProducts {
  count: number;
  /** Of the latest ones. */
  names: readonly string[];
  /** Whose they all are; absent where they are of several farms. */
  farm?: Whom;
}

const newProducts = ({ count, names, farm }: NewProducts): Words => {
  const products = names.map((name) => productOf({ name }));
  const more = count - names.length;
  return {
    title: farm
      ? t('New at {farm}', { farm: nameOf(farm, t('A farm')) })
      : t(
          '{count, plural, one {# new product at farms you follow} other {# new products at farms you follow}}',
          { count },
        ),
    body: listOf(more > 0 ? [...products, t('{count} more', { count: more })] : products),
  };
};

type Reported = 'product' | 'farm' | 'message' | 'order';

function reportTitle(reported: Reported): string {
  switch (reported) {
    case 'product':
      return t('A product was reported');
    case 'farm':
      return t('A farm was reported');
    case 'message':
      return t('A message was reported');
    case 'order':
      return t('Somebody was reported for an order');
  }
}

type Outage = {
  store: 'postgres' | 'redis';
  /** How long it was, in seconds; null while it goes on. */
  seconds: number | null;
  /** The store's own words. */
  reason: string | null;
};

/** Returns how long an outage was, rounded up to what people say: never 0. */
function durationOf(seconds: number): string {
  if (seconds < 120)
    return t('{count, plural, one {# second} other {# seconds}}', { count: Math.max(1, seconds) });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120
    ? t('{count, plural, one {# minute} other {# minutes}}', { count: minutes })
    : t('{count, plural, one {# hour} other {# hours}}', { count: Math.ceil(minutes / 60) });
}

function outage({ store, seconds, reason }: Outage): Words {
  const said = reason && t('It said: {reason}.', { reason: reason.replace(/\.$/, '') });
  if (seconds === null) {
    return {
      title: reason
        ? t('{store, select, postgres {PostgreSQL} other {Redis}} takes no writes', { store })
        : t('{store, select, postgres {PostgreSQL} other {Redis}} is away', { store }),
      body: sentences(
        t('Orders, messages, mails and alerts go on without it, a little slower.'),
        said ?? '',
      ),
    };
  }
  return {
    title: t('{store, select, postgres {PostgreSQL} other {Redis}} is at work again', { store }),
    body: sentences(
      t('It was away or took no writes for {duration}.', { duration: durationOf(seconds) }),
      t('What was confirmed is kept; anyone else was asked to try again.'),
      said ?? '',
    ),
  };
}

const KINDS = {
  ...orderKinds,
  ...lineKinds,
  'message.unread': kind(
    { sender: 'name' },
    ({ sender, content }: { sender: Whom; content: string }) => ({
      title: t('Unread message from {sender}', { sender: nameOf(sender) }),
      body: excerpt(content),
    }),
  ),
  'stock.low': kind({}, stockLow),
  'stock.back': kind({}, stockBack),
  'farm.newProducts': kind({ farm: 'farmName' }, newProducts),
  'product.hidden': kind(
    {},
    ({
      product,
      isHidden,
      reason,
    }: {
      product: string;
      isHidden: boolean;
      reason?: string | undefined;
    }) => {
      const named = { product: productOf({ name: product }) };
      return isHidden
        ? {
            title: t('{product} was hidden', named),
            body: sentences(
              t("An admin has hidden it. Your other products aren't affected."),
              because(reason),
            ),
          }
        : {
            title: t('{product} is no longer hidden', named),
            body: t('An admin has shown it again. Customers see it if it is active.'),
          };
    },
  ),
  'account.security': kind({}, securityWords),
  'report.opened': kind({}, ({ reported }: { reported: Reported }) => ({
    title: reportTitle(reported),
    body: t('Take a look and decide what to do.'),
  })),
  'report.settled': kind(
    {},
    ({ reported, outcome }: { reported: Reported; outcome: 'acted' | 'dismissed' }) => ({
      title: t('We looked at your report'),
      body:
        outcome === 'acted'
          ? t(
              '{kind, select, product {We looked at the product you reported and did something about it. Thank you.} farm {We looked at the farm you reported and did something about it. Thank you.} message {We looked at the message you reported and did something about it. Thank you.} other {We looked at the order you reported and did something about it. Thank you.}}',
              { kind: reported },
            )
          : t(
              '{kind, select, product {We looked at the product you reported and left it as it is. Thank you for telling us.} farm {We looked at the farm you reported and left it as it is. Thank you for telling us.} message {We looked at the message you reported and left it as it is. Thank you for telling us.} other {We looked at the order you reported and left it as it is. Thank you for telling us.}}',
              { kind: reported },
            ),
    }),
  ),
  'farm.waiting': kind({ farm: 'farmName' }, ({ farm }: { farm: Whom }) => ({
    title: t('{farm} asks to join', { farm: nameOf(farm, t('A farm')) }),
    body: t('Its profile, hours and first product are there. Take a look and approve it.'),
  })),
  'farm.approval': kind(
    { farm: 'farmName' },
    ({
      farm,
      isApproved,
      reason,
    }: {
      farm: Whom;
      isApproved: boolean;
      reason?: string | undefined;
    }) => {
      const named = { farm: nameOf(farm, t('Your farm')) };
      return isApproved
        ? {
            title: t('Your farm is open'),
            body: t('{farm} is in the market now. Customers find you and can order.', named),
          }
        : {
            title: t('Your farm needs a change'),
            body: sentences(
              t("An admin has looked at {farm}. It isn't in the market for now.", named),
              because(reason),
            ),
          };
    },
  ),
  'farm.paused': kind(
    { farm: 'farmName' },
    ({
      farm,
      date,
      time,
      pausedOn,
    }: {
      farm: Whom;
      /** Until when, by the farm's clock. */
      date: string;
      time: string;
      /** The farm's day of the pause. */
      pausedOn: string;
    }) => {
      const named = { farm: nameOf(farm, t('Your farm')) };
      return {
        title: t('{farm} takes no orders for now', named),
        body: t(
          'Nobody answered the last orders, so we stopped new ones until {day}, {time}. To take orders again before that, choose "Resume" on your dashboard.',
          momentOf({ date, time, orderedAt: pausedOn }),
        ),
      };
    },
  ),
  'store.outage': kind({}, outage),
};

type Kinds = typeof KINDS;
/** What the row of a notification says beside its kind. A kind without words does not compile. */
export type ParamsOf<Kind extends NotificationKind> = Parameters<Kinds[Kind]['words']>[0];

const KNOWN: Readonly<
  Record<string, { shows: object; words: (params: never) => Words } | undefined>
> = KINDS satisfies Record<NotificationKind, object>;

/** Returns which of its params are people, and what of them a kind of notification shows. */
export const shownOf = (of: string): [param: string, shows: 'name' | 'farmName'][] =>
  Object.entries(KNOWN[of]?.shows ?? {});

/** A notification; one from before rows had params has its words. */
export interface Worded {
  kind: string;
  params?: object | undefined;
  title?: string | undefined;
  body?: string | undefined;
}

/** Writes what a notification says, for the present reader. */
export function wordsOf({ kind: of, params, title = '', body = '' }: Worded): Words {
  const known = KNOWN[of];
  // A newer release has more kinds.
  if (!params || !known) return { title: singleLine(title), body: singleLine(body) };
  return known.words(params as never);
}
