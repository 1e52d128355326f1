import { grounds } from './grounds.ts';
import {
  around,
  box,
  lathe,
  oval,
  type Pen,
  type Point,
  scallop,
  smooth,
  type Tones,
  taper,
  toward,
} from './pen.ts';
import { leafGreen, stemGreen } from './tones.ts';

const { shadow } = grounds.vegetables;

const tomatoRed: Tones = { light: '#f0705a', base: '#dd4632', shade: '#b93026' };
const tomatoGold: Tones = { light: '#fad276', base: '#f2ac35', shade: '#d98a22' };
const tomatoPlum: Tones = { light: '#b5606a', base: '#8f3a48', shade: '#6f2938' };

const starOfSepals = (pen: Pen, size: number): string =>
  [-150, -95, -40, 15, 70, 125, 180]
    .map((turn) =>
      pen.at(0, 0, { turn }, () =>
        pen.leaf(size, size * 0.34, leafGreen, { bend: size * 0.14, rib: false }),
      ),
    )
    .join('');

function wholeTomato(pen: Pen, tones: Tones): string {
  const body = lathe([
    [0, -74],
    [44, -90],
    [100, -66],
    [124, 2],
    [104, 68],
    [52, 96],
    [0, 98],
  ]);
  const fold = (points: Point[]) => pen.fill(taper(points, 3, 9), tones.shade, 0.55);
  const folds =
    fold([
      [-16, -66],
      [-58, -30],
      [-64, 34],
    ]) +
    fold([
      [16, -66],
      [62, -34],
      [72, 26],
    ]) +
    fold([
      [2, -62],
      [8, -20],
      [4, 20],
    ]);
  return (
    pen.body(body, tones, 24, { over: folds + pen.gloss(-8, -6, 104, tones.light, 1.3) }) +
    `<g transform="translate(0 -68) scale(1 .62)">${starOfSepals(pen, 66)}</g>` +
    pen.fill(
      taper(
        [
          [0, -66],
          [4, -86],
          [16, -104],
        ],
        13,
        10,
      ),
      stemGreen.shade,
    )
  );
}

function halfTomato(pen: Pen): string {
  const chamber = (turn: number) =>
    pen.at(0, 0, { turn }, () => {
      const seeds = [
        [-14, -52],
        [12, -56],
        [-2, -40],
        [-22, -38],
        [20, -40],
      ] as const;
      return (
        pen.fill(
          smooth([
            [0, -22],
            [28, -40],
            [26, -62],
            [0, -70],
            [-26, -62],
            [-28, -40],
          ]),
          '#c93a2b',
        ) + seeds.map(([x, y]) => pen.fill(oval(x, y, 4.2, 6.4, x), '#f7d488')).join('')
      );
    });
  return (
    pen.fill(oval(6, 7, 96, 92), tomatoRed.shade) +
    pen.fill(oval(0, 0, 96, 92), tomatoRed.base) +
    pen.fill(oval(0, 0, 84, 80), '#f28f76') +
    [0, 72, 144, 216, 288].map(chamber).join('') +
    pen.fill(oval(0, 0, 17, 16), '#f7b39b')
  );
}

/** Heirloom tomatoes, one of them halved. */
export function tomatoes(pen: Pen): string {
  return (
    pen.shadow(390, 506, 310, 36, shadow) +
    pen.at(398, 228, { turn: 4, scale: 1.16 }, () => wholeTomato(pen, tomatoPlum)) +
    pen.at(246, 362, { turn: -8, scale: 1.24 }, () => wholeTomato(pen, tomatoGold)) +
    pen.at(478, 372, { turn: 5, scale: 1.36 }, () => wholeTomato(pen, tomatoRed)) +
    pen.at(340, 446, { turn: -10, scale: 0.94 }, () => halfTomato(pen))
  );
}

const carrotOrange: Tones = { light: '#f9a65a', base: '#f08432', shade: '#d1641f' };
const carrotGold: Tones = { light: '#fbd27c', base: '#f3b441', shade: '#d8922a' };
const carrotPlum: Tones = { light: '#a86a93', base: '#83456f', shade: '#663257' };

function carrot(pen: Pen, length: number, width: number, tones: Tones): string {
  const half = width / 2;
  const root = lathe([
    [0, -6],
    [half * 0.8, -2],
    [half, length * 0.12],
    [half * 0.78, length * 0.45],
    [half * 0.42, length * 0.8],
    [half * 0.1, length * 0.98],
    [0, length],
  ]);
  const rings = [0.1, 0.2, 0.33, 0.45, 0.6, 0.74].map((t, index) => {
    const w = half * (1 - t * 0.85);
    const x = index % 2 === 0 ? -w : w * 0.25;
    return pen.line(`M${x} ${length * t}q${w * 0.35} 4 ${w * 0.75} 1`, tones.shade, 3.4, 0.8);
  });
  return pen.body(root, tones, half * 0.36, { over: rings.join('') });
}

