import { grounds } from './grounds.ts';
import {
  around,
  box,
  lathe,
  oval,
  type Pen,
  type Point,
  polygon,
  scallop,
  type Tones,
  taper,
  toward,
} from './pen.ts';
import { deepGreen, leafGreen, stemGreen, twine, wood } from './tones.ts';
import { tag } from './wares.ts';

const { shadow } = grounds.greens;

/** Twine wound around stems that are `width` wide at the origin. */
function binding(pen: Pen, width: number): string {
  const half = width / 2;
  return (
    [-11, 0, 11]
      .map((y, index) =>
        pen.line(
          `M${-half} ${y}Q0 ${y + 12} ${half} ${y}`,
          index === 1 ? twine.base : twine.shade,
          10,
        ),
      )
      .join('') +
    pen.line(
      `M${half * 0.3} 8q22 18 40 2q-14 -18 -40 -2q-34 -20 -46 2q16 16 46 -2`,
      twine.light,
      6,
    ) +
    pen.line(`M${half * 0.3} 10q8 30 30 44M${half * 0.3} 10q-8 26 -22 46`, twine.light, 6)
  );
}

const basilTones: Tones = { light: '#a4d07c', base: '#5ea64d', shade: '#41833c' };
const basilYoung: Tones = { light: '#c3e09a', base: '#85bf5d', shade: '#5f9c46' };

function basilSprig(pen: Pen, size: number): string {
  const pair = (y: number, length: number, spread: number, tones: Tones) =>
    [-1, 1]
      .map((side) =>
        pen.at(side * 4, y, { turn: side * spread }, () =>
          pen.leaf(length, length * 0.62, tones, { bend: side * length * 0.1, veins: 4 }),
        ),
      )
      .join('');
  return pen.at(
    0,
    0,
    { scale: size },
    () =>
      pen.fill(
        taper(
          [
            [0, 40],
            [4, -80],
            [0, -190],
          ],
          13,
          8,
        ),
        stemGreen.base,
      ) +
      pair(-62, 124, 74, basilTones) +
      pair(-128, 118, 58, basilTones) +
      pair(-178, 92, 40, basilYoung) +
      pen.at(0, -186, { turn: 4 }, () => pen.leaf(78, 50, basilYoung, { veins: 3 })),
  );
}

/** A bunch of basil in a jar of water. */
export function basil(pen: Pen): string {
  const jar = lathe(
    [
      [62, -86],
      [62, -66],
      [84, -46],
      [88, 0],
      [88, 86],
      [78, 104],
      [0, 108],
    ],
    0.7,
  );
  return (
    pen.shadow(404, 508, 170, 28, shadow) +
    [-14, 2, 16]
      .map((x) =>
        pen.fill(
          taper(
            [
              [400 + x, 330],
              [400 + x * 1.6, 420],
              [400 - x * 2, 494],
            ],
            12,
            10,
          ),
          stemGreen.shade,
        ),
      )
      .join('') +
    pen.at(
      400,
      392,
      { scale: 1.04 },
      () =>
        pen.fill(jar, '#cfe6ea', 0.55) +
        pen.within(
          jar,
          pen.fill(box(-100, -8, 200, 130), '#9ccbd6', 0.5) +
            pen.fill(oval(0, -8, 90, 9), '#d8eef2', 0.9),
        ) +
        pen.within(
          jar,
          pen.fill(box(-70, -40, 16, 132, 8), '#ffffff', 0.75) +
            pen.fill(box(58, -60, 60, 190), '#7fb0bd', 0.28),
        ) +
        pen.fill(box(-68, -96, 136, 22, 10), '#b9d8de'),
    ) +
    pen.at(330, 322, { turn: -34 }, () => basilSprig(pen, 0.94)) +
    pen.at(470, 322, { turn: 34 }, () => basilSprig(pen, 0.94)) +
    pen.at(366, 318, { turn: -12 }, () => basilSprig(pen, 1)) +
    pen.at(436, 318, { turn: 14 }, () => basilSprig(pen, 0.98)) +
    pen.at(400, 326, {}, () => basilSprig(pen, 1.02)) +
    pen.at(400, 316, {}, () => binding(pen, 84))
  );
}

