import type { ReadyCategoryKey } from '#contract/admin/setup/constants';
import type { Unit } from '#contract/catalogue/products/product';
import type { FarmKey } from './farms.ts';
import type { PictureName } from './pictures.ts';

/** A product of the demo market. */
export interface DemoProduct {
  /** Names the product within the seed, and its picture. */
  key: PictureName;
  farm: FarmKey;
  category: ReadyCategoryKey;
  name: string;
  description: string;
  priceMinor: number;
  unit: Unit;
  /** What is left today, after all orders. */
  left: number;
  /** The steps in which it is stocked and sold, and the smallest order; whole units unless given. */
  step?: number;
  minimum?: number;
  /** What one piece weighs, of what is sold by the piece and priced by weight; `left` and `portion` count pieces. */
  pieceWeight?: { average: number; min: number; max: number };
  /** The least and the most that one consumer takes at once. */
  portion: readonly [least: number, most: number];
  isOrganic?: true;
  listedDaysAgo: number;
  harvestedDaysAgo?: number;
  /** For how many days from today it is still sold. */
  availableForDays?: number;
}

/** What the products of a farm have in common where they say nothing else. */
type Common = Pick<DemoProduct, 'category' | 'unit' | 'portion' | 'isOrganic'>;

/** Returns the products of a farm. */
export const productsOf = (
  farm: FarmKey,
  common: Common,
  own: readonly (Omit<DemoProduct, 'farm' | keyof Common> & Partial<Common>)[],
): DemoProduct[] => own.map((product) => ({ farm, ...common, ...product }));
