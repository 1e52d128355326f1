import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useLocation } from 'wouter';
import {
  READY_CATEGORIES,
  READY_CATEGORY_KEYS,
  setupApi,
  usualCurrency,
  usualUnits,
} from '#contract/admin/setup/constants';
import { SetUp } from '#contract/admin/setup/setup';
import type { z } from '#contract/platform/http/zod';
import { DEFAULT_MARKET, type Market, theMarket } from '#contract/platform/market/constants';
import { findLocale, MARKET_TEXT_MAX } from '#contract/platform/market/constants/choices';
import { usualCountry, usualUnitSystem } from '#contract/platform/market/countries';
import { makeMoneyFormat } from '#contract/platform/money/constants';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import {
  CountryFields,
  currencyOptions,
  DECIMALS_OPTIONS,
  LanguagesField,
} from '../../admin/model/fields.tsx';
import { fromThisDevice } from '../../people/auth/commands.ts';
import { startSession } from '../../people/auth/session.ts';
import {
  confirmation,
  mismatch,
  NewPasswordFields,
  passwordsMatch,
} from '../../people/model/NewPasswordFields.tsx';
import LanguageChoice from '../../people/users/LanguageChoice.tsx';
import { call, dataOf } from '../../platform/api/api.ts';
import { LANGUAGES } from '../../platform/format/catalogues.ts';
import { allowLanguage, browsersChoice } from '../../platform/format/language.ts';
import { marketQuery } from '../../platform/format/market.ts';
import { showLanguage } from '../../platform/format/show-language.ts';
import { shownByForm, useCommand } from '../../platform/queries/use-command.ts';
import { CategoryIcon } from '../../platform/ui/art/Drawing.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { Alert, Fetched, SkeletonText } from '../../platform/ui/feedback/states.tsx';
import { Checkbox, FieldGroup } from '../../platform/ui/fields/controls.tsx';
import { EmailInput } from '../../platform/ui/fields/Field.tsx';
import { SelectField, TextField, UnitsField } from '../../platform/ui/form/fields.tsx';
import {
  type AppForm,
  Form,
  FormError,
  FormField,
  useZodForm,
} from '../../platform/ui/form/form.tsx';
import { TimeZoneField } from '../../platform/ui/form/TimeZoneField.tsx';
import { groundClass } from '../../platform/ui/ground.ts';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Card, PageHeader } from '../../platform/ui/primitives/sections.tsx';

/** The page that the link of a new market opens: its settings, its first admin and its categories. */
export default function SetupPage() {
  const [token] = useState(() => tokenIn(window.location.hash));
  const query = useQuery(setupStateQuery());
  const isDone = query.data?.isNeeded === false;
  return (
    <div className="wrap max-w-3xl py-8 sm:py-12">
      <PageHeader
        title={isDone ? t('This market is set up') : t('Set up your market')}
        text={
          isDone
            ? t('It has an admin already, so this link has done its work.')
            : t('It takes two minutes, and everything but the currency can be changed later.')
        }
      />
      {!isDone && (
        <div className="mb-6">
          <LanguageChoice languages={LANGUAGES} onChoose={tryLanguage} />
        </div>
      )}
      {isDone ? (
        <div className="flex flex-wrap gap-3">
          <LinkButton href="/">{t('Go to the market')}</LinkButton>
          <LinkButton href="/login" variant="secondary">
            {t('Sign in')}
          </LinkButton>
        </div>
      ) : (
        <Fetched query={query} skeleton={<SkeletonText lines={8} />}>
          {() =>
            token === '' ? (
              <Alert kind="error">
                {t(
                  'This link is incomplete. Open the whole link that the server printed when it started.',
                )}
              </Alert>
            ) : (
              <SetupForm token={token} />
            )
          }
        </Fetched>
      )}
    </div>
  );
}

/** Whether a language was chosen for the set-up itself. */
let hasTried = false;

/** The market offers no languages yet. */
function tryLanguage(language: string): void {
  hasTried = true;
  allowLanguage(language);
  void showLanguage(language);
}

