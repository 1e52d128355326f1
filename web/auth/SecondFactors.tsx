import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '../ui/primitives/ErrorState.tsx';
import { Loading, Skeleton } from '../ui/primitives/Skeleton.tsx';
import { AuthenticatorApp } from './AuthenticatorApp.tsx';
import { Passkeys } from './Passkeys.tsx';
import { secondFactorQuery } from './queries.ts';

/** What protects the account beside the password: an authenticator app and passkeys. */
export function SecondFactors() {
  const { data, error, refetch, isFetching } = useQuery(secondFactorQuery());
  if (data) {
    return (
      <>
        <AuthenticatorApp app={data.app} />
        <Passkeys passkeys={data.passkeys} />
      </>
    );
  }
  if (error) return <ErrorState error={error} onRetry={refetch} pending={isFetching} />;
  return (
    <Loading className="grid gap-6">
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </Loading>
  );
}
