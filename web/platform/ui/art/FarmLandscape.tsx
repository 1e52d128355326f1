import { memo, type ReactNode } from 'react';
import { cn } from '../cn.ts';
import { seededRandom } from '../ground.ts';
import drawings from './drawings.svg';

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

/** A part that is drawn once, in a file that the pages share. */
const part = (name: string, { x, y }: { x: number; y: number }, size = 1): ReactNode => (
  <use
    key={x}
    href={`${drawings}#${name}`}
    transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size.toFixed(2)})`}
  />
);

const planted = (trees: readonly Tree[]): ReactNode =>
  trees.map((tree) => part(tree.kind < 0.35 ? 'poplar' : 'tree', tree, tree.size));

const buildingOf = (kind: number): string => {
  if (kind < 0.45) return 'barn';
  return kind < 0.75 ? 'house' : 'mill';
};

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
      {clouds.map((cloud) => part('cloud', cloud, cloud.size))}
      {shape(far.path, 'far')}
      {shape(mid.path, 'mid')}
      {planted(trees.filter((each) => !each.onNear))}
      {part(buildingOf(home.kind), { x: home.x, y: homeY })}
      {shape(near.path, 'near')}
      {rows(random, vanish, second, 164, `${id}a`)}
      {rows(random, { x: WIDTH - vanish.x, y: 130 }, crop, 196, `${id}b`)}
      {planted(trees.filter((each) => each.onNear))}
    </svg>
  );
});
