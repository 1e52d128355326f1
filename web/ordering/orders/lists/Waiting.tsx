import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import { marketQuery } from '../../../platform/format/market.ts';
import { formatWait } from '../../../platform/format/near-day.ts';
import { useNow } from '../../../platform/hooks/use-now.ts';
import { Badge } from '../../../platform/ui/primitives/Badge.tsx';

/** The live waiting time of an order, red once the market's limit is exceeded. `isShort` leaves minutes out of hours. */
export function Waiting({
  since,
  isShort = false,
  className,
}: {
  since: string;
  isShort?: boolean;
  className?: string;
}) {
  const waited = useNow(15_000) - new Date(since).getTime();
  const { data: market } = useQuery(marketQuery());
  // The server defines the limit; until it is loaded, no wait is too long.
  const tooLong = market !== undefined && waited >= market.unansweredMinutes * 60_000;
  return (
    <Badge
      tone={tooLong ? 'tomato' : 'straw'}
      icon={<Hourglass aria-hidden="true" />}
      className={className}
    >
      <span className="sr-only">Waiting for </span>
      {formatWait(waited, { isShort })}
    </Badge>
  );
}
