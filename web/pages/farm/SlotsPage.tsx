import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, MapPin } from 'lucide-react';
import { useState } from 'react';
import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, dayIn, formatWallDate } from '#contract/platform/time/constants';
import { farmerQuery } from '../../farm/farmers/queries.ts';
import { placesQuery } from '../../farm/places/queries.ts';
import { MoveDayDialog, MoveSlotDialog } from '../../ordering/slots/MoveSlotDialog.tsx';
import { farmSlotsQuery } from '../../ordering/slots/queries.ts';
import { SlotDialog } from '../../ordering/slots/SlotDialog.tsx';
import {
  DayList,
  formatWeek,
  rowsOf,
  SlotTile,
  WeekGrid,
  weekOf,
} from '../../ordering/slots/WeekGrid.tsx';
import { useMedia } from '../../platform/hooks/use-media.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { EmptyState, Fetched, Loading, Skeleton } from '../../platform/ui/feedback/states.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { BackLink } from '../../platform/ui/primitives/sections.tsx';

const WEEK_DAYS = 7;
const CLOCK_STEP_MS = 30_000;
const IS_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Where the farm's settings list its places. */
const PLACES_HREF = '/farmer/settings?section=places';

/** The farm's week of pickup slots: how full each is, to be closed, given another capacity or moved. */
export default function SlotsPage() {
  const { user } = useAuth();
  const farm = useQuery(farmerQuery(farmIdOf(user) ?? ''));
  const places = useQuery(placesQuery());
  const timeZone = farm.data?.profile.timeZone;
  const hasNoPlaces = places.data?.length === 0;
  return (
    <div className="wrap max-w-[96rem] py-3 sm:py-6">
      <BackLink href="/farmer/orders">{t('Back to Orders')}</BackLink>
      <header className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 className="text-xl sm:text-2xl">{t('Pickup slots')}</h1>
        <LinkButton href={PLACES_HREF} variant="quiet" size="sm" icon={<MapPin />}>
          {t('Places')}
        </LinkButton>
      </header>
      {hasNoPlaces ? (
        <EmptyState
          drawing="basket"
          title={t('No pickup places yet')}
          text={t(
            'Add a place with its hours, and its slots appear here with the orders that come.',
          )}
        >
          <LinkButton href={PLACES_HREF}>{t('Add a place')}</LinkButton>
        </EmptyState>
      ) : farm.isPending ? (
        <WeekSkeleton />
      ) : (
        // The week of the wrong day is not asked for while the farm's clock is unknown.
        <Week timeZone={timeZone} />
      )}
    </div>
  );
}

function Week({ timeZone }: { timeZone: string | undefined }) {
  const { user } = useAuth();
  const nowMs = useNow(CLOCK_STEP_MS);
  const farmToday = dayIn(timeZone, nowMs);
  const [dayText, setDay] = useSearchParam('day');
  const day = IS_DAY.test(dayText) && !Number.isNaN(Date.parse(dayText)) ? dayText : farmToday;
  const days = weekOf(day);
  const [first = day, last = day] = [days[0], days.at(-1)];
  const query = useQuery(farmSlotsQuery({ from: first, to: last }));
  const isWide = useMedia('(min-width: 64rem)');
  const [slotId, setSlotId] = useSearchParam('slot');
  const [isMoving, setMoving] = useState(false);
  const [dayToMove, setDayToMove] = useState('');
  const mayChange = mayForFarm(user, 'changeFarm');
  const mayMove = mayForFarm(user, 'answerOrders');

  const goTo = (date: string) => setDay(date === farmToday ? '' : date);
  const isPast = ({ endsAt }: FarmSlot) => Date.parse(endsAt) <= nowMs;
  const shown = query.data?.find(({ _id }) => _id === slotId);
  const rows = rowsOf(query.data ?? []);
  const grid = {
    rows,
    farmToday,
    renderSlot: (slot: FarmSlot) => (
      <SlotTile
        key={slot._id}
        slot={slot}
        isPast={isPast(slot)}
        mayChange={mayChange}
        onOpen={({ _id }) => setSlotId(_id)}
      />
    ),
    onMoveDay: mayMove ? setDayToMove : undefined,
  };
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          size="icon"
          icon={<ChevronLeft />}
          aria-label={t('Previous week')}
          onClick={() => goTo(addDays(day, -WEEK_DAYS))}
        />
        <p aria-live="polite" className="min-w-28 text-center font-medium">
          {formatWeek(days, farmToday)}
        </p>
        <Button
          variant="secondary"
          size="icon"
          icon={<ChevronRight />}
          aria-label={t('Next week')}
          onClick={() => goTo(addDays(day, WEEK_DAYS))}
        />
        {!days.includes(farmToday) && (
          <Button variant="quiet" size="sm" onClick={() => goTo(farmToday)}>
            {t('This week')}
          </Button>
        )}
      </div>
      {!isWide && (
        <FilterBar
          label={t('Day')}
          options={days.map((date) => ({
            value: date,
            label: `${formatWallDate(date, 'weekdayShort')} ${Number(date.slice(8))}`,
          }))}
          value={day}
          onChange={goTo}
          className="mb-4"
        />
      )}
      <Fetched query={query} skeleton={<WeekSkeleton />}>
        {() =>
          rows.length === 0 ? (
            <EmptyState
              drawing="basket"
              title={t('No slots this week')}
              text={t(
                'Slots are made {days, plural, one {# day} other {# days}} ahead from the hours of your places.',
                { days: SLOT_DAYS_AHEAD },
              )}
            >
              <div className="flex flex-wrap justify-center gap-3">
                <Button onClick={() => goTo(addDays(day, WEEK_DAYS))}>
                  {t('Show the week after')}
                </Button>
                <LinkButton href={PLACES_HREF} variant="secondary">
                  {t('Places and hours')}
                </LinkButton>
              </div>
            </EmptyState>
          ) : isWide ? (
            <WeekGrid days={days} {...grid} />
          ) : (
            <DayList date={day} {...grid} />
          )
        }
      </Fetched>
      {shown && !isMoving && (
        <SlotDialog
          slot={shown}
          farmToday={farmToday}
          isPast={isPast(shown)}
          mayChange={mayChange}
          mayMove={mayMove}
          onMove={() => setMoving(true)}
          onClose={() => setSlotId('')}
        />
      )}
      {shown && isMoving && (
        <MoveSlotDialog
          slot={shown}
          timeZone={timeZone}
          farmToday={farmToday}
          onClose={() => setMoving(false)}
          onMoved={({ _id, date }) => {
            setMoving(false);
            goTo(date);
            // There it shows who has seen it.
            setSlotId(_id);
          }}
        />
      )}
      {dayToMove && (
        <MoveDayDialog date={dayToMove} farmToday={farmToday} onClose={() => setDayToMove('')} />
      )}
    </>
  );
}

const WeekSkeleton = () => (
  <Loading className="grid gap-3 lg:grid-cols-7">
    {[1, 2, 3, 4, 5, 6, 7].map((day) => (
      <div key={day} className="grid gap-2 max-lg:not-first:hidden">
        <Skeleton className="h-9" />
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </div>
    ))}
  </Loading>
);
