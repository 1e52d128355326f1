import { Copy, PackageMinus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import type { Product } from '#contract/catalogue/products/product';
import { t } from '#contract/platform/text/constants/texts';
import { ProductForm } from '../../catalogue/products/form/ProductForm.tsx';
import { toInput, useSaveProduct } from '../../catalogue/products/form/product-form.ts';
import { useFixedUnit } from '../../catalogue/products/form/UseNote.tsx';
import { useFarmToday } from '../../farm/farmers/queries.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { rich } from '../../platform/format/rich.tsx';
import { farmIdOf, mayForFarm, useAuth } from '../../platform/session/session.ts';
import { Alert, EmptyState } from '../../platform/ui/feedback/states.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { BackLink, PageHeader } from '../../platform/ui/primitives/sections.tsx';
import { ImageUpload } from '../../platform/uploads/ImageUpload.tsx';
import { FarmClosingQuestion } from '../ordering/FarmClosingQuestion.tsx';
import { EditedProduct, useEditedProduct } from './EditedProduct.tsx';

const ShortageDialog = lazyWithRetry(
  () => import('../../ordering/changes/shortage/ShortageDialog.tsx'),
);

/** The page to edit one of the farmer's own products. */
export default function EditProductPage() {
  const { user } = useAuth();
  const { id, query } = useEditedProduct();
  const { data: product, error } = query;
  const isUnknown =
    (error instanceof ApiError && error.status === 404) ||
    (product !== undefined && product.farmer._id !== farmIdOf(user));
  const [isShort, setShort] = useState(false);
  const farmToday = useFarmToday();
  return (
    <div className="wrap max-w-4xl py-6 sm:py-8">
      <BackLink href="/farmer/products">{t('Back to my products')}</BackLink>
      {isUnknown ? (
        <EmptyState drawing="search" title={t('Product not found')} level={1}>
          <LinkButton href="/farmer/products">{t('My products')}</LinkButton>
        </EmptyState>
      ) : (
        <>
          <PageHeader title={t('Edit product')} text={product?.name}>
            <LinkButton
              href={`/farmer/products/add?from=${id}`}
              variant="secondary"
              icon={<Copy />}
            >
              {t('Duplicate')}
            </LinkButton>
            {product && mayForFarm(user, 'answerOrders') && (
              <Button variant="secondary" icon={<PackageMinus />} onClick={() => setShort(true)}>
                {rich('Short of it<span>: {name}</span>', {
                  name: product.name,
                  span: (inner) => <span className="sr-only">{inner}</span>,
                })}
              </Button>
            )}
          </PageHeader>
          <EditedProduct query={query}>
            {(edited, categories) => (
              <FarmClosingQuestion>
                <EditForm product={edited} categories={categories} />
              </FarmClosingQuestion>
            )}
          </EditedProduct>
          {isShort && product && (
            <Suspense fallback={null}>
              <ShortageDialog
                product={product}
                farmToday={farmToday}
                onClose={() => setShort(false)}
              />
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
          <p className="font-medium">{t('An admin has hidden this product from the market.')}</p>
          <p className="wrap-anywhere">{t('Reason: {reason}', { reason: product.hiddenReason })}</p>
          <p>{t('You can edit it meanwhile. Only an admin can show it again.')}</p>
        </Alert>
      )}
      <ProductForm
        {...fixed}
        product={opened}
        isHidden={product.hiddenReason !== undefined}
        inStock={toInput(product).quantityAvailable}
        categories={categories}
        pictures={(field) => <ImageUpload {...field} />}
        submitLabel={t('Save changes')}
        draftKey={`product:${product._id}`}
        onSubmit={async (input) => {
          await save(input);
          navigate('/farmer/products');
        }}
      />
    </>
  );
}
