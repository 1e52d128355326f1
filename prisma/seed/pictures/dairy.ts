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
} from './pen.ts';
import { leafGreen } from './tones.ts';
import { board } from './wares.ts';

const { shadow } = grounds.dairy;

const eggTones: Tones[] = [
  { light: '#f3cfa6', base: '#dfa873', shade: '#bd8352' },
  { light: '#fffaf0', base: '#f6e8d3', shade: '#d9c2a3' },
  { light: '#d7e9dc', base: '#aecdbf', shade: '#86ac9d' },
  { light: '#e3b78f', base: '#c4895a', shade: '#a06a40' },
];

function egg(pen: Pen, tones: Tones, speckled = false): string {
  const outline = lathe([
    [0, -72],
    [30, -58],
    [52, -8],
    [46, 40],
    [22, 62],
    [0, 66],
  ]);
  const specks = speckled
    ? Array.from({ length: 14 }, () =>
        pen.fill(
          oval(pen.random.between(-42, 42), pen.random.between(-56, 52), 2.8, 3.4),
          tones.shade,
          0.8,
        ),
      ).join('')
    : '';
  return pen.body(outline, tones, 14, { over: specks + pen.gloss(-2, -4, 54, tones.light, 1.5) });
}

/** A carton of eggs in four colours. */
export function eggs(pen: Pen): string {
  const pulp: Tones = { light: '#b9b3a4', base: '#9c9585', shade: '#7d7667' };
  const row = (y: number, count: number, gap: number, scale: number, first: number) =>
    Array.from({ length: count }, (_, index) => {
      const tones = eggTones[(index * 3 + first) % 4] ?? { light: '', base: '', shade: '' };
      return pen.at(
        400 + (index - (count - 1) / 2) * gap,
        y,
        { scale, turn: ((index * 37 + first * 11) % 9) - 4 },
        () => egg(pen, tones, (index + first) % 3 === 0),
      );
    }).join('');
  const lid = polygon([
    [136, 168],
    [664, 168],
    [700, 282],
    [100, 282],
  ]);
  const cups = (y: number, count: number, gap: number, depth: number) => {
    const half = (count * gap) / 2;
    const start = 400 - half;
    const parts = [`M${start} ${y}`];
    for (let index = 0; index < count; index += 1) {
      parts.push(
        `q${gap * 0.14} ${depth * 1.28} ${gap / 2} ${depth * 1.28}t${gap / 2} ${-depth * 1.28}`,
      );
    }
    return `${parts.join('')}V${y - 22}H${start}Z`;
  };
  return (
    pen.shadow(400, 496, 330, 34, shadow) +
    pen.fill(lid, pulp.shade) +
    pen.fill(
      polygon([
        [156, 182],
        [644, 182],
        [672, 282],
        [128, 282],
      ]),
      pulp.base,
    ) +
    [-2, -1, 0, 1, 2]
      .map((index) => pen.fill(box(400 + index * 98 - 34, 196, 68, 58, 26), pulp.light, 0.6))
      .join('') +
    pen.fill(box(104, 276, 592, 60, 20), pulp.shade) +
    row(286, 6, 90, 0.98, 1) +
    pen.fill(cups(324, 6, 96, 60), '#8b8475') +
    row(344, 6, 96, 1.1, 2) +
    pen.body(
      `M92 372Q98 476 136 488H664Q702 476 708 372Q704 360 690 372${[5, 4, 3, 2, 1, 0]
        .map((index) => `Q${116 + index * 98 + 40} 424 ${106 + index * 98} 372`)
        .join('')}Q96 360 92 372Z`,
      pulp,
      12,
    ) +
    [0, 1, 2, 3, 4]
      .map((index) =>
        pen.line(
          `M${204 + index * 98} 402Q${200 + index * 98} 440 ${204 + index * 98} 470`,
          pulp.shade,
          9,
        ),
      )
      .join('')
  );
}

const milkWhite: Tones = { light: '#ffffff', base: '#fbf8f1', shade: '#d8dfe6' };
const glass = '#f3fafc';

