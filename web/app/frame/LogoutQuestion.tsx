import type { QueryClient } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { stockSaver } from '../../catalogue/products/stock/stock-saver.ts';
import { unsentAtom } from '../../farm/messages/outbox.ts';
import { runStatesAtom, shortageRunsAtom } from '../../ordering/changes/shortage/shortage-runs.ts';
import { flushAnswers, queuedAnswersAtom } from '../../ordering/orders/answers/queued-answers.ts';
import { queuedWorkAtom } from '../../ordering/picklist/work/send-work.ts';
import { plural } from '../../platform/format/format.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { logOut } from '../log-out.ts';
import { askedAtom } from '../use-logout.ts';

/** Returns what the signed-in person did that the market does not know yet, in words. */
function useUnsent(): string[] {
  const messages = useAtomValue(unsentAtom).length;
  const answers = useAtomValue(queuedAnswersAtom).reduce(
    (sum, { orders }) => sum + orders.length,
    0,
  );
  const work = useAtomValue(queuedWorkAtom).length;
  const stock = useAtomValue(stockSaver.editsAtom).filter(
    ({ status }) => status !== 'refused',
  ).length;
  const states = useAtomValue(runStatesAtom);
  const shortages = useAtomValue(shortageRunsAtom).filter(
    ({ body }) => states.get(body.batchId)?.status !== 'done',
  ).length;
  return [
    messages > 0 && plural(messages, 'message'),
    answers > 0 && `the answers to ${plural(answers, 'order')}`,
    work > 0 && plural(work, 'entry of the pick list', 'entries of the pick list'),
    stock > 0 && plural(stock, 'change of the stock', 'changes of the stock'),
    shortages > 0 && plural(shortages, 'shortage that is not shared to its end'),
  ].filter((each) => each !== false);
}

/**
 * Asks before somebody signs out who has not sent everything, and signs out as soon as nothing is left to ask about.
 */
export default function LogoutQuestion({ client }: { client: QueryClient }): ReactNode {
  const setAsked = useSetAtom(askedAtom);
  const unsent = useUnsent();
  const isNothingLeft = unsent.length === 0;
  const finish = useEffectEvent(() => {
    setAsked(null);
    logOut(client);
  });
  // What can still be taken back is sent while they are asked.
  useEffect(() => {
    flushAnswers();
    void stockSaver.saveAll();
  }, []);
  useEffect(() => {
    if (isNothingLeft) finish();
  }, [isNothingLeft]);
  return (
    <ConfirmDialog
      open={!isNothingLeft}
      onOpenChange={() => setAsked(null)}
      title="Log out with something unsent?"
      description={`Not sent yet: ${unsent.join(', ')}. It stays on this device for you alone, and you find it again when you sign in here.`}
      cancelLabel="Stay signed in"
      confirmLabel="Log out"
      onConfirm={finish}
    />
  );
}
