import { useMemo } from 'react';
import { currencyChoices, usualCurrency } from '#contract/constants/currencies';
import { CURRENCY_DECIMALS, MARKET_TEXT_MAX, type Market } from '#contract/constants/market';
import { UNITS } from '#contract/constants/units';
import { decimalField } from '../lib/decimal.ts';
import { type AppForm, FormField } from '../ui/form.tsx';
import { Checkbox } from '../ui/primitives/Checkbox.tsx';
import { DecimalInput } from '../ui/primitives/DecimalInput.tsx';
import { FieldGroup } from '../ui/primitives/FieldGroup.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import { Select } from '../ui/primitives/Select.tsx';
import { TimeZoneSelect } from '../ui/TimeZoneSelect.tsx';
import { MarketPreview } from './MarketPreview.tsx';
import { localeChoices, type MarketForm, type MarketInput } from './market-form.ts';

type SettingsForm = AppForm<MarketInput, MarketForm>;

/** The currency, how amounts are written, and a preview of both. */
export function MoneyFields({ form, market }: { form: SettingsForm; market: Market }) {
  const { code: kept } = market.currency;
  const currencies = useMemo(() => currencyChoices(kept), [kept]);
  const takeUsual = (code: string) => {
    const { sign, decimals, position } = usualCurrency(code, form.getValues('locale'));
    const options = { shouldDirty: true, shouldValidate: true };
    form.setValue('currency.sign', sign, options);
    form.setValue('currency.decimals', decimals, options);
    form.setValue('currency.position', position, options);
  };
  return (
    <FieldGroup
      title="Money"
      text="Currency and decimals are fixed once something has a price. The sign can change at any time."
    >
      <FormField
        form={form}
        name="currency.code"
        label="Currency"
        registerOptions={{ onChange: (event) => takeUsual(event.target.value) }}
      >
        {(field) => (
          <Select {...field}>
            {currencies.map(({ code, name }) => (
              <option key={code} value={code}>
                {name} ({code})
              </option>
            ))}
          </Select>
        )}
      </FormField>
      <FormField
        form={form}
        name="currency.decimals"
        label="Decimals"
        registerOptions={{ valueAsNumber: true }}
      >
        {(field) => (
          <Select {...field}>
            {CURRENCY_DECIMALS.map((decimals) => (
              <option key={decimals} value={decimals}>
                {decimals}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      <FormField form={form} name="currency.sign" label="Sign">
        {(field) => <Input {...field} autoComplete="off" maxLength={MARKET_TEXT_MAX.sign} />}
      </FormField>
      <FormField form={form} name="currency.position" label="Where the sign stands">
        {(field) => (
          <Select {...field}>
            <option value="before">Before the amount</option>
            <option value="after">After the amount</option>
          </Select>
        )}
      </FormField>
      <MarketPreview form={form} market={market} />
    </FieldGroup>
  );
}

/** Where the market is: how numbers and dates are written, its clock and its week. */
export function PlaceFields({ form, market }: { form: SettingsForm; market: Market }) {
  const locales = useMemo(() => localeChoices(market.locale), [market.locale]);
  return (
    <FieldGroup
      title="Place and time"
      text="The language of the market stays English. Numbers and dates are written as is usual where you are."
    >
      <FormField form={form} name="locale" label="Numbers and dates as in">
        {(field) => (
          <Select {...field}>
            {locales.map(({ tag, name }) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      <FormField
        form={form}
        name="weekStart"
        label="A week begins on"
        registerOptions={{ valueAsNumber: true }}
      >
        {(field) => (
          <Select {...field}>
            <option value={1}>Monday</option>
            <option value={0}>Sunday</option>
            <option value={6}>Saturday</option>
          </Select>
        )}
      </FormField>
      <FormField
        form={form}
        name="timeZone"
        label="Time zone"
        hint="Farms that have it follow, with their open orders."
        className="sm:col-span-2"
      >
        {(field) => <TimeZoneSelect {...field} kept={market.timeZone} />}
      </FormField>
    </FieldGroup>
  );
}

/** What is sold, and when an order waits for too long. */
export function OrderFields({ form }: { form: SettingsForm }) {
  const problem = form.formState.errors.units;
  return (
    <FieldGroup title="Orders">
      <fieldset className="grid gap-2 sm:col-span-2">
        <legend className="mb-1 text-sm font-medium">Units of new products</legend>
        <div className="flex flex-wrap gap-x-6">
          {UNITS.map((unit) => (
            <Checkbox
              key={unit}
              label={unit}
              value={unit}
              aria-invalid={problem ? true : undefined}
              {...form.register('units')}
            />
          ))}
        </div>
        {problem?.message && (
          <p role="alert" className="text-sm text-tomato">
            {problem.message}
          </p>
        )}
        <p className="text-sm text-ink-soft">Products keep the unit they have.</p>
      </fieldset>
      <FormField
        form={form}
        name="unansweredMinutes"
        label="Minutes until an order counts as unanswered"
        registerOptions={decimalField}
      >
        {(field) => <DecimalInput min={1} {...field} />}
      </FormField>
    </FieldGroup>
  );
}

/** What is asked of those who join. */
export function JoiningFields({ form }: { form: SettingsForm }) {
  return (
    <FieldGroup title="Joining">
      <div className="grid justify-items-start sm:col-span-2">
        <Checkbox
          label="New farms wait for approval"
          hint="Nobody sees a farm and its products until an admin approves it."
          {...form.register('approvesFarms')}
        />
        <Checkbox
          label="Email addresses must be confirmed"
          hint="Before someone orders, or opens a farm."
          {...form.register('requiresVerifiedEmail')}
        />
      </div>
    </FieldGroup>
  );
}
