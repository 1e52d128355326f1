import { Plus } from 'lucide-react';
import { useState } from 'react';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { t } from '#contract/platform/text/constants/texts';
import { inSize } from '../../catalogue/model/sizes.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { SizeButtons } from '../model/size-parts.tsx';
import { isHadOn, itemKey } from './items.ts';
import { ProductPicker } from './PreferenceField.tsx';
import type { Goods } from './rules.ts';

/** Adds something of the farm to an order that is being changed: what it has not, or another size of what it has. */
export function AddItem({
  farmId,
  farm,
  day,
  keys,
  onAdd,
}: {
  farmId: string;
  /** Its name. */
  farm: string;
  /** The order's. */
  day: string;
  /** Those of what the order has. */
  keys: ReadonlySet<string>;
  /** Called with a product that is sold in its unit, or as it is sold in a size. */
  onAdd: (goods: Goods) => void;
}) {
  const [step, setStep] = useState<'none' | 'product' | Goods>('none');
  const isMissing = ({ _id: productId }: Goods, size?: { _id: string }): boolean =>
    !keys.has(itemKey({ productId, size }));
  const add = (goods: Goods) => {
    setStep('none');
    onAdd(goods);
  };
  if (step === 'none') {
    return (
      <Button
        variant="secondary"
        icon={<Plus />}
        onClick={() => setStep('product')}
        className="mt-4"
      >
        {t('Add from {farm}', { farm })}
      </Button>
    );
  }
  return (
    <div className="mt-4 grid gap-3">
      {step === 'product' ? (
        <ProductPicker
          farmId={farmId}
          label={t('Products of {farm}', { farm })}
          arrange={(all) =>
            all.filter(
              (each) =>
                !isSoldOut(each) &&
                isHadOn(each, day) &&
                (each.sizes
                  ? each.sizes.some((size) => size.isActive && isMissing(each, size))
                  : isMissing(each)),
            )
          }
          onPick={(each) => (each.sizes ? setStep(each) : add(each))}
        />
      ) : (
        <div className="grid gap-2 text-sm">
          <p className="font-medium">{t('Which size of {name}?', { name: step.name })}</p>
          <SizeButtons
            name={step.name}
            goods={step}
            isOffered={(size) => isMissing(step, size)}
            onChoose={(size) => add(inSize(step, size))}
          />
        </div>
      )}
      <Button variant="quiet" size="sm" onClick={() => setStep('none')} className="w-fit">
        {t('Add nothing')}
      </Button>
    </div>
  );
}
