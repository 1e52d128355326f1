import type { AdminPerson } from '#contract/admin/admin/admin';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useSetSuspension } from '../case-queries.ts';

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
