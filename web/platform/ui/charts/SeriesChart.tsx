import { max, sum } from 'd3-array';
import { scaleBand, scaleLinear, scalePoint } from 'd3-scale';
import {
  type ComponentProps,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { formatTime } from '../../format/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { cn } from '../cn.ts';
import { useDirection } from '../direction.ts';

/** One point of a series, such as a day, with its value. */
export type Point = { label: string; value: number };

const PADDING_PX = { top: 8, end: 8, bottom: 22 };

/** The room before the bars, and what the labels of the axis take of it: signs of currencies are wide, `₨` as two. */
const AXIS_PX = { min: 48, gap: 8, character: 8, sign: 16 };
const widthOf = (label: string): number =>
  sum(label, (letter) => (/\p{Sc}/u.test(letter) ? AXIS_PX.sign : AXIS_PX.character));

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
  height?: number | undefined;
}) {
  const [frame, width, place] = useWidth();
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
  const longest = max(ticks, ({ label }) => widthOf(label)) ?? 0;
  const start = Math.max(AXIS_PX.min, AXIS_PX.gap + longest);
  const x = scalePoint<number>()
    .domain(points.map((_, index) => index))
    .range([start, Math.max(start, width - PADDING_PX.end)])
    .padding(0.5);
  const xOf = (index: number) => x(index) ?? start;
  const barWidth = Math.max(1, x.step() * 0.72);
  const shown = at === null ? undefined : points[at];
  const labelled = new Set([0, Math.floor((points.length - 1) / 2), points.length - 1]);

  const selectNearest = (event: PointerEvent<SVGSVGElement>) => {
    const pointer = place(event.clientX - event.currentTarget.getBoundingClientRect().left);
    const nearest = Math.round((pointer - xOf(0)) / (x.step() || 1));
    setAt(Math.max(0, Math.min(points.length - 1, nearest)));
  };

  return (
    <Chart
      frame={frame}
      width={width}
      height={height}
      caption={
        <figcaption className="mb-1 flex items-baseline justify-between gap-3 text-sm">
          <span className="text-ink-soft">{title}</span>
          <span aria-hidden="true" className="tabular truncate font-medium">
            {shown && `${shown.label}: ${format(shown.value)}`}
          </span>
        </figcaption>
      }
      onPointerMove={selectNearest}
      onPointerLeave={() => setAt(null)}
      className="touch-pan-y"
      title={title}
      head={[t('When'), t('How much')]}
      rows={points.map((point) => [point.label, format(point.value)])}
    >
      {ticks.map(({ value, label }) => (
        <g key={value}>
          <line
            x1={place(start)}
            x2={place(width - PADDING_PX.end)}
            y1={y(value)}
            y2={y(value)}
            stroke="var(--color-hairline)"
          />
          <text
            x={place(start - AXIS_PX.gap)}
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
          x={place(xOf(index) - barWidth / 2, barWidth)}
          width={barWidth}
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
              x={place(xOf(index))}
              y={height - 5}
              textAnchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
              className="fill-ink-soft"
            >
              {point.label}
            </text>
          ),
      )}
    </Chart>
  );
}

const MINUTE_MS = 60_000;
const MINUTES_SHOWN = 60;

/** The value of the minute that begins at `minute` (ISO 8601). */
type MinuteFigure = { minute: string; value: number };

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

/** What a chart of minutes says of what it counts. */
type MinuteWords = {
  /** The heading of the counts: 'orders'. */
  heading: string;
  /** '3 orders in the last hour'. */
  lastHour: (count: number) => string;
  /** '4:05 PM: 3 orders'. */
  at: (time: string, count: number) => string;
};

/** A bar chart of the last 60 minutes that moves with time. */
export function MinuteChart({
  title,
  words,
  figures,
  height,
}: {
  title: string;
  words: MinuteWords;
  figures: readonly MinuteFigure[];
  /** Pixels, the axis included. */
  height: number;
}) {
  const [frame, width, place] = useWidth();
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
    <Chart
      frame={frame}
      width={width}
      height={height}
      caption={
        <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
          <span className="font-display text-base font-semibold">{title}</span>
          <span className="tabular font-medium">{words.lastHour(total)}</span>
        </figcaption>
      }
      title={title}
      head={[t('Minute'), words.heading]}
      rows={minutes
        .filter(({ value }) => value > 0)
        .map(({ minute, value }) => [formatTime(new Date(minute)), formatCount(value)])}
    >
      {minutes.map(({ minute, value }) => (
        <rect
          key={minute}
          width={x.bandwidth()}
          height={value === 0 ? 2 : baseline - y(value)}
          rx={1.5}
          fill={value === 0 ? 'var(--color-hairline)' : 'var(--color-sky)'}
          style={{
            transform: `translate(${place(x(minute) ?? 0, x.bandwidth())}px, ${value === 0 ? baseline - 2 : y(value)}px)`,
          }}
          className="transition-[transform,height] duration-500"
        >
          <title>{words.at(formatTime(new Date(minute)), value)}</title>
        </rect>
      ))}
      <text x={place(0)} y={height - 4} className="fill-ink-soft">
        {t('60 min ago')}
      </text>
      <text x={place(width)} y={height - 4} textAnchor="end" className="fill-ink-soft">
        {t('now')}
      </text>
    </Chart>
  );
}

/** The figure around a drawing: its caption, and its data as a table for screen readers. */
function Chart({
  frame,
  width,
  height,
  caption,
  title,
  head,
  rows,
  className,
  children,
  ...svg
}: ComponentProps<'svg'> & {
  frame: RefObject<HTMLDivElement | null>;
  width: number;
  height: number;
  caption: ReactNode;
  title: string;
  /** The column headers; the first one is that of the row names. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <figure className="min-w-0">
      {caption}
      <div ref={frame} style={{ height }}>
        {width > 0 && (
          <svg
            aria-hidden="true"
            width={width}
            height={height}
            {...svg}
            className={cn('block text-xs', className)}
          >
            {children}
          </svg>
        )}
      </div>
      {/* A table ignores the height of `sr-only`: by itself it would lengthen the page by its rows. */}
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name = '', ...values]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {values.map((value, column) => (
                  <td key={head[column + 1]}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/**
 * Returns a ref, the current width of its element in pixels, 0 before it is known, and where to draw what stands so many
 * pixels from the start and is this wide: time goes in the direction in which one reads.
 */
function useWidth() {
  const isFromRight = useDirection() === 'rtl';
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const place = (start: number, its = 0) => (isFromRight ? width - start - its : start);
  return [ref, width, place] as const;
}
