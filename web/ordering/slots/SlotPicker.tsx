import { MapPinned, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { t } from '#contract/platform/text/constants/texts';
import {
  addDays,
  dayIn,
  formatNearDay,
  formatWallDate,
  wallClockIn,
} from '#contract/platform/time/constants';
import { formatFullDay } from '#contract/platform/time/constants/clock';
import { farmClockNote, formatFarmInstant, formatFarmTime } from '../../farm/model/farm-clock.ts';
import { directionsLink, formatUntil } from '../../farm/model/places.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { announce } from '../../platform/ui/feedback/announce.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ChoiceCard } from '../model/choices.tsx';
import { fitsGoods, type LastDay, onlyUntil } from '../model/last-day.ts';
import type { LaterDays } from './queries.ts';
import {
  type Availability,
  availabilityOf,
  type Day,
  daysOf,
  firstChoice,
  nearestFree,
  noteOf,
  placeLine,
  placesOf,
  timesOf,
} from './rules.ts';

/** Days beyond these are shown on request. */
const DAYS_SHOWN = 6;
/** A time passes this often at most before the choices follow. */
const CLOCK_STEP_MS = 15_000;

/**
 * The choice of place, day and time of a pickup. A time that fills or closes meanwhile is greyed in its
 * place, and the nearest free ones are offered. `value` is the id of the chosen slot, or empty.
 */
