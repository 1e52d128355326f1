import type { DayFigures } from '#contract/ordering/orders/orders';
import {
  formatCount,
  formatMoney,
  formatMoneyShort,
  formatWallDate,
} from '../../../platform/format/format.ts';
import { SeriesChart } from '../../../platform/ui/charts/SeriesChart.tsx';

/** The revenue and the number of orders of the last 30 days. */
export function DaysCharts({ days, height }: { days: readonly DayFigures[]; height?: number }) {
  const points = (field: 'revenue' | 'orders') =>
    days.map((day) => ({ label: formatWallDate(day.date, 'short'), value: day[field] }));
  const size = height === undefined ? {} : { height };
  return (
    <>
      <SeriesChart
        title="Revenue, last 30 days"
        points={points('revenue')}
        format={formatMoney}
        formatAxis={formatMoneyShort}
        {...size}
      />
      <SeriesChart
        title="Orders, last 30 days"
        points={points('orders')}
        format={formatCount}
        tone="sky"
        {...size}
      />
    </>
  );
}
