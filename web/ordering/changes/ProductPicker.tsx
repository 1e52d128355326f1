import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { useDebounced } from '../../platform/hooks/use-debounced.ts';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { SearchInput } from '../../platform/ui/fields/SearchInput.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { goodsQuery } from './queries.ts';
import type { Goods } from './rules.ts';

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
  const words = text.trim().toLowerCase();
  const search = useDebounced(words, SEARCH_DELAY_MS);
  const all = useQuery(goodsQuery(farmId));
  // What the first answer has no room for, only the server can find.
  const found = useQuery({ ...goodsQuery(farmId, search), enabled: search !== '' });
  const goods = uniqueById([...(all.data ?? []), ...(found.data ?? [])]);
  const chosen = arrange(goods).filter(({ name }) => name.toLowerCase().includes(words));
  return (
    <div className="grid gap-2">
      <SearchInput
        label={`Search: ${label}`}
        placeholder="Search"
        value={text}
        onChange={setText}
      />
      {all.data === undefined ? (
        all.error ? (
          <ErrorState error={all.error} onRetry={all.refetch} pending={all.isFetching} />
        ) : (
          <SkeletonRows rows={3} />
        )
      ) : chosen.length === 0 ? (
        <p className="py-2 text-sm text-ink-soft">
          {words === '' ? 'There is nothing to choose from.' : 'No product matches.'}
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
                  className="flex min-h-14 w-full items-center gap-3 px-3 py-2 text-left text-sm hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <Picture
                    src={each.images[0]}
                    alt=""
                    ground={each.name}
                    sizes="40px"
                    className="size-10 shrink-0 rounded-xs"
                  />
                  <span className="min-w-0 grow">
                    <span className="block truncate font-medium">{each.name}</span>
                    <span className="block text-ink-soft">
                      {formatQuantity(
                        each.quantityAvailable,
                        each.pieceWeight ? 'each' : each.unit,
                      )}{' '}
                      left{hint && ` · ${hint}`}
                    </span>
                  </span>
                  <Money amount={each.price} per={each.unit} />
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
