import type { ReadyCategoryKey } from '#contract/admin/setup/constants';
import type { Allergens, Unit } from '#contract/catalogue/products/product';
import type { NetContent, UnitLabel } from '#contract/platform/quantities/constants/units';
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
  /** Of what is sold in sizes the lowest of theirs. */
  priceMinor: number;
  unit: Unit;
  /** The farm's own words for what `each` counts. */
  unitLabel?: UnitLabel;
  /** What one of what is counted contains. */
  net?: NetContent;
  /** The sizes in which it is sold from one stock; `portion` counts pieces of them. */
  sizes?: readonly {
    label: string;
    content: number;
    priceMinor: number;
    sku?: string;
    isActive?: false;
  }[];
  sku?: string;
  /** What is left today, after all orders; says nothing of what is always available. */
  left: number;
  /** The most in one order of what is always available; given for such alone. */
  maxPerOrder?: number;
  /** The steps in which it is stocked and sold, and the smallest order; whole units unless given. */
  step?: number;
  minimum?: number;
  /** What one piece weighs, of what is sold by the piece and priced by weight; `left` and `portion` count pieces. */
  pieceWeight?: { average: number; min: number; max: number };
  /** The least and the most that one consumer takes at once. */
  portion: readonly [least: number, most: number];
  isOrganic?: true;
  /** Unknown unless given. */
  allergens?: Allergens;
  ingredients?: string;
  storage?: string;
  origin?: string;
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
