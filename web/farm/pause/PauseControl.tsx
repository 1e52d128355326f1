import { CirclePause } from 'lucide-react';
import { Suspense, useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { mayForFarm, useAuth } from '../../platform/session/session.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useOwnPause } from './queries.ts';

const PauseDialog = lazyWithRetry(() => import('./PauseDialog.tsx'));

/** The button with which a farm stops taking orders for a while, or changes until when. */
export function PauseControl() {
  const { user } = useAuth();
  const pause = useOwnPause();
  const [isOpen, setOpen] = useState(false);
  if (!mayForFarm(user, 'changeFarm')) return null;
  return (
    <>
      <Button variant="secondary" icon={<CirclePause />} onClick={() => setOpen(true)}>
        {pause ? t('Change the pause') : t('Pause orders')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PauseDialog pause={pause} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
