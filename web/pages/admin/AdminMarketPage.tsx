import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useController, useWatch } from 'react-hook-form';
import { usualCurrency } from '#contract/admin/setup/constants';
import type { z } from '#contract/platform/http/zod';
import { type Market, marketApi } from '#contract/platform/market/constants';
import {
  findLocale,
  MARKET_TEXT_MAX,
  UNANSWERED_MINUTES_MAX,
} from '#contract/platform/market/constants/choices';
import { MarketForm, type UpdateMarket } from '#contract/platform/market/market';
import { makeMoneyFormat } from '#contract/platform/money/constants';
import { perUnit } from '#contract/platform/quantities/constants/quantities';
import { wordLocale } from '#contract/platform/text/constants/formats';
import { theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatWallDate } from '#contract/platform/time/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { keepMarket } from '../../admin/market/queries.ts';
import {
  CountryFields,
  currencyOptions,
  DECIMALS_OPTIONS,
  LanguagesField,
} from '../../admin/model/fields.tsx';
import { call } from '../../platform/api/api.ts';
import { completed, marketQuery } from '../../platform/format/market.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { VersionedEdit } from '../../platform/queries/versioned-edit.ts';
import { Sprout } from '../../platform/ui/art/Drawing.tsx';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, FieldGroup } from '../../platform/ui/fields/controls.tsx';
import { NumberField, SelectField, TextField, UnitsField } from '../../platform/ui/form/fields.tsx';
import { type AppForm, Form, FormError, useZodForm } from '../../platform/ui/form/form.tsx';
import { TimeZoneField } from '../../platform/ui/form/TimeZoneField.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { OneImageUpload } from '../../platform/uploads/ImageUpload.tsx';
import { hasTeam, members } from '../home/Team.tsx';

/** Prefetches the settings when a link to the page is hovered. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(marketQuery());

/** The settings of the market. */
export default function AdminMarketPage() {
  return (
    <AdminFrame title={t('Market')} isOfMarket>
      <Fetched query={useQuery(marketQuery())} skeleton={<SkeletonRows />}>
        {(market) => (
          <Card>
            <MarketSettingsForm market={market} />
          </Card>
        )}
      </Fetched>
    </AdminFrame>
  );
}

type SettingsForm = AppForm<z.input<typeof MarketForm>, MarketForm>;

/** What a visit to a former release kept is completed too. */
const toMarketInput = (market: Market): MarketForm => {
  const { version: _, ...settings } = completed(market);
  const { name, teamLinks: links } = market;
  const teamLinks = hasTeam(name)
    ? members.map(({ profile }, index) => links[index] ?? profile)
    : links;
  return structuredClone({ ...settings, teamLinks });
};

const newEdit = (market: Market) => new VersionedEdit(market, toMarketInput);

/**
 * The form of all settings of the market. What another admin saves meanwhile is kept, or shown where both changed it.
 */
