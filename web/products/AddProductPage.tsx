import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { categoriesQuery } from '../categories/queries.ts';
import { BackLink } from '../ui/primitives/BackLink.tsx';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { PageHeader } from '../ui/primitives/PageHeader.tsx';
import { ImageUpload } from '../uploads/ImageUpload.tsx';
import { FormSkeleton } from './FormSkeleton.tsx';
import { ProductForm } from './ProductForm.tsx';
import { useCreateProduct } from './queries.ts';

/** The page to add a product. */
export default function AddProductPage() {
  const [, navigate] = useLocation();
  const categories = useQuery(categoriesQuery());
  const create = useCreateProduct();
  return (
    <div className="wrap max-w-4xl py-6 sm:py-8">
      <BackLink href="/farmer/products">Back to My Products</BackLink>
      <PageHeader title="Add Product" />
      {categories.data ? (
        <ProductForm
          categories={categories.data}
          pictures={(field) => <ImageUpload {...field} />}
          submitLabel="Add Product"
          onSubmit={async (input) => {
            await create.mutateAsync(input);
            navigate('/farmer/products');
          }}
        />
      ) : categories.error ? (
        <ErrorState
          error={categories.error}
          onRetry={categories.refetch}
          pending={categories.isFetching}
        />
      ) : (
        <FormSkeleton />
      )}
    </div>
  );
}
