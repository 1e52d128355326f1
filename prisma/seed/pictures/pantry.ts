import { grounds } from './grounds.ts';
import {
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
import { leafGreen, stemGreen } from './tones.ts';
import { bee, board, drip, label } from './wares.ts';

const { shadow } = grounds.pantry;

const honeyTones: Tones = { light: '#fcd066', base: '#f0a72e', shade: '#d18418' };
const glassShine = '#fff6dc';

/** Glass filled with something, its light on the left and its shade on the right. */
function filledGlass(pen: Pen, outline: string, tones: Tones, level: number, depth = 22): string {
  return (
    pen.fill(outline, '#fdf6e6', 0.8) +
    pen.within(
      outline,
      pen.at(0, 4, { scale: 0.94 }, () =>
        pen.body(outline, tones, depth, {
          over: pen.fill(box(-300, -400, 600, 400 + level), '#fdf6e6'),
        }),
      ),
    )
  );
}

/** A jar of honey, a dipper and a bee. */
export function honey(pen: Pen): string {
  const jar = lathe(
    [
      [104, -150],
      [106, -132],
      [136, -98],
      [142, -40],
      [142, 110],
      [128, 140],
      [0, 146],
    ],
    0.7,
  );
  const dipper = pen.at(218, 390, { turn: -20 }, () => {
    const ring = (index: number, grow: number) =>
      box(
        -46 + Math.abs(index - 2) * 8 - grow,
        -44 + index * 21 - grow,
        92 - Math.abs(index - 2) * 16 + grow * 2,
        15 + grow * 2,
        8 + grow,
      );
    const wooden: Tones = { light: '#d9a763', base: '#bd8848', shade: '#966631' };
    return (
      pen.body(box(-9, -290, 18, 260, 9), wooden, 6) +
      [0, 1, 2, 3, 4].map((index) => pen.body(ring(index, 0), wooden, 5)).join('') +
      pen.body(
        smooth([
          [-46, -4],
          [-20, -12],
          [14, 2],
          [48, -14],
          [52, 24],
          [40, 54],
          [20, 70],
          [-18, 70],
          [-42, 48],
        ]),
        honeyTones,
        9,
      ) +
      pen.line('M-28 12Q-32 30 -22 44', honeyTones.light, 8)
    );
  });
  const pool = smooth([
    [116, 496],
    [160, 474],
    [236, 468],
    [310, 480],
    [330, 500],
    [270, 520],
    [180, 520],
  ]);
  return (
    pen.shadow(440, 508, 230, 32, shadow) +
    pen.at(
      468,
      352,
      { scale: 1.1 },
      () =>
        filledGlass(pen, jar, honeyTones, -112) +
        pen.within(
          jar,
          pen.fill(box(-122, -84, 18, 190, 9), glassShine, 0.75) +
            pen.fill(box(-94, -84, 8, 110, 4), glassShine, 0.6),
        ) +
        label(pen, -76, -40, 176, 128) +
        pen.body(
          box(-118, -196, 236, 56, 14),
          { light: '#f8efd9', base: '#efe0bd', shade: '#d2bd8f' },
          14,
        ) +
        pen.fill(box(-122, -152, 244, 16, 8), '#d2bd8f') +
        pen.line('M-118 -144H118', '#b98a4e', 6),
    ) +
    pen.at(8, 7, {}, () => pen.fill(pool, honeyTones.shade)) +
    pen.fill(pool, honeyTones.base) +
    pen.fill(
      taper(
        [
          [236, 440],
          [240, 470],
          [240, 492],
        ],
        34,
        60,
      ),
      honeyTones.base,
    ) +
    pen.line('M164 490q30 -12 58 -8', honeyTones.light, 8) +
    dipper +
    pen.at(196, 118, { turn: 8, scale: 1.2 }, () => bee(pen)) +
    pen.line('M244 132q36 26 6 48t-62 2', '#c59c6a', 4, 0.9)
  );
}

/** A piece of honeycomb on a board, dripping, with a bee. */
export function honeycomb(pen: Pen): string {
  const face = polygon([
    [132, 226],
    [590, 226],
    [590, 452],
    [132, 452],
  ]);
  const top = polygon([
    [132, 226],
    [212, 142],
    [668, 142],
    [590, 226],
  ]);
  const side = polygon([
    [590, 226],
    [668, 142],
    [668, 366],
    [590, 452],
  ]);
  const cell = (x: number, y: number, r: number, tones: Tones) => {
    const hex = polygon(Array.from({ length: 6 }, (_, index) => toward(index * 60, r, [x, y])));
    const inner = polygon(
      Array.from({ length: 6 }, (_, index) => toward(index * 60, r * 0.74, [x, y])),
    );
    return pen.fill(hex, tones.shade) + pen.body(inner, tones, 7);
  };
  const cells: string[] = [];
  const full: Tones = { light: '#fde08a', base: '#f6b73c', shade: '#d58c1d' };
  const capped: Tones = { light: '#fdf0c0', base: '#fad887', shade: '#d99a2c' };
  const open: Tones = { light: '#d98f22', base: '#c77b18', shade: '#e0a132' };
  for (let row = 0; row < 7; row += 1) {
    for (let column = 0; column < 11; column += 1) {
      const kind = pen.random.next();
      cells.push(
        cell(
          126 + column * 49 + (row % 2) * 24.5,
          214 + row * 42.5,
          27,
          kind < 0.2 ? open : kind < 0.36 ? capped : full,
        ),
      );
    }
  }
  const sideCells: string[] = [];
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const x = 600 + column * 23 + (row % 2) * 11.5;
      const y = 234 - (x - 590) * 1.07 + row * 36;
      sideCells.push(pen.fill(oval(x, y, 8, 15), pen.random.chance(0.25) ? '#a8650f' : '#cf851a'));
    }
  }
  const pool = smooth([
    [104, 462],
    [170, 440],
    [300, 448],
    [430, 442],
    [600, 434],
    [690, 446],
    [660, 472],
    [560, 466],
    [470, 482],
    [390, 466],
    [280, 480],
    [180, 470],
  ]);
  return (
    pen.shadow(404, 516, 340, 30, shadow) +
    pen.at(400, 482, {}, () => board(pen, 690)) +
    pen.fill(pool, honeyTones.shade) +
    pen.within(side, pen.fill(side, '#b8721a') + sideCells.join('')) +
    pen.within(face, pen.fill(face, '#d58c1d') + cells.join('')) +
    pen.fill(top, '#fbe3a4') +
    pen.fill(
      polygon([
        [590, 226],
        [668, 142],
        [630, 142],
        [540, 226],
      ]),
      '#f3cd78',
    ) +
    pen.at(300, 226, {}, () => pen.fill(drip(300, [38, 112, 56, 148, 30]), honeyTones.base)) +
    pen.fill(
      smooth([
        [150, 216],
        [226, 166],
        [340, 176],
        [420, 158],
        [500, 186],
        [452, 222],
        [300, 230],
      ]),
      honeyTones.base,
    ) +
    pen.line('M206 200Q244 178 300 186', honeyTones.light, 9) +
    pen.line('M239 260v54M360 262v84', honeyTones.light, 8) +
    pen.at(0, 4, {}, () =>
      pen.fill(
        smooth([
          [110, 460],
          [230, 448],
          [430, 452],
          [600, 446],
          [680, 452],
          [560, 470],
          [420, 474],
          [260, 474],
        ]),
        honeyTones.base,
      ),
    ) +
    pen.line('M190 464q60 -8 120 2', honeyTones.light, 7) +
    pen.at(540, 158, { turn: 6, scale: 1.24 }, () => bee(pen)) +
    pen.at(148, 116, { turn: -10, scale: 0.96 }, () => bee(pen))
  );
}

