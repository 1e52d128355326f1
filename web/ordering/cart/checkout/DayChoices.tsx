import { useId } from 'react';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { formatNearDay, wallClockIn } from '#contract/platform/time/constants';
import { formatHours, formatUntil } from '../../../farm/model/handoff.ts';
import { formatWallDate } from '../../../platform/format/format.ts';
import { DAYS_SHOWN } from './days.ts';

/** The next possible days as big choices, each with its hours and until when one can order for it. */
export function DayChoices({
  legend,
  days,
  value,
  hasCutoff,
  timeZone,
  now,
  onChoose,
}: {
  legend: string;
  /** Those for which one can order now. */
  days: readonly PossibleDay[];
  /** The chosen day; it need not be among them. */
  value: string;
  hasCutoff: boolean;
  timeZone: string | undefined;
  /** Milliseconds. */
  now: number;
  onChoose: (day: PossibleDay) => void;
}) {
  const name = useId();
  const today = wallClockIn(timeZone, now).date;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium text-ink">{legend}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {days.slice(0, DAYS_SHOWN).map((day) => (
          <label
            key={day.date}
            className="grid min-h-16 cursor-pointer content-center gap-0.5 rounded border border-outline px-3 py-2 has-checked:border-leaf has-checked:bg-leaf-soft has-checked:text-leaf-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf"
          >
            <input
              type="radio"
              name={name}
              value={day.date}
              checked={day.date === value}
              onChange={() => onChoose(day)}
              className="sr-only"
            />
            <span className="font-medium">{labelOf(day.date, today)}</span>
            {day.open !== null && day.close !== null && (
              <span className="text-sm">{formatHours({ open: day.open, close: day.close })}</span>
            )}
            {hasCutoff && (
              <span className="text-balance text-xs text-ink-soft">
                {formatUntil(wallClockIn(timeZone, Date.parse(day.ordersUntil)), today)}
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** 'Today', 'Tomorrow', else with its date, since several weeks may be shown: 'Sat, Nov 28'. */
function labelOf(date: string, today: string): string {
  const near = formatNearDay(date, today);
  return near === 'Today' || near === 'Tomorrow' ? near : formatWallDate(date, 'weekday');
}
