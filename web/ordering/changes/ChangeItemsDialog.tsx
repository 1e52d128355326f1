import { useQuery } from '@tanstack/react-query';
import { PencilLine, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { formatMoney, fromMinor } from '#contract/platform/money/constants';
import { nameWithSize, pricedUnit } from '#contract/platform/quantities/constants/pieces';
import { perUnit } from '#contract/platform/quantities/constants/quantities';
import { minimumOf, nearestOffered } from '#contract/platform/quantities/constants/steps';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import { formatMoment, pauseSentence } from '../../farm/model/handoff.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useNow } from '../../platform/hooks/use-now.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { useAuth } from '../../platform/session/session.ts';
import { ErrorAlert } from '../../platform/ui/feedback/ErrorAlert.tsx';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { QuantityInput } from '../../platform/ui/fields/QuantityInput.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { ActionDialog } from '../model/ActionDialog.tsx';
import { onlyUntil } from '../model/last-day.ts';
import { Thumbnail, TotalChange } from '../model/order-parts.tsx';
import { AddItem } from './AddItem.tsx';
import {
  addedItem,
  type ChangeTerms,
  changesUntil,
  type ItemDraft,
  isChanged,
  isHadOn,
  isInTime,
  itemCost,
  itemKey,
  itemsOfOrder,
  mayChangeItems,
  mostOfItem,
  presentOf,
  priceOf,
  refusedItems,
  stepsOfItem,
  toChangedItems,
  totalOfItems,
} from './items.ts';
import { PreferenceField } from './PreferenceField.tsx';
import { goodsQuery, presentOrderOf, useChangeItems } from './queries.ts';
import type { Goods } from './rules.ts';

/** The consumer's own change of an order: quantities, what goes and what comes, with both totals in view. */
export function ChangeItemsDialog({
  order,
  paused,
  onClose,
}: {
  order: Order;
  /** From when on the farm takes orders again: until then nothing is added. */
  paused?: string | undefined;
  onClose: () => void;
}) {
  const farmId = order.farmer._id;
  const query = useQuery(goodsQuery(farmId));
  const goods = new Map<string, Goods>((query.data ?? []).map((each) => [each._id, each]));
  const defaultPreference = { onShort: useAuth().user?.onShortDefault ?? 'ask' };
  const [base, setBase] = useState(order);
  const [items, setItems] = useState(() => itemsOfOrder(order));
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const change = useChangeItems(order._id);
  useWatchProducts(items.map(({ productId }) => productId));
  const left = items.filter(({ quantity }) => quantity > 0);
  const isEmpty = left.length === 0 && order.items.every(({ product }) => product._id !== null);
  const farm = farmNameOf(order.farmer);
  const { date } = slotOf(order);

  const update = (key: string, values: Partial<ItemDraft>) => {
    setItems(
      items
        .map((item) => (itemKey(item) === key ? { ...item, ...values } : item))
        // What was never in the order leaves no trace.
        .filter((item) => item.quantity > 0 || item.lines.length > 0),
    );
  };
  const setQuantity = (key: string, quantity: number) => {
    change.reset();
    update(key, { quantity });
  };
  /** Adds a product that is sold in its unit, or one in a size. */
  const add = (picked: Goods) => {
    const item = addedItem(picked, nearestOffered(minimumOf(picked), picked));
    const known = items.find((each) => itemKey(each) === itemKey(item));
    if (known) return setQuantity(itemKey(known), Math.max(known.quantity, item.quantity));
    change.reset();
    setItems([...items, item]);
  };
  const save = () => {
    if (!isChanged(items)) return onClose();
    const sent = toChangedItems(items, goods);
    change.mutate(
      { items: sent, expectedVersion: base.version },
      {
        onSuccess: () => {
          toast.success(t('Your order is changed'));
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
    <ActionDialog
      title={t('Change order')}
      description={t('{farm} is told the difference at once.', { farm })}
      label={t('Save changes')}
      pending={change.isPending}
      disabled={isEmpty}
      onAction={save}
      onClose={onClose}
      summary={
        <>
          <TotalChange before={base} after={totalOfItems(base, items, goods)} />
          {isEmpty && (
            <p className="text-sm text-ink-soft">
              {order.status === 'pending'
                ? t('Keep at least one product, or cancel the order.')
                : t('Keep at least one product.')}
            </p>
          )}
        </>
      }
    >
      {paused && (
        <Alert kind="info" className="mb-4">
          <p>{t('The farm takes no orders just now, so you can only take things off.')}</p>
          <p>{paused}</p>
        </Alert>
      )}
      <ErrorAlert error={change.error} className="mb-4" />
      <ul className="divide-y divide-hairline">
        {items.map((item) => (
          <Item
            key={itemKey(item)}
            item={item}
            items={items}
            goods={goods.get(item.productId)}
            day={date}
            mayAdd={!paused}
            problem={change.isError ? refused.get(itemKey(item)) : undefined}
            onQuantity={(quantity) => setQuantity(itemKey(item), quantity)}
          >
            {item.lines.length === 0 && (
              <PreferenceField
                name={nameWithSize(item.name, item.size)}
                productId={item.productId}
                farmId={farmId}
                value={item.preference ?? defaultPreference}
                onChange={(preference) => update(itemKey(item), { preference })}
                className="col-span-3 sm:col-span-2 sm:col-start-2"
              />
            )}
          </Item>
        ))}
      </ul>
      {!paused && (
        <AddItem
          farmId={farmId}
          farm={farm}
          day={date}
          keys={new Set(left.map(itemKey))}
          onAdd={add}
        />
      )}
    </ActionDialog>
  );
}

/** The same wishes over an order that somebody else changed meanwhile. */
function rebased(drafts: readonly ItemDraft[], order: Order): ItemDraft[] {
  const wanted = new Map(drafts.map((draft) => [itemKey(draft), draft]));
  const present = itemsOfOrder(order);
  const known = new Set(present.map(itemKey));
  return [
    ...present.map((item) => {
      const draft = wanted.get(itemKey(item));
      const isOwn = draft !== undefined && draft.quantity !== presentOf(draft);
      return isOwn ? { ...item, quantity: draft.quantity } : item;
    }),
    ...drafts.filter((draft) => !known.has(itemKey(draft)) && draft.lines.length === 0),
  ];
}

function Item({
  item,
  items,
  goods,
  day,
  mayAdd,
  problem,
  onQuantity,
  children,
}: {
  item: ItemDraft;
  /** The whole list: the sizes of a product share its stock. */
  items: readonly ItemDraft[];
  goods: Goods | undefined;
  /** The order's. */
  day: string;
  mayAdd: boolean;
  problem: string | undefined;
  onQuantity: (quantity: number) => void;
  children: ReactNode;
}) {
  const { quantity } = item;
  const name = nameWithSize(item.name, item.size);
  const present = presentOf(item);
  const isRemoved = quantity === 0;
  const { minor, isFinal } = itemCost(item, goods);
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 py-3 first:pt-0">
      <Thumbnail name={item.name} image={item.image} isGone={isRemoved} />
      <p className="min-w-0 text-sm">
        {isRemoved ? (
          <s className="text-ink-soft">{name}</s>
        ) : (
          <span className="font-semibold">{name}</span>
        )}
        <span className="block text-ink-soft">
          {formatMoney(priceOf(item, goods))} {perUnit(pricedUnit(item))}
          {item.lines.length === 0 && ` · ${t('added')}`}
          {item.lines.length > 0 &&
            quantity !== present &&
            !isRemoved &&
            ` · ${t('it was {quantity}', { quantity: formatCount(present) })}`}
        </span>
      </p>
      <Money
        amount={fromMinor(minor)}
        isEstimate={!isFinal}
        className="text-end text-sm font-semibold"
      />
      <div className="col-span-3 flex items-center justify-between gap-2 sm:col-span-2 sm:col-start-2">
        {isRemoved ? (
          <Button variant="secondary" icon={<RotateCcw />} onClick={() => onQuantity(present)}>
            {rich('Put back<span> {name}</span>', {
              name,
              span: (inner) => <span className="sr-only">{inner}</span>,
            })}
          </Button>
        ) : (
          <>
            <QuantityInput
              label={t('Quantity of {name}', { name })}
              value={quantity}
              steps={stepsOfItem(item, goods)}
              max={mayAdd ? mostOfItem(item, items, goods, day) : presentOf(item)}
              onChange={onQuantity}
            />
            <Button
              variant="quiet"
              size="icon"
              aria-label={t('Remove {name}', { name })}
              onClick={() => onQuantity(0)}
              className="text-ink-soft"
            >
              <Trash2 className="size-5" />
            </Button>
          </>
        )}
      </div>
      {children}
      {goods?.availableUntil && !isHadOn(goods, day) && (
        <p className="col-span-3 text-sm text-ink-soft">
          {onlyUntil({ day: goods.availableUntil, name })}
        </p>
      )}
      {problem && (
        <p className="col-span-3 text-sm font-medium text-tomato" role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}

const CLOCK_STEP_MS = 15_000;

/** The button with which a consumer changes an own order, until the farm's cut-off and before it is packed. */
export function ChangeOrder({
  order,
  handoff,
}: {
  order: Order;
  /** The farm's; undefined until it is known. */
  handoff: ChangeTerms | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow(CLOCK_STEP_MS);
  const today = dayIn(handoff?.timeZone, now);
  if (!mayChangeItems(order) && !isOpen) return null;
  if (!handoff) return <Placeholder />;
  const inTime = isInTime(order, handoff, now);
  const time = formatMoment(changesUntil(order, handoff), today);
  return (
    <div data-print="hide" className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      {inTime ? (
        <>
          <Button variant="secondary" icon={<PencilLine />} onClick={() => setOpen(true)}>
            {t('Change order')}
          </Button>
          <p className="text-sm text-ink-soft">{t('You can change it until {time}.', { time })}</p>
        </>
      ) : (
        <p className="text-sm text-ink-soft">
          {t('It could be changed until {time}. Write to the farm if something is wrong.', {
            time,
          })}
        </p>
      )}
      {isOpen && (
        <ChangeItemsDialog
          order={order}
          paused={pauseSentence(handoff, now)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** Keeps the room of the button until the farm's cut-off is known. */
const Placeholder = () => (
  <div aria-hidden="true" className="invisible mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
    <Button variant="secondary" icon={<PencilLine />} disabled>
      {t('Change order')}
    </Button>
    <p className="text-sm">{t('You can change it until {time}.', { time: '000 00:00' })}</p>
  </div>
);
