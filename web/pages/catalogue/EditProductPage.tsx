import { useQuery } from '@tanstack/react-query';
import { Copy, PackageMinus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import type { Product } from '#contract/catalogue/products/product';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { FormSkeleton, ProductForm } from '../../catalogue/products/form/ProductForm.tsx';
import { toInput, useSaveProduct } from '../../catalogue/products/form/product-form.ts';
import { useFixedUnit } from '../../catalogue/products/form/UseNote.tsx';
import { productQuery } from '../../catalogue/products/queries.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { useTitle } from '../../platform/hooks/use-title.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { farmIdOf, mayForFarm } from '../../platform/session/farm-work.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { EmptyState } from '../../platform/ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.ts';
import { BackLink } from '../../platform/ui/primitives/BackLink.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/PageHeader.tsx';
import { ImageUpload } from '../../platform/uploads/ImageUpload.tsx';

const ShortageDialog = lazyWithRetry(
  () => import('../../ordering/changes/shortage/ShortageDialog.tsx'),
);

/** The page to edit one of the farmer's own products. */
export default function EditProductPage() {
  const { id = '' } = useParams<{ id: string }>();
  const { user } = useAuth();
  const categories = useQuery(categoriesQuery());
  // The form needs current data, not the cached one.
  const query = useQuery({ ...productQuery(id), refetchOnMount: 'always' });
  const { data: product, error } = query;
  useWatchProducts([id]);
  useTitle(product && `Edit ${product.name}`);

  const isUnknown =
    (error instanceof ApiError && error.status === 404) ||
    (product !== undefined && product.farmer._id !== farmIdOf(user));
  const [isShort, setShort] = useState(false);
  const problem = categories.error ?? (product ? null : error);
  return (
    <div className="wrap max-w-4xl py-6 sm:py-8">
      <BackLink href="/farmer/products">Back to my products</BackLink>
      {isUnknown ? (
        <EmptyState drawing="search" title="Product not found" level={1}>
          <LinkButton href="/farmer/products">My products</LinkButton>
        </EmptyState>
      ) : (
        <>
          <PageHeader title="Edit product" text={product?.name}>
            <LinkButton
              href={`/farmer/products/add?from=${id}`}
              variant="secondary"
              icon={<Copy />}
            >
              Duplicate
            </LinkButton>
            {product && mayForFarm(user, 'answerOrders') && (
              <Button variant="secondary" icon={<PackageMinus />} onClick={() => setShort(true)}>
                Short of it<span className="sr-only">: {product.name}</span>
              </Button>
            )}
          </PageHeader>
          {product && categories.data && query.isFetchedAfterMount ? (
            <EditForm product={product} categories={categories.data} />
          ) : problem ? (
            <ErrorState
              error={problem}
              onRetry={() => Promise.all([query.refetch(), categories.refetch()])}
              pending={query.isFetching || categories.isFetching}
            />
          ) : (
            <FormSkeleton />
          )}
          {isShort && product && (
            <Suspense fallback={null}>
              <ShortageDialog product={product} onClose={() => setShort(false)} />
            </Suspense>
          )}
        </>
      )}
    </div>
  );
}

function EditForm({ product, categories }: { product: Product; categories: readonly Category[] }) {
  const [, navigate] = useLocation();
  const [opened] = useState(() => toInput(product));
  const save = useSaveProduct(product);
  const fixed = useFixedUnit(product, {
    orderHref: (id) => `/orders/${id}`,
    copyHref: `/farmer/products/add?from=${product._id}`,
  });
  return (
    <>
      {product.hiddenReason !== undefined && (
        <Alert kind="warning" className="mb-6">
          <p className="font-medium">An admin has hidden this product from the market.</p>
          <p className="wrap-anywhere">Reason: {product.hiddenReason}</p>
          <p>You can edit it meanwhile. Only an admin can show it again.</p>
        </Alert>
      )}
      <ProductForm
        {...fixed}
        product={opened}
        isHidden={product.hiddenReason !== undefined}
        inStock={product.quantityAvailable}
        categories={categories}
        pictures={(field) => <ImageUpload {...field} />}
        submitLabel="Save changes"
        onSubmit={async (input) => {
          await save(input);
          navigate('/farmer/products');
        }}
      />
    </>
  );
}
