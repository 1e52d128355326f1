import { grounds } from './grounds.ts';
import {
  around,
  box,
  lathe,
  oval,
  type Pen,
  type Point,
  polygon,
  smooth,
  type Tones,
  taper,
  toward,
} from './pen.ts';
import { deepGreen, leafGreen, stemGreen } from './tones.ts';

const { shadow } = grounds.fruit;

const twig = '#7d5a3a';

const appleRed: Tones = { light: '#f28172', base: '#d4403c', shade: '#aa2c34' };
const appleGreen: Tones = { light: '#dcea9c', base: '#afcf5c', shade: '#89ac43' };

const appleOutline = smooth([
  [0, -74],
  [32, -96],
  [86, -88],
  [116, -30],
  [104, 44],
  [64, 100],
  [26, 104],
  [0, 96],
  [-26, 104],
  [-64, 100],
  [-104, 44],
  [-116, -30],
  [-86, -88],
  [-32, -96],
]);

function apple(pen: Pen, tones: Tones, over = ''): string {
  return (
    pen.body(appleOutline, tones, 22, {
      over:
        over +
        pen.fill(oval(4, -76, 34, 13), tones.shade) +
        pen.gloss(-10, 4, 106, tones.light, 1.35) +
        pen.fill(oval(-84, 26, 6, 14, 16), tones.light),
    }) +
    pen.fill(
      taper(
        [
          [2, -72],
          [6, -104],
          [22, -132],
        ],
        9,
        14,
      ),
      twig,
    )
  );
}

function halfApple(pen: Pen): string {
  const flesh: Tones = { light: '#fffbea', base: '#fbf0cd', shade: '#ecd9a4' };
  const seed = (x: number, turn: number) =>
    pen.at(x, 8, { turn }, () =>
      pen.fill(
        smooth([
          [0, -20],
          [9, 2],
          [0, 14],
          [-9, 2],
        ]),
        '#6b4630',
      ),
    );
  return (
    pen.at(9, 8, {}, () => pen.fill(appleOutline, appleRed.shade)) +
    pen.fill(appleOutline, appleRed.base) +
    pen.at(0, 3, { scale: 0.92 }, () => pen.body(appleOutline, flesh, 10)) +
    pen.line('M0 -66Q-30 -20 -42 10Q-30 52 0 62Q30 52 42 10Q30 -20 0 -66', '#e6d199', 4.5) +
    seed(-17, 14) +
    seed(17, -14) +
    pen.fill(
      taper(
        [
          [0, -60],
          [2, -98],
          [-12, -124],
        ],
        7,
        12,
      ),
      twig,
    )
  );
}

/** Crisp apples, one halved. */
export function apples(pen: Pen): string {
  const stripes = [-92, -70, -40, -14, 14, 36, 60, 80]
    .map((x) =>
      pen.fill(
        taper(
          [
            [x * 0.3, -80],
            [x * 0.9, -30],
            [x, 40],
          ],
          3,
          6,
        ),
        appleRed.shade,
        0.35,
      ),
    )
    .join('');
  return (
    pen.shadow(400, 506, 310, 36, shadow) +
    pen.at(386, 258, { turn: 6, scale: 1.16 }, () => apple(pen, appleGreen)) +
    pen.at(424, 136, { turn: 58 }, () => pen.leaf(124, 66, leafGreen, { bend: 16, veins: 3 })) +
    pen.at(262, 380, { turn: -8, scale: 1.22 }, () => apple(pen, appleRed, stripes)) +
    pen.at(536, 396, { turn: 8, scale: 1.12 }, () => halfApple(pen))
  );
}

const strawberryRed: Tones = { light: '#f47a6b', base: '#e23e42', shade: '#b82a38' };