export function SlotPicker({
  slots,
  value,
  onChange,
  timeZone,
  own,
  orders = 1,
  later,
  lastDay,
  error,
}: {
  slots: readonly OfferedSlot[];
  value: string;
  onChange: (slot: OfferedSlot) => void;
  /** The farm's. */
  timeZone: string | undefined;
  /** The slot that the order has already, which stays choosable when it is full. */
  own?: string | undefined;
  /** For how many orders at once. */
  orders?: number;
  /** Days that are not among the slots yet; undefined where all are. */
  later?: LaterDays | undefined;
  /** Until when all of the goods can be had: why the chosen slot is too late, where it is. */
  lastDay?: LastDay | null | undefined;
  /** Why no order can be placed with this choice. */
  error?: string | undefined;
}) {
  const id = useId();
  const nowMs = useNow(CLOCK_STEP_MS);
  const chosen = slots.find(({ _id }) => _id === value);
  const [view, setView] = useState<{ placeId: string; date: string } | null>(null);
  const [refusedId, setRefusedId] = useState('');
  const [showsAllDays, setShowsAllDays] = useState(false);
  const isFree = (slot: OfferedSlot) =>
    slot._id === own || availabilityOf(slot, nowMs, orders) === 'free';

  const places = placesOf(slots);
  const shown = view ?? (chosen && { placeId: chosen.place._id, date: chosen.date });
  const place = places.find(({ _id }) => _id === shown?.placeId) ?? places[0];
  const slotsThere = slots.filter((slot) => slot.place._id === place?._id);
  const days = daysOf(slotsThere, nowMs, value, orders);
  const day = days.find(({ date }) => date === shown?.date) ?? days.find(({ free }) => free > 0);
  const listed = day?.slots ?? [];
  const farmToday = dayIn(timeZone, nowMs);

  const choose = (slot: OfferedSlot) => {
    setRefusedId('');
    setView({ placeId: slot.place._id, date: slot.date });
    onChange(slot);
  };
  /** Shows a place and a day, and chooses there what is most like the choice before. */
  const show = (placeId: string, date?: string) => {
    const among = slots.filter(
      (slot) => slot.place._id === placeId && (date === undefined || slot.date === date),
    );
    const like = chosen && { placeId, date: date ?? chosen.date, from: chosen.from };
    const next = firstChoice(among, nowMs, like, orders);
    if (next) choose(next);
    else setView({ placeId, date: date ?? '' });
  };

  const isLost = chosen !== undefined && !isFree(chosen);
  const refused = slots.find(({ _id }) => _id === refusedId);
  const lost = refused && !isFree(refused) ? refused : isLost ? chosen : undefined;
  useAnnounceLost(isLost ? chosen : undefined, nowMs, lastDay);

  const dayCount = showsAllDays ? days.length : DAYS_SHOWN;
  const daysShown = days.filter((each, index) => index < dayCount || each === day);
  return (
    <div className="grid gap-5">
      {places.length > 1 && (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-sm font-medium">{t('Pickup place')}</legend>
          {places.map((each) => (
            <ChoiceCard
              key={each._id}
              name={`${id}-place`}
              label={each.name}
              note={formatAddress(each.address)}
              isChosen={each._id === place?._id}
              onChoose={() => show(each._id)}
            />
          ))}
        </fieldset>
      )}
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">{t('Pickup day')}</legend>
        <div className="grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3">
          {daysShown.map((each) => (
            <ChoiceCard
              key={each.date}
              name={`${id}-day`}
              label={formatNearDay(each.date, farmToday)}
              note={each.free === 0 ? t('Nothing free') : dayNote(each, farmToday, timeZone)}
              isChosen={each === day}
              onChoose={() => show(place?._id ?? '', each.date)}
            />
          ))}
        </div>
        {(daysShown.length < days.length || later) && (
          <Button
            variant="quiet"
            size="sm"
            pending={showsAllDays && later?.isPending}
            onClick={() => {
              setShowsAllDays(true);
              later?.load();
            }}
            className="justify-self-start"
          >
            {showsAllDays && later?.isFailed ? t('Try again') : t('More days')}
          </Button>
        )}
      </fieldset>
      <fieldset
        className="grid gap-2"
        aria-describedby={[error && !lost && `${id}-error`, `${id}-clock`]
          .filter(Boolean)
          .join(' ')}
      >
        <legend className="mb-2 text-sm font-medium">{t('Pickup time')}</legend>
        <div className="grid grid-cols-2 gap-2 min-[30rem]:grid-cols-3">
          {listed.map((slot) => (
            <ChoiceCard
              key={slot._id}
              name={`${id}-time`}
              label={timesOf(slot)}
              note={slot._id === own ? t('Your time now') : noteOf(slot, nowMs, orders)}
              isChosen={slot._id === value}
              isAvailable={isFree(slot)}
              onChoose={() => choose(slot)}
              onRefused={() => setRefusedId(slot._id)}
            />
          ))}
        </div>
        <p id={`${id}-clock`} className="text-sm text-ink-soft empty:hidden">
          {farmClockNote(timeZone, new Date(nowMs))}
        </p>
      </fieldset>
      {/* As high as either, so that nothing below moves when a time is lost. */}
      <div className="grid min-h-32 content-start">
        {lost ? (
          <Lost
            slot={lost}
            why={lostSentence(
              lost,
              lost._id === own ? 'free' : availabilityOf(lost, nowMs, orders),
              lastDay,
            )}
            nearest={nearestFree(slots, lost, nowMs, orders)}
            farmToday={farmToday}
            hasPlaces={places.length > 1}
            isAlert={error !== undefined}
            onChoose={choose}
          />
        ) : (
          chosen && <Summary slot={chosen} farmToday={farmToday} timeZone={timeZone} />
        )}
      </div>
      {error && !lost && (
        <p id={`${id}-error`} role="alert" className="text-sm text-tomato">
          {error}
        </p>
      )}
    </div>
  );
}

/** Returns the date below a day that is called 'Today' or 'Sat': 'Nov 28'. */
const nearDate = (date: string, today: string): string =>
  date < addDays(today, 7) ? formatWallDate(date, 'short') : '';

/** Returns the lines below a day: its date where it is called otherwise, and until when one can order for it. */
function dayNote({ date, closesAt }: Day, farmToday: string, timeZone: string | undefined) {
  const near = nearDate(date, farmToday);
  if (closesAt === undefined) return near;
  return (
    <>
      {near && <span className="block">{near}</span>}
      <span className="block text-balance">
        {formatUntil(wallClockIn(timeZone, Date.parse(closesAt)), farmToday)}
      </span>
    </>
  );
}