function frond(pen: Pen, length: number, tones: Tones): string {
  const parts = [pen.line(`M0 0Q${length * 0.06} ${-length * 0.5} 0 ${-length}`, tones.shade, 6)];
  for (let step = 0; step <= 8; step += 1) {
    const t = 0.28 + step * 0.088;
    const size = length * (0.27 - Math.abs(t - 0.55) * 0.26);
    for (const side of [-1, 1]) {
      parts.push(
        pen.at(length * 0.06 * Math.sin(Math.PI * t), -length * t, { turn: side * 54 }, () =>
          [-30, 0, 30]
            .map((turn) =>
              pen.at(0, turn === 0 ? 0 : -size * 0.3, { turn }, () =>
                pen.leaf(size * (turn === 0 ? 1 : 0.62), size * 0.36, tones, { rib: false }),
              ),
            )
            .join(''),
        ),
      );
    }
  }
  parts.push(pen.at(0, -length * 0.96, {}, () => pen.leaf(length * 0.18, length * 0.1, tones)));
  return parts.join('');
}

/** A bunch of carrots in three colours, with their tops. */
export function carrots(pen: Pen): string {
  const knot: Point = [446, 292];
  const roots: [number, number, number, Tones][] = [
    [21, 318, 76, carrotPlum],
    [-25, 300, 72, carrotOrange],
    [11, 352, 78, carrotGold],
    [-14, 350, 76, carrotPlum],
    [-1, 384, 84, carrotOrange],
  ];
  return (
    pen.fill(oval(340, 500, 250, 30, -3), shadow) +
    pen.at(knot[0], knot[1], { turn: 64, scale: 1.04 }, () =>
      [-40, 34, -20, 17, -2]
        .map((turn, index) =>
          pen.at(turn * 0.7, -2, { turn }, () =>
            frond(pen, 232 - (index % 2) * 26, index % 2 === 0 ? leafGreen : stemGreen),
          ),
        )
        .concat(
          roots.map(([turn, length, width, tones], index) =>
            pen.at(turn * -1.25, 4 + index * 2, { turn }, () => carrot(pen, length, width, tones)),
          ),
        )
        .concat(
          pen.line('M-38 -34Q0 -22 38 -34', '#c9a36a', 8),
          pen.line('M-38 -24Q0 -12 38 -24', '#b58d54', 7),
        )
        .join(''),
    )
  );
}

const kernelTones: Tones = { light: '#fde08a', base: '#f6c544', shade: '#dca02a' };
const husk: Tones = { light: '#cfe09a', base: '#9dc162', shade: '#739a44' };

function cob(pen: Pen, length: number, width: number): string {
  const half = width / 2;
  const outline = lathe([
    [0, -length],
    [half * 0.5, -length * 0.96],
    [half * 0.9, -length * 0.78],
    [half, -length * 0.4],
    [half * 0.92, 0],
    [0, half * 0.4],
  ]);
  const kernels: string[] = [];
  const columns = [-0.84, -0.52, -0.17, 0.19, 0.54, 0.85];
  const rows = Math.round(length / 19);
  columns.forEach((column, index) => {
    const w = half * (0.36 - Math.abs(column) * 0.12);
    const tone =
      column > 0.7 ? '#e6ae33' : column > 0.4 ? '#efba3c' : column < -0.4 ? '#fcdb7a' : '#f9d05a';
    for (let row = 0; row <= rows; row += 1) {
      const y = -row * 19 + (index % 2) * 9;
      const pinch = Math.sqrt(Math.max(0, 1 - Math.max(0, (-y / length - 0.62) / 0.42) ** 2));
      kernels.push(pen.fill(box(column * half * pinch - w / 2, y - 8, w, 16.5, 6.5), tone));
    }
  });
  return pen.within(outline, pen.fill(outline, kernelTones.shade) + kernels.join(''));
}

function huskedCorn(pen: Pen, length: number): string {
  const blade = (points: Point[], rib: Point[], tones: Tones) =>
    pen.body(smooth(points), tones, 10) + pen.fill(taper(rib, 6, 2), tones.light);
  const pale: Tones = { light: '#e4edbe', base: '#c3d98b', shade: '#9dc162' };
  const left: Point[] = [
    [0, 96],
    [-52, 62],
    [-84, -10],
    [-104, -96],
    [-140, -152],
    [-80, -124],
    [-40, -60],
    [-8, 20],
  ];
  const right = left.map(([x, y]): Point => [-x * 1.02, y * 0.9 + 8]).reverse();
  return (
    blade(
      [
        [0, 70],
        [-60, 10],
        [-62, -90],
        [-92, -190],
        [-30, -130],
        [10, -20],
      ],
      [
        [-20, 40],
        [-44, -60],
        [-76, -160],
      ],
      pale,
    ) +
    blade(
      [
        [0, 70],
        [-10, -20],
        [34, -128],
        [96, -176],
        [62, -84],
        [60, 10],
      ],
      [
        [20, 40],
        [44, -60],
        [78, -150],
      ],
      pale,
    ) +
    pen.fill(
      taper(
        [
          [0, 76],
          [3, 104],
          [0, 128],
        ],
        40,
        30,
      ),
      husk.shade,
    ) +
    cob(pen, length, 124) +
    blade(
      right,
      [
        [14, 70],
        [66, -10],
        [124, -120],
      ],
      husk,
    ) +
    blade(
      left,
      [
        [-14, 70],
        [-66, -10],
        [-124, -136],
      ],
      husk,
    ) +
    blade(
      [
        [0, 104],
        [-48, 74],
        [-54, 10],
        [-24, -66],
        [8, -130],
        [30, -60],
        [56, 12],
        [46, 74],
      ],
      [
        [0, 92],
        [2, 0],
        [8, -104],
      ],
      husk,
    )
  );
}

