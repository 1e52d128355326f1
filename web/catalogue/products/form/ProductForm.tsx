import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useController, useWatch } from 'react-hook-form';
import type { Category } from '#contract/catalogue/categories/categories';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import { priceLimits } from '#contract/catalogue/products/constants/prices';
import { IMAGES_MAX } from '#contract/catalogue/products/constants/products';
import { theMarket } from '#contract/platform/market/constants';
import { smallestAmount } from '#contract/platform/money/constants';
import { perUnit } from '#contract/platform/quantities/constants/quantities';
import { quantityLimits } from '#contract/platform/quantities/constants/step-fields';
import { isWeightUnit, STEP_MAX } from '#contract/platform/quantities/constants/units';
import { sortByName } from '#contract/platform/text/constants/names';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { LeaveGuard } from '../../../platform/ui/dialogs/LeaveGuard.tsx';
import { Loading, Skeleton } from '../../../platform/ui/feedback/states.tsx';
import { Checkbox, Options, Select, Textarea } from '../../../platform/ui/fields/controls.tsx';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberField } from '../../../platform/ui/form/fields.tsx';
import { Form, FormError, FormField, useZodForm } from '../../../platform/ui/form/form.tsx';
import { Button, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Card } from '../../../platform/ui/primitives/sections.tsx';
import { DeclarationFields } from './DeclarationFields.tsx';
import { NetField, StockFields, WordsField } from './GoodsFields.tsx';
import {
  atItsField,
  emptyProduct,
  type LastProduct,
  offeredUnits,
  type ProductInput,
  productInput,
  shownFields,
} from './product-form.ts';
import { SizesField } from './SizesField.tsx';
import { FixedField, PieceWeightFields, SoldByField } from './SoldByFields.tsx';

/** Renders the picture upload; passed by the page because uploads are another feature. */
type PicturesField = (field: {
  urls: readonly string[];
  onChange: (change: (urls: readonly string[]) => readonly string[]) => void;
  onUploading: (isUploading: boolean) => void;
  max: number;
  error: string | undefined;
}) => ReactNode;

/** What stays as it is while open orders need it. */
const FIXED_IN_USE = ['unit', 'soldBy', 'pieceWeight', 'step'] as const;

const DATES = [
  { name: 'harvestDate', label: msg('Harvest date') },
  { name: 'availableUntil', label: msg('Available until') },
] as const;

