import { canBeHadOn, isListed } from '#contract/catalogue/products/constants/products';
import { isSamePlace, isServed } from '#contract/farm/places/constants/areas';
import type { DayRules, WallMoment } from '#contract/farm/schedule/constants';
import type { PlaceOrder } from '#contract/ordering/orders/orders';
import { theMarket } from '#contract/platform/market/constants';
import { type ShortagePreference, TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import { estimateMinor, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isEachOnce } from '#contract/platform/quantities/constants/sizes';
import { isOffered, isSoldOut } from '#contract/platform/quantities/constants/steps';
import { type AddressParts, formatAddress } from '#contract/platform/text/constants/addresses';
import { dayIn } from '#contract/platform/time/constants';
import { findSize, type SizeRow } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { type ApprovedRow, isDraftFarm } from '../../farm/farmers/policy.ts';
import { type DayRulesRow, dayRulesOf, zoneOf } from '../../farm/farmers/present.ts';
import { type PauseRow, pausedUntilOf } from '../../farm/pause/policy.ts';
import {
  cutoffInstant,
  cutoffTimerKey,
  freeOrdersUntil,
  type MomentRefusal,
  refuseFarDay,
  refuseMoment,
  refuseSkipped,
} from '../../farm/schedule/rules.ts';
import { refuseSlot, type SlotRefusal } from '../../farm/slots/policy.ts';
import type { SlotRow } from '../../farm/slots/present.ts';
import { closingOf, offerOf } from '../../farm/slots/read.ts';
import type { Sentence } from '../../platform/http/errors.ts';
import { instantOf } from '../../platform/time/clock.ts';
import { offers } from '../model/policy.ts';
import { isFarmAway, type OrderRow } from '../model/present.ts';
import {
  isOverMaximum,
  isSeenBasis,
  isSeenPrice,
  type LineProblem,
  priceOf,
  type Refusal,
  rebasedTo,
} from '../model/refusal.ts';
import { refuseSize, stockedIn } from '../model/sold.ts';

/** An answer that was given before, as it is kept. */
interface StoredAnswer {
  requestHash: string;
  body: unknown;
}

/** What a farm's profile says of its orders. */
export interface FarmState extends DayRulesRow, ApprovedRow, Pick<PauseRow, 'pausedUntil'> {
  acceptsPickup: boolean;
  acceptsDelivery: boolean;
  deliveryAreas: readonly string[];
  /** Of its founder, or its own: where one picks up if nothing else is written. */
  address: AddressParts;
  farmName: string;
  timeZone: string;
  /** Differs once any of this, or any of the farm's places, has changed. */
  terms: string;
  /** Whether a pickup needs a slot. */
  hasSlots: boolean;
}

type Consumer = OrderRow['consumer'] & {
  suspendedAt: string | null;
  /** When the consumer proved that their email is theirs. It never ceases to be so. */
  emailVerifiedAt: string | null;
  /** What the consumer wishes for lines that say nothing of a shortage. */
  onShortDefault: ShortagePreference;
};

/** What the decision needs to know, read in one statement. */
export interface PlacingState {
  /** The database's clock: all processes agree on it. */
  now: Date;
  /** The consumer; null when there is no such account. */
  consumer: Consumer | null;
  /** The first answer to this `Idempotency-Key`, while it counts. */
  command: StoredAnswer | null;
  /** The farm; null when there is none of this id. */
  farmer: OrderRow['farmer'] | null;
  /** What the farm offers; null without a profile. */
  farm: FarmState | null;
  /** The slot of this farm that was chosen; null without one. */
  slot: SlotRow | null;
  /** Of the products asked for those that exist, in any order. */
  products: readonly StockRow[];
}

/** A line of an order that can be placed. */
interface PlannedLine {
  product: StockRow;
  /** The size in which it is sold; undefined without. */
  size: SizeRow | undefined;
  quantityMilli: number;
  onShort: ShortagePreference;
  preferredProductId: string | null;
}

/** An order that can be placed, as far as could be read. */
export interface PlacePlan {
  at: Date;
  consumer: Consumer;
  farmer: OrderRow['farmer'];
  /** In the order of the request, each product and size once. */
  lines: readonly PlannedLine[];
  totalMinor: number;
  /** Those of the farm, which the plan holds under; null without a profile. */
  farmTerms: string | null;
  /** The instant of the handover. */
  startsAt: Date;
  /** The last instant to order for this moment, exclusive; null where nothing limits it. */
  ordersUntil: Date | null;
  /** The timer of the day's cut-off; null without one. */
  timer: { key: string; dueAt: Date } | null;
  /** The slot that it takes room in; null without one. */
  slot: SlotRow | null;
  /** What the farm looks at before it accepts it. */
  isOwnPlace: boolean;
  isAreaOpen: boolean;
}

type PlaceDecision =
  | { refusal: Refusal }
  /** The farm takes no orders so far ahead, or its clock skips the time. */
  | { invalid: { path: string; message: Sentence } }
  /** The farm takes no orders until then. */
  | { pausedUntil: Date; timeZone: string }
  /** It cannot be for this day and time. */
  | { moment: MomentRefusal; way: 'pickup' | 'delivery' }
  /** The slot takes no order now. */
  | { slotRefusal: SlotRefusal; timeZone: string }
  | { problems: readonly LineProblem[] }
  /** The request was answered before. */
  | { repeat: StoredAnswer }
  | { plan: PlacePlan };

/**
 * Decides whether an order is placed. The rules, in this order: the consumer has an account, which is not suspended; a
 * request that was answered before gets its first answer, and a key stands for one request; the consumer's email is
 * verified where the market asks for it; the date is not past where the farm is, nor further ahead than it takes
 * orders, and its clock shows the time; the farm exists, is not suspended, is in the market, takes orders at present
 * and offers pickup, in a slot where it has places with slots, or delivery to this address; each product and size
 * stands in it once; the farm is open at this moment, and its cut-off is ahead, or the slot is open and has room; each
 * product is on the market, is sold by this farm, in that size or in none, can be had until that day, has the price the
 * consumer saw, is there in that quantity beside the lines before it, of which an order can have so much, and is sold
 * in such steps; the total is not more than an order can hold. Every problem of every line is reported.
 */
export function decidePlaceOrder(
  state: PlacingState,
  input: PlaceOrder,
  requestHash: string,
): PlaceDecision {
  const { now, consumer, command, farmer, farm } = state;
  if (!consumer || consumer.deletedAt !== null || consumer.suspendedAt !== null) {
    return { refusal: 'CONSUMER_GONE' };
  }
  // The key comes first: whatever has changed since, the order it stands for was placed.
  if (command) {
    return command.requestHash === requestHash ? { repeat: command } : { refusal: 'KEY_REUSED' };
  }

  if (theMarket().requiresVerifiedEmail && consumer.emailVerifiedAt === null) {
    return { refusal: 'EMAIL_NOT_VERIFIED' };
  }

  const way = input.pickupDetails ? 'pickup' : 'delivery';
  /** Date and time that were chosen freely; undefined for a slot, which has refusals of its own. */
  const moment = freeMomentOf(input);
  const timeZone = zoneOf(farm);
  const today = dayIn(timeZone, now);
  if (moment && moment.date < today) {
    return { refusal: way === 'pickup' ? 'PAST_PICKUP' : 'PAST_DELIVERY' };
  }
  const rules = dayRulesOf(farm);
  const date = moment?.date ?? state.slot?.date;
  const farDay = date && refuseFarDay(rules, date, today);
  if (farDay) {
    return { invalid: { path: `${way}Details.${moment ? 'date' : 'slotId'}`, message: farDay } };
  }
  const skipped = moment && refuseSkipped(timeZone, moment);
  if (skipped) return { invalid: { path: `${way}Details.time`, message: skipped } };
  // To consumers a suspended farm is as one that does not exist.
  if (farmer?.role !== 'farmer' || isFarmAway({ farmer })) {
    return { refusal: 'FARMER_UNKNOWN' };
  }
  if (isDraftFarm(farm)) return { refusal: 'FARM_NOT_APPROVED' };
  const pausedUntil = pausedUntilOf(farm, now);
  if (pausedUntil) return { pausedUntil, timeZone };
  if (!offers(farm, way)) {
    return { refusal: way === 'pickup' ? 'PICKUP_NOT_OFFERED' : 'DELIVERY_NOT_OFFERED' };
  }

  if (input.deliveryDetails && isOutOfArea(farm, input.deliveryDetails)) {
    return { refusal: 'OUT_OF_AREA' };
  }
  if (way === 'pickup' && moment && farm?.hasSlots) return { refusal: 'SLOT_REQUIRED' };

  const { items } = input;
  if (!isEachOnce(items)) return { refusal: 'PRODUCT_TWICE' };
  const handover = moment ? decideMoment(state, { moment, way, rules }) : decideSlot(state);
  if (!('startsAt' in handover)) return handover;

  const byId = new Map(state.products.map((product) => [product.id, product]));
  const problems: LineProblem[] = [];
  const lines: PlannedLine[] = [];
  /** What the lines so far take of each product, in thousandths of its stock. */
  const taken = new Map<string, number>();
  for (const [line, item] of items.entries()) {
    const product = byId.get(item.product) ?? null;
    const size = product ? findSize(product, item.size) : undefined;
    const othersMilli = taken.get(item.product);
    const days = { today, date: handover.date };
    const codes = problemsOf({ product, size, othersMilli }, item, farmer.id, days);
    const rebased = product ? rebasedTo(item, product, size) : undefined;
    problems.push(...codes.map((code) => ({ line, code, product, size, othersMilli, rebased })));
    if (product) {
      // Each line is judged after those before it that can be had.
      if (codes.every((code) => !TAKES_NOTHING.includes(code))) {
        taken.set(product.id, (othersMilli ?? 0) + milliOf(item, size));
      }
      lines.push({
        product,
        size,
        quantityMilli: toMilli(item.quantity),
        onShort: item.onShort ?? consumer.onShortDefault,
        preferredProductId: (item.onShort === 'specific' && item.preferredProduct) || null,
      });
    }
  }
  if (problems.length > 0) return { problems };

  const totalMinor = sumOf(lines);
  if (totalMinor > TOTAL_MAX_MINOR) return { refusal: 'TOTAL_TOO_LARGE' };
  const dueAt = cutoffInstant(rules.cutoff, handover.date, timeZone);
  return {
    plan: {
      at: now,
      consumer,
      farmer,
      lines,
      totalMinor,
      farmTerms: farm?.terms ?? null,
      startsAt: handover.startsAt,
      ordersUntil: handover.ordersUntil,
      timer: dueAt && { key: cutoffTimerKey(farmer.id, handover.date), dueAt },
      slot: handover.slot,
      isOwnPlace: isOwnPlace(state, input),
      isAreaOpen: isAreaOpen(farm, input),
    },
  };
}

/** Whether the consumer wrote a place that is not the farm's: neither its address nor its name. */
function isOwnPlace({ farm, farmer }: PlacingState, { pickupDetails }: PlaceOrder): boolean {
  if (!farm || !pickupDetails || 'slotId' in pickupDetails) return false;
  const known = [formatAddress(farm.address), farm.farmName, farmer?.name ?? ''];
  return !known.some((place) => isSamePlace(place, pickupDetails.location));
}

/** Whether the farm lists no places that it delivers to, and the consumer did not say that the address is among them. */
const isAreaOpen = (farm: PlacingState['farm'], { deliveryDetails }: PlaceOrder): boolean =>
  deliveryDetails !== undefined &&
  (farm?.deliveryAreas ?? []).length === 0 &&
  deliveryDetails.isAreaConfirmed !== true;

/** An address is outside where the farm lists places and it is in none, or where the consumer says so. */
const isOutOfArea = (
  farm: PlacingState['farm'],
  { address, isAreaConfirmed }: NonNullable<PlaceOrder['deliveryDetails']>,
): boolean => !(isServed(farm?.deliveryAreas ?? [], address) ?? isAreaConfirmed ?? true);

/** Returns the slot that a pickup is to be in; undefined without one. */
export const slotIdOf = ({ pickupDetails }: PlaceOrder): string | undefined =>
  pickupDetails && 'slotId' in pickupDetails ? pickupDetails.slotId : undefined;

/** Returns date and time as they were chosen freely, by the farm's clock; undefined for a slot. */
function freeMomentOf({ pickupDetails, deliveryDetails }: PlaceOrder): WallMoment | undefined {
  const details = pickupDetails ?? deliveryDetails;
  return details && !('slotId' in details) ? details : undefined;
}

/** When an order is handed over, as far as the plan has it. */
type Handover = Pick<PlacePlan, 'startsAt' | 'ordersUntil' | 'slot'> & { date: string };

/** Decides whether the order can be for a moment that was chosen freely. */
function decideMoment(
  { now, farm }: PlacingState,
  { moment, way, rules }: { moment: WallMoment; way: 'pickup' | 'delivery'; rules: DayRules },
): Handover | Extract<PlaceDecision, { moment: MomentRefusal }> {
  const timeZone = zoneOf(farm);
  const startsAt = instantOf(moment, timeZone);
  const refusal = refuseMoment({ rules, timeZone, now, moment, startsAt });
  if (refusal) return { moment: refusal, way };
  const ordersUntil = freeOrdersUntil(rules, moment.date, timeZone, startsAt);
  return { date: moment.date, startsAt, ordersUntil, slot: null };
}

/** Decides whether the order can be in the slot that was chosen. */
function decideSlot({
  now,
  farm,
  slot,
}: PlacingState): Handover | Extract<PlaceDecision, { slotRefusal: SlotRefusal }> {
  const timeZone = zoneOf(farm);
  if (!farm || !slot) return { slotRefusal: 'SLOT_CLOSED', timeZone };
  const closing = closingOf(farm)(slot);
  const slotRefusal = refuseSlot(offerOf(slot, closing), now);
  if (slotRefusal) return { slotRefusal, timeZone };
  return {
    date: slot.date,
    startsAt: new Date(slot.startsAt),
    ordersUntil: closing.closesAt,
    slot,
  };
}

/** Problems of lines that nothing can be taken for. */
const TAKES_NOTHING: readonly LineProblem['code'][] = [
  'SIZE_REQUIRED',
  'SIZE_UNAVAILABLE',
  'OUT_OF_STOCK',
  'OVER_MAXIMUM',
];

/** Returns what an item takes of its product, in thousandths of its stock. */
const milliOf = (item: { quantity: number }, size: SizeRow | undefined): number =>
  takenMilli({ contentMilli: size?.contentMilli }, toMilli(item.quantity));

function problemsOf(
  {
    product,
    size,
    othersMilli = 0,
  }: {
    product: StockRow | null;
    size: SizeRow | undefined;
    othersMilli: number | undefined;
  },
  item: PlaceOrder['items'][number],
  farmerId: string,
  { today, date }: { today: string; date: string },
): LineProblem['code'][] {
  if (!product || !isListed(product, today)) return ['PRODUCT_UNAVAILABLE'];
  if (product.farmerId !== farmerId) return ['OTHER_FARM'];
  const codes: LineProblem['code'][] = [];
  if (!canBeHadOn(product, date)) codes.push('NOT_AVAILABLE_THEN');
  const unfit = refuseSize(product, item.size);
  if (unfit) return [...codes, unfit];
  const isRebased = !isSeenBasis(item.priceBasis, { ...product, ...size });
  const isSeen = isSeenPrice(item.price, { priceMinor: priceOf(product, size) });
  if (isRebased || !isSeen) codes.push('PRICE_CHANGED');
  const stocked = stockedIn(product, size, product.stockMilli - othersMilli);
  const quantity = isRebased ? (rebasedTo(item, product, size)?.quantity ?? 0) : item.quantity;
  const isShort = isSoldOut(stocked) || quantity > stocked.quantityAvailable;
  if (isShort && !product.isAlways) codes.push('OUT_OF_STOCK');
  else if (isOverMaximum(product, othersMilli + milliOf({ quantity }, size))) {
    codes.push('OVER_MAXIMUM');
  }
  // Of what is sold out, or sold otherwise than was seen, it does not matter in which steps it would be.
  if (!isSoldOut(stocked) && !isRebased && !isOffered(quantity, stocked)) {
    codes.push('QUANTITY_NOT_OFFERED');
  }
  return codes;
}

/** What lines are expected to come to, in minor units. A sum within the largest total is exact. */
export const sumOf = (
  lines: readonly {
    product: Pick<StockRow, 'priceMinor' | 'pieceMilli'>;
    size?: Pick<SizeRow, 'priceMinor'> | undefined;
    quantityMilli: number;
  }[],
): number =>
  lines.reduce(
    (sum, { product, size, quantityMilli }) =>
      sum + estimateMinor({ ...product, priceMinor: priceOf(product, size), quantityMilli }),
    0,
  );