/** Announces that the chosen slot was lost, once for each loss. */
function useAnnounceLost(
  lost: OfferedSlot | undefined,
  nowMs: number,
  lastDay: LastDay | null | undefined,
): void {
  const text = lost && lostSentence(lost, availabilityOf(lost, nowMs), lastDay);
  useEffect(() => {
    if (text) announce([text, t('Choose another time.')].join(' '));
  }, [text]);
}

function lostSentence(
  slot: OfferedSlot,
  reason: Availability,
  lastDay: LastDay | null | undefined,
): string {
  if (lastDay && !fitsGoods(slot.date, lastDay)) return onlyUntil(lastDay);
  const time = timesOf(slot);
  switch (reason) {
    case 'free':
    case 'full':
      return t('{time} is full by now.', { time });
    case 'closed':
      return t('{time} is closed by the farm.', { time });
    case 'late':
      return t("{time} is too soon: it can't be ordered for any more.", { time });
  }
}

/** What was chosen, in full. */
function Summary({
  slot,
  farmToday,
  timeZone,
}: {
  slot: OfferedSlot;
  farmToday: string;
  timeZone: string | undefined;
}) {
  const { place, date, from, to, startsAt, endsAt, closesAt } = slot;
  const address = formatAddress(place.address);
  const way = directionsLink(address, address);
  return (
    <div className="grid gap-1 rounded bg-sunken px-4 py-3 text-sm">
      <p className="font-medium">
        {t('{day}, {time}', {
          day: formatFullDay(date, farmToday, 'year'),
          time: formatFarmTime({ date, time: from, endTime: to }, startsAt, endsAt),
        })}
      </p>
      <p>{placeLine(place)}</p>
      {place.directions && (
        <p dir="auto" className="whitespace-pre-line text-ink-soft">
          {place.directions}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-4 text-ink-soft">
        {closesAt < startsAt && (
          <span>
            {t('Order by {time}', {
              time: formatFarmInstant(closesAt, timeZone, farmToday),
            })}
          </span>
        )}
        {way && (
          <a
            href={way}
            target="_blank"
            rel="noreferrer"
            className="link inline-flex min-h-8 items-center gap-1.5 pointer-coarse:min-h-11"
          >
            <MapPinned className="size-4" />
            {rich('Directions<span> (opens a map in a new tab)</span>', {
              span: (inner) => <span className="sr-only">{inner}</span>,
            })}
          </a>
        )}
      </p>
    </div>
  );
}

/** A time that cannot be had any more, with the nearest free ones. */
function Lost({
  slot,
  why,
  nearest,
  farmToday,
  hasPlaces,
  isAlert,
  onChoose,
}: {
  slot: OfferedSlot;
  why: string;
  nearest: readonly OfferedSlot[];
  farmToday: string;
  hasPlaces: boolean;
  /** An order was just refused for it. */
  isAlert: boolean;
  onChoose: (slot: OfferedSlot) => void;
}) {
  return (
    <div
      role={isAlert ? 'alert' : undefined}
      className="grid gap-2 rounded bg-straw-soft px-4 py-3 text-sm text-straw-ink"
    >
      <p className="flex items-start gap-2">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" />
        {why}{' '}
        {nearest.length > 0
          ? t('The nearest free times:')
          : t('No other time is free at the moment.')}
      </p>
      <div className="flex flex-wrap gap-2">
        {nearest.map((each) => (
          <Button key={each._id} variant="secondary" size="sm" onClick={() => onChoose(each)}>
            <span className="text-start">
              {hasPlaces && each.place._id !== slot.place._id
                ? t('{day}, {time}, {place}', {
                    day: formatNearDay(each.date, farmToday),
                    time: timesOf(each),
                    place: each.place.name,
                  })
                : t('{day}, {time}', {
                    day: formatNearDay(each.date, farmToday),
                    time: timesOf(each),
                  })}
            </span>
          </Button>
        ))}
      </div>
    </div>
  );
}
