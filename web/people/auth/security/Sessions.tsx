import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { SignedInDevice } from '#contract/people/auth/auth';
import { Loading, Skeleton } from '../../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../../platform/ui/feedback/states.tsx';
import { Badge } from '../../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useEndOtherSessions, useEndSession } from '../commands.ts';
import type { OwnCalendar } from '../PasswordForm.tsx';
import { sessionsQuery } from '../queries.ts';

/** Where the user is signed in, each to be signed out from here. */
export function Sessions({ calendar }: { calendar: OwnCalendar | undefined }) {
  const { data: sessions, error, refetch, isFetching } = useQuery(sessionsQuery());
  const endOthers = useEndOtherSessions();
  const title = useRef<HTMLHeadingElement>(null);
  if (error && !sessions) {
    return <ErrorState error={error} onRetry={refetch} pending={isFetching} />;
  }
  const hasOthers = sessions?.some(({ isCurrent }) => !isCurrent);
  return (
    <div className="grid gap-3">
      <h3 ref={title} tabIndex={-1} className="font-semibold">
        Where you are signed in
      </h3>
      {sessions ? (
        <ul className="grid divide-y divide-hairline border-y border-hairline">
          {sessions.map((session) => (
            <SessionRow
              key={session._id}
              session={session}
              onEnded={() => title.current?.focus()}
            />
          ))}
        </ul>
      ) : (
        <Loading>
          <Skeleton className="h-14" />
        </Loading>
      )}
      {hasOthers && (
        <div>
          <Button
            variant="secondary"
            pending={endOthers.isPending}
            aria-describedby={calendar && 'calendar-renewed'}
            onClick={() =>
              endOthers.mutate(undefined, {
                onSuccess: () => {
                  title.current?.focus();
                  calendar?.onRenewed();
                },
              })
            }
          >
            Sign out all other devices
          </Button>
          {calendar && (
            <p id="calendar-renewed" className="mt-2 text-sm text-ink-soft">
              Your calendar gets a new address then. Calendars with the one you have now stop
              getting news.
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function SessionRow({ session, onEnded }: { session: SignedInDevice; onEnded: () => void }) {
  const { _id, device, createdAt, lastSeenAt, isCurrent } = session;
  const end = useEndSession();
  const name = device || 'A device';
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {isCurrent && <Badge tone="leaf">This device</Badge>}
        </p>
        <p className="text-sm text-ink-soft">
          Signed in <Time value={createdAt} inSentence />
          {!isCurrent && (
            <>
              , last seen <Time value={lastSeenAt} inSentence />
            </>
          )}
        </p>
      </div>
      {!isCurrent && (
        <Button
          variant="secondary"
          size="sm"
          pending={end.isPending}
          aria-label={`Sign out ${name}`}
          onClick={() => end.mutate(_id, { onSuccess: onEnded })}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