/** Ears of sweetcorn, half out of their husks. */
export function sweetcorn(pen: Pen): string {
  return (
    pen.fill(oval(410, 500, 270, 34), shadow) +
    pen.at(526, 384, { turn: 24, scale: 1.12 }, () => huskedCorn(pen, 286)) +
    pen.at(302, 376, { turn: -16, scale: 1.2 }, () => huskedCorn(pen, 290))
  );
}

const potatoSkin: Tones = { light: '#ecca8b', base: '#d9ac63', shade: '#b98845' };

function potato(pen: Pen, rx: number, ry: number, seed: number): string {
  const outline = smooth(around(9, rx, ry, (index) => 0.97 + 0.06 * Math.sin(index * 1.4 + seed)));
  const eyes = Array.from({ length: 5 }, () => {
    const x = pen.random.between(-rx * 0.65, rx * 0.6);
    const y = pen.random.between(-ry * 0.6, ry * 0.62);
    return pen.line(`M${x - 6} ${y}q6 5 13 0`, potatoSkin.shade, 4);
  });
  const specks = Array.from({ length: 9 }, () =>
    pen.fill(
      oval(pen.random.between(-rx, rx) * 0.8, pen.random.between(-ry, ry) * 0.8, 2.6, 2.6),
      potatoSkin.shade,
      0.6,
    ),
  );
  return pen.body(outline, potatoSkin, ry * 0.24, {
    lit: 12,
    over: eyes.join('') + specks.join(''),
  });
}

/** A heap of yellow potatoes, one of them cut. */
export function potatoes(pen: Pen): string {
  const place = (x: number, y: number, turn: number, rx: number, ry: number, seed: number) =>
    pen.at(x, y, { turn }, () => potato(pen, rx, ry, seed));
  const cut = pen.at(572, 452, { turn: -12 }, () => {
    const face = smooth(around(9, 96, 72, (index) => 0.97 + 0.05 * Math.sin(index * 2.1)));
    return (
      pen.at(8, 9, {}, () => pen.fill(face, potatoSkin.shade)) +
      pen.fill(face, '#d9ac63') +
      pen.at(0, 0, { scale: 0.92 }, () => pen.body(face, cutPotato, 12)) +
      pen.line('M-52 4Q0 22 54 -6', '#f3dc96', 4)
    );
  });
  return (
    pen.shadow(400, 502, 320, 38, shadow) +
    place(470, 400, 8, 112, 82, 1) +
    place(396, 250, 8, 112, 82, 1) +
    place(266, 322, -30, 116, 86, 3) +
    place(534, 318, 24, 118, 88, 5) +
    place(400, 356, -8, 118, 86, 2) +
    place(212, 432, 14, 114, 80, 6) +
    place(384, 444, -4, 128, 84, 4) +
    cut
  );
}

const cutPotato: Tones = { light: '#fff6d6', base: '#fbeab4', shade: '#f0d98f' };

const onionSkin: Tones = { light: '#c4618c', base: '#9d3a68', shade: '#7a294f' };

function onion(pen: Pen): string {
  const outline = lathe([
    [5, -146],
    [9, -112],
    [26, -92],
    [86, -62],
    [112, 0],
    [92, 62],
    [40, 92],
    [0, 96],
  ]);
  const meridian = (bulge: number, tone: string) =>
    pen.line(
      `M${bulge * 0.08} -112C${bulge * 0.2} -70 ${bulge} -50 ${bulge} 4S${bulge * 0.4} 84 0 94`,
      tone,
      3.2,
      0.75,
    );
  const lines =
    meridian(-72, onionSkin.light) +
    meridian(-36, onionSkin.light) +
    meridian(6, onionSkin.shade) +
    meridian(48, onionSkin.shade) +
    meridian(82, onionSkin.shade);
  const roots = [-14, -7, 0, 7, 14]
    .map((x) =>
      pen.line(`M${x * 0.5} 92Q${x} 102 ${x * 1.5} ${110 - Math.abs(x) * 0.3}`, '#d9c59a', 2.6),
    )
    .join('');
  return (
    roots +
    pen.body(outline, onionSkin, 22, { over: lines + pen.gloss(-4, 4, 100, '#dd8fb0', 1.2) }) +
    pen.fill(
      taper(
        [
          [0, -108],
          [4, -134],
          [-6, -160],
        ],
        17,
        6,
      ),
      '#c99a76',
    )
  );
}

