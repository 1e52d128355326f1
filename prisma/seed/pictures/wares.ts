import {
  around,
  box,
  oval,
  type Pen,
  type Point,
  polygon,
  smooth,
  type Tones,
  taper,
} from './pen.ts';
import { wood } from './tones.ts';

/** A board lying on the table, `width` wide, its top edge at the origin. */
export function board(pen: Pen, width: number, tones: Tones = wood): string {
  const half = width / 2;
  const grain = [-0.62, -0.1, 0.36]
    .map((t, index) =>
      pen.line(`M${t * half} ${-30 + index * 14}h${half * 0.5}`, tones.shade, 4, 0.6),
    )
    .join('');
  const top = polygon([
    [-half + 46, -52],
    [half - 46, -52],
    [half, 0],
    [-half, 0],
  ]);
  return (
    pen.fill(box(-half, -8, width, 34, 10), tones.shade) +
    pen.fill(top, tones.base) +
    pen.fill(box(-half, -10, width, 20, 8), tones.base) +
    grain +
    pen.line(`M${-half + 10} -2h${width - 20}`, tones.light, 6)
  );
}

/** A paper tag hanging on twine, with a leaf on it instead of words. */
export function tag(pen: Pen, x: number, y: number, turn: number): string {
  return pen.at(
    x,
    y,
    { turn },
    () =>
      pen.fill(
        polygon([
          [0, -8],
          [26, 14],
          [26, 74],
          [-26, 74],
          [-26, 14],
        ]),
        '#d8c49b',
      ) +
      pen.fill(
        polygon([
          [-3, -9],
          [23, 13],
          [23, 72],
          [-29, 72],
          [-29, 13],
        ]),
        '#f8efd9',
      ) +
      pen.fill(oval(-3, 8, 4.5, 4.5), '#b89a63') +
      pen.at(-3, 62, {}, () =>
        pen.leaf(36, 22, { light: '#f8efd9', base: '#6a9a55', shade: '#4b7d40' }),
      ),
  );
}

/** A band of paper around a jar with a small sun and hills on it. */
export function label(pen: Pen, x: number, y: number, width: number, height: number): string {
  const outline = box(x, y, width, height, 8);
  const cx = x + width / 2;
  return pen.within(
    outline,
    pen.fill(outline, '#fbf4e2') +
      pen.fill(oval(cx, y + height * 0.6, height * 0.3, height * 0.3), '#f1b64a') +
      pen.fill(
        `M${x} ${y + height * 0.72}Q${cx - width * 0.22} ${y + height * 0.5} ${cx} ${y + height * 0.72}` +
          `T${x + width} ${y + height * 0.66}V${y + height}H${x}Z`,
        '#7ba35b',
      ) +
      pen.fill(
        `M${x} ${y + height * 0.9}Q${cx} ${y + height * 0.66} ${x + width} ${y + height * 0.92}V${y + height}H${x}Z`,
        '#55833f',
      ) +
      pen.fill(box(x + width * 0.86, y, width * 0.14, height), '#8b6b3c', 0.13),
  );
}

/** A drop-shaped trickle of something thick, from a straight upper edge at y = 0. */
export function drip(width: number, lengths: readonly number[]): string {
  const step = width / lengths.length;
  const half = width / 2;
  const points: Point[] = [[-half, -14]];
  lengths.forEach((length, index) => {
    const x = -half + step * (index + 0.5);
    points.push([x - step * 0.42, length * 0.7], [x, length], [x + step * 0.42, length * 0.7]);
    if (index < lengths.length - 1) points.push([x + step * 0.5, Math.min(length, 14) * 0.4]);
  });
  points.push([half, -14]);
  return smooth(points, true, 0.8);
}

/** A small bee, flying to the left. */
export function bee(pen: Pen): string {
  const body = oval(0, 0, 34, 23);
  return (
    pen.at(6, -16, { turn: 24 }, () => pen.fill(oval(0, -22, 14, 26), '#ffffff', 0.8)) +
    pen.at(-6, -16, { turn: -14 }, () => pen.fill(oval(0, -22, 13, 24), '#ffffff', 0.92)) +
    pen.body(body, { light: '#fbe08a', base: '#f2b632', shade: '#d5931f' }, 9, {
      over:
        pen.fill(box(-8, -30, 12, 60), '#4a3423') +
        pen.fill(box(14, -30, 11, 60), '#4a3423') +
        pen.fill(oval(-34, 0, 16, 26), '#4a3423'),
    }) +
    pen.fill(oval(-24, -5, 3, 4), '#fdf3d5') +
    pen.line('M-28 -18Q-36 -28 -44 -26M-22 -20Q-26 -32 -34 -36', '#4a3423', 3.4)
  );
}

/** A many-pointed flower head of `count` petals around a dark middle. */
export function daisy(
  pen: Pen,
  r: number,
  count: number,
  tones: Tones,
  heart: string,
  heartSize = 0.34,
): string {
  const petals = Array.from({ length: count }, (_, index) =>
    pen.at(0, 0, { turn: (index / count) * 360 }, () =>
      pen.leaf(r, ((r * 2.5) / count) * 1.9, tones, { rib: false }),
    ),
  );
  const under = Array.from({ length: count }, (_, index) =>
    pen.at(0, 0, { turn: ((index + 0.5) / count) * 360 }, () =>
      pen.fill(
        smooth([
          [0, 0],
          [r * 0.16, -r * 0.6],
          [0, -r * 0.96],
          [-r * 0.16, -r * 0.6],
        ]),
        tones.shade,
      ),
    ),
  );
  return (
    under.join('') +
    petals.join('') +
    pen.body(
      smooth(around(12, r * heartSize, r * heartSize)),
      { light: heart, base: heart, shade: '#3f2a1d' },
      r * 0.06,
    )
  );
}

/** A stem that bends from one point to another. */
export function stem(
  pen: Pen,
  from: Point,
  to: Point,
  bend: number,
  width: number,
  color: string,
): string {
  const middle: Point = [(from[0] + to[0]) / 2 + bend, (from[1] + to[1]) / 2];
  return pen.fill(taper([from, middle, to], width, width * 0.8), color);
}
