import { Radio, RefreshCw, WifiOff } from 'lucide-react';
import type { Connection } from '../lib/connection.ts';
import { formatTime } from '../lib/format.ts';
import { toneClass } from './Badge.tsx';
import { cn } from './cn.ts';

const looks = {
  live: { tone: 'leaf', icon: Radio, word: 'Live' },
  reconnecting: { tone: 'straw', icon: RefreshCw, word: 'Reconnecting' },
  offline: { tone: 'tomato', icon: WifiOff, word: 'Offline' },
} as const;

/**
 * Whether what one sees follows the market at this moment, and if not, since when. While the first
 * connection is being made it says nothing.
 */
export function ConnectionBadge({
  connection,
  className,
}: {
  connection: Connection;
  className?: string;
}) {
  const look = connection.state === 'connecting' ? undefined : looks[connection.state];
  return (
    <span role="status" className={cn('inline-flex', className)}>
      {look && (
        <span
          title={
            connection.state === 'live'
              ? 'What you see updates by itself'
              : `What you see is from ${formatTime(new Date(connection.since))}`
          }
          className={cn(
            'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-0.5 text-xs font-medium',
            toneClass[look.tone],
          )}
        >
          <look.icon
            aria-hidden="true"
            className={cn(
              'size-3.5',
              connection.state === 'reconnecting' && 'animate-spin motion-reduce:animate-none',
            )}
          />
          {look.word}
          {connection.state !== 'live' && ` since ${formatTime(new Date(connection.since))}`}
        </span>
      )}
    </span>
  );
}
