import { useWatch } from 'react-hook-form';
import type { Unit } from '#contract/catalogue/products/product';
import { PIECE_WEIGHT_MAX } from '#contract/platform/quantities/constants/pieces';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import { Select } from '../../../platform/ui/fields/controls.tsx';
import { Field, Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../../platform/ui/form/fields.tsx';
import { FormField } from '../../../platform/ui/form/form.tsx';
import { offeredUnits, type ProductFormOf } from './product-form.ts';

/** Chooses whether a product is sold by its unit, or by the piece and priced by weight. */
export function SoldByField({ form, isSized }: { form: ProductFormOf; isSized: boolean }) {
  const { control, getValues, setValue } = form;
  const soldBy = useWatch({ control, name: 'soldBy' });
  const weightUnits = offeredUnits().filter(isWeightUnit);
  const weightUnit = weightUnits.find((unit) => unit === 'kg') ?? weightUnits[0] ?? 'kg';
  const choose = (soldBy: unknown) => {
    const isByPiece = soldBy === 'piece_by_weight';
    // Fields that are not on the screen must neither be sent nor have errors.
    const options = { shouldDirty: true };
    // Empty: a number that is none would stand in its field as 'NaN'.
    setValue('pieceWeight', isByPiece ? ({} as { average: number }) : null, options);
    if (!isByPiece) return;
    setValue('step', null, options);
    if (!isWeightUnit(getValues('unit'))) setValue('unit', weightUnit, options);
  };
  return (
    <FormField
      form={form}
      name="soldBy"
      label={t('Sold by')}
      registerOptions={{ onChange: (event) => choose(event.target.value) }}
      hint={t(
        'By the piece fits a chicken or a pumpkin: the customer orders pieces, and pays what they weigh.',
      )}
    >
      {(field) => (
        <Select {...field} value={soldBy ?? 'unit'}>
          <option value="unit">{t('The unit')}</option>
          {((weightUnits.length > 0 && !isSized) || soldBy === 'piece_by_weight') && (
            <option value="piece_by_weight">{t('The piece, priced by weight')}</option>
          )}
        </Select>
      )}
    </FormField>
  );
}

const PIECE_WEIGHT_LIMITS = { decimals: 3, min: 0, max: PIECE_WEIGHT_MAX };

/** What cannot change while it is in use, in the place of a field. */
export const FixedField = ({ label, text }: { label: string; text: string }) => (
  <Field label={label}>
    <Input value={text} readOnly />
  </Field>
);

/** What one piece weighs, for the estimate that customers see and to notice a slip at the scale. */
export function PieceWeightFields({ form, unit }: { form: ProductFormOf; unit: Unit }) {
  return (
    <>
      <NumberField
        form={form}
        name="pieceWeight.average"
        label={t('A piece weighs about ({unit})', { unit })}
        required
        limits={PIECE_WEIGHT_LIMITS}
        step={0.1}
        hint={t('Customers see this estimate until you weigh their pieces.')}
      />
      <div className="grid grid-cols-2 items-start gap-x-3 sm:gap-x-5">
        <NumberField
          form={form}
          name="pieceWeight.min"
          label={t('Lightest piece')}
          isOptional
          limits={PIECE_WEIGHT_LIMITS}
          step={0.1}
        />
        <NumberField
          form={form}
          name="pieceWeight.max"
          label={t('Heaviest piece')}
          isOptional
          limits={PIECE_WEIGHT_LIMITS}
          step={0.1}
        />
      </div>
    </>
  );
}
