import { CirclePause } from 'lucide-react';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { mayForFarm, useAuth } from '../../platform/session/session.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { useOwnPause, useResume } from './queries.ts';

/** Says on every page of a farm's people that it takes no orders, until when, and who stopped them. */
export function PauseBanner() {
  const { user } = useAuth();
  const pause = useOwnPause();
  const resume = useResume();
  if (!pause) return null;
  const { end, pausedBy, pauseNote } = pause;
  return (
    <section
      aria-label={t('Paused orders')}
      data-print="hide"
      className="border-b border-hairline bg-tomato-soft text-ink"
    >
      <div className="wrap flex flex-wrap items-center gap-x-4 gap-y-2 py-2 text-sm">
        <CirclePause aria-hidden="true" className="size-5 shrink-0 text-tomato" />
        <p role="status" className="min-w-0 grow basis-48 wrap-anywhere">
          <span className="block font-semibold">
            {t('Your farm takes no orders until {moment}', { moment: end })}
          </span>
          {pausedBy
            ? rich('Paused by {name}.', { name: <bdi>{pausedBy.name}</bdi> })
            : t('We stopped them, because nobody answered the last orders.')}{' '}
          {pauseNote && rich('Note to customers: {note}', { note: <bdi>{pauseNote}</bdi> })}
        </p>
        {mayForFarm(user, 'changeFarm') && (
          <Button
            variant="secondary"
            pending={resume.isPending}
            onClick={() => resume.mutate()}
            className="shrink-0"
          >
            {t('Resume')}
          </Button>
        )}
      </div>
    </section>
  );
}