/** A bottle of milk with its cream on top, and a glass. */
export function milk(pen: Pen): string {
  const bottle = lathe(
    [
      [46, -236],
      [48, -200],
      [46, -150],
      [58, -104],
      [98, -46],
      [104, 0],
      [104, 180],
      [96, 204],
      [0, 210],
    ],
    0.85,
  );
  const bottleArt =
    pen.fill(bottle, '#eef5f8', 0.75) +
    pen.within(
      bottle,
      pen.at(0, 8, { scale: 0.93 }, () =>
        pen.body(bottle, milkWhite, 26, {
          over:
            pen.fill(box(-130, -260, 260, 214), '#f7e6bc') +
            pen.fill(oval(0, -46, 120, 14), '#f7e6bc') +
            pen.fill(box(34, -260, 120, 208), '#e3cb98', 0.55),
        }),
      ) +
        pen.fill(
          smooth([
            [-78, -20],
            [-64, -30],
            [-64, 60],
            [-66, 150],
            [-80, 140],
            [-82, 40],
          ]),
          '#ffffff',
          0.9,
        ) +
        pen.fill(box(-36, -210, 13, 76, 7), '#ffffff', 0.8),
    ) +
    pen.fill(oval(0, 66, 62, 62), '#6f9fc0') +
    pen.fill(oval(-2, 64, 58, 58), '#82b1cf') +
    pen.at(0, 66, { scale: 0.86 }, () => cowFace(pen)) +
    pen.body(
      box(-56, -262, 112, 44, 10),
      { light: '#f2836f', base: '#d9523f', shade: '#b53c30' },
      12,
    ) +
    pen.fill(box(-56, -232, 112, 9), '#b53c30') +
    pen.fill(box(-44, -256, 10, 18, 5), '#f2a190');
  const tumbler = smooth(
    [
      [-72, -96],
      [72, -96],
      [58, 92],
      [48, 104],
      [-48, 104],
      [-58, 92],
    ],
    true,
    0.25,
  );
  const tumblerArt =
    pen.fill(tumbler, '#eaf4f8', 0.85) +
    pen.within(
      tumbler,
      pen.at(0, 40, { scale: 0.9 }, () => pen.body(tumbler, milkWhite, 20)) +
        pen.fill(oval(0, -48, 62, 11), '#ffffff') +
        pen.fill(
          polygon([
            [-54, -86],
            [-40, -86],
            [-32, 60],
            [-42, 60],
          ]),
          glass,
          0.9,
        ),
    );
  return (
    pen.shadow(410, 506, 260, 32, shadow) +
    pen.at(340, 304, { scale: 1.02 }, () => bottleArt) +
    pen.at(562, 412, { scale: 1.02 }, () => tumblerArt)
  );
}

function cowFace(pen: Pen): string {
  const white: Tones = { light: '#ffffff', base: '#ffffff', shade: '#dfe9ef' };
  return (
    pen.at(-38, -12, { turn: -70 }, () =>
      pen.leaf(34, 20, { light: '#f5c4b8', base: '#4d4038', shade: '#4d4038' }, { rib: false }),
    ) +
    pen.at(38, -12, { turn: 70 }, () =>
      pen.leaf(34, 20, { light: '#f5c4b8', base: '#4d4038', shade: '#4d4038' }, { rib: false }),
    ) +
    pen.line('M-22 -34Q-30 -44 -26 -52M22 -34Q30 -44 26 -52', '#e9dcc0', 8) +
    pen.body(
      smooth([
        [0, -40],
        [32, -32],
        [34, 4],
        [26, 40],
        [-26, 40],
        [-34, 4],
        [-32, -32],
      ]),
      white,
      5,
      { over: pen.fill(oval(28, -20, 20, 26, 14), '#4d4038') },
    ) +
    pen.fill(oval(0, 32, 30, 19), '#f2b9ab') +
    pen.fill(oval(-11, 31, 4.5, 6), '#b9776c') +
    pen.fill(oval(11, 31, 4.5, 6), '#b9776c') +
    pen.fill(oval(-16, -8, 4.5, 6), '#3a302a') +
    pen.fill(oval(18, -8, 4.5, 6), '#ffffff')
  );
}

