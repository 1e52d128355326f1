import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, PhoneOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Attention, AttentionTold } from '#contract/ordering/attention/attention';
import type { AttentionState } from '#contract/ordering/attention/constants';
import { type AttentionKind, NOTIFICATION_LABELS } from '#contract/people/notifications/constants';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { Badge, Button, CountBadge, type Tone } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { OrderId, Waiting } from '../model/order-parts.tsx';
import { CHANNEL_LABELS } from './plan/plan-words.ts';
import { farmsAttentionQuery, isOfFarm } from './queries.ts';

/** How many rows stand there before all are asked for. */
const FIRST_ROWS = 20;

type Hrefs = {
  hrefOfFarm: (farm: { _id: string }) => string;
  hrefOfOrder: (order: { _id: string }) => string;
};

const useWaiting = () => {
  const { data = [] } = useQuery(farmsAttentionQuery());
  return data.filter(isOfFarm);
};

/** For admins: what waits for farms, how far each has been told, and where nobody can be reached. */
export function WaitingFarms(hrefs: Hrefs) {
  const waiting = useWaiting();
  const [isWhole, setWhole] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  if (waiting.length === 0) return null;
  // Those whom nothing reaches are first: nobody but an admin can help them.
  const sorted = waiting.toSorted(
    (one, other) => Number(other.isUnreachable) - Number(one.isUnreachable),
  );
  const rows = isWhole ? sorted : sorted.slice(0, FIRST_ROWS);
  return (
    <section id="waiting-farms" aria-labelledby="waiting-farms-title" className="mb-6">
      <h2 id="waiting-farms-title" className="mb-2 flex items-center gap-2 text-lg">
        {t('Waiting for farms')}
        <CountBadge value={waiting.length} />
      </h2>
      <Table
        caption={t('Waiting for farms')}
        isWide
        columns={columns(hrefs, openId, setOpenId)}
        rows={rows}
        rowKey={({ _id }) => _id}
        rowVersion={({ state, step }) => `${state} ${step}`}
        rowClassName={({ isUnreachable }) =>
          isUnreachable ? 'border-tomato bg-tomato-soft rows:bg-tomato-soft' : undefined
        }
        expanded={(each) => each._id === openId && <Told told={each.told} />}
      />
      {!isWhole && waiting.length > FIRST_ROWS && (
        <Button variant="quiet" onClick={() => setWhole(true)} className="mt-2">
          {t('Show all {count}', { count: waiting.length })}
        </Button>
      )}
    </section>
  );
}

/** On the admins' first page: that somewhere an order waits and nothing reaches its farm. */
export function UnreachableFarms({ href }: { href: string }) {
  const farms = new Set(
    useWaiting()
      .filter(({ isUnreachable }) => isUnreachable)
      .map(({ farm }) => farm.name),
  );
  if (farms.size === 0) return null;
  return (
    <Alert kind="error" className="mb-3 py-2">
      <Link href={href} className="font-semibold underline underline-offset-2">
        {t(
          '{count, plural, one {Nobody can be reached at a farm where something waits} other {Nobody can be reached at # farms where something waits}}',
          { count: farms.size },
        )}
      </Link>
    </Alert>
  );
}

const KIND_LABELS: Readonly<Partial<Record<AttentionKind, Message>>> = {
  'order.placed': msg('New order'),
  'picklist.changed': msg('Changed pick list'),
  'order.slotMoved': msg('Moved pickup'),
};

const STATES: Readonly<Record<AttentionState, { tone: Tone; label: Message }>> = {
  waiting: { tone: 'straw', label: msg('state of an alert|Waiting') },
  acknowledged: { tone: 'leaf', label: msg('state of an alert|Somebody is on it') },
  exhausted: { tone: 'tomato', label: msg('state of an alert|Nobody answered') },
  resolved: { tone: 'neutral', label: msg('state of an alert|Done') },
};

const columns = (
  { hrefOfFarm, hrefOfOrder }: Hrefs,
  openId: string | null,
  onOpen: (id: string | null) => void,
): readonly Column<Attention>[] => [
  {
    key: 'farm',
    header: t('Farm'),
    primary: true,
    cell: ({ farm, isUnreachable }) => (
      <>
        <Link href={hrefOfFarm(farm)} className="hover:underline">
          <bdi>{farm.name}</bdi>
        </Link>
        {isUnreachable && (
          <span className="mt-0.5 flex items-center gap-1.5 text-sm font-semibold text-tomato-ink">
            <PhoneOff className="size-4 shrink-0" />
            {t('Nobody can be reached')}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'what',
    header: t('What waits'),
    cell: ({ kind, order }) => (
      <>
        {writeMessage(KIND_LABELS[kind] ?? NOTIFICATION_LABELS[kind] ?? kind)}
        {order && (
          <>
            {' '}
            <Link href={hrefOfOrder(order)} className="hover:underline">
              <bdi>{order.consumer.name}</bdi> <OrderId order={order} />
            </Link>
          </>
        )}
      </>
    ),
  },
  {
    key: 'since',
    header: t('Waits'),
    cell: ({ createdAt }) => <Waiting since={createdAt} isShort />,
  },
  {
    key: 'step',
    header: t('Told so far'),
    cell: ({ step, round }) =>
      step === 0
        ? t('Nobody yet')
        : round > 1
          ? t('Step {step}, time {round}', { step, round })
          : t('Step {step}', { step }),
  },
  {
    key: 'state',
    header: t('State'),
    cell: ({ state, acknowledged }) => {
      const { tone, label } = STATES[state] ?? STATES.waiting;
      return (
        <Badge tone={tone} className="whitespace-normal wrap-anywhere">
          {state === 'acknowledged' && acknowledged
            ? t('{name} is on it', { name: acknowledged.by.name })
            : writeMessage(label)}
        </Badge>
      );
    },
  },
  {
    key: 'told',
    header: t('Who was told'),
    actions: true,
    cell: ({ _id, told, farm }) => {
      const isOpen = openId === _id;
      return (
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronUp /> : <ChevronDown />}
          onClick={() => onOpen(isOpen ? null : _id)}
          className="rows:whitespace-nowrap"
        >
          {t('{count, plural, one {# message} other {# messages}}', { count: told.length })}
          <span className="sr-only">{t('Who was told at {farm}', { farm: farm.name })}</span>
        </Button>
      );
    },
  },
];

function Told({ told }: { told: readonly AttentionTold[] }) {
  if (told.length === 0) return <p>{t('Nobody was told outside the app yet.')}</p>;
  return (
    <ol className="grid gap-1 text-sm">
      {told.map(({ channel, to, at }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they only grow at the end
        <li key={index} className="flex flex-wrap gap-x-3">
          <Time value={at} as="datetime" className="tabular text-ink-soft" />
          <span>{writeMessage(CHANNEL_LABELS[channel])}</span>
          <bdi>{to.name}</bdi>
        </li>
      ))}
    </ol>
  );
}