/** Red onions, one halved to show its rings. */
export function onions(pen: Pen): string {
  const half = pen.at(552, 440, { turn: 8, scale: 1.05 }, () => {
    const rings = [1, 0.86, 0.7, 0.53, 0.36, 0.2].map((scale, index) => {
      const tone = index % 2 === 0 ? '#b95a87' : '#f6e4ec';
      return pen.fill(oval(0, 0, 100 * scale, 92 * scale), tone);
    });
    return (
      pen.fill(oval(8, 9, 104, 96), onionSkin.shade) +
      pen.fill(oval(0, 0, 104, 96), onionSkin.base) +
      pen.fill(oval(0, 0, 98, 90), '#f8eaf0') +
      rings
        .map((_, index) => {
          const scale = 0.84 - index * 0.145;
          return index > 4
            ? ''
            : pen.line(oval(0, 0, 98 * scale, 90 * scale), index % 2 ? '#cf86a8' : '#b95a87', 6);
        })
        .join('') +
      pen.fill(oval(0, 0, 12, 10), '#cf86a8')
    );
  });
  return (
    pen.shadow(400, 502, 300, 36, shadow) +
    pen.at(494, 318, { turn: 14, scale: 1.14 }, () => onion(pen)) +
    pen.at(284, 384, { turn: -8, scale: 1.26 }, () => onion(pen)) +
    half
  );
}

const garlicWhite: Tones = { light: '#ffffff', base: '#f6efe6', shade: '#d9c8cf' };

function garlicBulb(pen: Pen): string {
  const outline = smooth([
    [-8, -168],
    [10, -168],
    [16, -110],
    [60, -78],
    [104, -18],
    [96, 54],
    [46, 84],
    [0, 80],
    [-46, 84],
    [-96, 54],
    [-104, -18],
    [-60, -78],
    [-14, -110],
  ]);
  const cloves =
    pen.fill(
      smooth([
        [0, -104],
        [34, -56],
        [44, 10],
        [24, 74],
        [0, 82],
        [-24, 74],
        [-44, 10],
        [-34, -56],
      ]),
      '#fffaf3',
    ) +
    ['M10 -112C70 -70 82 0 58 78', 'M-10 -112C-70 -70 -82 0 -58 78']
      .map((path) => pen.line(path, '#cbb2c0', 4))
      .join('') +
    ['M4 -104C40 -60 50 10 26 78', 'M-4 -104C-40 -60 -50 10 -26 78']
      .map((path) => pen.line(path, '#dcc9d2', 4))
      .join('') +
    ['M74 -36Q96 10 84 44', 'M-74 -36Q-96 10 -84 44', 'M0 -70Q8 0 0 56']
      .map((path) => pen.line(path, '#b893ad', 4, 0.6))
      .join('');
  const roots = [-22, -12, 0, 12, 22]
    .map((x) => pen.line(`M${x * 0.7} 78l${x * 0.35} 14`, '#cdb88f', 3.4))
    .join('');
  return roots + pen.body(outline, garlicWhite, 18, { over: cloves });
}

function garlicClove(pen: Pen, turn: number, x: number, y: number): string {
  const outline = smooth([
    [0, -66],
    [14, -34],
    [38, 10],
    [26, 44],
    [-18, 46],
    [-32, 14],
    [-16, -30],
  ]);
  const skin: Tones = { light: '#f3dfe6', base: '#e8cdd8', shade: '#c99fb4' };
  return pen.at(x, y, { turn }, () =>
    pen.body(outline, skin, 13, {
      over:
        pen.line('M-4 -50Q-22 -6 -16 36', '#f8ecf0', 5) +
        pen.line('M6 -46Q18 0 8 38', '#c99fb4', 3),
    }),
  );
}

/** Heads of hardneck garlic with loose cloves. */
export function garlic(pen: Pen): string {
  return (
    pen.shadow(400, 498, 290, 34, shadow) +
    pen.at(500, 336, { turn: 12, scale: 1.24 }, () => garlicBulb(pen)) +
    pen.at(304, 392, { turn: -10, scale: 1.32 }, () => garlicBulb(pen)) +
    garlicClove(pen, 64, 470, 478) +
    garlicClove(pen, -40, 570, 452) +
    garlicClove(pen, 100, 628, 490)
  );
}

const beetSkin: Tones = { light: '#b1476f', base: '#8c2750', shade: '#661a3b' };
const beetStalk: Tones = { light: '#d8507f', base: '#b92f63', shade: '#92214d' };
const beetLeaf: Tones = { light: '#c2476f', base: '#558f4a', shade: '#3c7140' };

function beet(pen: Pen): string {
  const outline = lathe([
    [0, -86],
    [40, -84],
    [92, -48],
    [104, 8],
    [78, 66],
    [30, 100],
    [10, 124],
    [3, 158],
    [0, 176],
  ]);
  const scars = [
    [-62, 20, 34],
    [-24, 60, 40],
    [26, 34, 44],
    [-36, -52, 30],
  ].map(([x = 0, y = 0, w = 0]) =>
    pen.line(`M${x} ${y}q${w / 2} 8 ${w} 0`, beetSkin.shade, 4, 0.8),
  );
  return pen.body(outline, beetSkin, 22, {
    over: scars.join('') + pen.gloss(-4, -2, 96, '#d27a9b', 1.25),
  });
}

