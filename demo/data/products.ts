import type { DemoProduct } from './products/demo-product.ts';
import { greenValley } from './products/green-valley.ts';
import { highPasture } from './products/high-pasture.ts';
import { hollowOak } from './products/hollow-oak.ts';
import { meadowlark } from './products/meadowlark.ts';
import { redBarn } from './products/red-barn.ts';
import { riverbend } from './products/riverbend.ts';
import { stonyBrook } from './products/stony-brook.ts';
import { threeRivers } from './products/three-rivers.ts';

/** Everything on sale, by farm. */
export const products: readonly DemoProduct[] = [
  ...greenValley,
  ...stonyBrook,
  ...redBarn,
  ...highPasture,
  ...threeRivers,
  ...hollowOak,
  ...riverbend,
  ...meadowlark,
];
