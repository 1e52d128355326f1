import { ArrowUp } from 'lucide-react';
import { formatCount } from '../lib/format.ts';

/** Tells that new ones wait above a list one has scrolled, and leads up to them. */
export function NewPill({
  count,
  onShow,
}: {
  count: number;
  /** Lets the new ones into the list, where being at its top does not. */
  onShow?: () => void;
}) {
  // The region stands before its words do, so that they are read aloud when they come.
  return (
    <div
      role="status"
      className="pointer-events-none sticky top-20 z-20 flex h-0 justify-center overflow-visible"
    >
      {count > 0 && (
        <button
          type="button"
          onClick={() => {
            onShow?.();
            window.scrollTo({ top: 0, behavior: 'smooth' });
          }}
          className="pointer-events-auto inline-flex h-9 items-center gap-1.5 rounded-full bg-leaf px-4 text-sm font-medium text-on-leaf shadow-float animate-pop-in hover:bg-leaf-strong pointer-coarse:h-11"
        >
          <ArrowUp aria-hidden="true" className="size-4" />
          {formatCount(count)} new
        </button>
      )}
    </div>
  );
}