const cheddar: Tones = { light: '#fbd98a', base: '#f2b84a', shade: '#d9952f' };
const rind: Tones = { light: '#d9a860', base: '#bd8442', shade: '#96642f' };

/** A wheel of aged cheddar with a wedge cut out of it. */
export function cheddarWheel(pen: Pen): string {
  // The cut runs from the middle to the rim at two places; what lies between them is missing.
  const middle = '368 268';
  const near = '409 359';
  const far = '599 287';
  const top = `M${middle}L${near}A236 92 0 1 1 ${far}Z`;
  const holes = (list: readonly (readonly [number, number, number])[], color: string) =>
    list.map(([x, y, r]) => pen.fill(oval(x, y, r, r * 0.8), color)).join('');
  const wheel =
    pen.fill('M604 268V404Q604 416 599 423V287Z', rind.shade) +
    pen.fill(`M${middle}L${far}V423L368 404Z`, cheddar.shade) +
    holes(
      [
        [450, 318, 10],
        [506, 350, 12],
        [548, 312, 9],
        [564, 384, 10],
        [440, 386, 8],
      ],
      '#c07f28',
    ) +
    pen.body('M132 268V404A236 92 0 0 0 409 495V359A236 92 0 0 1 132 268Z', rind, 26, {
      over: [306, 350, 390]
        .map((y) => pen.line(`M132 ${y - 30}A236 92 0 0 0 604 ${y - 30}`, rind.shade, 4, 0.5))
        .join(''),
    }) +
    pen.within(
      top,
      pen.fill(top, rind.base) +
        pen.fill(oval(368, 268, 222, 84), cheddar.base) +
        pen.within(oval(368, 268, 222, 84), pen.fill(oval(350, 256, 216, 80), cheddar.light)) +
        holes(
          [
            [248, 252, 13],
            [300, 300, 10],
            [330, 222, 11],
            [212, 282, 8],
            [404, 216, 9],
            [500, 240, 10],
          ],
          cheddar.base,
        ),
    );
  const wedge =
    pen.fill(
      polygon([
        [-150, -20],
        [90, -86],
        [150, -4],
      ]),
      cheddar.light,
    ) +
    pen.fill(
      polygon([
        [-150, -20],
        [150, -4],
        [150, 92],
        [-150, 60],
      ]),
      cheddar.base,
    ) +
    pen.fill(
      polygon([
        [90, -86],
        [108, -86],
        [164, -4],
        [164, 92],
        [150, 92],
        [150, -4],
      ]),
      rind.base,
    ) +
    holes(
      [
        [-60, 20, 13],
        [20, 44, 10],
        [72, 18, 12],
        [112, 62, 9],
        [-10, 8, 7],
      ],
      cheddar.shade,
    ) +
    holes(
      [
        [20, -34, 9],
        [76, -40, 8],
        [70, -16, 7],
      ],
      cheddar.base,
    );
  return (
    pen.shadow(380, 492, 290, 40, shadow) +
    pen.at(-10, 4, {}, () => wheel) +
    pen.at(566, 452, { scale: 1.02 }, () => pen.fill(oval(10, 84, 176, 26), shadow) + wedge)
  );
}

const butterTones: Tones = { light: '#fdf1b4', base: '#f9df82', shade: '#e5bf58' };

