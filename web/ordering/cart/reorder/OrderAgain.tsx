import { useMutation } from '@tanstack/react-query';
import { useSetAtom, useStore } from 'jotai';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { ordersApi } from '#contract/ordering/orders/constants';
import type { AgainItem, Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { call } from '../../../platform/api/api.ts';
import { plural } from '../../../platform/format/format.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button, type ButtonProps, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { againNewsAtom, cartAtom } from '../atoms.ts';
import { OtherFarmDialog } from '../OtherFarmDialog.tsx';
import { type Cart, EMPTY_CART } from '../rules.ts';
import { addAgain, goneSentence, isAllGone, isOtherFarm } from './order-again.ts';

/**
 * The button that puts an order of the consumer into the cart again and opens the checkout, which says
 * what has changed. Asks before it clears a cart with goods of another farm.
 */
export function OrderAgain({
  order,
  ...button
}: { order: Pick<Order, '_id' | 'farmer'> } & Pick<ButtonProps, 'variant' | 'size' | 'className'>) {
  const store = useStore();
  const setNews = useSetAtom(againNewsAtom);
  const [, navigate] = useLocation();
  const [items, setItems] = useState<readonly AgainItem[] | null>(null);
  const farm = farmNameOf(order.farmer);

  const fill = (cart: Cart, from: readonly AgainItem[]) => {
    const { cart: filled, count, sentences } = addAgain(cart, from);
    store.set(cartAtom, filled);
    setNews(sentences);
    toast.success(`${plural(count, 'product')} of your order in the cart`);
    setItems(null);
    navigate('/checkout');
  };
  const again = useMutation({
    mutationFn: async () => (await call(ordersApi.again, { params: { id: order._id } })).data.items,
    onSuccess: (found) => {
      // Read now, because another tab may have changed the cart.
      const cart = store.get(cartAtom);
      if (isAllGone(found) || isOtherFarm(cart, found)) setItems(found);
      else fill(cart, found);
    },
    onError: toastError,
  });

  const gone = items !== null && isAllGone(items);
  return (
    <>
      <Button
        variant="secondary"
        {...button}
        icon={<RotateCcw />}
        pending={again.isPending}
        aria-label={`Order again: ${shortId(order._id)} from ${farm}`}
        onClick={() => again.mutate()}
      >
        Order again
      </Button>
      {gone && (
        <Dialog
          open
          onOpenChange={(open) => !open && setItems(null)}
          title="Nothing in this order is available now"
          description="Your cart hasn't changed."
          size="sm"
          footer={
            <>
              <Button variant="secondary" onClick={() => setItems(null)}>
                Close
              </Button>
              <LinkButton href="/products">Browse Products</LinkButton>
            </>
          }
        >
          <ul className="grid list-disc gap-1 pl-5 text-sm">
            {items.map((item) => (
              <li key={item.product._id ?? item.product.name}>{goneSentence(item)}</li>
            ))}
          </ul>
        </Dialog>
      )}
      {items !== null && !gone && (
        <OtherFarmDialog
          open
          goods="this order comes"
          farm={farm}
          onClearAndAdd={() => fill(EMPTY_CART, items)}
          onKeepCart={() => setItems(null)}
        />
      )}
    </>
  );
}