function frilledLeaf(
  pen: Pen,
  length: number,
  width: number,
  tones: Tones,
  stalk: string,
  bumps = 0.58,
): string {
  const steps = 9;
  const edge = (side: number): Point[] =>
    Array.from({ length: steps }, (_, index) => {
      const t = (index + 0.5) / steps;
      const reach = (width / 2) * Math.sin(Math.PI * Math.min(t * 0.82 + 0.16, 1)) ** 0.75;
      const ripple = index % 2 === 0 ? 1 : 0.8;
      return [side * reach * ripple, -length * (0.16 + t * 0.84)];
    });
  const outline = scallop(
    [[0, -length * 0.12], ...edge(-1), [0, -length * 1.03], ...edge(1).reverse()],
    bumps,
  );
  const veins = [0.34, 0.5, 0.66, 0.8]
    .map((t) => {
      const reach = width * 0.3 * Math.sin(Math.PI * (t * 0.82 + 0.12));
      return pen.line(
        `M0 ${-length * t}L${-reach} ${-length * (t + 0.12)}M0 ${-length * t}L${reach} ${-length * (t + 0.12)}`,
        stalk,
        5,
      );
    })
    .join('');
  return (
    pen.body(outline, tones, width * 0.1, { over: veins }) +
    pen.fill(
      taper(
        [
          [0, 40],
          [3, -length * 0.4],
          [0, -length * 0.92],
        ],
        20,
        5,
      ),
      stalk,
    )
  );
}

const kaleTones: Tones = { light: '#8db88f', base: '#4d8562', shade: '#34664b' };
const kalePale: Tones = { light: '#a5c89e', base: '#639b70', shade: '#457b57' };

/** A bunch of curly kale. */
export function kale(pen: Pen): string {
  const leaves: [number, number, number, Tones][] = [
    [-46, 300, 150, kaleTones],
    [46, 300, 150, kaleTones],
    [-24, 344, 168, kalePale],
    [25, 340, 168, kaleTones],
    [0, 362, 176, kaleTones],
    [-36, 262, 140, kalePale],
    [36, 260, 140, kalePale],
    [-12, 292, 150, kalePale],
    [13, 286, 150, kaleTones],
  ];
  return (
    pen.shadow(404, 512, 150, 26, shadow) +
    pen.at(
      400,
      424,
      {},
      () =>
        [-44, -24, -6, 12, 30, 46]
          .map((x) =>
            pen.fill(
              taper(
                [
                  [x * 0.5, -40],
                  [x * 0.7, 30],
                  [x * 1.2, 90],
                ],
                20,
                18,
              ),
              x > 0 ? '#b7cf93' : '#cfe0ad',
            ),
          )
          .join('') +
        leaves
          .map(([turn, length, width, tones]) =>
            pen.at(turn * 0.5, -6, { turn }, () =>
              frilledLeaf(pen, length, width, tones, '#cfe0ad', 0.56),
            ),
          )
          .join('') +
        binding(pen, 84),
    )
  );
}

/** Rainbow chard with its bright stalks. */
export function chard(pen: Pen): string {
  const leaves: [number, number, number, Tones, string][] = [
    [-40, 318, 140, leafGreen, '#f2b93b'],
    [40, 318, 140, deepGreen, '#d8406a'],
    [-20, 358, 150, deepGreen, '#e2553f'],
    [21, 356, 150, leafGreen, '#f4d9e2'],
    [0, 372, 156, leafGreen, '#d8406a'],
    [-30, 272, 126, leafGreen, '#ee8a3a'],
    [31, 270, 126, deepGreen, '#f2b93b'],
    [0, 282, 132, deepGreen, '#f2b93b'],
  ];
  return (
    pen.shadow(404, 516, 150, 26, shadow) +
    pen.at(
      400,
      424,
      {},
      () =>
        leaves
          .map(([turn, length, width, tones, stalk]) =>
            pen.at(turn * 0.7, -8, { turn }, () => {
              const foot = taper(
                [
                  [0, 6],
                  [turn * 0.3, 60],
                  [turn * 0.2, 108],
                ],
                25,
                30,
              );
              return (
                frilledLeaf(pen, length, width, tones, stalk, 0.9) +
                pen.at(0, 0, { turn: -turn * 1.35 }, () => pen.fill(foot, stalk))
              );
            }),
          )
          .join('') + binding(pen, 96),
    )
  );
}

const lettuceTones: Tones = { light: '#d7ea9f', base: '#a8d06a', shade: '#7db04c' };
const lettucePale: Tones = { light: '#f1f8cf', base: '#d3e893', shade: '#abcf68' };
const lettuceDeep: Tones = { light: '#b4d982', base: '#7fb950', shade: '#5b983d' };

