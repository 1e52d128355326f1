import { useInfiniteQuery } from '@tanstack/react-query';
import {
  CircleCheck,
  CirclePause,
  Eye,
  EyeOff,
  PackageMinus,
  Pencil,
  Plus,
  Trash2,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { isProductFound } from '../../catalogue/model/found.ts';
import { OfferPrice, OfferStock } from '../../catalogue/model/offer.tsx';
import { useDeleteProduct } from '../../catalogue/products/commands.ts';
import { categoryName, preview } from '../../catalogue/products/labels.ts';
import { ownProductsQuery } from '../../catalogue/products/queries.ts';
import { OffMarketNotice } from '../../farm/farmers/OffMarketNotice.tsx';
import { useFarmToday } from '../../farm/farmers/queries.ts';
import { ShortageRuns } from '../../ordering/changes/shortage/ShortageRuns.tsx';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { EmptyState, Fetched, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { useLoadAll } from '../../platform/ui/lists/LoadMore.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Badge, Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { NextPage } from '../NextPage.tsx';

// Loaded when it is opened, because it checks what is typed with the schemas.
const ProductFiles = lazyWithRetry(() => import('../../catalogue/imports/ProductFiles.tsx'));
const StockView = lazyWithRetry(() => import('../../catalogue/products/stock/StockView.tsx'));
const ShortageDialog = lazyWithRetry(
  () => import('../../ordering/changes/shortage/ShortageDialog.tsx'),
);

const VIEWS = [
  { value: 'list', label: msg('List') },
  { value: 'stock', label: msg('Stock') },
] as const;

/** A farmer's own products, active or not, to view, edit and delete, or as a list of their stock. */
export default function FarmerProductsPage() {
  const { user } = useAuth();
  const [, navigate] = useLocation();
  const [search, setSearch] = useSearchParam('search');
  const mayChange = mayForFarm(user, 'changeProducts');
  const [chosenView, setView] = useSearchParamChoice('view', ['list', 'stock'], 'list');
  const view = mayChange ? chosenView : 'list';
  const [toDelete, setToDelete] = useState<Product | null>(null);
  const remove = useDeleteProduct();
  const [shortOf, setShortOf] = useState<Product | null>(null);
  const onShort = mayForFarm(user, 'answerOrders') ? setShortOf : undefined;
  const query = useInfiniteQuery(ownProductsQuery(farmIdOf(user) ?? ''));
  const { data } = query;
  const farmToday = useFarmToday();
  const words = search.trim();
  // The search runs on the loaded products, so all pages must be loaded.
  const isIncomplete = useLoadAll(query, words !== '' || view === 'stock');
  const all = itemsOf(data);
  const products = all.filter((product) => isProductFound(product, words, codesOf(product)));
  const isEmpty = data !== undefined && all.length === 0;

  return (
    <div className="wrap py-8">
      <PageHeader title={t('My products')}>
        {!isEmpty && (
          <SearchInput
            label={t('Search by name')}
            value={search}
            onChange={setSearch}
            className="w-full sm:w-64"
          />
        )}
        <Suspense fallback={null}>
          <ProductFiles
            mayChange={mayChange}
            onUploaded={(id) => navigate(`/farmer/products/import/${id}`)}
          />
        </Suspense>
        {mayChange && (
          <LinkButton href="/farmer/products/add" icon={<Plus />}>
            {t('Add product')}
          </LinkButton>
        )}
      </PageHeader>
      <OffMarketNotice />
      <ShortageRuns farmToday={farmToday} />
      {!isEmpty && mayChange && (
        <FilterBar
          label={t('noun|View')}
          options={VIEWS.map(({ value, label }) => ({ value, label: writeMessage(label) }))}
          value={view}
          onChange={setView}
          className="mb-4"
        />
      )}
      <Fetched query={query} skeleton={<SkeletonRows rows={6} />}>
        {() =>
          isEmpty ? (
            <EmptyState
              drawing="field"
              title={t('No Products Found')}
              text={
                mayChange
                  ? t('Your stall is empty so far. Put the first product on it.')
                  : t('The stall is empty so far.')
              }
            />
          ) : products.length === 0 && !isIncomplete ? (
            <EmptyState
              drawing="search"
              title={t('No Products Found')}
              text={t('No product matches "{words}".', { words: search.trim() })}
            >
              <Button variant="secondary" onClick={() => setSearch('')}>
                {t('Show all products')}
              </Button>
            </EmptyState>
          ) : (
            <>
              {view === 'stock' ? (
                <Suspense fallback={<SkeletonRows rows={6} />}>
                  <StockView products={products} onShort={onShort} />
                </Suspense>
              ) : (
                <Table
                  caption={t('My products')}
                  columns={columns(mayChange ? setToDelete : undefined, onShort)}
                  rows={products}
                  rowKey={(product) => product._id}
                  rowVersion={(product) => product.version}
                />
              )}
              <NextPage query={query} />
            </>
          )
        }
      </Fetched>
      {shortOf && (
        <Suspense fallback={null}>
          <ShortageDialog
            product={shortOf}
            farmToday={farmToday}
            onClose={() => setShortOf(null)}
          />
        </Suspense>
      )}
      <ConfirmDialog
        open={toDelete !== null}
        onOpenChange={() => setToDelete(null)}
        title={toDelete ? t('Delete {name}?', { name: toDelete.name }) : ''}
        description={t('This action cannot be undone.')}
        confirmLabel={t('Delete')}
        danger
        pending={remove.isPending}
        onConfirm={() =>
          toDelete && remove.mutate(toDelete, { onSettled: () => setToDelete(null) })
        }
      />
    </div>
  );
}

/** By what else a farm finds a product: its sizes, and the SKUs of both. */
const codesOf = ({ sku = '', sizes = [] }: Product): string[] => [
  sku,
  ...sizes.flatMap((size) => [size.label, size.sku ?? '']),
];

const columns = (
  /** Undefined for those who may not change products. */
  onDelete: ((product: Product) => void) | undefined,
  /** Undefined for those who may not answer orders. */
  onShort: ((product: Product) => void) | undefined,
): Column<Product>[] => [
  {
    key: 'name',
    header: t('Product'),
    primary: true,
    cell: (product) => (
      <span className="flex items-center gap-3">
        <Picture
          src={product.images[0]}
          alt=""
          ground={product.category?.name}
          sizes="3rem"
          className="size-12 shrink-0 rounded-sm @max-3xl:rows:size-10"
        />
        <span className="grid min-w-0">
          <bdi>{product.name}</bdi>
          {/* Beside the rail of a tablet there is little room for it. */}
          <span className="text-sm font-normal text-ink-soft @max-3xl:rows:line-clamp-2">
            {preview(product.description)}
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'price',
    header: t('Price'),
    align: 'end',
    cell: (product) => <OfferPrice product={product} />,
  },
  {
    key: 'quantity',
    header: t('Quantity'),
    align: 'end',
    cell: (product) => <OfferStock product={product} />,
  },
  { key: 'category', header: t('Category'), cell: categoryName },
  {
    key: 'status',
    header: t('Status'),
    cell: (product) =>
      product.hiddenReason !== undefined ? (
        <span className="grid justify-items-end gap-1 rows:justify-items-start">
          <Badge tone="tomato" icon={<EyeOff />}>
            {t('Hidden by an admin')}
          </Badge>
          <span className="max-w-48 text-xs text-ink-soft wrap-anywhere">
            {product.hiddenReason}
          </span>
        </span>
      ) : product.isActive ? (
        <Badge tone="leaf" icon={<CircleCheck />} className="@max-3xl:rows:[&>svg]:hidden">
          {t('Active')}
        </Badge>
      ) : (
        <Badge icon={<CirclePause />}>{t('Inactive')}</Badge>
      ),
  },
  {
    key: 'actions',
    header: <span className="sr-only">{t('Actions')}</span>,
    actions: true,
    className: 'rows:whitespace-nowrap',
    cell: (product) => (
      <>
        <LinkButton
          href={`/products/${product._id}`}
          variant="quiet"
          size="icon"
          aria-label={t('View {name}', { name: product.name })}
          icon={<Eye />}
        />
        {onDelete && (
          <LinkButton
            href={`/farmer/products/edit/${product._id}`}
            variant="quiet"
            size="icon"
            aria-label={t('Edit {name}', { name: product.name })}
            icon={<Pencil />}
          />
        )}
        {onShort && (
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('Short of {name}', { name: product.name })}
            icon={<PackageMinus />}
            onClick={() => onShort(product)}
          />
        )}
        {onDelete && (
          <Button
            variant="danger-quiet"
            size="icon"
            aria-label={t('Delete {name}', { name: product.name })}
            icon={<Trash2 />}
            onClick={() => onDelete(product)}
          />
        )}
      </>
    ),
  },
];
