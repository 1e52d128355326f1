import type { z } from '#contract/zod';
import { type AppForm, FormField } from '../ui/form.tsx';
import { FieldGroup } from '../ui/primitives/FieldGroup.tsx';
import { Input } from '../ui/primitives/Input.tsx';
import type { FarmInput } from './farm-profile-form.ts';

/** The phone and address of a farm whose founder has left: nobody's profile has them any more. */
export function ContactFields({ form }: { form: AppForm<z.input<typeof FarmInput>, FarmInput> }) {
  return (
    <FieldGroup title="Contact" text="Customers see the phone number and the town.">
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
