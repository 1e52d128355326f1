import { useMemo } from 'react';
import { currencyChoices, usualCurrency } from '#contract/admin/setup/constants';
import {
  CURRENCY_DECIMALS,
  MARKET_TEXT_MAX,
  type Market,
  UNANSWERED_MINUTES_MAX,
} from '#contract/platform/market/constants';
import { Checkbox } from '../../platform/ui/fields/Checkbox.tsx';
import { FieldGroup } from '../../platform/ui/fields/FieldGroup.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { NumberField } from '../../platform/ui/fields/NumberField.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';
import { TimeZoneSelect } from '../../platform/ui/form/TimeZoneSelect.tsx';
import { UnitsField } from '../../platform/ui/form/UnitsField.tsx';
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
  return (
    <FieldGroup title="Orders">
      <UnitsField form={form} name="units" hint="Products keep the unit they have." />
      <NumberField
        form={form}
        name="unansweredMinutes"
        label="Minutes until an order counts as unanswered"
        limits={{ min: 1, max: UNANSWERED_MINUTES_MAX }}
      />
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