const crust: Tones = { light: '#e6ab66', base: '#c9813f', shade: '#9c5a29' };
const flourDust = '#f6e6c8';

/** A round sourdough loaf with wheat cut into its crust, and a slice. */
export function sourdough(pen: Pen): string {
  const loaf = smooth([
    [0, -176],
    [120, -160],
    [226, -86],
    [262, 10],
    [230, 86],
    [120, 116],
    [-120, 116],
    [-230, 86],
    [-262, 10],
    [-226, -86],
    [-120, -160],
  ]);
  const cut = (points: Point[], width: number) =>
    pen.fill(taper(points, width, width * 0.3), flourDust);
  const ear = [-1, 1]
    .flatMap((side) =>
      [0, 1, 2, 3, 4].map((index) =>
        pen.at(-60 + index * 44, -64 + index * 12, { turn: 90 + side * 40 }, () =>
          pen.leaf(
            84 - index * 6,
            26,
            { light: '#fff3d8', base: '#f1d8a8', shade: '#dcb77a' },
            { bend: side * 9, rib: false },
          ),
        ),
      ),
    )
    .join('');
  const dust = Array.from({ length: 46 }, () => {
    const [x, y] = toward(
      pen.random.between(-120, 30),
      190 * Math.sqrt(pen.random.between(0.2, 1)),
    );
    return pen.fill(oval(x * 1.2, y * 0.8, 3, 2.4), flourDust, 0.8);
  });
  const slice = pen.at(592, 400, { turn: 8, scale: 1.02 }, () => {
    const outline = smooth([
      [0, -104],
      [74, -92],
      [112, -40],
      [94, 4],
      [92, 74],
      [70, 98],
      [-70, 98],
      [-92, 74],
      [-94, 4],
      [-112, -40],
      [-74, -92],
    ]);
    const crumb: Tones = { light: '#fff5dd', base: '#f8e3b8', shade: '#e8c88f' };
    const pores = Array.from({ length: 30 }, () =>
      pen.fill(
        oval(
          pen.random.between(-74, 76),
          pen.random.between(-74, 78),
          pen.random.between(3, 10),
          pen.random.between(2.4, 6),
          pen.random.between(-40, 40),
        ),
        '#e3bf82',
      ),
    );
    return (
      pen.at(12, 4, {}, () => pen.fill(outline, crust.shade)) +
      pen.fill(outline, crust.base) +
      pen.at(0, 1, { scale: 0.9 }, () => pen.body(outline, crumb, 10, { over: pores.join('') }))
    );
  });
  return (
    pen.shadow(404, 508, 340, 34, shadow) +
    pen.at(400, 474, {}, () => board(pen, 690)) +
    pen.at(356, 340, { scale: 1.04 }, () =>
      pen.body(loaf, crust, 34, {
        lit: 15,
        over:
          cut(
            [
              [-150, -96],
              [-20, -50],
              [110, -22],
              [206, 34],
            ],
            15,
          ) +
          ear +
          dust.join(''),
      }),
    ) +
    slice
  );
}

