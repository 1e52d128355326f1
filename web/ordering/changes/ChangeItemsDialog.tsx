import { useQuery } from '@tanstack/react-query';
import { Plus, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { formatMoney, fromMinor } from '#contract/platform/money/constants';
import {
  isSoldOut,
  minimumOf,
  nearestOffered,
} from '#contract/platform/quantities/constants/steps';
import { formatCount } from '#contract/platform/text/constants/formats';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { QuantityInput } from '../../platform/ui/fields/QuantityInput.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { type OnChanged, presentOrderOf, useChangeItems } from './commands.ts';
import {
  addedItem,
  type ItemDraft,
  isChanged,
  isEstimatedItem,
  isEstimatedWith,
  itemMinor,
  itemsOfOrder,
  mostOfItem,
  presentOf,
  refusedItems,
  stepsOfItem,
  toChangedItems,
  totalOfItems,
} from './items.ts';
import { ProductPicker } from './ProductPicker.tsx';
import { goodsQuery } from './queries.ts';
import type { Goods } from './rules.ts';
import { TotalChange } from './TotalChange.tsx';
import { type Wish, WishField } from './WishField.tsx';

/** The buyer's own change of an order: quantities, what goes and what comes, with both totals in view. */
export function ChangeItemsDialog({
  order,
  onChanged,
  onClose,
}: {
  order: Order;
  onChanged: OnChanged;
  onClose: () => void;
}) {
  const query = useQuery(goodsQuery(order.farmer._id));
  const goods = new Map<string, Goods>((query.data ?? []).map((each) => [each._id, each]));
  const [base, setBase] = useState(order);
  const [items, setItems] = useState(() => itemsOfOrder(order));
  const [isAdding, setAdding] = useState(false);
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const change = useChangeItems(order._id, onChanged);
  useWatchProducts(items.map(({ productId }) => productId));
  const left = items.filter(({ quantity }) => quantity > 0);
  const isEmpty = left.length === 0 && order.items.every(({ product }) => product._id !== null);
  const farm = farmNameOf(order.farmer);

  const setQuantity = (productId: string, quantity: number) => {
    change.reset();
    setItems(
      items
        .map((item) => (item.productId === productId ? { ...item, quantity } : item))
        // What was never in the order leaves no trace.
        .filter((item) => item.quantity > 0 || item.lines.length > 0),
    );
  };
  const setWish = (productId: string, wish: Wish) =>
    setItems(items.map((item) => (item.productId === productId ? { ...item, wish } : item)));
  const add = (picked: Goods) => {
    setAdding(false);
    change.reset();
    const known = items.find(({ productId }) => productId === picked._id);
    const quantity = nearestOffered(minimumOf(picked), picked);
    if (known) setQuantity(picked._id, Math.max(known.quantity, quantity));
    else setItems([...items, addedItem(picked, quantity)]);
  };
  const save = () => {
    if (!isChanged(items)) return onClose();
    const sent = toChangedItems(items, goods);
    change.mutate(
      { items: sent, expectedVersion: base.version },
      {
        onSuccess: () => {
          toast.success('Your order is changed');
          onClose();
        },
        onError: (error) => {
          setRefused(refusedItems(error, sent));
          const present = presentOrderOf(error);
          if (present) {
            setBase(present);
            setItems((drafts) => rebased(drafts, present));
          }
          void query.refetch();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !change.isPending && onClose()}
      title="Change order"
      description={`${farm} is told the difference at once.`}
      footer={
        <div className="grid w-full gap-3">
          <TotalChange
            before={base.totalAmount}
            after={totalOfItems(base, items, goods)}
            isEstimate={isEstimatedWith(base, items, goods)}
            wasEstimate={!base.isTotalFinal}
          />
          {isEmpty && (
            <p className="text-sm text-ink-soft">
              Keep at least one product
              {order.status === 'pending' ? ', or cancel the order.' : '.'}
            </p>
          )}
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button pending={change.isPending} disabled={isEmpty} onClick={save}>
              Save changes
            </Button>
          </div>
        </div>
      }
    >
      <ErrorAlert error={change.error} className="mb-4" />
      <ul className="divide-y divide-hairline">
        {items.map((item) => (
          <Item
            key={item.productId}
            item={item}
            goods={goods.get(item.productId)}
            problem={change.isError ? refused.get(item.productId) : undefined}
            onQuantity={(quantity) => setQuantity(item.productId, quantity)}
          >
            {item.lines.length === 0 && (
              <AddedWish
                item={item}
                farmId={order.farmer._id}
                onChange={(wish) => setWish(item.productId, wish)}
              />
            )}
          </Item>
        ))}
      </ul>
      {isAdding ? (
        <div className="mt-4 grid gap-3">
          <ProductPicker
            farmId={order.farmer._id}
            label={`Products of ${farm}`}
            arrange={(all) =>
              all.filter(
                (each) => !isSoldOut(each) && !left.some(({ productId }) => productId === each._id),
              )
            }
            onPick={add}
          />
          <Button variant="quiet" size="sm" onClick={() => setAdding(false)} className="w-fit">
            Add nothing
          </Button>
        </div>
      ) : (
        <Button
          variant="secondary"
          icon={<Plus />}
          onClick={() => setAdding(true)}
          className="mt-4"
        >
          Add from {farm}
        </Button>
      )}
    </Dialog>
  );
}

/** The same wishes over an order that somebody else changed meanwhile. */
function rebased(drafts: readonly ItemDraft[], order: Order): ItemDraft[] {
  const wanted = new Map(drafts.map((draft) => [draft.productId, draft]));
  const present = itemsOfOrder(order);
  const known = new Set(present.map(({ productId }) => productId));
  return [
    ...present.map((item) => {
      const draft = wanted.get(item.productId);
      const isOwn = draft !== undefined && draft.quantity !== presentOf(draft);
      return isOwn ? { ...item, quantity: draft.quantity } : item;
    }),
    ...drafts.filter(({ productId, lines }) => !known.has(productId) && lines.length === 0),
  ];
}

/** What the buyer wishes if something they add runs short; at first as in their profile. */
function AddedWish({
  item: { name, productId, wish },
  farmId,
  onChange,
}: {
  item: ItemDraft;
  farmId: string;
  onChange: (wish: Wish) => void;
}) {
  const { user } = useAuth();
  return (
    <WishField
      name={name}
      productId={productId}
      farmId={farmId}
      value={wish ?? { onShort: user?.onShortDefault ?? 'ask' }}
      onChange={onChange}
      className="col-span-3 sm:col-span-2 sm:col-start-2"
    />
  );
}

function Item({
  item,
  goods,
  problem,
  onQuantity,
  children,
}: {
  item: ItemDraft;
  goods: Goods | undefined;
  problem: string | undefined;
  onQuantity: (quantity: number) => void;
  children: ReactNode;
}) {
  const { name, quantity, unit } = item;
  const present = presentOf(item);
  const isRemoved = quantity === 0;
  const price = goods?.price ?? item.lines.at(-1)?.price ?? 0;
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 py-3 first:pt-0">
      <Picture
        src={item.image}
        alt=""
        ground={name}
        sizes="48px"
        className={cn('size-12 rounded-xs', isRemoved && 'opacity-50 grayscale')}
      />
      <p className="min-w-0 text-sm">
        {isRemoved ? (
          <s className="text-ink-soft">{name}</s>
        ) : (
          <span className="font-semibold">{name}</span>
        )}
        <span className="block text-ink-soft">
          {formatMoney(price)} per {unit}
          {item.lines.length === 0 && ' · added'}
          {item.lines.length > 0 &&
            quantity !== present &&
            !isRemoved &&
            ` · it was ${formatCount(present)}`}
        </span>
      </p>
      <Money
        amount={fromMinor(itemMinor(item, goods))}
        isEstimate={isEstimatedItem(item, goods)}
        className="text-right text-sm font-semibold"
      />
      <div className="col-span-3 flex items-center justify-between gap-2 sm:col-span-2 sm:col-start-2">
        {isRemoved ? (
          <Button variant="secondary" icon={<RotateCcw />} onClick={() => onQuantity(present)}>
            Put back<span className="sr-only"> {name}</span>
          </Button>
        ) : (
          <>
            <QuantityInput
              label={`Quantity of ${name}`}
              value={quantity}
              steps={stepsOfItem(item, goods)}
              max={mostOfItem(item, goods)}
              onChange={onQuantity}
            />
            <Button
              variant="quiet"
              size="icon"
              aria-label={`Remove ${name}`}
              onClick={() => onQuantity(0)}
              className="text-ink-soft"
            >
              <Trash2 aria-hidden="true" className="size-5" />
            </Button>
          </>
        )}
      </div>
      {children}
      {problem && (
        <p className="col-span-3 text-sm font-medium text-tomato" role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}