/** A block of butter, partly sliced, in its paper. */
export function butter(pen: Pen): string {
  const block = (x: number, width: number, slant = 0) => {
    const depth = 62;
    return (
      pen.fill(
        polygon([
          [x, 0],
          [x + 54, -depth],
          [x + 54 + width, -depth],
          [x + width, 0],
        ]),
        butterTones.light,
      ) +
      pen.fill(
        polygon([
          [x, 0],
          [x + width, 0],
          [x + width + slant, 118],
          [x + slant, 118],
        ]),
        butterTones.base,
      ) +
      pen.fill(
        polygon([
          [x + width, 0],
          [x + width + 54, -depth],
          [x + width + 54 + slant, 118 - depth],
          [x + width + slant, 118],
        ]),
        butterTones.shade,
      )
    );
  };
  const paper: Tones = { light: '#ffffff', base: '#f4f1e8', shade: '#d7d6cf' };
  return (
    pen.shadow(400, 500, 330, 34, shadow) +
    pen.at(400, 458, {}, () => board(pen, 640)) +
    pen.fill(
      smooth(
        [
          [148, 436],
          [206, 352],
          [540, 350],
          [600, 376],
          [560, 446],
          [360, 440],
          [250, 456],
        ],
        true,
        0.4,
      ),
      paper.shade,
    ) +
    pen.at(220, 316, { scale: 1.12 }, () => block(0, 214)) +
    pen.body(
      smooth(
        [
          [150, 440],
          [186, 380],
          [206, 318],
          [236, 300],
          [266, 248],
          [302, 242],
          [318, 300],
          [300, 350],
          [326, 440],
          [240, 452],
        ],
        true,
        0.45,
      ),
      paper,
      14,
      { over: pen.line('M222 330L240 440M258 290L272 372M206 400L214 440', paper.shade, 5) },
    ) +
    pen.at(536, 196, { turn: 187, scale: 1.16 }, () => knife(pen)) +
    pen.at(498, 330, { scale: 1.1, turn: 5 }, () => block(0, 30, 8)) +
    pen.at(580, 352, { scale: 1.04, turn: 18 }, () => block(0, 26, 10))
  );
}

function knife(pen: Pen): string {
  return (
    pen.fill(
      smooth(
        [
          [-14, 0],
          [16, 0],
          [20, -120],
          [14, -150],
          [-4, -160],
          [-14, -140],
        ],
        true,
        0.5,
      ),
      '#b9c6cc',
    ) +
    pen.fill(
      smooth(
        [
          [-14, 0],
          [2, 0],
          [4, -150],
          [-6, -158],
          [-14, -138],
        ],
        true,
        0.5,
      ),
      '#e6eef1',
    ) +
    pen.body(
      box(-18, -4, 36, 128, 15),
      { light: '#b98a5a', base: '#97683c', shade: '#75502d' },
      9,
    ) +
    pen.fill(oval(0, 28, 5, 5), '#e3c795') +
    pen.fill(oval(0, 90, 5, 5), '#e3c795')
  );
}

const chevre: Tones = { light: '#ffffff', base: '#fbf7ee', shade: '#dcd9cf' };

/** A log of fresh goat cheese rolled in herbs, with slices. */
export function goatCheese(pen: Pen): string {
  const herbs = (count: number, width: number, height: number) =>
    Array.from({ length: count }, () => {
      const x = pen.random.between(-width, width);
      const y = pen.random.between(-height, height);
      const color = pen.random.pick(['#5c9a49', '#407a3a', '#86b257', '#7b5aa0', '#e0b24a']);
      return pen.fill(oval(x, y, 6.4, 3.6, pen.random.between(0, 180)), color);
    }).join('');
  const log = box(-190, -84, 380, 168, 84);
  const slice = (x: number, y: number, turn: number, scale = 1) =>
    pen.at(x, y, { turn, scale }, () => {
      const rim = oval(0, 0, 74, 84);
      return (
        pen.fill(oval(17, 3, 74, 84), '#5d8a50') +
        pen.within(
          oval(17, 3, 74, 84),
          pen.at(60, 0, {}, () => herbs(26, 40, 80)),
        ) +
        pen.fill(rim, '#7ba468') +
        pen.body(oval(0, 0, 68, 78), chevre, 10, {
          over:
            pen.fill(oval(-20, -26, 16, 7, -30), '#ece7da') +
            pen.fill(oval(18, 20, 14, 6, 20), '#e4dfd2') +
            pen.fill(oval(-24, 30, 8, 5), '#e4dfd2'),
        })
      );
    });
  return (
    pen.shadow(404, 496, 330, 34, shadow) +
    pen.at(400, 446, {}, () => board(pen, 650)) +
    pen.at(310, 336, { turn: -7, scale: 1.06 }, () =>
      pen.body(log, { light: '#fbf9ef', base: '#f1eedd', shade: '#cfd2b8' }, 22, {
        over: herbs(150, 190, 84),
      }),
    ) +
    slice(468, 336, -4, 1.08) +
    slice(584, 366, 12, 1.04) +
    pen.at(196, 430, { turn: 78 }, () => thymeSprig(pen))
  );
}

