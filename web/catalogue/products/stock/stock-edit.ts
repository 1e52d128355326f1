import { priceLimits } from '#contract/catalogue/products/constants/prices';
import { Product } from '#contract/catalogue/products/product';
import { ProductFields } from '#contract/catalogue/products/product-fields';
import type { StockChange } from '#contract/catalogue/products/products';
import { z } from '#contract/platform/http/zod';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { quantityLimits } from '#contract/platform/quantities/constants/step-fields';
import { isOfSteps, type Stocked, stepOf } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { Stock } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';

const Amount = z.number().min(0).max(QUANTITY_MAX);

/** What was typed in a row and is not saved yet. */
const StockEdit = z.object({
  /** The product's id. */
  product: z.string(),
  /** The size whose price it is; absent of the product itself. */
  size: z.string().optional(),
  /** Who typed it, and the farm they did it for. */
  owner: z.string(),
  farm: z.string().nullable(),
  /** How the product was stocked when it was edited last. */
  stocked: Product.pick({ unit: true, unitLabel: true, step: true, quantityAvailable: true }),
  /** The stock and the price as typed; null while they are as stored. */
  quantity: z.string().nullable(),
  price: z.string().nullable(),
  /** `unsent`: there was no answer, it is sent again by itself. `refused`: `message` says why. */
  status: z.enum(['edited', 'saving', 'unsent', 'refused']),
  message: z.string(),
  /** The present stock, if it was refused because another one was seen. */
  left: Amount.optional(),
  /** The stock that the typed one replaces. */
  seen: Amount,
  /**
   * How the stock was changed: one that was only stepped can follow what is sold meanwhile, `soldOut` is 0 whatever the
   * stock was, and `untilMorning` 0 until the next morning.
   */
  how: z.enum(['typed', 'step', 'soldOut', 'untilMorning']),
  /** It was sent, and may have been made although its answer was lost. */
  isTried: z.boolean(),
  /** When the row saves itself, in milliseconds. */
  sendAt: z.number(),
});
export type StockEdit = z.infer<typeof StockEdit>;

export const isStockEdit = (value: unknown): value is StockEdit =>
  StockEdit.safeParse(value).success;

/** Returns what of a product its edit is checked by. */
export const stockedOf = (product: Product): StockEdit['stocked'] =>
  StockEdit.shape.stocked.parse(product.sizes ? { ...product, step: stepOf(product) } : product);

/** What a row shows beyond the product as it is stored. */
export type StockRowState = Pick<StockEdit, 'quantity' | 'price' | 'message' | 'left'> & {
  status: StockEdit['status'] | 'clean' | 'saved';
};

/** Reads a stock as it is typed. */
export const readStock = (text: string, product: Stocked): number =>
  readTyped(text, quantityLimits(product)).value;

/** What is wrong with a text that stands for one of two numbers, between which the row asks. */
const choose = () => ({ problem: t('Choose what you mean.') });

/** Returns the change that a row asks for, with no more than its product if there is none, or what is wrong. */
export function changeOf({
  product,
  size,
  stocked,
  quantity,
  price,
  seen,
  how,
}: StockEdit): StockChange | { problem: string } {
  const change: StockChange = { product, ...(size !== undefined && { size }) };
  if (quantity !== null) {
    const { value, question } = readTyped(quantity, quantityLimits(stocked));
    if (question) return choose();
    const parsed = Stock.safeParse(value);
    // What is there already may be between two steps.
    const fits = parsed.success && (parsed.data === seen || isOfSteps(parsed.data, stocked));
    if (!fits) return { problem: stockHint(stocked) };
    change.quantityAvailable = parsed.data;
    if (how !== 'soldOut') change.seen = seen;
    if (how === 'untilMorning') change.untilMorning = true;
  }
  if (price !== null) {
    const { value, question } = readTyped(price, priceLimits());
    if (question) return choose();
    const parsed = ProductFields.shape.price.safeParse(value);
    if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? '' };
    change.price = parsed.data;
  }
  return change;
}

/** Says which numbers can be entered as a product's stock. */
function stockHint(product: StockEdit['stocked']): string {
  const step = stepOf(product);
  if (step === 1) return t('Enter a whole number.');
  const [unit, milli] = [quantityUnit(product), toMilli(step)];
  if (milli === 1)
    return t('Enter a number, such as 12 or {example}.', { example: writeTyped(0.5) });
  const example = formatQuantity(fromMilli(milli * 5), unit);
  return t('Enter a multiple of {step}, such as {example}.', {
    step: formatQuantity(step, unit),
    example,
  });
}
