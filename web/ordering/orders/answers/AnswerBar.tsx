import { useAtom, useAtomValue } from 'jotai';
import { CircleCheck, CloudOff, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { connectionAtom } from '../../../platform/api/connection.ts';
import { plural } from '../../../platform/format/format.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { pin } from '../../../platform/ui/feedback/pinned.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { OrderId } from '../../model/OrderId.tsx';
import { refusedAnswersAtom } from './answer-toasts.ts';
import { type QueuedAnswer, queuedAnswersAtom } from './queued-answers.ts';

/**
 * The bar at the bottom of the farmer's orders: accepts what is ticked, and for a few seconds takes back
 * what was accepted last. Renders nothing while there is neither.
 */
export function AnswerBar({
  ticked,
  onAccept,
  onClear,
  onUndo,
}: {
  ticked: number;
  onAccept: () => void;
  onClear: () => void;
  onUndo: (held: QueuedAnswer) => void;
}) {
  const held = useAtomValue(queuedAnswersAtom);
  const { state } = useAtomValue(connectionAtom);
  const last = held.findLast((answer) => answer.state !== 'sending');
  const isUnsent = held.some((answer) => answer.state === 'unsent');
  const isOffline = isUnsent || (last !== undefined && state === 'offline');
  const count = held.reduce((sum, { orders }) => sum + orders.length, 0);
  return (
    <div
      ref={pin}
      data-print="hide"
      className="pointer-events-none pinned mt-4 grid justify-items-center gap-2 *:last:mb-3"
    >
      <div role="status" className={last ? boxClass : 'sr-only'}>
        {last && (
          <>
            {isOffline ? (
              <CloudOff aria-hidden="true" className="size-5 shrink-0 text-orange-ink" />
            ) : (
              <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-leaf" />
            )}
            <span className="min-w-0 grow">
              {isOffline
                ? `${plural(count, 'order')} not sent yet. We'll send ${count === 1 ? 'it' : 'them'} when you're back.`
                : heldWords(last)}
            </span>
            <Button size="sm" variant="quiet" icon={<Undo2 />} onClick={() => onUndo(last)}>
              {isUnsent ? 'Take back' : 'Undo'}
            </Button>
          </>
        )}
      </div>
      {ticked > 0 && (
        <div className={boxClass}>
          <span className="min-w-0 grow font-medium">{ticked} selected</span>
          <Button size="sm" variant="quiet" onClick={onClear}>
            Clear
          </Button>
          <Button icon={<CircleCheck />} onClick={onAccept}>
            Accept {ticked}
          </Button>
        </div>
      )}
    </div>
  );
}

const boxClass =
  'pointer-events-auto flex w-full max-w-lg animate-fade-in items-center gap-3 rounded border border-outline bg-raised px-3 py-2 text-sm shadow-float';

function heldWords({ orders, status }: QueuedAnswer): string {
  const [order] = orders;
  return orders.length === 1 && order
    ? `${order.consumer.name}'s order ${status}.`
    : `${plural(orders.length, 'order')} ${status}.`;
}

/** Says line by line which orders could not be accepted, until that is dismissed or left. */
export function RefusedOrders() {
  const [refused, setRefused] = useAtom(refusedAnswersAtom);
  useEffect(() => () => setRefused([]), [setRefused]);
  if (refused.length === 0) return null;
  return (
    <Alert kind="warning" className="mt-2">
      <p className="font-medium">{plural(refused.length, 'order')} could not be accepted.</p>
      <ul className="mt-1 grid gap-1">
        {refused.map(({ order, message }) => (
          <li key={order._id}>
            {order.consumer.name} <OrderId order={order} />: {message}
          </li>
        ))}
      </ul>
      <Button size="sm" variant="secondary" onClick={() => setRefused([])} className="mt-2">
        Got it
      </Button>
    </Alert>
  );
}
