import type { Handoff } from '#contract/farm/farmers/farmers';
import { t } from '#contract/platform/text/constants/texts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { Alert } from '../../platform/ui/feedback/states.tsx';
import { pauseSentence } from '../model/handoff.ts';

const CLOCK_STEP_MS = 15_000;

/** Tells customers that a farm takes no orders just now, from when on it does again, and its own words for them. */
export function PauseNotice({
  handoff,
  className,
}: {
  /** Undefined until it is known. */
  handoff: Handoff | undefined;
  className?: string;
}) {
  const again = pauseSentence(handoff, useNow(CLOCK_STEP_MS));
  if (!again) return null;
  return (
    <Alert kind="warning" className={className}>
      <p className="font-medium">{t('This farm takes no orders just now')}</p>
      <p>{again}</p>
      {handoff?.pauseNote && (
        <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
          {handoff.pauseNote}
        </p>
      )}
    </Alert>
  );
}
