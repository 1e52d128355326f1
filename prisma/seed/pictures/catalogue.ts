import * as dairy from './dairy.ts';
import * as flowers from './flowers.ts';
import * as fruit from './fruit.ts';
import * as greens from './greens.ts';
import { type GroundKey, grounds } from './grounds.ts';
import * as pantry from './pantry.ts';
import { Pen } from './pen.ts';
import * as vegetables from './vegetables.ts';

interface Drawing {
  ground: GroundKey;
  draw: (pen: Pen) => string;
  /** Smaller, and moved sideways, so that a square frame cuts nothing off. */
  fit?: { scale: number; x?: number; y?: number };
  /** What a second, closer picture looks at: its middle and how much nearer it is. */
  closer?: { x: number; y: number; times: number };
}

const drawings = {
  tomatoes: {
    ground: 'vegetables',
    draw: vegetables.tomatoes,
    fit: { scale: 0.92, x: 24 },
    closer: { x: 372, y: 420, times: 2.2 },
  },
  carrots: {
    ground: 'vegetables',
    draw: vegetables.carrots,
    fit: { scale: 0.9, x: 12 },
    closer: { x: 380, y: 320, times: 2 },
  },
  sweetcorn: {
    ground: 'vegetables',
    draw: vegetables.sweetcorn,
    fit: { scale: 0.86, x: -6 },
    closer: { x: 300, y: 250, times: 2.1 },
  },
  potatoes: { ground: 'vegetables', draw: vegetables.potatoes, fit: { scale: 0.95, x: 12 } },
  onions: {
    ground: 'vegetables',
    draw: vegetables.onions,
    closer: { x: 520, y: 420, times: 2.2 },
  },
  garlic: { ground: 'vegetables', draw: vegetables.garlic, fit: { scale: 1, x: -14 } },
  beetroot: {
    ground: 'vegetables',
    draw: vegetables.beetroot,
    fit: { scale: 0.9 },
    closer: { x: 430, y: 430, times: 2.2 },
  },
  peppers: { ground: 'vegetables', draw: vegetables.peppers, fit: { scale: 0.98, x: -8 } },
  chiles: { ground: 'vegetables', draw: vegetables.chiles, fit: { scale: 0.86, y: -10 } },
  pumpkin: { ground: 'vegetables', draw: vegetables.pumpkin, fit: { scale: 0.93, x: 4 } },
  mushrooms: { ground: 'vegetables', draw: vegetables.mushrooms, fit: { scale: 0.96 } },
  broccoli: { ground: 'vegetables', draw: vegetables.broccoli, fit: { scale: 0.96 } },
  eggplant: { ground: 'vegetables', draw: vegetables.eggplant, fit: { scale: 0.92, x: -22 } },
  peas: {
    ground: 'vegetables',
    draw: vegetables.peas,
    fit: { scale: 0.9, x: 16 },
    closer: { x: 400, y: 392, times: 2.1 },
  },

  apples: { ground: 'fruit', draw: fruit.apples, closer: { x: 500, y: 390, times: 1.9 } },
  strawberries: {
    ground: 'fruit',
    draw: fruit.strawberries,
    fit: { scale: 0.88, x: -14 },
    closer: { x: 390, y: 290, times: 2 },
  },
  blueberries: {
    ground: 'fruit',
    draw: fruit.blueberries,
    fit: { scale: 0.9, x: -12 },
    closer: { x: 380, y: 300, times: 2 },
  },
  pears: { ground: 'fruit', draw: fruit.pears, fit: { scale: 0.96, x: -8 } },
  cherries: { ground: 'fruit', draw: fruit.cherries, fit: { scale: 0.92 } },
  peaches: {
    ground: 'fruit',
    draw: fruit.peaches,
    closer: { x: 500, y: 390, times: 2 },
  },
  watermelon: { ground: 'fruit', draw: fruit.watermelon, fit: { scale: 0.84, x: -8 } },
  grapes: { ground: 'fruit', draw: fruit.grapes, fit: { scale: 0.96 } },
  plums: { ground: 'fruit', draw: fruit.plums, fit: { scale: 0.98, x: -8 } },
  lemons: {
    ground: 'fruit',
    draw: fruit.lemons,
    fit: { scale: 0.92, x: 14 },
    closer: { x: 500, y: 390, times: 2 },
  },

  eggs: {
    ground: 'dairy',
    draw: dairy.eggs,
    fit: { scale: 0.88, y: -8 },
    closer: { x: 330, y: 330, times: 2 },
  },
  milk: { ground: 'dairy', draw: dairy.milk, fit: { scale: 1, x: -40 } },
  cheddarWheel: {
    ground: 'dairy',
    draw: dairy.cheddarWheel,
    fit: { scale: 0.84, x: -26 },
    closer: { x: 500, y: 400, times: 2 },
  },
  butter: { ground: 'dairy', draw: dairy.butter, fit: { scale: 0.88 } },
  goatCheese: { ground: 'dairy', draw: dairy.goatCheese, fit: { scale: 0.88, y: -20 } },
  yogurt: { ground: 'dairy', draw: dairy.yogurt, fit: { scale: 0.94, x: -22 } },

  basil: { ground: 'greens', draw: greens.basil },
  kale: { ground: 'greens', draw: greens.kale },
  chard: { ground: 'greens', draw: greens.chard, closer: { x: 400, y: 380, times: 2 } },
  lettuce: { ground: 'greens', draw: greens.lettuce, fit: { scale: 0.9 } },
  spinach: { ground: 'greens', draw: greens.spinach, fit: { scale: 0.88 } },
  rosemary: { ground: 'greens', draw: greens.rosemary },
  microgreens: { ground: 'greens', draw: greens.microgreens, fit: { scale: 0.9, y: -16 } },

  honey: { ground: 'pantry', draw: pantry.honey, fit: { scale: 0.95, x: 10 } },
  honeycomb: {
    ground: 'pantry',
    draw: pantry.honeycomb,
    fit: { scale: 0.84 },
    closer: { x: 350, y: 320, times: 2.2 },
  },
  sourdough: {
    ground: 'pantry',
    draw: pantry.sourdough,
    fit: { scale: 0.84 },
    closer: { x: 470, y: 360, times: 1.9 },
  },
  flour: { ground: 'pantry', draw: pantry.flour, fit: { scale: 0.84, x: 6 } },
  mapleSyrup: { ground: 'pantry', draw: pantry.mapleSyrup, fit: { scale: 0.96 } },
  cider: { ground: 'pantry', draw: pantry.cider, fit: { scale: 0.88 } },
  jam: { ground: 'pantry', draw: pantry.jam, fit: { scale: 0.95, x: -24 } },

  sunflowers: {
    ground: 'flowers',
    draw: flowers.sunflowers,
    closer: { x: 400, y: 180, times: 1.9 },
  },
  bouquet: { ground: 'flowers', draw: flowers.bouquet, closer: { x: 390, y: 240, times: 1.9 } },
  tulips: { ground: 'flowers', draw: flowers.tulips },
  lavender: { ground: 'flowers', draw: flowers.lavender },
} satisfies Record<string, Drawing>;

