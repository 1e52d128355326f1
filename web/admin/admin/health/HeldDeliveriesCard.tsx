import { useMutation, useQueryClient } from '@tanstack/react-query';
import { describeHeld, healthApi } from '#contract/admin/health/constants';
import type { HeldDeliveries } from '#contract/admin/health/health';
import { call } from '../../../platform/api/api.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../../platform/ui/primitives/sections.tsx';
import { adminKeys } from '../keys.ts';

const RESULTS = {
  send: 'What still holds is being sent.',
  drop: 'Dropped. Nobody is notified.',
} as const;

/** What waits since a backup was restored, to be sent or dropped. Renders nothing when nothing waits. */
export function HeldDeliveriesCard({ held }: { held: HeldDeliveries }) {
  const cache = useQueryClient();
  const settle = useMutation({
    mutationFn: (action: 'send' | 'drop') => call(healthApi.settleHeld, { body: { action } }),
    onSuccess: (_, action) => toast.success(RESULTS[action]),
    onError: toastError,
    onSettled: () => cache.invalidateQueries({ queryKey: adminKeys.health() }),
  });
  const waiting = describeHeld(held);
  if (waiting === '') return null;
  const isPending = (action: 'send' | 'drop') => settle.isPending && settle.variables === action;
  return (
    <Card as="section" aria-labelledby="held">
      <CardHeader id="held" title="Of before the restore" />
      <p className="mb-3 text-sm">
        {waiting} wait. People may have got some of them before the backup was restored. Only what
        still holds is sent.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          pending={isPending('send')}
          onClick={() => settle.mutate('send')}
        >
          Send what still holds
        </Button>
        <Button
          variant="danger-quiet"
          pending={isPending('drop')}
          onClick={() => settle.mutate('drop')}
        >
          Drop them
        </Button>
      </div>
    </Card>
  );
}
