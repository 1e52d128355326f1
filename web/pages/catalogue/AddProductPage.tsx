import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { t } from '#contract/platform/text/constants/texts';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { useCreateProduct } from '../../catalogue/products/commands.ts';
import { FormSkeleton, ProductForm } from '../../catalogue/products/form/ProductForm.tsx';
import { copyOf, toInput } from '../../catalogue/products/form/product-form.ts';
import { ownProductsQuery, productQuery } from '../../catalogue/products/queries.ts';
import { ConfirmEmail } from '../../people/auth/security/AccountEmail.tsx';
import { marketQuery } from '../../platform/format/market.ts';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { farmIdOf, useAuth } from '../../platform/session/session.ts';
import { Fetched } from '../../platform/ui/feedback/states.tsx';
import { BackLink, PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { ImageUpload } from '../../platform/uploads/ImageUpload.tsx';

/** The page to add a product; with `?from=` as a copy of one that the farmer has. */
export default function AddProductPage() {
  const [, navigate] = useLocation();
  const { user } = useAuth();
  const categories = useQuery(categoriesQuery());
  const create = useCreateProduct();
  const market = useQuery(marketQuery());
  const [from] = useSearchParam('from');
  const original = useQuery({ ...productQuery(from), enabled: from !== '' });
  // Of a product that is gone or another farm's, the form is empty.
  const isOwn = original.data?.farmer._id === farmIdOf(user);
  const farmId = farmIdOf(user) ?? '';
  const own = useInfiniteQuery({ ...ownProductsQuery(farmId), enabled: farmId !== '' });
  const isWaiting = (from !== '' && original.isPending) || own.isLoading;
  const last = own.data?.pages[0]?.data[0];
  return (
    <div className="wrap max-w-4xl py-6 sm:py-8">
      <BackLink href="/farmer/products">{t('Back to my products')}</BackLink>
      <PageHeader
        title={t('Add product')}
        text={
          original.data && isOwn ? t('A copy of {name}', { name: original.data.name }) : undefined
        }
      />
      {market.data?.requiresVerifiedEmail && user?.isEmailVerified === false && (
        <div className="mb-6">
          <ConfirmEmail email={user.email}>{t('Then you can offer products.')}</ConfirmEmail>
        </div>
      )}
      <Fetched query={categories} skeleton={<FormSkeleton />}>
        {(loaded) =>
          isWaiting ? (
            <FormSkeleton />
          ) : (
            <ProductForm
              {...(original.data && isOwn ? { product: copyOf(original.data) } : {})}
              last={last && toInput(last)}
              categories={loaded}
              pictures={(field) => <ImageUpload {...field} />}
              submitLabel={t('Add product')}
              draftKey={`product:new:${from}`}
              anotherLabel={t('Add and start another')}
              onSubmit={async (input, _, isAnother) => {
                await create.mutateAsync(input);
                if (!isAnother) navigate('/farmer/products');
              }}
            />
          )
        }
      </Fetched>
    </div>
  );
}
