import { max } from 'd3-array';
import { scaleLinear, scalePoint } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';
import { type PointerEvent, useState } from 'react';
import { cn } from '../cn.ts';
import { ChartTable } from './ChartTable.tsx';
import { useWidth } from './use-width.ts';

/** One point of a series: what it is of (a day), and how much. */
export type Point = { label: string; value: number };

const PAD = { top: 8, right: 8, bottom: 22, left: 48 };

const tones = {
  leaf: { stroke: 'var(--leaf)', fill: 'var(--leaf-soft)' },
  sky: { stroke: 'var(--sky)', fill: 'var(--sky-soft)' },
} as const;

/**
 * A series over time as a line on its area (`line`) or as bars (`bars`). The pointer reads off
 * single points; those who cannot see it get the table behind it.
 */
export function SeriesChart({
  title,
  points,
  format,
  formatAxis = format,
  shape,
  tone = 'leaf',
  height = 160,
  className,
}: {
  /** What the chart shows, in a few words; stands above it too. */
  title: string;
  /** Oldest first, all of the same distance. */
  points: readonly Point[];
  format: (value: number) => string;
  /** How the axis writes its few values, if shorter. */
  formatAxis?: (value: number) => string;
  shape: 'line' | 'bars';
  tone?: keyof typeof tones;
  /** Pixels, the axis included. */
  height?: number;
  className?: string;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);

  const x = scalePoint<number>()
    .domain(points.map((_, index) => index))
    .range([PAD.left, Math.max(PAD.left, width - PAD.right)])
    .padding(shape === 'bars' ? 0.5 : 0);
  const xOf = (index: number) => x(index) ?? PAD.left;
  const floor = height - PAD.bottom;
  const y = scaleLinear()
    .domain([0, max(points, (point) => point.value) || 1])
    .nice(3)
    .range([floor, PAD.top]);
  // Neither orders nor rupees are read off in parts of one.
  const ticks = y.ticks(3).filter(Number.isInteger);
  const { stroke, fill } = tones[tone];
  const shown = at === null ? undefined : points[at];
  const labelled = new Set([0, Math.floor((points.length - 1) / 2), points.length - 1]);

  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const nearest = Math.round((left - xOf(0)) / (x.step() || 1));
    setAt(Math.max(0, Math.min(points.length - 1, nearest)));
  };

  return (
    <figure className={cn('min-w-0', className)}>
      <figcaption className="mb-1 flex items-baseline justify-between gap-3 text-sm">
        <span className="text-ink-soft">{title}</span>
        <span aria-hidden="true" className="tabular truncate font-medium">
          {shown && `${shown.label}: ${format(shown.value)}`}
        </span>
      </figcaption>
      <div ref={frame} style={{ height }}>
        {width > 0 && (
          <svg
            aria-hidden="true"
            width={width}
            height={height}
            onPointerMove={follow}
            onPointerLeave={() => setAt(null)}
            className="block touch-pan-y text-xs"
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={PAD.left}
                  x2={width - PAD.right}
                  y1={y(tick)}
                  y2={y(tick)}
                  stroke="var(--hairline)"
                />
                <text
                  x={PAD.left - 8}
                  y={y(tick)}
                  dy="0.32em"
                  textAnchor="end"
                  className="tabular fill-ink-soft"
                >
                  {formatAxis(tick)}
                </text>
              </g>
            ))}
            {shape === 'line' ? (
              <>
                <path
                  fill={fill}
                  d={
                    area<Point>()
                      .x((_, index) => xOf(index))
                      .y0(floor)
                      .y1((point) => y(point.value))
                      .curve(curveMonotoneX)(points) ?? undefined
                  }
                />
                <path
                  fill="none"
                  stroke={stroke}
                  strokeWidth={2}
                  strokeLinejoin="round"
                  d={
                    line<Point>()
                      .x((_, index) => xOf(index))
                      .y((point) => y(point.value))
                      .curve(curveMonotoneX)(points) ?? undefined
                  }
                />
              </>
            ) : (
              points.map((point, index) => (
                <rect
                  key={point.label}
                  x={xOf(index) - x.step() * 0.36}
                  width={Math.max(1, x.step() * 0.72)}
                  y={point.value === 0 ? floor - 1 : y(point.value)}
                  height={point.value === 0 ? 1 : floor - y(point.value)}
                  rx={Math.min(3, x.step() * 0.2)}
                  fill={point.value === 0 ? 'var(--outline)' : stroke}
                  opacity={at === null || at === index ? 1 : 0.55}
                  className="transition-[y,height,opacity] duration-300"
                />
              ))
            )}
            {shown && at !== null && shape === 'line' && (
              <circle
                cx={xOf(at)}
                cy={y(shown.value)}
                r={4.5}
                fill={stroke}
                stroke="var(--surface)"
                strokeWidth={2}
              />
            )}
            {points.map(
              (point, index) =>
                labelled.has(index) && (
                  <text
                    key={point.label}
                    x={xOf(index)}
                    y={height - 5}
                    textAnchor={
                      index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'
                    }
                    className="fill-ink-soft"
                  >
                    {point.label}
                  </text>
                ),
            )}
          </svg>
        )}
      </div>
      <ChartTable
        caption={title}
        head={['When', 'How much']}
        rows={points.map((point) => [point.label, format(point.value)])}
      />
    </figure>
  );
}
