import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { UpdateProfile, type User } from '#contract/people/users/users';
import { readableEmail } from '#contract/platform/http/email';
import { GENERAL_PREFERENCES } from '#contract/platform/orders/constants';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { roleName } from '../../platform/format/format.ts';
import { VersionedEdit } from '../../platform/queries/versioned-edit.ts';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { AddressFields, SelectField } from '../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../platform/ui/form/form.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { PREFERENCE_WORDS } from '../model/preference-words.ts';
import { LanguageField } from './LanguageChoice.tsx';

/** Returns the form values of a profile. */
const toInput = ({ name, phone, address, role, onShortDefault }: User): UpdateProfile => ({
  name,
  phone,
  address: { ...address },
  // Those who do not buy wish nothing.
  ...(role === 'consumer' && {
    onShortDefault:
      GENERAL_PREFERENCES.find((preference) => preference === onShortDefault) ?? 'ask',
  }),
});

/** The form of the user's own profile; email and role are read-only. */
export function GeneralForm({
  user,
  part = 'all',
  onSave,
}: {
  user: User;
  /** All of it, or phone and address alone. */
  part?: 'all' | 'contact';
  /** Saves the changes; rejects on failure. */
  onSave: (changes: UpdateProfile) => Promise<User>;
}) {
  const [edit] = useState(() => new VersionedEdit(user, toInput));
  const form = useZodForm(UpdateProfile, { defaultValues: toInput(user) });
  const shownPhone = useRef(user.phone);
  // It is changed beside the form too, where it is verified.
  const followPhone = useEffectEvent((phone: string) => {
    if (![shownPhone.current, phone].includes(form.getValues('phone') ?? '')) return;
    shownPhone.current = phone;
    edit.follow({ phone });
    form.resetField('phone', { defaultValue: phone });
  });
  useEffect(() => followPhone(user.phone), [user.phone]);
  const isWhole = part === 'all';
  return (
    <Form
      form={form}
      onSubmit={async (values, show) => {
        const saved = await edit.save(values, (changed, _, expectedVersion) =>
          onSave({ ...changed, expectedVersion }),
        );
        show(toInput(saved));
      }}
      className="grid gap-5"
      label={isWhole ? t('General Information') : t('Contact')}
      draftKey={isWhole ? 'profile' : 'profile:contact'}
    >
      <FormError form={form} />
      <div className="grid gap-5 sm:grid-cols-2">
        {isWhole && (
          <>
            <FormField form={form} name="name" label={t('Name')} required className="sm:col-span-2">
              {(field) => <Input {...field} autoComplete="name" />}
            </FormField>
            <Field label={t('Email')} hint={t('Email cannot be changed')}>
              <Input type="email" value={readableEmail(user.email)} readOnly />
            </Field>
            <Field label={t('Account type')}>
              <Input value={roleName(user.role)} readOnly />
            </Field>
            <LanguageField className="sm:col-span-2" />
          </>
        )}
        {/* Nobody needs the phone and address of an admin. */}
        {user.role !== 'admin' && (
          <>
            <FormField form={form} name="phone" label={t('Phone')} className="sm:col-span-2">
              {(field) => <Input {...field} type="tel" autoComplete="tel" />}
            </FormField>
            <AddressFields form={form} isOwn />
          </>
        )}
        {user.role === 'consumer' && (
          <SelectField
            form={form}
            name="onShortDefault"
            label={t('If something runs short')}
            hint={t('You can say something else for each product when you order.')}
            className="sm:col-span-2"
            options={GENERAL_PREFERENCES.map((value) => ({
              value,
              label: writeMessage(PREFERENCE_WORDS[value]),
            }))}
          />
        )}
      </div>
      <div>
        <Button
          type="submit"
          pending={form.formState.isSubmitting}
          pendingLabel={t('Saving...')}
          className={isWhole ? 'w-full sm:w-auto' : ''}
        >
          {isWhole ? t('Save changes') : t('Save')}
        </Button>
      </div>
    </Form>
  );
}
