import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { type ReactNode, useEffect, useState } from 'react';
import { plural } from '../../../platform/format/format.ts';
import { useAuth } from '../../../platform/session/session.ts';
import { Dialog } from '../../../platform/ui/dialogs/Dialog.tsx';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { shortageProgressQuery } from '../queries.ts';
import { outcomeInWords, ShortageOutcome } from './ShortageOutcome.tsx';
import { ShortageProgress } from './ShortageProgress.tsx';
import {
  dismissRun,
  runShortage,
  runStatesAtom,
  type ShortageRun,
  shortageRunsAtom,
  shownRunAtom,
} from './shortage-runs.ts';

/** A run of another tab, or of an earlier page, that has not moved for so long has broken off, in milliseconds. */
const STALLED_AFTER_MS = 6000;

/**
 * The shortages that are being shared while their dialog is closed, or that broke off. An open dialog shows its own.
 */
export function ShortageRuns() {
  const owner = useAuth().user?._id;
  const shownId = useAtomValue(shownRunAtom);
  const runs = useAtomValue(shortageRunsAtom).filter(
    ({ owner: own, body }) => own === owner && body.batchId !== shownId,
  );
  if (runs.length === 0) return null;
  return (
    <div className="mb-3 grid gap-2" data-print="hide">
      {runs.map((run) => (
        <Run key={run.body.batchId} run={run} />
      ))}
    </div>
  );
}

function Run({ run }: { run: ShortageRun }) {
  const id = run.body.batchId;
  const { name } = run.product;
  const state = useAtomValue(runStatesAtom).get(id);
  const isHere = state?.status === 'running';
  const { data, isError } = useQuery(shortageProgressQuery(id, state?.status !== 'done'));
  const isStalled = useIsStalled(data?.done, !isHere && state === undefined);
  const [isOpen, setOpen] = useState(false);
  const dismiss = () => dismissRun(id);
  if (state?.status === 'done') {
    const product = {
      ...run.product,
      pieceWeight: run.product.isByPiece ? { average: 1 } : undefined,
    };
    if (isOpen) {
      return (
        <Dialog
          open
          onOpenChange={(open) => !open && dismiss()}
          title={`${name} is shared`}
          size="lg"
          footer={<Button onClick={dismiss}>Done</Button>}
        >
          <ShortageOutcome result={state.result} product={product} />
        </Dialog>
      );
    }
    return (
      <Alert kind="success">
        <Line
          text={`${name} is shared: ${outcomeInWords(state.result).replace(', see below', '')}`}
        >
          <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
            Show
          </Button>
          <Button variant="quiet" size="sm" onClick={dismiss}>
            Got it
          </Button>
        </Line>
      </Alert>
    );
  }
  if (data?.isFinished && !isHere) {
    return (
      <Alert kind="success">
        <Line text={`${name} is shared among ${plural(data.total, 'order')}.`}>
          <Button variant="quiet" size="sm" onClick={dismiss}>
            Got it
          </Button>
        </Line>
      </Alert>
    );
  }
  if (!isHere && (state?.status === 'broken' || data?.isStopped || isStalled || isError)) {
    const far = data ? `after ${data.done} of ${plural(data.total, 'order')}` : 'before it began';
    return (
      <Alert kind="warning">
        <Line text={`Sharing ${name} stopped ${far}. Go on, and nothing is done twice.`}>
          <Button size="sm" onClick={() => void runShortage(run)}>
            Go on
          </Button>
          <Button variant="quiet" size="sm" onClick={dismiss}>
            Leave it
          </Button>
        </Line>
      </Alert>
    );
  }
  return (
    <div className="rounded border border-hairline bg-surface p-3">
      <ShortageProgress id={id} name={name} isRunning />
    </div>
  );
}

function Line({ text, children }: { text: string; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="min-w-0 grow">{text}</span>
      {children}
    </span>
  );
}

/** Returns whether a figure has not moved for {@link STALLED_AFTER_MS}, as long as somebody looks. */
function useIsStalled(figure: number | undefined, isWatched: boolean): boolean {
  const [seen, setSeen] = useState<{ figure: number | undefined } | null>(null);
  useEffect(() => {
    if (!isWatched) return;
    const timer = setTimeout(() => setSeen({ figure }), STALLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [figure, isWatched]);
  return isWatched && seen !== null && seen.figure === figure;
}