function thymeSprig(pen: Pen): string {
  const leaves = Array.from({ length: 8 }, (_, index) => {
    const y = -18 - index * 17;
    return [-1, 1]
      .map((side) =>
        pen.at(side * 2, y, { turn: side * 58 }, () =>
          pen.leaf(26 - index * 1.4, 14, leafGreen, { rib: false }),
        ),
      )
      .join('');
  });
  return pen.line('M0 0Q6 -80 0 -158', '#8a7350', 5) + leaves.join('');
}

/** A pot of yogurt with berries, and a spoon. */
export function yogurt(pen: Pen): string {
  const glaze: Tones = { light: '#8fb6d4', base: '#5f92b8', shade: '#437399' };
  const swirl = (y: number, rx: number, ry: number, tone: string) =>
    pen.fill(oval(0, y, rx, ry), tone);
  const berry = (x: number, y: number, r: number, tones: Tones) =>
    pen.at(x, y, {}, () =>
      pen.body(oval(0, 0, r, r), tones, r * 0.3, { over: pen.gloss(0, 0, r, tones.light, 1.2) }),
    );
  const blue: Tones = { light: '#8ea6d8', base: '#4f66a8', shade: '#37487f' };
  const raspberry = (x: number, y: number) =>
    pen.at(x, y, {}, () =>
      around(7, 22, 22)
        .concat(around(5, 11, 11), [[0, 0]])
        .map(([px, py]: Point) =>
          pen.body(
            oval(px, py, 12, 12),
            { light: '#f7a0a8', base: '#de4b63', shade: '#b93450' },
            4,
          ),
        )
        .join(''),
    );
  const spoon = pen.at(
    610,
    210,
    { turn: 34 },
    () =>
      pen.fill(
        taper(
          [
            [0, -150],
            [0, 0],
            [0, 120],
          ],
          24,
          13,
        ),
        '#c2924f',
      ) +
      pen.fill(
        taper(
          [
            [-4, -148],
            [-3, 0],
            [-2, 110],
          ],
          8,
          5,
        ),
        '#dfb679',
      ),
  );
  return (
    pen.shadow(404, 508, 250, 34, shadow) +
    spoon +
    pen.at(
      400,
      356,
      { scale: 1.06 },
      () =>
        pen.fill(oval(0, -30, 216, 62), glaze.shade) +
        pen.fill(oval(0, -28, 202, 54), '#e9eef2') +
        pen.fill(
          smooth([
            [-196, -30],
            [-150, -72],
            [-70, -92],
            [-20, -128],
            [34, -122],
            [80, -88],
            [160, -70],
            [196, -28],
            [110, 14],
            [-110, 14],
          ]),
          '#ffffff',
        ) +
        pen.fill(
          smooth([
            [60, -78],
            [160, -66],
            [194, -28],
            [110, 12],
            [-40, 18],
            [60, -16],
          ]),
          '#e3e9ee',
        ) +
        swirl(-74, 92, 22, '#f0f3f6') +
        pen.line('M-110 -44Q-40 -14 60 -34M-52 -92Q10 -72 62 -88', '#d9e2e9', 8) +
        berry(-66, -92, 28, blue) +
        berry(-112, -56, 26, blue) +
        raspberry(6, -112) +
        raspberry(64, -74) +
        berry(-22, -62, 29, blue) +
        pen.at(34, -126, { turn: 48 }, () => pen.leaf(70, 40, leafGreen, { veins: 3 })) +
        pen.at(24, -130, { turn: -12 }, () => pen.leaf(60, 36, leafGreen, { veins: 3 })) +
        pen.body(
          `M-216 -30A216 62 0 0 0 216 -30Q212 100 96 158Q0 172 -96 158Q-212 100 -216 -30Z`,
          glaze,
          24,
          {
            over:
              pen.line('M-204 40Q0 120 204 40', '#f4ead2', 9) +
              pen.line('M-196 64Q0 146 196 64', '#f4ead2', 4),
          },
        ) +
        pen.fill(box(-84, 150, 168, 22, 8), glaze.shade),
    )
  );
}
