import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { isServed } from '#contract/farm/places/constants/areas';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { theMarket } from '#contract/platform/market/constants';
import { formatDistance } from '#contract/platform/quantities/constants/quantities';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import {
  addDays,
  formatNearDay,
  formatWallDate,
  formatWallTime,
  wallClockIn,
} from '#contract/platform/time/constants';
import { farmClockNote } from '../../../farm/model/farm-clock.ts';
import { formatHours } from '../../../farm/model/handoff.ts';
import { formatUntil } from '../../../farm/model/places.ts';
import { useDebounced } from '../../../platform/hooks/use-debounced.ts';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { type AppForm, FormField } from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { ChoiceCard } from '../../model/choices.tsx';
import { fitsGoods, noDayLeft, onlyUntil } from '../../model/last-day.ts';
import type { Checkout, CheckoutInput } from './checkout-form.ts';
import {
  DAYS_SHOWN,
  type FarmDays,
  type FarmTerms,
  farmClockAt,
  insteadOf,
  stillPossible,
  timeFor,
  timeOnOther,
  timesOf,
} from './initial-values.ts';

/**
 * When the order is handed over. A farm that keeps days suggests the next ones and times within its hours;
 * the fields below take any other. A day for which one cannot order is refused at once, with the next one.
 */
