/** What is due for one person and channel within this time goes together, in milliseconds. */
export const TOGETHER_MS = 20_000;

/** A message to somebody over a channel: when it went, or goes, and with what it goes together. */
export interface AlertMessage {
  at: Date;
  about: string;
}

/** When an alert goes, and in which message. */
export interface Paced {
  dueAt: Date;
  isHeld: boolean;
  about: string;
}

/**
 * Decides when an alert goes that is due now: the first at once, and what follows within {@link TOGETHER_MS} when they
 * are over, in one message that takes the place of the first.
 */
export function paceOf(now: Date, attentionId: string, last: AlertMessage | undefined): Paced {
  if (last && last.at > now) return { dueAt: last.at, isHeld: true, about: last.about };
  const over = last ? last.at.getTime() + TOGETHER_MS : 0;
  return last && over > now.getTime()
    ? { dueAt: new Date(over), isHeld: true, about: last.about }
    : { dueAt: now, isHeld: false, about: `attention:${attentionId}` };
}
