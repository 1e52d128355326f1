import { makeRandom, type Random } from '../random.ts';

/** A place in a drawing, in the units of its view box. */
export type Point = readonly [x: number, y: number];

/** The two or three flat tones one thing is drawn in. */
export interface Tones {
  light: string;
  base: string;
  shade: string;
}

/** How a thing is placed: turned clockwise in degrees, then scaled, at a point. */
export interface Placement {
  turn?: number;
  scale?: number;
}

/** The ground of a category: wall, rising disc, table, and the shadow that falls on the table. */
export interface Ground {
  wall: string;
  disc: string;
  table: string;
  shadow: string;
}

const num = (value: number): string => String(Math.round(value * 10) / 10);
const xy = (x: number, y: number): string => `${num(x)} ${num(y)}`;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Turns a vector clockwise by degrees. */
export function turned([x, y]: Point, degrees: number): Point {
  const sin = Math.sin(radians(degrees));
  const cos = Math.cos(radians(degrees));
  return [x * cos - y * sin, x * sin + y * cos];
}

/** A point at a distance and a direction (degrees, 0 is up, clockwise) from the origin. */
export function toward(degrees: number, distance: number, from: Point = [0, 0]): Point {
  const [x, y] = turned([0, -distance], degrees);
  return [from[0] + x, from[1] + y];
}

/** The path of a smooth curve through points; closed unless told otherwise. */
export function smooth(points: readonly Point[], closed = true, tension = 1): string {
  const count = points.length;
  const at = (index: number): Point => {
    const wrapped = closed ? (index + count) % count : Math.min(Math.max(index, 0), count - 1);
    return points[wrapped] ?? [0, 0];
  };
  const parts = [`M${xy(...at(0))}`];
  for (let index = 0; index < (closed ? count : count - 1); index += 1) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const reach = tension / 6;
    parts.push(
      `C${xy(from[0] + (to[0] - before[0]) * reach, from[1] + (to[1] - before[1]) * reach)} ` +
        `${xy(to[0] - (after[0] - from[0]) * reach, to[1] - (after[1] - from[1]) * reach)} ${xy(...to)}`,
    );
  }
  return parts.join('') + (closed ? 'Z' : '');
}

/** The path of a straight-edged shape. */
export function polygon(points: readonly Point[]): string {
  return `M${points.map((point) => xy(...point)).join('L')}Z`;
}

/** The path of an ellipse, optionally turned. */
export function oval(cx: number, cy: number, rx: number, ry: number, turn = 0): string {
  const [dx, dy] = turned([rx, 0], turn);
  const arc = `A${num(rx)} ${num(ry)} ${num(turn)} 1 1`;
  return `M${xy(cx - dx, cy - dy)}${arc} ${xy(cx + dx, cy + dy)}${arc} ${xy(cx - dx, cy - dy)}Z`;
}

/** The path of a rectangle with round corners. */
export function box(x: number, y: number, width: number, height: number, radius = 0): string {
  const r = Math.min(radius, width / 2, height / 2);
  const arc = `a${num(r)} ${num(r)} 0 0 1`;
  return (
    `M${xy(x + r, y)}h${num(width - 2 * r)}${arc} ${xy(r, r)}v${num(height - 2 * r)}` +
    `${arc} ${xy(-r, r)}h${num(2 * r - width)}${arc} ${xy(-r, -r)}v${num(2 * r - height)}` +
    `${arc} ${xy(r, -r)}Z`
  );
}

/** The path of a shape that mirrors its right half, given from top to bottom as [half width, y]. */
export function lathe(half: readonly Point[], tension = 1): string {
  const left = half
    .filter(([x]) => x !== 0)
    .map(([x, y]): Point => [-x, y])
    .reverse();
  return smooth([...half, ...left], true, tension);
}

/** The path of a line through points that is `from` wide at its start and `to` wide at its end. */
export function taper(points: readonly Point[], from: number, to: number): string {
  const last = points.length - 1;
  const sides = points.map((point, index) => {
    const before = points[Math.max(index - 1, 0)] ?? point;
    const after = points[Math.min(index + 1, last)] ?? point;
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const length = Math.hypot(dx, dy) || 1;
    const half = (from + ((to - from) * index) / Math.max(last, 1)) / 2;
    return { point, nx: (-dy / length) * half, ny: (dx / length) * half };
  });
  const right = sides.map(({ point, nx, ny }): Point => [point[0] + nx, point[1] + ny]);
  const left = sides.map(({ point, nx, ny }): Point => [point[0] - nx, point[1] - ny]).reverse();
  return smooth([...right, ...left], true, 0.9);
}

/** The path of a bumpy outline: a bulge outward between each point and the next. */
export function scallop(points: readonly Point[], bulge = 0.62): string {
  const start = points[0] ?? [0, 0];
  const parts = [`M${xy(...start)}`];
  for (let index = 1; index <= points.length; index += 1) {
    const from = points[index - 1] ?? start;
    const to = points[index % points.length] ?? start;
    const radius = Math.hypot(to[0] - from[0], to[1] - from[1]) * bulge;
    parts.push(`A${num(radius)} ${num(radius)} 0 0 1 ${xy(...to)}`);
  }
  return `${parts.join('')}Z`;
}

/** Points around an ellipse, from the top, clockwise, each moved in or out by `vary`. */
export function around(
  count: number,
  rx: number,
  ry: number,
  vary: (index: number) => number = () => 1,
): Point[] {
  return Array.from({ length: count }, (_, index) => {
    const angle = (index / count) * 360;
    const [x, y] = toward(angle, 1);
    return [x * rx * vary(index), y * ry * vary(index)];
  });
}

