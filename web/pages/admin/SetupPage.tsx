import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { setupApi } from '#contract/admin/setup/constants';
import type { SetUp } from '#contract/admin/setup/setup';
import { setupStateQuery } from '../../admin/setup/queries.ts';
import { SetupForm } from '../../admin/setup/SetupForm.tsx';
import { tokenIn } from '../../admin/setup/setup-form.ts';
import { fromThisDevice } from '../../people/auth/commands.ts';
import { startSession } from '../../people/auth/session.ts';
import { call } from '../../platform/api/api.ts';
import { marketQuery } from '../../platform/format/market.ts';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { SkeletonText } from '../../platform/ui/feedback/Skeleton.tsx';
import { TimeZoneSelect } from '../../platform/ui/form/TimeZoneSelect.tsx';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/PageHeader.tsx';

/** The page that the link of a new market opens: its settings, its first admin and its categories. */
export default function SetupPage() {
  const [, navigate] = useLocation();
  const [token] = useState(() => tokenIn(window.location.hash));
  const { data: state, error, refetch, isFetching } = useQuery(setupStateQuery());
  const setUp = useSetUp();
  const isDone = state?.isNeeded === false;
  return (
    <div className="wrap max-w-3xl py-8 sm:py-12">
      <PageHeader
        title={isDone ? 'This market is set up' : 'Set up your market'}
        text={
          isDone
            ? 'It has an admin already, so this link has done its work.'
            : 'It takes two minutes, and everything but the currency can be changed later.'
        }
      />
      {isDone ? (
        <div className="flex flex-wrap gap-3">
          <LinkButton href="/">Go to the market</LinkButton>
          <LinkButton href="/login" variant="secondary">
            Sign in
          </LinkButton>
        </div>
      ) : !state ? (
        error ? (
          <ErrorState error={error} onRetry={refetch} pending={isFetching} />
        ) : (
          <SkeletonText lines={8} />
        )
      ) : token === '' ? (
        <Alert kind="error">
          This link is incomplete. Open the whole link that the server printed when it started.
        </Alert>
      ) : (
        <SetupForm
          token={token}
          isPending={setUp.isPending}
          setUp={async (input) => {
            await setUp.mutateAsync(input);
            navigate('/admin/dashboard', { replace: true });
          }}
          timeZoneField={(field, kept) => <TimeZoneSelect {...field} kept={kept} />}
        />
      )}
    </div>
  );
}

/** Sets a new market up, and signs its admin in. */
function useSetUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SetUp) => call(setupApi.setUp, { body, ...fromThisDevice() }),
    onSuccess: async ({ token, user }) => {
      // The first page of the admin has the new name and money.
      await client.fetchQuery({ ...marketQuery(), staleTime: 0 }).catch(() => undefined);
      startSession(client, token, user);
    },
  });
}
