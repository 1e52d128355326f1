import type { DayFigures } from '#contract/ordering/orders/orders';
import { formatMoney, formatMoneyShort } from '#contract/platform/money/constants';
import { formatCount } from '#contract/platform/text/constants/formats';
import { formatWallDate } from '#contract/platform/time/constants';
import { SeriesChart } from '../../../platform/ui/charts/SeriesChart.tsx';

/** The revenue and the number of orders of the last 30 days. */
export function DaysCharts({ days, height }: { days: readonly DayFigures[]; height?: number }) {
  const points = (field: 'revenue' | 'orders') =>
    days.map((day) => ({ label: formatWallDate(day.date, 'short'), value: day[field] }));
  return (
    <>
      <SeriesChart
        title="Revenue, last 30 days"
        points={points('revenue')}
        format={formatMoney}
        formatAxis={formatMoneyShort}
        height={height}
      />
      <SeriesChart
        title="Orders, last 30 days"
        points={points('orders')}
        format={formatCount}
        tone="sky"
        height={height}
      />
    </>
  );
}
