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
import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import { reasonOf } from '#contract/platform/orders/constants/causes';
import { describeUnreturned } from '#contract/platform/quantities/constants/piece-words';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { capitalized } from '../../../platform/format/format.ts';
import { rich } from '../../../platform/format/rich.tsx';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { cn } from '../../../platform/ui/cn.ts';
import {
  statusName,
  styleOf,
  type Tone,
  toneClass,
} from '../../../platform/ui/primitives/Button.tsx';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { describeDifferences } from '../../model/order-items.ts';

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
  const reason = reasonOf(entry);
  const name = <bdi>{entry.by.name}</bdi>;
  const Icon = icon;
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0 animate-fade-in">
      <span
        aria-hidden="true"
        className="absolute bottom-0 inset-s-4 top-8 w-px bg-hairline group-last:hidden"
      />
      <span className={cn('grid size-8 shrink-0 place-items-center rounded-full', toneClass[tone])}>
        <Icon className="size-4" />
      </span>
      <div className="min-w-0 pt-1 text-sm">
        <p>
          {entry.by.role === 'admin'
            ? rich('<strong>{title}</strong> by {name} (admin)', { title, name, strong })
            : rich('<strong>{title}</strong> by {name}', { title, name, strong })}
        </p>
        {details}
        <Time value={entry.at} className="text-ink-soft" />
        {reason && (
          <p className="mt-1.5 border-s-2 border-hairline ps-3 text-ink-soft">
            <span className="sr-only">{t('Reason:')} </span>
            <bdi>{reason}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}

const strong = (inner: ReactNode) => <span className="font-medium">{inner}</span>;

type Looks = {
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>;
  tone: Tone;
  title: string;
  details?: ReactNode;
};

function looksOf(entry: TimelineEntry): Looks {
  switch (entry.kind) {
    case 'slot': {
      const title = entry.detail.after ? t('Time changed') : t("Farm's clock changed");
      return { icon: CalendarClock, tone: 'straw', title, details: <Moved {...entry.detail} /> };
    }
    case 'lines': {
      const details = <Differences {...entry.detail} />;
      return {
        icon: PencilLine,
        tone: 'straw',
        title: writeMessage(TITLES.lines[entry.detail.cause]),
        details,
      };
    }
    case 'proposal': {
      const { status } = entry.detail;
      return {
        ...(status === 'accepted'
          ? { icon: CircleCheck, tone: 'leaf' }
          : { icon: MessageCircleQuestion, tone: 'straw' }),
        title: writeMessage(TITLES.proposal[status]),
        details: <Differences {...entry.detail} />,
      };
    }
    case 'weights':
      return {
        icon: Scale,
        tone: 'sky',
        title: t('Weighed'),
        details: <Weights {...entry.detail} />,
      };
    case 'packing': {
      const { to, crates } = entry.detail;
      const details =
        crates === undefined ? null : (
          <p>{t('{crates, plural, one {# crate} other {# crates}}', { crates })}</p>
        );
      return { icon: Package, tone: 'leaf', title: writeMessage(TITLES.packing[to]), details };
    }
    case 'status':
      return {
        ...styleOf(entry.status),
        title: entry.status === 'pending' ? t('Placed') : statusName(entry.status),
        details: <Unreturned goods={entry.detail?.unreturned} />,
      };
    default:
      // A newer release knows more of what can become of an order.
      return { icon: PencilLine, tone: 'straw', title: t('Changed') };
  }
}

/** From which time and place an order moved to which; where only the farm's clock changed, its new start. */
function Moved({ before, after, from, to }: EntryOf<'slot'>['detail']) {
  const today = useToday();
  if (!before || !after) {
    return (
      <p>
        {rich('Starts {time} your time; it was {before}.', {
          time: <Time value={to} inSentence />,
          before: <Time value={from} inSentence />,
        })}
      </p>
    );
  }
  const isSamePlace = before.location === after.location;
  return (
    <>
      <p>
        {isSamePlace
          ? formatSlot(after, today)
          : t('{slot}, {place}', { slot: formatSlot(after, today), place: after.location })}
      </p>
      <p className="text-ink-soft">
        {isSamePlace
          ? t('It was {slot}.', { slot: formatSlot(before, today) })
          : t('It was {slot}, {place}.', {
              slot: formatSlot(before, today),
              place: before.location,
            })}
      </p>
    </>
  );
}

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

/** What a timeline's entry is called; `by` and who it was follow it. */
const TITLES = {
  lines: {
    buyer: msg('Order changed'),
    shortage: msg('Changed as the customer wished'),
    wish: msg('Wish changed'),
  },
  proposal: {
    open: msg('Change proposed'),
    accepted: msg('Change accepted'),
    answered: msg('Change answered'),
    declined: msg('Change declined'),
    expired: msg('Change expired'),
    withdrawn: msg('Change taken back'),
    superseded: msg('Change replaced'),
  },
  packing: { none: msg('Unpacked'), packing: msg('Packing begun'), packed: msg('Packed') },
} as const;

/** Goods that did not go back to the stock, because their product is counted in another unit by now. */
const Unreturned = ({ goods = [] }: { goods: readonly UnreturnedGoods[] | undefined }) =>
  goods.length > 0 && (
    <p className="wrap-anywhere">
      {t('Not put back in stock: {describeUnreturned}.', {
        describeUnreturned: describeUnreturned(goods),
      })}
    </p>
  );

/** Lines that changed, each in words, and what that makes of the total; the price of weighed goods changes it alone. */
export function Differences({
  differences,
  unreturned,
  totalBefore,
  totalAfter,
  isBeforeEstimate,
  isAfterEstimate,
}: EntryOf<'lines' | 'proposal'>['detail']) {
  return (
    <>
      {differences.length > 0 && (
        <ul className="grid">
          {describeDifferences(differences).map((words) => (
            <li key={words} className="wrap-anywhere">
              {capitalized(words)}
            </li>
          ))}
        </ul>
      )}
      <Unreturned goods={unreturned} />
      {totalBefore !== totalAfter && (
        <p className="text-ink-soft">
          {rich('{total} instead of {before}', {
            total: <Money amount={totalAfter} isEstimate={isAfterEstimate === true} />,
            before: <Money amount={totalBefore} isEstimate={isBeforeEstimate === true} />,
          })}
        </p>
      )}
    </>
  );
}

/** Says what one line weighs: 'Chicken: 1.9 kg instead of 1.8 kg'. */
function weighedWords({
  product,
  from,
  to,
}: EntryOf<'weights'>['detail']['lines'][number]): string {
  const { name, unit } = product;
  if (to === null) return t('{name}: the estimate holds', { name });
  const weight = formatQuantity(to, unit);
  return from === null
    ? t('{name}: {weight}', { name, weight })
    : t('{name}: {weight} instead of {before}', {
        name,
        weight,
        before: formatQuantity(from, unit),
      });
}

/** What was weighed, and whether the total is final. */
function Weights({ lines, totalAfter, isTotalFinal }: EntryOf<'weights'>['detail']) {
  return (
    <>
      <ul className="grid">
        {lines.map((line) => (
          <li key={line.lineId} className="wrap-anywhere">
            {weighedWords(line)}
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">
        {isTotalFinal
          ? rich('{total}, the final total', { total: <Money amount={totalAfter} /> })
          : rich('{total}, as far as it is weighed', {
              total: <Money amount={totalAfter} isEstimate />,
            })}
      </p>
    </>
  );
}
