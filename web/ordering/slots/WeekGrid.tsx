import { CalendarClock, Lock, LockOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { weekdays } from '#contract/farm/farmers/constants';
import { weekdayOf } from '#contract/farm/schedule/constants';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatNearDay, formatWallDate } from '#contract/platform/time/constants';
import { formatWallDates } from '#contract/platform/time/constants/clock';
import { useHighlight } from '../../platform/queries/use-changes.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Badge, Button, Spinner } from '../../platform/ui/primitives/Button.tsx';
import { useUpdateSlot } from './commands.ts';
import { byStart, placesOf, timesOf } from './rules.ts';

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
      <caption className="sr-only">{t('Slots by place and day')}</caption>
      <thead>
        <tr>
          {days.map((date) => (
            <th key={date} scope="col" className="pb-2 text-start align-top font-normal">
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
              className="border-t border-hairline pb-2 pt-4 text-start"
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
      {open.length === 0 && (
        <p className="py-6 text-center text-ink-soft">{t('No slots on this day.')}</p>
      )}
    </div>
  );
}

function PlaceName({ place }: { place: PlaceRow['place'] }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 tracking-normal">
      <bdi className="text-base font-semibold">{place.name}</bdi>
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
  const isNear = near !== full && near !== formatWallDate(date, 'weekdayShort');
  const mayMove = onMoveDay !== undefined && taken > 0 && date >= farmToday;
  return (
    <div className={cn('grid gap-1', isWide && 'grid-cols-[1fr_auto] items-center')}>
      <div className="text-sm">
        <p className={cn('font-semibold', date === farmToday && 'text-leaf')}>{full}</p>
        <p className="tabular text-xs text-ink-soft">
          {isNear && `${near} · `}
          {t('{count, plural, one {# order} other {# orders}}', { count: taken })}
        </p>
      </div>
      {mayMove && (
        <Button
          variant="quiet"
          size="sm"
          icon={<CalendarClock />}
          aria-label={t('Move day: {day}', { day: full })}
          onClick={() => onMoveDay(date)}
          className={cn('justify-self-start', !isWide && '-ms-3')}
        >
          {t('Move day')}
        </Button>
      )}
    </div>
  );
}

/** A slot in the farm's week: how full it is, opened by a press, and closed or opened by another one. */
export function SlotTile({
  slot,
  isPast,
  mayChange,
  onOpen,
}: {
  slot: FarmSlot;
  isPast: boolean;
  /** Whether the reader may close and open slots. */
  mayChange: boolean;
  onOpen: (slot: FarmSlot) => void;
}) {
  const load = loadOf(slot);
  const closed = closedWord(slot);
  const isHighlighted = useHighlight(`${slot.taken} ${slot.state}`, slot._id);
  return (
    <div
      data-slot={slot._id}
      className={cn(
        'flex min-h-14 overflow-hidden rounded border border-hairline bg-surface',
        closed && 'border-dashed border-outline bg-sunken',
        isHighlighted && 'animate-highlight',
      )}
    >
      <button
        type="button"
        onClick={() => onOpen(slot)}
        className="grid min-w-0 grow content-center gap-1 px-2 py-1.5 text-start text-sm hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span
          className={cn(
            'text-xs text-ink-soft',
            closed && 'line-through decoration-1',
            isPast && 'italic',
          )}
        >
          {timesOf(slot)}
        </span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="tabular font-semibold">
            <span key={slot.taken} className="inline-block animate-tick">
              {load.text}
            </span>
            <span className="sr-only"> {t('taken')}</span>
          </span>
          <LoadBadges slot={slot} />
        </span>
        {slot.capacity !== null && <LoadBar share={load.share} isOver={load.over > 0} />}
      </button>
      {mayChange && !isPast && slot.state !== 'cancelled' && <CloseButton slot={slot} />}
    </div>
  );
}

/** Says that a slot is full or closed. */
export function LoadBadges({ slot }: { slot: FarmSlot }) {
  const { over, isFull } = loadOf(slot);
  const closed = closedWord(slot);
  return (
    <>
      {over > 0 && <Badge tone="tomato">{t('{count} over', { count: over })}</Badge>}
      {over === 0 && isFull && <Badge tone="leaf">{t('Full')}</Badge>}
      {closed && <Badge>{closed}</Badge>}
    </>
  );
}

function LoadBar({ share, isOver }: { share: number; isOver: boolean }) {
  return (
    <svg
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block h-1 w-full rounded-full"
    >
      <rect width="100" height="4" className="fill-hairline" />
      <rect width={share * 100} height="4" className={isOver ? 'fill-tomato' : 'fill-leaf'} />
    </svg>
  );
}

/** Closes an open slot and opens a closed one. The orders it has stay. */
function CloseButton({ slot }: { slot: FarmSlot }) {
  const update = useUpdateSlot();
  const isOpen = slot.state === 'open';
  const Icon = isOpen ? LockOpen : Lock;
  const named = {
    time: timesOf(slot),
    day: formatWallDate(slot.date, 'weekday'),
    place: slot.place.name,
  };
  return (
    <button
      type="button"
      aria-label={
        isOpen
          ? t('Close {time} on {day} at {place}', named)
          : t('Open {time} on {day} at {place}', named)
      }
      aria-disabled={update.isPending || undefined}
      onClick={() => {
        if (update.isPending) return;
        update.mutate({ slotId: slot._id, change: { state: isOpen ? 'closed' : 'open' } });
      }}
      className={cn(
        'grid w-8 shrink-0 place-items-center border-s border-hairline text-ink-soft hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:w-12',
        !isOpen && 'text-tomato',
      )}
    >
      {update.isPending ? <Spinner className="size-4" /> : <Icon className="size-4" />}
    </button>
  );
}

/** Returns the seven days of the week of a day, from the day on with which the market's weeks begin. */
export function weekOf(date: string): string[] {
  const first = addDays(date, -weekdays().indexOf(weekdayOf(date)));
  return weekdays().map((_, index) => addDays(first, index));
}

/** Returns a week in words: 'Nov 23 – 29', 'Nov 30 – Dec 6', with the year where it is not this one. */
export function formatWeek(days: readonly string[], today: string): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const year = last.slice(0, 4) === today.slice(0, 4) ? '' : `, ${last.slice(0, 4)}`;
  return `${formatWallDates(first, last)}${year}`;
}

