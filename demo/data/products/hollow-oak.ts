import { productsOf } from './demo-product.ts';

export const hollowOak = productsOf('hollow-oak', { category: 'pantry' }, [
  {
    key: 'honey',
    name: 'Raw Beri Honey, 500 g',
    description: 'Spun cold and strained once. It will set in winter; stand the jar in warm water.',
    priceMinor: 140_000,
    unit: 'each',
    left: 58,
    portion: [1, 3],
    listedDaysAgo: 80,
  },
  {
    key: 'honeycomb',
    name: 'Cut Honeycomb',
    description: 'A square straight from the frame, wax and all. With cheddar, trust us.',
    priceMinor: 320_000,
    unit: 'kg',
    pieceWeight: { average: 0.4, min: 0.34, max: 0.45 },
    left: 2,
    portion: [1, 2],
    listedDaysAgo: 3.8,
  },
  {
    key: 'syrup',
    name: 'Dark Date Syrup, 750 ml',
    description:
      'Ten kilos of dates to the bottle, boiled down over a wood fire. Robust, almost smoky.',
    priceMinor: 118_000,
    unit: 'each',
    left: 47,
    portion: [1, 2],
    listedDaysAgo: 78,
  },
  {
    key: 'falsa',
    category: 'fruit',
    name: 'Falsa Berries',
    description: 'Small, dark and twice as sour as sweet. Picked by hand along the ridge.',
    priceMinor: 96_000,
    unit: 'kg',
    left: 19,
    portion: [1, 4],
    listedDaysAgo: 32,
    harvestedDaysAgo: 1,
    availableForDays: 7,
  },
]);
