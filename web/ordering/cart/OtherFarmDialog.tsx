import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { t } from '#contract/platform/text/constants/texts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { cartAtom, ONE_FARM_ONLY, takeVisitorsCart } from './rules.ts';
import { keepStill, takeSavedGoods } from './saved-goods.ts';
import { type PendingGoods, useAddToCart } from './use-add-to-cart.ts';

/** Asks whether the cart may be cleared for goods of another farm. */
export function OtherFarmDialog({
  open,
  goods,
  farm,
  onClearAndAdd,
  onKeepCart,
}: {
  open: boolean;
  /** What is to be added, as the subject of a sentence: 'Plums comes'. */
  goods: string;
  /** The name of the farm that it comes from. */
  farm: string;
  onClearAndAdd: () => void;
  onKeepCart: () => void;
}) {
  const cart = useAtomValue(cartAtom);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onKeepCart()}
      title={t('One farm at a time')}
      description={ONE_FARM_ONLY}
      confirmLabel={t('Clear cart and add')}
      cancelLabel={t('Keep my cart')}
      onConfirm={onClearAndAdd}
    >
      {/* Another tab may have emptied the cart meanwhile. */}
      {cart.lines.length > 0 && (
        <p className="text-sm text-ink-soft">
          {t('Your cart holds goods of {farmerName}; {goods} from {farm}.', {
            farmerName: cart.farmerName,
            goods,
            farm,
          })}
        </p>
      )}
    </ConfirmDialog>
  );
}

/**
 * Adds what a visitor had chosen before signing in to the cart, once. Asks about what is of another farm than the cart,
 * farm by farm; it stays kept until that is answered, so that it is asked again after a reload.
 */
export function AddSavedGoods() {
  const { add, waiting, clearAndAdd, keepCart } = useAddToCart();
  const addAll = useEffectEvent(() => {
    takeVisitorsCart();
    for (const { goods, quantity } of takeSavedGoods()) add(goods, quantity);
  });
  useEffect(() => addAll(), []);
  useEffect(() => keepStill(waiting), [waiting]);
  const farmer = waiting[0]?.goods.farmer;
  return (
    <OtherFarmDialog
      // Another question for each farm, which says what is in the cart by then.
      key={farmer?._id}
      open={farmer !== undefined}
      goods={inWords(waiting.filter(({ goods }) => goods.farmer._id === farmer?._id))}
      farm={farmer ? farmNameOf(farmer) : ''}
      onClearAndAdd={clearAndAdd}
      onKeepCart={keepCart}
    />
  );
}

/** Says what is to be added, as the beginning of a sentence: 'Plums comes', 'Plums and 2 more products come'. */
function inWords(waiting: readonly PendingGoods[]): string {
  const name = waiting[0]?.goods.name ?? '';
  const moreCount = waiting.length - 1;
  return moreCount > 0
    ? t('{name} and {moreCount, plural, one {# more product} other {# more products}} come', {
        name,
        moreCount,
      })
    : `${name} comes`;
}
