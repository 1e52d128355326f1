import type { EventData, EventRoom, LoggedEventName } from '#contract/platform/events/event';
import type { SecurityChange, StillThere } from '#contract/platform/session/constants';

/**
 * Events for servers only, never sent to a client. Features add those that name what only they know (`declare module`).
 */
export interface InternalEvents {
  /** A user's sessions ended, or their name changed. */
  'session.changed': { _id: string };
  /** A reset link was requested for this account; the id may be unknown on purpose. */
  'password.resetRequested': { _id: string; language?: string | undefined };
  /** How an account is protected changed: its owner is notified. */
  'account.securityChanged': {
    _id: string;
    change: SecurityChange;
    /** Where it was done, in words, such as 'Firefox on Linux'. */
    device: string;
    isAdmin: boolean;
    /** After a reset: what else signs in or is asked for; empty for nothing. */
    left?: readonly StillThere[];
  };
  /** A link is to be mailed that verifies the email of this account; in this language if it has chosen none. */
  'email.verificationRequested': { _id: string; language?: string | undefined };
  /** The email of this account is to change: its old and its new address are to be mailed a link. */
  'email.changeRequested': { _id: string; change: string };
  /** Somebody was invited to a farm: a link is to be mailed, if the limits of the person who invites allow it. */
  'member.invited': {
    _id: string;
    invitedBy: string;
    isMailed: boolean;
    language?: string | undefined;
  };
  /** A farm asks for approval: admins are to be notified, by mail if the limits of anyone who asks allow it. */
  'farm.waiting': { _id: string; name: string; isMailed: boolean };
}

/**
 * Events of which the log holds more than the gateway sends to those who may not see all of it. Features add their own
 * (`declare module`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: features fill it
export interface FullData {}

type LogData<Name extends LogName> = Name extends keyof InternalEvents
  ? InternalEvents[Name]
  : Name extends keyof FullData
    ? FullData[Name]
    : Name extends LoggedEventName
      ? EventData<Name>
      : never;
/** Of the kinds that the contract declares for the event; internal events have none. */
type LogRoom<Name extends LogName> = Name extends LoggedEventName ? EventRoom<Name> : never;
type LogName = LoggedEventName | keyof InternalEvents;

/** An event before it is recorded: its data in wire form, and the rooms that may see it. */
export type NewEvent = {
  [Name in LogName]: { name: Name; data: LogData<Name>; rooms: readonly LogRoom<Name>[] };
}[LogName];

/** An event with its number in the log. */
export type LoggedEvent = NewEvent & {
  seq: number;
  id: string;
  /** ISO instant. */
  at: string;
  requestId: string | null;
  /** The `Idempotency-Key` of the command that caused it, if that is a UUID. */
  commandId?: string | null;
};
