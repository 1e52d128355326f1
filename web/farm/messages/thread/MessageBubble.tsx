import {
  Check,
  CheckCheck,
  CircleAlert,
  Clock,
  CloudOff,
  Ellipsis,
  Flag,
  RotateCw,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Message } from '#contract/farm/messages/messages';
import { shortId } from '#contract/platform/http/constants';
import {
  msg,
  type Message as TextMessage,
  t,
  writeMessage,
} from '#contract/platform/text/constants/texts';
import { useAuth } from '../../../platform/session/session.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { Menu, MenuItem } from '../../../platform/ui/dialogs/Menu.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import type { OutboxEntry } from '../outbox.ts';

/** The delivery state of the user's own message. */
type Delivery = OutboxEntry['state'] | 'sent' | 'read';

/** A message as its bubble shows it; `delivery` is set for the user's own messages. */
type Bubble = Pick<Message, '_id' | 'content' | 'createdAt' | 'relatedOrder' | 'author'> & {
  isOwn: boolean;
  delivery: Delivery | undefined;
  /** Why the server refused the message. */
  refusal?: string | undefined;
};

/** A row of a thread. */
type Row =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'message'; key: string; bubble: Bubble; isFirstOfGroup: boolean };

/** Messages of one person within this time form a group. */
const GROUP_MINUTES = 5;

function toBubble(message: Message, me: string): Bubble {
  const isOwn = message.sender._id === me;
  const delivery = message.isRead ? 'read' : 'sent';
  return { ...message, isOwn, delivery: isOwn ? delivery : undefined };
}

function isSameGroup(a: Bubble, b: Bubble): boolean {
  const minutes = (Date.parse(b.createdAt) - Date.parse(a.createdAt)) / 60_000;
  return a.isOwn === b.isOwn && a.author?._id === b.author?._id && minutes < GROUP_MINUTES;
}

/**
 * Returns the rows of a thread: the messages (given latest first) in time order, then unsent ones, with
 * a row where each day begins and one before the first unread message.
 */
export function threadRows(
  messages: readonly Message[],
  unsent: readonly OutboxEntry[],
  me: string,
  unreadFrom: string | undefined,
): Row[] {
  const bubbles = [
    ...messages.map((message) => toBubble(message, me)).reverse(),
    ...unsent.map((entry): Bubble => ({ ...entry, isOwn: true, delivery: entry.state })),
  ];
  const rows: Row[] = [];
  let before: Bubble | undefined;
  for (const bubble of bubbles) {
    const day = new Date(bubble.createdAt).toDateString();
    const isNewDay = !before || new Date(before.createdAt).toDateString() !== day;
    if (isNewDay) rows.push({ kind: 'day', key: `day ${day}`, at: bubble.createdAt });
    const isUnreadHere = bubble._id === unreadFrom;
    if (isUnreadHere) rows.push({ kind: 'unread', key: 'unread' });
    const isFirstOfGroup = isNewDay || isUnreadHere || !before || !isSameGroup(before, bubble);
    rows.push({ kind: 'message', key: bubble._id, bubble, isFirstOfGroup });
    before = bubble;
  }
  return rows;
}

const deliveries: Record<Delivery, { icon: typeof Check; label: TextMessage }> = {
  sending: { icon: Clock, label: msg('Sending') },
  waiting: { icon: CloudOff, label: msg('Waiting for a connection') },
  failed: { icon: CircleAlert, label: msg('Not sent') },
  sent: { icon: Check, label: msg('message|Sent') },
  read: { icon: CheckCheck, label: msg('message|Read') },
};

/**
 * One message. The user's own show their delivery state: what waits for the connection goes out by itself, what
 * was refused says why and can be retried.
 */