function strawberry(pen: Pen, seed: number): string {
  const outline = smooth([
    [0, -62],
    [46, -64],
    [76, -30],
    [64, 30],
    [28, 86],
    [0, 98],
    [-28, 86],
    [-64, 30],
    [-76, -30],
    [-46, -64],
  ]);
  const seeds: string[] = [];
  for (let row = 0; row < 6; row += 1) {
    const y = -40 + row * 24;
    const width = 62 - row * 9.5;
    const count = Math.max(5 - Math.floor((row + 1) / 2), 1);
    for (let column = 0; column < count; column += 1) {
      const t = count === 1 ? 0 : (column / (count - 1)) * 2 - 1;
      const x = t * width * 0.86 + ((row + seed) % 2) * 5;
      seeds.push(pen.fill(oval(x, y + (1 - t * t) * 8, 3.4, 5.6, -x * 0.3), '#fbd68a'));
    }
  }
  const cap = [-112, -70, -34, 4, 40, 76, 116]
    .map((turn) =>
      pen.at(0, -62, { turn: turn + 180 }, () =>
        pen.leaf(50, 26, leafGreen, { bend: turn * 0.1, rib: false }),
      ),
    )
    .join('');
  return (
    pen.body(outline, strawberryRed, 17, {
      over: pen.fill(oval(-46, -18, 10, 26, 14), strawberryRed.light) + seeds.join(''),
    }) +
    `<g transform="translate(0 -26) scale(1 .6)"><g transform="translate(0 -2)">${cap}</g></g>` +
    pen.fill(
      taper(
        [
          [0, -58],
          [3, -80],
          [14, -98],
        ],
        9,
        7,
      ),
      stemGreen.shade,
    )
  );
}

const chip: Tones = { light: '#eed3a2', base: '#ddb67a', shade: '#bd9256' };

/** A wooden punnet whose rim is `width` wide; what lies in it is drawn by `heap` behind its front. */
function punnet(pen: Pen, width: number, height: number, heap: string): string {
  const top = width / 2;
  const foot = top * 0.84;
  const front = polygon([
    [-top, 0],
    [top, 0],
    [foot, height],
    [-foot, height],
  ]);
  const slats = [-0.62, -0.22, 0.2, 0.6]
    .map((t) =>
      pen.fill(
        polygon([
          [t * top - 20, 0],
          [t * top + 20, 0],
          [t * foot + 17, height],
          [t * foot - 17, height],
        ]),
        t > 0.3 ? '#cfa468' : '#e6c48e',
      ),
    )
    .join('');
  return (
    pen.fill(
      polygon([
        [-top + 6, 6],
        [-top + 40, -46],
        [top - 40, -46],
        [top - 6, 6],
      ]),
      '#9f7742',
    ) +
    heap +
    pen.body(front, chip, 12, { over: slats }) +
    pen.body(box(-top - 8, -12, width + 16, 34, 7), chip, 7) +
    pen.fill(box(-foot - 2, height - 24, foot * 2 + 4, 24, 6), chip.shade)
  );
}

/** A wooden punnet full of strawberries. */
export function strawberries(pen: Pen): string {
  const place = (x: number, y: number, turn: number, scale = 1) =>
    pen.at(x, y, { turn, scale }, () => strawberry(pen, Math.abs(turn)));
  const heap =
    place(-96, -118, -20, 1.02) +
    place(86, -124, 18, 1.02) +
    place(-4, -156, 4, 1.06) +
    place(-168, -44, -34) +
    place(172, -48, 32) +
    place(-62, -52, 14, 1.08) +
    place(64, -50, -14, 1.08) +
    place(-128, 14, 22, 0.98) +
    place(0, 12, -4, 1.04) +
    place(130, 16, -24, 0.98);
  return (
    pen.shadow(400, 512, 290, 32, shadow) +
    pen.at(392, 356, { scale: 1.08 }, () => punnet(pen, 460, 142, heap)) +
    pen.at(668, 462, { turn: 62, scale: 0.82 }, () => strawberry(pen, 1))
  );
}

const blueberryTones: Tones = { light: '#8ea6d8', base: '#4f66a8', shade: '#37487f' };
const blueberryDark: Tones = { light: '#7a8cc4', base: '#41518f', shade: '#2d3968' };

function blueberry(pen: Pen, x: number, y: number, r: number): string {
  const crownTurn = pen.random.between(-70, 70);
  const tones = pen.random.chance(0.4) ? blueberryDark : blueberryTones;
  const crown = toward(crownTurn, r * 0.34);
  const star = around(10, r * 0.36, r * 0.36, (index) => (index % 2 === 0 ? 1 : 0.55)).map(
    ([px, py]): Point => [px + crown[0], py + crown[1]],
  );
  return pen.at(x, y, {}, () =>
    pen.body(oval(0, 0, r, r * 0.96), tones, r * 0.28, {
      over:
        pen.fill(oval(-r * 0.44, -r * 0.34, r * 0.26, r * 0.15, -40), tones.light) +
        pen.fill(polygon(star), tones.shade) +
        pen.fill(oval(crown[0], crown[1], r * 0.13, r * 0.12), tones.light),
    }),
  );
}