/** The slots of one place, by day. */
type PlaceRow = {
  place: FarmSlot['place'];
  slotsByDay: ReadonlyMap<string, readonly FarmSlot[]>;
};

/** Returns the rows of the grid: the places by name, each with its slots by day and start. */
export function rowsOf(slots: readonly FarmSlot[]): PlaceRow[] {
  const ordered = slots.toSorted(byStart);
  return placesOf(slots).map((place) => {
    const slotsByDay = new Map<string, FarmSlot[]>();
    for (const slot of ordered) {
      if (slot.place._id !== place._id) continue;
      slotsByDay.set(slot.date, [...(slotsByDay.get(slot.date) ?? []), slot]);
    }
    return { place, slotsByDay };
  });
}

/** How full a slot is. */
type Load = {
  /** '12 / 20'; without a limit '12'. */
  text: string;
  /** Orders beyond the capacity. */
  over: number;
  isFull: boolean;
  /** From 0 to 1; without a limit 0. */
  share: number;
};

/** Returns how full a slot is. */
export function loadOf({ taken, capacity }: Pick<FarmSlot, 'taken' | 'capacity'>): Load {
  if (capacity === null) return { text: String(taken), over: 0, isFull: false, share: 0 };
  return {
    text: `${taken} / ${capacity}`,
    over: Math.max(0, taken - capacity),
    isFull: taken >= capacity,
    share: Math.min(1, taken / capacity),
  };
}

/** Returns why a slot takes no orders, in a word; undefined if it is open. */
export function closedWord({
  state,
  isDayClosed,
}: Pick<FarmSlot, 'state' | 'isDayClosed'>): string | undefined {
  if (state === 'cancelled') return t('Not offered');
  if (isDayClosed) return t('Day closed');
  return state === 'closed' ? t('Closed') : undefined;
}