export function MessageBubble({
  bubble,
  otherName,
  isFirstOfGroup,
  onRetry,
  onDiscard,
  onReport,
}: {
  bubble: Bubble;
  /** What the other side is called, for those who do not see on which side a bubble stands. */
  otherName: string;
  isFirstOfGroup: boolean;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
  /** Reports what somebody else wrote; absent where nothing can be reported. */
  onReport?: ((id: string) => void) | undefined;
}) {
  const { isOwn, delivery } = bubble;
  const hasFailed = delivery === 'failed';
  const isWaiting = delivery === 'waiting';
  const hasMenu = onReport !== undefined && !isOwn;
  return (
    <li
      className={cn(
        'flex flex-col gap-1',
        isOwn ? 'items-end' : 'items-start',
        isFirstOfGroup ? 'mt-3' : 'mt-1',
      )}
    >
      <div
        className={cn(
          'group flex items-center gap-1',
          // The menu stands beside what the bubble may take.
          hasMenu ? 'max-w-[min(36.25rem,calc(85%+2.25rem))]' : 'max-w-[min(34rem,85%)]',
        )}
      >
        <div
          data-own={isOwn ? '' : undefined}
          className={cn(
            'min-w-0 rounded border border-transparent px-3.5 py-2',
            isOwn ? 'bg-leaf-soft text-ink' : 'bg-sunken text-ink',
            (delivery === 'sending' || isWaiting) && 'opacity-75',
            hasFailed && 'bg-tomato-soft text-tomato-ink',
          )}
        >
          {bubble.author && isFirstOfGroup && (
            <p className="text-xs font-medium text-ink-soft">
              {/* Colleagues know which farm it is. */}
              {!isOwn && bubble.author.farmName && (
                <>
                  <bdi>{bubble.author.farmName}</bdi> ·{' '}
                </>
              )}
              <bdi>{bubble.author.name}</bdi>
            </p>
          )}
          <span className="sr-only">
            {isOwn ? t('You:') : t('{name} wrote:', { name: otherName })}{' '}
          </span>
          {bubble.relatedOrder !== undefined && <AboutOrder id={bubble.relatedOrder} />}
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            <MessageText content={bubble.content} />
          </p>
          <p className="mt-0.5 flex items-center justify-end gap-1 text-xs text-ink-soft">
            <Time value={bubble.createdAt} as="time" className="tabular" />
            {delivery && <DeliveryMark delivery={delivery} />}
          </p>
        </div>
        {hasMenu && <MoreMenu onReport={() => onReport?.(bubble._id)} />}
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
              {t('Not sent. Tap to try again')}
            </Button>
          ) : (
            <p className="text-xs text-ink-soft">
              {t("Not sent yet. We'll send it when you're back.")}
            </p>
          )}
          <Button
            variant="danger-quiet"
            size="sm"
            icon={<Trash2 />}
            onClick={() => onDiscard(bubble._id)}
          >
            {t('Delete')}
          </Button>
        </div>
      )}
    </li>
  );
}

function MoreMenu({ onReport }: { onReport: () => void }) {
  return (
    <Menu
      label={t('This message')}
      align="start"
      trigger={
        <Button
          variant="quiet"
          size="icon"
          aria-label={t('More about this message')}
          className="size-8 shrink-0 text-ink-soft opacity-0 transition-opacity focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:opacity-60"
        >
          <Ellipsis className="size-4" />
        </Button>
      }
    >
      <MenuItem icon={<Flag />} onSelect={onReport}>
        {t('Report this message')}
      </MenuItem>
    </Menu>
  );
}

function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, label } = deliveries[delivery];
  return (
    <span title={writeMessage(label)} className={cn(delivery === 'read' && 'text-leaf')}>
      <Icon className="size-4" />
      <span className="sr-only">{writeMessage(label)}</span>
    </span>
  );
}

function MessageText({ content }: { content: string }): ReactNode {
  let at = 0;
  return splitLinks(content).map(({ text, href }) => {
    at += text.length;
    return href === undefined ? (
      <span key={at}>{text}</span>
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
        className="link inline-flex min-h-6 items-center font-medium pointer-coarse:min-h-11"
      >
        {t('About order {order}', { order: shortId(id) })}
      </Link>
    </p>
  );
}

/** A piece of a message: plain text, or a link. */
type Piece = { text: string; href?: string };

const URL_PATTERN = /https?:\/\/[^\s<>"']+/gi;
/** Punctuation that ends a sentence rather than a URL. */
const TRAILING_PUNCTUATION = /[.,;:!?)\]}]+$/;

/**
 * Splits a message into text and links. Only valid http and https URLs become links.
 */
export function splitLinks(content: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of content.matchAll(URL_PATTERN)) {
    const text = match[0].replace(TRAILING_PUNCTUATION, '');
    if (!URL.canParse(text)) continue;
    if (match.index > end) pieces.push({ text: content.slice(end, match.index) });
    pieces.push({ text, href: new URL(text).href });
    end = match.index + text.length;
  }
  if (end < content.length) pieces.push({ text: content.slice(end) });
  return pieces;
}