/** A carton of blueberries, with a few that rolled out. */
export function blueberries(pen: Pen): string {
  const berries: string[] = [];
  const rows: [number, number, number][] = [
    [-172, 3, 84],
    [-122, 5, 172],
    [-74, 7, 226],
    [-26, 8, 248],
  ];
  for (const [y, count, reach] of rows) {
    for (let index = 0; index < count; index += 1) {
      const t = count === 1 ? 0 : (index / (count - 1)) * 2 - 1;
      berries.push(
        blueberry(
          pen,
          t * reach * 0.86 + pen.random.between(-6, 6),
          y + t * t * (y < -50 ? 26 : 4) + pen.random.between(-7, 7),
          pen.random.between(37, 44),
        ),
      );
    }
  }
  const carton: Tones = { light: '#b7d3cb', base: '#8fb5ab', shade: '#6c948b' };
  const front = smooth(
    [
      [-250, 0],
      [250, 0],
      [244, 20],
      [222, 120],
      [206, 140],
      [-206, 140],
      [-222, 120],
      [-244, 20],
    ],
    true,
    0.35,
  );
  const holes = [-150, -75, 0, 75, 150]
    .map((x) => pen.fill(box(x - 22, 52, 44, 40, 14), '#51776f'))
    .join('');
  return (
    pen.shadow(404, 504, 300, 34, shadow) +
    pen.at(
      398,
      362,
      {},
      () =>
        berries.join('') +
        pen.body(front, carton, 13, { over: holes }) +
        pen.body(box(-262, -8, 524, 34, 14), carton, 8),
    ) +
    blueberry(pen, 628, 504, 40) +
    blueberry(pen, 702, 488, 34) +
    blueberry(pen, 148, 512, 36)
  );
}

const pearGold: Tones = { light: '#f4ec9f', base: '#d5cd5c', shade: '#aeaa42' };
const pearBlush: Tones = { light: '#f3b778', base: '#dc8f4f', shade: '#b96d3b' };

const pearOutline = lathe([
  [0, -152],
  [32, -142],
  [48, -98],
  [58, -50],
  [100, 12],
  [108, 70],
  [78, 124],
  [30, 138],
  [0, 132],
]);

function pear(pen: Pen, tones: Tones, blush: string): string {
  const freckles = Array.from({ length: 16 }, () =>
    pen.fill(
      oval(pen.random.between(-80, 84), pen.random.between(-40, 116), 2.6, 2.6),
      tones.shade,
      0.8,
    ),
  );
  return (
    pen.body(pearOutline, tones, 22, {
      over:
        pen.at(74, 16, {}, () => pen.fill(pearOutline, blush, 0.45)) +
        freckles.join('') +
        pen.fill(
          smooth([
            [-30, -92],
            [-20, -98],
            [-22, -46],
            [-52, 20],
            [-76, 62],
            [-84, 40],
            [-48, -30],
          ]),
          tones.light,
        ),
    }) +
    pen.fill(
      taper(
        [
          [0, -144],
          [2, -172],
          [18, -206],
        ],
        9,
        15,
      ),
      twig,
    )
  );
}

function halfPear(pen: Pen): string {
  const flesh: Tones = { light: '#fffdf0', base: '#fbf4d4', shade: '#eadfae' };
  const seed = (x: number, turn: number) =>
    pen.at(x, 62, { turn }, () =>
      pen.fill(
        smooth([
          [0, -19],
          [9, 2],
          [0, 13],
          [-9, 2],
        ]),
        '#6b4630',
      ),
    );
  return (
    pen.at(9, 8, {}, () => pen.fill(pearOutline, pearGold.shade)) +
    pen.fill(pearOutline, pearGold.base) +
    pen.at(0, 2, { scale: 0.92 }, () => pen.body(pearOutline, flesh, 10)) +
    pen.line('M0 -112Q-4 -40 -30 40Q-36 86 0 98Q36 86 30 40Q4 -40 0 -112', '#e3d69c', 4.5) +
    seed(-14, 12) +
    seed(14, -12)
  );
}

