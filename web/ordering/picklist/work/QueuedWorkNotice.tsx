import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { plural } from '../../../platform/format/format.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import type { QueuedWork } from './queued-work.ts';
import { dismissWork, isWorkWaitingAtom, watchWork } from './send-work.ts';

/** Says what is not sent yet, and what was refused and why. */
export function QueuedWorkNotice({ works }: { works: readonly QueuedWork[] }) {
  const cache = useQueryClient();
  const isWaiting = useAtomValue(isWorkWaitingAtom);
  useEffect(() => void watchWork(cache), [cache]);
  const unsent = works.filter(({ refusal }) => refusal === undefined);
  const refused = works.filter(({ refusal }) => refusal !== undefined);
  return (
    <>
      {isWaiting && unsent.length > 0 && (
        <Alert kind="warning">
          {plural(unsent.length, 'entry is', 'entries are')} not sent yet. They are kept on this
          device and go out when the line is back.
        </Alert>
      )}
      {refused.map((work) => (
        <Alert key={work.id} kind="error">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0 grow">
              <strong>{work.label}</strong> was not saved. {work.refusal}
            </span>
            <Button variant="secondary" size="sm" onClick={() => dismissWork(work)}>
              OK
            </Button>
          </span>
        </Alert>
      ))}
    </>
  );
}
