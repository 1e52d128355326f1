import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import { HIDING_REASON_MAX } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { cleanText } from '#contract/platform/text/constants/text';
import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame, adminOrderHref, adminUserHref } from '../../admin/admin/AdminFrame.tsx';
import { useSetProductHiding } from '../../admin/admin/queries.ts';
import { ProductForm } from '../../catalogue/products/form/ProductForm.tsx';
import { toInput, useSaveProduct } from '../../catalogue/products/form/product-form.ts';
import { useFixedUnit } from '../../catalogue/products/form/UseNote.tsx';
import { ClosingQuestion } from '../../ordering/closing/ClosingQuestion.tsx';
import { rich } from '../../platform/format/rich.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { useDraftText } from '../../platform/ui/form/draft.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { EditedProduct, useEditedProduct } from '../catalogue/EditedProduct.tsx';

/** The page where admins edit a product and hide it from the market. */
export default function AdminProductPage() {
  const { id, query } = useEditedProduct();
  return (
    <AdminFrame title={query.data?.name ?? t('Product')}>
      <EditedProduct query={query}>
        {(product, categories) => (
          <div className="grid max-w-4xl gap-4">
            <p className="text-sm text-ink-soft">
              {rich('Sold by {farm}', {
                farm: (
                  <Link href={adminUserHref(product.farmer)} className="link">
                    <bdi>{farmNameOf(product.farmer)}</bdi>
                  </Link>
                ),
              })}
            </p>
            <HidingCard product={product} />
            <ClosingQuestion>
              <EditForm key={id} product={product} categories={categories} />
            </ClosingQuestion>
          </div>
        )}
      </EditedProduct>
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
      inStock={toInput(product).quantityAvailable}
      categories={categories}
      pictures={(field) => <KeptPictures {...field} />}
      submitLabel={t('Save changes')}
      draftKey={`product:${product._id}`}
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

/** The pictures of a product, which admins can remove. Only its farmer adds new ones. */
const KeptPictures = ({
  urls,
  onChange,
  error,
}: {
  urls: readonly string[];
  onChange: (change: (urls: readonly string[]) => readonly string[]) => void;
  error: string | undefined;
}) => (
  <fieldset className="grid gap-3">
    <legend className="mb-2 text-sm font-medium">{t('Pictures')}</legend>
    {urls.length === 0 ? (
      <p className="text-sm text-ink-soft">{t('No pictures.')}</p>
    ) : (
      <ul className="flex flex-wrap gap-3">
        {urls.map((url, index) => (
          <li key={url} className="grid w-24 justify-items-center gap-1">
            <Picture src={url} alt="" sizes="6rem" className="size-24 rounded-sm" />
            <Button
              variant="danger-quiet"
              size="sm"
              icon={<Trash2 />}
              aria-label={t('Remove picture {place}', { place: index + 1 })}
              onClick={() => onChange((all) => all.filter((other) => other !== url))}
            >
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    )}
    {error && (
      <p role="alert" className="text-sm text-tomato">
        {error}
      </p>
    )}
  </fieldset>
);

/** Hides a product with a reason for its farmer, or shows it again. */
export function HidingCard({ product }: { product: Product }) {
  const setHiding = useSetProductHiding(product._id);
  const [reason, setReason, restoredNote] = useDraftText(`hide:${product._id}`);
  const [error, setError] = useState<string>();
  const { hiddenReason } = product;

  const hide = (event: SubmitEvent) => {
    event.preventDefault();
    if (cleanText(reason) === '') {
      setError(t('Tell the farmer why.'));
      return;
    }
    setHiding.mutate(
      { hidden: true, reason: cleanText(reason) },
      { onSuccess: () => setReason('') },
    );
  };

  return (
    <Card as="section" aria-labelledby="hiding">
      <CardHeader id="hiding" title={t('On the market')} />
      {hiddenReason === undefined ? (
        <form onSubmit={hide} className="grid gap-3" noValidate>
          {restoredNote}
          <Field
            label={t('Reason for hiding')}
            hint={t(
              'The farmer sees it. No one can buy the product until an admin shows it again.',
            )}
            error={error}
            required
          >
            <Textarea
              rows={2}
              maxLength={HIDING_REASON_MAX}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value);
                setError(undefined);
              }}
            />
          </Field>
          <Button
            type="submit"
            variant="danger"
            icon={<EyeOff />}
            pending={setHiding.isPending}
            pendingLabel={t('Hiding...')}
            className="justify-self-start"
          >
            {t('Hide product')}
          </Button>
        </form>
      ) : (
        <div className="grid gap-3">
          <Alert kind="warning">
            <p className="font-medium">{t('Hidden from the market')}</p>
            <p className="wrap-anywhere">{t('Reason: {reason}', { reason: hiddenReason })}</p>
          </Alert>
          <Button
            variant="secondary"
            icon={<Eye />}
            pending={setHiding.isPending}
            pendingLabel={t('Showing...')}
            onClick={() => setHiding.mutate({ hidden: false })}
            className="justify-self-start"
          >
            {t('Show again')}
          </Button>
        </div>
      )}
    </Card>
  );
}
