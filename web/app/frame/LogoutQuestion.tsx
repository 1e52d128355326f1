import type { QueryClient } from '@tanstack/react-query';
import { useAtomValue, useSetAtom } from 'jotai';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { stockSaver } from '../../catalogue/products/stock/stock-saver.ts';
import { unsentAtom } from '../../farm/messages/outbox.ts';
import { runStatesAtom, shortageRunsAtom } from '../../ordering/changes/shortage/shortage-runs.ts';
import { flushAnswers, queuedAnswersAtom } from '../../ordering/orders/answers/queued-answers.ts';
import { queuedWorkAtom } from '../../ordering/picklist/work/send-work.ts';
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
    messages > 0 && t('{messages, plural, one {# message} other {# messages}}', { messages }),
    answers > 0 &&
      t('the answers to {answers, plural, one {# order} other {# orders}}', { answers }),
    work > 0 &&
      t('{work, plural, one {# entry of the pick list} other {# entries of the pick list}}', {
        work,
      }),
    stock > 0 &&
      t('{stock, plural, one {# change of the stock} other {# changes of the stock}}', { stock }),
    shortages > 0 &&
      t(
        '{shortages, plural, one {# shortage that is not shared to its end} other {# shortage that is not shared to its ends}}',
        { shortages },
      ),
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
      title={t('Log out with something unsent?')}
      description={t(
        'Not sent yet: {join}. It stays on this device for you alone, and you find it again when you sign in here.',
        { join: unsent.join(', ') },
      )}
      cancelLabel={t('Stay signed in')}
      confirmLabel={t('Log out')}
      onConfirm={finish}
    />
  );
}
