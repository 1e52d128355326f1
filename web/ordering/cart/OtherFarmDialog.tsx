import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { t } from '#contract/platform/text/constants/texts';
import { readOwner, VISITOR } from '../../platform/session/owned.ts';
import { store } from '../../platform/session/session.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { cartAtom, EMPTY_CART } from './rules.ts';
import { keepStill, takeSavedGoods } from './saved-goods.ts';
import { useAddToCart } from './use-add-to-cart.ts';

/** Asks whether the cart may be cleared for goods of another farm. */
export function OtherFarmDialog({
  open,
  goods = [],
  farm,
  onClearAndAdd,
  onKeepCart,
}: {
  open: boolean;
  /** The names of what is to be added; none of a whole order. */
  goods?: readonly string[];
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
      description={t('You can only order from one farm at a time. Please clear your cart first.')}
      confirmLabel={t('Clear cart and add')}
      cancelLabel={t('Keep my cart')}
      onConfirm={onClearAndAdd}
    >
      {/* Another tab may have emptied the cart meanwhile. */}
      {cart.lines.length > 0 && (
        <p className="text-sm text-ink-soft">
          {questionOf(goods, { inCart: cart.farmerName, farm })}
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
    for (const { goods, quantity, size } of takeSavedGoods()) add(goods, quantity, size);
  });
  useEffect(() => addAll(), []);
  useEffect(() => keepStill(waiting), [waiting]);
  const farmer = waiting[0]?.goods.farmer;
  return (
    <OtherFarmDialog
      // Another question for each farm, which says what is in the cart by then.
      key={farmer?._id}
      open={farmer !== undefined}
      goods={waiting
        .filter(({ goods }) => goods.farmer._id === farmer?._id)
        .map(({ goods, size }) => nameWithSize(goods.name, size))}
      farm={farmer ? farmNameOf(farmer) : ''}
      onClearAndAdd={clearAndAdd}
      onKeepCart={keepCart}
    />
  );
}

/** Says of which farm the goods in the cart are, and of which those that are to be added. */
function questionOf(
  [name, ...more]: readonly string[],
  farms: { inCart: string; farm: string },
): string {
  if (name === undefined) {
    return t('Your cart holds goods of {inCart}; this order comes from {farm}.', farms);
  }
  const count = more.length;
  return count > 0
    ? t(
        'Your cart holds goods of {inCart}; {name} and {count, plural, one {# more product} other {# more products}} come from {farm}.',
        { ...farms, name, count },
      )
    : t('Your cart holds goods of {inCart}; {name} comes from {farm}.', { ...farms, name });
}

/** Gives the cart of a visitor to the person as whom they have just signed in, unless that one has a cart already. */
function takeVisitorsCart(): void {
  const visitors = cartAtom.of(VISITOR);
  const cart = visitors.readStored();
  if (readOwner() === VISITOR || cart.lines.length === 0) return;
  store.set(visitors, EMPTY_CART);
  if (cartAtom.readStored().lines.length === 0) store.set(cartAtom, cart);
}
