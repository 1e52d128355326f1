import { ArrowDown, ArrowUp, Plus, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { get, useFieldArray, useWatch } from 'react-hook-form';
import { priceLimits } from '#contract/catalogue/products/constants/prices';
import { theMarket } from '#contract/platform/market/constants';
import { smallestAmount } from '#contract/platform/money/constants';
import { unitWord } from '#contract/platform/quantities/constants/quantities';
import { SIZES_MAX } from '#contract/platform/quantities/constants/sizes';
import { type CountedUnit, QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import { announce } from '../../../platform/ui/feedback/announce.ts';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../../platform/ui/form/fields.tsx';
import { FormField } from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { labelOf, newSize, type ProductFormOf, type SizeInput, unitOf } from './product-form.ts';

/** Chooses whether a product is sold in sizes from one stock; then their list, which is the whole of its prices. */
export function SizesField({ form, isByPiece }: { form: ProductFormOf; isByPiece: boolean }) {
  const { control, getValues, setValue } = form;
  const isSized = useWatch({ control, name: 'sizes' }) !== null;
  // What was entered is there again when somebody only looked at the product without sizes.
  const [before, setBefore] = useState<SizeInput[]>();
  const choose = (isOn: boolean) => {
    const { price, sizes } = getValues();
    if (!isOn) setBefore(sizes ?? undefined);
    const first = () => [newSize(unitOf(getValues()), price)];
    setValue('sizes', isOn ? (before ?? first()) : null, { shouldDirty: true });
  };
  return (
    <div className="grid gap-3">
      <Checkbox
        label={t('Sold in sizes')}
        hint={
          isByPiece
            ? t('What is sold by the piece and priced by weight has no sizes.')
            : t(
                'Several packages from one stock, such as bags of 1, 2 and 5 kg, each at its price.',
              )
        }
        checked={isSized}
        disabled={isByPiece && !isSized}
        onChange={({ target }) => choose(target.checked)}
        className="justify-self-start"
      />
      {isSized && <SizeList form={form} />}
    </div>
  );
}

/** The sizes, in the order in which customers see them. */
function SizeList({ form }: { form: ProductFormOf }) {
  const { control, getValues, formState } = form;
  const { fields, append, insert, move, remove } = useFieldArray({ control, name: 'sizes' });
  const [removed, setRemoved] = useState<{ at: number; size: SizeInput }>();
  const sizes = useWatch({ control, name: 'sizes' }) ?? [];
  const unit = useWatch({ control, name: 'unit' });
  const counted = unitOf({ unit, unitLabel: useWatch({ control, name: 'unitLabel' }) });
  const nameOf = (at: number) => sizes[at]?.label || t('Size {place}', { place: at + 1 });
  const moveTo = (at: number, to: number) => {
    if (to < 0 || to >= fields.length) return;
    const [name, place, count] = [nameOf(at), to + 1, fields.length];
    move(at, to);
    setRemoved(undefined);
    announce(t('{name} moved to place {place} of {count}', { name, place, count }));
  };
  const undo = removed && (
    <li key="removed" className="flex flex-wrap items-center gap-x-3 bg-sunken px-3 py-1.5 text-sm">
      <span role="status">
        {t('{name} was removed.', { name: removed.size.label || t('Size') })}
      </span>
      <Button
        size="sm"
        variant="quiet"
        icon={<Undo2 />}
        autoFocus
        onClick={() => {
          insert(removed.at, removed.size, { focusName: `sizes.${removed.at}.label` });
          setRemoved(undefined);
        }}
      >
        {t('Undo')}
      </Button>
    </li>
  );
  const errors = formState.errors.sizes;
  const problem = errors?.root?.message ?? errors?.message;
  return (
    <div className="grid gap-3">
      {problem && (
        <p role="alert" className="text-sm text-tomato">
          {problem}
        </p>
      )}
      <ol
        aria-label={t('Sizes')}
        className="divide-y divide-hairline overflow-hidden rounded border border-hairline empty:hidden"
      >
        {fields.flatMap((field, at) => [
          removed?.at === at && undo,
          <li key={field.id}>
            <SizeRow
              form={form}
              at={at}
              name={nameOf(at)}
              unit={counted}
              isFirst={at === 0}
              isLast={at === fields.length - 1}
              onMove={(to) => moveTo(at, to)}
              onRemove={() => {
                const size = getValues(`sizes.${at}`);
                remove(at);
                if (size) setRemoved({ at, size });
              }}
            />
          </li>,
        ])}
        {removed && removed.at >= fields.length && undo}
      </ol>
      {fields.length < SIZES_MAX ? (
        <Button
          variant="secondary"
          icon={<Plus />}
          className="justify-self-start"
          onClick={() => {
            setRemoved(undefined);
            append(newSize(), { focusName: `sizes.${fields.length}.content` });
          }}
        >
          {t('Add a size')}
        </Button>
      ) : (
        <p className="text-sm text-ink-soft">
          {t('A product has at most {most, plural, one {# size} other {# sizes}}.', {
            most: SIZES_MAX,
          })}
        </p>
      )}
    </div>
  );
}

function SizeRow({
  form,
  at,
  name,
  unit,
  isFirst,
  isLast,
  onMove,
  onRemove,
}: {
  form: ProductFormOf;
  at: number;
  name: string;
  unit: CountedUnit;
  isFirst: boolean;
  isLast: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
}) {
  const { formState, getValues, setValue, register } = form;
  const gone: { message?: string } | undefined = get(formState.errors, `sizes.${at}._id`);
  /** A size that has no name yet gets that of what is in it. */
  const nameIt = () => {
    const size = getValues(`sizes.${at}`);
    if (size?.label.trim() !== '') return;
    setValue(`sizes.${at}.label`, labelOf(size.content, unit), { shouldDirty: true });
  };
  return (
    <fieldset
      className="grid min-w-0 gap-3 p-3"
      onBlur={({ target }) => target.getAttribute('name') === `sizes.${at}.content` && nameIt()}
    >
      <legend className="sr-only">{name}</legend>
      <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-[1fr_2fr_1fr]">
        <NumberField
          form={form}
          name={`sizes.${at}.content`}
          label={
            unit === 'each'
              ? t('How many are in it')
              : t('Contains ({unit})', { unit: unitWord(unit, 2) })
          }
          required
          limits={{ decimals: 3, min: 0, max: QUANTITY_MAX }}
        />
        <FormField form={form} name={`sizes.${at}.label`} label={t('Name of the size')} required>
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <NumberField
          form={form}
          name={`sizes.${at}.price`}
          label={t('Price ({sign})', { sign: theMarket().currency.sign })}
          required
          limits={priceLimits()}
          step={smallestAmount()}
        />
        <NumberField
          form={form}
          name={`sizes.${at}.minimum`}
          label={t('Smallest order')}
          isOptional
          limits={{ decimals: 0, min: 0, max: QUANTITY_MAX }}
          placeholder="1"
        />
        <FormField
          form={form}
          name={`sizes.${at}.sku`}
          label={t('SKU')}
          className="max-md:col-span-2"
        >
          {(field) => <Input {...field} autoComplete="off" autoCapitalize="none" />}
        </FormField>
      </div>
      {gone?.message && (
        <p role="alert" className="text-sm text-tomato">
          {gone.message}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-1">
        <Checkbox label={t('On sale')} {...register(`sizes.${at}.isActive`)} className="me-auto" />
        <Button
          size="icon"
          variant="quiet"
          icon={<ArrowUp />}
          aria-label={t('Move {name} up', { name })}
          // Not disabled, since the focus stays on it when the size has come to the end.
          aria-disabled={isFirst || undefined}
          onClick={() => onMove(at - 1)}
        />
        <Button
          size="icon"
          variant="quiet"
          icon={<ArrowDown />}
          aria-label={t('Move {name} down', { name })}
          aria-disabled={isLast || undefined}
          onClick={() => onMove(at + 1)}
        />
        <Button
          size="icon"
          variant="danger-quiet"
          icon={<Trash2 />}
          aria-label={t('Remove {name}', { name })}
          onClick={onRemove}
        />
      </div>
    </fieldset>
  );
}