export function MarketSettingsForm({ market }: { market: Market }) {
  const [edit, setEdit] = useState(() => newEdit(market));
  const [shownVersion, setShownVersion] = useState(market.version);
  const form = useZodForm(MarketForm, { defaultValues: toMarketInput(market) });
  const { control, formState, reset } = form;
  const { isDirty, isSubmitting } = formState;
  const logo = useController({ control, name: 'logo' });
  const [isUploading, setUploading] = useState(false);
  const save = useSaveMarket();

  // Settings that others save are shown at once where nothing is being edited.
  const isUntouched = !isDirty && !isUploading && !isSubmitting;
  useEffect(() => {
    if (!isUntouched || market.version <= shownVersion) return;
    setEdit(newEdit(market));
    setShownVersion(market.version);
    reset(toMarketInput(market));
  }, [market, isUntouched, shownVersion, reset]);

  const text = { form, autoComplete: 'off' };
  return (
    <Form
      form={form}
      label={t('Market settings')}
      draftKey="market-settings"
      onSubmit={async (input, show) => {
        const saved = await edit.save(input, async (values, _, expectedVersion) => {
          const { data } = await save.mutateAsync({ ...values, expectedVersion });
          return completed(data);
        });
        setShownVersion(saved.version);
        show(toMarketInput(saved));
      }}
      className="grid gap-10"
    >
      <FieldGroup title={t('Identity')} text={t('In the bar at the top, in titles and in mails.')}>
        <TextField
          {...text}
          name="name"
          label={t('Name')}
          required
          maxLength={MARKET_TEXT_MAX.name}
        />
        <TextField
          {...text}
          name="tagline"
          label={t('Tagline')}
          hint={t('One sentence in the footer.')}
          maxLength={MARKET_TEXT_MAX.tagline}
        />
        <OneImageUpload
          label={t('Logo')}
          hint={t('A square picture. Without one we show a sprout.')}
          url={logo.field.value || null}
          onChange={(url) => logo.field.onChange(url ?? '')}
          onUploading={setUploading}
          fallback={<Sprout className="size-full" />}
          frameClass="size-24 rounded"
          error={logo.fieldState.error?.message}
        />
      </FieldGroup>

      <FieldGroup
        title={t('Contact')}
        text={t('In the footer and at the end of mails. What is empty is left out.')}
      >
        <TextField
          {...text}
          name="contact.address"
          label={t('Address')}
          className="sm:col-span-2"
          maxLength={MARKET_TEXT_MAX.address}
        />
        <TextField
          {...text}
          name="contact.phone"
          label={t('Phone')}
          type="tel"
          maxLength={MARKET_TEXT_MAX.phone}
        />
        <TextField
          {...text}
          name="contact.email"
          label={t('Email')}
          hint={t('Answers to mails go here.')}
          inputMode="email"
        />
      </FieldGroup>

      <MoneyFields form={form} market={market} />
      <PlaceFields form={form} market={market} />

      <FieldGroup title={t('Orders')}>
        <UnitsField form={form} name="units" hint={t('Products keep the unit they have.')} />
        <NumberField
          form={form}
          name="unansweredMinutes"
          label={t('Minutes until an order counts as unanswered')}
          limits={{ min: 1, max: UNANSWERED_MINUTES_MAX }}
        />
      </FieldGroup>

      <FieldGroup title={t('Joining')}>
        <div className="grid justify-items-start sm:col-span-2">
          <Checkbox
            label={t('New farms wait for approval')}
            hint={t('Nobody sees a farm and its products until an admin approves it.')}
            {...form.register('approvesFarms')}
          />
          <Checkbox
            label={t('Email addresses must be confirmed')}
            hint={t('Before someone orders, or opens a farm.')}
            {...form.register('requiresVerifiedEmail')}
          />
          <Checkbox
            label={t('Organic goods need a certificate')}
            hint={t(
              'Farms mark products as organic only with a certificate that is valid. What is marked already keeps its mark until its farm changes it next.',
            )}
            {...form.register('requiresOrganicCertificate')}
          />
        </div>
      </FieldGroup>

      {hasTeam(market.name) && (
        <FieldGroup
          title={t('The team')}
          text={t(
            'Where the people on the About page have their own pages. What is empty is left out.',
          )}
        >
          {members.map(({ name }, index) => (
            <TextField
              key={name}
              {...text}
              name={`teamLinks.${index}`}
              label={t('Profile of {name}', { name })}
              inputMode="url"
            />
          ))}
        </FieldGroup>
      )}

      <FormError form={form} />
      <Button
        type="submit"
        pending={isSubmitting || isUploading}
        pendingLabel={isUploading ? t('Uploading the logo...') : t('Saving...')}
        className="justify-self-start"
      >
        {t('Save settings')}
      </Button>
      <LeaveGuard when={(isDirty || isUploading) && !isSubmitting} />
    </Form>
  );
}

/** The currency, how amounts are written, and a preview of both. */
function MoneyFields({ form, market }: { form: SettingsForm; market: Market }) {
  const { code: kept } = market.currency;
  const currencies = useMemo(() => currencyOptions(kept), [kept]);
  const takeUsual = (code: string) => {
    const { sign, decimals, position } = usualCurrency(code, form.getValues('locale'));
    const options = { shouldDirty: true, shouldValidate: true };
    form.setValue('currency.sign', sign, options);
    form.setValue('currency.decimals', decimals, options);
    form.setValue('currency.position', position, options);
  };
  return (
    <FieldGroup
      title={t('Money')}
      text={t(
        'Currency and decimals are fixed once something has a price. The sign can change at any time.',
      )}
    >
      <SelectField
        form={form}
        name="currency.code"
        label={t('Currency')}
        options={currencies}
        registerOptions={{ onChange: (event) => takeUsual(event.target.value) }}
      />
      <SelectField
        form={form}
        name="currency.decimals"
        label={t('Decimals')}
        options={DECIMALS_OPTIONS}
        registerOptions={{ valueAsNumber: true }}
      />
      <TextField
        form={form}
        name="currency.sign"
        label={t('Sign')}
        autoComplete="off"
        maxLength={MARKET_TEXT_MAX.sign}
      />
      <SelectField
        form={form}
        name="currency.position"
        label={t('Where the sign stands')}
        options={[
          { value: 'before', label: t('Before the amount') },
          { value: 'after', label: t('After the amount') },
        ]}
      />
      <MarketPreview form={form} market={market} />
    </FieldGroup>
  );
}

