import { useController } from 'react-hook-form';
import {
  INGREDIENTS_MAX,
  ORIGIN_MAX,
  STORAGE_MAX,
} from '#contract/catalogue/products/constants/products';
import { t } from '#contract/platform/text/constants/texts';
import { FieldGroup, Select, Textarea } from '../../../platform/ui/fields/controls.tsx';
import { Field, Input } from '../../../platform/ui/fields/Field.tsx';
import { type AppForm, FormField } from '../../../platform/ui/form/form.tsx';
import { AllergenChoice } from '../declarations/AllergenChoice.tsx';
import type { ProductFormInput, ProductInput } from './product-form.ts';

/** What a farm declares of a product: its allergens, ingredients, storage and origin. */
export function DeclarationFields({ form }: { form: AppForm<ProductFormInput, ProductInput> }) {
  const { field, fieldState } = useController({ control: form.control, name: 'allergens' });
  const allergens = field.value ?? 'unknown';
  return (
    <FieldGroup
      title={t('What you declare')}
      text={t(
        'Customers see it on the page of the product, and can leave out what they must not eat.',
      )}
    >
      <div className="grid gap-3 sm:col-span-2">
        <Field label={t('Allergens')} error={fieldState.error?.message}>
          <Select
            name={field.name}
            ref={field.ref}
            value={typeof allergens === 'string' ? allergens : 'some'}
            onChange={({ target: { value } }) => field.onChange(value === 'some' ? [] : value)}
            onBlur={field.onBlur}
          >
            <option value="unknown">{t('Not said')}</option>
            <option value="none">{t('None of the fourteen allergens')}</option>
            <option value="some">{t('It contains some')}</option>
          </Select>
        </Field>
        {typeof allergens !== 'string' && (
          <fieldset className="min-w-0">
            <legend className="sr-only">{t('Allergens that it contains')}</legend>
            <AllergenChoice
              chosen={allergens}
              onChange={(chosen) => {
                field.onChange(chosen);
                if (chosen.length > 0) form.clearErrors('allergens');
              }}
            />
          </fieldset>
        )}
      </div>
      <FormField form={form} name="ingredients" label={t('Ingredients')} className="sm:col-span-2">
        {(field) => <Textarea {...field} rows={3} maxLength={INGREDIENTS_MAX} />}
      </FormField>
      <FormField form={form} name="storage" label={t('Storage')}>
        {(field) => (
          <Input {...field} maxLength={STORAGE_MAX} placeholder={t('For example: cool and dry')} />
        )}
      </FormField>
      <FormField form={form} name="origin" label={t('Origin')}>
        {(field) => <Input {...field} maxLength={ORIGIN_MAX} />}
      </FormField>
    </FieldGroup>
  );
}
