import { grounds } from './grounds.ts';
import {
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
import { deepGreen, leafGreen, stemGreen, twine } from './tones.ts';
import { daisy, stem } from './wares.ts';

const { shadow } = grounds.flowers;

const sunTones: Tones = { light: '#fde08a', base: '#f8c136', shade: '#e39a1d' };

function sunflower(pen: Pen, r: number): string {
  const heart = r * 0.42;
  const seeds: string[] = [];
  for (let index = 0; index < 70; index += 1) {
    const [x, y] = toward(index * 137.5, heart * 0.92 * Math.sqrt(index / 70));
    seeds.push(pen.fill(oval(x, y, 3.2, 3.2), index > 44 ? '#8a5a2e' : '#a87438'));
  }
  return (
    daisy(pen, r, 17, sunTones, '#6b4424', 0.42) +
    pen.within(oval(0, 0, heart, heart), seeds.join(''))
  );
}

/** Sunflowers in an enamel jug. */
export function sunflowers(pen: Pen): string {
  const enamel: Tones = { light: '#ffffff', base: '#f3f1ec', shade: '#d0c9d6' };
  const jug = lathe(
    [
      [86, -100],
      [78, -60],
      [96, 10],
      [106, 80],
      [92, 116],
      [0, 120],
    ],
    0.9,
  );
  const blade = (x: number, y: number, turn: number, size = 150) =>
    pen.at(x, y, { turn }, () => pen.leaf(size, size * 0.56, leafGreen, { veins: 4 }));
  return (
    pen.shadow(406, 510, 180, 28, shadow) +
    stem(pen, [400, 330], [258, 200], -10, 17, stemGreen.shade) +
    stem(pen, [404, 330], [548, 196], 10, 17, stemGreen.shade) +
    blade(330, 320, -74, 140) +
    blade(474, 320, 74, 140) +
    blade(300, 300, -112, 110) +
    blade(500, 300, 112, 110) +
    stem(pen, [402, 330], [404, 170], 0, 18, stemGreen.base) +
    pen.line('M478 328Q560 330 556 392T480 446', '#8fa6c9', 15) +
    pen.at(
      400,
      392,
      {},
      () =>
        pen.body(jug, enamel, 22) +
        pen.line('M-86 -98Q0 -82 86 -98', '#8fa6c9', 11) +
        pen.line('M-100 96Q0 116 100 96', '#8fa6c9', 8),
    ) +
    pen.at(250, 214, { turn: -14 }, () => sunflower(pen, 122)) +
    pen.at(556, 212, { turn: 12 }, () => sunflower(pen, 120)) +
    pen.at(402, 160, {}, () => sunflower(pen, 142))
  );
}

const rosePink: Tones = { light: '#f8b6b9', base: '#ec8792', shade: '#cf5f73' };

function ranunculus(pen: Pen, r: number, tones: Tones): string {
  const ring = (scale: number, count: number, turn: number, color: Tones) =>
    Array.from({ length: count }, (_, index) => {
      const [x, y] = toward((index / count) * 360 + turn, r * scale * 0.5);
      return pen.body(oval(x, y, r * scale * 0.56, r * scale * 0.52), color, r * 0.07);
    }).join('');
  const inner: Tones = { light: tones.light, base: tones.light, shade: tones.base };
  return (
    ring(1, 7, 0, tones) +
    ring(0.76, 6, 20, { ...tones, shade: tones.shade }) +
    ring(0.52, 5, 10, inner) +
    pen.body(oval(0, 0, r * 0.22, r * 0.21), tones, r * 0.07)
  );
}

function sprayOf(pen: Pen, length: number, color: string, count = 9): string {
  const parts = [pen.line(`M0 0V${-length}`, stemGreen.shade, 5)];
  for (let index = 0; index < count; index += 1) {
    const y = -length * 0.45 - (index / count) * length * 0.56;
    const side = index % 2 === 0 ? -1 : 1;
    const reach = (1 - index / count) * 26 + 7;
    parts.push(
      pen.line(`M0 ${y + 12}L${side * reach} ${y}`, stemGreen.shade, 3.4),
      pen.fill(oval(side * reach, y, 9.5, 9.5), color),
    );
  }
  return parts.join('');
}

/** A mixed bouquet wrapped in brown paper. */
export function bouquet(pen: Pen): string {
  const paper: Tones = { light: '#e6c79a', base: '#d2ab74', shade: '#b38a54' };
  const coral: Tones = { light: '#fcc0a0', base: '#f58f6c', shade: '#d96b50' };
  const cream: Tones = { light: '#fffaf0', base: '#f8e8d2', shade: '#e0c6a4' };
  const violet: Tones = { light: '#b9a3e0', base: '#8a6bc0', shade: '#694c9c' };
  const white: Tones = { light: '#ffffff', base: '#ffffff', shade: '#dcd6e6' };
  const foliage = [-72, -56, -40, -24, -8, 10, 26, 42, 58, 74]
    .map((turn, index) =>
      pen.at(400, 344, { turn }, () =>
        pen.at(0, -150, {}, () =>
          pen.leaf(122 + (index % 3) * 14, 54, index % 2 === 0 ? leafGreen : deepGreen, {
            veins: 4,
          }),
        ),
      ),
    )
    .join('');
  const spray = (turn: number, length: number, color: string) =>
    pen.at(400, 350, { turn }, () => sprayOf(pen, length, color));
  const back = polygon([
    [196, 268],
    [306, 230],
    [500, 230],
    [610, 268],
    [428, 496],
    [372, 496],
  ]);
  return (
    pen.shadow(404, 524, 120, 22, shadow) +
    pen.fill(back, paper.shade) +
    foliage +
    spray(-32, 308, '#f4e3f2') +
    spray(34, 306, '#f4e3f2') +
    spray(-12, 316, '#b9a3e0') +
    spray(14, 318, '#b9a3e0') +
    pen.at(262, 214, {}, () => daisy(pen, 62, 12, white, '#f2b63a', 0.34)) +
    pen.at(548, 212, {}, () => daisy(pen, 62, 12, white, '#f2b63a', 0.34)) +
    pen.at(352, 152, {}, () => daisy(pen, 64, 13, violet, '#f2c65a', 0.32)) +
    pen.at(464, 148, {}, () => ranunculus(pen, 56, cream)) +
    pen.at(298, 280, {}, () => daisy(pen, 56, 13, violet, '#f2c65a', 0.32)) +
    pen.at(516, 288, {}, () => ranunculus(pen, 62, coral)) +
    pen.at(322, 226, {}, () => ranunculus(pen, 66, rosePink)) +
    pen.at(484, 228, {}, () => daisy(pen, 60, 12, white, '#f2b63a', 0.34)) +
    pen.at(404, 246, {}, () => ranunculus(pen, 78, coral)) +
    pen.at(396, 330, {}, () => daisy(pen, 58, 12, white, '#f2b63a', 0.34)) +
    pen.body(
      polygon([
        [196, 268],
        [400, 392],
        [428, 500],
        [370, 524],
      ]),
      paper,
      14,
    ) +
    pen.body(
      polygon([
        [610, 268],
        [350, 410],
        [376, 520],
        [434, 520],
      ]),
      { light: '#ecd0a6', base: '#dab780', shade: '#b38a54' },
      12,
    ) +
    pen.line('M356 450Q400 470 446 444M358 462Q402 482 446 456', twine.light, 7) +
    pen.line('M398 462q-40 -16 -56 6q18 20 56 -4q40 -22 58 -2q-16 22 -58 4', twine.light, 7) +
    pen.line('M396 466q-12 26 -30 40M402 466q8 26 24 44', twine.light, 7)
  );
}

function tulip(pen: Pen, tones: Tones): string {
  const middle = smooth([
    [0, -92],
    [34, -44],
    [30, 16],
    [0, 34],
    [-30, 16],
    [-34, -44],
  ]);
  const sideLeft = smooth([
    [-34, -88],
    [-6, -40],
    [6, 34],
    [-24, 34],
    [-56, 2],
    [-58, -46],
  ]);
  const sideRight = smooth([
    [34, -88],
    [58, -46],
    [56, 2],
    [24, 34],
    [-6, 34],
    [6, -40],
  ]);
  const dark: Tones = { light: tones.base, base: tones.shade, shade: tones.shade };
  return (
    pen.body(middle, dark, 8) +
    pen.body(sideRight, { ...tones, base: tones.base }, 13) +
    pen.body(sideLeft, tones, 10, { lit: 9 })
  );
}

/** Tulips in a glass vase. */
export function tulips(pen: Pen): string {
  const colors: Tones[] = [
    { light: '#fbb3a8', base: '#ee6f68', shade: '#cb4a50' },
    { light: '#fde59a', base: '#f7c64a', shade: '#dd9f2b' },
    { light: '#f9c6d6', base: '#ee93b3', shade: '#d06a92' },
    { light: '#cdb0e6', base: '#9a72c4', shade: '#7650a3' },
    { light: '#fffaf2', base: '#f7ead9', shade: '#dcc5b0' },
  ];
  const heads: [number, number, number, number][] = [
    [222, 216, -28, 3],
    [578, 214, 28, 0],
    [316, 152, -13, 1],
    [486, 150, 13, 2],
    [400, 126, 0, 0],
    [284, 282, -20, 2],
    [520, 280, 20, 1],
    [350, 232, -7, 4],
    [452, 230, 8, 3],
  ];
  const vase = lathe(
    [
      [70, -118],
      [58, -80],
      [80, 0],
      [94, 70],
      [84, 112],
      [0, 116],
    ],
    0.9,
  );
  const blade = (turn: number, length: number, bend: number, tones: Tones) =>
    pen.at(400, 346, { turn }, () => pen.leaf(length, 58, tones, { bend }));
  return (
    pen.shadow(406, 510, 150, 26, shadow) +
    heads
      .map(([x, y, turn]) => {
        const [dx, dy] = toward(turn + 180, 30);
        return stem(
          pen,
          [400 + turn * 0.6, 420],
          [x + dx, y + dy],
          -turn * 0.8,
          11,
          stemGreen.shade,
        );
      })
      .join('') +
    blade(-58, 220, -54, leafGreen) +
    blade(58, 220, 54, leafGreen) +
    blade(-34, 208, -22, stemGreen) +
    blade(36, 204, 24, stemGreen) +
    pen.at(
      400,
      394,
      {},
      () =>
        pen.fill(vase, '#cfe3ee', 0.62) +
        pen.within(
          vase,
          pen.fill(`M-120 -20Q0 -6 120 -20V130H-120Z`, '#a9cfe0', 0.6) +
            pen.fill(oval(84, 30, 30, 140, 6), '#86aecb', 0.45) +
            pen.fill(
              smooth([
                [-58, -96],
                [-46, -96],
                [-42, -70],
                [-62, 10],
                [-70, 80],
                [-82, 70],
                [-70, 0],
              ]),
              '#ffffff',
              0.85,
            ),
        ) +
        pen.line('M-68 -116Q0 -104 68 -116', '#ecf6fa', 7),
    ) +
    heads
      .map(([x, y, turn, color]) =>
        pen.at(x, y, { turn, scale: 1.02 }, () =>
          tulip(pen, colors[color] ?? { light: '', base: '', shade: '' }),
        ),
      )
      .join('')
  );
}

const lavenderTones: Tones = { light: '#c3acec', base: '#8f70cb', shade: '#6a4fa6' };

function lavenderSpike(pen: Pen, length: number, bend: number): string {
  const spine = (t: number): Point => [bend * t * t, -length * t];
  const whorls = Array.from({ length: 9 }, (_, index) => {
    const t = 0.6 + (index / 9) * 0.4;
    const [x, y] = spine(t);
    const size = 15 - index * 0.85;
    return (
      pen.fill(oval(x - size * 0.8, y, size * 0.72, size * 0.9, -30), lavenderTones.base) +
      pen.fill(oval(x + size * 0.8, y, size * 0.72, size * 0.9, 30), lavenderTones.shade) +
      pen.fill(
        oval(x, y - 4, size * 0.62, size * 0.9),
        index % 2 ? lavenderTones.base : lavenderTones.light,
      )
    );
  });
  return (
    pen.fill(taper([[0, 0], spine(0.4), spine(0.75), spine(1)], 8, 5), '#7f9d68') + whorls.join('')
  );
}

/** A bundle of lavender, tied with twine. */
export function lavender(pen: Pen): string {
  const spikes = Array.from({ length: 17 }, (_, index) => {
    const order = (index * 7) % 17;
    const t = order / 8 - 1;
    return { t, length: 372 - Math.abs(t) * 66 + ((index * 13) % 5) * -13 };
  });
  const tails = [-34, -22, -10, 2, 14, 26, 36]
    .map((turn) =>
      pen.at(turn * 0.4, 0, { turn: 180 + turn * -0.62 }, () =>
        pen.fill(
          taper(
            [
              [0, 0],
              [0, -60],
              [0, -104 + Math.abs(turn) * 0.3],
            ],
            9,
            8,
          ),
          turn % 4 === 0 ? '#93b07b' : '#7f9d68',
        ),
      ),
    )
    .join('');
  const leaves = [-58, -44, 46, 60]
    .map((turn) =>
      pen.at(turn * 0.3, -10, { turn }, () =>
        pen.leaf(150, 20, { light: '#b9cfa4', base: '#8aa873', shade: '#6d8b5a' }),
      ),
    )
    .join('');
  return (
    pen.shadow(406, 520, 110, 20, shadow) +
    pen.at(
      400,
      416,
      { scale: 1.06 },
      () =>
        tails +
        leaves +
        spikes
          .map(({ t, length }) =>
            pen.at(t * 26, 0, { turn: t * 34 }, () => lavenderSpike(pen, length, t * 26)),
          )
          .join('') +
        [-10, 0, 10]
          .map((y, index) =>
            pen.line(`M-38 ${y}Q0 ${y + 12} 38 ${y}`, index === 1 ? twine.base : twine.shade, 10),
          )
          .join('') +
        pen.line('M6 8q34 22 54 -2q-20 -16 -54 2q-42 -24 -56 2q20 20 56 -2', twine.light, 6) +
        pen.line('M6 10q10 36 34 50M6 10q-10 30 -26 52', twine.light, 6),
    )
  );
}
