import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import {
  REPORT_TEXT_MAX,
  type ReportKind,
  type ReportOutcome,
  type ReportReason,
} from '#contract/admin/moderation/constants';
import type { Report } from '#contract/admin/moderation/moderation';
import { formatMoney } from '#contract/platform/money/constants';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import {
  AdminFrame,
  adminOrderHref,
  adminProductHref,
  adminUserHref,
} from '../../admin/admin/AdminFrame.tsx';
import { AdminList, useFilter } from '../../admin/admin/ListTools.tsx';
import { reportedMessagesQuery, reportsQuery, useSettleReport } from '../../admin/admin/queries.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useSearchParam } from '../../platform/hooks/use-search-param.ts';
import { cn } from '../../platform/ui/cn.ts';
import { TextDialog } from '../../platform/ui/dialogs/TextDialog.tsx';
import { Fetched, SkeletonText } from '../../platform/ui/feedback/states.tsx';
import { FilterBar } from '../../platform/ui/lists/FilterBar.tsx';
import { Badge, Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';

const states = { open: msg('unsettled|Open'), settled: msg('Settled') };
const kinds = {
  all: msg('All'),
  product: msg('Products'),
  farm: msg('Farms'),
  message: msg('Messages'),
  order: msg('Orders'),
};

/** Prefetches the open reports when a link to them is hovered. */
export const prefetch = (client: QueryClient) => client.prefetchInfiniteQuery(reportsQuery());

/** What people have reported: as it was then, with the ways to act on it. */
export default function AdminReportsPage() {
  const state = useFilter('state', 'open', states);
  const kind = useFilter('kind', 'all', kinds);
  const [chosen] = useSearchParam('report');
  const filters = { state: state.filter, kind: kind.filter };
  const query = useInfiniteQuery({ ...reportsQuery(filters), placeholderData: keepPreviousData });
  return (
    <AdminFrame title={t('Reports')} isOfMarket>
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-2">
        <FilterBar label={t('condition|State')} {...state.bar} />
        <FilterBar label={t('Kind')} {...kind.bar} />
      </div>
      <AdminList
        query={query}
        rows={5}
        drawing="basket"
        {...(state.filter
          ? {
              title: t('No settled reports'),
              text: t('Reports that an admin has settled appear here.'),
            }
          : { title: t('No open reports'), text: t('What people report appears here.') })}
      >
        {(reports) => (
          <ul
            aria-label={t('Reports')}
            className={cn('grid gap-3', query.isPlaceholderData && 'opacity-60')}
          >
            {reports.map((report) => (
              <li key={report._id}>
                <ReportCard report={report} isChosen={report._id === chosen} />
              </li>
            ))}
          </ul>
        )}
      </AdminList>
    </AdminFrame>
  );
}

const kindLabels: Record<ReportKind, Message> = {
  product: msg('Product'),
  farm: msg('Farm'),
  message: msg('Message'),
  order: msg('Order'),
};

const reasonLabels: Record<ReportReason, Message> = {
  misleading: msg('Not what it says'),
  unsafe: msg('Not safe'),
  offensive: msg('Rude or hurtful'),
  fraud: msg('Looks like fraud'),
  spam: msg('Spam'),
  other: msg('Something else'),
};

const outcomeLabels: Record<ReportOutcome, Message> = {
  dismissed: msg('Left as it is'),
  acted: msg('Something was done'),
};

/** The ways to what is reported; a message is shown here. */
const subjectLinks: {
  [Kind in ReportKind]?: { label: Message; hrefOf: (subject: { _id: string }) => string };
} = {
  product: { label: msg('Edit or hide the product'), hrefOf: adminProductHref },
  farm: { label: msg("See the farm's page"), hrefOf: ({ _id }) => `/farmers/${_id}` },
  order: { label: msg('Open the order'), hrefOf: adminOrderHref },
};

/** One report: what was reported as it was then, by whom and why, and what can be done. */
export function ReportCard({ report, isChosen }: { report: Report; isChosen: boolean }) {
  const card = useRef<HTMLDivElement>(null);
  const settle = useSettleReport(report._id);
  const [settling, setSettling] = useState<ReportOutcome | null>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { kind, about, reporter, reason, text, createdAt, subjectId } = report;
  const link = subjectLinks[kind];
  return (
    <div ref={card}>
      <Card
        as="article"
        aria-label={t('{kind} reported by {name}', { kind: kindLabels[kind], name: reporter.name })}
        className={cn('grid gap-3', isChosen && 'border-leaf')}
      >
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <Badge>{writeMessage(kindLabels[kind])}</Badge>
          <Badge tone="tomato">{writeMessage(reasonLabels[reason])}</Badge>
          <span className="text-ink-soft">
            <Link href={adminUserHref(reporter)} className="link">
              <bdi>{reporter.name}</bdi>
            </Link>
            , <Time value={createdAt} />
          </span>
        </header>
        <Subject report={report} />
        {text !== '' && (
          <p
            dir="auto"
            className="border-s-2 border-straw ps-3 text-sm whitespace-pre-line wrap-anywhere"
          >
            {text}
          </p>
        )}
        <p className="text-sm">
          {rich('About {name}', {
            name: (
              <Link href={adminUserHref(about)} className="link wrap-anywhere">
                <bdi>{about.name}</bdi>
              </Link>
            ),
          })}
        </p>
        {kind === 'message' && <ReportedMessages report={report} />}
        {report.outcome === null ? (
          <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="-ms-3 flex flex-wrap">
              {link && (
                <LinkButton href={link.hrefOf({ _id: subjectId })} variant="quiet" size="sm">
                  {writeMessage(link.label)}
                </LinkButton>
              )}
              <LinkButton href={adminUserHref(about)} variant="quiet" size="sm">
                {t('See the account')}
              </LinkButton>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="sm" onClick={() => setSettling('dismissed')}>
                {t('Leave as it is')}
              </Button>
              <Button size="sm" onClick={() => setSettling('acted')}>
                {t('Something was done')}
              </Button>
            </div>
          </footer>
        ) : (
          <Settled report={report} />
        )}
        {settling && (
          <TextDialog
            title={writeMessage(settleWords[settling].title)}
            description={writeMessage(settleWords[settling].description)}
            draftKey={`settle:${report._id}`}
            label={t('Note')}
            hint={t('Only admins see it.')}
            maxLength={REPORT_TEXT_MAX}
            confirmLabel={t('Settle report')}
            pendingLabel={t('Saving...')}
            pending={settle.isPending}
            onClose={() => setSettling(null)}
            onConfirm={(note) =>
              settle.mutate({ outcome: settling, note }, { onSettled: () => setSettling(null) })
            }
          />
        )}
      </Card>
    </div>
  );
}

/** What was reported, as it was then. */
function Subject({ report: { subject, kind } }: { report: Report }) {
  const { name, text, image, amount } = subject;
  if (name === '' && text === '') {
    return <p className="text-sm text-ink-soft">{t('Removed with the account it was about.')}</p>;
  }
  return (
    <div className="flex gap-3 rounded bg-sunken p-3 text-sm">
      {image && <Picture src={image} alt="" sizes="56px" className="size-14 shrink-0 rounded-xs" />}
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {name}
          {amount !== null && (
            <span className="ms-2 font-normal text-ink-soft">{formatMoney(amount)}</span>
          )}
        </p>
        {text !== '' && (
          <p
            className={cn(
              'whitespace-pre-line wrap-anywhere',
              kind !== 'message' && 'line-clamp-4',
            )}
          >
            {text}
          </p>
        )}
      </div>
    </div>
  );
}

/** The reported message with those around it, read when they are asked for. */
function ReportedMessages({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...reportedMessagesQuery(report._id), enabled: isOpen });
  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
          {t('Read what was written around it')}
        </Button>
        <span className="text-xs text-ink-soft">{t('The audit notes that you read it')}</span>
      </div>
    );
  }
  return (
    <Fetched query={query} skeleton={<SkeletonText lines={3} />} errorClass="py-4">
      {(messages) => (
        <ol aria-label={t('Messages around the reported one')} className="grid gap-1.5 text-sm">
          {messages.map((message) => (
            <li
              key={message._id}
              className={cn(
                'rounded px-3 py-2',
                message._id === report.subjectId ? 'bg-tomato-soft text-tomato-ink' : 'bg-sunken',
              )}
            >
              <p className="flex flex-wrap gap-x-2 text-xs">
                <span className="font-medium">{message.sender.name}</span>
                <Time value={message.createdAt} />
                {message._id === report.subjectId && <span>{t('The reported message')}</span>}
              </p>
              <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
                {message.content}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Fetched>
  );
}

function Settled({ report: { outcome, settledBy, settledAt, note } }: { report: Report }) {
  if (outcome === null || settledAt === null) return null;
  return (
    <footer className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={outcome === 'acted' ? 'leaf' : 'neutral'}>
          {writeMessage(outcomeLabels[outcome])}
        </Badge>
        <span className="text-ink-soft">
          {settledBy && <bdi>{settledBy.name}</bdi>}, <Time value={settledAt} />
        </span>
      </p>
      {note !== '' && (
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          {note}
        </p>
      )}
    </footer>
  );
}

/** What is asked before a report is settled. */
const settleWords: Record<ReportOutcome, { title: Message; description: Message }> = {
  dismissed: {
    title: msg('Leave it as it is?'),
    description: msg(
      "The person who reported it is told that you've looked at it and left it as it is.",
    ),
  },
  acted: {
    title: msg('Settle this report?'),
    description: msg(
      "The person who reported it is told that you've done something about it, not what.",
    ),
  },
};
