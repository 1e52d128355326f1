import { Radio, RefreshCw, WifiOff } from 'lucide-react';
import type { Connection } from '../../api/connection.ts';
import { formatTime } from '../../format/format.ts';
import { cn } from '../cn.ts';
import { toneClass } from '../primitives/Badge.tsx';

const styles = {
  live: { tone: 'leaf', icon: Radio, label: 'Up to date' },
  reconnecting: { tone: 'straw', icon: RefreshCw, label: 'Reconnecting' },
  offline: { tone: 'tomato', icon: WifiOff, label: 'Offline' },
} as const;

/**
 * Shows whether the page is updated live, and if not, since when. Shows nothing while connecting for
 * the first time.
 */
export function ConnectionBadge({
  connection,
  className,
}: {
  connection: Connection;
  className?: string;
}) {
  const style = connection.state === 'connecting' ? undefined : styles[connection.state];
  return (
    <span role="status" className={cn('inline-flex', className)}>
      {style && (
        <span
          title={
            connection.state === 'live'
              ? 'What you see updates by itself'
              : `What you see is from ${formatTime(new Date(connection.since))}`
          }
          className={cn(
            'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-0.5 text-xs font-medium',
            toneClass[style.tone],
          )}
        >
          <style.icon
            aria-hidden="true"
            className={cn(
              'size-3.5',
              connection.state === 'reconnecting' && 'animate-spin motion-reduce:animate-none',
            )}
          />
          {style.label}
          {connection.state !== 'live' && ` since ${formatTime(new Date(connection.since))}`}
        </span>
      )}
    </span>
  );
}
