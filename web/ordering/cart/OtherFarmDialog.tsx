import { useAtomValue } from 'jotai';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { cartAtom } from './atoms.ts';
import { ONE_FARM_ONLY } from './rules.ts';

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
      title="One farm at a time"
      description={ONE_FARM_ONLY}
      confirmLabel="Clear cart and add"
      cancelLabel="Keep my cart"
      onConfirm={onClearAndAdd}
    >
      {/* Another tab may have emptied the cart meanwhile. */}
      {cart.lines.length > 0 && (
        <p className="text-sm text-ink-soft">
          Your cart holds goods of {cart.farmerName}; {goods} from {farm}.
        </p>
      )}
    </ConfirmDialog>
  );
}