/** Where markets are likely to be; any other locale that is set already is offered too. */
const LOCALES =
  'am-ET ar-AE ar-EG ar-MA bg-BG bn-BD bn-IN ca-ES cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-GH en-IE en-IN en-KE en-MY en-NG en-NZ en-PH en-PK en-SG en-TZ en-UG en-US en-ZA es-AR es-CL es-CO es-ES es-MX es-PE et-EE fa-IR fi-FI fr-BE fr-CA fr-CH fr-FR fr-SN he-IL hi-IN hr-HR hu-HU id-ID it-CH it-IT ja-JP ka-GE kk-KZ km-KH ko-KR lt-LT lv-LV mr-IN ms-MY my-MM nb-NO ne-NP nl-BE nl-NL pa-IN pl-PL ps-AF pt-BR pt-PT ro-RO si-LK sk-SK sl-SI sr-RS sv-SE sw-KE sw-TZ ta-IN te-IN th-TH tr-TR uk-UA ur-PK uz-UZ vi-VN zh-CN zh-HK zh-TW'.split(
    ' ',
  );

/** The locales to choose from, the `kept` one among them, by name in the reader's language. */
function localeOptions(kept: string, language: string) {
  const names = new Intl.DisplayNames(language, { type: 'language' });
  const known = LOCALES.filter((tag) => findLocale(tag) !== undefined);
  return [...new Set([...known, kept])]
    .map((tag) => ({ value: tag, label: names.of(tag) ?? tag }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language));
}

const A_MONDAY = '2026-11-30';

/** Where the market is: how numbers and dates are written, its clock and its week. */
function PlaceFields({ form, market }: { form: SettingsForm; market: Market }) {
  const { language } = theReader();
  const locales = useMemo(() => localeOptions(market.locale, language), [market.locale, language]);
  return (
    <FieldGroup
      title={t('Place and time')}
      text={t('Numbers, dates and addresses are written as is usual where you are.')}
    >
      <CountryFields form={form} country="country" unitSystem="unitSystem" />
      <SelectField
        form={form}
        name="locale"
        label={t('Numbers and dates as in')}
        options={locales}
      />
      <SelectField
        form={form}
        name="weekStart"
        label={t('A week begins on')}
        options={[
          { value: 1, label: formatWallDate(A_MONDAY, 'weekdayName') },
          { value: 0, label: formatWallDate(addDays(A_MONDAY, 6), 'weekdayName') },
          { value: 6, label: formatWallDate(addDays(A_MONDAY, 5), 'weekdayName') },
        ]}
        registerOptions={{ valueAsNumber: true }}
      />
      <TimeZoneField
        form={form}
        name="timeZone"
        label={t('Time zone')}
        hint={t('Farms that have it follow, with their open orders.')}
        kept={market.timeZone}
        className="sm:col-span-2"
      />
      <LanguagesField form={form} name="languages" />
    </FieldGroup>
  );
}

/** A Saturday's afternoon, whatever today is, so that the parts of a date differ. */
const SAMPLE_INSTANT = Date.UTC(2026, 10, 28, 16, 5);
const SAMPLE_AMOUNT = 1234.5;

/** A price and a date by what the form holds; stays at the last ones while that is not complete. */
function MarketPreview({ form, market }: { form: SettingsForm; market: Market }) {
  const [currency, locale, units] = useWatch({
    control: form.control,
    name: ['currency', 'locale', 'units'],
  });
  const entered = MarketForm.pick({ currency: true, locale: true }).safeParse({ currency, locale });
  const shown = entered.success ? entered.data : market;
  const date = new Intl.DateTimeFormat(wordLocale(shown, theReader().language), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return (
    <output
      aria-label={t('Preview')}
      className="grid gap-1 rounded bg-sunken px-4 py-3 text-sm sm:col-span-2"
    >
      <span className="text-ink-soft">{t('This is how it will look')}</span>
      <span className="tabular text-xl font-semibold">
        {makeMoneyFormat(shown)(SAMPLE_AMOUNT)}{' '}
        <span className="text-sm font-normal">{perUnit(units[0] ?? 'kg')}</span>
      </span>
      <span>{date.format(SAMPLE_INSTANT)}</span>
    </output>
  );
}

/** Changes settings of the market. Every screen shows them at once. */
const useSaveMarket = () =>
  useCommand((body: UpdateMarket) => call(marketApi.update, { body }), {
    onSuccess: (cache, { data }) => keepMarket(cache, data),
    done: t('Market settings saved.'),
    onError: shownByForm,
  });
