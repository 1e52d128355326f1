import { memo, type ReactNode } from 'react';
import { cn } from '../cn.ts';
import { seededRandom } from '../ground.ts';

const WIDTH = 480;
const HEIGHT = 240;

/** The drawn part of the countryside with this path; `fill` is one of the colours `--scene-…`. */
const shape = (d: string, fill: string): ReactNode => <path d={d} fill={`var(--scene-${fill})`} />;

/** Returns the path of a hill across the picture, and the heights at its steps. */
function hill(random: () => number, top: number, swing: number): { path: string; y: number[] } {
  const steps = 6;
  const y = Array.from({ length: steps + 1 }, () => top + (random() - 0.5) * 2 * swing);
  const heights = y.map((each) => each.toFixed(1));
  const half = WIDTH / steps / 2;
  const curves = heights.slice(1).map((to, step) => {
    const x = (WIDTH / steps) * step;
    return `C${x + half} ${heights[step]} ${x + half} ${to} ${x + half * 2} ${to}`;
  });
  return { path: `M0 ${heights[0]}${curves.join('')}V${HEIGHT}H0Z`, y };
}

/** Returns the approximate height of the hill at `x`. */
function heightAt({ y }: { y: number[] }, x: number): number {
  const steps = y.length - 1;
  const place = Math.max(0, Math.min(steps - 0.001, (x / WIDTH) * steps));
  const left = Math.floor(place);
  const part = place - left;
  const eased = part * part * (3 - 2 * part);
  return (y[left] ?? 0) * (1 - eased) + (y[left + 1] ?? 0) * eased;
}

type Tree = { x: number; y: number; size: number; kind: number; onNear: boolean };

function Trees({ trees }: { trees: readonly Tree[] }): ReactNode {
  return trees.map(({ x, y, size, kind }) => {
    const ball = (dx: number, dy: number, r: number, fill: string) => (
      <circle cx={x + size * dx} cy={y - size * dy} r={size * r} fill={`var(--scene-${fill})`} />
    );
    return kind < 0.35 ? (
      // A poplar.
      <ellipse
        key={x}
        cx={x}
        cy={y - size * 1.1}
        rx={size * 0.34}
        ry={size * 1.2}
        fill="var(--scene-tree)"
      />
    ) : (
      <g key={x}>
        <path
          d={`M${x} ${y + 1}v${-size}`}
          stroke="var(--scene-furrow)"
          strokeWidth={size * 0.16}
        />
        {ball(0, 1.15, 0.62, 'tree')}
        {ball(-0.4, 0.85, 0.42, 'tree')}
        {ball(0.42, 0.8, 0.4, 'crop')}
      </g>
    );
  });
}

function barn(w: number): ReactNode {
  const h = w * 0.62;
  return (
    <>
      {shape(`M${w * 1.06} 0V${-h * 1.5}a${w * 0.17} ${w * 0.17} 0 0 1 ${w * 0.34} 0V0z`, 'wall')}
      {shape(`M${w * 1.06} ${-h * 1.5}a${w * 0.17} ${w * 0.17} 0 0 1 ${w * 0.34} 0z`, 'roof')}
      {shape(`M0 0V${-h}L${w / 2} ${-h * 1.75}L${w} ${-h}V0z`, 'barn')}
      <path
        d={`M${-w * 0.07} ${-h * 0.94}L${w / 2} ${-h * 1.78}L${w * 1.07} ${-h * 0.94}`}
        fill="none"
        stroke="var(--scene-roof)"
        strokeWidth={w * 0.1}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {shape(`M${w * 0.34} 0V${-h * 0.72}h${w * 0.32}V0z`, 'wall')}
      <path
        d={`M${w * 0.34} 0L${w * 0.66} ${-h * 0.72}M${w * 0.66} 0L${w * 0.34} ${-h * 0.72}`}
        stroke="var(--scene-barn)"
        strokeWidth={w * 0.035}
      />
    </>
  );
}

function house(size: number): ReactNode {
  const a = size * 0.14;
  const b = size * 0.2;
  const pane = `${-size * 0.36}h${b}v${b}h${-b}z`;
  return (
    <>
      {shape(`M${size * 0.72} ${-size * 0.8}v${-size * 0.4}h${a}v${size * 0.5}`, 'furrow')}
      {shape(`M0 0V${-size * 0.55}h${size}V0z`, 'wall')}
      {shape(
        `M${-size * 0.1} ${-size * 0.52}L${size * 0.22} ${-size}h${size * 0.56}L${size * 1.1} ${-size * 0.52}z`,
        'roof',
      )}
      {shape(
        `M${a} ${pane}M${size * 0.66} ${pane}M${size * 0.42} 0v${-size * 0.38}h${size * 0.17}V0z`,
        'furrow',
      )}
    </>
  );
}

function mill(size: number, turn: number): ReactNode {
  return (
    <>
      {shape(
        `M${-size * 0.24} 0L${-size * 0.14} ${-size * 1.1}h${size * 0.28}L${size * 0.24} 0z`,
        'wall',
      )}
      {shape(
        `M${-size * 0.19} ${-size * 1.08}a${size * 0.19} ${size * 0.19} 0 0 1 ${size * 0.38} 0z`,
        'roof',
      )}
      <g transform={`translate(0 ${-size * 1.12})`}>
        {[0, 90, 180, 270].map((angle) => (
          <path
            key={angle}
            transform={`rotate(${angle + turn})`}
            d={`M0 0L${size * 0.1} ${-size * 0.82}h${-size * 0.2}z`}
            fill="var(--scene-cloud)"
          />
        ))}
        <circle r={size * 0.06} fill="var(--scene-roof)" />
      </g>
    </>
  );
}

