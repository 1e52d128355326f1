import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { STOCK_BATCH_MAX } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { sortByName } from '#contract/platform/text/constants/names';
import { t } from '#contract/platform/text/constants/texts';
import { useSearchParam } from '../../../platform/hooks/use-search-param.ts';
import { useStableCallback, useTicks } from '../../../platform/hooks/use-stable-callback.ts';
import { LeaveGuard } from '../../../platform/ui/dialogs/LeaveGuard.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { Checkbox } from '../../../platform/ui/fields/controls.tsx';
import { DiscardContext } from '../../../platform/ui/form/draft.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { mergeProduct } from '../events.ts';
import { BulkBar } from './BulkBar.tsx';
import { type BulkChange, bulkChangesOf, bulkProblem } from './bulk.ts';
import { StockRow } from './StockRow.tsx';
import { sendStock, stockSaver } from './stock-saver.ts';

const changedWords = (count: number): string =>
  t('{count, plural, one {# product} other {# products}} changed.', { count });

/** What a toast says of so many products. */
const done: Record<BulkChange['kind'], (count: number) => string> = {
  hide: (count) => t('{count, plural, one {# product} other {# products}} hidden.', { count }),
  show: (count) => t('{count, plural, one {# product} other {# products}} shown.', { count }),
  soldOut: (count) => t('{count, plural, one {# product} other {# products}} sold out.', { count }),
  stock: changedWords,
  price: changedWords,
};

/** Every product of the farm in one dense list, to change stock, price and visibility in place. */
export default function StockView({
  products,
  onShort,
}: {
  products: readonly Product[];
  /** Opens what to do when there is less of a product than was ordered; the same function each time. */
  onShort?: ((product: Product) => void) | undefined;
}) {
  const cache = useQueryClient();
  useEffect(() => saveWithPage(cache), [cache]);
  const hasProblem = useSyncExternalStore(stockSaver.subscribe, stockSaver.hasProblem);
  const rows = sortByName(products, ({ name }) => name);
  const { ticked, isTicked, toggle, setAll } = useTicks(rows);
  const [isPending, setPending] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const fieldRef = useFieldOfProduct();

  const changeAll = async (shown: readonly Product[], change: BulkChange) => {
    setPending(true);
    setRefused([]);
    // What was typed comes first: a price that rises by 10 % is the typed one.
    const stored = new Map((await stockSaver.saveAll()).map((product) => [product._id, product]));
    const changed = shown.map((product) => stored.get(product._id) ?? product);
    // Each product once, also where several of its sizes are refused.
    const problems = new Map<string, string>();
    const changes = changed.flatMap((product) => {
      const problem = bulkProblem(product, change);
      if (problem === undefined) return bulkChangesOf(product, change);
      problems.set(product._id, problem);
      return [];
    });
    try {
      for (let start = 0; start < changes.length; start += STOCK_BATCH_MAX) {
        for (const result of await sendStock(changes.slice(start, start + STOCK_BATCH_MAX))) {
          if ('product' in result) mergeProduct(cache, result.product);
          else {
            if (result.current) mergeProduct(cache, result.current);
            problems.set(result._id, result.message);
          }
        }
      }
      const count = changed.length - problems.size;
      if (count > 0) toast.success(done[change.kind](count));
    } catch (error) {
      toastError(error);
    } finally {
      setRefused([...problems.values()]);
      setPending(false);
    }
  };
  const changeVisibility = useStableCallback((product: Product, isActive: boolean) => {
    void changeAll([product], { kind: isActive ? 'show' : 'hide' });
  });

  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-x-4">
        <Checkbox
          label={t('Select all {count, number}', { count: rows.length })}
          checked={rows.length > 0 && ticked.length === rows.length}
          onChange={(event) => setAll(event.target.checked)}
          className="ps-2.5"
        />
        <span className="ms-auto text-sm text-ink-soft">{t('Each row saves itself.')}</span>
      </div>
      {refused.length > 0 && (
        <Alert kind="error" className="mb-3">
          <p className="font-medium">
            {t('{count, plural, one {# product} other {# products}} did not change.', {
              count: refused.length,
            })}
          </p>
          <ul className="mt-1 grid gap-1">
            {refused.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
          <Button size="sm" variant="secondary" onClick={() => setRefused([])} className="mt-2">
            {t('Got it')}
          </Button>
        </Alert>
      )}
      <ul
        aria-label={t('Stock')}
        // The columns are the list's, so that a size's price stands among the other prices.
        className="divide-y divide-hairline overflow-hidden rounded border border-hairline sm:grid sm:grid-cols-[2.5rem_minmax(0,1fr)_repeat(5,auto)]"
      >
        {rows.map((product) => (
          <StockRow
            key={product._id}
            product={product}
            isTicked={isTicked(product)}
            onTick={toggle}
            onVisible={changeVisibility}
            onShort={onShort}
            fieldRef={fieldRef(product)}
          />
        ))}
      </ul>
      <BulkBar
        products={ticked}
        isPending={isPending}
        onChange={(change) => void changeAll(ticked, change)}
        onClear={() => setAll(false)}
      />
      <DiscardContext value={stockSaver.discardRefused}>
        <LeaveGuard when={hasProblem} />
      </DiscardContext>
    </>
  );
}

/** Saves what is typed also when the page is hidden, closed or left. */
function saveWithPage(cache: QueryClient): () => void {
  const saveAll = () => void stockSaver.saveAll();
  const onHidden = () => {
    if (document.visibilityState === 'hidden') saveAll();
  };
  stockSaver.watch(cache);
  window.addEventListener('pagehide', saveAll);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    window.removeEventListener('pagehide', saveAll);
    document.removeEventListener('visibilitychange', onHidden);
    saveAll();
  };
}

/** Returns a ref for the field of the product in `?product=`, which gets the focus once. */
function useFieldOfProduct() {
  const [wanted] = useSearchParam('product');
  const focused = useRef('');
  const focus = useStableCallback((field: HTMLInputElement | null) => {
    if (!field || focused.current === wanted) return;
    focused.current = wanted;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center' });
  });
  return ({ _id }: Product) => (_id === wanted ? focus : undefined);
}
