import { useQuery } from '@tanstack/react-query';
import type { Place } from '#contract/farm/places/places';
import type { PickScope } from '#contract/ordering/picklist/pick-summary';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatNearDay } from '#contract/platform/time/constants';
import { midSentence } from '#contract/platform/time/constants/clock';
import { AnyDay, Select } from '../../platform/ui/fields/controls.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { pickDaysQuery } from './queries.ts';

/** Days ahead of which those with orders are offered. */
const DAYS_AHEAD = 14;
/** The days that are offered at most beside today and tomorrow. */
const OFFERED_MAX = 6;

/** The days with something to pick in the next two weeks, by the farm's clock. */
export const daysAheadQuery = (farmToday: string) =>
  pickDaysQuery(farmToday, addDays(farmToday, DAYS_AHEAD - 1));

/** Returns the days with something to pick in the next two weeks, by the farm's clock. */
export const usePickDays = (farmToday: string): readonly { date: string; orders: number }[] =>
  useQuery(daysAheadQuery(farmToday)).data ?? [];

/** Which day and place is picked for: today, tomorrow, the days with orders, or any other. */
export function DayBar({
  farmToday,
  date,
  onDate,
  places,
  place,
  onPlace,
}: {
  farmToday: string;
  date: string;
  onDate: (date: string) => void;
  places: readonly Pick<Place, '_id' | 'name'>[];
  place: string | null;
  onPlace: (place: string) => void;
}) {
  const busy = usePickDays(farmToday)
    .filter(({ orders }) => orders > 0)
    .map((day) => day.date)
    .slice(0, OFFERED_MAX);
  const days = [...new Set([farmToday, addDays(farmToday, 1), ...busy, date])].sort();
  return (
    <div className="flex flex-wrap items-center gap-2 sm:flex-nowrap" data-print="hide">
      <div className="flex min-w-0 grow items-center gap-2 max-sm:w-full">
        <FilterBar
          label={t('Day')}
          options={days.map((day) => ({ value: day, label: formatNearDay(day, farmToday) }))}
          value={date}
          onChange={onDate}
        />
        <AnyDay value={date} onChange={onDate} />
      </div>
      {places.length > 1 && (
        <div className="min-w-0 max-sm:w-full sm:w-56">
          <Select
            aria-label={t('Place')}
            value={place ?? ''}
            onChange={(event) => onPlace(event.target.value)}
          >
            <option value="">{t('All places')}</option>
            {places.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
      )}
    </div>
  );
}

/** A link to the list of the next day on which something is picked; to today's where there is none. */
export function NextPickList({ farmToday }: { farmToday: string }) {
  const next = usePickDays(farmToday).find(({ orders }) => orders > 0);
  return (
    <LinkButton
      href={next ? pathOfList({ date: next.date, place: null }) : '/farmer/picklist'}
      variant="secondary"
    >
      {next
        ? t('Pick list of {day}', { day: midSentence(formatNearDay(next.date, farmToday)) })
        : t('Pick list')}
    </LinkButton>
  );
}

/** Returns the path of a day's list. */
export function pathOfList({ date, place }: PickScope): string {
  const params = new URLSearchParams({ date, ...(place === null ? {} : { place }) });
  return `/farmer/picklist?${params}`;
}

/** Returns the address of a day's list for a paper, which is read by a telephone. */
export const addressOfList = (scope: PickScope): string =>
  `${window.location.origin}${pathOfList(scope)}`;

/** Returns the address of an order, for the code of a label. */
export const addressOfOrder = (orderId: string): string =>
  `${window.location.origin}/orders/${orderId}`;
