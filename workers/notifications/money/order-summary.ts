import { formatSlot, slotOf } from '#contract/farm/slots/constants';
import { asksForDetails, howToPay } from '#contract/ordering/orders/how-to-pay';
import type { Order } from '#contract/ordering/orders/orders';
import { productOf } from '#contract/people/notifications/constants/written';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { singleLine } from '#contract/platform/text/constants/excerpts';
import { t } from '#contract/platform/text/constants/texts';
import type { Database } from '../../../prisma/client.ts';
import { orderEntry, toCalendarFile } from '../../../server/ordering/calendar/entries.ts';
import { presentOrder, readOrders } from '../../../server/ordering/model/present.ts';
import type { Mail } from '../../../server/platform/process/smtp.ts';
import type { MailFact } from '../engine/compose.ts';

/** What a mail says of an order as it is when it is sent. */
export interface OrderSummary {
  order: Order;
  /** Whether the mail goes to its customer, else to somebody of its farm. */
  isCustomers: boolean;
  /** How the farm is paid other than in cash, in its own words; empty where it says nothing or is not asked. */
  paymentDetails: string;
}

/** Goods that a mail names; of more it names one less, and counts the others. */
const GOODS_SHOWN_MAX = 10;

const ORDER_LINK = /^\/orders\/([\da-f-]{36})$/;

/** Returns the id of the order that a notification leads to. */
export const orderOf = ({ link }: { link: string }): string | undefined =>
  ORDER_LINK.exec(link)?.[1];

/** Reads the orders to which notifications lead, by their ids: those that are the reader's own, or of their farm. */
export async function readSummaries(
  db: Database,
  notifications: readonly { link: string }[],
  readerId: string,
): Promise<Map<string, OrderSummary>> {
  const ids = [...new Set(notifications.flatMap((each) => orderOf(each) ?? []))];
  if (ids.length === 0) return new Map();
  const orders = (await readOrders(db, ids)).map(presentOrder);
  const farms = await db.farmerProfile.findMany({
    where: { userId: { in: orders.map(({ farmer }) => farmer._id) } },
    select: {
      userId: true,
      paymentDetails: true,
      members: { where: { userId: readerId }, select: { id: true } },
    },
  });
  const byId = new Map(farms.map((farm) => [farm.userId, farm]));
  return new Map(
    orders.flatMap((order) => {
      const farm = byId.get(order.farmer._id);
      const isCustomers = order.consumer._id === readerId;
      if (!isCustomers && !farm?.members.length) return [];
      const paymentDetails = asksForDetails(order) ? (farm?.paymentDetails ?? '') : '';
      return [[order._id, { order, isCustomers, paymentDetails }]];
    }),
  );
}

/** Returns when the handover of an order begins: 'Sat, Nov 28 at 9:30 AM'. */
export const startOf = ({ order }: OrderSummary): string =>
  formatSlot({ ...slotOf(order), endTime: undefined }, order.createdAt);

/**
 * Returns what somebody needs to know of an order beside what happened to it: nothing once it was called off.
 * `hasTable` says that its goods stand in the mail already.
 */
export function factsOf(summary: OrderSummary, hasTable: boolean): MailFact[] {
  const { order, isCustomers } = summary;
  const { pickupDetails: pickup, deliveryDetails: delivery } = order;
  if (!STANDING_STATUSES.includes(order.status)) return [];
  const facts: [string, ...string[]][] = [[t('When'), formatSlot(slotOf(order), order.createdAt)]];
  const where = pickup?.location || formatAddress(delivery?.address);
  if (where) facts.push([delivery ? t('Delivery to') : t('Where'), singleLine(where)]);
  if (isCustomers && pickup?.place?.directions) {
    const [first = '', ...others] = linesOf(pickup.place.directions);
    facts.push([t('Directions'), first, ...others]);
  }
  if (!hasTable) {
    const [first = '', ...others] = goodsOf(order);
    facts.push([t('Goods'), first, ...others]);
    facts.push([t('Total'), formatExpected(order.totalAmount, !order.isTotalFinal)]);
  }
  const payment = isCustomers ? paymentOf(summary) : [methodOf(order)];
  const [first, ...others] = payment;
  if (first) facts.push([t('Payment'), first, ...others]);
  return facts;
}

/** Returns the goods of an order, a line each; of many the first ones and how many more there are. */
function goodsOf({ items }: Order): string[] {
  const goods = items
    .filter(({ quantity }) => quantity > 0)
    .map((line) =>
      formatLine({ ...line, product: { ...line.product, name: productOf(line.product) } }),
    );
  if (goods.length <= GOODS_SHOWN_MAX) return goods;
  const shown = goods.slice(0, GOODS_SHOWN_MAX - 1);
  return [...shown, t('{count} more', { count: goods.length - shown.length })];
}

function paymentOf({ order, paymentDetails }: OrderSummary): string[] {
  const hasDetails = paymentDetails !== '' && order.openChange === null;
  const how = howToPay(order, { hasDetails, where: 'mail' });
  return how ? [how, ...(hasDetails ? linesOf(paymentDetails) : [])] : [];
}

const methodOf = ({ paymentMethod }: Order): string =>
  t('{method, select, cash {Cash} bank_transfer {Bank transfer} other {Other}}', {
    method: paymentMethod,
  });

const linesOf = (text: string): string[] => text.split('\n').map(singleLine).filter(Boolean);

/** Returns the handover of an order as a file for its customer's calendar, which has it or is to forget it. */
export function calendarOf({ order, isCustomers }: OrderSummary): NonNullable<Mail['attachments']> {
  if (!isCustomers || !['accepted', 'cancelled'].includes(order.status)) return [];
  return [
    {
      filename: `order-${shortId(order._id)}.ics`,
      content: toCalendarFile([orderEntry(order)]),
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    },
  ];
}

/** Names the thread of all mails about an order to one person, whatever process sends them. */
export const threadOf = (orderId: string, readerId: string): string =>
  `order.${orderId}.${readerId}`;
