import { Lock, LockOpen } from 'lucide-react';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { formatWallDate } from '#contract/platform/time/constants';
import { useHighlight } from '../../platform/queries/use-changes.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Spinner } from '../../platform/ui/feedback/Spinner.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { useUpdateSlot } from './commands.ts';
import { timesOf } from './rules.ts';
import { closedWord, loadOf } from './week.ts';

/** A slot in the farm's week: how full it is, opened by a press, and closed or opened by another one. */
export function SlotTile({
  slot,
  isPast,
  mayChange,
  onOpen,
}: {
  slot: FarmSlot;
  isPast: boolean;
  /** Whether the reader may close and open slots. */
  mayChange: boolean;
  onOpen: (slot: FarmSlot) => void;
}) {
  const load = loadOf(slot);
  const closed = closedWord(slot);
  const isHighlighted = useHighlight(`${slot.taken} ${slot.state}`, slot._id);
  return (
    <div
      data-slot={slot._id}
      className={cn(
        'flex min-h-14 overflow-hidden rounded border border-hairline bg-surface',
        closed && 'border-dashed border-outline bg-sunken',
        isHighlighted && 'animate-highlight',
      )}
    >
      <button
        type="button"
        onClick={() => onOpen(slot)}
        className="grid min-w-0 grow content-center gap-1 px-2 py-1.5 text-left text-sm hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span
          className={cn(
            'text-xs text-ink-soft',
            closed && 'line-through decoration-1',
            isPast && 'italic',
          )}
        >
          {timesOf(slot)}
        </span>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="tabular font-semibold">
            <span key={slot.taken} className="inline-block animate-tick">
              {load.text}
            </span>
            <span className="sr-only"> taken</span>
          </span>
          {load.over > 0 ? (
            <Badge tone="tomato">{load.over} over</Badge>
          ) : (
            load.isFull && <Badge tone="leaf">Full</Badge>
          )}
          {closed && <Badge>{closed}</Badge>}
        </span>
        {slot.capacity !== null && <LoadBar share={load.share} isOver={load.over > 0} />}
      </button>
      {mayChange && !isPast && slot.state !== 'cancelled' && <CloseButton slot={slot} />}
    </div>
  );
}

function LoadBar({ share, isOver }: { share: number; isOver: boolean }) {
  return (
    <svg
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="block h-1 w-full rounded-full"
    >
      <rect width="100" height="4" className="fill-hairline" />
      <rect width={share * 100} height="4" className={isOver ? 'fill-tomato' : 'fill-leaf'} />
    </svg>
  );
}

/** Closes an open slot and opens a closed one. The orders it has stay. */
function CloseButton({ slot }: { slot: FarmSlot }) {
  const update = useUpdateSlot();
  const isOpen = slot.state === 'open';
  const Icon = isOpen ? LockOpen : Lock;
  const when = `${timesOf(slot)} on ${formatWallDate(slot.date, 'weekday')}`;
  return (
    <button
      type="button"
      aria-label={`${isOpen ? 'Close' : 'Open'} ${when} at ${slot.place.name}`}
      aria-disabled={update.isPending || undefined}
      onClick={() => {
        if (update.isPending) return;
        update.mutate({ slotId: slot._id, change: { state: isOpen ? 'closed' : 'open' } });
      }}
      className={cn(
        'grid w-8 shrink-0 place-items-center border-l border-hairline text-ink-soft hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:w-12',
        !isOpen && 'text-tomato',
      )}
    >
      {update.isPending ? (
        <Spinner className="size-4" />
      ) : (
        <Icon aria-hidden="true" className="size-4" />
      )}
    </button>
  );
}
