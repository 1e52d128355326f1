import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import type { Product } from '#contract/catalogue/products/product';
import { t } from '#contract/platform/text/constants/texts';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { FormSkeleton } from '../../catalogue/products/form/ProductForm.tsx';
import { productQuery } from '../../catalogue/products/queries.ts';
import { useTitle } from '../../platform/format/market.ts';
import { useCurrent } from '../../platform/queries/use-current.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';

/** Returns the product of the page's address as it is now, live. */
export function useEditedProduct() {
  const { id = '' } = useParams<{ id: string }>();
  const query = useCurrent(productQuery(id));
  useWatchProducts([id]);
  useTitle(query.data && t('Edit {name}', { name: query.data.name }));
  return { id, query };
}

/** The form of a product, once that and the categories are there. */
export function EditedProduct({
  query,
  children,
}: {
  query: UseQueryResult<Product>;
  children: (product: Product, categories: readonly Category[]) => ReactNode;
}) {
  const categories = useQuery(categoriesQuery());
  const error = categories.error ?? (query.data ? null : query.error);
  if (query.data && categories.data) return children(query.data, categories.data);
  if (!error) return <FormSkeleton />;
  return (
    <ErrorState
      error={error}
      onRetry={() => Promise.all([query.refetch(), categories.refetch()])}
      pending={query.isFetching || categories.isFetching}
    />
  );
}
