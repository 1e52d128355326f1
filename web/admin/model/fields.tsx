import { useMemo } from 'react';
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  useController,
} from 'react-hook-form';
import { currencyChoices } from '#contract/admin/setup/constants';
import { CURRENCY_DECIMALS, nameOfLanguage } from '#contract/platform/market/constants/choices';
import { countryChoices, usualUnitSystem } from '#contract/platform/market/countries';
import { theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { LANGUAGES } from '../../platform/format/catalogues.ts';
import { Checkbox, Select } from '../../platform/ui/fields/controls.tsx';
import { SelectField } from '../../platform/ui/form/fields.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';

/** The currencies to choose from, the `kept` one among them, by name. */
export const currencyOptions = (kept?: string) =>
  currencyChoices(kept).map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));

export const DECIMALS_OPTIONS = CURRENCY_DECIMALS.map((decimals) => ({
  value: decimals,
  label: String(decimals),
}));

interface MarketField<Input extends FieldValues, Output> {
  form: AppForm<Input, Output>;
  name: FieldPath<Input>;
}

/** The country of the market, and how distances are written, which another country brings along. */
export function CountryFields<Input extends FieldValues, Output>({
  form,
  country,
  unitSystem,
}: {
  form: AppForm<Input, Output>;
  country: FieldPath<Input>;
  unitSystem: FieldPath<Input>;
}) {
  const { language } = theReader();
  const countries = useMemo(
    () => countryChoices(language).map(({ code, name }) => ({ value: code, label: name })),
    [language],
  );
  const takeUsual = (code: string) =>
    form.setValue(unitSystem, usualUnitSystem(code) as FieldPathValue<Input, typeof unitSystem>, {
      shouldDirty: true,
      shouldValidate: true,
    });
  return (
    <>
      <SelectField
        form={form}
        name={country}
        label={t('Country')}
        hint={t('It decides how addresses are written.')}
        options={countries}
        registerOptions={{ onChange: (event) => takeUsual(event.target.value) }}
      />
      <SelectField
        form={form}
        name={unitSystem}
        label={t('Distances in')}
        options={[
          { value: 'metric', label: t('Kilometres') },
          { value: 'us', label: t('Miles') },
        ]}
      />
    </>
  );
}

/** The languages of the market: its own, and those that it offers beside. */
export function LanguagesField<Input extends FieldValues, Output>({
  form,
  name,
}: MarketField<Input, Output>) {
  const { field } = useController({ control: form.control, name });
  const [own = 'en', ...others] = field.value as string[];
  const chosen = [own, ...others];
  const choose = (first: string, offered: readonly string[]) =>
    field.onChange([first, ...LANGUAGES.filter((tag) => tag !== first && offered.includes(tag))]);
  return (
    <>
      <FormField form={form} name={name} label={t('Language of the market')}>
        {({ ref: _, onBlur: __, ...control }) => (
          <Select {...control} value={own} onChange={(event) => choose(event.target.value, chosen)}>
            {LANGUAGES.map((tag) => (
              <option key={tag} value={tag} lang={tag}>
                {nameOfLanguage(tag)}
              </option>
            ))}
          </Select>
        )}
      </FormField>
      <fieldset className="grid content-start gap-2">
        <legend className="mb-1 text-sm font-medium">{t('Also offered')}</legend>
        <div className="flex flex-wrap gap-x-6">
          {LANGUAGES.filter((tag) => tag !== own).map((tag) => (
            <Checkbox
              key={tag}
              label={<span lang={tag}>{nameOfLanguage(tag)}</span>}
              checked={others.includes(tag)}
              onChange={(event) =>
                choose(
                  own,
                  event.target.checked
                    ? [...others, tag]
                    : others.filter((offered) => offered !== tag),
                )
              }
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
