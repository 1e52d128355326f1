import { isPriceInRange, tooHigh } from '#contract/catalogue/products/constants/prices';
import { PriceBasis, Unit } from '#contract/catalogue/products/product';
import {
  LINE_ANSWERS,
  LINE_STATES,
  PACKING_STATES,
  PROPOSAL_STATUSES,
  PROPOSED_ACTIONS,
  SHORT_REASONS,
} from '#contract/ordering/changes/constants';
import { PersonWithRole } from '#contract/people/users/users';
import { Amount, Id, Instant, named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import {
  LINES_MAX,
  SHORTAGE_PREFERENCES,
  type ShortagePreference,
} from '#contract/platform/orders/constants';
import { isEachOnce } from '#contract/platform/quantities/constants/sizes';
import {
  NetContent,
  OrderedQuantity,
  OrderedSize,
  PieceWeight,
  Quantity,
  UnitLabel,
} from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

/** What is ordered of a product: as it was when it came into the order. */
const LineProduct = named('OrderedProduct', {
  /** Null once the product was deleted. */
  _id: Id.nullable(),
  name: z.string(),
  images: z.array(z.string()),
  unit: Unit,
  /** The farm's own words for what it counts. */
  unitLabel: UnitLabel.optional(),
});

/** The same, as a change names it. */
const NamedProduct = LineProduct.pick({
  _id: true,
  name: true,
  unit: true,
  unitLabel: true,
}).meta({
  id: 'NamedProduct',
});

export const OrderLine = named('OrderLine', {
  _id: Id,
  product: LineProduct,
  /** The size in which it is sold; absent where it is sold in its unit. */
  size: OrderedSize.optional(),
  /** What one of what is counted contains; of a size, what one unit of its content does. */
  net: NetContent.optional(),
  /** As it is now; 0 of a line that was removed. Of goods with a `size` or a `pieceWeight` it counts pieces. */
  quantity: Quantity,
  /** Per unit, or per piece of the size. */
  price: Amount,
  /** As it was ordered first; 0 of a line that came later. */
  orderedQuantity: Quantity,
  state: z.enum(LINE_STATES),
  /** The line that this one stands for. */
  replaces: Id.optional(),
  onShort: z.enum(SHORTAGE_PREFERENCES),
  /** The product that the consumer would take instead; it may be gone by now. */
  preferredProduct: Id.optional(),
  /** Of goods that are sold by the piece and priced by weight. */
  pieceWeight: PieceWeight.optional(),
  /** How many pieces, of such goods. */
  pieces: z.int().optional(),
  /** What the quantity costs, before anything is weighed. */
  estimate: Amount,
  /** What it weighs, in the unit of the price, once it is weighed. */
  packed: Quantity.optional(),
  /** The lot that was packed, as the farm writes it; absent where nobody says. */
  lot: z.string().optional(),
  /** Whether `total` is no estimate any more. */
  isFinal: z.boolean(),
  /** What the line costs as things stand. */
  total: Amount,
});
export type OrderLine = z.infer<typeof OrderLine>;

/** What a consumer wishes for a line that the farm runs short of. */
export const preferenceFields = {
  /** Without one, as the consumer's profile says. */
  onShort: z.enum(SHORTAGE_PREFERENCES).optional(),
  /** What to take instead, with `specific`. Only what the farm has by then can be offered. */
  preferredProduct: Id.optional(),
};

/** Whether a wish says everything it needs: `specific` is nothing without its product. */
export const isWholePreference = (preference: {
  onShort?: ShortagePreference | undefined;
  preferredProduct?: string | undefined;
}): boolean => preference.onShort !== 'specific' || preference.preferredProduct !== undefined;
export const INCOMPLETE_PREFERENCE = {
  path: ['preferredProduct'],
  error: () => t('Choose what you would like instead.'),
};

/** What a consumer orders, each product once, in each of its sizes. */
export const orderedItems = () =>
  z
    .array(
      z
        .object({
          product: Id,
          /** Which of the product's sizes; `SIZE_REQUIRED` without one where it has some. */
          size: Id.optional(),
          quantity: OrderedQuantity,
          /** What the consumer saw of what is new; refused when it is no longer the price. */
          price: z.number().nonnegative().refine(isPriceInRange, { error: tooHigh }).optional(),
          /** How the consumer saw it sold; refused when it is sold otherwise by now. */
          priceBasis: PriceBasis.optional(),
          ...preferenceFields,
        })
        .refine(isWholePreference, INCOMPLETE_PREFERENCE),
    )
    .max(LINES_MAX, {
      error: () =>
        t('An order has at most {most, plural, one {# product} other {# products}}.', {
          most: LINES_MAX,
        }),
    })
    .refine(isEachOnce, { error: () => t('List each product only once.') });

/** How one line changed. */
export const LineDifference = named('LineDifference', {
  lineId: Id,
  product: NamedProduct,
  size: OrderedSize.optional(),
  from: Quantity,
  to: Quantity,
  price: Amount,
  /** Whether quantities count pieces, and the unit is that of the price alone. */
  isByPiece: z.literal(true).optional(),
  /** The line that this one stands for. */
  replaces: Id.optional(),
});
export type LineDifference = z.infer<typeof LineDifference>;

/** One line of a proposal: what it is, and what it would become. */
export const ProposalItem = named('ProposalItem', {
  lineId: Id,
  action: z.enum(PROPOSED_ACTIONS),
  product: LineProduct,
  size: OrderedSize.optional(),
  /** What the line had when this was proposed. */
  quantity: Quantity,
  price: Amount,
  /** With `reduce`: what would be left. */
  newQuantity: Quantity.optional(),
  /** With `substitute`: what would come instead, at a price that holds whatever becomes of the product. */
  substitute: LineProduct.extend({
    _id: Id,
    price: Amount,
    quantity: Quantity,
    size: OrderedSize.optional(),
    net: NetContent.optional(),
    /** Of goods that are sold by the piece and priced by weight; `quantity` counts pieces then. */
    pieceWeight: PieceWeight.optional(),
  }).optional(),
  /** With `overweight`: what it weighs, in the unit of the price. */
  packed: Quantity.optional(),
  /** Why; absent with `overweight`. */
  reason: z.enum(SHORT_REASONS).optional(),
  /** What the line costs before, after a yes, and where it is left out. */
  totalBefore: Amount,
  totalAfter: Amount,
  answer: z.enum(LINE_ANSWERS).optional(),
});
export type ProposalItem = z.infer<typeof ProposalItem>;

/** What a farm proposes to change of an order, and what became of it. */
export const Proposal = named('Proposal', {
  _id: Id,
  status: z.enum(PROPOSAL_STATUSES),
  createdBy: PersonWithRole,
  createdAt: Instant,
  /** Until when the consumer can answer. */
  answerBy: Instant,
  answeredBy: PersonWithRole.optional(),
  answeredAt: Instant.optional(),
  note: z.string(),
  /** The same for all proposals of one shortage of the whole farm. */
  batchId: Id.optional(),
  /** The order's total when it was proposed, and if all of it is accepted. */
  totalBefore: Amount,
  totalAfter: Amount,
  items: z.array(ProposalItem),
});
export type Proposal = z.infer<typeof Proposal>;

export const Packing = z.enum(PACKING_STATES);

/**
 * Goods of an order that did not go back to the stock, because their product is counted in another unit by now: of
 * orders from before a unit was fixed while orders use it.
 */
export const UnreturnedGoods = named('UnreturnedGoods', {
  product: NamedProduct,
  size: OrderedSize.optional(),
  quantity: Quantity,
  /** Whether the quantity counts pieces, and the unit is that of the price alone. */
  isByPiece: z.literal(true).optional(),
});
export type UnreturnedGoods = z.infer<typeof UnreturnedGoods>;

const unreturned = z.array(UnreturnedGoods).optional();

/** What a change of status says beside the status. */
export const StatusDetail = named('StatusDetail', { unreturned });
export type StatusDetail = z.infer<typeof StatusDetail>;

/** The total of an order before and after a change. */
const totalsFields = {
  totalBefore: Amount,
  totalAfter: Amount,
  /** Whether it is an estimate, because something of the order has not been weighed. */
  isBeforeEstimate: z.literal(true).optional(),
  isAfterEstimate: z.literal(true).optional(),
};

/** What an order's lines changed to, and who had a reason to change them. */
export const LinesChange = named('LinesChange', {
  /** `buyer`: they changed their order; `shortage`: by their wish for that case; `wish`: only that wish. */
  cause: z.enum(['buyer', 'shortage', 'wish']),
  differences: z.array(LineDifference),
  unreturned,
  ...totalsFields,
});
export type LinesChange = z.infer<typeof LinesChange>;

/** What happened to a proposal. */
export const ProposalChange = named('ProposalChange', {
  proposal: Id,
  /** Its state after it. */
  status: z.enum(PROPOSAL_STATUSES),
  /** How the lines changed; with `open`, how they would. */
  differences: z.array(LineDifference),
  unreturned,
  ...totalsFields,
});
export type ProposalChange = z.infer<typeof ProposalChange>;

/** What one line weighs, in the unit of its price, and weighed before; null of what had not been weighed. */
export const WeighedDifference = named('WeighedDifference', {
  lineId: Id,
  product: NamedProduct,
  pieces: z.int().optional(),
  from: Quantity.nullable(),
  /** Null where the estimate holds permanently. */
  to: Quantity.nullable(),
});

/** What was weighed. */
export const WeightsChange = named('WeightsChange', {
  lines: z.array(WeighedDifference),
  totalBefore: Amount,
  totalAfter: Amount,
  /** Whether nothing is left to weigh. */
  isTotalFinal: z.boolean(),
});
export type WeightsChange = z.infer<typeof WeightsChange>;

export const PackingChange = named('PackingChange', {
  from: Packing,
  to: Packing,
  crates: z.int().optional(),
});
export type PackingChange = z.infer<typeof PackingChange>;