function beetTop(pen: Pen, reach: number, turn: number): string {
  return pen.at(
    0,
    -74,
    { turn },
    () =>
      pen.fill(
        taper(
          [
            [0, 8],
            [2, -reach * 0.4],
            [0, -reach * 0.62],
          ],
          15,
          8,
        ),
        beetStalk.base,
      ) +
      pen.at(0, -reach * 0.42, {}, () =>
        pen.leaf(reach * 0.74, reach * 0.36, beetLeaf, { bend: turn * 0.5, veins: 4 }),
      ),
  );
}

function halfBeet(pen: Pen): string {
  const rings = [94, 76, 58, 40, 22].map((r, index) =>
    pen.line(oval(0, 0, r - 6, r - 9), index % 2 === 0 ? '#8c2750' : '#d05a86', 7),
  );
  return (
    pen.fill(oval(7, 8, 98, 92), beetSkin.shade) +
    pen.fill(oval(0, 0, 98, 92), beetSkin.base) +
    pen.fill(oval(0, 0, 90, 83), '#b8386b') +
    rings.join('') +
    pen.fill(oval(0, 0, 10, 9), '#d05a86')
  );
}

/** Beetroot with their tops, one halved to show its rings. */
export function beetroot(pen: Pen): string {
  const whole = (x: number, y: number, turn: number, tops: number[]) =>
    pen.at(
      x,
      y,
      { turn, scale: 1.08 },
      () => tops.map((lean, index) => beetTop(pen, 214 - index * 16, lean)).join('') + beet(pen),
    );
  return (
    pen.shadow(400, 506, 290, 34, shadow) +
    whole(502, 372, 16, [-28, 34, 3]) +
    whole(290, 374, -14, [28, -34, -3]) +
    pen.at(444, 456, { turn: -8, scale: 0.98 }, () => halfBeet(pen))
  );
}

const pepperRed: Tones = { light: '#f2806a', base: '#d93f33', shade: '#b02a28' };
const pepperGold: Tones = { light: '#fde08a', base: '#f5b932', shade: '#db931f' };
const pepperGreen: Tones = { light: '#a8cf72', base: '#67a345', shade: '#478037' };

function bellPepper(pen: Pen, tones: Tones): string {
  const outline = smooth([
    [-10, -84],
    [-54, -104],
    [-104, -74],
    [-112, -4],
    [-88, 76],
    [-54, 118],
    [-22, 104],
    [4, 120],
    [38, 110],
    [66, 112],
    [96, 64],
    [114, -6],
    [104, -76],
    [56, -104],
    [14, -86],
  ]);
  const lobe = (points: Point[], tone: string, opacity: number) =>
    pen.fill(taper(points, 5, 13), tone, opacity);
  const over =
    lobe(
      [
        [-14, -82],
        [-46, -40],
        [-46, 40],
        [-24, 104],
      ],
      tones.shade,
      0.5,
    ) +
    lobe(
      [
        [14, -82],
        [52, -46],
        [54, 34],
        [36, 108],
      ],
      tones.shade,
      0.7,
    ) +
    pen.fill(
      smooth([
        [-84, -62],
        [-70, -66],
        [-70, -20],
        [-80, 26],
        [-90, 0],
        [-92, -36],
      ]),
      tones.light,
    ) +
    pen.fill(
      smooth([
        [-14, -46],
        [0, -52],
        [6, -16],
        [0, 22],
        [-12, 0],
      ]),
      tones.light,
      0.75,
    );
  return (
    pen.body(outline, tones, 20, { over }) +
    pen.fill(
      smooth([
        [0, -74],
        [-30, -82],
        [-40, -96],
        [-14, -98],
        [0, -106],
        [16, -98],
        [42, -98],
        [30, -82],
      ]),
      '#4f8a3c',
    ) +
    pen.fill(
      taper(
        [
          [0, -88],
          [2, -118],
          [20, -146],
        ],
        26,
        19,
      ),
      '#6fa548',
    ) +
    pen.fill(oval(21, -146, 11, 7, 30), '#a8cf72')
  );
}

/** Sweet peppers in red, yellow and green. */
export function peppers(pen: Pen): string {
  return (
    pen.shadow(400, 506, 300, 36, shadow) +
    pen.at(402, 262, { turn: 6, scale: 1.12 }, () => bellPepper(pen, pepperGreen)) +
    pen.at(536, 378, { turn: 16, scale: 1.14 }, () => bellPepper(pen, pepperGold)) +
    pen.at(290, 378, { turn: -12, scale: 1.22 }, () => bellPepper(pen, pepperRed))
  );
}

const pumpkinSkin: Tones = { light: '#f9ab5c', base: '#ee8633', shade: '#cd6520' };
const pumpkinPale: Tones = { light: '#f7f0dc', base: '#e9dcb9', shade: '#cdb98d' };

