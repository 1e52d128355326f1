import { X } from 'lucide-react';
import { useState } from 'react';
import type { Category } from '#contract/catalogue/categories/categories';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import {
  type PriceParameter,
  priceLimits,
  priceParameter,
  priceText,
  TYPED_PRICES,
} from '#contract/catalogue/products/constants/prices';
import { ORDER_TYPES, type OrderType } from '#contract/catalogue/products/constants/products';
import type { ProductFacets } from '#contract/catalogue/products/product-search';
import { sortByName } from '#contract/platform/text/constants/names';
import { isolate } from '#contract/platform/text/constants/reader';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { formatPlainAmount, readTyped } from '#contract/platform/text/constants/typed-numbers';
import { Checkbox, Options, Select } from '../../../platform/ui/fields/controls.tsx';
import { Field, Input } from '../../../platform/ui/fields/Field.tsx';
import { NumberQuestion } from '../../../platform/ui/fields/NumberInput.tsx';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { AllergenChoice } from '../declarations/AllergenChoice.tsx';
import { allergensIn } from '../declarations/allergens.ts';
import {
  type FilterName,
  type FilterTexts,
  formatFacet,
  ORDER_TYPE_LABELS,
  priceErrors,
  type SetFilter,
} from './filters.ts';

/** The longest text of a price: the highest one, with signs between its digits. */
const TEXT_MAX = 20;

