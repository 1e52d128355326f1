import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { addDays } from '#contract/platform/time/constants';
import { farmClockNote } from '../../../farm/model/farm-clock.ts';
import { formatWallDate } from '../../../platform/format/format.ts';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Input } from '../../../platform/ui/fields/Input.tsx';
import { type AppForm, FormField } from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import type { Checkout, CheckoutInput } from './checkout-form.ts';
import { DayChoices } from './DayChoices.tsx';
import {
  type FarmDays,
  farmClockAt,
  insteadOf,
  stillPossible,
  timeFor,
  timeOnOther,
  timesOf,
} from './days.ts';
import { TimeChoices } from './TimeChoices.tsx';

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
  hoursOn,
}: {
  form: AppForm<CheckoutInput, Checkout>;
  way: 'pickup' | 'delivery';
  farm: FarmDays;
  /** The time of the buyer's last order at this farm; empty for none. */
  usualTime: string;
  /** The day that the server offered when it refused the chosen one. */
  refusedNext: PossibleDay | null;
  /** Returns a sentence about the business hours on a day, `YYYY-MM-DD`. */
  hoursOn: (date: string) => string | undefined;
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
  const noun = way === 'pickup' ? 'Pickup' : 'Delivery';

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
          legend={`Next ${way} days`}
          days={possible}
          value={date}
          hasCutoff={farm.hasCutoff}
          timeZone={timeZone}
          now={now}
          onChoose={choose}
        />
      )}
      {farm.keepsDays && farm.days && possible.length === 0 && (
        <Alert kind="warning">
          This farm takes no orders for the next weeks. Ask it when it is open again.
        </Alert>
      )}
      {instead && (
        <Alert kind="warning">
          <p>You can't order for {formatWallDate(date, 'weekday')}. Your cart is kept.</p>
          <Button variant="secondary" size="sm" className="mt-2" onClick={() => choose(instead)}>
            Choose {formatWallDate(instead.date, 'weekday')}
          </Button>
        </Alert>
      )}
      {chosen && (
        <TimeChoices
          label={`Times on ${formatWallDate(chosen.date, 'weekday')}`}
          times={timesOf(chosen, clock)}
          value={time}
          onChoose={(value) => set({ time: value })}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <FormField
          form={form}
          name={`${fields}.date`}
          label={`${noun} date`}
          required
          // The hours of its weekday are of no use on a day when the farm is closed.
          hint={instead ? undefined : hoursOn(date)}
        >
          {(field) => (
            <Input
              type="date"
              min={clock.date}
              max={
                farm.bookableDays === undefined ? undefined : addDays(clock.date, farm.bookableDays)
              }
              {...field}
            />
          )}
        </FormField>
        <FormField
          form={form}
          name={`${fields}.time`}
          label={`${noun} time`}
          required
          hint={farmClockNote(timeZone)}
        >
          {(field) => <Input type="time" {...field} />}
        </FormField>
      </div>
    </div>
  );
}