function lettuceLeaf(pen: Pen, rx: number, ry: number, tones: Tones, lobes = 13): string {
  const rim = around(lobes, rx, ry, (index) => 0.95 + 0.07 * Math.sin(index * 2.4));
  const ribs = [-46, -18, 12, 42]
    .map((turn) => {
      const [x, y] = toward(turn, ry * 0.72);
      return pen.line(
        `M0 ${ry * 0.82}Q${x * 0.25} ${ry * 0.1} ${x * (rx / ry)} ${y}`,
        tones.light,
        5,
      );
    })
    .join('');
  return pen.body(scallop(rim, 0.6), tones, rx * 0.13, { over: ribs });
}

/** A head of butterhead lettuce. */
export function lettuce(pen: Pen): string {
  const leaf = (x: number, y: number, turn: number, rx: number, ry: number, tones: Tones) =>
    pen.at(x, y, { turn }, () => lettuceLeaf(pen, rx, ry, tones));
  return (
    pen.shadow(404, 500, 290, 36, shadow) +
    leaf(226, 340, -56, 116, 156, lettuceDeep) +
    leaf(578, 340, 56, 116, 156, lettuceDeep) +
    leaf(312, 226, -24, 120, 150, lettuceDeep) +
    leaf(492, 222, 24, 120, 150, lettuceDeep) +
    leaf(400, 206, 0, 120, 142, lettuceTones) +
    leaf(282, 336, -38, 118, 152, lettuceTones) +
    leaf(520, 336, 38, 118, 152, lettuceTones) +
    leaf(262, 424, -78, 84, 138, lettuceDeep) +
    leaf(542, 424, 78, 84, 138, lettuceDeep) +
    leaf(400, 300, 4, 138, 148, lettucePale) +
    leaf(340, 380, -26, 104, 124, lettuceTones) +
    leaf(464, 380, 26, 104, 124, lettuceTones) +
    leaf(402, 360, -2, 88, 102, lettucePale) +
    leaf(404, 436, 2, 128, 78, lettuceTones)
  );
}

const spinachTones: Tones = { light: '#94c578', base: '#4c9150', shade: '#337140' };
const spinachBright: Tones = { light: '#b4d98a', base: '#6bab56', shade: '#4a8a45' };

/** A bowl of baby spinach. */
export function spinach(pen: Pen): string {
  const bowlTones: Tones = { light: '#e9967a', base: '#cf7152', shade: '#a9543b' };
  const leaf = (x: number, y: number, turn: number, size: number, tones: Tones) =>
    pen.at(
      x,
      y,
      { turn },
      () =>
        pen.fill(
          taper(
            [
              [0, 34],
              [2, 10],
              [0, -20],
            ],
            9,
            7,
          ),
          tones.light,
        ) + pen.leaf(size, size * 0.72, tones, { bend: pen.random.between(-8, 8), veins: 3 }),
    );
  const rows: [number, number, number, number][] = [
    [9, 226, -62, 132],
    [9, 214, -20, 122],
    [9, 190, 16, 118],
  ];
  const leaves = rows.flatMap(([count, reach, y, size], row) =>
    Array.from({ length: count }, (_, index) => {
      const t = (index / (count - 1)) * 2 - 1;
      return leaf(
        t * reach * 0.78,
        y + t * t * 16,
        t * 74 + pen.random.between(-14, 14),
        size + pen.random.between(-12, 12),
        (index + row) % 3 === 0 ? spinachBright : spinachTones,
      );
    }),
  );
  return (
    pen.shadow(404, 512, 240, 32, shadow) +
    pen.at(
      400,
      334,
      { scale: 1.08 },
      () =>
        pen.fill(oval(0, 16, 238, 50), bowlTones.shade) +
        leaves.join('') +
        pen.body(
          'M-240 16Q-236 20 -232 34Q-200 150 -96 164H96Q200 150 232 34Q236 20 240 16Q120 62 0 62T-240 16Z',
          bowlTones,
          24,
          {
            over: pen.line('M-214 74Q0 140 214 74', '#f3c9a8', 8),
          },
        ) +
        pen.fill(box(-92, 156, 184, 18, 8), bowlTones.shade),
    ) +
    leaf(654, 498, 68, 96, spinachBright) +
    leaf(128, 512, -70, 88, spinachTones)
  );
}

const rosemaryTones: Tones = { light: '#a9c6a0', base: '#638f6e', shade: '#476f56' };

