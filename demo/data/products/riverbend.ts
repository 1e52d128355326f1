import { productsOf } from './demo-product.ts';

export const riverbend = productsOf('riverbend', { category: 'pantry' }, [
  {
    key: 'sourdough',
    name: 'Country Sourdough',
    description:
      'Stone-milled wheat, a two-day rise and a dark crust. Keeps five days under a cloth.',
    priceMinor: 62_000,
    unit: 'each',
    left: 16,
    portion: [1, 2],
    listedDaysAgo: 2.7,
    harvestedDaysAgo: 0,
    availableForDays: 2,
  },
  {
    key: 'flour',
    name: 'Stone-Milled Wheat Flour',
    description: 'Two old hill wheats with the germ left in. Keep it cool and bake it soon.',
    priceMinor: 31_000,
    unit: 'kg',
    left: 150,
    step: 0.5,
    portion: [1, 5],
    isOrganic: true,
    listedDaysAgo: 69,
  },
  {
    key: 'jam',
    name: 'Strawberry Hedge Jam, 340 g',
    description: 'Two parts fruit to one part sugar, set soft, in small copper pans.',
    priceMinor: 68_000,
    unit: 'each',
    left: 7,
    portion: [1, 2],
    listedDaysAgo: 56,
  },
]);