/** The name of a drawing. */
export type DrawingKey = keyof typeof drawings;

/** The names of all drawings. */
export const drawingKeys = Object.keys(drawings) as DrawingKey[];

const byKey: Record<DrawingKey, Drawing> = drawings;

/** Where things touch the table; drawings shrink towards this point. */
const FOOT = { x: 400, y: 505 };

/** The drawing of a product as a whole SVG document, 800 by 600. */
export function drawPicture(key: DrawingKey): string {
  return compose(byKey[key], '0 0 800 600');
}

/** A closer look at the same drawing, or undefined where there is none. */
export function drawCloser(key: DrawingKey): string | undefined {
  const drawing = byKey[key];
  if (!drawing.closer) return undefined;
  const { x, y, times } = drawing.closer;
  const [width, height] = [800 / times, 600 / times];
  return compose(drawing, `${x - width / 2} ${y - height / 2} ${width} ${height}`);
}

function compose({ ground, draw, fit }: Drawing, viewBox: string): string {
  const colors = grounds[ground];
  const content = draw(new Pen(7));
  const { scale, x = 0, y = 0 } = fit ?? { scale: 1 };
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="800" height="600">` +
    `<rect width="800" height="600" fill="${colors.wall}"/>` +
    `<circle cx="400" cy="282" r="236" fill="${colors.disc}"/>` +
    `<path d="M0 450Q400 420 800 450V600H0Z" fill="${colors.table}"/>` +
    `<g transform="translate(${FOOT.x + x} ${FOOT.y + y}) scale(${scale}) translate(${-FOOT.x} ${-FOOT.y})">` +
    `${content}</g></svg>`
  );
}
