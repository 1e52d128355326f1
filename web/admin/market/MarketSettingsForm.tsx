import { useEffect, useState } from 'react';
import { useController } from 'react-hook-form';
import { MARKET_TEXT_MAX, type Market } from '#contract/platform/market/constants';
import { VersionedEdit } from '../../platform/queries/versioned-edit.ts';
import { Sprout } from '../../platform/ui/art/Sprout.tsx';
import { LeaveGuard } from '../../platform/ui/dialogs/LeaveGuard.tsx';
import { FieldGroup } from '../../platform/ui/fields/FieldGroup.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import type { PictureField } from '../../platform/ui/form/picture-field.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useSaveMarket } from './commands.ts';
import { JoiningFields, MoneyFields, OrderFields, PlaceFields } from './MarketFields.tsx';
import { MarketForm, toMarketInput } from './market-form.ts';

/** The form of all settings of the market. What another admin saves meanwhile is kept, or shown where both changed it. */
export function MarketSettingsForm({
  market,
  logoField,
}: {
  market: Market;
  logoField: PictureField;
}) {
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

  return (
    <Form
      form={form}
      label="Market settings"
      onSubmit={async (input, show) => {
        const saved = await edit.save(input, async (values, _, expectedVersion) => {
          const { data } = await save.mutateAsync({ ...values, expectedVersion });
          return data;
        });
        setShownVersion(saved.version);
        show(toMarketInput(saved));
      }}
      className="grid gap-10"
    >
      <FieldGroup title="Identity" text="In the bar at the top, in titles and in mails.">
        <FormField form={form} name="name" label="Name" required>
          {(field) => <Input {...field} autoComplete="off" maxLength={MARKET_TEXT_MAX.name} />}
        </FormField>
        <FormField form={form} name="tagline" label="Tagline" hint="One sentence in the footer.">
          {(field) => <Input {...field} autoComplete="off" maxLength={MARKET_TEXT_MAX.tagline} />}
        </FormField>
        {logoField({
          label: 'Logo',
          hint: 'A square picture. Without one we show a sprout.',
          url: logo.field.value || null,
          onChange: (url) => logo.field.onChange(url ?? ''),
          onUploading: setUploading,
          fallback: <Sprout className="size-full" />,
          frameClass: 'size-24 rounded',
          error: logo.fieldState.error?.message,
        })}
      </FieldGroup>

      <FieldGroup
        title="Contact"
        text="In the footer and at the end of mails. What is empty is left out."
      >
        <FormField form={form} name="contact.address" label="Address" className="sm:col-span-2">
          {(field) => <Input {...field} autoComplete="off" maxLength={MARKET_TEXT_MAX.address} />}
        </FormField>
        <FormField form={form} name="contact.phone" label="Phone">
          {(field) => (
            <Input {...field} type="tel" autoComplete="off" maxLength={MARKET_TEXT_MAX.phone} />
          )}
        </FormField>
        <FormField form={form} name="contact.email" label="Email" hint="Answers to mails go here.">
          {(field) => <Input {...field} inputMode="email" autoComplete="off" />}
        </FormField>
      </FieldGroup>

      <MoneyFields form={form} market={market} />
      <PlaceFields form={form} market={market} />
      <OrderFields form={form} />
      <JoiningFields form={form} />

      <FormError form={form} />
      <Button
        type="submit"
        pending={isSubmitting || isUploading}
        pendingLabel={isUploading ? 'Uploading the logo...' : 'Saving...'}
        className="justify-self-start"
      >
        Save settings
      </Button>
      <LeaveGuard when={(isDirty || isUploading) && !isSubmitting} />
    </Form>
  );
}

const newEdit = (market: Market) =>
  new VersionedEdit(market, toMarketInput, ({ version }) => version);
