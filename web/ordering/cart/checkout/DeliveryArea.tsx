import { useWatch } from 'react-hook-form';
import { isServed } from '#contract/farm/places/constants';
import { plural } from '../../../platform/format/format.ts';
import { useDebounced } from '../../../platform/hooks/use-debounced.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Checkbox } from '../../../platform/ui/fields/Checkbox.tsx';
import type { AppForm } from '../../../platform/ui/form/form.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import type { Checkout, CheckoutInput } from './checkout-form.ts';
import type { FarmTerms } from './initial-values.ts';

/** Places named before the rest is counted. */
const NAMED_MAX = 8;
/** Typing an address is not interrupted. */
const TYPING_MS = 600;

/** Says whether the farm delivers to the address that was typed; where it lists no places, asks the buyer. */
export function DeliveryArea({
  form,
  terms,
}: {
  form: AppForm<CheckoutInput, Checkout>;
  terms: FarmTerms;
}) {
  const { deliveryAreas: areas, deliveryRadius, acceptsPickup } = terms;
  const address = useWatch({ control: form.control, name: 'deliveryDetails.address' });
  const typed = useDebounced(address, TYPING_MS);
  if (areas.length === 0) {
    return (
      <Checkbox
        label={
          deliveryRadius
            ? `This address is within ${plural(deliveryRadius, 'mile')} of the farm`
            : 'The farm delivers to this address'
        }
        hint="Not sure? Leave it open, and the farm will see."
        className="sm:col-span-2"
        {...form.register('deliveryDetails.isAreaConfirmed')}
      />
    );
  }
  const isOutside =
    typed.city.trim() !== '' && typed.zipCode.trim() !== '' && isServed(areas, typed) === false;
  return (
    <div className="grid gap-3 sm:col-span-2">
      <p className="text-sm text-ink-soft">Delivers to {inWords(areas)}.</p>
      {isOutside && (
        <Alert kind="warning">
          <p>
            The farm doesn't deliver to {typed.zipCode.trim()} {typed.city.trim()}.
            {acceptsPickup && ' You can pick the order up instead, with everything in your cart.'}
          </p>
          {acceptsPickup && (
            <Button
              variant="secondary"
              size="sm"
              className="mt-2"
              onClick={() => form.setValue('orderType', 'pickup', { shouldDirty: true })}
            >
              Choose pickup
            </Button>
          )}
        </Alert>
      )}
    </div>
  );
}

function inWords(areas: readonly string[]): string {
  const named = areas.slice(0, NAMED_MAX).join(', ');
  const others = areas.length - NAMED_MAX;
  return others > 0 ? `${named} and ${plural(others, 'other place')}` : named;
}
