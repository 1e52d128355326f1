import { type ComponentProps, type ReactNode, useState } from 'react';
import { currencyChoices, READY_CATEGORIES, usualCurrency } from '#contract/admin/setup/constants';
import type { SetUp } from '#contract/admin/setup/setup';
import {
  CURRENCY_DECIMALS,
  DEFAULT_MARKET,
  MARKET_TEXT_MAX,
} from '#contract/platform/market/constants';
import { NewPasswordFields } from '../../people/model/NewPasswordFields.tsx';
import { CategoryIcon } from '../../platform/ui/art/CategoryIcon.tsx';
import { cn } from '../../platform/ui/cn.ts';
import { Checkbox } from '../../platform/ui/fields/Checkbox.tsx';
import { EmailInput, Input } from '../../platform/ui/fields/Input.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import {
  type AppForm,
  Form,
  FormError,
  FormField,
  useZodForm,
} from '../../platform/ui/form/form.tsx';
import { UnitsField } from '../../platform/ui/form/UnitsField.tsx';
import { groundClass } from '../../platform/ui/ground.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card } from '../../platform/ui/primitives/Card.tsx';
import { emptySetUp, previewPrice, SetUpForm, type SetUpInput } from './setup-form.ts';

type SetUpFormState = AppForm<SetUpInput, ReturnType<typeof SetUpForm.parse>>;
/** Renders the choice of a time zone, which lists the given one too. */
type TimeZoneField = (field: ComponentProps<'select'>, kept: string) => ReactNode;

/** The form that sets a market up. `setUp` may throw an `ApiError`, which is shown at its field. */
export function SetupForm({
  token,
  timeZoneField,
  isPending,
  setUp,
}: {
  token: string;
  timeZoneField: TimeZoneField;
  isPending: boolean;
  setUp: (input: SetUp) => Promise<unknown>;
}) {
  const [defaultValues] = useState(() => emptySetUp(token));
  const form = useZodForm(SetUpForm, { defaultValues });
  return (
    <Form
      form={form}
      label="Set up your market"
      onSubmit={({ admin: { confirmPassword: _, ...admin }, ...values }) =>
        setUp({ ...values, admin })
      }
      className="grid gap-6"
    >
      <MarketPart form={form} timeZoneField={timeZoneField} />
      <AdminPart form={form} />
      <JoiningPart form={form} />
      <CategoriesPart form={form} />
      <FormError form={form} />
      <Button type="submit" size="lg" pending={isPending} pendingLabel="Opening...">
        Open the market
      </Button>
    </Form>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <Card>
      <fieldset className="min-w-0">
        <legend className="font-display text-lg font-semibold">{title}</legend>
        <p className="mt-1 text-sm text-ink-soft">{text}</p>
        <div className="mt-5 grid gap-5 sm:grid-cols-2">{children}</div>
      </fieldset>
    </Card>
  );
}

function MarketPart({
  form,
  timeZoneField,
}: {
  form: SetUpFormState;
  timeZoneField: TimeZoneField;
}) {
  const [currencies] = useState(() => currencyChoices());
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
    <Part title="The market" text="What everybody sees, and how its prices are written.">
      <FormField form={form} name="market.name" label="Market name" required>
        {(field) => <Input {...field} autoComplete="organization" />}
      </FormField>
      <FormField
        form={form}
        name="market.timeZone"
        label="Time zone"
        hint="The market counts its days by this clock."
      >
        {(field) => timeZoneField(field, kept)}
      </FormField>
      <FormField
        form={form}
        name="market.currency.code"
        label="Currency"
        hint="It stays once something has a price."
        registerOptions={{ onChange: (event) => fillIn(event.target.value) }}
        required
      >
        {(field) => (
          <Select {...field}>
            <option value="">Choose a currency</option>
            {currencies.map(({ code, name }) => (
              <option key={code} value={code}>
                {name} ({code})
              </option>
            ))}
          </Select>
        )}
      </FormField>
      <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_4.5rem] items-start gap-3">
        <FormField form={form} name="market.currency.sign" label="Sign" required>
          {(field) => <Input {...field} maxLength={MARKET_TEXT_MAX.sign} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="market.currency.position" label="Place">
          {(field) => (
            <Select {...field}>
              <option value="before">Before</option>
              <option value="after">After</option>
            </Select>
          )}
        </FormField>
        <FormField
          form={form}
          name="market.currency.decimals"
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
      </div>
      <PricePreview form={form} />
    </Part>
  );
}

/** Shows how a price is going to look. */
function PricePreview({ form }: { form: SetUpFormState }) {
  const { currency, locale } = form.watch('market');
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 rounded bg-sunken px-4 py-3 text-sm text-ink-soft sm:col-span-2">
      A price looks like this
      <output className="font-display text-xl font-semibold text-ink tabular-nums">
        {currency.sign === '' ? '…' : previewPrice(currency, locale)}
      </output>
    </p>
  );
}

function AdminPart({ form }: { form: SetUpFormState }) {
  return (
    <Part title="You" text="The first admin: you answer people and see everything.">
      <FormField form={form} name="admin.name" label="Your name" required>
        {(field) => <Input {...field} autoComplete="name" />}
      </FormField>
      <FormField form={form} name="admin.email" label="Email" required>
        {(field) => <EmailInput {...field} autoComplete="email" />}
      </FormField>
      <NewPasswordFields
        form={form}
        password={{ name: 'admin.password', label: 'Password' }}
        repeated={{ name: 'admin.confirmPassword', label: 'Confirm password' }}
      />
    </Part>
  );
}

function JoiningPart({ form }: { form: SetUpFormState }) {
  return (
    <Part title="Farms" text="You invite them next, with a link.">
      <UnitsField form={form} name="market.units" hint="Farms choose from these." />
      <Checkbox
        {...form.register('market.approvesFarms')}
        label="New farms wait for approval"
        hint="Nobody sees a farm and its products until you approve it."
        className="sm:col-span-2"
      />
    </Part>
  );
}

function CategoriesPart({ form }: { form: SetUpFormState }) {
  return (
    <Part title="Categories" text="What customers browse by. Untick what nobody around you grows.">
      {READY_CATEGORIES.map(({ key, name, description, icon }) => (
        <div
          key={key}
          className={cn('flex items-center gap-3 rounded px-3 py-2.5', groundClass(name))}
        >
          <CategoryIcon icon={icon} className="size-10 shrink-0" />
          <Checkbox
            {...form.register('categories')}
            value={key}
            label={<span className="font-medium">{name}</span>}
            hint={description}
            className="grow pointer-coarse:items-start"
          />
        </div>
      ))}
    </Part>
  );
}
