import { useAtomValue } from 'jotai';
import { CloudOff, Undo2 } from 'lucide-react';
import { shortId } from '#contract/platform/http/constants';
import { connectionAtom } from '../../../platform/api/connection.ts';
import { capitalized } from '../../../platform/format/format.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { type QueuedAnswer, takeBack } from './queued-answers.ts';

/** Stands in place of an order's actions while its answer is on the way, and takes back what is not sent. */
export function QueuedNote({ held, orderId }: { held: QueuedAnswer; orderId: string }) {
  const { state } = useAtomValue(connectionAtom);
  const isWaiting = held.state === 'unsent' || (held.state === 'held' && state === 'offline');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <p role="status" className="flex items-center gap-2 text-ink-soft">
        {isWaiting && <CloudOff aria-hidden="true" className="size-5 shrink-0 text-orange-ink" />}
        {capitalized(held.status)}.{' '}
        {isWaiting ? "Not sent yet. We'll send it when you're back." : 'Sent in a moment.'}
      </p>
      {held.state === 'unsent' && (
        <Button
          size="sm"
          variant="quiet"
          icon={<Undo2 />}
          aria-label={`Take back the answer to order ${shortId(orderId)}`}
          onClick={() => takeBack(held.id)}
        >
          Take back
        </Button>
      )}
    </div>
  );
}