function rosemarySprig(pen: Pen, length: number, bend: number): string {
  const parts: string[] = [];
  const spine = (t: number): Point => [bend * t * t, -length * t];
  for (let step = 2; step <= 19; step += 1) {
    const t = step / 19;
    const [x, y] = spine(t);
    const size = 74 * (1 - t * 0.42);
    const lean = (Math.atan2(bend * 2 * t, length) * 180) / Math.PI;
    for (const side of [-1, 1]) {
      parts.push(
        pen.at(x, y, { turn: lean + side * (50 - t * 22) }, () =>
          pen.leaf(size, 14, rosemaryTones, { rib: false }),
        ),
      );
    }
  }
  const flowers = [0.62, 0.74, 0.84]
    .map((t, index) => {
      const [x, y] = spine(t);
      const side = index % 2 === 0 ? -1 : 1;
      return pen.at(x + side * 16, y, { turn: side * 40 }, () =>
        [-40, 0, 40]
          .map((turn) =>
            pen.at(0, 0, { turn }, () =>
              pen.fill(oval(0, -11, 6, 11), turn === 0 ? '#a99ad6' : '#8c7cc4'),
            ),
          )
          .join(''),
      );
    })
    .join('');
  return (
    pen.fill(taper([[0, 84], [0, 0], spine(0.5), spine(1)], 11, 5), '#8a6d4d') +
    parts.join('') +
    flowers
  );
}

/** Sprigs of rosemary in flower, tied with twine. */
export function rosemary(pen: Pen): string {
  return (
    pen.shadow(406, 514, 120, 22, shadow) +
    pen.at(
      400,
      420,
      { scale: 1.04 },
      () =>
        (
          [
            [-38, 288, -40],
            [38, 284, 40],
            [-21, 340, -22],
            [22, 336, 26],
            [-5, 362, 10],
            [8, 312, -14],
          ] as const
        )
          .map(([turn, length, bend]) =>
            pen.at(turn * 0.35, 0, { turn }, () => rosemarySprig(pen, length, bend)),
          )
          .join('') + pen.at(0, 8, {}, () => binding(pen, 62)),
    ) +
    tag(pen, 468, 436, -16)
  );
}

/** A tray of microgreens. */
export function microgreens(pen: Pen): string {
  const cress = (x: number, y: number, height: number, tones: Tones, stalk: string) =>
    pen.at(
      x,
      y,
      { turn: pen.random.between(-9, 9) },
      () =>
        pen.line(`M0 0Q${pen.random.between(-6, 6)} ${-height / 2} 0 ${-height}`, stalk, 4.4) +
        [-1, 1]
          .map((side) =>
            pen.at(0, -height + 2, { turn: side * pen.random.between(52, 76) }, () =>
              pen.leaf(38, 32, tones, { rib: false }),
            ),
          )
          .join(''),
    );
  const red: Tones = { light: '#c98aa8', base: '#9a4a74', shade: '#78345a' };
  const bright: Tones = { light: '#d0e89a', base: '#93c85a', shade: '#6ca445' };
  const back: string[] = [];
  for (let row = 0; row < 5; row += 1) {
    for (let index = 0; index < 19; index += 1) {
      const x = 400 + (index - 9) * (23.5 + row * 1.7) + pen.random.between(-9, 9);
      const kind = pen.random.next();
      const tones = kind < 0.16 ? red : kind < 0.58 ? bright : leafGreen;
      back.push(
        cress(
          x,
          346 + row * 19,
          pen.random.between(96, 158) + (1 - Math.abs(index - 9) / 9) * 34,
          tones,
          kind < 0.16 ? '#c88ba8' : '#dcebb4',
        ),
      );
    }
  }
  const front = polygon([
    [124, 398],
    [676, 398],
    [652, 500],
    [148, 500],
  ]);
  return (
    pen.shadow(404, 500, 310, 30, shadow) +
    pen.fill(
      polygon([
        [124, 400],
        [170, 330],
        [630, 330],
        [676, 400],
      ]),
      '#5c4330',
    ) +
    back.join('') +
    pen.body(front, wood, 14, {
      over:
        pen.line('M136 448H664', wood.shade, 6) +
        pen.line('M180 424h90M420 420h130M240 476h150M520 474h70', wood.shade, 4, 0.5),
    }) +
    pen.body(box(116, 386, 568, 30, 8), wood, 7)
  );
}
