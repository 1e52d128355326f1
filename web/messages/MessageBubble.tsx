import { Check, CheckCheck, CircleAlert, Clock, CloudOff, RotateCw, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAuth } from '../auth/use-auth.ts';
import { shortId } from '../lib/format.ts';
import { cn } from '../ui/cn.ts';
import { Button } from '../ui/primitives/Button.tsx';
import { Time } from '../ui/primitives/Time.tsx';
import { splitLinks } from './links.ts';
import type { Bubble, Delivery } from './thread-rows.ts';

const deliveries: Record<Delivery, { icon: typeof Check; label: string }> = {
  sending: { icon: Clock, label: 'Sending' },
  waiting: { icon: CloudOff, label: 'Waiting for a connection' },
  failed: { icon: CircleAlert, label: 'Not sent' },
  sent: { icon: Check, label: 'Sent' },
  read: { icon: CheckCheck, label: 'Read' },
};

/**
 * One message. The user's own show their delivery state: what waits for the line goes out by itself, what
 * was refused says why and can be retried.
 */
export function MessageBubble({
  bubble,
  isFirstOfGroup,
  onRetry,
  onDiscard,
}: {
  bubble: Bubble;
  isFirstOfGroup: boolean;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
}) {
  const { isOwn, delivery } = bubble;
  const hasFailed = delivery === 'failed';
  const isWaiting = delivery === 'waiting';
  return (
    <li
      className={cn(
        'flex flex-col gap-1',
        isOwn ? 'items-end' : 'items-start',
        isFirstOfGroup ? 'mt-3' : 'mt-1',
      )}
    >
      <div
        data-own={isOwn ? '' : undefined}
        className={cn(
          'max-w-[min(34rem,85%)] rounded border border-transparent px-3.5 py-2',
          isOwn ? 'bg-leaf-soft text-ink' : 'bg-sunken text-ink',
          (delivery === 'sending' || isWaiting) && 'opacity-75',
          hasFailed && 'bg-tomato-soft text-tomato-ink',
        )}
      >
        {bubble.author && isFirstOfGroup && (
          <p className="text-xs font-medium text-ink-soft">{bubble.author.name}</p>
        )}
        <span className="sr-only">{isOwn ? 'You: ' : 'They: '}</span>
        {bubble.relatedOrder !== undefined && <AboutOrder id={bubble.relatedOrder} />}
        <p className="whitespace-pre-wrap wrap-anywhere">
          <MessageText content={bubble.content} />
        </p>
        <p className="mt-0.5 flex items-center justify-end gap-1 text-xs text-ink-soft">
          <Time value={bubble.createdAt} as="time" className="tabular" />
          {delivery && <DeliveryMark delivery={delivery} />}
        </p>
      </div>
      {hasFailed && bubble.refusal && (
        <p className="max-w-[min(34rem,85%)] text-xs text-tomato-ink">{bubble.refusal}</p>
      )}
      {(hasFailed || isWaiting) && (
        <div className="flex flex-wrap items-center gap-1">
          {hasFailed ? (
            <Button
              variant="quiet"
              size="sm"
              icon={<RotateCw />}
              onClick={() => onRetry(bubble._id)}
            >
              Not sent. Tap to try again
            </Button>
          ) : (
            <p className="text-xs text-ink-soft">Not sent yet. We'll send it when you're back.</p>
          )}
          <Button
            variant="danger-quiet"
            size="sm"
            icon={<Trash2 />}
            onClick={() => onDiscard(bubble._id)}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}

function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, label } = deliveries[delivery];
  return (
    <span title={label} className={cn(delivery === 'read' && 'text-leaf')}>
      <Icon aria-hidden="true" className="size-4" />
      <span className="sr-only">{label}</span>
    </span>
  );
}

function MessageText({ content }: { content: string }): ReactNode {
  let at = 0;
  return splitLinks(content).map(({ text, href }) => {
    at += text.length;
    return href === undefined ? (
      text
    ) : (
      <a
        key={at}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="link"
      >
        {text}
      </a>
    );
  });
}

function AboutOrder({ id }: { id: string }) {
  const { user } = useAuth();
  return (
    <p className="text-xs">
      <Link
        href={user?.role === 'admin' ? `/admin/orders/${id}` : `/orders/${id}`}
        className="link inline-flex items-center font-medium pointer-coarse:min-h-11"
      >
        About order {shortId(id)}
      </Link>
    </p>
  );
}
