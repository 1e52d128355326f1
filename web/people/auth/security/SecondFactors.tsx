import { useQuery } from '@tanstack/react-query';
import { useAuth } from '../../../platform/session/session.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Loading, Skeleton } from '../../../platform/ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../../platform/ui/feedback/states.tsx';
import { AuthenticatorApp } from './AuthenticatorApp.tsx';
import { Passkeys } from './Passkeys.tsx';
import { secondFactorQuery } from './second-factor-queries.ts';

/**
 * What protects the account beside the password: an authenticator app and passkeys. `isAsked` says that one of them
 * is wished for.
 */
export function SecondFactors({ isAsked }: { isAsked: boolean }) {
  const { user } = useAuth();
  const { data, error, refetch, isFetching } = useQuery(secondFactorQuery());
  if (data) {
    return (
      <>
        {user?.isEmailVerified === false && (
          <Alert kind="info">
            Confirm your email before you add one of these: what is added before ends then.
          </Alert>
        )}
        {isAsked && !data.app && data.passkeys.length === 0 && (
          <Alert kind="info">We ask every admin for one of these: an app or a passkey.</Alert>
        )}
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
