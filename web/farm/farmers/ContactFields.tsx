import { Link } from 'wouter';
import type { z } from '#contract/platform/http/zod';
import { FieldGroup } from '../../platform/ui/fields/controls.tsx';
import { Input } from '../../platform/ui/fields/Field.tsx';
import { type AppForm, FormField } from '../../platform/ui/form/form.tsx';
import type { FarmInput } from './farm-profile-form.ts';

const SEEN = 'Customers see the phone number and the town.';

/** The phone and address of a farm whose founder has left: nobody's profile has them any more. */
export function ContactFields({ form }: { form: AppForm<z.input<typeof FarmInput>, FarmInput> }) {
  return (
    <FieldGroup title="Contact" text={SEEN}>
      <FormField form={form} name="contact.phone" label="Phone" className="sm:col-span-2">
        {(field) => <Input {...field} type="tel" />}
      </FormField>
      <FormField form={form} name="contact.address.street" label="Street" className="sm:col-span-2">
        {(field) => <Input {...field} />}
      </FormField>
      <FormField form={form} name="contact.address.city" label="City">
        {(field) => <Input {...field} />}
      </FormField>
      <div className="grid grid-cols-2 gap-5">
        <FormField form={form} name="contact.address.state" label="State">
          {(field) => <Input {...field} />}
        </FormField>
        <FormField form={form} name="contact.address.zipCode" label="ZIP code">
          {(field) => <Input {...field} inputMode="numeric" />}
        </FormField>
      </div>
    </FieldGroup>
  );
}

/** Where phone and address of a farm are kept while whoever registered it is there. */
export function ContactElsewhere({ isFounder }: { isFounder: boolean }) {
  return (
    <FieldGroup title="Contact" text={SEEN}>
      <p className="text-sm sm:col-span-2">
        {isFounder ? (
          <>
            They are those of your profile.{' '}
            <Link href="/profile" className="link">
              Change your phone or address
            </Link>
          </>
        ) : (
          'They are those of whoever registered the farm, who changes them in their profile.'
        )}
      </p>
    </FieldGroup>
  );
}
