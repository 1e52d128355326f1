import { max, sum } from 'd3-array';
import { scaleBand, scaleLinear } from 'd3-scale';
import { formatCount, formatTime, plural } from '../../format/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { ChartTable, useWidth } from './ChartTable.tsx';

const MINUTE_MS = 60_000;
const MINUTES_SHOWN = 60;

/** The value of the minute that begins at `minute` (ISO 8601). */
export type MinuteFigure = { minute: string; value: number };

/**
 * Returns the values of the 60 minutes up to `now` (milliseconds), oldest first, with 0 for minutes
 * without a figure.
 */
export function lastHour(figures: readonly MinuteFigure[], now: number) {
  const known = new Map(
    figures.map(({ minute, value }) => [Math.floor(Date.parse(minute) / MINUTE_MS), value]),
  );
  const last = Math.floor(now / MINUTE_MS);
  return Array.from({ length: MINUTES_SHOWN }, (_, index) => {
    const minute = last - (MINUTES_SHOWN - 1) + index;
    return { minute: minute * MINUTE_MS, value: known.get(minute) ?? 0 };
  });
}

/** A bar chart of the last 60 minutes that moves with time. */
export function MinuteChart({
  title,
  noun,
  figures,
  height = 96,
}: {
  title: string;
  /** What is counted, in the singular: 'order'. */
  noun: string;
  figures: readonly MinuteFigure[];
  /** Pixels, the axis included. */
  height?: number;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const minutes = lastHour(figures, useNow(MINUTE_MS));
  const baseline = height - 18;
  const x = scaleBand<number>()
    .domain(minutes.map(({ minute }) => minute))
    .range([0, width])
    .paddingInner(0.25);
  const y = scaleLinear()
    .domain([0, Math.max(3, max(minutes, ({ value }) => value) ?? 0)])
    .range([baseline, 4]);
  const total = sum(minutes, ({ value }) => value);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="font-display text-base font-semibold">{title}</span>
        <span className="tabular font-medium">{plural(total, noun)} in the last hour</span>
      </figcaption>
      <div ref={frame} style={{ height }}>
        {width > 0 && (
          <svg aria-hidden="true" width={width} height={height} className="block text-xs">
            {minutes.map(({ minute, value }) => (
              <rect
                key={minute}
                width={x.bandwidth()}
                height={value === 0 ? 2 : baseline - y(value)}
                rx={1.5}
                fill={value === 0 ? 'var(--color-hairline)' : 'var(--color-sky)'}
                style={{
                  transform: `translate(${x(minute) ?? 0}px, ${value === 0 ? baseline - 2 : y(value)}px)`,
                }}
                className="transition-[transform,height] duration-500"
              >
                <title>{`${formatTime(new Date(minute))}: ${plural(value, noun)}`}</title>
              </rect>
            ))}
            <text x={0} y={height - 4} className="fill-ink-soft">
              60 min ago
            </text>
            <text x={width} y={height - 4} textAnchor="end" className="fill-ink-soft">
              now
            </text>
          </svg>
        )}
      </div>
      <ChartTable
        caption={title}
        head={['Minute', `${noun}s`]}
        rows={minutes
          .filter(({ value }) => value > 0)
          .map(({ minute, value }) => [formatTime(new Date(minute)), formatCount(value)])}
      />
    </figure>
  );
}
