import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { SetPreference } from '#contract/ordering/changes/order-changes';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { SHORTAGE_PREFERENCES, type ShortagePreference } from '#contract/platform/orders/constants';
import {
  nameWithSize,
  pricedUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { listOf } from '#contract/platform/text/constants/formats';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { isProductFound } from '../../catalogue/model/found.ts';
import { PREFERENCE_WORDS } from '../../people/model/preference-words.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useDebounced } from '../../platform/hooks/use-debounced.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { Select } from '../../platform/ui/fields/controls.tsx';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { NotLoaded } from '../model/ActionDialog.tsx';
import { presentLines } from '../model/order-items.ts';
import { goodsQuery, useSetPreference } from './queries.ts';
import type { Goods } from './rules.ts';

/**
 * The choice of what becomes of a line that the farm runs short of. "This instead" asks for a product of the same
 * farm and is chosen once that is.
 */
export function PreferenceField({
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
  value: SetPreference;
  onChange: (preference: SetPreference) => void;
  className?: string;
}) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div className={className}>
      <Field
        label={rich('If it runs short<span>: {name}</span>', {
          name,
          span: (inner) => <span className="sr-only">{inner}</span>,
        })}
      >
        <Select
          value={value.onShort}
          onChange={({ target }) => {
            const onShort = target.value as ShortagePreference;
            if (onShort === 'specific') setPicking(true);
            else onChange({ onShort });
          }}
        >
          {SHORTAGE_PREFERENCES.map((preference) => (
            <option key={preference} value={preference}>
              {writeMessage(PREFERENCE_WORDS[preference])}
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
          title={t('Instead of {name}', { name })}
          description={t('If it runs short, the farm can offer you this at its price.')}
        >
          <ProductPicker
            farmId={farmId}
            label={t('Instead of {name}', { name })}
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
        {name ?? (data ? t('The farm no longer has what you named.') : '\u00a0')}
      </span>
      <Button size="sm" variant="quiet" onClick={onChange}>
        {t('Choose another')}
      </Button>
    </p>
  );
}

/** Whether the consumer can still say what to do if the farm runs short: the order is open and not packed yet. */
const mayPreference = ({ status, packing }: Order): boolean =>
  isOpenStatus(status) && packing === 'none';

/** What the consumer of an order wishes for each line that runs short; folded, because it is seldom changed. */
export function LinePreferences({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const setWish = useSetPreference(order._id);
  if (!mayPreference(order)) return null;
  return (
    <div data-print="hide" className="mt-3">
      <Button
        variant="quiet"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
        icon={<ChevronDown className={cn('transition-transform', isOpen && 'rotate-180')} />}
        className="-ms-3"
      >
        {t('If something runs short')}
      </Button>
      <ul id={panelId} hidden={!isOpen} className="mt-2 grid gap-4 sm:grid-cols-2">
        {isOpen &&
          presentLines(order.items).map((line: OrderLine) => (
            <li key={line._id} className="grid gap-1 text-sm">
              <span className="font-medium">{nameWithSize(line.product.name, line.size)}</span>
              <PreferenceField
                name={nameWithSize(line.product.name, line.size)}
                productId={line.product._id}
                farmId={order.farmer._id}
                value={line}
                onChange={(preference) => setWish.mutate({ lineId: line._id, ...preference })}
              />
            </li>
          ))}
      </ul>
    </div>
  );
}

/** How many products are shown before one searches. */
const SHOWN_MAX = 40;
const SEARCH_DELAY_MS = 250;

/** A farm's products to choose one from, with a search. */
export function ProductPicker({
  farmId,
  label,
  arrange,
  hintOf,
  onPick,
}: {
  farmId: string;
  /** The accessible name of the list. */
  label: string;
  /** Returns the products that can be chosen, the fittest first. */
  arrange: (goods: readonly Goods[]) => readonly Goods[];
  /** A few words about a product, such as why it fits. */
  hintOf?: (goods: Goods) => string | undefined;
  onPick: (goods: Goods) => void;
}) {
  const [text, setText] = useState('');
  const words = text.trim();
  const search = useDebounced(words, SEARCH_DELAY_MS);
  const all = useQuery(goodsQuery(farmId));
  // What the first answer has no room for, only the server can find.
  const found = useQuery({ ...goodsQuery(farmId, search), enabled: search !== '' });
  const goods = uniqueById([...(all.data ?? []), ...(found.data ?? [])]);
  const chosen = arrange(goods).filter((each) => isProductFound(each, words));
  return (
    <div className="grid gap-2">
      <SearchInput
        label={t('Search: {label}', { label })}
        placeholder={t('Search')}
        value={text}
        onChange={setText}
      />
      {all.data === undefined ? (
        <NotLoaded query={all}>
          <SkeletonRows rows={3} />
        </NotLoaded>
      ) : chosen.length === 0 ? (
        <p className="py-2 text-sm text-ink-soft">
          {words === '' ? t('There is nothing to choose from.') : t('No product matches.')}
        </p>
      ) : (
        <ul
          aria-label={label}
          className="max-h-72 divide-y divide-hairline overflow-y-auto rounded border border-hairline bg-surface"
        >
          {chosen.slice(0, SHOWN_MAX).map((each) => {
            const hint = hintOf?.(each);
            return (
              <li key={each._id}>
                <button
                  type="button"
                  onClick={() => onPick(each)}
                  className="flex min-h-14 w-full items-center gap-3 px-3 py-2 text-start text-sm hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <Picture
                    src={each.images[0]}
                    alt=""
                    ground={each.name}
                    sizes="40px"
                    className="size-10 shrink-0 rounded-xs"
                  />
                  <span className="min-w-0 grow">
                    <span dir="auto" className="block truncate font-medium">
                      {each.name}
                    </span>
                    <span className="block text-ink-soft">
                      {listOf(
                        [
                          ...(each.availability === 'always'
                            ? []
                            : [
                                t('{quantity} left', {
                                  quantity: formatQuantity(
                                    each.quantityAvailable,
                                    quantityUnit(each),
                                  ),
                                }),
                              ]),
                          ...(hint ? [hint] : []),
                        ],
                        'unit',
                      )}
                    </span>
                  </span>
                  {each.sizes ? (
                    rich('from {price}', { price: <Money amount={each.price} /> })
                  ) : (
                    <Money amount={each.price} per={pricedUnit(each)} />
                  )}
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

const uniqueById = (goods: readonly Goods[]): Goods[] => [
  ...new Map(goods.map((each) => [each._id, each])).values(),
];
