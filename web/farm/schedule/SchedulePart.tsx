import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/people/users/users';
import { dayIn } from '#contract/platform/time/constants';
import { useNow } from '../../platform/hooks/use-now.ts';
import { mayForFarm } from '../../platform/session/farm-work.ts';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { Card, CardHeader } from '../../platform/ui/primitives/Card.tsx';
import { ClosedDaysList } from './ClosedDaysList.tsx';
import { type CountAnswered, CutoffForm } from './CutoffForm.tsx';
import { ownScheduleQuery } from './queries.ts';

/** Until when customers can order for a day, what becomes of unanswered orders then, and closed days. */
export function SchedulePart({
  me,
  timeZone,
  countAnswered,
}: {
  me: User;
  countAnswered: CountAnswered;
  /** The farm's; undefined until it is known. */
  timeZone: string | undefined;
}) {
  const { data: schedule, error, refetch, isFetching } = useQuery(ownScheduleQuery());
  const mayChange = mayForFarm(me, 'changeFarm');
  const today = dayIn(timeZone, useNow());
  const fallback = error ? (
    <ErrorState error={error} onRetry={refetch} pending={isFetching} />
  ) : (
    <SkeletonRows rows={2} />
  );
  return (
    <div className="grid max-w-3xl gap-6">
      <Card as="section" aria-labelledby="cutoff">
        <CardHeader id="cutoff" title="When orders close" />
        {schedule ? (
          <CutoffForm
            schedule={schedule}
            mayChange={mayChange}
            today={today}
            countAnswered={countAnswered}
          />
        ) : (
          fallback
        )}
      </Card>
      <Card as="section" aria-labelledby="closed-days">
        <CardHeader id="closed-days" title="Closed days" />
        <p className="mb-4 max-w-prose text-sm text-ink-soft">
          Nobody can order for these days. Orders that you have for them already stay as they are.
        </p>
        {schedule ? (
          <ClosedDaysList schedule={schedule} mayChange={mayChange} today={today} />
        ) : (
          fallback
        )}
      </Card>
    </div>
  );
}
