import { useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import type { PickView } from '../work/fold.ts';
import type { QueuedWork } from '../work/queued-work.ts';
import type { RenderShort } from './PackOrderPanel.tsx';
import { PackOrders } from './PackOrders.tsx';
import { PackProducts } from './PackProducts.tsx';

/** Packing: one order at a time, or one product over all orders beside the scale. */
export function PackView({
  view,
  queued,
  mayPack,
  renderShort,
}: {
  view: PickView;
  queued: readonly QueuedWork[];
  mayPack: boolean;
  renderShort?: RenderShort | undefined;
}) {
  const [by, setBy] = useSearchParamChoice('by', ['order', 'product'], 'order');
  return (
    <section aria-label="Packing" className="grid grid-cols-1 gap-3">
      <FilterBar
        label="Pack by"
        options={[
          { value: 'order', label: 'By order' },
          { value: 'product', label: 'By product' },
        ]}
        value={by}
        onChange={setBy}
      />
      {by === 'order' ? (
        <PackOrders view={view} queued={queued} mayPack={mayPack} renderShort={renderShort} />
      ) : (
        <PackProducts view={view} queued={queued} mayPack={mayPack} />
      )}
    </section>
  );
}
