import {
  type EscalationStep,
  STEP_CHANNELS,
  type StepChannel,
  type StepReceivers,
} from '#contract/ordering/attention/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { formatWallTime } from '#contract/platform/time/constants';
import type { PlanInput } from './plan-form.ts';

/** Somebody of the farm whom a step can name. */
export type Person = { _id: string; name: string };

/** What a channel is called where one chooses it. */
export const CHANNEL_LABELS: Readonly<Record<StepChannel, Message>> = {
  ring: msg('way to be told|Ring on open pages'),
  push: msg('way to be told|Push'),
  email: msg('way to be told|Email'),
  sms: msg('way to be told|SMS'),
};

const CHANNEL_NOUNS: Readonly<Record<StepChannel, Message>> = {
  ring: msg('a ring on open pages'),
  push: msg('a push message'),
  email: msg('an email'),
  sms: msg('an SMS'),
};

/** Whom a step can tell, where it is not one person. */
export const RECEIVER_LABELS: Readonly<Record<Exclude<StepReceivers, 'user'>, Message>> = {
  alerted: msg('Everyone with alerts on'),
  all: msg('Everyone who works here'),
  owner: msg('The owners'),
};

/** Returns a time since an alert began: '2 minutes'. */
function formatAfter(seconds: number): string {
  if (seconds % 3600 === 0)
    return t('{count, plural, one {# hour} other {# hours}}', { count: seconds / 3600 });
  if (seconds % 60 === 0)
    return t('{count, plural, one {# minute} other {# minutes}}', { count: seconds / 60 });
  return t('{count, plural, one {# second} other {# seconds}}', { count: seconds });
}

/** Says what a step does: 'After 2 minutes: a push message to everyone with alerts on.' */
export function describeStep(step: EscalationStep, people: readonly Person[]): string {
  const shown = {
    ways: listOf(
      STEP_CHANNELS.filter((each) => step.channels.includes(each)).map((each) =>
        writeMessage(CHANNEL_NOUNS[each]),
      ),
    ),
    to: step.to,
    name: people.find(({ _id }) => _id === step.user)?.name ?? t('somebody who has left'),
  };
  return step.afterSeconds === 0
    ? t(
        'At once: {ways} to {to, select, alerted {everyone with alerts on} all {everyone who works here} owner {the owners} other {{name}}}.',
        shown,
      )
    : t(
        'After {time}: {ways} to {to, select, alerted {everyone with alerts on} all {everyone who works here} owner {the owners} other {{name}}}.',
        { ...shown, time: formatAfter(step.afterSeconds) },
      );
}

/** Says what a plan does beside its steps, a sentence each. */
export function describeRest(plan: Omit<PlanInput, 'steps'>): string[] {
  return [
    t(
      '{rounds, plural, one {If nobody answers, that was all.} other {If nobody answers, it begins again, # times in all.}}',
      { rounds: plan.rounds || 1 },
    ),
    ...(plan.isQuiet && plan.quietFrom !== '' && plan.quietTo !== ''
      ? [
          t('Nobody is told from {from} to {to}, unless the order cannot wait that long.', {
            from: formatWallTime(plan.quietFrom),
            to: formatWallTime(plan.quietTo),
          }),
        ]
      : []),
    ...(plan.pauses && plan.pauseAfter > 0
      ? [
          t(
            '{count, plural, one {After an order that nobody answered} other {After # orders in a row that nobody answered}} your shop takes no orders until it next opens.',
            { count: plan.pauseAfter },
          ),
        ]
      : []),
  ];
}
