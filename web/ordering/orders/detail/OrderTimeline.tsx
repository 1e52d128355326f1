import {
  CalendarClock,
  CircleCheck,
  MessageCircleQuestion,
  Package,
  PencilLine,
  Scale,
} from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { formatSlot } from '#contract/farm/slots/constants';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import { capitalized } from '../../../platform/format/format.ts';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { type Tone, toneClass } from '../../../platform/ui/primitives/Badge.tsx';
import { statusStyle } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import {
  LinesDetails,
  PackingDetails,
  ProposalDetails,
  TITLES,
  Unreturned,
  WeightsDetails,
} from './timeline-details.tsx';

type SlotEntry = Extract<TimelineEntry, { kind: 'slot' }>;

/** The history of an order: who changed its status or its slot, when, and why. */
export function OrderTimeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="grid">
      {entries.map((entry) => (
        <Entry key={entry.sequence} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { icon, tone, title, details } = looksOf(entry);
  const Icon = icon;
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0 animate-fade-in">
      <span
        aria-hidden="true"
        className="absolute bottom-0 left-4 top-8 w-px bg-hairline group-last:hidden"
      />
      <span className={cn('grid size-8 shrink-0 place-items-center rounded-full', toneClass[tone])}>
        <Icon aria-hidden="true" className="size-4" />
      </span>
      <div className="min-w-0 pt-1 text-sm">
        <p>
          <span className="font-medium">{title}</span> by {entry.by.name}
          {entry.by.role === 'admin' && ' (admin)'}
        </p>
        {details}
        <Time value={entry.at} className="text-ink-soft" />
        {entry.reason && (
          <p className="mt-1.5 border-l-2 border-hairline pl-3 text-ink-soft">
            <span className="sr-only">Reason: </span>
            {entry.reason}
          </p>
        )}
      </div>
    </li>
  );
}

type Looks = {
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>;
  tone: Tone;
  title: string;
  details?: ReactNode;
};

function looksOf(entry: TimelineEntry): Looks {
  if (entry.kind === 'slot') {
    const isMoved = entry.detail.after !== undefined;
    return {
      icon: CalendarClock,
      tone: 'straw',
      title: isMoved ? 'Time changed' : "Farm's clock changed",
      details: <Moved entry={entry} />,
    };
  }
  if (entry.kind === 'lines') {
    return {
      icon: PencilLine,
      tone: 'straw',
      title: TITLES.lines[entry.detail.cause],
      details: <LinesDetails entry={entry} />,
    };
  }
  if (entry.kind === 'proposal') {
    const { status } = entry.detail;
    return {
      icon: status === 'accepted' ? CircleCheck : MessageCircleQuestion,
      tone: status === 'accepted' ? 'leaf' : 'straw',
      title: TITLES.proposal[status],
      details: <ProposalDetails entry={entry} />,
    };
  }
  if (entry.kind === 'weights') {
    const details = <WeightsDetails entry={entry} />;
    return { icon: Scale, tone: 'sky', title: 'Weighed', details };
  }
  if (entry.kind === 'packing') {
    const details = <PackingDetails entry={entry} />;
    return { icon: Package, tone: 'leaf', title: TITLES.packing[entry.detail.to], details };
  }
  const { status } = entry;
  return {
    ...statusStyle[status],
    title: status === 'pending' ? 'Placed' : capitalized(status),
    details: <Unreturned goods={entry.detail?.unreturned} />,
  };
}

/** From which time and place an order moved to which; where only the farm's clock changed, its new start. */
function Moved({ entry: { detail } }: { entry: SlotEntry }) {
  const { before, after, from, to } = detail;
  const today = useToday();
  if (!before || !after) {
    return (
      <p>
        Starts <Time value={to} inSentence /> your time; it was <Time value={from} inSentence />.
      </p>
    );
  }
  const isSamePlace = before.location === after.location;
  return (
    <>
      <p>
        {formatSlot(after, today)}
        {!isSamePlace && `, ${after.location}`}
      </p>
      <p className="text-ink-soft">
        It was {formatSlot(before, today)}
        {!isSamePlace && `, ${before.location}`}.
      </p>
    </>
  );
}