function wheatEar(pen: Pen, length: number): string {
  const grain: Tones = { light: '#f5d489', base: '#dfae4f', shade: '#bd8a33' };
  const grains = Array.from({ length: 6 }, (_, index) =>
    [-1, 1]
      .map((side) =>
        pen.at(
          side * 5,
          -length + 98 - index * 19,
          { turn: side * 30 },
          () =>
            pen.leaf(42, 19, grain, { rib: false }) +
            pen.line(`M0 -38L${side * 3} -70`, grain.base, 2.6),
        ),
      )
      .join(''),
  );
  return (
    pen.line(`M0 0Q6 ${-length / 2} 0 ${-length + 60}`, grain.shade, 6) +
    grains.join('') +
    pen.at(
      0,
      -length - 12,
      {},
      () => pen.leaf(40, 18, grain, { rib: false }) + pen.line('M0 -36V-70', grain.base, 2.6),
    )
  );
}

/** A linen sack of flour with a scoop and ears of wheat. */
export function flour(pen: Pen): string {
  const linen: Tones = { light: '#fdf6e4', base: '#f0e3c6', shade: '#d3bf95' };
  const sack = smooth([
    [-128, -92],
    [-136, -40],
    [-162, 60],
    [-170, 140],
    [-142, 172],
    [0, 178],
    [142, 172],
    [170, 140],
    [162, 60],
    [136, -40],
    [128, -92],
    [0, -80],
  ]);
  const cuff = smooth([
    [-132, -88],
    [-150, -118],
    [-128, -138],
    [-60, -128],
    [0, -120],
    [60, -128],
    [128, -138],
    [150, -118],
    [132, -88],
    [60, -72],
    [0, -68],
    [-60, -72],
  ]);
  const heap = smooth([
    [-120, -124],
    [-76, -168],
    [-20, -196],
    [40, -190],
    [90, -160],
    [122, -124],
    [0, -104],
  ]);
  const white: Tones = { light: '#ffffff', base: '#fffcf5', shade: '#e6dfce' };
  return (
    pen.shadow(404, 506, 290, 34, shadow) +
    [-22, -10, -34]
      .map((turn, index) =>
        pen.at(282 - index * 8, 486, { turn: turn - 2 }, () => wheatEar(pen, 344 - index * 16)),
      )
      .join('') +
    pen.at(
      420,
      330,
      { scale: 1.04 },
      () =>
        pen.body(heap, white, 20) +
        pen.body(sack, linen, 26, {
          over: pen.line(
            'M-96 -40Q-110 50 -104 140M-40 -56Q-52 -20 -50 10M104 -30Q128 60 116 150',
            linen.shade,
            6,
            0.8,
          ),
        }) +
        pen.at(4, 122, { turn: 0 }, () =>
          [-26, 0, 26]
            .map((turn) => pen.at(0, 0, { turn, scale: 0.44 }, () => wheatEar(pen, 238)))
            .join(''),
        ) +
        pen.body(cuff, { light: '#fffaf0', base: '#f7edd6', shade: '#d9c69d' }, 12),
    ) +
    pen.at(
      586,
      470,
      { turn: -8 },
      () =>
        pen.fill(
          smooth([
            [-120, 34],
            [-70, 6],
            [-6, -10],
            [70, 4],
            [110, 34],
            [0, 42],
          ]),
          '#fffcf5',
        ) +
        pen.body(
          smooth([
            [-62, -40],
            [20, -48],
            [74, -30],
            [82, 0],
            [60, 22],
            [-40, 24],
            [-78, -4],
          ]),
          { light: '#d9a763', base: '#bd8848', shade: '#966631' },
          12,
        ) +
        pen.fill(oval(-56, -8, 26, 32, 10), '#8a5c2b') +
        pen.fill(oval(-50, 0, 24, 20, 10), '#fffcf5') +
        pen.body(
          box(66, -26, 96, 24, 12),
          { light: '#d9a763', base: '#bd8848', shade: '#966631' },
          7,
        ),
    )
  );
}