/** Ripe pears, one halved. */
export function pears(pen: Pen): string {
  return (
    pen.shadow(404, 504, 300, 36, shadow) +
    pen.at(410, 296, { turn: 6, scale: 1.2 }, () => pear(pen, pearBlush, '#b8543c')) +
    pen.at(430, 78, { turn: 74 }, () => pen.leaf(120, 64, leafGreen, { bend: 12, veins: 3 })) +
    pen.at(252, 344, { turn: -14, scale: 1.18 }, () => pear(pen, pearGold, '#e2a24d')) +
    pen.at(566, 366, { turn: 18, scale: 1.06 }, () => halfPear(pen))
  );
}

const cherryRed: Tones = { light: '#ef7d80', base: '#c22b40', shade: '#951d35' };
const cherryDark: Tones = { light: '#cf6a7c', base: '#96233c', shade: '#6f182e' };

function cherry(pen: Pen, x: number, y: number, r: number, tones: Tones): string {
  const outline = smooth([
    [0, -0.78 * r],
    [0.42 * r, -0.95 * r],
    [0.98 * r, -0.5 * r],
    [0.98 * r, 0.3 * r],
    [0.46 * r, 0.94 * r],
    [-0.46 * r, 0.94 * r],
    [-0.98 * r, 0.3 * r],
    [-0.98 * r, -0.5 * r],
    [-0.42 * r, -0.95 * r],
  ]);
  return pen.at(x, y, {}, () =>
    pen.body(outline, tones, r * 0.24, {
      over:
        pen.fill(oval(0, -0.78 * r, r * 0.28, r * 0.1), tones.shade) +
        pen.gloss(-r * 0.06, r * 0.06, r, tones.light, 1.25),
    }),
  );
}

/** Sweet cherries on their stalks. */
export function cherries(pen: Pen): string {
  const knot: Point = [410, 82];
  const fruit: [number, number, number, Tones][] = [
    [510, 304, 84, cherryDark],
    [300, 300, 88, cherryRed],
    [612, 414, 84, cherryRed],
    [190, 420, 82, cherryDark],
    [334, 442, 86, cherryDark],
    [476, 430, 94, cherryRed],
  ];
  const stalk = ([x, y, r]: [number, number, number, Tones]) =>
    pen.line(
      `M${knot[0]} ${knot[1]}Q${(x * 2 + knot[0]) / 3} ${knot[1] + 70} ${x} ${y - r * 0.74}`,
      stemGreen.shade,
      8,
    );
  return (
    pen.shadow(404, 508, 300, 34, shadow) +
    pen.at(knot[0] + 8, knot[1] + 6, { turn: 78 }, () =>
      pen.leaf(190, 94, leafGreen, { bend: 22, veins: 5 }),
    ) +
    pen.at(knot[0] - 6, knot[1] + 8, { turn: -70 }, () =>
      pen.leaf(170, 84, leafGreen, { bend: -22, veins: 5 }),
    ) +
    fruit.map((one) => stalk(one) + cherry(pen, ...one)).join('') +
    pen.fill(oval(knot[0], knot[1], 17, 13, -20), twig)
  );
}

const peachTones: Tones = { light: '#ffd49a', base: '#f6a45c', shade: '#e07f49' };

function peach(pen: Pen): string {
  const outline = smooth([
    [10, -92],
    [62, -100],
    [112, -52],
    [116, 20],
    [76, 84],
    [8, 112],
    [-64, 92],
    [-114, 30],
    [-112, -46],
    [-60, -98],
  ]);
  return (
    pen.body(outline, peachTones, 22, {
      over:
        pen.at(66, -14, {}, () => pen.fill(outline, '#e8604f', 0.55)) +
        pen.at(128, -10, {}, () => pen.fill(outline, '#cf4648', 0.5)) +
        pen.fill(
          taper(
            [
              [10, -90],
              [-34, -40],
              [-40, 30],
              [-10, 106],
            ],
            10,
            4,
          ),
          '#d0653f',
        ) +
        pen.fill(oval(8, -88, 24, 12), '#c45a3a') +
        pen.gloss(-16, 6, 104, peachTones.light, 1.2),
    }) +
    pen.fill(
      taper(
        [
          [8, -86],
          [12, -110],
        ],
        12,
        14,
      ),
      twig,
    )
  );
}

