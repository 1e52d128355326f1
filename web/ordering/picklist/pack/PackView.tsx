import { useSearchParamChoice } from '../../../platform/hooks/use-search-param.ts';
import { FilterBar } from '../../../platform/ui/lists/FilterBar.tsx';
import type { PickView } from '../work/fold.ts';
import type { KeptWork } from '../work/kept-work.ts';
import type { RenderShort } from './PackOrderPanel.tsx';
import { PackOrders } from './PackOrders.tsx';
import { PackProducts } from './PackProducts.tsx';

/** Packing: one order at a time, or one product over all orders beside the scale. */
export function PackView({
  view,
  kept,
  mayPack,
  renderShort,
}: {
  view: PickView;
  kept: readonly KeptWork[];
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
        <PackOrders view={view} kept={kept} mayPack={mayPack} renderShort={renderShort} />
      ) : (
        <PackProducts view={view} kept={kept} mayPack={mayPack} />
      )}
    </section>
  );
}
