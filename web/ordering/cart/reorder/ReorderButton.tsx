import { useSetAtom, useStore } from 'jotai';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { ordersApi } from '#contract/ordering/orders/constants';
import type { Order, ReorderItem } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { LINES_MAX } from '#contract/platform/orders/constants';
import {
  formatCounted,
  nameWithSize,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
} from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { t } from '#contract/platform/text/constants/texts';
import { inSize, sizeOf } from '../../../catalogue/model/sizes.ts';
import { call } from '../../../platform/api/api.ts';
import { useCommand } from '../../../platform/queries/use-command.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { Button, type ButtonProps, LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { contentSentence, costsSentence, pieceSentence, priceSentence } from '../notice-words.ts';
import { OtherFarmDialog } from '../OtherFarmDialog.tsx';
import {
  addToCart,
  type Cart,
  type CartLine,
  cartAtom,
  EMPTY_CART,
  lineKey,
  pieceOf,
  recount,
  reorderNoticeAtom,
  wordsOf,
} from '../rules.ts';

/**
 * The button that puts an order of the consumer into the cart again and opens the checkout, which says
 * what has changed. Asks before it clears a cart with goods of another farm.
 */
export function ReorderButton({
  order,
  ...button
}: { order: Pick<Order, '_id' | 'farmer'> } & Pick<ButtonProps, 'variant' | 'size' | 'className'>) {
  const store = useStore();
  const setNotice = useSetAtom(reorderNoticeAtom);
  const [, navigate] = useLocation();
  const [items, setItems] = useState<readonly ReorderItem[] | null>(null);
  const farm = farmNameOf(order.farmer);

  const fill = (cart: Cart, from: readonly ReorderItem[]) => {
    const { cart: filled, count, sentences } = addReordered(cart, from);
    store.set(cartAtom, filled);
    setNotice(sentences);
    toast.success(
      t('{count, plural, one {# product} other {# products}} of your order in the cart', { count }),
    );
    setItems(null);
    navigate('/checkout');
  };
  const again = useCommand(() => call(ordersApi.again, { params: { id: order._id } }), {
    onSuccess: (_, { data: { items: found } }) => {
      // Read now, because another tab may have changed the cart.
      const cart = store.get(cartAtom);
      if (isAllGone(found) || isOtherFarm(cart, found)) setItems(found);
      else fill(cart, found);
    },
  });

  const gone = items !== null && isAllGone(items);
  return (
    <>
      <Button
        variant="secondary"
        {...button}
        icon={<RotateCcw />}
        pending={again.isPending}
        aria-label={t('Order again: {shortId} from {farm}', { shortId: shortId(order._id), farm })}
        onClick={() => again.mutate()}
      >
        {t('Order again')}
      </Button>
      {gone && (
        <Dialog
          open
          onOpenChange={(open) => !open && setItems(null)}
          title={t('Nothing in this order is available now')}
          description={t("Your cart hasn't changed.")}
          size="sm"
          footer={
            <>
              <Button variant="secondary" onClick={() => setItems(null)}>
                {t('Close')}
              </Button>
              <LinkButton href="/products">{t('Browse Products')}</LinkButton>
            </>
          }
        >
          <ul className="grid list-disc gap-1 ps-5 text-sm">
            {items.map((item) => (
              <li key={item.product._id ?? item.product.name}>{goneSentence(item)}</li>
            ))}
          </ul>
        </Dialog>
      )}
      {items !== null && !gone && (
        <OtherFarmDialog
          open
          farm={farm}
          onClearAndAdd={() => fill(EMPTY_CART, items)}
          onKeepCart={() => setItems(null)}
        />
      )}
    </>
  );
}

/** The cart after an order was put into it again, and a sentence for each line that is worth one. */
type ReorderResult = {
  cart: Cart;
  /** How many products of the order are in the cart now. */
  count: number;
  sentences: string[];
};

/** Whether a size has to be chosen for an item, because the product is not sold as it was ordered but in other sizes. */
const asksSize = ({ product, size }: ReorderItem): boolean =>
  product._id !== null &&
  product.sizes !== undefined &&
  sizeOf(product, size?._id) === undefined &&
  !isSoldOut(product);

/** Returns whether nothing of an order can be had any more. */
export const isAllGone = (items: readonly ReorderItem[]): boolean =>
  items.every((item) => item.outcome === 'gone' && !asksSize(item));

/** Returns whether the cart holds goods of another farm than the order's. */
export function isOtherFarm(cart: Cart, items: readonly ReorderItem[]): boolean {
  const farm = items[0]?.product.farmer._id;
  return cart.lines.length > 0 && farm !== undefined && cart.farmerId !== farm;
}

/**
 * Puts the products of an order into the cart, which is empty or of the same farm. A product that is in it
 * already gets the larger of both quantities, so that pressing the button twice doubles nothing. What is not sold in
 * its size any more is put in as it was: the cart asks for another one.
 */
