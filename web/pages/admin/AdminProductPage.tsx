import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { HidingCard } from '../../admin/admin/HidingCard.tsx';
import { KeptPictures } from '../../admin/admin/health/KeptPictures.tsx';
import { adminOrderHref, adminUserHref } from '../../admin/admin/links.ts';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { FormSkeleton } from '../../catalogue/products/form/FormSkeleton.tsx';
import { ProductForm } from '../../catalogue/products/form/ProductForm.tsx';
import { toInput } from '../../catalogue/products/form/product-form.ts';
import { useFixedUnit } from '../../catalogue/products/form/UseNote.tsx';
import { useSaveProduct } from '../../catalogue/products/form/use-save-product.ts';
import { productQuery } from '../../catalogue/products/queries.ts';
import { useTitle } from '../../platform/hooks/use-title.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';

/** The page where admins edit a product and hide it from the market. */
export default function AdminProductPage() {
  const { id = '' } = useParams<{ id: string }>();
  const categories = useQuery(categoriesQuery());
  // The form needs current data, not the cached one.
  const query = useQuery({ ...productQuery(id), refetchOnMount: 'always' });
  const { data: product, error } = query;
  useWatchProducts([id]);
  useTitle(product && `Edit ${product.name}`);
  return (
    <AdminFrame title={product?.name ?? 'Product'}>
      {product && categories.data && query.isFetchedAfterMount ? (
        <div className="grid max-w-4xl gap-4">
          <p className="text-sm text-ink-soft">
            Sold by{' '}
            <Link href={adminUserHref(product.farmer)} className="link">
              {farmNameOf(product.farmer)}
            </Link>
          </p>
          <HidingCard product={product} />
          <EditForm key={id} product={product} categories={categories.data} />
        </div>
      ) : error || categories.error ? (
        <ErrorState
          error={error ?? categories.error}
          onRetry={() => Promise.all([query.refetch(), categories.refetch()])}
          pending={query.isFetching || categories.isFetching}
        />
      ) : (
        <FormSkeleton />
      )}
    </AdminFrame>
  );
}

function EditForm({ product, categories }: { product: Product; categories: readonly Category[] }) {
  const [opened, setOpened] = useState(() => toInput(product));
  const save = useSaveProduct(product);
  const fixed = useFixedUnit(product, { orderHref: (_id) => adminOrderHref({ _id }) });
  return (
    <ProductForm
      {...fixed}
      product={opened}
      isHidden={product.hiddenReason !== undefined}
      inStock={product.quantityAvailable}
      categories={categories}
      pictures={(field) => <KeptPictures {...field} />}
      submitLabel="Save changes"
      cancelHref={adminUserHref(product.farmer)}
      staysOpen
      onSubmit={async (input, show) => {
        const saved = toInput(await save(input));
        setOpened(saved);
        show(saved);
      }}
    />
  );
}
