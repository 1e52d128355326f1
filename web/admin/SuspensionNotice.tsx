import type { AdminPerson } from '#contract/admin';
import { Alert } from '../ui/primitives/Alert.tsx';
import { Button } from '../ui/primitives/Button.tsx';
import { Time } from '../ui/primitives/Time.tsx';
import { toastError } from '../ui/toast.ts';
import { useSetSuspension } from './case-queries.ts';

/** Says that an account is suspended, since when and why, with the button that restores it. */
export function SuspensionNotice({ person: { user, farm, suspension } }: { person: AdminPerson }) {
  const restore = useSetSuspension(user._id);
  if (!suspension) return null;
  return (
    <Alert kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">
            Suspended since <Time value={suspension.at} as="date" inSentence />
          </p>
          <p className="wrap-anywhere">
            {suspension.reason === '' ? 'No reason given.' : `Reason: ${suspension.reason}`}
          </p>
          {farm && <p>The farm is off the market. Its other people can still finish its orders.</p>}
        </div>
        <Button
          variant="secondary"
          size="sm"
          pending={restore.isPending}
          pendingLabel="Restoring..."
          onClick={() => restore.mutate({ suspended: false }, { onError: toastError })}
        >
          Restore account
        </Button>
      </div>
    </Alert>
  );
}
