import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import type { Order } from '#contract/ordering/orders/orders';
import { formatUntil } from '../../farm/model/handoff.ts';
import { useNow, useToday } from '../../platform/hooks/use-now.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ChangeItemsDialog } from './ChangeItemsDialog.tsx';
import type { OnChanged } from './commands.ts';
import { type ChangeTerms, changesUntil, isInTime, mayChangeItems } from './items.ts';

const CLOCK_STEP_MS = 15_000;

/** The button with which a buyer changes an own order, until the farm's cut-off and before it is packed. */
export function ChangeOrder({
  order,
  handoff,
  onChanged,
}: {
  order: Order;
  /** The farm's; undefined until it is known. */
  handoff: ChangeTerms | undefined;
  onChanged: OnChanged;
}) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow(CLOCK_STEP_MS);
  const today = useToday();
  if (!mayChangeItems(order) && !isOpen) return null;
  if (!handoff) return <Placeholder />;
  const inTime = isInTime(order, handoff, now);
  const until = formatUntil(changesUntil(order, handoff), today).replace(/^order /, '');
  return (
    <div data-print="hide" className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      {inTime ? (
        <>
          <Button variant="secondary" icon={<PencilLine />} onClick={() => setOpen(true)}>
            Change order
          </Button>
          <p className="text-sm text-ink-soft">You can change it {until}.</p>
        </>
      ) : (
        <p className="text-sm text-ink-soft">
          It could be changed {until}. Write to the farm if something is wrong.
        </p>
      )}
      {isOpen && (
        <ChangeItemsDialog order={order} onChanged={onChanged} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}

/** Keeps the room of the button until the farm's cut-off is known. */
const Placeholder = () => (
  <div aria-hidden="true" className="invisible mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
    <Button variant="secondary" icon={<PencilLine />} disabled>
      Change order
    </Button>
    <p className="text-sm">You can change it until Fri 6 PM.</p>
  </div>
);
