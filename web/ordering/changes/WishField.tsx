import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SHORT_WISHES, type ShortWish } from '#contract/platform/orders/constants';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { WISH_WORDS } from '../../people/model/wish-words.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ProductPicker } from './ProductPicker.tsx';
import { goodsQuery } from './queries.ts';

/** What a buyer wishes for a line that the farm runs short of. */
export type Wish = { onShort: ShortWish; preferredProduct?: string | undefined };

/**
 * The choice of what becomes of a line that the farm runs short of. "This instead" asks for a product of the same
 * farm and is chosen once that is.
 */
export function WishField({
  name,
  productId,
  farmId,
  value,
  onChange,
  className,
}: {
  /** The product's name. */
  name: string;
  productId: string | null;
  farmId: string;
  value: Wish;
  onChange: (wish: Wish) => void;
  className?: string;
}) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div className={className}>
      <Field
        label={
          <>
            If it runs short<span className="sr-only">: {name}</span>
          </>
        }
      >
        <Select
          value={value.onShort}
          onChange={({ target }) => {
            const onShort = target.value as ShortWish;
            if (onShort === 'specific') setPicking(true);
            else onChange({ onShort });
          }}
        >
          {SHORT_WISHES.map((wish) => (
            <option key={wish} value={wish}>
              {WISH_WORDS[wish]}
            </option>
          ))}
        </Select>
      </Field>
      {value.onShort === 'specific' && value.preferredProduct !== undefined && (
        <Preferred
          farmId={farmId}
          productId={value.preferredProduct}
          onChange={() => setPicking(true)}
        />
      )}
      {isPicking && (
        <Dialog
          open
          onOpenChange={setPicking}
          title={`Instead of ${name}`}
          description="If it runs short, the farm can offer you this at its price."
        >
          <ProductPicker
            farmId={farmId}
            label={`Instead of ${name}`}
            arrange={(goods) => goods.filter((each) => each._id !== productId && !isSoldOut(each))}
            onPick={(goods) => {
              setPicking(false);
              onChange({ onShort: 'specific', preferredProduct: goods._id });
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

/** What was named instead, and a button to name something else. */
function Preferred({
  farmId,
  productId,
  onChange,
}: {
  farmId: string;
  productId: string;
  onChange: () => void;
}) {
  const { data } = useQuery(goodsQuery(farmId));
  const name = data?.find(({ _id }) => _id === productId)?.name;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-sm">
      <span className="min-w-0 wrap-anywhere">
        {name ?? (data ? 'The farm no longer has what you named.' : '\u00a0')}
      </span>
      <Button size="sm" variant="quiet" onClick={onChange}>
        Choose another
      </Button>
    </p>
  );
}