/** The filters of the market, with what each choice would find. */
export function FilterPanel({
  form,
  texts,
  onChange,
  onClear,
  isAnySet,
  categories,
  facets,
}: {
  /** The id of the form that its fields belong to, which works without scripts. */
  form: string;
  texts: FilterTexts;
  onChange: (change: Partial<FilterTexts>) => void;
  onClear: () => void;
  /** Whether there is anything to clear. */
  isAnySet: boolean;
  categories: readonly Category[];
  /** Undefined until they are loaded. */
  facets: ProductFacets | undefined;
}) {
  const errors = priceErrors(texts);
  const toggle = (name: 'organic' | 'inStock') => (
    <Checkbox
      form={form}
      name={name}
      value="true"
      checked={texts[name] === 'true'}
      onChange={(event) => onChange({ [name]: event.target.checked ? 'true' : '' })}
      label={
        <Counted text={name === 'organic' ? t('Organic') : t('In stock')} facet={facets?.[name]} />
      }
    />
  );
  return (
    <div className="grid grid-cols-1 gap-4">
      {/* In pairs on a phone, so that the products are not far below. */}
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-4 lg:grid-cols-5">
        <Field label={t('Category')} className="max-lg:col-span-2">
          <Select
            form={form}
            name="category"
            value={texts.category}
            onChange={(event) => onChange({ category: event.target.value })}
          >
            <option value="">{t('All Categories')}</option>
            <Options
              of={sortByName(categories, nameOfCategory).map((each) => [
                each._id,
                nameOfCategory(each),
              ])}
            />
          </Select>
        </Field>
        <Field label={t('Farm')}>
          <Select
            form={form}
            name="farmer"
            value={texts.farmer}
            onChange={(event) => onChange({ farmer: event.target.value })}
          >
            <option value="">{t('All farms')}</option>
            <Options
              of={(facets?.farmers ?? []).map((farm) => [farm._id, withCount(farm.name, farm)])}
            />
          </Select>
        </Field>
        <Field label={t('Town')}>
          <Select
            form={form}
            name="town"
            value={texts.town}
            onChange={(event) => onChange({ town: event.target.value })}
          >
            <option value="">{t('All towns')}</option>
            <Options of={townsIn(facets, texts.town)} />
          </Select>
        </Field>
        {(['minPrice', 'maxPrice'] as const).map((name) => (
          <PriceLimit
            key={name}
            form={form}
            name={name}
            parameter={texts[name]}
            error={errors[name]}
            example={facets?.prices?.[name === 'minPrice' ? 'min' : 'max']}
            onChange={(parameter) => onChange({ [name]: parameter })}
          />
        ))}
      </div>
      <fieldset className="min-w-0">
        <legend className="text-sm font-medium">{t('Without')}</legend>
        <AllergenChoice
          form={form}
          name="without"
          chosen={allergensIn(texts.without)}
          onChange={(chosen) => onChange({ without: chosen.join() })}
        />
        <p className="text-sm text-ink-soft">
          {t('Products whose allergens nobody has stated are left out.')}
        </p>
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {toggle('inStock')}
        {toggle('organic')}
        <FilterBar<OrderType | ''>
          label={t('Pickup or delivery')}
          options={[
            { value: '', label: t('Any') },
            ...ORDER_TYPES.map((type) => ({
              value: type,
              label: (
                <Counted text={writeMessage(ORDER_TYPE_LABELS[type])} facet={facets?.[type]} />
              ),
            })),
          ]}
          value={ORDER_TYPES.find((type) => type === texts.orderType) ?? ''}
          onChange={(orderType) => onChange({ orderType })}
        />
        <noscript>
          <Button type="submit" form={form} name="filters" value="open">
            {t('Show products')}
          </Button>
        </noscript>
        {isAnySet && (
          <Button variant="quiet" onClick={onClear} className="needs-scripts max-sm:grow">
            {t('Clear filters')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The field of the lowest or the highest price: the address holds the number, the field what was typed. */
function PriceLimit({
  form,
  name,
  parameter,
  error,
  example,
  onChange,
}: {
  form: string;
  name: PriceParameter;
  parameter: string;
  error: string | undefined;
  example: number | undefined;
  onChange: (parameter: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const text = priceParameter(typed) === parameter ? typed : priceText(parameter);
  const { question } = readTyped(text, priceLimits());
  const onText = (next: string) => {
    setTyped(next);
    onChange(priceParameter(next));
  };
  return (
    <Field
      label={name === 'minPrice' ? t('Lowest price') : t('Highest price')}
      error={question ? undefined : error}
    >
      <Input
        form={form}
        name={TYPED_PRICES[name]}
        inputMode="decimal"
        autoComplete="off"
        maxLength={TEXT_MAX}
        {...(question && { 'aria-invalid': true })}
        value={text}
        placeholder={example === undefined ? undefined : formatPlainAmount(example)}
        onChange={(event) => onText(event.target.value)}
      />
      <NumberQuestion text={text} onText={onText} limits={priceLimits()} />
    </Field>
  );
}

/** The towns to choose from, with the one that is chosen, whatever its spelling in the address is. */
function townsIn(facets: ProductFacets | undefined, chosen: string): [string, string][] {
  const towns = (facets?.towns ?? []).map(({ name, ...facet }): [string, string] => [
    name,
    withCount(name, facet),
  ]);
  const isThere = chosen === '' || towns.some(([name]) => name === chosen);
  return isThere ? towns : [...towns, [chosen, chosen]];
}

/** A choice in a select with the number of what it would find. */
const withCount = (name: string, facet: Facet): string =>
  `${isolate(name)} (${formatFacet(facet)})`;

type Facet = { count: number; isExact: boolean };

/** A choice with the number of what it would find, once that is known. */
function Counted({ text, facet }: { text: string; facet: Facet | undefined }) {
  // In an element, not bare: see docs/adr/0025.
  if (!facet) return <>{text}</>;
  // The space separates the words for screen readers.
  return (
    <>
      {text} <span className="tabular text-xs opacity-85">{formatFacet(facet)}</span>
    </>
  );
}

/** The filters that are set; pressing one removes it. */
export function FilterChips({
  filters,
  onRemove,
}: {
  filters: readonly SetFilter[];
  onRemove: (names: readonly FilterName[]) => void;
}) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label={t('Chosen')} className="needs-scripts flex flex-wrap gap-2">
      {filters.map(({ label, names }) => (
        <li key={names.join()}>
          <button
            type="button"
            aria-label={t('Remove {name}', { name: label })}
            onClick={() => onRemove(names)}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-full bg-leaf-soft px-3.5 py-1 text-sm font-medium text-leaf-ink hover:bg-sunken pointer-coarse:min-h-11"
          >
            {label}
            <X className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}
