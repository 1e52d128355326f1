import { useQuery } from '@tanstack/react-query';
import { BellRing, Eye, EyeOff, Hand } from 'lucide-react';
import type { Attention } from '#contract/ordering/attention/attention';
import type { Order } from '#contract/ordering/orders/orders';
import { t } from '#contract/platform/text/constants/texts';
import { errorMessage } from '../../platform/api/api-error.ts';
import { rich } from '../../platform/format/rich.tsx';
import { useAuth } from '../../platform/session/session.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Time } from '../../platform/ui/primitives/Time.tsx';
import { useAcknowledge } from './commands.ts';
import { aboutOrder, attentionQuery, isOfFarm, isUnanswered } from './queries.ts';

/** On the page of an order, for its farm: who is on it, and whether the customer has seen what they are asked. */
export function OrderAttention({ order }: { order: Order }) {
  const { data } = useQuery(attentionQuery());
  const about = aboutOrder(data, order._id);
  if (about.length === 0) return null;
  const ofFarm = about.filter(isOfFarm);
  const waiting = ofFarm.filter(isUnanswered);
  return (
    <ul data-print="hide" className="mb-4 grid gap-2 text-sm">
      {waiting.length > 0 && <NobodyYet waiting={waiting} />}
      {ofFarm.map((each) => each.acknowledged && <SomebodyIs key={each._id} attention={each} />)}
      {about
        .filter((each) => !isOfFarm(each))
        .map((each) => (
          <SeenLine key={each._id} attention={each} />
        ))}
    </ul>
  );
}

const lineClass = 'flex flex-wrap items-center gap-x-2.5 gap-y-1';

function NobodyYet({ waiting }: { waiting: readonly Attention[] }) {
  const { mutate, isPending, error } = useAcknowledge();
  return (
    <li className={lineClass}>
      <BellRing className="size-4 shrink-0 text-tomato" />
      <span>{t('Nobody is on it yet.')}</span>
      <Button
        variant="secondary"
        icon={<Hand />}
        pending={isPending}
        onClick={() => mutate(waiting)}
        className="min-h-11"
      >
        {t("I'm on it")}
      </Button>
      {error && (
        <span role="alert" className="w-full text-tomato">
          {errorMessage(error)}
        </span>
      )}
    </li>
  );
}

function SomebodyIs({ attention: { state, acknowledged } }: { attention: Attention }) {
  const { user } = useAuth();
  if (state !== 'acknowledged' || !acknowledged) return null;
  const at = <Time value={acknowledged.at} as="time" />;
  return (
    <li className={lineClass}>
      <Hand className="size-4 shrink-0 text-leaf" />
      <span>
        {acknowledged.by._id === user?._id
          ? rich("You're on it since {time}.", { time: at })
          : rich('{name} is on it since {time}.', { name: acknowledged.by.name, time: at })}
      </span>
    </li>
  );
}

function SeenLine({ attention: { kind, customer, seenAt } }: { attention: Attention }) {
  const name = customer?.name ?? '';
  const what = kind === 'order.changeProposed' ? 'proposal' : 'move';
  const Icon = seenAt ? Eye : EyeOff;
  return (
    <li className={lineClass}>
      <Icon className="size-4 shrink-0 text-ink-soft" />
      <span className="text-ink-soft">
        {seenAt
          ? rich(
              '{what, select, proposal {{name} has seen your proposal: {time}.} other {{name} has seen the new time: {time}.}}',
              { what, name, time: <Time value={seenAt} inSentence /> },
            )
          : t(
              "{what, select, proposal {{name} hasn't seen your proposal yet.} other {{name} hasn't seen the new time yet.}}",
              { what, name },
            )}
      </span>
    </li>
  );
}