export function addReordered(cart: Cart, items: readonly ReorderItem[]): ReorderResult {
  let next = cart;
  let count = 0;
  const sentences: string[] = [];
  for (const item of items) {
    const { product, quantity, outcome } = item;
    const id = product._id;
    const size = sizeOf(product, item.size?._id);
    const isSame = (line: CartLine) =>
      id !== null && lineKey(line) === lineKey({ productId: id, size: item.size });
    if (id !== null && asksSize(item)) {
      next = next.lines.some(isSame) ? next : withAsked(next, item, id);
      count += 1;
      continue;
    }
    if (outcome === 'gone' || id === null || quantity === 0) {
      sentences.push(goneSentence(item));
      continue;
    }
    const known = cart.lines.find(isSame);
    const inCart = known ? (recount(known, { ...product, size }) ?? known.quantity) : 0;
    const missing = quantity - inCart;
    if (missing > 0) {
      const added = addToCart(next, { ...product, _id: id }, missing, size);
      if (!('cart' in added)) {
        sentences.push(
          t("There's no room for {name}: a cart holds at most {most} products.", {
            name: nameWithSize(product.name, size),
            most: LINES_MAX,
          }),
        );
        continue;
      }
      next = added.cart;
    }
    count += 1;
    const sentence = changeSentence(item, inCart);
    if (sentence !== '') sentences.push(sentence);
  }
  return { cart: next, count, sentences };
}

/** Returns what is said of a product that cannot be had any more. */
const goneSentence = ({ product, size }: ReorderItem): string =>
  t('{name} is no longer on sale.', { name: nameWithSize(product.name, size) });

/** Returns the cart with an item as it was ordered, for which a size has to be chosen. */
function withAsked(cart: Cart, { product, size, ...item }: ReorderItem, productId: string): Cart {
  const line: CartLine = {
    productId,
    name: product.name,
    image: product.images[0] ?? null,
    price: item.orderedPrice,
    unit: product.unit,
    quantity: Math.max(1, Math.round(item.orderedQuantity)),
    ...(size && { size }),
    ...wordsOf(product),
  };
  return {
    farmerId: product.farmer._id,
    farmerName: farmNameOf(product.farmer),
    lines: [...cart.lines, line].slice(0, LINES_MAX),
  };
}

function changeSentence(item: ReorderItem, inCart: number): string {
  const { product, quantity, orderedQuantity, orderedPrice, orderedAs, outcome } = item;
  const size = sizeOf(product, item.size?._id);
  const sold = size ? inSize(product, size) : { ...product, size };
  const name = nameWithSize(product.name, size);
  const unit = quantityUnit(sold);
  const before = {
    name: product.name,
    price: orderedPrice,
    ...soldAs(orderedAs ?? product),
    ...(item.size && { size: item.size }),
  };
  const ordered = orderedAs
    ? formatCounted(orderedAs.quantity, orderedAs)
    : formatQuantity(orderedQuantity, unit);
  const isReweighed = before.pieceWeight?.average !== product.pieceWeight?.average;
  return [
    isReweighed && pieceSentence(before, product.pieceWeight ?? null, product.unit),
    outcome === 'quantity_changed' &&
      t('You can order {name} {steps} now: {quantity} instead of {ordered}.', {
        name,
        steps: formatSteps(sold, unit),
        quantity: formatQuantity(quantity, unit),
        ordered,
      }),
    outcome === 'fewer' &&
      t('Only {quantity} left; you had {ordered}.', {
        quantity: formatQuantityOf(quantity, unit, name),
        ordered,
      }),
    size && contentSentence(before, { ...product, size }),
    priceSentence({ ...before, name }, { price: sold.price, unit: product.unit, size }),
    orderedAs && soldOtherwiseSentence(item, orderedAs, ordered),
    inCart > 0 &&
      t('{name} was in your cart already: it holds {quantity}.', {
        name,
        quantity: formatQuantity(Math.max(inCart, quantity), unit),
      }),
  ]
    .filter(Boolean)
    .join(' ');
}

const soldAs = ({ unit, pieceWeight }: Pick<ReorderItem['product'], 'unit' | 'pieceWeight'>) => ({
  unit,
  ...pieceOf({ pieceWeight }),
});

/** Says how much it is and what it comes to, of what is sold by another unit or by pieces of another weight. */
function soldOtherwiseSentence(
  { product, quantity, orderedPrice, outcome }: ReorderItem,
  orderedAs: NonNullable<ReorderItem['orderedAs']>,
  ordered: string,
): string {
  const counted = formatCounted(quantity, product);
  return [
    // Other outcomes have named both quantities.
    outcome === 'price_changed' &&
      counted !== ordered &&
      t("You had {ordered}; now it's {counted}.", { ordered, counted }),
    costsSentence({ ...orderedAs, price: orderedPrice }, { ...product, quantity }),
  ]
    .filter(Boolean)
    .join(' ');
}