/** Where the light comes from: up and to the left, in every drawing. */
const LIGHT: Point = [-0.78, -0.62];

/**
 * Draws flat shapes with the light always from the same side, however the shape is turned, and
 * gives out the names that clip paths need.
 */
export class Pen {
  readonly random: Random;
  #names = 0;
  #turn = 0;

  constructor(seed: number) {
    this.random = makeRandom(seed);
  }

  /** Draws at a point, turned and scaled; the light stays where it is. */
  at(x: number, y: number, placement: Placement, draw: () => string): string {
    const { turn = 0, scale = 1 } = placement;
    this.#turn += turn;
    const content = draw();
    this.#turn -= turn;
    const transform =
      `translate(${xy(x, y)})` +
      (turn === 0 ? '' : ` rotate(${num(turn)})`) +
      (scale === 1 ? '' : ` scale(${Math.round(scale * 1000) / 1000})`);
    return `<g transform="${transform}">${content}</g>`;
  }

  /** A plain area of one tone. */
  fill(path: string, color: string, opacity = 1): string {
    const veil = opacity === 1 ? '' : ` fill-opacity="${opacity}"`;
    return `<path d="${path}" fill="${color}"${veil}/>`;
  }

  /** A line with round ends. */
  line(path: string, color: string, width: number, opacity = 1): string {
    const veil = opacity === 1 ? '' : ` stroke-opacity="${opacity}"`;
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="${num(width)}" stroke-linecap="round" stroke-linejoin="round"${veil}/>`;
  }

  /** Keeps a content inside a path, which may be moved by a vector. */
  within(path: string, content: string, by: Point = [0, 0]): string {
    this.#names += 1;
    const name = `c${this.#names}`;
    const move = by[0] === 0 && by[1] === 0 ? '' : ` transform="translate(${xy(...by)})"`;
    return (
      `<clipPath id="${name}"><path d="${path}"${move}/></clipPath>` +
      `<g clip-path="url(#${name})">${content}</g>`
    );
  }

  /**
   * A body: its shade shows on the side away from the light, `depth` units deep, and where `lit`
   * is given a light rim on the side towards it. `over` is drawn on it and cut at its edge.
   */
  body(
    path: string,
    tones: Tones,
    depth: number,
    { lit = 0, over = '' }: { lit?: number; over?: string } = {},
  ): string {
    const near = this.lightward(depth);
    const far = this.lightward(-lit);
    const layers =
      lit === 0
        ? this.#moved(path, near, tones.base)
        : this.#moved(path, near, tones.light) +
          this.within(path, this.#moved(path, far, tones.base), near);
    return this.within(path, this.fill(path, tones.shade) + layers + over);
  }

  #moved(path: string, by: Point, color: string): string {
    return `<path d="${path}" fill="${color}" transform="translate(${xy(...by)})"/>`;
  }

  /** The way towards the light, `distance` long, as seen by what is being drawn. */
  lightward(distance: number): Point {
    return turned([LIGHT[0] * distance, LIGHT[1] * distance], -this.#turn);
  }

  /** A soft-edged bean of light lying on a round body of radius `r` around a point. */
  gloss(cx: number, cy: number, r: number, color: string, size = 1): string {
    const [dx, dy] = this.lightward(r * 0.56);
    const turn = (Math.atan2(dy, dx) * 180) / Math.PI + 90;
    return this.fill(oval(cx + dx, cy + dy, r * 0.24 * size, r * 0.13 * size, turn), color);
  }

  /** A flat shadow on the table, under something that stands at a point. */
  shadow(cx: number, cy: number, rx: number, ry: number, color: string): string {
    return this.fill(oval(cx + rx * 0.12, cy, rx, ry), color);
  }

  /**
   * A leaf from its base at the origin up to its tip, with the half towards the light lighter and
   * a rib; `veins` side veins on each half.
   */
  leaf(
    length: number,
    width: number,
    tones: Tones,
    { bend = 0, veins = 0, rib = true }: { bend?: number; veins?: number; rib?: boolean } = {},
  ): string {
    const half = width / 2;
    const spine = `Q${xy(-bend * 0.35, -length * 0.5)} ${xy(bend, -length)}`;
    const side = (sign: number) =>
      `M0 0C${xy(sign * half * 1.25 - bend * 0.3, -length * 0.22)} ` +
      `${xy(sign * half * 1.1 + bend * 0.3, -length * 0.72)} ${xy(bend, -length)}` +
      `Q${xy(-bend * 0.35, -length * 0.5)} 0 0Z`;
    const [towards] = this.lightward(1);
    const [left, right] = towards < 0 ? [tones.base, tones.shade] : [tones.shade, tones.base];
    const strokes: string[] = [];
    const thin = Math.max(length * 0.018, 1.6);
    if (rib) strokes.push(this.line(`M0 0${spine}`, tones.light, thin));
    for (let index = 1; index <= veins; index += 1) {
      const t = index / (veins + 1.2);
      const y = -length * t;
      const x = -bend * 0.7 * t * (1 - t) + bend * t * t;
      const reach = half * 0.72 * Math.sin(Math.PI * Math.min(t + 0.12, 1));
      const rise = length * 0.11;
      strokes.push(
        this.line(`M${xy(x, y)}L${xy(x - reach, y - rise)}`, tones.light, thin * 0.7),
        this.line(`M${xy(x, y)}L${xy(x + reach, y - rise)}`, tones.light, thin * 0.7),
      );
    }
    return this.fill(side(-1), left) + this.fill(side(1), right) + strokes.join('');
  }
}