function halfPeach(pen: Pen): string {
  const outline = smooth(around(10, 104, 98, (index) => (index === 0 ? 0.92 : 1)));
  const stone = smooth(around(9, 42, 50, (index) => 0.96 + 0.06 * Math.sin(index * 2)));
  return (
    pen.at(8, 8, {}, () => pen.fill(outline, '#cf4f45')) +
    pen.fill(outline, '#e8704f') +
    pen.at(0, 0, { scale: 0.93 }, () =>
      pen.body(outline, { light: '#ffe9a8', base: '#fcd071', shade: '#f3b755' }, 10),
    ) +
    pen.fill(oval(0, 2, 60, 66), '#ef9a4c') +
    pen.body(stone, { light: '#b67a4f', base: '#98603b', shade: '#774628' }, 10, {
      over: ['M-18 -24q8 12 0 24', 'M8 -34q10 14 0 28', 'M-6 10q10 10 2 22', 'M18 6q6 10 -2 20']
        .map((path) => pen.line(path, '#774628', 5))
        .join(''),
    })
  );
}

/** Yellow peaches, one with its stone. */
export function peaches(pen: Pen): string {
  return (
    pen.shadow(400, 506, 310, 36, shadow) +
    pen.at(396, 146, { turn: -62 }, () => pen.leaf(150, 58, leafGreen, { bend: -26, veins: 5 })) +
    pen.at(418, 150, { turn: 58 }, () => pen.leaf(160, 60, leafGreen, { bend: 26, veins: 5 })) +
    pen.at(402, 262, { turn: -4, scale: 1.14 }, () => peach(pen)) +
    pen.at(264, 386, { turn: -10, scale: 1.2 }, () => peach(pen)) +
    pen.at(536, 396, { turn: 6, scale: 1.16 }, () => halfPeach(pen))
  );
}

const melonSkin: Tones = { light: '#7cb26a', base: '#4a8c4d', shade: '#2f6b3d' };
const melonFlesh: Tones = { light: '#f7837b', base: '#ea5558', shade: '#cf3f4b' };

/** A whole watermelon and a slice. */
export function watermelon(pen: Pen): string {
  const whole = pen.at(356, 296, { turn: -8 }, () => {
    const outline = oval(0, 0, 254, 192);
    const stripes = [-176, -108, -36, 40, 114, 180].map((y) => {
      const points = Array.from({ length: 13 }, (_, index): Point => {
        const t = index / 6 - 1;
        const wobble = index % 2 === 0 ? 9 : -9;
        return [t * 252, y * Math.sqrt(Math.max(0, 1 - t * t)) + wobble * (1 - Math.abs(t))];
      });
      return pen.line(smooth(points, false), '#2c6339', 22);
    });
    return pen.body(outline, melonSkin, 40, {
      over:
        stripes.join('') +
        pen.fill(oval(-128, -98, 66, 26, -38), '#a8d08d', 0.8) +
        pen.fill(oval(250, 6, 16, 26), '#c2d38b'),
    });
  });
  const seeds = (
    [
      [0, -66, 0],
      [-46, 0, 12],
      [46, 2, -12],
      [0, 34, 0],
      [-96, 62, 20],
      [96, 64, -20],
      [-40, 92, 10],
      [44, 94, -10],
    ] as const
  )
    .map(([x, y, turn]) =>
      pen.at(x, y, { turn }, () =>
        pen.fill(
          smooth([
            [0, -14],
            [8, 3],
            [0, 11],
            [-8, 3],
          ]),
          '#4a2a2c',
        ),
      ),
    )
    .join('');
  const slice = pen.at(540, 332, { turn: 9, scale: 0.98 }, () => {
    const wedge = 'M0 -190L206 76Q0 232 -206 76Z';
    const moved = (rise: number, color: string) =>
      `<path d="${wedge}" fill="${color}" transform="translate(0 ${-rise})"/>`;
    return (
      pen.at(14, 4, {}, () =>
        pen.within(wedge, pen.fill(wedge, melonSkin.shade) + moved(32, '#b83b45')),
      ) +
      pen.within(
        wedge,
        pen.fill(wedge, melonSkin.base) +
          moved(17, '#e4efc0') +
          moved(32, melonFlesh.shade) +
          moved(42, melonFlesh.base),
      ) +
      seeds
    );
  });
  return pen.shadow(390, 500, 300, 38, shadow) + whole + slice;
}

