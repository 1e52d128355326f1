import { CalendarClock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { formatNearDay, formatWallDate } from '#contract/platform/time/constants';
import { formatAddress, plural } from '../../platform/format/format.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import type { PlaceRow } from './week.ts';

type Props = {
  rows: readonly PlaceRow[];
  farmToday: string;
  renderSlot: (slot: FarmSlot) => ReactNode;
  /** Moves a day's orders; undefined for those who may not. */
  onMoveDay: ((date: string) => void) | undefined;
};

const takenOn = (rows: readonly PlaceRow[], date: string): number =>
  rows
    .flatMap(({ slotsByDay }) => slotsByDay.get(date) ?? [])
    .reduce((sum, { taken }) => sum + taken, 0);

/** A week of slots as a table: the places below each other, the days beside each other. */
export function WeekGrid({ days, rows, ...props }: Props & { days: readonly string[] }) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-x-2 border-spacing-y-0">
      <caption className="sr-only">Slots by place and day</caption>
      <thead>
        <tr>
          {days.map((date) => (
            <th key={date} scope="col" className="pb-2 text-left align-top font-normal">
              <DayHead date={date} rows={rows} {...props} />
            </th>
          ))}
        </tr>
      </thead>
      {rows.map(({ place, slotsByDay }) => (
        <tbody key={place._id}>
          <tr>
            <th
              scope="rowgroup"
              colSpan={days.length}
              className="border-t border-hairline pb-2 pt-4 text-left"
            >
              <PlaceName place={place} />
            </th>
          </tr>
          <tr>
            {days.map((date) => (
              <td key={date} className="pb-4 align-top">
                <div className="grid gap-2">
                  {(slotsByDay.get(date) ?? []).map(props.renderSlot)}
                </div>
              </td>
            ))}
          </tr>
        </tbody>
      ))}
    </table>
  );
}

/** One day of slots, for a phone: the places below each other. */
export function DayList({ date, rows, ...props }: Props & { date: string }) {
  const open = rows.filter(({ slotsByDay }) => slotsByDay.has(date));
  return (
    <div className="grid gap-5">
      <DayHead date={date} rows={rows} isWide {...props} />
      {open.map(({ place, slotsByDay }) => (
        <section key={place._id} className="grid gap-2">
          <h2 className="font-sans">
            <PlaceName place={place} />
          </h2>
          <div className="grid gap-2">{(slotsByDay.get(date) ?? []).map(props.renderSlot)}</div>
        </section>
      ))}
      {open.length === 0 && <p className="py-6 text-center text-ink-soft">No slots on this day.</p>}
    </div>
  );
}

function PlaceName({ place }: { place: PlaceRow['place'] }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 tracking-normal">
      <span className="text-base font-semibold">{place.name}</span>
      <span className="text-sm font-normal text-ink-soft">{formatAddress(place.address)}</span>
    </span>
  );
}

function DayHead({
  date,
  rows,
  farmToday,
  onMoveDay,
  isWide = false,
}: Omit<Props, 'renderSlot'> & { date: string; isWide?: boolean }) {
  const taken = takenOn(rows, date);
  const near = formatNearDay(date, farmToday);
  const full = formatWallDate(date, 'weekday');
  const isNear = !full.startsWith(near);
  const mayMove = onMoveDay !== undefined && taken > 0 && date >= farmToday;
  return (
    <div className={cn('grid gap-1', isWide && 'grid-cols-[1fr_auto] items-center')}>
      <div className="text-sm">
        <p className={cn('font-semibold', date === farmToday && 'text-leaf')}>{full}</p>
        <p className="tabular text-xs text-ink-soft">
          {isNear && `${near} · `}
          {plural(taken, 'order')}
        </p>
      </div>
      {mayMove && (
        <Button
          variant="quiet"
          size="sm"
          icon={<CalendarClock />}
          aria-label={`Move day: ${full}`}
          onClick={() => onMoveDay(date)}
          className={cn('justify-self-start', !isWide && '-ml-3')}
        >
          Move day
        </Button>
      )}
    </div>
  );
}
