import { max } from 'd3-array';
import { scaleLinear, scalePoint } from 'd3-scale';
import { type PointerEvent, useState } from 'react';
import { cn } from '../cn.ts';
import { ChartTable, useWidth } from './ChartTable.tsx';

/** One point of a series, such as a day, with its value. */
export type Point = { label: string; value: number };

const PADDING_PX = { top: 8, right: 8, bottom: 22 };

/** The room left of the bars, and what the labels of the axis take of it: a sign may have five letters. */
const AXIS_PX = { min: 48, gap: 8, character: 8 };

const toneFill = { leaf: 'var(--color-leaf)', sky: 'var(--color-sky)' } as const;

/**
 * A series over time as a bar chart: a line would claim values between the points. The pointer shows the
 * value of a point; screen readers get a table.
 */
export function SeriesChart({
  title,
  points,
  format,
  formatAxis = format,
  tone = 'leaf',
  height = 160,
  className,
}: {
  /** The visible title. */
  title: string;
  /** Oldest first, at equal distances. */
  points: readonly Point[];
  format: (value: number) => string;
  /** The format of the axis labels. */
  formatAxis?: (value: number) => string;
  tone?: keyof typeof toneFill;
  /** Pixels, the axis included. */
  height?: number;
  className?: string;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);

  const baseline = height - PADDING_PX.bottom;
  const y = scaleLinear()
    .domain([0, max(points, (point) => point.value) || 1])
    .nice(3)
    .range([baseline, PADDING_PX.top]);
  // Fractions of an order or a rupee make no useful labels.
  const ticks = y
    .ticks(3)
    .filter(Number.isInteger)
    .map((value) => ({ value, label: formatAxis(value) }));
  const longest = max(ticks, ({ label }) => label.length) ?? 0;
  const left = Math.max(AXIS_PX.min, AXIS_PX.gap + longest * AXIS_PX.character);
  const x = scalePoint<number>()
    .domain(points.map((_, index) => index))
    .range([left, Math.max(left, width - PADDING_PX.right)])
    .padding(0.5);
  const xOf = (index: number) => x(index) ?? left;
  const shown = at === null ? undefined : points[at];
  const labelled = new Set([0, Math.floor((points.length - 1) / 2), points.length - 1]);

  const selectNearest = (event: PointerEvent<SVGSVGElement>) => {
    const pointer = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const nearest = Math.round((pointer - xOf(0)) / (x.step() || 1));
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
            onPointerMove={selectNearest}
            onPointerLeave={() => setAt(null)}
            className="block touch-pan-y text-xs"
          >
            {ticks.map(({ value, label }) => (
              <g key={value}>
                <line
                  x1={left}
                  x2={width - PADDING_PX.right}
                  y1={y(value)}
                  y2={y(value)}
                  stroke="var(--color-hairline)"
                />
                <text
                  x={left - AXIS_PX.gap}
                  y={y(value)}
                  dy="0.32em"
                  textAnchor="end"
                  className="tabular fill-ink-soft"
                >
                  {label}
                </text>
              </g>
            ))}
            {points.map((point, index) => (
              <rect
                key={point.label}
                x={xOf(index) - x.step() * 0.36}
                width={Math.max(1, x.step() * 0.72)}
                y={point.value === 0 ? baseline - 1 : y(point.value)}
                height={point.value === 0 ? 1 : baseline - y(point.value)}
                rx={Math.min(3, x.step() * 0.2)}
                fill={point.value === 0 ? 'var(--color-outline)' : toneFill[tone]}
                opacity={at === null || at === index ? 1 : 0.55}
                className="transition-[y,height,opacity] duration-300"
              />
            ))}
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
