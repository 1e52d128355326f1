import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ReportKind, ReportOutcome, ReportReason } from '#contract/admin/moderation/constants';
import type { Report } from '#contract/admin/moderation/moderation';
import { formatMoney } from '#contract/platform/money/constants/money';
import { cn } from '../../platform/ui/cn.ts';
import { SkeletonText } from '../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../platform/ui/feedback/states.tsx';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { reportedMessagesQuery } from './case-queries.ts';
import { adminOrderHref, adminProductHref, adminUserHref } from './links.ts';
import { SettleDialog } from './SettleDialog.tsx';

const kindLabels: Record<ReportKind, string> = {
  product: 'Product',
  farm: 'Farm',
  message: 'Message',
  order: 'Order',
};

const reasonLabels: Record<ReportReason, string> = {
  misleading: 'Not what it says',
  unsafe: 'Not safe',
  offensive: 'Rude or hurtful',
  fraud: 'Looks like fraud',
  spam: 'Spam',
  other: 'Something else',
};

const outcomeLabels: Record<ReportOutcome, string> = {
  dismissed: 'Left as it is',
  acted: 'Something was done',
};

/** One report: what was reported as it was then, by whom and why, and what can be done. */
export function ReportCard({ report, isChosen }: { report: Report; isChosen: boolean }) {
  const card = useRef<HTMLDivElement>(null);
  const [settling, setSettling] = useState<ReportOutcome | null>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const { kind, about, reporter, reason, text, createdAt } = report;
  return (
    <div ref={card}>
      <Card
        as="article"
        aria-label={`${kindLabels[kind]} reported by ${reporter.name}`}
        className={cn('grid gap-3', isChosen && 'border-leaf')}
      >
        <header className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <Badge>{kindLabels[kind]}</Badge>
          <Badge tone="tomato">{reasonLabels[reason]}</Badge>
          <span className="text-ink-soft">
            <Link href={adminUserHref(reporter)} className="link">
              {reporter.name}
            </Link>
            , <Time value={createdAt} />
          </span>
        </header>
        <Subject report={report} />
        {text !== '' && (
          <p className="border-l-2 border-straw pl-3 text-sm whitespace-pre-line wrap-anywhere">
            {text}
          </p>
        )}
        <p className="text-sm">
          About{' '}
          <Link href={adminUserHref(about)} className="link wrap-anywhere">
            {about.name}
          </Link>
        </p>
        {kind === 'message' && <ReportedMessages report={report} />}
        {report.outcome === null ? (
          <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <div className="-ml-3 flex flex-wrap">
              <SubjectActions report={report} />
              <LinkButton href={adminUserHref(about)} variant="quiet" size="sm">
                See the account
              </LinkButton>
            </div>
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="sm" onClick={() => setSettling('dismissed')}>
                Leave as it is
              </Button>
              <Button size="sm" onClick={() => setSettling('acted')}>
                Something was done
              </Button>
            </div>
          </footer>
        ) : (
          <Settled report={report} />
        )}
        {settling && (
          <SettleDialog
            reportId={report._id}
            outcome={settling}
            onClose={() => setSettling(null)}
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
    return <p className="text-sm text-ink-soft">Removed with the account it was about.</p>;
  }
  return (
    <div className="flex gap-3 rounded bg-sunken p-3 text-sm">
      {image && <Picture src={image} alt="" sizes="56px" className="size-14 shrink-0 rounded-xs" />}
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {name}
          {amount !== null && (
            <span className="ml-2 font-normal text-ink-soft">{formatMoney(amount)}</span>
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

function SubjectActions({ report: { kind, subjectId } }: { report: Report }) {
  const subject = { _id: subjectId };
  if (kind === 'product') {
    return (
      <LinkButton href={adminProductHref(subject)} variant="quiet" size="sm">
        Edit or hide the product
      </LinkButton>
    );
  }
  if (kind === 'farm') {
    return (
      <LinkButton href={`/farmers/${subjectId}`} variant="quiet" size="sm">
        See the farm's page
      </LinkButton>
    );
  }
  if (kind === 'order') {
    return (
      <LinkButton href={adminOrderHref(subject)} variant="quiet" size="sm">
        Open the order
      </LinkButton>
    );
  }
  return null;
}

/** The reported message with those around it, read when they are asked for. */
function ReportedMessages({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch, isFetching } = useQuery({
    ...reportedMessagesQuery(report._id),
    enabled: isOpen,
  });
  if (!isOpen) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
          Read what was written around it
        </Button>
        <span className="text-xs text-ink-soft">The audit notes that you read it</span>
      </div>
    );
  }
  if (!data) {
    return error ? (
      <ErrorState error={error} onRetry={refetch} pending={isFetching} className="py-4" />
    ) : (
      <SkeletonText lines={3} />
    );
  }
  return (
    <ol aria-label="Messages around the reported one" className="grid gap-1.5 text-sm">
      {data.map((message) => (
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
            {message._id === report.subjectId && <span>The reported message</span>}
          </p>
          <p className="whitespace-pre-wrap wrap-anywhere">{message.content}</p>
        </li>
      ))}
    </ol>
  );
}

function Settled({ report: { outcome, settledBy, settledAt, note } }: { report: Report }) {
  if (outcome === null || settledAt === null) return null;
  return (
    <footer className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={outcome === 'acted' ? 'leaf' : 'neutral'}>{outcomeLabels[outcome]}</Badge>
        <span className="text-ink-soft">
          {settledBy?.name}, <Time value={settledAt} />
        </span>
      </p>
      {note !== '' && <p className="whitespace-pre-line wrap-anywhere">{note}</p>}
    </footer>
  );
}
