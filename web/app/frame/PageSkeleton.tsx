import type { PageShape } from '#contract/edge/constants';
import { Spinner } from '../../platform/ui/feedback/Spinner.tsx';

const BLOCKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

/**
 * Stands in for a page while its file is fetched, in the page's rough shape, which `frame.css` lays
 * out. `hasSpinner` shows a spinner over it, while the session is being checked.
 */
export function PageSkeleton({
  shape = 'rows',
  hasSpinner = false,
}: {
  shape?: PageShape | undefined;
  hasSpinner?: boolean;
}) {
  return (
    <div role="status" className="relative animate-late">
      <span className="sr-only">Loading</span>
      <div aria-hidden="true" className="page-skeleton" data-shape={shape}>
        {BLOCKS.map((block) => (
          <span key={block} className="skeleton" />
        ))}
      </div>
      {hasSpinner && (
        <div className="absolute inset-x-0 top-0 grid h-[60dvh] place-items-center text-leaf">
          <Spinner className="size-9" />
        </div>
      )}
    </div>
  );
}
