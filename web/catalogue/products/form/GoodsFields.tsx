import { useState } from 'react';
import { useController, useWatch } from 'react-hook-form';
import type { Unit } from '#contract/catalogue/products/product';
import { theMarket } from '#contract/platform/market/constants';
import { perUnit, unitWord } from '#contract/platform/quantities/constants/quantities';
import { quantityLimits } from '#contract/platform/quantities/constants/step-fields';
import {
  NET_UNITS,
  type NetUnit,
  QUANTITY_MAX,
} from '#contract/platform/quantities/constants/units';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { readTyped, writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { Options, Select } from '../../../platform/ui/fields/controls.tsx';
import { Field, Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberInput } from '../../../platform/ui/fields/NumberInput.tsx';
import { NumberField } from '../../../platform/ui/form/fields.tsx';
import { FormField } from '../../../platform/ui/form/form.tsx';
import type { ProductFormOf } from './product-form.ts';

/** How much there is of a product: a stock, or always enough and then how much of it an order can have. */
export function StockFields({
  form,
  inStock,
  isByPiece,
  isSized,
  step,
}: {
  form: ProductFormOf;
  /** The live stock of a product that has one. */
  inStock: number | undefined;
  isByPiece: boolean;
  isSized: boolean;
  /** The step that the stock was counted in when the form was opened. */
  step: number | null;
}) {
  const { control, formState } = form;
  const isAlways = useWatch({ control, name: 'availability' }) === 'always';
  const stepNow = useWatch({ control, name: 'step' });
  const before = inStock ?? formState.defaultValues?.quantityAvailable;
  const limits = isSized
    ? { decimals: 3, min: 0, max: QUANTITY_MAX }
    : quantityLimits({ step: stepNow, quantityAvailable: before });
  const isTouched = formState.dirtyFields.quantityAvailable ?? false;
  return (
    <>
      <FormField form={form} name="availability" label={t('How much there is')}>
        {(field) => (
          <Select {...field}>
            <option value="counted">{t('As much as I count')}</option>
            <option value="always">{t('Always enough')}</option>
          </Select>
        )}
      </FormField>
      {isAlways ? (
        <NumberField
          form={form}
          name="maxPerOrder"
          label={t('Most per order')}
          isOptional
          limits={{ ...limits, min: 0 }}
          hint={t('It never runs out on the market. Leave it empty to sell any quantity.')}
        />
      ) : (
        <NumberField
          form={form}
          name="quantityAvailable"
          label={t('Quantity available')}
          required
          limits={limits}
          step={isByPiece || isSized ? 1 : (step ?? 1)}
          hint={
            inStock !== undefined && isTouched
              ? t('In stock right now: {inStock}', { inStock: formatCount(inStock) })
              : isByPiece
                ? t('Counted in pieces.')
                : isSized
                  ? t('Of all sizes together.')
                  : undefined
          }
        />
      )}
    </>
  );
}

/** Words of the farm's own for what it sells by the piece; without them it is counted without a word. */
export function WordsField({ form }: { form: ProductFormOf }) {
  const { field, formState } = useController({ control: form.control, name: 'unitLabel' });
  const words = field.value ?? { one: '', other: '' };
  const errors = formState.errors.unitLabel;
  const inputs = [
    { name: 'one', label: t('Word for one'), hint: t('Such as jar or head') },
    { name: 'other', label: t('Word for several'), hint: t('Such as jars or heads') },
  ] as const;
  return (
    <div className="grid grid-cols-2 items-start gap-x-3 sm:gap-x-5">
      {inputs.map(({ name, label, hint }) => (
        <Field
          key={name}
          label={label}
          hint={hint}
          error={errors?.[name]?.message ?? (name === 'one' ? errors?.message : undefined)}
        >
          <Input
            name={`unitLabel.${name}`}
            ref={name === 'one' ? field.ref : undefined}
            value={words[name]}
            onBlur={field.onBlur}
            onChange={({ target }) => {
              const next = { ...words, [name]: target.value };
              field.onChange(next.one || next.other ? next : null);
            }}
            autoComplete="off"
            autoCapitalize="none"
          />
        </Field>
      ))}
    </div>
  );
}

const NET_LIMITS = { decimals: 3, min: 0, max: QUANTITY_MAX };

/** What one of what is counted contains, from which customers see what a kilogram or a litre costs. */
export function NetField({ form, unit }: { form: ProductFormOf; unit: Unit }) {
  const { field, formState } = useController({ control: form.control, name: 'net' });
  const { value } = field;
  const usual = theMarket().unitSystem === 'metric' ? 'g' : 'oz';
  const [unitBefore, setUnitBefore] = useState<NetUnit>(usual);
  const netUnit = value?.unit ?? unitBefore;
  const [typed, setTyped] = useState<{ text: string; amount: number | undefined }>();
  const text =
    typed && Object.is(typed.amount, value?.amount) ? typed.text : writeTyped(value?.amount);
  const enter = (next: string, unit: NetUnit) => {
    const amount = next.trim() === '' ? undefined : readTyped(next, NET_LIMITS).value;
    setTyped({ text: next, amount });
    setUnitBefore(unit);
    field.onChange(amount === undefined ? null : { amount, unit });
  };
  const errors = formState.errors.net;
  return (
    <Field
      label={t('What one contains')}
      hint={
        unit === 'each'
          ? t('Customers see what a kilogram or a litre costs.')
          : t('What is in it, {unit}. Customers see what a kilogram or a litre costs.', {
              unit: perUnit(unit),
            })
      }
      error={errors?.amount?.message ?? errors?.unit?.message ?? errors?.message}
    >
      <span className="grid grid-cols-[minmax(0,1fr)_6rem] gap-2">
        <NumberInput
          name="net.amount"
          ref={field.ref}
          onBlur={field.onBlur}
          text={text}
          onText={(next) => enter(next, netUnit)}
          limits={NET_LIMITS}
        />
        <Select
          // It has a name of its own: the field's label is that of the amount.
          id={undefined}
          aria-label={t('In which unit')}
          value={netUnit}
          onChange={({ target }) => enter(text, target.value as NetUnit)}
        >
          <Options of={NET_UNITS.map((each) => [each, unitWord(each)])} />
        </Select>
      </span>
    </Field>
  );
}