function gourd(pen: Pen, tones: Tones, middle: string): string {
  const rib = (x: number, rx: number, tone: Tones, depth: number) =>
    pen.body(oval(x, 4 + Math.abs(x) * 0.035, rx, 132 - Math.abs(x) * 0.13), tone, depth);
  const duller: Tones = { light: tones.light, base: tones.shade, shade: tones.shade };
  return (
    rib(-112, 62, { ...tones, base: middle }, 8) +
    rib(116, 62, duller, 8) +
    rib(-66, 70, tones, 13) +
    rib(74, 68, { ...tones, base: middle }, 16) +
    rib(0, 68, tones, 15) +
    pen.fill(oval(-92, -40, 11, 40, 12), tones.light) +
    pen.fill(oval(-24, -54, 11, 34, 6), tones.light) +
    pen.body(
      smooth([
        [-30, -112],
        [-14, -138],
        [-22, -184],
        [-4, -206],
        [24, -200],
        [18, -160],
        [24, -130],
        [38, -112],
        [4, -102],
      ]),
      { light: '#b4a05c', base: '#8a8a48', shade: '#6c6c38' },
      12,
    )
  );
}

/** A sugar pumpkin with a small pale one, a leaf and a tendril. */
export function pumpkin(pen: Pen): string {
  return (
    pen.shadow(410, 500, 300, 38, shadow) +
    pen.at(238, 262, { turn: -62 }, () => pen.leaf(168, 132, leafGreen, { veins: 4 })) +
    pen.at(366, 346, { scale: 1.26 }, () => gourd(pen, pumpkinSkin, '#e0772a')) +
    pen.line('M392 108C470 84 500 130 466 146S430 112 478 104S560 112 566 150', '#6c8a3c', 7) +
    pen.at(590, 430, { turn: 6, scale: 0.62 }, () => gourd(pen, pumpkinPale, '#dccda3'))
  );
}

const capBrown: Tones = { light: '#c99c73', base: '#a6744c', shade: '#825636' };
const stemCream: Tones = { light: '#fffaf0', base: '#f4e8d6', shade: '#d9c4a8' };

function cremini(pen: Pen): string {
  const cap = smooth([
    [-112, 8],
    [-104, -44],
    [-58, -92],
    [0, -104],
    [60, -92],
    [106, -44],
    [112, 8],
    [92, 28],
    [0, 34],
    [-92, 28],
  ]);
  const stem = smooth([
    [-36, 10],
    [-34, 60],
    [-46, 100],
    [-20, 118],
    [22, 118],
    [46, 100],
    [34, 60],
    [36, 10],
  ]);
  const flecks = [
    [-62, -30, 10],
    [-20, -62, 12],
    [38, -58, 9],
    [8, -24, 8],
    [66, -20, 8],
    [-30, -8, 7],
  ].map(([x = 0, y = 0, r = 0]) => pen.fill(oval(x, y, r, r * 0.55, x * 0.3), capBrown.light, 0.6));
  return (
    pen.body(stem, stemCream, 14) +
    pen.fill(oval(0, 22, 62, 17), '#8d6547') +
    pen.body(cap, capBrown, 20, {
      over: flecks.join('') + pen.gloss(-8, -16, 98, '#e6c8a6', 1.2),
    })
  );
}

function slicedCremini(pen: Pen): string {
  const outline = smooth([
    [0, -98],
    [62, -82],
    [104, -30],
    [98, 16],
    [60, 22],
    [36, 30],
    [34, 74],
    [40, 108],
    [0, 118],
    [-40, 108],
    [-34, 74],
    [-36, 30],
    [-60, 22],
    [-98, 16],
    [-104, -30],
    [-62, -82],
  ]);
  return (
    pen.at(8, 8, {}, () => pen.fill(outline, capBrown.shade)) +
    pen.fill(outline, capBrown.base) +
    pen.at(0, 3, { scale: 0.91 }, () => pen.body(outline, stemCream, 8)) +
    [-1, 1]
      .map((side) =>
        pen.fill(
          smooth(
            (
              [
                [92, 6],
                [66, -2],
                [40, 6],
                [33, 26],
                [60, 13],
              ] as const
            ).map(([x, y]): Point => [x * side, y]),
          ),
          '#b58f6c',
        ),
      )
      .join('')
  );
}

/** Cremini mushrooms, one cut through. */
export function mushrooms(pen: Pen): string {
  return (
    pen.shadow(400, 508, 310, 36, shadow) +
    pen.at(424, 244, { turn: -3, scale: 1.22 }, () => cremini(pen)) +
    pen.at(250, 376, { turn: -14, scale: 1.2 }, () => cremini(pen)) +
    pen.at(560, 372, { turn: 16, scale: 1.14 }, () => cremini(pen)) +
    pen.at(414, 416, { turn: 4, scale: 1 }, () => slicedCremini(pen))
  );
}

const floretTones: Tones = { light: '#7fb56b', base: '#4e8f4f', shade: '#34703f' };
const stalkTones: Tones = { light: '#d5e5a8', base: '#b4cd7e', shade: '#8fae5d' };