/** A bottle of maple syrup with a red maple leaf. */
export function mapleSyrup(pen: Pen): string {
  const bottle = smooth(
    [
      [-38, -220],
      [38, -220],
      [40, -150],
      [66, -118],
      [128, -66],
      [140, 10],
      [138, 130],
      [116, 158],
      [0, 162],
      [-116, 158],
      [-138, 130],
      [-140, 10],
      [-128, -66],
      [-66, -118],
      [-40, -150],
    ],
    true,
    0.6,
  );
  const syrup: Tones = { light: '#d98443', base: '#a9501f', shade: '#7d3615' };
  const half: Point[] = [
    [0, -100],
    [16, -66],
    [40, -78],
    [34, -32],
    [58, -52],
    [66, -36],
    [98, -40],
    [84, -10],
    [98, 2],
    [50, 34],
    [54, 52],
    [8, 46],
  ];
  const outline = polygon([...half, ...half.map(([x, y]): Point => [-x, y]).reverse()]);
  const leaf = (x: number, y: number, turn: number, scale: number, tones: Tones) =>
    pen.at(
      x,
      y,
      { turn, scale },
      () =>
        pen.fill(
          taper(
            [
              [0, 30],
              [2, 70],
              [-6, 112],
            ],
            7,
            6,
          ),
          tones.shade,
        ) +
        pen.body(outline, tones, 9, {
          over: ['M0 46V-74', 'M0 40L66 -24', 'M0 40L-66 -24', 'M0 44L72 10', 'M0 44L-72 10']
            .map((path) => pen.line(path, tones.light, 3.6))
            .join(''),
        }),
    );
  const red: Tones = { light: '#f39a6c', base: '#db4c34', shade: '#b23528' };
  const orange: Tones = { light: '#fbc77c', base: '#ee8f35', shade: '#cc6d22' };
  return (
    pen.shadow(406, 508, 270, 32, shadow) +
    pen.line('M470 176Q560 168 556 236T498 298', '#7d3615', 20) +
    pen.line('M466 172Q548 164 546 232T492 292', '#b5622c', 9) +
    pen.at(
      400,
      346,
      { scale: 1.02 },
      () =>
        filledGlass(pen, bottle, syrup, -136, 28) +
        pen.within(
          bottle,
          pen.fill(
            smooth([
              [-112, -50],
              [-96, -66],
              [-96, 40],
              [-98, 120],
              [-114, 112],
              [-120, 20],
            ]),
            '#e8a468',
            0.85,
          ),
        ) +
        pen.fill(oval(0, 34, 82, 82), '#fbf0d6') +
        pen.within(oval(0, 34, 82, 82), pen.fill(box(46, -60, 60, 190), '#8b6b3c', 0.12)) +
        leaf(0, 46, 0, 0.66, red) +
        pen.body(
          box(-46, -262, 92, 54, 12),
          { light: '#8c6a4c', base: '#6a4a30', shade: '#4c3320' },
          12,
        ),
    ) +
    leaf(238, 436, -32, 0.92, orange) +
    leaf(588, 456, 28, 0.84, red)
  );
}