export function MomentFields({
  form,
  way,
  farm,
  usualTime,
  refusedNext,
}: {
  form: AppForm<CheckoutInput, Checkout>;
  way: 'pickup' | 'delivery';
  farm: FarmTerms;
  /** The time of the consumer's last order at this farm; empty for none. */
  usualTime: string;
  /** The day that the server offered when it refused the chosen one. */
  refusedNext: PossibleDay | null;
}) {
  const now = useNow();
  const fields = `${way}Details` as const;
  const date = useWatch({ control: form.control, name: `${fields}.date` });
  const time = useWatch({ control: form.control, name: `${fields}.time` });
  const { timeZone } = farm;
  const clock = farmClockAt(timeZone, now);
  const possible = farm.keepsDays ? stillPossible(farm.days, now) : [];
  const chosen = possible.find((day) => day.date === date);
  const [suggestedTime, setSuggestedTime] = useState(() =>
    chosen ? timeFor(chosen, clock, usualTime) : '',
  );
  const instead = refusedNext ?? insteadOf(date, farm, now);

  const set = (moment: { date?: string; time?: string }) => {
    for (const [name, value] of Object.entries(moment)) {
      form.setValue(`${fields}.${name as 'date' | 'time'}`, value, {
        shouldDirty: true,
        shouldValidate: true,
      });
    }
  };
  const choose = (day: PossibleDay) => {
    set({ date: day.date, time: timeOnOther(day, clock, { time, suggestedTime, usualTime }) });
    setSuggestedTime(timeFor(day, clock, usualTime));
  };

  return (
    <div className="grid gap-4">
      {possible.length > 0 && (
        <DayChoices
          legend={way === 'pickup' ? t('Next pickup days') : t('Next delivery days')}
          days={possible}
          value={date}
          farm={farm}
          now={now}
          onChoose={choose}
        />
      )}
      {farm.keepsDays && farm.days && possible.length === 0 && (
        <Alert kind="warning">
          {farm.lastDay
            ? noDayLeft(farm.lastDay)
            : t('This farm takes no orders for the next weeks. Ask it when it is open again.')}
        </Alert>
      )}
      {instead && (
        <Alert kind="warning">
          <p>
            {farm.lastDay && !fitsGoods(date, farm.lastDay)
              ? onlyUntil(farm.lastDay)
              : t("You can't order for {date}. Your cart is kept.", {
                  date: formatWallDate(date, 'weekday'),
                })}
          </p>
          <Button variant="secondary" size="sm" className="mt-2" onClick={() => choose(instead)}>
            {t('Choose {date}', { date: formatWallDate(instead.date, 'weekday') })}
          </Button>
        </Alert>
      )}
      {chosen && (
        <TimeChoices
          label={t('Times on {date}', { date: formatWallDate(chosen.date, 'weekday') })}
          times={timesOf(chosen, clock)}
          value={time}
          onChoose={(value) => set({ time: value })}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          form={form}
          name={`${fields}.date`}
          label={way === 'pickup' ? t('Pickup date') : t('Delivery date')}
          required
          // The hours of its weekday are of no use on a day when the farm is closed.
          hint={instead ? undefined : farm.hoursOn(date)}
        >
          {(field) => (
            <Input type="date" min={clock.date} max={lastDateOf(farm, clock.date)} {...field} />
          )}
        </FormField>
        <FormField
          form={form}
          name={`${fields}.time`}
          label={way === 'pickup' ? t('Pickup time') : t('Delivery time')}
          required
          hint={farmClockNote(timeZone)}
        >
          {(field) => <Input type="time" {...field} />}
        </FormField>
      </div>
    </div>
  );
}

/** Returns the last day that the field takes: as far ahead as the farm takes orders, and all of the cart can be had. */
function lastDateOf({ bookableDays, lastDay }: FarmTerms, today: string): string | undefined {
  const ends = [bookableDays === undefined ? [] : addDays(today, bookableDays), lastDay?.day ?? []];
  return ends.flat().sort()[0];
}

/** Times within the farm's hours, each one tap. The field beside them takes any other. */
function TimeChoices({
  label,
  times,
  value,
  onChoose,
}: {
  label: string;
  times: readonly string[];
  value: string;
  onChoose: (time: string) => void;
}) {
  if (times.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would say its legend before every time
    <div role="group" aria-label={label} className="flex flex-wrap gap-2">
      {times.map((time) => (
        <button
          key={time}
          type="button"
          aria-pressed={time === value}
          onClick={() => onChoose(time)}
          className="min-h-9 rounded border border-outline px-3 text-sm tabular aria-pressed:border-leaf aria-pressed:bg-leaf-soft aria-pressed:text-leaf-ink pointer-coarse:min-h-11"
        >
          {formatWallTime(time)}
        </button>
      ))}
    </div>
  );
}

/** The next possible days as big choices, each with its hours and until when one can order for it. */
function DayChoices({
  legend,
  days,
  value,
  farm: { hasCutoff, timeZone },
  now,
  onChoose,
}: {
  legend: string;
  /** Those for which one can order now. */
  days: readonly PossibleDay[];
  /** The chosen day; it need not be among them. */
  value: string;
  farm: FarmDays;
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
          <ChoiceCard
            key={day.date}
            name={name}
            value={day.date}
            label={labelOf(day.date, today)}
            note={
              <>
                {day.open !== null && day.close !== null && (
                  <span className="block text-sm">
                    {formatHours({ open: day.open, close: day.close })}
                  </span>
                )}
                {hasCutoff && (
                  <span className="block text-balance text-ink-soft">
                    {formatUntil(wallClockIn(timeZone, Date.parse(day.ordersUntil)), today)}
                  </span>
                )}
              </>
            }
            isChosen={day.date === value}
            onChoose={() => onChoose(day)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** 'Today', 'Tomorrow', else with its date, since several weeks may be shown: 'Sat, Nov 28'. */
const labelOf = (date: string, today: string): string =>
  date <= addDays(today, 1) ? formatNearDay(date, today) : formatWallDate(date, 'weekday');

/** Places named before the rest is counted. */
const NAMED_MAX = 8;
/** Typing an address is not interrupted. */
const TYPING_MS = 600;

/** Says whether the farm delivers to the address that was typed; where it lists no places, asks the consumer. */
export function DeliveryArea({
  form,
  terms,
}: {
  form: AppForm<CheckoutInput, Checkout>;
  terms: FarmTerms;
}) {
  const { deliveryAreas: areas, deliveryRadius, acceptsPickup } = terms;
  const address = useWatch({ control: form.control, name: 'deliveryDetails.address' });
  const typed = useDebounced(address, TYPING_MS);
  if (areas.length === 0) {
    return (
      <Checkbox
        label={
          deliveryRadius
            ? t('This address is within {distance} of the farm', {
                distance: formatDistance(deliveryRadius),
              })
            : t('The farm delivers to this address')
        }
        hint={t('Not sure? Leave it open, and the farm will see.')}
        className="sm:col-span-2"
        {...form.register('deliveryDetails.isAreaConfirmed')}
      />
    );
  }
  const town = { city: typed.city.trim(), zipCode: typed.zipCode.trim() };
  const isTyped =
    town.city !== '' && (town.zipCode !== '' || theMarket().addressFormat.zipCode === null);
  const isOutside = isTyped && isServed(areas, typed) === false;
  return (
    <div className="grid gap-3 sm:col-span-2">
      <p className="text-sm text-ink-soft">{areasSentence(areas)}</p>
      {isOutside && (
        <Alert kind="warning">
          <p>
            {[
              t("The farm doesn't deliver to {town}.", { town: formatAddress(town) }),
              acceptsPickup &&
                t('You can pick the order up instead, with everything in your cart.'),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
          {acceptsPickup && (
            <Button
              variant="secondary"
              size="sm"
              className="mt-2"
              onClick={() => form.setValue('orderType', 'pickup', { shouldDirty: true })}
            >
              {t('Choose pickup')}
            </Button>
          )}
        </Alert>
      )}
    </div>
  );
}

function areasSentence(areas: readonly string[]): string {
  const places = listOf(areas.slice(0, NAMED_MAX), 'unit');
  const others = areas.length - NAMED_MAX;
  return others > 0
    ? t('Delivers to {places} and {others, plural, one {# other place} other {# other places}}.', {
        places,
        others,
      })
    : t('Delivers to {places}.', { places });
}