function floret(pen: Pen, r: number): string {
  const bumps = around(11, r, r * 0.94, (index) => 0.96 + 0.05 * Math.sin(index * 2.7));
  const buds = Array.from({ length: Math.round(r / 4.2) }, () => {
    const [x, y] = toward(pen.random.between(0, 360), r * 0.82 * Math.sqrt(pen.random.next()));
    const [lx, ly] = pen.lightward(1);
    const bright = x * lx + y * ly > r * 0.05;
    return pen.fill(oval(x, y, 4.6, 4.2), bright ? floretTones.light : floretTones.shade, 0.85);
  });
  return pen.body(scallop(bumps, 0.6), floretTones, r * 0.26, { over: buds.join('') });
}

/** A head of broccoli. */
export function broccoli(pen: Pen): string {
  const stalk = smooth([
    [-64, -20],
    [-58, 60],
    [-66, 156],
    [0, 172],
    [66, 156],
    [58, 60],
    [64, -20],
  ]);
  const branch = (points: Point[], from: number, to: number) =>
    pen.fill(taper(points, from, to), stalkTones.shade);
  const crown: [number, number, number][] = [
    [-180, -40, 66],
    [184, -38, 66],
    [-118, -116, 76],
    [124, -114, 76],
    [2, -160, 86],
    [-92, -6, 72],
    [98, -4, 72],
    [-52, -78, 78],
    [60, -76, 78],
    [4, -4, 80],
  ];
  return (
    pen.shadow(404, 514, 170, 30, shadow) +
    pen.at(
      400,
      330,
      { scale: 1.12 },
      () =>
        branch(
          [
            [-30, 90],
            [-90, 40],
            [-130, -10],
          ],
          70,
          44,
        ) +
        branch(
          [
            [30, 90],
            [92, 40],
            [132, -10],
          ],
          70,
          44,
        ) +
        pen.body(stalk, stalkTones, 20) +
        pen.line('M-20 150Q-26 100 -14 74M22 150Q24 110 16 84', stalkTones.shade, 5) +
        crown.map(([x, y, r]) => pen.at(x, y, {}, () => floret(pen, r))).join(''),
    ) +
    pen.at(
      618,
      488,
      { turn: 30 },
      () =>
        pen.fill(
          taper(
            [
              [0, 10],
              [0, 40],
              [6, 60],
            ],
            40,
            28,
          ),
          stalkTones.base,
        ) + floret(pen, 44),
    )
  );
}

const eggplantSkin: Tones = { light: '#8d6bb0', base: '#563579', shade: '#3d2359' };
const eggplantPale: Tones = { light: '#e3c9e8', base: '#b58cc4', shade: '#8f67a3' };

function aubergine(pen: Pen, tones: Tones, streaks: string): string {
  const outline = lathe([
    [0, -150],
    [40, -142],
    [58, -104],
    [66, -36],
    [98, 50],
    [96, 116],
    [56, 160],
    [0, 170],
  ]);
  return (
    pen.body(outline, tones, 26, {
      over:
        streaks +
        pen.fill(
          smooth([
            [-40, -80],
            [-28, -86],
            [-28, -20],
            [-48, 66],
            [-66, 96],
            [-72, 64],
            [-50, -10],
          ]),
          tones.light,
        ),
    }) +
    pen.fill(
      taper(
        [
          [0, -140],
          [-4, -176],
          [12, -206],
        ],
        28,
        20,
      ),
      stemGreen.shade,
    ) +
    pen.body(
      smooth([
        [0, -168],
        [36, -162],
        [62, -126],
        [66, -78],
        [34, -112],
        [14, -84],
        [-2, -112],
        [-30, -70],
        [-38, -112],
        [-66, -84],
        [-58, -132],
        [-32, -162],
      ]),
      { light: '#a5cc74', base: '#6da349', shade: '#4d823a' },
      11,
    )
  );
}

/** Eggplants, dark and striped. */
export function eggplant(pen: Pen): string {
  const stripes = [-70, -34, 8, 44, 76]
    .map((x) =>
      pen.fill(
        taper(
          [
            [x * 0.4, -140],
            [x * 0.6, -20],
            [x, 70],
            [x * 0.9, 150],
          ],
          5,
          15,
        ),
        '#f0e2f2',
        0.75,
      ),
    )
    .join('');
  return (
    pen.shadow(404, 502, 300, 36, shadow) +
    pen.at(536, 326, { turn: 36, scale: 1.14 }, () => aubergine(pen, eggplantPale, stripes)) +
    pen.at(318, 318, { turn: -26, scale: 1.26 }, () => aubergine(pen, eggplantSkin, ''))
  );
}

const podTones: Tones = { light: '#b9dc7a', base: '#86b84e', shade: '#5f9440' };
const peaTones: Tones = { light: '#dcefa0', base: '#a9d162', shade: '#7fae47' };

function pea(pen: Pen, x: number, y: number, r: number): string {
  return pen.at(x, y, {}, () =>
    pen.body(oval(0, 0, r, r), peaTones, r * 0.3, { over: pen.gloss(0, 0, r, '#f3fbd0', 1.1) }),
  );
}