/** The form of a new or existing product. Asks before unsaved changes are left. */
export function ProductForm({
  product,
  last,
  inStock,
  categories,
  pictures,
  submitLabel,
  draftKey,
  cancelHref = '/farmer/products',
  isHidden = false,
  note,
  isInUse = false,
  staysOpen = false,
  anotherLabel,
  onSubmit,
}: {
  /** The product to edit; undefined for a new one. */
  product?: ProductInput;
  /** What a new one begins with. */
  last?: LastProduct | undefined;
  /** The live stock of a product that has one. */
  inStock?: number | undefined;
  categories: readonly Category[];
  pictures: PicturesField;
  submitLabel: string;
  draftKey: string;
  /** Where Cancel leads. */
  cancelHref?: string;
  /** An admin has hidden the product, so that it cannot be active. */
  isHidden?: boolean;
  /** Stands above the fields. */
  note?: ReactNode;
  /** Whether open orders or stock set aside keep its unit and way of sale as they are. */
  isInUse?: boolean;
  /** Whether the page stays once it is saved; otherwise it is left, and nothing is asked then. */
  staysOpen?: boolean;
  /** The label of a button that saves, and begins another new product. */
  anotherLabel?: string;
  /** @param isAnother whether the form goes on with another product */
  onSubmit: (
    input: ProductInput,
    show: (saved: ProductInput) => void,
    isAnother: boolean,
  ) => Promise<unknown>;
}) {
  const step = product?.step ?? null;
  const soldBefore = product?.soldBy;
  const sizesBefore = product?.sizes;
  const schema = useMemo(
    () =>
      productInput({ quantityAvailable: inStock, step, sizes: sizesBefore, soldBy: soldBefore }),
    [inStock, step, sizesBefore, soldBefore],
  );
  const form = useZodForm(schema, { defaultValues: product ?? emptyProduct(last) });
  const isAnother = useRef(false);
  // Counted, since the fields are there again only after the next render.
  const [added, setAdded] = useState(0);
  const { control, formState, getValues, resetField, setFocus, setValue } = form;
  const { field: images } = useController({ control, name: 'images' });
  const [isUploading, setUploading] = useState(false);
  const { isDirty, isSubmitSuccessful, isSubmitting, errors } = formState;
  const soldBy = useWatch({ control, name: 'soldBy' });
  const isByPiece = soldBy === 'piece_by_weight';
  const unit = useWatch({ control, name: 'unit' });
  const availability = useWatch({ control, name: 'availability' });
  const sizes = useWatch({ control, name: 'sizes' });
  const isSized = Boolean(sizes?.length);
  const shown = shownFields({ sizes, availability, soldBy, unit });
  const stocked = {
    step: useWatch({ control, name: 'step' }),
    quantityAvailable: inStock ?? product?.quantityAvailable,
  };
  const units = offeredUnits(product?.unit ?? emptyProduct(last).unit).filter(
    (each) => !isByPiece || isWeightUnit(each),
  );
  const isQuantityTouched = formState.dirtyFields.quantityAvailable ?? false;

  useEffect(() => {
    if (added > 0) setFocus('name');
  }, [added, setFocus]);

  // Follows the live stock unless the user has edited the field.
  useEffect(() => {
    if (inStock === undefined || isQuantityTouched) return;
    resetField('quantityAvailable', { defaultValue: inStock });
  }, [inStock, isQuantityTouched, resetField]);

  // Orders may have come since the form was opened: then the unit and the way of sale cannot change.
  useEffect(() => {
    if (!isInUse) return;
    for (const name of FIXED_IN_USE) {
      if (name === 'unit' || isByPiece !== (soldBefore === 'piece_by_weight')) resetField(name);
    }
  }, [isInUse, isByPiece, soldBefore, resetField]);

  const changeImages = useCallback(
    (change: (urls: readonly string[]) => readonly string[]) => {
      const urls = [...change(getValues('images') ?? [])];
      setValue('images', urls, { shouldDirty: true, shouldValidate: true });
    },
    [setValue, getValues],
  );
  const imagesProblem =
    errors.images?.message ??
    (Array.isArray(errors.images) ? errors.images.find(Boolean)?.message : undefined);

  return (
    <Form
      form={form}
      onSubmit={async (input, show) => {
        const goesOn = isAnother.current;
        const result = await onSubmit(input, show, goesOn).catch((error: unknown) => {
          throw atItsField(error, input, product);
        });
        if (goesOn) {
          show(emptyProduct(input) as unknown as ProductInput);
          setAdded((count) => count + 1);
        }
        return result;
      }}
      label={submitLabel}
      draftKey={draftKey}
      draftWithout={isInUse ? FIXED_IN_USE : undefined}
      className="grid gap-6"
    >
      {note}
      <Card>
        {pictures({
          urls: images.value ?? [],
          onChange: changeImages,
          onUploading: setUploading,
          max: IMAGES_MAX,
          error: imagesProblem,
        })}
      </Card>
      <Card className="grid gap-5">
        <FormField form={form} name="name" label={t('Product name')} required>
          {(field) => <Input {...field} autoComplete="off" />}
        </FormField>
        <FormField form={form} name="description" label={t('Description')} required>
          {(field) => <Textarea {...field} rows={5} />}
        </FormField>
        <div className="grid gap-5 sm:grid-cols-2">
          <FormField form={form} name="category" label={t('Category')} required>
            {(field) => (
              <Select {...field}>
                <option value="">{t('Choose a category')}</option>
                <Options
                  of={sortByName(categories, nameOfCategory).map((each) => [
                    each._id,
                    nameOfCategory(each),
                  ])}
                />
              </Select>
            )}
          </FormField>
          <StockFields
            form={form}
            inStock={inStock}
            isByPiece={isByPiece}
            isSized={isSized}
            step={step}
          />
          {shown.price && (
            <NumberField
              form={form}
              name="price"
              label={t('Price ({sign})', { sign: theMarket().currency.sign })}
              required
              limits={priceLimits()}
              step={smallestAmount()}
            />
          )}
          {isInUse ? (
            <>
              <FixedField label={t('Unit')} text={perUnit(unit)} />
              <FixedField
                label={t('Sold by')}
                text={isByPiece ? t('The piece, priced by weight') : t('The unit')}
              />
            </>
          ) : (
            <>
              <FormField
                form={form}
                name="unit"
                label={t('Unit')}
                required
                hint={isSized ? t('In which the stock is counted.') : undefined}
              >
                {(field) => (
                  // Controlled, since the choices change with how it is sold.
                  <Select {...field} value={unit}>
                    <Options of={units.map((each) => [each, perUnit(each)])} />
                  </Select>
                )}
              </FormField>
              {(!isSized || isByPiece) && <SoldByField form={form} isSized={isSized} />}
            </>
          )}
          {shown.unitLabel && <WordsField form={form} />}
          {shown.net && <NetField form={form} />}
          {isByPiece && <PieceWeightFields form={form} unit={unit} />}
          {shown.step && (
            <NumberField
              form={form}
              name="step"
              label={t('Sold in steps of')}
              isOptional
              limits={{ decimals: 3, min: 0, max: STEP_MAX }}
              hint={t(
                '{half} sells halves, {tenth} tenths. Leave it empty to sell whole numbers only.',
                { half: writeTyped(0.5), tenth: writeTyped(0.1) },
              )}
            />
          )}
          {shown.minimum && (
            <NumberField
              form={form}
              name="minimum"
              label={t('Smallest order')}
              isOptional
              limits={quantityLimits(stocked)}
              hint={
                isByPiece
                  ? t('The fewest pieces that a customer can order. Leave it empty for one.')
                  : t('The least that a customer can order. Leave it empty for one step.')
              }
            />
          )}
          <FormField
            form={form}
            name="sku"
            label={t('SKU')}
            hint={t('Your own number of it, if you have one.')}
          >
            {(field) => <Input {...field} autoComplete="off" autoCapitalize="none" />}
          </FormField>
          {DATES.map(({ name, label }) => (
            <FormField
              key={name}
              form={form}
              name={name}
              label={writeMessage(label)}
              registerOptions={{ setValueAs: (value: string | null) => value || null }}
            >
              {(field) => <Input type="date" {...field} />}
            </FormField>
          ))}
        </div>
        <SizesField form={form} isByPiece={isByPiece} />
        <div className="grid justify-items-start">
          <Checkbox label={t('Organic')} {...form.register('isOrganic')} />
          {isHidden ? (
            <p className="py-1.5 text-sm text-ink-soft">
              {t('Inactive, because an admin has hidden it from the market.')}
            </p>
          ) : (
            <Checkbox
              label={t('Active')}
              hint={t('Customers see it on the market.')}
              {...form.register('isActive')}
            />
          )}
        </div>
      </Card>
      <Card>
        <DeclarationFields form={form} />
      </Card>
      <FormError form={form} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          size="lg"
          pending={isSubmitting || isUploading}
          onClick={() => {
            isAnother.current = false;
          }}
          pendingLabel={isUploading ? t('Uploading pictures...') : t('Saving...')}
        >
          {submitLabel}
        </Button>
        {anotherLabel && (
          <Button
            type="submit"
            variant="secondary"
            size="lg"
            disabled={isSubmitting || isUploading}
            onClick={() => {
              isAnother.current = true;
            }}
          >
            {anotherLabel}
          </Button>
        )}
        <LinkButton href={cancelHref} variant="secondary" size="lg">
          {t('Cancel')}
        </LinkButton>
      </div>
      <LeaveGuard when={(isDirty || isUploading) && (staysOpen || !isSubmitSuccessful)} />
    </Form>
  );
}

/** A placeholder for the product form. */
export function FormSkeleton() {
  return (
    <Loading className="grid gap-5 rounded border border-hairline bg-surface p-5">
      <Skeleton className="h-10 rounded" />
      <Skeleton className="h-32 rounded" />
      <div className="grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-10 rounded" />
        <Skeleton className="h-10 rounded" />
        <Skeleton className="h-10 rounded" />
        <Skeleton className="h-10 rounded" />
      </div>
    </Loading>
  );
}