const grapeTones: Tones = { light: '#c79ad2', base: '#7d4a92', shade: '#5c3272' };
const grapeDark: Tones = { light: '#ad80bd', base: '#683a7d', shade: '#4a275d' };

/** A bunch of purple grapes under its leaf. */
export function grapes(pen: Pen): string {
  const rows: [number, number][] = [
    [6, 212],
    [6, 256],
    [5, 300],
    [5, 344],
    [4, 386],
    [3, 428],
    [2, 466],
    [1, 496],
  ];
  const berries = rows.flatMap(([count, y], row) =>
    Array.from({ length: count }, (_, index) => {
      const t = index - (count - 1) / 2;
      const x = 400 + t * 70 + (row % 2) * 8 + pen.random.between(-5, 5);
      const tones = (index + row) % 3 === 0 ? grapeDark : grapeTones;
      return pen.at(x, y + Math.abs(t) * -7 + pen.random.between(-4, 4), {}, () =>
        pen.body(oval(0, 0, 42, 43), tones, 12, { over: pen.gloss(0, 0, 40, tones.light, 1.2) }),
      );
    }),
  );
  const vineLeaf = smooth(
    [
      [0, 10],
      [-34, 34],
      [-84, 26],
      [-80, -8],
      [-132, -28],
      [-108, -62],
      [-118, -106],
      [-66, -102],
      [-50, -150],
      [-14, -122],
      [22, -158],
      [46, -112],
      [98, -112],
      [94, -64],
      [128, -30],
      [82, -8],
      [84, 30],
      [34, 34],
    ],
    true,
    0.7,
  );
  const ribs = [-104, -58, -8, 44, 96]
    .map((turn) => {
      const [x, y] = toward(turn, 104);
      return pen.line(`M0 4L${x} ${y}`, leafGreen.light, 4.5);
    })
    .join('');
  return (
    pen.shadow(406, 520, 170, 26, shadow) +
    pen.fill(
      taper(
        [
          [392, 210],
          [404, 130],
          [440, 74],
        ],
        14,
        20,
      ),
      twig,
    ) +
    pen.line('M420 104C500 70 560 100 538 132S486 128 512 98S600 78 616 122', '#8aa04f', 7) +
    berries.join('') +
    pen.at(318, 196, { turn: -22, scale: 1.12 }, () =>
      pen.body(vineLeaf, leafGreen, 16, { over: ribs }),
    ) +
    pen.at(506, 178, { turn: 40, scale: 0.72 }, () =>
      pen.body(vineLeaf, deepGreen, 14, { over: ribs }),
    )
  );
}

const plumTones: Tones = { light: '#b79bd0', base: '#6c4a8f', shade: '#4d306d' };
const plumRed: Tones = { light: '#d893ad', base: '#9a3f68', shade: '#742a4e' };

function plum(pen: Pen, tones: Tones): string {
  const outline = smooth([
    [8, -104],
    [60, -94],
    [98, -32],
    [92, 44],
    [48, 100],
    [-6, 112],
    [-60, 90],
    [-96, 30],
    [-92, -46],
    [-48, -98],
  ]);
  return (
    pen.body(outline, tones, 20, {
      over:
        pen.fill(
          taper(
            [
              [8, -102],
              [40, -40],
              [40, 40],
              [6, 108],
            ],
            8,
            4,
          ),
          tones.shade,
        ) +
        pen.fill(oval(-46, -34, 22, 46, 22), tones.light, 0.75) +
        pen.fill(oval(8, -98, 20, 9), tones.shade),
    }) +
    pen.fill(
      taper(
        [
          [8, -98],
          [12, -124],
          [2, -146],
        ],
        8,
        10,
      ),
      twig,
    )
  );
}