/** Sets a new market up, and signs its admin in. */
const useSetUp = () =>
  useCommand((body: SetUp) => call(setupApi.setUp, { body, ...fromThisDevice() }), {
    onSuccess: async (client, { token, user }) => {
      // The first page of the admin has the new name and money.
      await client.fetchQuery({ ...marketQuery(), staleTime: 0 }).catch(() => undefined);
      // The market's own languages are there only now.
      if (!hasTried) await showLanguage(browsersChoice() ?? theMarket().languages[0] ?? 'en');
      startSession(client, token, user);
    },
    onError: shownByForm,
  });

type SetUpFormState = AppForm<SetUpInput, ReturnType<typeof SetUpForm.parse>>;
/** The form that sets a market up. */
function SetupForm({ token }: { token: string }) {
  const [, navigate] = useLocation();
  const setUp = useSetUp();
  const [defaultValues] = useState(() => emptySetUp(token));
  const form = useZodForm(SetUpForm, { defaultValues });
  return (
    <Form
      form={form}
      label={t('Set up your market')}
      onSubmit={async ({ admin: { confirmPassword: _, ...admin }, ...values }) => {
        await setUp.mutateAsync({ ...values, admin });
        navigate('/admin/dashboard', { replace: true });
      }}
      className="grid gap-6"
    >
      <MarketPart form={form} />
      <Part title={t('You')} text={t('The first admin: you answer people and see everything.')}>
        <TextField
          form={form}
          name="admin.name"
          label={t('Your name')}
          required
          autoComplete="name"
        />
        <FormField form={form} name="admin.email" label={t('Email')} required>
          {(field) => <EmailInput {...field} autoComplete="email" />}
        </FormField>
        <NewPasswordFields
          form={form}
          password={{ name: 'admin.password', label: t('Password') }}
          repeated={{ name: 'admin.confirmPassword', label: t('Confirm password') }}
        />
      </Part>
      <Part title={t('Farms')} text={t('You invite them next, with a link.')}>
        <UnitsField form={form} name="market.units" hint={t('Farms choose from these.')} />
        <Checkbox
          {...form.register('market.approvesFarms')}
          label={t('New farms wait for approval')}
          hint={t('Nobody sees a farm and its products until you approve it.')}
          className="sm:col-span-2"
        />
      </Part>
      <Part
        title={t('Categories')}
        text={t('What customers browse by. Untick what nobody around you grows.')}
      >
        {READY_CATEGORIES.map(({ key, name, description, icon }) => (
          <div
            key={key}
            className={cn('flex items-center gap-3 rounded px-3 py-2.5', groundClass(name.text))}
          >
            <CategoryIcon icon={icon} className="size-10 shrink-0" />
            <Checkbox
              {...form.register('categories')}
              value={key}
              label={<span className="font-medium">{writeMessage(name)}</span>}
              hint={writeMessage(description)}
              className="grow pointer-coarse:items-start"
            />
          </div>
        ))}
      </Part>
      <FormError form={form} />
      <Button type="submit" size="lg" pending={setUp.isPending} pendingLabel={t('Opening...')}>
        {t('Open the market')}
      </Button>
    </Form>
  );
}

const Part = (group: ComponentProps<typeof FieldGroup>) => (
  <Card>
    <FieldGroup {...group} />
  </Card>
);

