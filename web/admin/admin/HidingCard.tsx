import { Eye, EyeOff } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { HIDING_REASON_MAX } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { cleanText } from '#contract/platform/text/constants/text';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { Textarea } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/sections.tsx';
import { useSetProductHiding } from './case-queries.ts';

/** Hides a product with a reason for its farmer, or shows it again. */
export function HidingCard({ product }: { product: Product }) {
  const setHiding = useSetProductHiding(product._id);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const { hiddenReason } = product;

  const hide = (event: SubmitEvent) => {
    event.preventDefault();
    if (cleanText(reason) === '') {
      setError('Tell the farmer why.');
      return;
    }
    setHiding.mutate(
      { hidden: true, reason: cleanText(reason) },
      { onSuccess: () => setReason(''), onError: toastError },
    );
  };

  return (
    <Card as="section" aria-labelledby="hiding">
      <CardHeader id="hiding" title="On the market" />
      {hiddenReason === undefined ? (
        <form onSubmit={hide} className="grid gap-3" noValidate>
          <Field
            label="Reason for hiding"
            hint="The farmer sees it. No one can buy the product until an admin shows it again."
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
            pendingLabel="Hiding..."
            className="justify-self-start"
          >
            Hide product
          </Button>
        </form>
      ) : (
        <div className="grid gap-3">
          <Alert kind="warning">
            <p className="font-medium">Hidden from the market</p>
            <p className="wrap-anywhere">Reason: {hiddenReason}</p>
          </Alert>
          <Button
            variant="secondary"
            icon={<Eye />}
            pending={setHiding.isPending}
            pendingLabel="Showing..."
            onClick={() => setHiding.mutate({ hidden: false }, { onError: toastError })}
            className="justify-self-start"
          >
            Show again
          </Button>
        </div>
      )}
    </Card>
  );
}
