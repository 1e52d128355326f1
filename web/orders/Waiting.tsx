import { Hourglass } from 'lucide-react';
import { UNANSWERED_MINUTES } from '#contract/orders';
import { formatWait } from '../lib/format.ts';
import { useNow } from '../lib/use-now.ts';
import { Badge } from '../ui/Badge.tsx';

/** How long an order has waited for its answer, counting on; red once that is too long. */
export function Waiting({ since, className }: { since: string; className?: string }) {
  const waited = useNow(15_000) - new Date(since).getTime();
  const tooLong = waited >= UNANSWERED_MINUTES * 60_000;
  return (
    <Badge
      tone={tooLong ? 'tomato' : 'straw'}
      icon={<Hourglass aria-hidden="true" />}
      className={className}
    >
      <span className="sr-only">Waiting for </span>
      {formatWait(waited)}
    </Badge>
  );
}
