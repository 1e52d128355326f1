import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { plural } from '../../../platform/format/format.ts';
import { shortageProgressQuery } from '../queries.ts';

/** How many orders of a shortage are done, while they are asked one by one. */
export function ShortageProgress({
  id,
  name,
  isRunning,
}: {
  id: string;
  /** The product's. */
  name: string;
  isRunning: boolean;
}) {
  const labelId = useId();
  const { data } = useQuery(shortageProgressQuery(id, isRunning));
  const { done = 0, total } = data ?? {};
  return (
    <div className="grid gap-2">
      <p id={labelId} className="tabular font-medium" aria-live="polite">
        {total === undefined
          ? `Sharing ${name} …`
          : `${name}: ${done} of ${plural(total, 'order')} done`}
      </p>
      <progress
        aria-labelledby={labelId}
        value={total === undefined ? undefined : done}
        max={total ?? 1}
        className="h-2 w-full accent-leaf"
      />
    </div>
  );
}