function MarketPart({ form }: { form: SetUpFormState }) {
  const [known] = useState(() => currencyOptions());
  const currencies = [{ value: '', label: t('Choose a currency') }, ...known];
  const [kept] = useState(() => form.getValues('market.timeZone'));
  const { locale } = form.getValues('market');
  const fillIn = (code: string) => {
    if (code === '') return;
    const { sign, decimals, position } = usualCurrency(code, locale ?? DEFAULT_MARKET.locale);
    const shouldValidate = form.formState.isSubmitted;
    form.setValue('market.currency.sign', sign, { shouldValidate: true });
    form.setValue('market.currency.decimals', decimals, { shouldValidate });
    form.setValue('market.currency.position', position, { shouldValidate });
  };
  return (
    <Part title={t('The market')} text={t('What everybody sees, and how its prices are written.')}>
      <TextField
        form={form}
        name="market.name"
        label={t('Market name')}
        required
        autoComplete="organization"
      />
      <TimeZoneField
        form={form}
        name="market.timeZone"
        label={t('Time zone')}
        hint={t('Type a city near you. The market counts its days by this clock.')}
        kept={kept}
      />
      <CountryFields form={form} country="market.country" unitSystem="market.unitSystem" />
      <SelectField
        form={form}
        name="market.currency.code"
        label={t('Currency')}
        hint={t('It stays once something has a price.')}
        options={currencies}
        registerOptions={{ onChange: (event) => fillIn(event.target.value) }}
        required
      />
      <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_4.5rem] items-start gap-3">
        <TextField
          form={form}
          name="market.currency.sign"
          label={t('Sign')}
          required
          maxLength={MARKET_TEXT_MAX.sign}
          autoComplete="off"
        />
        <SelectField
          form={form}
          name="market.currency.position"
          label={t('position|Place')}
          options={[
            { value: 'before', label: t('Before') },
            { value: 'after', label: t('After') },
          ]}
        />
        <SelectField
          form={form}
          name="market.currency.decimals"
          label={t('Decimals')}
          options={DECIMALS_OPTIONS}
          registerOptions={{ valueAsNumber: true }}
        />
      </div>
      <PricePreview form={form} />
      <LanguagesField form={form} name="market.languages" />
    </Part>
  );
}

/** Shows how a price is going to look. */
function PricePreview({ form }: { form: SetUpFormState }) {
  const { currency, locale } = form.watch('market');
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 rounded bg-sunken px-4 py-3 text-sm text-ink-soft sm:col-span-2">
      {t('A price looks like this')}
      <output className="font-display text-xl font-semibold text-ink tabular-nums">
        {currency.sign === '' ? '…' : previewPrice(currency, locale)}
      </output>
    </p>
  );
}

const Admin = SetUp.shape.admin.extend(confirmation).refine(passwordsMatch, mismatch);

/** The values of the form: the body of the call, and the password twice. */
export const SetUpForm = SetUp.extend({ admin: Admin });
type SetUpInput = z.input<typeof SetUpForm>;

/** Returns what the form begins with, by what the browser knows of the place and the language. */
export function emptySetUp(token: string): SetUpInput {
  const { timeZone, locale: usual } = new Intl.DateTimeFormat().resolvedOptions();
  // A language that is not known here, or not as a language, has no field where it could be put right.
  const locale = findLocale(navigator.language) ?? findLocale(usual);
  const place = { locale: locale ?? DEFAULT_MARKET.locale, timeZone };
  const country = usualCountry(place);
  return {
    token,
    market: {
      name: '',
      // Chosen on purpose: it cannot be changed once something has a price.
      currency: { code: '', sign: '', decimals: 2, position: 'before' },
      timeZone,
      locale,
      units: usualUnits(place),
      country,
      unitSystem: usualUnitSystem(country),
      languages: [...DEFAULT_MARKET.languages],
      approvesFarms: false,
    },
    admin: { name: '', email: '', password: '', confirmPassword: '' },
    categories: [...READY_CATEGORY_KEYS],
  };
}

/** Returns the token of the set-up link in the fragment of the page's address; empty without one. */
export const tokenIn = (hash: string): string =>
  new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/** Formats an amount as the market is going to: '1.234,50 €'. */
export const previewPrice = (currency: Market['currency'], locale = ''): string =>
  makeMoneyFormat({ currency, locale: findLocale(locale) ?? DEFAULT_MARKET.locale })(1234.5);

/** Whether the market has no admin yet. */
const setupStateQuery = () =>
  queryOptions({
    queryKey: ['setup'],
    queryFn: dataOf(setupApi.state),
  });