function halfPlum(pen: Pen): string {
  const outline = oval(0, 0, 92, 100);
  return (
    pen.fill(oval(8, 8, 92, 100), plumTones.shade) +
    pen.fill(outline, plumTones.base) +
    pen.at(0, 0, { scale: 0.92 }, () =>
      pen.body(outline, { light: '#ffe48f', base: '#f3c04d', shade: '#e2a036' }, 11),
    ) +
    pen.fill(oval(0, 4, 46, 58), '#d98f35') +
    pen.body(
      smooth([
        [0, -48],
        [28, -18],
        [30, 24],
        [0, 54],
        [-30, 24],
        [-28, -18],
      ]),
      { light: '#c08a5a', base: '#9b653c', shade: '#774a2a' },
      9,
      { over: pen.line('M2 -38Q12 0 0 44', '#774a2a', 4) },
    )
  );
}

/** Plums with their bloom, one halved. */
export function plums(pen: Pen): string {
  return (
    pen.shadow(400, 506, 310, 36, shadow) +
    pen.at(420, 124, { turn: 66 }, () => pen.leaf(136, 62, leafGreen, { bend: 16, veins: 4 })) +
    pen.at(410, 252, { turn: 4, scale: 1.14 }, () => plum(pen, plumRed)) +
    pen.at(252, 374, { turn: -14, scale: 1.16 }, () => plum(pen, plumTones)) +
    pen.at(560, 372, { turn: 20, scale: 1.14 }, () => plum(pen, plumTones)) +
    pen.at(408, 422, { turn: -6, scale: 1 }, () => halfPlum(pen))
  );
}

const lemonTones: Tones = { light: '#fdf0a0', base: '#f7d33f', shade: '#dcae27' };

const lemonOutline = smooth([
  [-138, 2],
  [-112, -22],
  [-72, -72],
  [0, -92],
  [70, -76],
  [112, -30],
  [142, -6],
  [136, 16],
  [108, 34],
  [66, 76],
  [0, 92],
  [-72, 74],
  [-112, 28],
]);

function lemon(pen: Pen): string {
  const pores = Array.from({ length: 18 }, () => {
    const [x, y] = toward(pen.random.between(0, 360), 70 * Math.sqrt(pen.random.next()));
    return pen.fill(oval(x * 1.3, y, 3, 3), lemonTones.shade, 0.55);
  });
  return pen.body(lemonOutline, lemonTones, 21, {
    over: pores.join('') + pen.gloss(-14, 4, 96, '#fff8cf', 1.35),
  });
}

function halfLemon(pen: Pen): string {
  const segment = (turn: number) =>
    pen.at(
      0,
      0,
      { turn },
      () =>
        pen.fill(
          smooth([
            [0, -15],
            [26, -66],
            [18, -78],
            [0, -81],
            [-18, -78],
            [-26, -66],
          ]),
          '#f6d24b',
        ) + pen.line('M-8 -66L-4 -42M8 -70L4 -50', '#fbe89a', 4),
    );
  return (
    pen.fill(oval(9, 8, 104, 102), lemonTones.shade) +
    pen.fill(oval(0, 0, 104, 102), lemonTones.base) +
    pen.fill(oval(0, 0, 94, 92), '#fffadc') +
    Array.from({ length: 9 }, (_, index) => segment(index * 40)).join('') +
    pen.fill(oval(0, 0, 8, 8), '#fffadc')
  );
}

/** Lemons with leaves, one halved. */
export function lemons(pen: Pen): string {
  return (
    pen.shadow(400, 502, 310, 36, shadow) +
    pen.at(486, 190, { turn: 76 }, () => pen.leaf(158, 78, deepGreen, { bend: 14, veins: 4 })) +
    pen.at(320, 196, { turn: -58 }, () => pen.leaf(146, 76, deepGreen, { bend: -14, veins: 4 })) +
    pen.at(404, 250, { turn: 14, scale: 1.24 }, () => lemon(pen)) +
    pen.at(264, 386, { turn: -18, scale: 1.22 }, () => lemon(pen)) +
    pen.at(534, 392, { turn: 10, scale: 1.12 }, () => halfLemon(pen))
  );
}