/** A field with rows that run towards one point on the horizon. */
function rows(
  random: () => number,
  vanish: { x: number; y: number },
  { ground, row, dotted }: (typeof crops)[number],
  edge: number,
  id: string,
): ReactNode {
  // One path, because a page that has fewer elements is there sooner.
  let lines = '';
  const spread = 15 + Math.floor(random() * 6);
  for (let index = -spread; index <= spread; index++) {
    const bottom = vanish.x + index * (WIDTH / spread) * 1.15;
    lines += `M${(vanish.x + index * 3.5).toFixed(1)} ${vanish.y}L${bottom.toFixed(1)} ${HEIGHT}`;
  }
  const tilt = (random() - 0.5) * 16;
  return (
    <g>
      <clipPath id={id}>
        <path
          d={`M0 ${edge + tilt}Q${WIDTH / 2} ${edge - 14} ${WIDTH} ${edge - tilt}V${HEIGHT}H0Z`}
        />
      </clipPath>
      <g clipPath={`url(#${id})`}>
        <rect y={edge - 30} width={WIDTH} height={HEIGHT} fill={`var(--scene-${ground})`} />
        <path
          d={lines}
          stroke={`var(--scene-${row})`}
          strokeWidth={dotted ? 5 : 3.4}
          strokeLinecap="round"
          {...(dotted ? { strokeDasharray: '0.1 10' } : {})}
        />
      </g>
    </g>
  );
}

const crops = [
  { ground: 'soil', row: 'crop', dotted: true },
  { ground: 'soil', row: 'furrow', dotted: false },
  { ground: 'wheat', row: 'soil', dotted: false },
  { ground: 'near', row: 'crop', dotted: false },
  { ground: 'crop', row: 'wheat', dotted: true },
] as const;

/**
 * A decorative landscape that is generated from a farm's name; the same name always gives the same
 * landscape.
 */
export const FarmLandscape = memo(function FarmLandscape({
  name,
  wide = false,
  className,
}: {
  name: string;
  /** For a banner, which shows only the middle: sun and clouds are lower. */
  wide?: boolean;
  className?: string | undefined;
}) {
  const random = seededRandom(name);
  const id = `land-${Math.floor(random() * 1e9).toString(36)}`;
  const sun = { x: 60 + random() * 360, y: 36 + random() * 44, r: 17 + random() * 10 };
  const sunY = wide ? 72 + sun.y / 3 : sun.y;
  const far = hill(random, 104, 16);
  const mid = hill(random, 128, 13);
  const near = hill(random, 150, 8);
  const clouds = Array.from({ length: 2 + Math.floor(random() * 2) }, () => ({
    x: 30 + random() * 400,
    y: wide ? 82 + random() * 16 : 24 + random() * 44,
    size: 9 + random() * 9,
  }));
  const home = { x: 70 + random() * 320, kind: random() };
  const homeY = heightAt(mid, home.x + 14) + 3;
  const trees = Array.from({ length: 7 + Math.floor(random() * 6) }, () => {
    const x = random() * WIDTH;
    const onNear = random() < 0.45;
    const y = heightAt(onNear ? near : mid, x) + 2;
    const size = (onNear ? 15 : 9) * (0.8 + random() * 0.5);
    return { x, y, size, kind: random(), onNear };
  }).filter((each) => each.onNear || Math.abs(each.x - home.x - 14) > 40);
  const crop = crops[Math.floor(random() * crops.length)] ?? crops[0];
  const second = crops[Math.floor(random() * crops.length)] ?? crops[3];
  const vanish = { x: 120 + random() * 240, y: 120 };
  const turn = random() * 60;
  let building = mill(40, turn);
  if (home.kind < 0.45) building = barn(34);
  else if (home.kind < 0.75) building = house(32);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={cn('block aspect-2/1 w-full', className)}
    >
      <rect width={WIDTH} height={HEIGHT} fill="var(--scene-sky)" />
      <path d={`M0 78Q${WIDTH / 2} 56 ${WIDTH} 82V${HEIGHT}H0Z`} fill="var(--scene-haze)" />
      <circle cx={sun.x} cy={sunY} r={sun.r * 1.7} fill="var(--scene-sun)" opacity="0.22" />
      <circle cx={sun.x} cy={sunY} r={sun.r} fill="var(--scene-sun)" />
      {clouds.map(({ x, y, size }) => (
        <path
          key={x}
          d={`M${x} ${y}a${size} ${size} 0 0 1 ${size * 1.7} ${-size * 0.5}a${size * 1.2} ${size * 1.2} 0 0 1 ${size * 2.2} ${size * 0.2}a${size * 0.7} ${size * 0.7} 0 0 1 ${size * 0.6} ${size * 1.2}H${x}a${size * 0.5} ${size * 0.5} 0 0 1 0 ${-size * 0.9}z`}
          fill="var(--scene-cloud)"
        />
      ))}
      {shape(far.path, 'far')}
      {shape(mid.path, 'mid')}
      <Trees trees={trees.filter((each) => !each.onNear)} />
      <g transform={`translate(${home.x} ${homeY})`}>{building}</g>
      {shape(near.path, 'near')}
      {rows(random, vanish, second, 164, `${id}a`)}
      {rows(random, { x: WIDTH - vanish.x, y: 130 }, crop, 196, `${id}b`)}
      <Trees trees={trees.filter((each) => each.onNear)} />
    </svg>
  );
});
