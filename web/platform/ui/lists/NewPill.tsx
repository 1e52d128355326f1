import { ArrowUp } from 'lucide-react';
import { formatCount } from '#contract/platform/text/constants/locale';

/** Shows how many new items are deferred above a scrolled list, and scrolls to the top. */
export function NewPill({
  count,
  onShow,
}: {
  count: number;
  /** Inserts the new items, for lists that do not do so at the top. */
  onShow?: () => void;
}) {
  // The live region is rendered before its text, so that screen readers announce the text.
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
