import { useSearch } from 'wouter';
import { type PriceParameter, parsePrice } from '#contract/catalogue/products/constants/prices';
import {
  ORDER_TYPES,
  type OrderType,
  PRODUCT_FILTERS,
  TOWN_MAX,
} from '#contract/catalogue/products/constants/products';
import type { ProductFilters, ProductSort } from '#contract/catalogue/products/product-search';
import { formatMoney } from '#contract/platform/money/constants';
import { formatCount, listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { formatPlainAmount } from '#contract/platform/text/constants/typed-numbers';
import { useSetSearchParams } from '../../../platform/hooks/use-search-param.ts';
import { allergenName, allergensIn } from '../declarations/allergens.ts';

/** A parameter of the address that holds a part of the choice, as text. */
export type FilterName = (typeof PRODUCT_FILTERS)[number];

/** What the address holds; an absent parameter is an empty text. */
export type FilterTexts = Readonly<Record<FilterName, string>>;

/** No search and no filter. */
export const NO_FILTERS = Object.fromEntries(
  PRODUCT_FILTERS.map((name) => [name, '']),
) as FilterTexts;

/** Reads the choice from the query of an address. */
export function readFilterTexts(query: string): FilterTexts {
  const params = new URLSearchParams(query);
  const texts = PRODUCT_FILTERS.map((name) => {
    // A form without scripts sends each allergen for itself.
    const text = params
      .getAll(name)
      .slice(0, name === 'without' ? undefined : 1)
      .join();
    // Ids have one spelling.
    return [name, name === 'category' || name === 'farmer' ? text.toLowerCase() : text];
  });
  return Object.fromEntries(texts);
}

/** Returns what is wrong with the prices, by field. */
export function priceErrors({
  minPrice,
  maxPrice,
}: Pick<FilterTexts, PriceParameter>): Partial<Record<PriceParameter, string>> {
  const wrong = (text: string) => text.trim() !== '' && parsePrice(text) === undefined;
  const message = t('Enter a price like {example}.', { example: formatPlainAmount(2.5) });
  const [min, max] = [parsePrice(minPrice), parsePrice(maxPrice)];
  if (min !== undefined && max !== undefined && min > max) {
    return { maxPrice: t("The highest price can't be below the lowest.") };
  }
  return {
    ...(wrong(minPrice) ? { minPrice: message } : {}),
    ...(wrong(maxPrice) ? { maxPrice: message } : {}),
  };
}

const isOrderType = (text: string): text is OrderType =>
  (ORDER_TYPES as readonly string[]).includes(text);

/** Returns the filters to request, without what is not set or cannot be. */
export function filtersOf(texts: FilterTexts): ProductFilters {
  const { category, farmer, orderType } = texts;
  const search = texts.search.trim();
  const town = texts.town.trim().slice(0, TOWN_MAX);
  const without = allergensIn(texts.without).join();
  const arePricesWrong = Object.keys(priceErrors(texts)).length > 0;
  const minPrice = arePricesWrong ? undefined : parsePrice(texts.minPrice);
  const maxPrice = arePricesWrong ? undefined : parsePrice(texts.maxPrice);
  return {
    ...(search && { search }),
    ...(category && { category }),
    ...(farmer && { farmer }),
    ...(texts.organic === 'true' && { organic: 'true' }),
    ...(texts.inStock === 'true' && { inStock: 'true' }),
    ...(isOrderType(orderType) && { orderType }),
    ...(town && { town }),
    ...(without && { without }),
    ...(minPrice !== undefined && { minPrice }),
    ...(maxPrice !== undefined && { maxPrice }),
  };
}

/** A filter that is set, and the parameters that set it. */
export type SetFilter = { label: string; names: readonly FilterName[] };

/** What orders of each type are called. */
export const ORDER_TYPE_LABELS: Record<OrderType, Message> = {
  pickup: msg('Pickup'),
  delivery: msg('Delivery'),
};

/** Returns the filters that are set, without the search, as they are shown. */
export function setFilters(
  filters: ProductFilters,
  names: { category: string | undefined; farm: string | undefined },
): SetFilter[] {
  const { category, farmer, organic, inStock, orderType, town, without, minPrice, maxPrice } =
    filters;
  const hasPrice = minPrice !== undefined || maxPrice !== undefined;
  const chosen: (SetFilter | false | '' | undefined)[] = [
    category && { label: names.category ?? t('One category'), names: ['category'] },
    farmer && { label: names.farm ?? t('One farm'), names: ['farmer'] },
    organic && { label: t('Organic'), names: ['organic'] },
    inStock && { label: t('In stock'), names: ['inStock'] },
    orderType && { label: writeMessage(ORDER_TYPE_LABELS[orderType]), names: ['orderType'] },
    town && { label: town, names: ['town'] },
    without && {
      label: t('Without {allergens}', {
        allergens: listOf(allergensIn(without).map(allergenName)),
      }),
      names: ['without'],
    },
    hasPrice && { label: priceRange(minPrice, maxPrice), names: ['minPrice', 'maxPrice'] },
  ];
  return chosen.filter((each) => typeof each === 'object');
}

function priceRange(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return t('Up to {price}', { price: formatMoney(max ?? 0) });
  if (max === undefined) return t('From {price}', { price: formatMoney(min) });
  return t('{from} to {to}', { from: formatMoney(min), to: formatMoney(max) });
}

/** Returns the sort that the address asks for; without one a search is sorted by the best match. */
export function chosenSort(text: string, isSearching: boolean): ProductSort {
  if (text === 'newest' || text === 'price-asc' || text === 'price-desc') return text;
  return isSearching ? 'relevance' : 'newest';
}

/** Formats a count: '12', or '1,000+' when there are more. */
export function formatFacet({ count, isExact }: { count: number; isExact: boolean }): string {
  return `${formatCount(count)}${isExact ? '' : '+'}`;
}

/**
 * Returns the choice that the address holds, and a function that changes parts of it, in place of the current history
 * entry. An empty text removes its parameter.
 */
export function useFilterTexts(): [FilterTexts, (change: Partial<FilterTexts>) => void] {
  const setParams = useSetSearchParams();
  const texts = readFilterTexts(useSearch());
  // The cursor belongs to the list before.
  return [texts, (next) => setParams({ ...next, cursor: '' })];
}

/** The change that removes all filters but the search. */
export const withoutFilters = (): Partial<FilterTexts> => {
  const { search: _, ...filters } = NO_FILTERS;
  return filters;
};