function closedPod(pen: Pen, length: number): string {
  const half = length / 2;
  const outline = smooth([
    [-half, -4],
    [-half * 0.6, -34],
    [0, -46],
    [half * 0.6, -36],
    [half, -10],
    [half * 1.12, -22],
    [half * 0.98, 6],
    [half * 0.55, 34],
    [0, 42],
    [-half * 0.6, 32],
  ]);
  const bumps = [-0.6, -0.3, 0, 0.3, 0.6].map((t) =>
    pen.line(`M${t * half - 16} -8q16 -22 32 0`, podTones.light, 6, 0.9),
  );
  return (
    pen.body(outline, podTones, 15, { over: bumps.join('') }) +
    pen.at(
      -half,
      -4,
      { turn: -90 },
      () =>
        pen.leaf(34, 26, stemGreen, { rib: false }) + pen.line('M0 -10Q4 -34 -6 -52', '#6f9a45', 8),
    )
  );
}

function openPod(pen: Pen, length: number, count: number): string {
  const half = length / 2;
  const back = smooth([
    [-half, 0],
    [-half * 0.55, -46],
    [0, -60],
    [half * 0.55, -48],
    [half, -8],
    [half * 0.6, 22],
    [0, 34],
    [-half * 0.6, 22],
  ]);
  const front = smooth([
    [-half, 0],
    [-half * 0.5, 10],
    [0, 14],
    [half * 0.5, 8],
    [half, -8],
    [half * 1.1, -22],
    [half * 0.98, 10],
    [half * 0.55, 48],
    [0, 60],
    [-half * 0.6, 46],
  ]);
  const peas = Array.from({ length: count }, (_, index) => {
    const t = (index + 0.5) / count - 0.5;
    const r = 37 - Math.abs(t) * 24;
    return pea(pen, t * length * 0.84, -6 + t * t * 18, r);
  });
  return (
    pen.body(back, { light: '#cfe59a', base: '#6d9f44', shade: '#5a8c3c' }, 10) +
    peas.join('') +
    pen.body(front, podTones, 14, { lit: 8 }) +
    pen.at(
      -half + 4,
      2,
      { turn: -90 },
      () =>
        pen.leaf(38, 30, stemGreen, { rib: false }) + pen.line('M0 -10Q4 -36 -8 -58', '#6f9a45', 8),
    )
  );
}

/** Shelling peas, open and closed, with a few loose. */
export function peas(pen: Pen): string {
  return (
    pen.shadow(404, 500, 310, 36, shadow) +
    pen.at(428, 170, { turn: -16, scale: 1.1 }, () => closedPod(pen, 380)) +
    pen.at(372, 272, { turn: 12, scale: 1.16 }, () => closedPod(pen, 400)) +
    pen.at(410, 388, { turn: -8, scale: 1.22 }, () => openPod(pen, 430, 7)) +
    pea(pen, 214, 486, 33) +
    pea(pen, 290, 502, 30) +
    pea(pen, 588, 480, 32)
  );
}

const chileGreen: Tones = { light: '#b2d57a', base: '#6ea544', shade: '#4c8136' };
const chileRed: Tones = { light: '#f2846c', base: '#d1402f', shade: '#a62a26' };

function chile(pen: Pen, length: number, tones: Tones): string {
  const spine: Point[] = [
    [0, 0],
    [-8, length * 0.3],
    [2, length * 0.65],
    [34, length],
  ];
  const outline = smooth([
    [-36, 6],
    [-48, length * 0.18],
    [-44, length * 0.45],
    [-22, length * 0.74],
    [30, length],
    [26, length * 0.74],
    [40, length * 0.4],
    [44, length * 0.16],
    [34, 4],
    [0, -8],
  ]);
  return (
    pen.body(outline, tones, 15, {
      over: pen.fill(
        taper(
          spine.slice(0, 3).map(([x, y]): Point => [x - 22 + y * 0.03, y + 34]),
          11,
          5,
        ),
        tones.light,
      ),
    }) +
    pen.fill(
      smooth([
        [-40, 16],
        [-30, -14],
        [0, -24],
        [30, -14],
        [38, 14],
        [18, 6],
        [0, 14],
        [-18, 6],
      ]),
      '#4f8a3c',
    ) +
    pen.fill(
      taper(
        [
          [0, -16],
          [-4, -44],
          [10, -74],
        ],
        17,
        12,
      ),
      '#86b257',
    )
  );
}

/** A fan of long green chiles with two that ripened red. */
export function chiles(pen: Pen): string {
  const heap: [number, number, number, number, Tones][] = [
    [642, 190, 72, 400, chileGreen],
    [196, 218, -66, 380, chileRed],
    [664, 296, 84, 430, chileGreen],
    [164, 318, -80, 420, chileGreen],
    [640, 410, 96, 410, chileRed],
    [186, 424, -88, 430, chileGreen],
  ];
  return (
    pen.shadow(396, 486, 300, 36, shadow) +
    heap
      .map(([x, y, turn, length, tones]) =>
        pen.at(x, y, { turn, scale: 1.12 }, () => chile(pen, length, tones)),
      )
      .join('')
  );
}
