/** The part of a picture that a second, closer one shows: its middle, and how much nearer it is. */
export interface Closer {
  x: number;
  y: number;
  times: number;
}

/** The pictures of the demo market: `demo/pictures/<name>.svg`, 800 by 600, named like their product. */
const pictures = {
  tomatoes: { closer: { x: 372, y: 420, times: 2.2 } },
  carrots: { closer: { x: 380, y: 320, times: 2 } },
  sweetcorn: { closer: { x: 300, y: 250, times: 2.1 } },
  potatoes: {},
  onions: { closer: { x: 520, y: 420, times: 2.2 } },
  garlic: {},
  beetroot: { closer: { x: 430, y: 430, times: 2.2 } },
  peppers: {},
  chiles: {},
  pumpkin: {},
  mushrooms: {},
  broccoli: {},
  eggplant: {},
  peas: { closer: { x: 400, y: 392, times: 2.1 } },
  apples: { closer: { x: 500, y: 390, times: 1.9 } },
  strawberries: { closer: { x: 390, y: 290, times: 2 } },
  falsa: { closer: { x: 380, y: 300, times: 2 } },
  pears: {},
  cherries: {},
  peaches: { closer: { x: 500, y: 390, times: 2 } },
  watermelon: {},
  grapes: {},
  plums: {},
  lemons: { closer: { x: 500, y: 390, times: 2 } },
  eggs: { closer: { x: 330, y: 330, times: 2 } },
  milk: {},
  cheddarWheel: { closer: { x: 500, y: 400, times: 2 } },
  butter: {},
  goatCheese: {},
  yogurt: {},
  basil: {},
  kale: {},
  chard: { closer: { x: 400, y: 380, times: 2 } },
  lettuce: {},
  spinach: {},
  rosemary: {},
  microgreens: {},
  honey: {},
  honeycomb: { closer: { x: 350, y: 320, times: 2.2 } },
  sourdough: { closer: { x: 470, y: 360, times: 1.9 } },
  flour: {},
  syrup: {},
  juice: {},
  jam: {},
  sunflowers: { closer: { x: 400, y: 180, times: 1.9 } },
  bouquet: { closer: { x: 390, y: 240, times: 1.9 } },
  tulips: {},
  lavender: {},
  turnips: {},
  radishes: {},
  fenugreek: {},
  guavas: {},
} satisfies Record<string, { closer?: Closer }>;

/** The name of a picture. */
export type PictureName = keyof typeof pictures;

/** The names of all pictures. */
export const pictureNames = Object.keys(pictures) as PictureName[];

const byName: Record<PictureName, { closer?: Closer }> = pictures;

/** Returns the closer look at a picture, or undefined where there is none. */
export const closerOf = (name: PictureName): Closer | undefined => byName[name].closer;
