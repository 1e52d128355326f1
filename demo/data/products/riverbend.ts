import type { DemoProduct } from './demo-product.ts';

export const riverbend: DemoProduct[] = [
  {
    key: 'sourdough',
    farm: 'riverbend',
    category: 'pantry',
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
    farm: 'riverbend',
    category: 'pantry',
    name: 'Stone-Milled Wheat Flour',
    description: 'Red Fife and Turkey Red with the germ left in. Keep it cool and bake it soon.',
    priceMinor: 31_000,
    unit: 'kg',
    left: 150,
    portion: [1, 5],
    isOrganic: true,
    listedDaysAgo: 69,
  },
  {
    key: 'jam',
    farm: 'riverbend',
    category: 'pantry',
    name: 'Strawberry Hedge Jam',
    description: 'Two parts fruit to one part sugar, set soft, in small copper pans.',
    priceMinor: 68_000,
    unit: 'pint',
    left: 7,
    portion: [1, 2],
    listedDaysAgo: 56,
  },
];
