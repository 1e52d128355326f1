import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { plural } from '../../../platform/format/format.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import type { KeptWork } from './kept-work.ts';
import { dismissWork, isWorkWaitingAtom, watchWork } from './send-work.ts';

/** Says what is not sent yet, and what was refused and why. */
export function KeptNews({ kept }: { kept: readonly KeptWork[] }) {
  const cache = useQueryClient();
  const isWaiting = useAtomValue(isWorkWaitingAtom);
  useEffect(() => watchWork(cache), [cache]);
  const unsent = kept.filter(({ refusal }) => refusal === undefined);
  const refused = kept.filter(({ refusal }) => refusal !== undefined);
  return (
    <>
      {isWaiting && unsent.length > 0 && (
        <Alert kind="warning">
          {plural(unsent.length, 'entry is', 'entries are')} not sent yet. They are kept on this
          device and go out when the line is back.
        </Alert>
      )}
      {refused.map(({ id, owner, label, refusal }) => (
        <Alert key={id} kind="error">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0 grow">
              <strong>{label}</strong> was not saved. {refusal}
            </span>
            <Button variant="secondary" size="sm" onClick={() => dismissWork({ id, owner })}>
              OK
            </Button>
          </span>
        </Alert>
      ))}
    </>
  );
}
