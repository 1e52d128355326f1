import { DEFAULT_QUIET_HOURS, type QuietHours } from '#contract/farm/escalation/constants/quiet';
import type { Calls } from '#contract/platform/http/constants';

/**
 * - `waiting`: nobody has answered, and its plan goes on;
 * - `acknowledged`: somebody is on it, which stops the plan for a while;
 * - `exhausted`: the last step of the last round has run;
 * - `resolved`: what it was about is done.
 */
export const ATTENTION_STATES = ['waiting', 'acknowledged', 'resolved', 'exhausted'] as const;
export type AttentionState = (typeof ATTENTION_STATES)[number];

/** Whom a step of a plan tells: members with alerts, everybody who works there, its owners, or one person. */
export const STEP_RECEIVERS = ['owner', 'alerted', 'all', 'user'] as const;
export type StepReceivers = (typeof STEP_RECEIVERS)[number];

/** How a step tells them; `ring` sounds on every open page of theirs. */
export const STEP_CHANNELS = ['ring', 'push', 'email', 'sms'] as const;
export type StepChannel = (typeof STEP_CHANNELS)[number];

export interface EscalationStep {
  /** Since the round began. */
  afterSeconds: number;
  to: StepReceivers;
  /** Whom, where it is one person. */
  user?: string | undefined;
  channels: readonly StepChannel[];
}

export interface EscalationPlan {
  /** In order of time. */
  steps: readonly EscalationStep[];
  /** How often it may begin. */
  rounds: number;
  quietHours: QuietHours | null;
  /** How long "I'm on it" holds. */
  ackMinutes: number;
  /** After so many exhausted ones in a row the farm takes no orders; null for never. */
  pauseAfter: number | null;
}

export const ESCALATION_LIMITS = {
  steps: 20,
  /** A month. */
  afterSeconds: 31 * 24 * 60 * 60,
  rounds: 10,
  /** A week. */
  ackMinutes: 7 * 24 * 60,
  pauseAfter: 100,
} as const;

/** What a farm has where it says nothing else, for new orders. */
export const DEFAULT_PLAN: EscalationPlan = {
  steps: [
    { afterSeconds: 0, to: 'alerted', channels: ['ring', 'push'] },
    { afterSeconds: 2 * 60, to: 'alerted', channels: ['push'] },
    { afterSeconds: 2 * 60, to: 'owner', channels: ['email'] },
    { afterSeconds: 5 * 60, to: 'all', channels: ['push', 'sms'] },
  ],
  rounds: 2,
  quietHours: DEFAULT_QUIET_HOURS,
  ackMinutes: 30,
  pauseAfter: null,
};

/** How all other kinds are told, whatever the farm says for new orders; quiet hours are the farm's. */
export const GENTLE_STEPS: readonly EscalationStep[] = [
  { afterSeconds: 0, to: 'alerted', channels: ['push'] },
  { afterSeconds: 5 * 60, to: 'alerted', channels: ['email'] },
  { afterSeconds: 30 * 60, to: 'alerted', channels: ['push'] },
];

/** What follows of the suggestion to pause, where a farm turns it on. */
export const SUGGESTED_PAUSE_AFTER = 3;

/** An attention that nobody has answered for so long stands in the admins' feed. */
export const ADMINS_AFTER_MINUTES = 15;

/** Attentions that one call acknowledges or has seen. */
export const ATTENTIONS_PER_CALL = 100;

export const attentionApi = {
  list: { method: 'GET', path: '/attention' },
  acknowledge: { method: 'POST', path: '/attention/ack' },
  acknowledgeByToken: { method: 'POST', path: '/attention/acknowledgements' },
  see: { method: 'POST', path: '/attention/seen' },
  setOff: { method: 'PUT', path: '/attention/off' },
  plan: { method: 'GET', path: '/farm/escalation' },
  updatePlan: { method: 'PUT', path: '/farm/escalation' },
  tryOut: { method: 'POST', path: '/farm/escalation/test' },
} as const satisfies Calls;
