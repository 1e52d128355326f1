import type { Unit } from '#contract/products';
import {
  type AppError,
  conflict,
  invalidField,
  notFound,
  unauthorized,
} from '../platform/errors.ts';

/** Why an order was not placed at all. */
export type Refusal =
  | 'CONSUMER_GONE'
  | 'KEY_REUSED'
  | 'FARMER_UNKNOWN'
  | 'PICKUP_NOT_OFFERED'
  | 'DELIVERY_NOT_OFFERED'
  | 'TOTAL_TOO_LARGE';

/** What is wrong with one line of an order. */
export interface LineProblem {
  /** The line's place in the request, from 0. */
  line: number;
  code: 'PRODUCT_UNAVAILABLE' | 'OTHER_FARM' | 'PRICE_CHANGED' | 'OUT_OF_STOCK';
  /** Null when there is no such product. */
  name: string | null;
  unit: Unit | null;
  price: number | null;
  left: number | null;
}

/** The one that is told when lines have different problems: what must be mended first. */
const GRAVEST_FIRST = [
  'PRODUCT_UNAVAILABLE',
  'OTHER_FARM',
  'PRICE_CHANGED',
  'OUT_OF_STOCK',
] as const satisfies readonly LineProblem['code'][];

const FIELDS: Record<LineProblem['code'], string> = {
  PRODUCT_UNAVAILABLE: 'product',
  OTHER_FARM: 'product',
  PRICE_CHANGED: 'price',
  OUT_OF_STOCK: 'quantity',
};

const money = (amount: number) =>
  `₨${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

function sentence({ code, name, unit, price, left }: LineProblem): string {
  switch (code) {
    case 'PRODUCT_UNAVAILABLE':
      return `${name ?? 'A product in your cart'} is no longer available.`;
    case 'OTHER_FARM':
      return `${name} is sold by another farm. You can only order from one farm at a time.`;
    case 'PRICE_CHANGED':
      return `${name} is now ${money(price ?? 0)} per ${unit}.`;
    case 'OUT_OF_STOCK':
      return left === 0
        ? `${name} is sold out.`
        : `Only ${left} of ${name} (per ${unit}) ${left === 1 ? 'is' : 'are'} left.`;
  }
}

/** The answer to an order some lines of which cannot be had as asked for. */
export function lineRefusal(problems: readonly LineProblem[]): AppError {
  const code = GRAVEST_FIRST.find((grave) => problems.some((problem) => problem.code === grave));
  const told = problems.filter((problem) => problem.code === code);
  const errors = told.map((problem) => ({
    path: `items.${problem.line}.${FIELDS[problem.code]}`,
    message: sentence(problem),
  }));
  return conflict(
    code ?? 'PRODUCT_UNAVAILABLE',
    errors.map((error) => error.message).join(' '),
    errors,
  );
}

/** The answer to an order that was refused as a whole. */
export function orderRefusal(refusal: Refusal): AppError {
  switch (refusal) {
    case 'CONSUMER_GONE':
      return unauthorized('Your session has ended. Please sign in again.');
    case 'KEY_REUSED':
      return conflict(
        'IDEMPOTENCY_KEY_REUSED',
        'This Idempotency-Key already stands for another order. Use a new one.',
      );
    case 'FARMER_UNKNOWN':
      return notFound('Farmer not found');
    case 'PICKUP_NOT_OFFERED':
      return conflict('PICKUP_NOT_OFFERED', 'This farm does not offer pickup.', [
        { path: 'pickupDetails', message: 'This farm does not offer pickup.' },
      ]);
    case 'DELIVERY_NOT_OFFERED':
      return conflict('DELIVERY_NOT_OFFERED', 'This farm does not deliver.', [
        { path: 'deliveryDetails', message: 'This farm does not deliver.' },
      ]);
    case 'TOTAL_TOO_LARGE':
      return invalidField(
        'items',
        'This is worth more than one order can hold. Please split it into several.',
      );
  }
}