/** A jug of cider and two apples. */
export function cider(pen: Pen): string {
  const jug = smooth(
    [
      [-44, -196],
      [44, -196],
      [46, -140],
      [92, -100],
      [150, -36],
      [160, 40],
      [156, 140],
      [128, 170],
      [0, 174],
      [-128, 170],
      [-156, 140],
      [-160, 40],
      [-150, -36],
      [-92, -100],
      [-46, -140],
    ],
    true,
    0.7,
  );
  const amber: Tones = { light: '#eeb25a', base: '#d78b2e', shade: '#b0681d' };
  const red: Tones = { light: '#f28172', base: '#d4403c', shade: '#aa2c34' };
  const green: Tones = { light: '#dcea9c', base: '#afcf5c', shade: '#89ac43' };
  const outline = smooth([
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
  const fruit = (x: number, y: number, turn: number, scale: number, tones: Tones) =>
    pen.at(
      x,
      y,
      { turn, scale },
      () =>
        pen.body(outline, tones, 22, {
          over:
            pen.fill(oval(4, -76, 34, 13), tones.shade) + pen.gloss(-10, 4, 106, tones.light, 1.35),
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
          '#7d5a3a',
        ),
    );
  const badge = pen.at(
    0,
    44,
    {},
    () =>
      pen.fill(oval(0, 0, 84, 78), '#fbf0d6') +
      pen.at(0, 6, { scale: 0.46 }, () => fruit(0, 0, 0, 1, red)) +
      pen.at(10, -50, { turn: 60 }, () => pen.leaf(40, 22, leafGreen, { rib: false })),
  );
  return (
    pen.shadow(406, 510, 300, 34, shadow) +
    pen.line('M436 168Q540 150 540 226T490 300', '#a9651f', 24) +
    pen.line('M434 164Q530 148 531 222T482 292', '#e0a452', 10) +
    pen.at(
      372,
      336,
      { scale: 1.04 },
      () =>
        filledGlass(pen, jug, amber, -112, 30) +
        pen.within(
          jug,
          pen.fill(
            smooth([
              [-132, -20],
              [-114, -40],
              [-114, 60],
              [-118, 130],
              [-134, 116],
              [-142, 40],
            ]),
            '#fbdc9c',
            0.9,
          ),
        ) +
        badge +
        pen.body(
          box(-52, -236, 104, 50, 12),
          { light: '#f8efd9', base: '#e9d7ae', shade: '#c8b07c' },
          12,
        ) +
        pen.line('M-52 -204H52', '#c8b07c', 5),
    ) +
    fruit(628, 442, 10, 0.74, red) +
    fruit(180, 462, -10, 0.6, green)
  );
}

/** A jar of strawberry jam under a checked cloth, with bread and jam. */
export function jam(pen: Pen): string {
  const jar = lathe(
    [
      [110, -130],
      [130, -100],
      [136, -40],
      [136, 110],
      [122, 138],
      [0, 144],
    ],
    0.7,
  );
  const red: Tones = { light: '#e2606a', base: '#bd2d44', shade: '#901d36' };
  const cloth = smooth(
    [
      [-120, -168],
      [0, -182],
      [120, -168],
      [136, -130],
      [176, -84],
      [140, -92],
      [112, -70],
      [72, -90],
      [34, -66],
      [-6, -88],
      [-44, -66],
      [-80, -90],
      [-116, -70],
      [-142, -92],
      [-176, -84],
      [-136, -130],
    ],
    true,
    0.75,
  );
  const checks: string[] = [];
  for (let index = -8; index <= 8; index += 1) {
    checks.push(pen.fill(box(index * 44 - 11, -200, 22, 150), '#d9523f', 0.55));
  }
  for (let row = 0; row < 4; row += 1) {
    checks.push(pen.fill(box(-200, -188 + row * 38, 400, 19), '#d9523f', 0.55));
  }
  const berry = (x: number, y: number, turn: number, scale: number) =>
    pen.at(x, y, { turn, scale }, () => {
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
      const seeds = [
        [-36, -26],
        [0, -30],
        [38, -26],
        [-22, 8],
        [22, 8],
        [-4, 40],
        [46, 10],
        [-44, 10],
        [18, 52],
      ]
        .map(([px = 0, py = 0]) => pen.fill(oval(px, py, 4.4, 6.6, -px * 0.3), '#fbd68a'))
        .join('');
      return (
        pen.body(outline, { light: '#f47a6b', base: '#e23e42', shade: '#b82a38' }, 17, {
          over: seeds,
        }) +
        [-70, -30, 10, 48, 84]
          .map((lean) =>
            pen.at(0, -58, { turn: lean + 176 }, () => pen.leaf(44, 24, leafGreen, { rib: false })),
          )
          .join('') +
        pen.line('M0 -58Q2 -84 16 -94', stemGreen.shade, 9)
      );
    });
  const pieces = Array.from({ length: 9 }, () =>
    pen.fill(
      oval(
        pen.random.between(-92, 96),
        pen.random.between(-50, 110),
        pen.random.between(12, 22),
        pen.random.between(9, 16),
        pen.random.between(-60, 60),
      ),
      red.shade,
      0.6,
    ),
  );
  return (
    pen.shadow(406, 510, 280, 34, shadow) +
    pen.at(
      372,
      352,
      { scale: 1.08 },
      () =>
        filledGlass(pen, jar, red, -200, 26) +
        pen.within(
          jar,
          pieces.join('') +
            pen.fill(box(-118, -70, 17, 170, 9), '#f7c3c4', 0.75) +
            pen.fill(box(-92, -70, 8, 90, 4), '#f7c3c4', 0.6),
        ) +
        label(pen, -70, -22, 160, 118) +
        pen.body(cloth, { light: '#fffaf0', base: '#fbf3e4', shade: '#e0d2b8' }, 14, {
          over: checks.join(''),
        }) +
        pen.line('M-134 -128Q0 -108 134 -128', '#b98a4e', 9) +
        pen.line('M40 -116q26 22 48 4q-16 -16 -48 -4q-8 26 -2 46', '#d9b27a', 7),
    ) +
    berry(620, 424, 14, 0.98) +
    berry(544, 470, -52, 0.6)
  );
}
