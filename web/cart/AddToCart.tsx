import { useAtomValue } from 'jotai';
import { ShoppingBasket } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { fromMinor, lineTotalMinor } from '#contract/constants/money';
import { formatCount, formatMoney } from '../lib/format.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { ConfirmDialog } from '../ui/primitives/ConfirmDialog.tsx';
import { QuantityInput } from '../ui/primitives/QuantityInput.tsx';
import { cartAtom } from './atoms.ts';
import { type Goods, ONE_FARM_ONLY } from './rules.ts';
import { useAddToCart } from './use-add-to-cart.ts';

/** The quantity and the button that adds a product to the cart. Not shown to farmers. */
export function AddToCart({ goods }: { goods: Goods & { unit: string } }) {
  const cart = useAtomValue(cartAtom);
  const [wanted, setWanted] = useState(1);
  const { add, waiting, clearAndAdd, keepCart } = useAddToCart();
  const left = goods.quantityAvailable;
  // The stock may have fallen below the chosen quantity.
  const quantity = Math.max(1, Math.min(wanted, left));
  const inCart = cart.lines.find((line) => line.productId === goods._id)?.quantity;

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <QuantityInput
          label="Quantity"
          value={quantity}
          onChange={setWanted}
          max={Math.max(1, left)}
          disabled={left === 0}
          className="min-h-12"
        />
        <Button
          size="lg"
          icon={<ShoppingBasket />}
          disabled={left === 0}
          onClick={() => add(goods, quantity)}
          className="grow sm:grow-0"
        >
          Add to Cart
        </Button>
        {left > 0 && quantity > 1 && (
          <output className="tabular text-sm text-ink-soft">
            {formatMoney(fromMinor(lineTotalMinor({ price: goods.price, quantity })))} together
          </output>
        )}
      </div>
      {inCart !== undefined && (
        <p className="text-sm text-ink-soft">
          {formatCount(inCart)} in your{' '}
          <Link href="/checkout" className="link">
            cart
          </Link>
        </p>
      )}
      <ConfirmDialog
        open={waiting !== null}
        onOpenChange={(open) => !open && keepCart()}
        title="One farm at a time"
        description={ONE_FARM_ONLY}
        confirmLabel="Clear cart and add"
        cancelLabel="Keep my cart"
        onConfirm={clearAndAdd}
      >
        <p className="text-sm text-ink-soft">
          Your cart holds goods of {cart.farmerName}; {goods.name} comes from{' '}
          {goods.farmer.farmName || goods.farmer.name}.
        </p>
      </ConfirmDialog>
    </div>
  );
}
